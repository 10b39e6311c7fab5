// The rules: where the mines are and what opening a cell does. Nothing here draws.
'use strict';

const LEVELS = {
  easy: { columns: 10, rows: 8, mines: 10, cell: 45 },
  medium: { columns: 18, rows: 14, mines: 40, cell: 30 },
  hard: { columns: 24, rows: 20, mines: 99, cell: 25 },
};

// xorshift, 32 bits: the same seed gives the same minefield in every browser.
function randomFrom(seed) {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0) || 1;
  const next = () => {
    state ^= state << 13; state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5; state >>>= 0;
    return state / 4294967296;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

class Field {
  // protection: 'safe' (never a mine under the first cell), 'zero' (none around it either).
  constructor(level, seed, protection) {
    Object.assign(this, LEVELS[level]);
    this.level = level;
    this.protection = protection;
    this.random = randomFrom(seed);
    this.size = this.columns * this.rows;
    this.mined = null;               // not laid before the first opening
    this.open = new Array(this.size).fill(false);
    this.flag = new Array(this.size).fill(false);
    this.hit = -1;
    this.state = 'fresh';            // fresh, going, won, lost
  }

  around(index) {
    const row = Math.floor(index / this.columns), column = index % this.columns, near = [];
    for (let r = row - 1; r <= row + 1; r++)
      for (let c = column - 1; c <= column + 1; c++)
        if (r >= 0 && r < this.rows && c >= 0 && c < this.columns && (r !== row || c !== column))
          near.push(r * this.columns + c);
    return near;
  }

  count(index) { return this.around(index).filter((near) => this.mined[near]).length; }

  lay(first) {
    const kept = new Set([first, ...(this.protection === 'zero' ? this.around(first) : [])]);
    const free = [];
    for (let i = 0; i < this.size; i++) if (!kept.has(i)) free.push(i);
    for (let i = free.length - 1; i > 0; i--) {
      const j = Math.floor(this.random() * (i + 1));
      [free[i], free[j]] = [free[j], free[i]];
    }
    this.mined = new Array(this.size).fill(false);
    for (const index of free.slice(0, this.mines)) this.mined[index] = true;
  }

  // Gives the cells that were opened, each with its distance from the click: [[index, steps], ...].
  dig(index) {
    if (this.state === 'won' || this.state === 'lost' || this.open[index] || this.flag[index]) return [];
    if (this.state === 'fresh') { this.lay(index); this.state = 'going'; }
    if (this.mined[index]) { this.state = 'lost'; this.hit = index; return []; }
    const opened = [[index, 0]];
    this.open[index] = true;
    for (let at = 0; at < opened.length; at++) {
      const [cell, steps] = opened[at];
      if (this.count(cell) > 0) continue;
      for (const near of this.around(cell))
        if (!this.open[near] && !this.flag[near]) { this.open[near] = true; opened.push([near, steps + 1]); }
    }
    if (this.open.filter((o) => o).length === this.size - this.mines) this.state = 'won';
    return opened;
  }

  mark(index) {
    if (this.state === 'won' || this.state === 'lost' || this.open[index]) return false;
    this.flag[index] = !this.flag[index];
    return true;
  }

  // What a player should see, as a text: the letters of board text.
  seen() {
    const rows = [];
    for (let r = 0; r < this.rows; r++) {
      let text = '';
      for (let c = 0; c < this.columns; c++) {
        const i = r * this.columns + c;
        if (this.open[i]) text += '.12345678'[this.count(i)];
        else text += this.flag[i] ? 'F' : '#';
      }
      rows.push(text);
    }
    return rows.join('/');
  }
}
