// Small charts of one group of games each: win rates by date and by guesses, times, and the pairs.
import { CHART_WIDTH, draw, make, percent } from "./dom.js";

const SMALL = { width: CHART_WIDTH, height: 170, left: 52, right: 30, top: 12, bottom: 28 };

function frame(id, label, height = SMALL.height) {
  return draw("svg", { class: "chart", "data-chart": id, viewBox: `0 0 ${SMALL.width} ${height}`, role: "img", "aria-label": label });
}

const y = (share) => SMALL.top + (1 - share) * (SMALL.height - SMALL.top - SMALL.bottom);

function shares(svg) {
  for (const share of [0, 0.5, 1]) {
    svg.append(draw("path", { class: "axis", d: `M${SMALL.left} ${y(share)}H${SMALL.width - SMALL.right}` }),
      draw("text", { x: SMALL.left - 6, y: y(share) + 4, "text-anchor": "end" }, `${100 * share} %`));
  }
}

// A dot with its 95 % interval.
function point(svg, x, each, title) {
  svg.append(draw("path", { class: "band", d: `M${x} ${y(each.low)}V${y(each.high)}M${x - 3} ${y(each.low)}h6M${x - 3} ${y(each.high)}h6` }),
    draw("circle", { class: "dot", cx: x, cy: y(each.rate), r: 4 }, draw("title", {}, title)));
}

const date = (text) => Date.parse(`${text}T00:00:00Z`);

// The win rate by date. null where all games are of one day.
export function rateByDate(group) {
  const { days } = group;
  if (days.length < 2) return null;
  const start = date(days[0].from), end = date(days[days.length - 1].to);
  const x = (day) => SMALL.left + 10 + (date(day.from) + date(day.to) - 2 * start) / (2 * (end - start)) * (SMALL.width - SMALL.left - SMALL.right - 20);
  const svg = frame("dates", `win rate by date, from ${days[0].from} to ${days[days.length - 1].to}: ${days.map((day) => percent(day.rate)).join(", ")}`);
  shares(svg);
  svg.append(draw("path", { class: "line", d: days.map((day, index) => `${index ? "L" : "M"}${x(day)} ${y(day.rate)}`).join("") }));
  for (const day of days) point(svg, x(day), day, `${day.from === day.to ? day.from : `${day.from} to ${day.to}`}: ${percent(day.rate)} of ${day.games}`);
  for (const [text, at, anchor] of [[days[0].from, SMALL.left, "start"], [days[days.length - 1].to, SMALL.width - SMALL.right, "end"]]) {
    svg.append(draw("text", { x: at, y: SMALL.height - 8, "text-anchor": anchor }, text));
  }
  return svg;
}

// The win rate by the number of guesses that a game needed, with how many games needed so many.
export function rateByGuesses(group) {
  const { guesses } = group;
  if (!guesses.length) return null;
  const svg = frame("guesses", `win rate by guesses: ${guesses.map((each) => `${each.guesses}: ${percent(each.rate)} of ${each.games}`).join("; ")}`);
  shares(svg);
  const step = (SMALL.width - SMALL.left - SMALL.right) / guesses.length;
  guesses.forEach((each, index) => {
    const x = SMALL.left + (index + 0.5) * step, bar = (each.games / group.games) * (SMALL.height - SMALL.top - SMALL.bottom);
    svg.append(draw("rect", { class: "share", x: x - step * 0.3, y: y(0) - bar, width: step * 0.6, height: bar }));
    point(svg, x, each, `${each.guesses} guesses: ${percent(each.rate)} of ${each.games} won`);
    svg.append(draw("text", { x, y: SMALL.height - 8, "text-anchor": "middle" }, each.guesses.replace(" and more", "+")));
  });
  return svg;
}

const TIMES = [[0.0001, "0.1 ms"], [0.001, "1 ms"], [0.01, "10 ms"], [0.1, "0.1 s"], [1, "1 s"], [10, "10 s"], [100, "100 s"], [1000, "1000 s"], [10000, "10000 s"]];

// The times of all groups: a line from the fastest to the slowest twentieth, a box of the middle half, its median.
export function times(groups, name) {
  const timed = groups.filter((group) => group.spread && group.spread[4] > 0);
  if (!timed.length) return null;
  const least = Math.max(1e-5, Math.min(...timed.map((group) => group.spread[0] || group.spread[4])));
  const low = Math.floor(Math.log10(least)), high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...timed.map((group) => group.spread[4])))));
  const { left, right, width } = SMALL, step = 40, height = timed.length * step + 34;
  const x = (seconds) => 16 + (Math.max(low, Math.log10(Math.max(seconds, 1e-9))) - low) / (high - low) * (width - 16 - right);
  const svg = frame("times", `seconds a game: ${timed.map((group) => `${name(group)}: median ${group.spread[2].toPrecision(3)}`).join("; ")}`, height);
  for (const [seconds, text] of TIMES) {
    if (Math.log10(seconds) < low - 0.01 || Math.log10(seconds) > high + 0.01) continue;
    svg.append(draw("path", { class: "axis", d: `M${x(seconds)} 4V${height - 26}` }), draw("text", { x: x(seconds) + (x(seconds) < left ? 24 : 0), y: height - 8, "text-anchor": "middle" }, text));
  }
  timed.forEach((group, index) => {
    const [first, quarter, middle, three, last] = group.spread.map(x), at = index * step + 28;
    svg.append(draw("text", { x: 16, y: at - 12 }, `${name(group)}: median ${group.spread[2].toPrecision(3)} s`),
      draw("path", { class: "band", d: `M${first} ${at}H${last}M${first} ${at - 4}v8M${last} ${at - 4}v8` }),
      draw("rect", { class: "box", x: quarter, y: at - 6, width: Math.max(1, three - quarter), height: 12 }),
      draw("path", { class: "middle", d: `M${middle} ${at - 7}v14` }));
  });
  return svg;
}

// The differences of paired players with their 95 % intervals, about a line where both are as good.
export function pairChart(pairs) {
  const most = Math.max(0.005, ...pairs.map((pair) => Math.max(Math.abs(pair.low), Math.abs(pair.high))));
  const { width } = SMALL, step = 40, height = pairs.length * step + 34;
  const x = (difference) => width / 2 + (difference / most) * (width / 2 - 60);
  const svg = frame("pairs", "differences of the win rates on the same boards; the table below has the numbers", height);
  for (const difference of [-most, 0, most]) {
    svg.append(draw("path", { class: difference ? "axis" : "ideal", d: `M${x(difference)} 4V${height - 26}` }),
      draw("text", { x: x(difference), y: height - 8, "text-anchor": "middle" }, `${difference > 0 ? "+" : ""}${(100 * difference).toFixed(1)} points`));
  }
  pairs.forEach((pair, index) => {
    const at = index * step + 28;
    svg.append(draw("text", { x: 16, y: at - 11 }, `${pair.first} less ${pair.second}, ${pair.target} ${pair.columns}x${pair.rows}/${pair.mines ?? "?"} ${pair.first_click}`),
      draw("path", { class: "band", d: `M${x(pair.low)} ${at}H${x(pair.high)}M${x(pair.low)} ${at - 4}v8M${x(pair.high)} ${at - 4}v8` }),
      draw("circle", { class: "dot", cx: x(pair.difference), cy: at, r: 5 }));
  });
  return svg;
}

export function pairTable(pairs) {
  const points = (share) => `${share > 0 ? "+" : ""}${(100 * share).toFixed(2)}`;
  const heads = ["first", "second", "boards", "first won", "second won", "difference, points", "from", "to", "p"];
  const rows = pairs.map((pair) => [pair.first, pair.second, pair.games, pair.first_won, pair.second_won, points(pair.difference), points(pair.low), points(pair.high), pair.p_value.toPrecision(2)]);
  return make("table", { id: "pairs" }, make("thead", {}, make("tr", {}, ...heads.map((head, column) => make("th", { scope: "col", class: column > 1 ? "number" : "" }, head)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((value, column) => make("td", { class: column > 1 ? "number" : "" }, String(value)))))));
}
