// A Minesweeper that behaves as its address says:
//   columns, rows, mines   its size
//   restart   button (above), dialog (a card over the page), board (a click on the finished board), alert
//             (an alert(), then a new game), key (N), menu (the button above asks for the level on a card),
//             levels (buttons above with the names of levels), reload (by nothing else), none (not even that);
//             F8 starts one in any case, for the tests
//   bar, side, foot   more buttons above, left of and below the board, by their texts, with commas between them;
//             what a text says is done: a new game, quit (the page goes blank), else a card over the page
//   win       opened, flagged (every mine must be flagged)
//   first     cell (the first cell holds no mine), around (nor do those around it)
//   rules     usual, rimless (an opening shows no numbers around it), several (up to three mines in a cell)
//   loss      all (all mines are shown), hit (only the one that was hit), nothing
//   told      text (a line below the board says how a game ended), above (one above the board that is not
//             there before, and moves it down by a row), nothing
//   motion    none, flip (cells turn when they open), pulse (the mine that was hit pulses for ever),
//             confetti (falls over the cells after a win, for ever)
// Its title tells what is there and what was done, for the tests: the bot cannot use it.
"use strict";

const words = new URLSearchParams(location.search);
const word = (name, other) => words.get(name) ?? other;
const columns = Number(word("columns", 9)), rows = Number(word("rows", 9)), mines = Number(word("mines", 10));
const restart = word("restart", "button"), win = word("win", "opened");
const rules = word("rules", "usual"), loss = word("loss", "all"), motion = word("motion", "none");

const place = document.getElementById("board");
const told = document.getElementById("told"), bar = document.getElementById("bar");
let cells, mined, opened, marked, over, games = 0, clicks = 0, outside = 0, quits = 0;
// What a page that was loaded again still knows, for its title.
const outcomes = JSON.parse(sessionStorage.getItem("outcomes") ?? "[]");

place.style.gridTemplateColumns = `repeat(${columns}, 31px)`;
const places = { bar, side: document.getElementById("side"), foot: document.getElementById("foot") };
for (const [name, where] of Object.entries(places)) {
  const above = { button: "New game", menu: "New game", levels: "Easy,Medium,Hard" }[restart] ?? "";
  const texts = word(name, name === "bar" ? above : "").split(",").filter(Boolean);
  for (const text of texts) {
    const button = document.createElement("button");
    button.textContent = text;
    button.onclick = () => act(text);
    where.append(button);
  }
}
if (word("told", "text") === "above") {
  told.className = "above";
  document.getElementById("middle").before(told);
}
const label = document.createElement("span");
bar.append(label);

const around = (cell) => {
  const row = Math.floor(cell / columns), column = cell % columns, found = [];
  for (let r = row - 1; r <= row + 1; r++)
    for (let c = column - 1; c <= column + 1; c++)
      if (r >= 0 && r < rows && c >= 0 && c < columns && r * columns + c !== cell) found.push(r * columns + c);
  return found;
};
const held = (cell) => (mined.has(cell) ? (rules === "several" ? 1 + (cell % 3) : 1) : 0);
const number = (cell) => around(cell).reduce((sum, near) => sum + held(near), 0);

function act(text) {
  if (restart === "menu" && /new/i.test(text)) return ask();
  if (/new|restart|again|reset|neu|start|easy|medium|hard/i.test(text)) return begin();
  if (/quit|exit|close|leave|beenden/i.test(text)) {
    quits += 1;
    document.body.replaceChildren();
    return tell();
  }
  document.getElementById("word").textContent = `${text}: nothing yet`;
  document.getElementById("again").textContent = "OK";
  document.getElementById("again").onclick = close;
  document.getElementById("over").style.display = "flex";
}

function ask() {
  document.getElementById("word").textContent = "Which level?";
  document.getElementById("again").textContent = "Easy";
  document.getElementById("over").style.display = "flex";
}

function close() {
  document.getElementById("over").style.display = "none";
  document.getElementById("again").textContent = "Play again";
  document.getElementById("again").onclick = begin;
}

function begin() {
  mined = null;
  opened = new Set();
  marked = new Map();
  over = false;
  games += 1;
  document.getElementById("over").style.display = "none";
  document.querySelectorAll("canvas").forEach((one) => one.remove());
  told.textContent = "";
  place.replaceChildren();
  cells = [];
  for (let cell = 0; cell < columns * rows; cell++) {
    const one = document.createElement("div");
    one.className = "cell covered";
    one.onmouseup = (event) => pressed(cell, event.button);
    cells.push(one);
    place.append(one);
  }
  tell();
}

function lay(first) {
  const safe = word("first", "cell") === "around" ? [first, ...around(first)] : [first];
  const free = [...Array(columns * rows).keys()].filter((cell) => !safe.includes(cell));
  for (let left = free.length - 1; left > 0; left--) {
    const other = Math.floor(Math.random() * (left + 1));
    [free[left], free[other]] = [free[other], free[left]];
  }
  mined = new Set(free.slice(0, mines));
}

function pressed(cell, button) {
  clicks += 1;
  if (over) {
    if (restart === "board" && button === 0 && performance.now() - over > 300) begin();
    return tell();
  }
  if (button === 2) {
    if (opened.has(cell)) return;
    marked.set(cell, ((marked.get(cell) ?? 0) + 1) % 3);
    cells[cell].textContent = ["", "\u2691", "?"][marked.get(cell)];
    cells[cell].style.color = ["", "#c01818", "#333"][marked.get(cell)];
  } else if (button === 0 && marked.get(cell) !== 1) {
    if (mined === null) lay(cell);
    if (mined.has(cell)) lose(cell);
    else open(cell);
  }
  if (!over && won()) finish(true);
  tell();
}

function open(first) {
  const todo = [first];
  while (todo.length) {
    const cell = todo.pop();
    if (opened.has(cell)) continue;
    opened.add(cell);
    const count = number(cell);
    cells[cell].className = `cell n${count}` + (motion === "flip" ? " flip" : "");
    cells[cell].textContent = count || "";
    cells[cell].style.color = "";
    if (!count) todo.push(...around(cell).filter((near) => rules !== "rimless" || !number(near)));
  }
}

function won() {
  if (mined === null) return false;
  if (win === "flagged" && ![...mined].every((cell) => marked.get(cell) === 1)) return false;
  return opened.size === columns * rows - mines;
}

function lose(hit) {
  if (loss !== "nothing") {
    for (const cell of loss === "all" ? mined : [hit]) {
      cells[cell].textContent = "\u25cf";
      cells[cell].style.color = "#111";
      cells[cell].classList.remove("covered");
    }
    cells[hit].classList.add("hit");
    if (motion === "pulse") cells[hit].classList.add("pulse");
  }
  finish(false);
}

function finish(isWon) {
  over = performance.now();
  outcomes.push(isWon ? "won" : "lost");
  sessionStorage.setItem("outcomes", JSON.stringify(outcomes));
  const said = isWon ? "You won!" : "Game over.";
  if (word("told", "text") !== "nothing") told.textContent = said;
  if (isWon && motion === "confetti") confetti();
  if (restart === "dialog") {
    setTimeout(() => {
      document.getElementById("word").textContent = said;
      document.getElementById("over").style.display = "flex";
    }, 400);
  }
  if (restart === "alert") setTimeout(() => { alert(said); begin(); }, 200);
}

function confetti() {
  const canvas = document.createElement("canvas");
  canvas.width = place.clientWidth;
  canvas.height = place.clientHeight;
  place.append(canvas);
  const pen = canvas.getContext("2d");
  const pieces = Array.from({ length: 40 }, () => [Math.random() * canvas.width, Math.random() * canvas.height]);
  (function fall() {
    if (!canvas.isConnected) return;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pieces.forEach((piece, index) => {
      piece[1] = (piece[1] + 2) % canvas.height;
      pen.fillStyle = `hsl(${index * 40}, 80%, 55%)`;
      pen.fillRect(piece[0], piece[1], 9, 9);
    });
    requestAnimationFrame(fall);
  })();
}

function tell() {
  label.textContent = `Mines: ${mines}`;
  const zoom = Math.round(100 * devicePixelRatio), ended = outcomes.join(",");
  document.title = `mines games=${games} clicks=${clicks} outside=${outside} quits=${quits} zoom=${zoom} ${ended}`;
}

onresize = tell;

document.oncontextmenu = (event) => event.preventDefault();
document.onmouseup = (event) => {
  if (!place.contains(event.target) && event.target.tagName !== "BUTTON") outside += 1, tell();
};
document.onkeyup = (event) => {
  if (event.key === "Escape" && document.getElementById("again").textContent === "OK") close();
  if (restart === "key" && event.key === "n") begin();
  if (event.key === "F8") begin();
};
document.getElementById("again").onclick = begin;
if (restart === "none" && outcomes.length) {
  told.textContent = "Come back tomorrow.";
  tell();
} else begin();
