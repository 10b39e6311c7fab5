"""Games for learning: what a position looked like after a guess, and whether the game was won.

One guess of each game is chosen at random among the candidates, and the rows begin with it: what came before
was not its doing, and a choice of rows by what happened later would bend the rates.

With `--cold` nothing that was learned is used: that is where the first value comes from.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bot.board import LEVELS, FirstClick
from bot.solver.constraints.workspace import Floats
from bot.solver.guess.player import new_player
from bot.solver.guess.settings import BEST_SCORE, SAFEST
from bot.solver.simulate.self_play import play_many
from bot.solver.value.inputs import FEATURES
from bot.solver.value.weights import NET, read_net
from training.boards import add_words, first_cell, minefields, seed_compiled
from training.files import run

ROWS_OF_A_GAME = 3
"""More rows than a game has on average; the games after the last row are played for nothing."""

EARLY = 8
"""The random guess is one of the first so many scored ones, the earlier the likelier."""


def knows_nothing() -> Floats:
    """A value that gives every position the same chance: one neuron a layer, and no weights."""
    net = np.zeros(2 + (FEATURES + 1) + 2 + 2)
    net[:2] = 1
    return net


def main(given: Sequence[str] | None = None) -> None:
    """Play, and write `features`, shape (rows, FEATURES), and `won`, the result of the game from each row on
    with its luck taken out: about its chance to win, and on average just that."""
    words = argparse.ArgumentParser(description=__doc__)
    add_words(words, games=150_000, seed=1)
    words.add_argument("--out", type=Path, required=True)
    played_by = words.add_mutually_exclusive_group()
    played_by.add_argument(
        "--value", type=Path, help="weights to play by; those that are shipped if not given"
    )
    played_by.add_argument("--cold", action="store_true", help="play with nothing learned: the safest cell")
    asked = words.parse_args(given)
    columns, rows, mines = LEVELS[asked.level]
    first_click = FirstClick(asked.first_click)
    net = knows_nothing() if asked.cold else read_net(asked.value or NET)
    player = new_player(rows, columns, mines, net=net, records=ROWS_OF_A_GAME * asked.games)
    player.settings.policy = SAFEST if asked.cold else BEST_SCORE
    player.settings.explore = EARLY
    player.settings.layouts = 0  # the look ahead over written-out layouts: two thirds of the time, few games
    first = first_cell(player.field, first_click)
    seed_compiled(asked.seed)
    games = minefields(rows, columns, mines, first_click, asked.games, asked.seed)
    play_many(player, None, games, first, np.zeros(asked.games))
    count = int(player.record_size[0])
    np.savez(asked.out, features=player.record[:count], won=player.record_outcome[:count])
    print(f"{count} rows of {asked.games} games in {asked.out}")


if __name__ == "__main__":
    run(main)
