// Tables and lists beside the board: guesses, moves that were judged, measures.
import { make, number, percent, place, sideways } from "./dom.js";
import { worth } from "./decision.js";

const ROWS_AT_ONCE = 40;

// Up to three other cells: those that were weighed, or else the safest ones.
function alternatives(game, index) {
  const { decision } = game.positions[index];
  if (decision.candidates.length > 1) return decision.candidates.slice(1, 4);
  return [...game.chances(index)].filter(([cell, chance]) => cell !== decision.safe[0] && chance < 1)
    .sort((one, other) => one[1] - other[1]).slice(0, 3)
    .map(([cell, chance]) => ({ cell, survival: 1 - chance, win: null, most: null, score: null }));
}

// Two lines a guess: what was chosen, and what it was chosen from.
export function guessTable(game, onPosition) {
  const rows = new Map();
  const valued = game.guesses.some((index) => game.positions[index].decision.candidates.some(worth));
  const heads = ["guess", "time", "cell", "safe", ...(valued ? ["wins"] : [])];
  const table = make("table", { id: "guesses" }, make("thead", {}, make("tr", {}, ...heads.map((word) => make("th", { scope: "col" }, word)))));
  let shown = null;
  const add = (index, order) => {
    const { decision, t } = game.positions[index];
    const go = make("button", { type: "button", "aria-label": `show guess ${order + 1}` }, String(order + 1));
    go.addEventListener("click", () => onPosition(index));
    const others = alternatives(game, index).map((each) => `${place(each.cell, game.columns)}: safe ${percent(each.survival)}${worth(each) ? `, wins ${worth(each)}` : ""}`);
    const mine = decision.candidates[0];
    const chosen = [go, `${t.toFixed(2)}\u00a0s`, place(decision.safe[0], game.columns), percent(decision.survival), ...(valued ? [mine ? worth(mine) : ""] : [])];
    const lines = [make("tr", {}, ...chosen.map((part) => make("td", {}, part)))];
    if (others.length) lines.push(make("tr", { class: "more" }, make("td", { colspan: heads.length }, `instead: ${others.join("; ")}`)));
    const body = make("tbody", {}, ...lines);
    body.classList.toggle("now", index === shown);
    rows.set(index, body);
    table.append(body);
  };
  // The first rows now, the others once the page is drawn.
  const fill = (from) => {
    game.guesses.slice(from, from + ROWS_AT_ONCE).forEach((index, place) => add(index, from + place));
    if (from + ROWS_AT_ONCE < game.guesses.length) setTimeout(() => fill(from + ROWS_AT_ONCE));
  };
  fill(0);
  return {
    element: game.guesses.length ? sideways("guesses", table) : make("p", { class: "dim" }, "No guess was needed."),
    show: (position) => { shown = position; rows.forEach((body, index) => body.classList.toggle("now", index === position)); },
  };
}

export function measureList(measures) {
  const entries = Object.entries(measures);
  if (!entries.length) return make("p", { class: "dim" }, "Not known: the end of the game does not show every mine.");
  return make("dl", { id: "measures" }, ...entries.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, number(value)))));
}

// The moves as a review judged them; `verdicts` as `bot.review` gives them.
export function verdictTable(game, onPosition) {
  const body = make("tbody");
  for (const each of game.verdicts) {
    const go = make("button", { type: "button", "aria-label": `show move ${each.number + 1}` }, String(each.number + 1));
    go.addEventListener("click", () => onPosition(each.position));
    body.append(make("tr", {}, make("td", {}, go), make("td", {}, place(each.cell, game.columns)),
      make("td", { class: each.verdict }, each.verdict), make("td", {}, each.text)));
  }
  const head = make("tr", {}, ...["move", "cell", "verdict", "why"].map((word) => make("th", { scope: "col" }, word)));
  return sideways("judged moves", make("table", { id: "verdicts" }, make("thead", {}, head), body));
}
