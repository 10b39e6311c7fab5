// A game from the data of its page: its boards, and the moments that it can be shown at.
import { chanceMap } from "./dom.js";

const KEPT_EVERY = 50;

export class Game {
  constructor(data) {
    Object.assign(this, data);
    this.kept = [data.board]; // Every KEPT_EVERY-th board that was asked for: the others follow from their changes.
    this.moments = this.listed();
    this.start = this.moments[0].t;
    this.end = this.moments[this.moments.length - 1].t;
    this.guesses = data.positions.flatMap((position, index) => (position.decision?.kind === "guess" ? [index] : []));
    this.last = -1;
  }

  // The letters of the board of a position.
  boardAt(position) {
    const last = Math.min(position, this.positions.length - 1);
    let index = Math.min(Math.floor(last / KEPT_EVERY), this.kept.length - 1);
    if (index < 0) return this.kept[0];
    const letters = [...this.kept[index]];
    for (let number = index * KEPT_EVERY + 1; number <= last; number++) {
      for (const [letter, ...cells] of this.positions[number].changes) for (const cell of cells) letters[cell] = letter;
      if (number % KEPT_EVERY === 0) this.kept[number / KEPT_EVERY] = letters.join("");
    }
    return letters.join("");
  }

  // Every board and every click, in the order in which they came. `position` and `deeds` say how many were before.
  listed() {
    const found = [];
    let deeds = 0;
    const click = () => found.push({ t: this.deeds[deeds].t, position: Math.max(0, found.length ? found[found.length - 1].position : 0), deeds: ++deeds });
    this.positions.forEach((position, index) => {
      while (deeds < this.deeds.length && this.deeds[deeds].t < position.t) click();
      found.push({ t: position.t, position: index, deeds });
    });
    while (deeds < this.deeds.length) click();
    return found.length ? found : [{ t: 0, position: 0, deeds: 0 }];
  }

  // The last moment at or before a time.
  momentAt(t) {
    let low = 0, high = this.moments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.moments[middle].t <= t) low = middle; else high = middle - 1;
    }
    return low;
  }

  momentOf(position) {
    return this.moments.findIndex((moment) => moment.position === position);
  }

  chances(position) {
    return chanceMap(this.positions[position]?.chances);
  }

  // What is certain on a position: from its decision, and from its chances.
  certain(position) {
    const decision = this.positions[position]?.decision;
    const safe = new Set(decision && decision.kind === "certain" ? decision.safe : []);
    const mines = new Set(decision ? decision.mines : []);
    for (const [cell, chance] of this.chances(position)) {
      if (chance === 0) safe.add(cell);
      if (chance === 1) mines.add(cell);
    }
    return { safe, mines };
  }
}

// The cells of the openings, and those that are a 3BV of their own.
export function threeBV(minefield, columns, rows, near) {
  const mines = new Set(minefield), zeros = new Set(), opening = new Set(), alone = new Set();
  for (let cell = 0; cell < columns * rows; cell++) {
    if (!mines.has(cell) && near(cell).every((other) => !mines.has(other))) zeros.add(cell);
  }
  for (const zero of zeros) for (const cell of [zero, ...near(zero)]) opening.add(cell);
  for (let cell = 0; cell < columns * rows; cell++) if (!mines.has(cell) && !opening.has(cell)) alone.add(cell);
  return { opening, alone };
}
