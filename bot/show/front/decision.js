// A decision of the bot in words.
import { percent } from "./dom.js";

export function worth(candidate) {
  if (candidate.win !== null) return percent(candidate.win);
  if (candidate.most !== null) return `at most ${percent(candidate.most)}`;
  if (candidate.score !== null) return `about ${percent(candidate.score)}`;
  return "";
}

export function decisionWords(decision) {
  const { kind, rung, reason } = decision;
  if (kind === "first") return `first click: ${reason}`;
  const wins = decision.candidates.length ? worth(decision.candidates[0]) : "";
  const chances = kind === "guess" ? `, safe ${percent(decision.survival)}${wins ? `, wins ${wins}` : ""}` : "";
  return `${kind} by ${rung}${chances}: ${reason}`;
}
