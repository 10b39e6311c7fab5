// The page of win rates: intervals, how honest the given chances were, and the table.
import { CHART_WIDTH, draw, make, number, pageData, percent, sideways } from "./dom.js";
import { pairChart, pairTable, rateByDate, rateByGuesses, times } from "./stats_charts.js";

const data = pageData();
const section = (title, ...children) => make("section", {}, make("h2", {}, title), ...children);
const WIDTH = CHART_WIDTH, LEFT = 44, RIGHT = 24;
const SHAPES = ["circle", "square", "triangle", "diamond"]; // Players differ in shape, so that no colour is needed.
const ASIDE = 6; // Players stand beside each other, so that none hides another.
const name = (group) => `${group.player}, ${group.target} ${group.columns}x${group.rows}/${group.mines ?? "?"} ${group.first_click}`;
const across = (share) => LEFT + share * (WIDTH - LEFT - RIGHT);

function ticks(svg, top, bottom) {
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(draw("path", { class: "axis", d: `M${across(share)} ${top}V${bottom}` }), draw("text", { x: across(share), y: bottom + 14, "text-anchor": "middle" }, `${100 * share} %`));
  }
}

// A line a group: the rate, and the 95 % interval as a bar.
function rates() {
  const step = 40, height = data.groups.length * step + 30;
  const svg = draw("svg", { class: "chart", id: "rates", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": "win rates with their 95 % intervals; the table below has the numbers" });
  ticks(svg, 4, height - 24);
  data.groups.forEach((group, index) => {
    const y = index * step + 28;
    svg.append(draw("text", { x: 6, y: y - 10 }, `${name(group)}: ${group.rate === null ? "no game" : percent(group.rate)} of ${group.games}`));
    if (group.rate === null) return;
    svg.append(draw("path", { class: "band", d: `M${across(group.low)} ${y}H${across(group.high)}M${across(group.low)} ${y - 4}v8M${across(group.high)} ${y - 4}v8` }), draw("circle", { class: "dot", cx: across(group.rate), cy: y, r: 5 }));
  });
  return svg;
}

function mark(shape, x, y) {
  const r = 5, looks = SHAPES.indexOf(shape) % 2 ? "dot hollow" : "dot";
  if (shape === "circle") return draw("circle", { class: looks, "data-shape": shape, cx: x, cy: y, r });
  const d = { square: `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`, triangle: `M${x} ${y - r}l${r} ${2 * r}h${-2 * r}z`, diamond: `M${x} ${y - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}z` }[shape];
  return draw("path", { class: looks, "data-shape": shape, d });
}

// Guesses by the chance that was given to them: on the dashed line, the chances came true.
function honesty() {
  const height = 420, top = 10, bottom = 390, y = (share) => top + (1 - share) * (bottom - top);
  const svg = draw("svg", { class: "chart", id: "honesty", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": "how many guesses held, by the chance that was given to them, with 95 % intervals" });
  ticks(svg, top, bottom);
  for (const share of [0, 0.5, 1]) {
    svg.append(draw("text", { x: LEFT - 6, y: y(share) + (share ? 4 : -4), "text-anchor": "end" }, `${100 * share} %`));
  }
  svg.append(draw("path", { class: "ideal", d: `M${across(0)} ${y(0)}L${across(1)} ${y(1)}` }));
  const players = data.honesty.slice(0, SHAPES.length);
  players.forEach((player, index) => {
    const aside = (index - (players.length - 1) / 2) * ASIDE;
    for (const bin of player.bins) {
      const x = across(bin.given) + aside;
      svg.append(draw("path", { class: "band", d: `M${x} ${y(bin.low)}V${y(bin.high)}` }));
      const dot = mark(SHAPES[index], x, y(bin.rate));
      dot.append(draw("title", {}, `${player.player}: given ${percent(bin.given)}, held ${percent(bin.rate)} of ${bin.guesses}`));
      svg.append(dot);
    }
  });
  const key = players.map((player, index) => make("li", {}, draw("svg", { class: "chart", viewBox: "0 0 16 16", role: "img", "aria-label": SHAPES[index] }, mark(SHAPES[index], 8, 8)), `${player.player}, ${player.guesses} guesses`));
  return [svg, key.length ? make("ul", { class: "key" }, ...key) : make("p", { class: "dim" }, "No guess was made.")];
}

const COLUMNS = [["games", "games"], ["won", "won"], ["rate", "rate"], ["low", "from"], ["high", "to"], ["median_seconds", "seconds"], ["median_clicks", "clicks"], ["median_efficiency", "efficiency"], ["median_bbbv_per_second", "3BV/s"]];
const table = make("table", { id: "groups" },
  make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "games of"), ...COLUMNS.map(([, title]) => make("th", { scope: "col", class: "number" }, title)))),
  make("tbody", {}, ...data.groups.map((group) => make("tr", {}, make("th", { scope: "row" }, name(group)), ...COLUMNS.map(([key]) => make("td", { class: "number" }, group[key] === null ? "" : ["rate", "low", "high"].includes(key) ? percent(group[key]) : number(group[key], 3)))))));
// A chart of each group that has one; the groups with the most games.
const MOST_CHARTS = 8;
function charts(chart, none) {
  const found = [...data.groups].sort((one, other) => other.games - one.games).flatMap((group) => {
    const svg = group.games ? chart(group) : null;
    return svg ? [make("figure", {}, make("figcaption", {}, name(group)), svg)] : [];
  });
  return found.length ? found.slice(0, MOST_CHARTS) : [make("p", { class: "dim" }, none)];
}
const dates = charts(rateByDate, "All games of a group were played on one day.");
const byGuesses = section("Win rate by the guesses of a game", ...charts(rateByGuesses, "No game ended."), make("p", { class: "dim" }, "Bars: how many of the games needed so many guesses."));
const long = dates[0].tagName === "FIGURE"; // The charts by guesses go where there is room.
const timed = times(data.groups, name);
const paired = data.pairs.length
  ? [pairChart(data.pairs), sideways("players on the same boards", pairTable(data.pairs)), make("p", { class: "dim" }, "Each two players on the boards that both played, with 95 % intervals (McNemar).")]
  : [make("p", { class: "dim" }, "No two players played the same boards: simulate both with the same --seed and --start, or on the same --boards.")];
document.getElementById("page").append(
  make("header", {}, make("h1", {}, `${data.games} games`)),
  make("div", { class: "columns even" },
    make("div", {}, section("Win rates, 95 % intervals", rates()), section("Table", sideways("win rates", table), make("p", { class: "dim" }, "seconds, clicks, efficiency and 3BV/s are medians, the last two of games won")),
      section("Win rate by date", ...dates), ...(long ? [] : [byGuesses])),
    make("div", {}, section("Whether the chances came true", ...honesty()),
      section("Seconds a game", ...(timed ? [timed] : [make("p", { class: "dim" }, "No time was kept.")]), make("p", { class: "dim" }, "Line: all but the fastest and the slowest twentieth; box: the middle half; stroke: the median.")),
      section("Players on the same boards", ...paired), ...(long ? [byGuesses] : []))));
document.body.dataset.ready = "yes";
