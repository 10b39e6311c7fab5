// The page of one game.
import { around, make, pageData, percent, place } from "./dom.js";
import { reasonFor } from "./reasons.js";
import { BoardView } from "./board.js";
import { Game, threeBV } from "./game.js";
import { chanceGraph, timeLine } from "./charts.js";
import { decisionWords } from "./decision.js";
import { guessTable, measureList, verdictTable } from "./lists.js";

const SPEEDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];
const WATCH_S = 20; // How long playing a whole game should take at first, in seconds.
const PATH_POINTS = 60; // Clicks that the way of the mouse goes back.
const LAYERS = [
  ["chances", "chances of a mine", true],
  ["certain", "certain cells", true],
  ["deciding", "numbers that decide", true],
  ["path", "way of the mouse", false],
  ["threebv", "3BV and openings", false],
];

const game = new Game(pageData());
const near = (cell) => around(cell, game.columns, game.rows);
const parts3BV = game.minefield ? threeBV(game.minefield, game.columns, game.rows, near) : null;
const state = { moment: 0, playing: false, speed: 1, time: game.start, pointed: null, layers: {} };
const board = new BoardView(game.columns, game.rows, (cell) => { state.pointed = cell; show(); });

function button(id, text, label, action) {
  const made = make("button", { type: "button", id, "aria-label": label, title: label }, text);
  made.addEventListener("click", action);
  return made;
}

const slider = make("input", { type: "range", id: "moment", min: 0, max: game.moments.length - 1, value: 0, step: 1, "aria-label": "move of the game" });
slider.addEventListener("input", () => { pause(); go(Number(slider.value)); });
const play = button("play", "▶", "play or pause (space)", () => toggle());
const speeds = make("select", { id: "speed", "aria-label": "speed" }, ...SPEEDS.map((speed) => make("option", { value: speed }, `${speed} ×`)));
speeds.addEventListener("change", () => { state.speed = Number(speeds.value); });
const clock = make("output", { id: "clock", class: "dim" });
const told = make("p", { id: "told" });
const why = make("p", { id: "why", class: "dim" });
const live = make("p", { class: "hidden", "aria-live": "polite" });
const line = timeLine(game, (t) => { pause(); go(game.momentAt(t)); });
const graph = chanceGraph(game, (t) => { pause(); go(game.momentAt(t)); });
const guesses = guessTable(game, (position) => jump(position));
const layers = make("div", { class: "layers", role: "group", "aria-label": "layers" });
LAYERS.forEach(([name, text, on], index) => {
  const box = make("input", { type: "checkbox", id: `layer-${name}` });
  box.checked = state.layers[name] = on && (name !== "threebv" || parts3BV !== null);
  box.disabled = name === "threebv" && parts3BV === null;
  box.addEventListener("change", () => { state.layers[name] = box.checked; show(); });
  layers.append(make("label", { for: box.id }, box, `${text} (${index + 1})`));
});

function section(title, ...children) {
  return make("section", {}, make("h2", {}, title), ...children);
}

function go(moment) {
  state.moment = Math.min(Math.max(moment, 0), game.moments.length - 1);
  state.time = game.moments[state.moment].t;
  show();
}

function jump(position) {
  pause();
  go(game.momentOf(position));
}

function toNextGuess(direction) {
  const here = game.moments[state.moment].position;
  const found = direction > 0 ? game.guesses.find((index) => index > here) : [...game.guesses].reverse().find((index) => index < here);
  if (found !== undefined) jump(found);
}

function pause() {
  state.playing = false;
  play.textContent = "▶";
  play.setAttribute("aria-pressed", "false");
}

let before = 0;
function toggle() {
  if (state.playing) { pause(); return; }
  if (state.moment === game.moments.length - 1) go(0);
  state.playing = true;
  play.textContent = "⏸";
  play.setAttribute("aria-pressed", "true");
  before = performance.now();
  requestAnimationFrame(tick);
}

function tick(now) {
  if (!state.playing) return;
  state.time += ((now - before) / 1000) * state.speed;
  before = now;
  state.moment = game.momentAt(state.time);
  if (state.time >= game.end) pause();
  show();
  requestAnimationFrame(tick);
}

function words(moment, decision) {
  const deed = moment.deeds ? game.deeds[moment.deeds - 1] : null;
  const who = deed?.person ? "person" : "click";
  const last = deed ? `${who}: ${deed.action} ${place(deed.cell, game.columns)}` : "before the first click";
  if (!decision) return last;
  return `${last}. ${game.verdicts ? `Next, judged ${decision.rung}: ${decision.reason}` : `Decision: ${decisionWords(decision)}`}`;
}

function show() {
  const moment = game.moments[state.moment], position = game.positions[moment.position];
  const decision = position?.decision, letters = game.boardAt(moment.position);
  const { safe, mines } = game.certain(moment.position), on = state.layers;
  const view = { board: letters };
  const over = position && position.phase !== "playing" && position.phase !== "ready";
  if (on.chances && !over) {
    view.chances = new Map([...game.chances(moment.position)].filter(([, chance]) => chance > 0 && chance < 1));
  }
  if (on.certain && !over) Object.assign(view, { safe, mine: mines });
  if (decision?.kind === "guess" || decision?.kind === "first") view.guess = new Set(decision.safe);
  const deed = moment.deeds ? game.deeds[moment.deeds - 1] : null;
  if (deed) view.last = new Set([deed.cell]);
  const watched = view.guess ? decision.safe[0] : deed?.cell;
  if (watched !== undefined && state.pointed === null) board.reveal(watched);
  why.textContent = "";
  const pointed = state.pointed ?? (decision?.kind === "certain" && deed && safe.has(deed.cell) ? deed.cell : null);
  if (pointed !== null) {
    const reason = reasonFor(pointed, letters, game.columns, game.rows, safe, mines);
    const chance = game.chances(moment.position).get(pointed);
    if (chance !== undefined || safe.has(pointed) || mines.has(pointed)) {
      const risk = chance !== undefined && chance > 0 && chance < 1 ? `a mine with ${percent(chance)}` : reason.text;
      why.textContent = `${place(pointed, game.columns)}: ${risk}`;
    }
    if (on.deciding) Object.assign(view, { decides: new Set(reason.numbers), around: new Set(reason.cells) });
  }
  if (on.threebv && parts3BV) Object.assign(view, parts3BV);
  board.show(view);
  const path = game.deeds.slice(Math.max(0, moment.deeds - PATH_POINTS), moment.deeds);
  const middle = (cell) => [cell % game.columns + 0.5, Math.floor(cell / game.columns) + 0.5];
  board.showPath(on.path ? path.map((each) => each.at ?? middle(each.cell)) : []);
  slider.value = state.moment;
  slider.setAttribute("aria-valuetext", `${moment.t.toFixed(2)} seconds, ${moment.deeds} clicks`);
  clock.textContent = `${(state.playing ? state.time : moment.t).toFixed(2)} s of ${game.end.toFixed(2)} s, click ${moment.deeds} of ${game.deeds.length}`;
  told.textContent = words(moment, decision);
  if (!state.playing && live.textContent !== told.textContent) live.textContent = told.textContent;
  line.show(moment.t);
  graph.show(moment.t);
  guesses.show(moment.position);
}

const KEYS = {
  " ": () => toggle(), ArrowLeft: () => { pause(); go(state.moment - 1); }, ArrowRight: () => { pause(); go(state.moment + 1); },
  Home: () => { pause(); go(0); }, End: () => { pause(); go(game.moments.length - 1); },
  PageUp: () => toNextGuess(-1), PageDown: () => toNextGuess(1),
  "+": () => faster(1), "-": () => faster(-1),
};

function faster(step) {
  speeds.selectedIndex = Math.min(Math.max(speeds.selectedIndex + step, 0), SPEEDS.length - 1);
  state.speed = SPEEDS[speeds.selectedIndex];
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const control = event.target.closest("button, select, input");
  if (control && (event.key === " " || event.target.matches("select"))) return;
  if (event.target === slider && event.key in KEYS && event.key !== " ") return;
  const layer = LAYERS[Number(event.key) - 1];
  if (layer) document.getElementById(`layer-${layer[0]}`).click();
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});

const facts = [`${game.columns}x${game.rows}, ${game.mines ?? "unknown"} mines`, game.source, game.created].filter(Boolean).join(" · ");
const ended = `${game.result}${game.seconds === null ? "" : ` in ${game.seconds.toFixed(2)} s`}${game.reason ? `: ${game.reason}` : ""}`;
const controls = make("div", { class: "bar" },
  button("begin", "⏮", "to the beginning (Home)", KEYS.Home), button("back", "◀", "one step back (left arrow)", KEYS.ArrowLeft), play,
  button("forward", "▶|", "one step on (right arrow)", KEYS.ArrowRight), button("end", "⏭", "to the end (End)", KEYS.End),
  button("guess-back", "‹ guess", "to the guess before (page up)", KEYS.PageUp), button("guess-on", "guess ›", "to the next guess (page down)", KEYS.PageDown),
  speeds, clock);
const unknown = game.verdicts ? "No chance to win is known." : "The recording holds no chance to win: minebot review works it out.";
const noChance = game.guesses.length ? unknown : "The chance to win is told at guesses: there was none.";
const graphNote = graph.known ? "Full dots are exact, empty ones about. Click to go there." : noChance;
document.getElementById("page").append(
  make("header", {}, make("h1", {}, game.title), make("p", { class: "dim" }, facts), make("p", { class: game.result, id: "result" }, ended)),
  make("div", { class: "columns" },
    make("div", {},
      make("section", {}, board.element),
      make("section", { "aria-label": "time line" }, slider, line.element, controls),
      section("Chance to win", graph.element, make("p", { class: "dim" }, graphNote))),
    make("div", {},
      section("Now", told, why, live), section("Layers", layers), section("Guesses", guesses.element),
      ...(game.verdicts ? [section("Judged moves", make("p", { class: "dim" }, game.judge ?? ""), verdictTable(game, jump))] : []),
      section("Measures", measureList(game.measures)))));
const length = game.end - game.start;
const wanted = SPEEDS.filter((speed) => speed <= Math.max(length / WATCH_S, SPEEDS[0])).pop();
speeds.value = String(wanted);
state.speed = wanted;
go(0);
document.body.dataset.ready = "yes";
