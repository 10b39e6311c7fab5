// The time line and the graph of the chance to win, as drawings that can be clicked.
import { CHART_WIDTH, draw, percent } from "./dom.js";

const WIDTH = CHART_WIDTH, LEFT = 62, RIGHT = 10;

export function timeAt(event, svg, start, end) {
  const box = svg.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * WIDTH;
  return start + (Math.min(Math.max(x, LEFT), WIDTH - RIGHT) - LEFT) / (WIDTH - LEFT - RIGHT) * (end - start);
}

const across = (t, start, end) => LEFT + (end > start ? (t - start) / (end - start) : 0) * (WIDTH - LEFT - RIGHT);

// A stroke for each click, a thick one for each guess.
export function timeLine(game, onTime) {
  const svg = draw("svg", { class: "chart", viewBox: `0 0 ${WIDTH} 34`, "aria-hidden": "true" });
  const { start, end } = game;
  const strokes = { click: "", guessed: "" };
  for (const deed of game.deeds) strokes.click += `M${across(deed.t, start, end).toFixed(1)} 12V22`;
  for (const index of game.guesses) strokes.guessed += `M${across(game.positions[index].t, start, end).toFixed(1)} 4V30`;
  for (const [name, d] of Object.entries(strokes)) if (d) svg.append(draw("path", { class: name, d }));
  const now = draw("path", { class: "now", d: "M0 0V34" });
  svg.append(draw("path", { class: "axis", d: `M${LEFT} 22H${WIDTH - RIGHT}` }), now);
  svg.addEventListener("pointerdown", (event) => onTime(timeAt(event, svg, start, end)));
  return { element: svg, show: (t) => now.setAttribute("d", `M${across(t, start, end)} 0V34`) };
}

// The chance to win at each guess: a full dot where it is exact, an empty one where it is about.
export function chanceGraph(game, onTime) {
  const height = 150, top = 10, bottom = 22, { start, end } = game;
  const y = (value) => top + (1 - value) * (height - top - bottom);
  const svg = draw("svg", { class: "chart", id: "graph", viewBox: `0 0 ${WIDTH} ${height}`, role: "img" });
  for (const value of [0, 0.5, 1]) {
    svg.append(draw("path", { class: "axis", d: `M${LEFT} ${y(value)}H${WIDTH - RIGHT}` }));
    svg.append(draw("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, `${100 * value} %`));
  }
  for (const [t, anchor] of [[start, "start"], [end, "end"]]) {
    svg.append(draw("text", { x: across(t, start, end), y: height - 6, "text-anchor": anchor }, `${t.toFixed(2)} s`));
  }
  const points = [...game.chance];
  const over = { won: 1, lost: 0 }[game.result];
  if (over !== undefined) points.push({ t: end, value: over, kind: "exact" });
  if (points.length) {
    const line = points.map((p, i) => `${i ? `H${across(p.t, start, end)}V` : `M${across(p.t, start, end)} `}${y(p.value)}`).join("");
    svg.append(draw("path", { class: "line", d: line }));
    for (const p of points) {
      svg.append(draw("circle", { class: p.kind, cx: across(p.t, start, end), cy: y(p.value), r: 4 }, draw("title", {}, `${p.kind === "about" ? "about " : ""}${percent(p.value)}`)));
    }
  }
  const told = points.map((p) => `${p.t.toFixed(2)} seconds ${p.kind === "about" ? "about " : ""}${percent(p.value)}`).join("; ");
  svg.setAttribute("aria-label", `chance to win: ${told || "not known: the recording holds none"}`);
  const now = draw("path", { class: "now", d: "M0 0V0" });
  svg.append(now);
  svg.addEventListener("pointerdown", (event) => onTime(timeAt(event, svg, start, end)));
  return { element: svg, known: game.chance.length > 0, show: (t) => now.setAttribute("d", `M${across(t, start, end)} ${top}V${height - bottom}`) };
}
