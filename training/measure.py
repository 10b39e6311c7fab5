"""Play many games by one variant of the player: a line a game, 1 for a win, for paired comparisons.

python -m training.measure --games 100000 --results once.txt
python -m training.measure --games 100000 --set fifty_fifty=0 --against once.txt --results twice.txt

With --controlled, luck is taken out of the results (`bot.solver.guess.control_variate`): they are numbers
about 0 to 1, and tell two variants apart in a fifth of the games. That is for choosing what to try: a win
rate to publish is counted.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from bot.board import LEVELS, FirstClick
from bot.solver.constraints.workspace import Floats
from bot.solver.guess.player import new_player
from bot.solver.guess.settings import BEST_SCORE, SETTINGS, Settings
from bot.solver.simulate.self_play import play_many
from bot.solver.value.weights import read_correction, read_net
from training.boards import add_words, first_cell, minefields
from training.files import run

BATCH = 2000


def told(results: Floats) -> str:
    """Their mean, with its 95 % interval."""
    return f"{results.mean():.5f} +- {1.96 * results.std() / len(results) ** 0.5:.5f}"


def change(settings: Settings, word: str) -> None:
    """Change a setting as `NAME=NUMBER` says; raises ValueError, which says what is wrong with that."""
    name, _, number = word.partition("=")
    if name not in SETTINGS:
        raise ValueError(f"{name} is no setting: there are {', '.join(SETTINGS)}")
    whole = isinstance(getattr(settings, name), int)
    try:
        setattr(settings, name, int(number) if whole else float(number))
    except (ValueError, OverflowError):
        raise ValueError(f"{number!r} is no {'whole ' if whole else ''}number") from None


def main() -> None:
    """Play, with the rate so far after every batch."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_words(words, games=100_000, seed=77)
    words.add_argument("--value", type=Path, help="weights to play with; those that are shipped if not given")
    words.add_argument("--correction", type=Path, help="the same for the correction of scores")
    words.add_argument(
        "--set", action="append", default=[], metavar="NAME=NUMBER", help="a setting of the player"
    )
    words.add_argument("--controlled", action="store_true", help="take the luck out of the results")
    words.add_argument("--against", type=Path, help="results of the same games by another variant")
    words.add_argument("--results", type=Path, required=True)
    asked = words.parse_args()
    columns, rows, mines = LEVELS[asked.level]
    first_click = FirstClick(asked.first_click)
    net = read_net(asked.value) if asked.value else read_net()
    correction = read_correction(asked.correction) if asked.correction else read_correction()
    player, deeper = (new_player(rows, columns, mines, net=net, correction=correction) for _ in range(2))
    for each in (player, deeper):
        each.settings.policy = BEST_SCORE
        each.settings.control = asked.controlled
        for word in asked.set:
            try:
                change(each.settings, word)
            except ValueError as error:
                words.error(f"--set {word}: {error}")
    first = first_cell(player.field, first_click)
    games = minefields(rows, columns, mines, first_click, asked.games, asked.seed)
    results = np.zeros(len(games))
    # Without a second player, playing on is not even compiled.
    second = deeper if player.settings.rolls > 0 else None
    play_many(player, second, games[:1], first, results[:1])  # compiles
    begun = time.process_time()
    for at in range(0, len(games), BATCH):
        play_many(player, second, games[at : at + BATCH], first, results[at : at + BATCH])
        done = min(at + BATCH, len(games))
        spent = (time.process_time() - begun) / done
        print(f"{done} games, {told(results[:done])}, {1000 * spent:.2f} ms a game", flush=True)
    asked.results.write_text("".join(f"{each:.9g}\n" for each in results))
    if asked.against:
        try:
            other = np.loadtxt(asked.against, ndmin=1)
        except ValueError:
            words.error(f"--against {asked.against} is not what training.measure wrote: a number a line")
        if len(other) != len(results):
            words.error(f"--against {asked.against}: {len(other)} games, and not {len(results)}")
        print(f"paired: {told(results - other)}")


if __name__ == "__main__":
    run(main)
