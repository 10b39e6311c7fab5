// The page of one position: the board, or the screenshot that it was read from, with the chances of a mine.
import { chanceMap, hundredths, make, pageData, percent, place, sideways } from "./dom.js";
import { reasonFor } from "./reasons.js";
import { BoardView } from "./board.js";

const LEAST_CELL = 22; // Pixels of a cell of the screenshot, so that its chance can be read.

const data = pageData(), { columns, rows, shot } = data;
const chances = chanceMap(data.chances);
const safe = new Set([...chances].filter(([, chance]) => chance === 0).map(([cell]) => cell));
const mines = new Set([...chances].filter(([, chance]) => chance === 1).map(([cell]) => cell));
const why = make("p", { id: "why", "aria-live": "polite" }, "Point at a cell, or walk there by keys, to see why.");
const board = new BoardView(columns, rows, explain);

function explain(cell) {
  const view = { board: data.board, safe, mine: mines, chances: new Map([...chances].filter(([, chance]) => chance > 0 && chance < 1)) };
  if (data.best !== null) view.guess = new Set([data.best]);
  if (cell !== null && chances.has(cell)) {
    const chance = chances.get(cell), reason = reasonFor(cell, data.board, columns, rows, safe, mines);
    const sure = chance === 0 || chance === 1;
    why.textContent = `${place(cell, columns)}: ${sure ? reason.text : `a mine with ${percent(chance, 2)}`}${cell === data.best ? "; the best cell to open" : ""}`;
    if (sure) Object.assign(view, { decides: new Set(reason.numbers), around: new Set(reason.cells) });
  }
  board.show(view);
}

// The screenshot with a button on each covered cell.
function screenshot() {
  const size = Math.max(1, Math.ceil(LEAST_CELL / ((shot.columns[1] - shot.columns[0]) * shot.width)));
  const stage = make("div", { class: "shot" }, make("img", { src: shot.source, width: size * shot.width, height: size * shot.height, alt: "the screenshot that the board was read from" }));
  for (const [cell, chance] of [...chances].sort((one, other) => one[0] - other[0])) {
    const row = Math.floor(cell / columns), column = cell % columns;
    const left = shot.columns[column], top = shot.rows[row];
    const spot = make("button", { type: "button", class: cell === data.best ? "spot best" : "spot", "data-cell": cell, "aria-label": `${place(cell, columns)}, a mine with ${percent(chance)}`, title: percent(chance) }, hundredths(chance));
    Object.assign(spot.style, { left: `${100 * left}%`, top: `${100 * top}%`, width: `${100 * (shot.columns[column + 1] - left)}%`, height: `${100 * (shot.rows[row + 1] - top)}%`, fontSize: `${0.42 * (shot.rows[row + 1] - top) * size * shot.height}px` });
    spot.style.setProperty("--tint", `color-mix(in oklab, #f58220 ${100 * chance}%, #9ecbff)`);
    for (const event of ["pointerenter", "focus"]) spot.addEventListener(event, () => explain(cell));
    stage.append(spot);
  }
  return stage;
}

const section = (title, ...children) => make("section", {}, make("h2", {}, title), ...children);
document.getElementById("page").append(
  make("header", {}, make("h1", {}, data.title), make("p", { class: "dim" }, `${columns}x${rows}, ${data.mines ?? "unknown"} mines`)),
  make("div", { class: "columns" },
    make("div", {}, ...(shot ? [section("Screenshot", sideways("screenshot", screenshot()))] : []), section("Board", board.element)),
    make("div", {}, section("Why", why), section("Found", ...data.words.map((line) => make("p", {}, line))))));
explain(null);
document.body.dataset.ready = "yes";
