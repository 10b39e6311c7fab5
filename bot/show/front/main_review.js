// The page of a review of many games.
import { CHART_WIDTH, draw, make, number, pageData, sideways } from "./dom.js";

const data = pageData(), { summary } = data;
const dated = data.games.some((game) => game.created), order = dated ? "by date" : "game by game";
const COLUMNS = [["game", "game"], ["created", "played"], ["outcome", "outcome"], ["moves", "moves"], ["forced", "forced"], ["best", "best"],
  ["weaker", "weaker"], ["needless", "needless"], ["mistakes", "mistakes"], ["lost_chance", "lost"], ["luck", "luck"]].filter(([key]) => key !== "created" || dated);
// What was lost, in percent of a game: several moves can throw away more than one.
const share = (value, digits = 1) => `${(100 * value).toFixed(digits)} %`;
const lost = (told, digits = 1) => share(told.lost_chance, digits) + (told.lost_error ? ` ± ${(100 * told.lost_error).toFixed(digits)}` : "");
const signed = (value) => (value > 0 ? "+" : "") + value.toFixed(2);
const COUNTED = new Set(COLUMNS.map(([key]) => key).filter((key) => !["game", "created", "outcome"].includes(key)));
const WIDTH = CHART_WIDTH, HEIGHT = 200, LEFT = 72, BOTTOM = 24, RECENT = 20;

function facts(entries) {
  return make("dl", {}, ...entries.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
}

// The folders that all names begin with.
function commonFolder(names) {
  const parts = names[0].match(/[^\\/]*[\\/]/g) ?? [];
  while (parts.length && !names.every((name) => name.startsWith(parts.join("")))) parts.pop();
  return parts.join("");
}
const folder = commonFolder(data.games.map((game) => game.game));

// What each game lost, in the order of their dates, and the mean of the last RECENT games.
function curve(games) {
  const most = Math.max(0.01, ...games.map((game) => game.lost_chance));
  const x = (index) => LEFT + (games.length > 1 ? index / (games.length - 1) : 0.5) * (WIDTH - LEFT - 10);
  const y = (value) => 10 + (1 - value / most) * (HEIGHT - 10 - BOTTOM);
  const svg = draw("svg", { class: "chart", id: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `chance lost in each of ${games.length} games, ${order}; at most ${share(most)}` });
  for (const value of [0, most / 2, most]) {
    svg.append(draw("path", { class: "axis", d: `M${LEFT} ${y(value)}H${WIDTH - 10}` }), draw("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, share(value)));
  }
  games.forEach((game, index) => svg.append(draw("circle", { class: "dot", cx: x(index), cy: y(game.lost_chance), r: 3 }, draw("title", {}, `${game.game}: ${lost(game)}`))));
  const means = games.map((_, index) => { const part = games.slice(Math.max(0, index - RECENT + 1), index + 1); return part.reduce((sum, game) => sum + game.lost_chance, 0) / part.length; });
  svg.append(draw("path", { class: "line", d: means.map((mean, index) => `${index ? "L" : "M"}${x(index)} ${y(mean)}`).join("") }));
  return svg;
}

const body = make("tbody", {}, ...data.games.map((game) => make("tr", {}, ...COLUMNS.map(([key]) => {
  const value = game[key];
  return make("td", { class: typeof value === "number" ? "number" : key === "outcome" ? value : "" }, key === "lost_chance" ? lost(game) : key === "luck" ? signed(value) : key === "game" ? value.slice(folder.length) : typeof value === "number" ? number(value) : String(value ?? ""));
}))));
const table = make("table", { id: "games" }, make("thead", {}, make("tr", {}, ...COLUMNS.map(([key, title]) => make("th", { scope: "col", class: COUNTED.has(key) ? "number" : "" }, title)))), body);
const section = (title, ...children) => make("section", {}, make("h2", {}, title), ...children);
document.getElementById("page").append(
  make("header", {}, make("h1", {}, `Review of ${summary.games} games`), make("p", { class: "dim" }, `${folder ? `In ${folder}. ` : ""}Judged by ${data.judge}. Lost is the chance to win that moves threw away (±: 95 of 100 are off by less), luck what guesses won beyond their chances.`)),
  make("div", { class: "columns" },
    make("div", {}, section(`Chance lost, ${order}`, curve(data.games), make("p", { class: "dim" }, `The line is the mean of the last ${RECENT} games.`)), section("Games", sideways("games", table))),
    make("div", {}, section("Summary", facts([["games", String(summary.games)], ["won", String(summary.won)], ["lost a game", lost(summary)], ["luck a game", signed(summary.luck)], ["needless guesses", String(summary.needless)], ["mistakes", String(summary.mistakes)], ["costliest", summary.favourite || "none"]])),
      section("Moves", facts(Object.entries(summary.moves).map(([name, count]) => [name, String(count)]))),
      section("What it cost a game", facts(Object.entries(summary.costs).map(([name, cost]) => [name, share(cost, 2)]))),
      section("Where the time went", facts(Object.entries(summary.seconds).map(([name, seconds]) => [name, `${seconds} s`]))))));
document.body.dataset.ready = "yes";
