// Paints the meadow. Colours: the facts in windows.md, and for what they do not say, our own.
'use strict';

const COVERED = ['#aad751', '#a2d149'], COVERED_UNDER = ['#bfe17d', '#b9dd77'];
const OPENED = ['#e5c29f', '#d7b899'], OPENED_UNDER = ['#ecd1b7', '#e1cab3'];
const EDGE = '#87af3a', FLAG = '#f23607';
const DIGITS = ['', '#1976d2', '#388e3c', '#d32f2f', '#7b1fa2', '#ff8f00', '#0097a7', '#424242', '#9e9e9e'];
const FALLING = ['#bbe562', '#b4df5b'];
const BLASTS = ['#db3236', '#f4840d', '#f4c20d', '#008744', '#48e6f1', '#4885ed', '#b648f2', '#ed44b5'];
const WATER = '#4dc1f9', FADED = '#d6eda8';

function between(one, other, part) {
  const numbers = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const to = numbers(other);
  return '#' + numbers(one).map((v, i) => Math.round(v + (to[i] - v) * part).toString(16).padStart(2, '0')).join('');
}

class Painter {
  constructor(canvas, font) {
    this.canvas = canvas;
    this.font = font;
  }

  fit(field) {
    const dots = window.devicePixelRatio || 1;
    const width = field.columns * field.cell, height = field.rows * field.cell;
    this.canvas.style.width = width + 'px';
    this.canvas.style.height = height + 'px';
    this.canvas.width = Math.round(width * dots);
    this.canvas.height = Math.round(height * dots);
    this.brush = this.canvas.getContext('2d', { alpha: false });
    this.brush.setTransform(this.canvas.width / width, 0, 0, this.canvas.height / height, 0, 0);
  }

  // ending: {won, at} once the game is over; under: the cell under the mouse or -1.
  paint(field, motion, under, ending, now) {
    const brush = this.brush, size = field.cell;
    const since = ending ? (now - ending.at) * motion.pace : 0;
    for (let i = 0; i < field.size; i++) {
      const row = Math.floor(i / field.columns), column = i % field.columns, shade = (row + column) % 2;
      let colour = (field.open[i] ? (i === under ? OPENED_UNDER : OPENED)
        : (i === under ? COVERED_UNDER : COVERED))[shade];
      if (ending && ending.won) colour = this.wonColour(field, i, row, colour, since);
      const blast = motion.blasts.get(i);
      if (blast) colour = blast.colour;
      brush.fillStyle = colour;
      brush.fillRect(column * size, row * size, size, size);
      if (blast) {
        brush.fillStyle = between(blast.colour, '#000000', 0.35);
        brush.beginPath();
        brush.arc((column + 0.5) * size, (row + 0.5) * size, size * 0.24, 0, 2 * Math.PI);
        brush.fill();
      }
      if (field.open[i] && field.count(i) > 0 && !(ending && ending.won && since > 800))
        this.digit(field, row, column, field.count(i));
    }
    if (!(ending && ending.won && since > 400)) this.edges(field);
    if (under >= 0 && !ending && !field.open[under]) this.outline(field, under);
    this.flags(field, motion, ending, now);
    for (const square of motion.squares) this.square(square, now);
    for (const bit of motion.bits) this.bit(bit, now);
    for (const flower of motion.flowers) this.flower(flower, now);
  }

  // For 0.8 s the tiles lighten and fade, then blue sweeps over the board from the top, for 1.3 s.
  wonColour(field, index, row, colour, since) {
    const faded = field.open[index] ? colour : between(colour, FADED, Math.min(1, since / 800));
    const reached = (since - 800) / 1000 * (field.rows + 4) - row;
    if (reached <= 0) return faded;
    return between(faded, WATER, Math.min(1, reached / 3));
  }

  digit(field, row, column, number) {
    const brush = this.brush, size = field.cell;
    brush.fillStyle = DIGITS[number];
    brush.font = this.font === 'serif'
      ? `bold ${Math.round(size * 0.74)}px "DejaVu Serif", "Liberation Serif", serif`
      : `bold ${Math.round(size * 0.72)}px Roboto, "Nimbus Sans", Arial, sans-serif`;
    brush.textAlign = 'center';
    brush.textBaseline = 'middle';
    brush.fillText(String(number), (column + 0.5) * size, (row + 0.54) * size);
  }

  // A dark green line on the opened side wherever opened ground meets a covered cell.
  edges(field) {
    const brush = this.brush, size = field.cell, wide = Math.max(2, size * 0.085);
    const isCovered = (r, c) => r >= 0 && r < field.rows && c >= 0 && c < field.columns
      && !field.open[r * field.columns + c];
    brush.fillStyle = EDGE;
    for (let r = 0; r < field.rows; r++)
      for (let c = 0; c < field.columns; c++) {
        if (!field.open[r * field.columns + c]) continue;
        const x = c * size, y = r * size;
        if (isCovered(r - 1, c)) brush.fillRect(x, y, size, wide);
        if (isCovered(r + 1, c)) brush.fillRect(x, y + size - wide, size, wide);
        if (isCovered(r, c - 1)) brush.fillRect(x, y, wide, size);
        if (isCovered(r, c + 1)) brush.fillRect(x + size - wide, y, wide, size);
        for (const [dr, dc] of [[-1, -1], [-1, 1], [1, -1], [1, 1]])
          if (isCovered(r + dr, c + dc))
            brush.fillRect(dc < 0 ? x : x + size - wide, dr < 0 ? y : y + size - wide, wide, wide);
      }
  }

  outline(field, index) {
    const brush = this.brush, size = field.cell, wide = Math.max(1.5, size * 0.05);
    const row = Math.floor(index / field.columns), column = index % field.columns;
    brush.strokeStyle = 'rgba(40, 60, 15, 0.75)';
    brush.lineWidth = wide;
    brush.strokeRect(column * size + wide / 2, row * size + wide / 2, size - wide, size - wide);
  }

  flags(field, motion, ending, now) {
    const size = field.cell;
    const hidden = ending && ending.won && (now - ending.at) * motion.pace > 800;
    for (let i = 0; i < field.size; i++) {
      const row = Math.floor(i / field.columns), column = i % field.columns, moving = motion.flags.get(i);
      if (motion.blasts.has(i) || hidden) continue;
      if (moving) {
        const part = Math.min(1, (now - moving.since) * motion.pace / 260);
        if (moving.up) this.flag(column * size, row * size - (1 - part) * size * 0.7, size, part, 0);
        else this.flag((column + part) * size, row * size + (part * part - part) * 2 * size, size, 1 - part * 0.5, part * 3);
      } else if (field.flag[i]) {
        this.flag(column * size, row * size, size, 1, 0);
        if (ending && !ending.won && !field.mined[i]) this.cross(column * size, row * size, size);
      }
    }
  }

  flag(x, y, size, part, turn) {
    const brush = this.brush;
    brush.save();
    brush.translate(x + size / 2, y + size / 2);
    brush.rotate(turn);
    brush.scale(size * part, size * part);
    brush.fillStyle = '#d12b04';
    brush.fillRect(-0.2, -0.34, 0.08, 0.62);
    brush.fillRect(-0.27, 0.26, 0.22, 0.08);
    brush.fillStyle = FLAG;
    brush.beginPath();
    brush.moveTo(-0.13, -0.36); brush.lineTo(0.3, -0.15); brush.lineTo(-0.13, 0.07);
    brush.fill();
    brush.restore();
  }

  cross(x, y, size) {
    const brush = this.brush;
    brush.strokeStyle = '#424242';
    brush.lineWidth = size * 0.09;
    brush.beginPath();
    brush.moveTo(x + size * 0.2, y + size * 0.2); brush.lineTo(x + size * 0.8, y + size * 0.8);
    brush.moveTo(x + size * 0.8, y + size * 0.2); brush.lineTo(x + size * 0.2, y + size * 0.8);
    brush.stroke();
  }

  square(square, now) {
    const part = (now - square.since) / square.for;
    if (part >= 1) return;
    const brush = this.brush, on = Math.max(0, part);
    brush.save();
    brush.translate(square.x + square.sideways * square.size * on,
      square.y + square.size * (-square.up * on + 5 * on * on));
    brush.rotate(square.turn * on);
    const size = square.size * (1 - 0.75 * on);
    brush.fillStyle = FALLING[square.light ? 0 : 1];
    brush.fillRect(-size / 2, -size / 2, size, size);
    brush.restore();
  }

  bit(bit, now) {
    const part = (now - bit.since) / bit.for;
    if (part < 0 || part >= 1) return;
    this.brush.fillStyle = bit.colour;
    this.brush.fillRect(bit.x + bit.across * 20 * part - bit.size / 2,
      bit.y - bit.up * 14 * part + 90 * part * part, bit.size, bit.size);
  }

  flower(flower, now) {
    const part = Math.min(1, (now - flower.since) / flower.for);
    if (part <= 0) return;
    const brush = this.brush, size = flower.size * part;
    brush.fillStyle = flower.colour;
    for (let i = 0; i < 5; i++) {
      const angle = i * 2 * Math.PI / 5 - Math.PI / 2;
      brush.beginPath();
      brush.arc(flower.x + Math.cos(angle) * size * 0.26, flower.y + Math.sin(angle) * size * 0.26, size * 0.2, 0, 2 * Math.PI);
      brush.fill();
    }
    brush.fillStyle = '#8a5a00';
    brush.beginPath();
    brush.arc(flower.x, flower.y, size * 0.15, 0, 2 * Math.PI);
    brush.fill();
  }
}
