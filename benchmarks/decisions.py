"""How long one decision takes: its distribution over whole games on expert boards.

Usage: python benchmarks/decisions.py [GAMES] [STRATEGY]

Every position of every game is decided by itself, as live play does, with nothing remembered. Wall seconds.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from rich.console import Console
from rich.table import Table

from bot.board import LEVELS, FirstClick, Phase, Rules
from bot.game_loop import moves_for
from bot.lab.games import Player, generated, warm_up
from bot.strategy.base import Kind
from bot.targets.in_process import InProcessTarget

PERCENTILES = (50, 90, 99, 99.9, 100)


def main() -> None:
    """Play, and print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    player = Player(sys.argv[2] if len(sys.argv) > 2 else "best")
    warm_up(player)
    strategy = player.made()
    console = Console(width=None if sys.stdout.isatty() else 120)
    seconds: dict[str, list[float]] = {"certain": [], "guess": []}
    longest_of_game = []
    won = 0
    for task in generated(Rules(*LEVELS["expert"], FirstClick.SAFE), count, 0):
        target = InProcessTarget(task.game())
        turn = 0
        longest = 0.0
        while not (seen := target.observe()).phase.over:
            begun = time.perf_counter()
            decision = strategy.decide(seen, turn)
            spent = time.perf_counter() - begun
            seconds["guess" if decision.kind is Kind.GUESS else "certain"].append(spent)
            longest = max(longest, spent)
            target.act(moves_for(decision, seen.board, flags=False, chords=False))
            turn += 1
        won += seen.phase is Phase.WON
        longest_of_game.append(longest)
    table = Table(
        "decisions", "how many", *(("longest" if p == 100 else f"{p:g} % take at most") for p in PERCENTILES)
    )
    for name, times in (*seconds.items(), ("the longest of each game", longest_of_game)):
        told = (f"{1000 * value:.2f} ms" for value in np.percentile(times, PERCENTILES))
        table.add_row(name, str(len(times)), *told)
    console.print(table)
    console.print(f"{strategy.name}, expert, safe first click, seed 0: {count} games, {won} won")


if __name__ == "__main__":
    main()
