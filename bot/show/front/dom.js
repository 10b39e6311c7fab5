// Elements, words and numbers. Text from data is only ever set as text, never as HTML.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Drawings have few units on a narrow screen, so that their letters stay as large as the text beside them.
export const CHART_WIDTH = innerWidth < 640 ? 340 : 720;

// A chance in percent without its sign, never rounded to a certainty that it is not.
export function hundredths(chance, digits = 0) {
  if (chance === 0 || chance === 1) return String(100 * chance);
  const least = 10 ** -digits;
  return Math.min(Math.max(100 * chance, least), 100 - least).toFixed(digits);
}

export function percent(chance, digits = 1) {
  return chance === null || chance === undefined ? "?" : `${hundredths(chance, digits)}\u00a0%`;
}

// What is too wide for its place can be moved sideways, by keys too.
export function sideways(label, ...children) {
  return make("div", { class: "scroll", role: "region", "aria-label": label, tabindex: 0 }, ...children);
}

export function place(cell, columns) {
  return `row\u00a0${Math.floor(cell / columns)}, column\u00a0${cell % columns}`;
}

export function around(cell, columns, rows) {
  const row = Math.floor(cell / columns), column = cell % columns, found = [];
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++) {
    for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c++) {
      if (r !== row || c !== column) found.push(r * columns + c);
    }
  }
  return found;
}

export function pageData() {
  return JSON.parse(document.getElementById("data").textContent);
}

// The chances of a position by cell, from the runs of the most frequent one and the others.
export function chanceMap(data) {
  const found = new Map();
  if (!data) return found;
  for (let run = 0; run < data.runs.length; run += 2) {
    for (let cell = data.runs[run]; cell < data.runs[run] + data.runs[run + 1]; cell++) found.set(cell, data.usual);
  }
  for (const [cell, chance] of data.others) found.set(cell, chance);
  return found;
}

export function number(value, digits = 4) {
  if (value === null || value === undefined) return "not known";
  return Number.isInteger(value) || Math.abs(value) >= 1000 ? String(Math.round(value)) : value.toPrecision(digits);
}
