"""What is told of reviews: a line a game, and a summary of many."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.game.measures import bbbv
from bot.review.judge import Judge
from bot.review.played_game import PlayedGame, to_story
from bot.review.verdicts import GUESSES, Judged, Review, Verdict
from bot.show.game_page import game_page
from bot.show.page import page
from bot.show.story import Decided, Position, Story, with_chances
from bot.strategy.base import Candidate, Kind

DIGITS = 4
"""Digits of a share of games: a hundredth of a percent."""


def line(review: Review) -> dict[str, Any]:
    """What `minebot review --json` prints of a game."""
    game = review.game
    return {
        "game": game.name,
        "kind": game.kind,
        "columns": game.rules.columns,
        "rows": game.rules.rows,
        "mines": game.rules.mines if game.minefield is None else game.minefield.total,
        "outcome": game.result,
        "seconds": game.seconds,
        "bbbv": None if game.minefield is None else bbbv(game.minefield),
        "moves": len(review.judged),
        "forced": review.count(Verdict.FORCED),
        "best": review.count(Verdict.BEST),
        "weaker": review.count(Verdict.WEAKER),
        "needless": review.count(Verdict.NEEDLESS),
        "mistakes": review.count(Verdict.MISTAKE),
        "lost_chance": round(review.lost_chance, DIGITS),
        "luck": round(review.luck, DIGITS),
        "lost_error": round(review.lost_error, DIGITS),
    }


def summary(reviews: Sequence[Review]) -> dict[str, Any]:
    """The same of many games; `worst` is what cost the most."""
    games = len(reviews)
    costs: dict[str, float] = {}
    counts: Counter[str] = Counter()
    times: dict[str, float] = {}
    for review in reviews:
        for name, seconds in review.seconds_by_verdict.items():
            times[name] = times.get(name, 0.0) + seconds
        for each in review.judged:
            counts[each.verdict.value] += 1
            costs[each.verdict.value] = costs.get(each.verdict.value, 0.0) + each.cost
    favourite = max(costs, key=lambda verdict: costs[verdict], default="")
    return {
        "games": games,
        "won": sum(review.game.result == "won" for review in reviews),
        "moves": dict(counts),
        "lost_chance": round(sum(review.lost_chance for review in reviews) / max(1, games), DIGITS),
        "lost_error": round(math.hypot(*(review.lost_error for review in reviews)) / max(1, games), DIGITS),
        "luck": round(sum(review.luck for review in reviews) / max(1, games), DIGITS),
        "needless": counts[Verdict.NEEDLESS.value],
        "mistakes": counts[Verdict.MISTAKE.value],
        "costs": {name: round(cost / max(1, games), DIGITS) for name, cost in costs.items() if cost > 0},
        "favourite": favourite if costs.get(favourite) else "",
        "seconds": {name: round(seconds, 2) for name, seconds in times.items()},
    }


def lost_points(told: Mapping[str, Any], digits: int) -> str:
    """What was lost of the chance to win, as points, with how far that may be off."""
    error = told["lost_error"]
    off = f" ± {100 * error:.{digits}f}" if error else ""
    return f"{100 * told['lost_chance']:.{digits}f}{off}"


def worst(review: Review, count: int) -> list[Judged]:
    """The moves that cost the most, the worst first."""
    found = [each for each in review.judged if each.cost > 0]
    return sorted(found, key=lambda each: (-each.cost, each.number))[:count]


def review_page(reviews: Sequence[Review], judge: Judge) -> str:
    """A page: of one game move by move, of several the summary and a line a game."""
    if len(reviews) == 1:
        return game_page(_story(reviews[0], judge))
    by_date = sorted(reviews, key=lambda review: review.game.created)
    data = {
        "judge": str(judge),
        "summary": summary(reviews),
        "games": [line(review) | {"created": review.game.created} for review in by_date],
    }
    return page("review", f"Review of {len(reviews)} games", data)


def _story(review: Review, judge: Judge) -> Story:
    """The game with its verdicts: a decision for each guess, and the chances on each board."""
    story = to_story(review.game)
    judged = {each.number: each for each in review.judged}
    positions = [
        _told(with_chances(position), judged.get(number)) for number, position in enumerate(story.positions)
    ]
    verdicts = [
        {
            "number": each.number,
            "position": each.number,
            "cell": each.cell[0] * story.rules.columns + each.cell[1],
            "verdict": each.verdict.value,
            "text": each.text,
        }
        for each in review.judged
        if each.verdict in (*GUESSES, Verdict.MISTAKE)
    ]
    told = summary([review])
    lost, luck = f"{lost_points(told, 1)} points", f"{told['luck']:+.2f} guesses"
    note = f"judged by {judge}; lost {lost} of the chance to win, luck {luck}"
    return replace(story, positions=tuple(positions), extra={"verdicts": verdicts, "judge": note})


def _told(position: Position, judged: Judged | None) -> Position:
    """The position with what was judged on it as its decision."""
    if judged is None:
        return position
    guess = judged.verdict in GUESSES
    candidates = []
    if guess and judged.win is not None:
        exact = judged.sure.value == "exact"
        win = max(0.0, judged.win - judged.cost)
        candidates.append(
            Candidate(judged.cell, judged.survival, win if exact else None, score=None if exact else win)
        )
        if judged.better is not None:
            candidates.append(
                Candidate(
                    judged.better,
                    1 - position.chances.get(judged.better, 0.0),
                    judged.win if exact else None,
                    score=None if exact else judged.win,
                )
            )
    kind = Kind.GUESS if guess or judged.verdict is Verdict.MISTAKE else Kind.CERTAIN
    safe = (judged.cell,) if judged.verdict is not Verdict.FLAG else ()
    decided = Decided(kind, judged.verdict.value, judged.text, safe, (), judged.survival, tuple(candidates))
    return Position(position.t, position.seen, decided, position.chances)


def titled(game: PlayedGame) -> str:
    """The game in a few words, for people."""
    mines = game.rules.mines if game.minefield is None else game.minefield.total
    seconds = "" if game.seconds is None else f" in {game.seconds:.1f} s"
    return f"{game.rules.size}/{'?' if mines is None else mines}, {game.result}{seconds}"
