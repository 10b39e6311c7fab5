// Which numbers decide that a cell is safe or a mine, as a person would point at them.
import { around, place } from "./dom.js";

const unopened = (letter) => letter === "#" || letter === "F" || letter === "?";
const digit = (letter) => (letter >= "1" && letter <= "8" ? Number(letter) : letter === "." ? 0 : -1);

// `safe` and `mines` are the certain cells, as sets. Returns {text, numbers, cells}; numbers is empty where no
// one or two numbers decide.
export function reasonFor(cell, board, columns, rows, safe, mines) {
  const isSafe = safe.has(cell), isMine = mines.has(cell);
  if (!isSafe && !isMine) return { text: "nothing is certain about this cell", numbers: [], cells: [] };
  const word = isSafe ? "safe" : "a mine";
  const facts = around(cell, columns, rows)
    .filter((near) => digit(board[near]) > 0)
    .map((near) => ({ near, value: digit(board[near]), cells: around(near, columns, rows).filter((c) => unopened(board[c])) }));
  for (const { near, value, cells } of facts) {
    const known = cells.filter((c) => mines.has(c) && c !== cell);
    if (isSafe && known.length === value) {
      return { text: `${word}: the ${value} at ${place(near, columns)} has all its mines`, numbers: [near], cells };
    }
    const left = cells.filter((c) => !safe.has(c));
    if (isMine && left.length === value) {
      return { text: `${word}: the ${value} at ${place(near, columns)} has no other cells left`, numbers: [near], cells };
    }
  }
  for (const one of facts) {
    for (const near of new Set(one.cells.flatMap((c) => around(c, columns, rows)))) {
      const value = digit(board[near]);
      if (value <= 0 || near === one.near) continue;
      const cells = around(near, columns, rows).filter((c) => unopened(board[c]));
      const only = one.cells.filter((c) => !cells.includes(c)), other = cells.filter((c) => !one.cells.includes(c));
      const more = isSafe ? other.length === 0 && one.value === value && only.includes(cell)
        : one.value - value === only.length && only.includes(cell);
      if (more) {
        const text = `${word}: the ${one.value} at ${place(one.near, columns)} and the ${value} at ${place(near, columns)} together`;
        return { text, numbers: [one.near, near], cells: [...new Set([...one.cells, ...cells])] };
      }
    }
  }
  return { text: `${word}: it follows from several numbers together, or from the number of mines left`, numbers: facts.map((f) => f.near), cells: [] };
}
