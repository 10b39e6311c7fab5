// The board: a grid of cells that a keyboard and a screen reader can walk through.
import { draw, hundredths, make, percent, place } from "./dom.js";

const SHOWN = { "#": "", ".": "", F: "⚑", "?": "?", "*": "✸", X: "✸", x: "✗", "!": "!" };
const WORDS = { "#": "covered", ".": "empty", F: "flag", "?": "question mark", "*": "mine", X: "exploded mine", x: "wrong flag", "!": "unread" };

export class BoardView {
  // `onCell` is called with the cell that is pointed at or focused, null when it is left.
  constructor(columns, rows, onCell) {
    this.columns = columns;
    this.rows = rows;
    this.cells = [];
    this.keys = [];
    const grid = make("div", { class: "board", role: "grid", "aria-label": `board of ${columns} by ${rows} cells`, style: `--columns: ${columns}` });
    for (let row = 0; row < rows; row++) {
      const line = make("div", { class: "row", role: "row" });
      for (let column = 0; column < columns; column++) {
        const cell = make("div", { class: "cell", role: "gridcell", tabindex: this.cells.length ? -1 : 0 });
        cell.dataset.cell = this.cells.length;
        this.cells.push(cell);
        line.append(cell);
      }
      grid.append(line);
    }
    this.path = draw("svg", { class: "over", viewBox: `0 0 ${columns} ${rows}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.element = make("div", { class: "scroll" }, make("div", { class: "board-wrap" }, grid, this.path));
    const told = (event) => event.target.closest(".cell")?.dataset.cell;
    grid.addEventListener("pointerover", (event) => { const cell = told(event); if (cell !== undefined) onCell(Number(cell)); });
    grid.addEventListener("pointerleave", () => onCell(null));
    grid.addEventListener("focusin", (event) => { const cell = told(event); if (cell !== undefined) onCell(Number(cell)); });
    grid.addEventListener("focusout", () => onCell(null));
    grid.addEventListener("keydown", (event) => this.walk(event));
  }

  walk(event) {
    const here = Number(event.target.dataset.cell), column = here % this.columns;
    const steps = { ArrowLeft: column ? -1 : 0, ArrowRight: column < this.columns - 1 ? 1 : 0, ArrowUp: -this.columns, ArrowDown: this.columns };
    const step = event.shiftKey || event.ctrlKey ? undefined : steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const there = this.cells[here + step];
    if (!there) return;
    this.cells[here].tabIndex = -1;
    there.tabIndex = 0;
    there.focus();
  }

  // `view`: {board, chances, safe, mines, guess, decides, around, last, openings, alone}; the sets may be missing.
  show(view) {
    for (let index = 0; index < this.cells.length; index++) {
      const letter = view.board[index], chance = view.chances?.get(index);
      const marks = [];
      for (const name of ["safe", "mine", "guess", "decides", "around", "last", "opening", "alone"]) {
        if (view[name]?.has(index)) marks.push(name);
      }
      const key = `${letter}${chance ?? ""}${marks}`;
      if (this.keys[index] === key) continue;
      this.keys[index] = key;
      const cell = this.cells[index], closed = letter === "#" || letter === "F" || letter === "?";
      const classes = ["cell", ...marks];
      if (closed) classes.push("covered");
      if (letter >= "1" && letter <= "8") classes.push(`n${letter}`);
      if (letter === "X") classes.push("exploded");
      if (chance !== undefined) classes.push("tinted");
      cell.className = classes.join(" ");
      if (chance === undefined) {
        cell.style.removeProperty("--risk");
        cell.textContent = SHOWN[letter] ?? letter;
      } else {
        cell.style.setProperty("--risk", chance);
        cell.replaceChildren(make("span", { class: "chance" }, hundredths(chance)));
      }
      const words = [place(index, this.columns), WORDS[letter] ?? letter];
      if (chance !== undefined) words.push(`mine ${percent(chance)}`);
      if (view.safe?.has(index)) words.push("certainly safe");
      if (view.mine?.has(index)) words.push("certainly a mine");
      if (view.guess?.has(index)) words.push("the guess");
      cell.setAttribute("aria-label", words.join(", "));
    }
  }

  // Move the part that is seen, where the screen is narrower than the board, until this cell is in it.
  reveal(cell) {
    const { element } = this, spare = 2 * this.cells[cell].offsetWidth;
    if (element.scrollWidth <= element.clientWidth) return;
    const left = this.cells[cell].offsetLeft;
    if (left < element.scrollLeft + spare || left + spare > element.scrollLeft + element.clientWidth - spare) {
      element.scrollLeft = left - element.clientWidth / 2;
    }
  }

  // The way of the mouse: points in cells from the top left, the last one marked.
  showPath(points) {
    this.path.replaceChildren();
    if (!points.length) return;
    this.path.append(draw("polyline", { points: points.map((point) => point.join(",")).join(" ") }));
    const [x, y] = points[points.length - 1];
    this.path.append(draw("circle", { cx: x, cy: y, r: 0.2 }));
  }
}
