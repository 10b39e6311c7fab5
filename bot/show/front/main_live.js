// The page of a run that goes on: it asks for news, and shows the last position.
import { chanceMap, make, pageData, percent, place, sideways } from "./dom.js";
import { reasonFor } from "./reasons.js";
import { BoardView } from "./board.js";
import { decisionWords } from "./decision.js";

const EVERY_MS = 250; // Time between two questions for news.

const title = pageData().title;
const status = make("p", { id: "status", "aria-live": "polite" }, "waiting for the first board");
const told = make("p", { id: "told" });
const why = make("p", { id: "why", class: "dim" });
const stage = make("div");
const body = make("tbody");
const rate = make("p", { id: "rate" });
const state = { version: -1, board: null, news: null, pointed: null };
const section = (name, ...children) => make("section", {}, make("h2", {}, name), ...children);
const head = make("tr", {}, ...["game", "outcome", "seconds", "guesses", "survival"].map((word, column) => make("th", { scope: "col", class: column > 1 ? "number" : "" }, word)));
document.getElementById("page").append(
  make("header", {}, make("h1", {}, title), status),
  make("div", { class: "columns" }, make("div", {}, make("section", {}, stage)),
    make("div", {}, section("Now", told, why), section("Games", rate, sideways("games", make("table", { id: "games" }, make("thead", {}, head), body))))));

function show() {
  const { news } = state;
  if (!news?.board) {
    told.textContent = why.textContent = ""; // The board that stays is the last one of the game before.
    return;
  }
  if (!state.board || state.board.columns !== news.columns || state.board.rows !== news.rows) {
    state.board = new BoardView(news.columns, news.rows, (cell) => { state.pointed = cell; show(); });
    stage.replaceChildren(state.board.element);
  }
  const { decision, chances } = news.position;
  const risks = chanceMap(chances);
  const safe = new Set(decision.kind === "certain" ? decision.safe : []), mines = new Set(decision.mines);
  const view = { board: news.board, chances: new Map([...risks].filter(([, chance]) => chance > 0 && chance < 1)), safe, mine: mines };
  if (decision.kind === "guess" || decision.kind === "first") view.guess = new Set(decision.safe);
  why.textContent = "";
  if (state.pointed !== null) {
    const reason = reasonFor(state.pointed, news.board, news.columns, news.rows, safe, mines);
    if (safe.has(state.pointed) || mines.has(state.pointed)) {
      why.textContent = `${place(state.pointed, news.columns)}: ${reason.text}`;
      Object.assign(view, { decides: new Set(reason.numbers), around: new Set(reason.cells) });
    }
  }
  state.board.show(view);
  if (decision.safe.length && state.pointed === null) state.board.reveal(decision.safe[0]);
  told.textContent = decisionWords(decision);
}

async function ask() {
  try {
    const answer = await fetch("news", { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    const news = await answer.json();
    if (news.version !== state.version) {
      Object.assign(state, { version: news.version, news });
      status.textContent = `game ${news.game}, ${news.board ? `${news.clicks} clicks` : `waiting for its first board`}`;
      rate.textContent = `${news.won} of ${news.played} won`;
      body.replaceChildren(...[...news.games].reverse().map((game) => make("tr", {}, make("td", {}, String(game.game)), make("td", { class: game.outcome }, game.outcome),
        make("td", { class: "number" }, game.seconds === null ? "" : game.seconds.toFixed(2)), make("td", { class: "number" }, String(game.guesses)), make("td", { class: "number" }, percent(game.survival)))));
      show();
    }
    setTimeout(ask, EVERY_MS);
  } catch {
    status.textContent = "the run has ended; this is the last that was seen";
    document.body.dataset.ended = "yes";
  }
}
ask();
document.body.dataset.ready = "yes";
