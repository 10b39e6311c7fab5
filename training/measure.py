"""Play many games by one variant of the player: a line a game, 1 for a win, for paired comparisons.

python -m training.measure --games 100000 --set POLICY=1 --results once.txt
python -m training.measure --games 100000 --results twice.txt
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import bot.solver.player as player_module
from bot.board import LEVELS, FirstClick
from bot.solver.field import STRIDE
from bot.solver.player import new_player
from bot.solver.selfplay import play_many
from bot.solver.thinker import read_net
from training.boards import minefields, start_of

BATCH = 2000


def main() -> None:
    """Play, with the rate so far after every batch."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--level", choices=sorted(LEVELS), default="expert")
    words.add_argument("--first-click", choices=["safe", "zero"], default="safe")
    words.add_argument("--games", type=int, default=100_000)
    words.add_argument("--seed", type=int, default=77)
    words.add_argument("--value", type=Path, help="weights to play with; those that are shipped if not given")
    words.add_argument(
        "--set", action="append", default=[], metavar="NAME=NUMBER", help="a setting of the player"
    )
    words.add_argument("--results", type=Path, required=True)
    asked = words.parse_args()
    columns, rows, mines = LEVELS[asked.level]
    first_click = FirstClick(asked.first_click)
    net = read_net(asked.value) if asked.value else read_net()
    player, deeper = (new_player(rows, columns, mines, net=net) for _ in range(2))
    for each in (player, deeper):
        each.settings[player_module.POLICY] = player_module.SCORED_ONCE
        for word in asked.set:
            name, _, number = word.partition("=")
            place = getattr(player_module, name, None)
            if not name.isupper() or not isinstance(place, int):
                words.error(f"--set {word}: {name} is no setting; bot/solver/player.py lists them")
            try:
                each.settings[place] = float(number)
            except ValueError:
                words.error(f"--set {word}: {number!r} is no number")
    row, column = start_of(first_click)
    first = (row + 1) * int(player.field.numbers[STRIDE]) + column + 1
    games = minefields(rows, columns, mines, first_click, asked.games, asked.seed)
    won = np.zeros(len(games), np.int8)
    # Without a second player, two moves deep is not even compiled.
    settings = player.settings
    twice = settings[player_module.POLICY] == player_module.DEEPENED or settings[player_module.ROLLS] > 0
    second = deeper if twice else None
    play_many(player, second, games[:1], first, won[:1])  # compiles
    begun = time.process_time()
    for at in range(0, len(games), BATCH):
        play_many(player, second, games[at : at + BATCH], first, won[at : at + BATCH])
        done = min(at + BATCH, len(games))
        spent = (time.process_time() - begun) / done
        print(f"{done} games, won {won[:done].mean():.4f}, {1000 * spent:.2f} ms a game", flush=True)
    asked.results.write_text("".join(f"{each}\n" for each in won))


if __name__ == "__main__":
    main()
