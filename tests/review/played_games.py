"""`python -m tests.review.played_games FOLDER`: games as RAWVF texts, for `minebot review` to judge.

    python -m tests.review.played_games build/games --player best --games 1000 --level expert
    find build/games -name '*.rawvf' | sort | xargs minebot review --json > build/best.jsonl

A player is a strategy, or `random`, which opens any covered cell. The same seed makes the same games.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import click

from bot import __version__
from bot.board import LEVELS, Action, Cell, Coordinate, FirstClick, Move, Observation, Rules
from bot.game.game import Game
from bot.review.played_game import PlayedGame, replayed
from bot.review.rawvf import write_rawvf
from bot.show.story import Deed
from bot.strategy.registry import names, strategy

Chooser = Callable[[Observation], Coordinate]

STEP_S = 0.1
"""Seconds between two clicks."""


def chooser(player: str, seed: int) -> Chooser:
    """Who chooses the next cell: a strategy by its name, or `random`."""
    if player == "random":
        rng = random.Random(seed)
        return lambda seen: rng.choice(seen.board.where(Cell.COVERED))
    decides = strategy(player)
    return lambda seen: decides.decide(seen, 1).safe[0]


def played(rules: Rules, player: str, seed: int) -> PlayedGame:
    """One game, cell by cell, to its end."""
    game = Game(rules, seed=seed)
    choose = chooser(player, seed)
    deeds: list[Deed] = []
    while not game.phase.over:
        move = Move(Action.OPEN, *choose(game.observation))
        deeds.append(Deed(STEP_S * len(deeds), move))
        game.act(move)
    moves, last = replayed(game.minefield, game.rules, deeds)
    return PlayedGame(
        f"{player}-{seed}",
        "rawvf",
        player,
        rules,
        moves,
        last.phase.value,
        STEP_S * (len(deeds) - 1),
        game.minefield,
        deeds=tuple(deeds),
        last=last,
    )


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--player", type=click.Choice((*names(), "random")), default="best", show_default=True)
@click.option("--games", default=1000, show_default=True, metavar="N")
@click.option("--level", type=click.Choice(list(LEVELS)), default="expert", show_default=True)
@click.option("--seed", default=0, show_default=True, metavar="K", help="The first game; K+1 is the next.")
def command(folder: Path, player: str, games: int, level: str, seed: int) -> None:
    """Play and write them."""
    rules = Rules(*LEVELS[level], FirstClick.SAFE)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(seed, seed + games):
        text = write_rawvf(played(rules, player, number), __version__)
        (folder / f"{player}-{number:06d}.rawvf").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    command()
