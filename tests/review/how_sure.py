"""`python -m tests.review.how_sure`: how far the costs that a review estimates lie from the exact ones.

Plays games up to positions with few enough layouts to be searched, has moves there judged without the search,
and prints for each way to estimate how far the cost is off, in points of the chance to win. `ERRORS` in
`bot/review/judge.py` has what this printed. Ctrl-C ends it early.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import click
import numpy as np

from bot.board import LEVELS, Action, FirstClick, Move, Observation, Rules
from bot.game.game import Game
from bot.game.minefield import Minefield
from bot.review.judge import Judge
from bot.review.played_game import PlayedGame, PlayedMove
from bot.review.verdicts import Sure, Verdict
from bot.solver.decision import decide
from bot.solver.endgame.perfect_play import play_perfectly
from bot.solver.position.solve import solve_board
from bot.solver.probability.examination import UNCERTAIN
from bot.solver.simulate.best_games import lent_players

LAYOUTS = 150, 3000
"""Layouts that a position has: fewer are searched by `best` itself, more take too long."""

CHOICES = 6
"""Moves that are judged on each position."""

CERTAIN = 0.01
"""The share of the positions with a safe cell that is taken: they are by far the most."""

COSTS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 1.01)
"""The costs that are told apart."""


@dataclass(frozen=True)
class Pair:
    """The cost of one move, found twice."""

    way: Sure
    exact: float
    about: float


def positions(rng: random.Random) -> Iterator[tuple[Observation, Minefield]]:
    """Positions of games that `best` plays, with their minefields."""
    while True:
        columns, rows, mines = LEVELS[rng.choice(("intermediate", "expert"))]
        rules = Rules(columns, rows, mines, FirstClick.ANY)
        minefield = Minefield.generate(replace(rules, first_click=FirstClick.ZERO), (1, 1), rng)
        game = Game(rules, minefield=minefield)
        game.open(1, 1)
        while not game.phase.over:
            seen = game.observation
            thought = decide(seen.board, mines)
            if thought.found == UNCERTAIN or rng.random() < CERTAIN:
                yield seen, minefield
            if not thought.safe and thought.cell is None:
                break
            for cell in thought.safe or (thought.cell,):
                game.open(*cell)  # type: ignore[misc]


def judged(judge: Judge, seen: Observation, minefield: Minefield, move: Move, win: float) -> Iterator[Pair]:
    """The cost of a move that could lose, if the judge says so; `win`: the chance to win before it."""
    game = PlayedGame("", "rawvf", "", seen.rules, (PlayedMove(0.0, move, seen),), "lost", None, minefield)
    for found in judge.review(game).judged:
        if found.sure is Sure.EXACT:
            continue
        if found.verdict in (Verdict.NEEDLESS, Verdict.MISTAKE):
            yield Pair(found.sure, (1 - found.survival) * win, found.cost)
        elif found.verdict is Verdict.WEAKER:
            search = play_perfectly(seen.board, seen.rules, layouts=LAYOUTS[1])
            own = None if search is None else search.after(move.cell)
            if own is not None:
                yield Pair(found.sure, win - own, found.cost)


def pairs(count: int, seed: int, think: int) -> Iterator[Pair]:
    """Moves on so many positions."""
    judge, rng = Judge(think, 0), random.Random(seed)
    for seen, minefield in islice(positions(rng), count):
        search = play_perfectly(seen.board, seen.rules, layouts=LAYOUTS[1])
        solved = solve_board(seen.board, seen.rules, dead=False)
        if search is None or solved.solutions is None or solved.solutions < LAYOUTS[0]:
            continue
        covered = [cell for cell, risk in solved.chance.items() if 0 < risk < 1]
        moves = [Move(Action.OPEN, *cell) for cell in rng.sample(covered, min(CHOICES, len(covered)))]
        assert seen.rules.mines is not None
        with lent_players(seen.board.rows, seen.board.columns, seen.rules.mines, think) as (player, _):
            usual = player.settings.solutions, player.settings.layouts
        # With its look ahead, and without, as on positions with too many layouts for it. The judge, who asks
        # next, is lent the same player.
        for fewest, most, ahead in ((*usual, judge.ahead_layouts), (0, 0, 0)):
            player.settings.solutions, player.settings.layouts = fewest, most
            player.memory[:] = 0
            usually, judge.ahead_layouts = judge.ahead_layouts, ahead
            for move in moves:
                yield from judged(judge, seen, minefield, move, search.win)
            judge.ahead_layouts = usually
        player.settings.solutions, player.settings.layouts = usual
        player.memory[:] = 0


def line(name: str, some: list[Pair]) -> str:
    """How far these estimates are off."""
    off = 100 * np.array([each.about - each.exact for each in some])
    near, far = np.quantile(np.abs(off), (0.68, 0.95))
    cost = 100 * np.mean([each.exact for each in some])
    return f"{name:32} {len(some):6} {cost:7.2f} {off.mean():+7.2f} {near:6.2f} {far:6.2f}"


@click.command()
@click.option("--positions", "count", default=2000, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True)
@click.option("--think", default=1, show_default=True, type=click.IntRange(1))
def main(count: int, seed: int, think: int) -> None:
    """Measure how far the estimated costs lie from the exact ones."""
    found: list[Pair] = []
    with suppress(KeyboardInterrupt):  # what was found until then is printed
        for pair in pairs(count, seed, think):
            found.append(pair)
    click.echo(f"{'estimated':32} {'moves':>6} {'cost':>7} {'bias':>7} {'68 %':>6} {'95 %':>6}")
    for way in sorted({each.way for each in found}):
        some = [each for each in found if each.way is way]
        click.echo(line(way.value, some))
        for low, high in pairwise(COSTS):
            part = [each for each in some if low <= each.about < high]
            if len(part) >= 20:
                click.echo(line(f"  costs {100 * low:.0f} to {100 * high:.0f} points", part))


if __name__ == "__main__":
    main()
