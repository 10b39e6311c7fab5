// What moves: falling squares, flags that are planted or thrown away, mines that go off, flowers.
// Times are in milliseconds.
'use strict';

class Motion {
  constructor(pace) {
    this.pace = pace;                // 1: the real times; 2: twice as fast
    this.squares = [];
    this.flags = new Map();          // cell -> {since, up}
    this.blasts = new Map();         // cell -> {since, colour}
    this.bits = [];
    this.flowers = [];
  }

  clear() { this.squares = []; this.flags.clear(); this.blasts.clear(); this.bits = []; this.flowers = []; }

  // The tile of an opened cell comes loose, drifts aside and falls, turning and shrinking.
  loosen(cells, field, random, now) {
    for (const [index, steps] of cells) {
      const row = Math.floor(index / field.columns), column = index % field.columns;
      this.squares.push({
        x: (column + 0.5) * field.cell, y: (row + 0.5) * field.cell, size: field.cell,
        light: (row + column) % 2 === 0, since: now + Math.min(steps * 22, 330) / this.pace,
        for: (400 + 500 * random()) / this.pace,
        sideways: (random() - 0.5) * 3.2, up: 1.2 + 2.2 * random(), turn: (random() - 0.5) * 5,
      });
    }
  }

  plant(index, up, now) { this.flags.set(index, { since: now, up }); }

  blast(index, field, colour, random, now) {
    this.blasts.set(index, { since: now, colour });
    const row = Math.floor(index / field.columns), column = index % field.columns;
    for (let i = 0; i < 9; i++)
      this.bits.push({
        x: (column + 0.5) * field.cell, y: (row + 0.5) * field.cell, since: now, for: (500 + 400 * random()) / this.pace,
        across: (random() - 0.5) * 5, up: 2 + 4 * random(), size: field.cell * (0.1 + 0.14 * random()), colour,
      });
  }

  bloom(field, random, now, within) {
    const colours = ['#f4c20d', '#ffffff', '#ed44b5', '#f4840d', '#e0a8ff'];
    for (let i = 0; i < field.size; i++)
      if (field.mined[i]) {
        const row = Math.floor(i / field.columns), column = i % field.columns;
        this.flowers.push({
          x: (column + 0.5) * field.cell, y: (row + 0.5) * field.cell, since: now + within * random(),
          for: 300 / this.pace, size: field.cell * (0.6 + 0.3 * random()),
          colour: colours[Math.floor(random() * colours.length)],
        });
      }
  }

  forget(now) {
    const alive = (one) => now < one.since + one.for;
    this.squares = this.squares.filter(alive);
    this.bits = this.bits.filter(alive);
    for (const [index, flag] of this.flags)
      if (now > flag.since + 260 / this.pace) this.flags.delete(index);
  }
}
