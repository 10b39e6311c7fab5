"""How long the solver takes: one analysis by kind of position, whole games, and the start.

Usage: python benchmarks/solver.py [GAMES]

Machines differ and are never twice the same, so that games are also told in units of a fixed piece of work
of our own (`unit`), timed in turn with them. CPU seconds; the start is wall time.
"""

from __future__ import annotations

import itertools
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

from bot.board import LEVELS, Board, Cell, FirstClick, Rules
from bot.game.minefield import Minefield
from bot.lab.games import Player, Tally, generated, warm_up
from bot.lab.simulate import simulate
from bot.solver.position.solve import solve_board
from bot.strategy.registry import names

SAMPLES = 30
"""Positions of a kind."""


def unit() -> int:
    """A fixed piece of work in plain Python: how far a walk of 40,000 steps over a 30x16 board gets around.

    Integers, lists and branches, as a solver in Python would use them; no library that could change.
    """
    width, height = 30, 16
    visits = [0] * (width * height)
    state, cell, total = 12345, 0, 0
    for _ in range(40_000):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        row, column = divmod(cell, width)
        row = (row + (state >> 8) % 3 - 1) % height
        column = (column + (state >> 16) % 3 - 1) % width
        cell = row * width + column
        visits[cell] += 1
        if visits[cell] & 1:
            total += bin(state & visits[cell]).count("1")
    return total


def cpu_s(work: Callable[[], object]) -> float:
    """The CPU seconds of a piece of work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def opened(rules: Rules, seed: int, share: float) -> Board:
    """A board of a game that went so far: all that is safe was opened, then safe cells at random."""
    rng = random.Random(seed)
    first = rng.randrange(rules.rows), rng.randrange(rules.columns)
    field = Minefield.generate(rules, first, rng)
    codes = np.full((rules.rows, rules.columns), Cell.COVERED, np.int8)
    goal = share * np.count_nonzero(~field.mines)
    cells = [first]
    while True:
        for cell in cells:
            codes[cell] = field.counts[cell]
        safe = solve_board(Board(codes), rules, dead=False).safe
        left = [(int(r), int(c)) for r, c in np.argwhere((codes > 8) & ~field.mines)]
        if not left or (not safe and np.count_nonzero(codes <= 8) >= goal):
            return Board(codes)
        cells = list(safe) or [rng.choice(left)]


def scattered(rules: Rules, seed: int, share: float) -> Board:
    """A board with safe cells opened at random: fronts as wide as they come."""
    rng = random.Random(seed)
    field = Minefield.generate(rules, (0, 0), rng)
    codes = np.full((rules.rows, rules.columns), Cell.COVERED, np.int8)
    for cell in itertools.product(range(rules.rows), range(rules.columns)):
        if not field.mines[cell] and rng.random() < share:
            codes[cell] = field.counts[cell]
    return Board(codes)


def kinds() -> Iterator[tuple[str, Rules, list[Board]]]:
    """Positions by kind."""
    expert = Rules(*LEVELS["expert"], FirstClick.ZERO)
    for name, share in (("the opening", 0.05), ("the middle", 0.5), ("the end", 0.93)):
        yield f"expert, {name}", expert, [opened(expert, seed, share) for seed in range(SAMPLES)]
    yield "expert, scattered numbers", expert, [scattered(expert, seed, 0.3) for seed in range(SAMPLES)]
    large = Rules(100, 100, 2000, FirstClick.ZERO)
    yield "100x100, scattered numbers", large, [scattered(large, seed, 0.3) for seed in range(3)]


def analyses(console: Console) -> None:
    """Time the analysis of positions."""
    table = Table("position", "chances: median", "longest", "with dead cells: median", "longest")
    solve_board(Board.parse("1#\n##"), Rules(2, 2, 1))
    for name, rules, boards in kinds():
        row = [name]
        for dead in (False, True):
            times = sorted(cpu_s(partial(solve_board, board, rules, dead=dead)) for board in boards)
            row += [f"{1000 * statistics.median(times):.2f} ms", f"{1000 * times[-1]:.2f} ms"]
        table.add_row(*row)
    console.print(table)


def games(console: Console, count: int) -> None:
    """Time whole games, in turn with the unit."""
    table = Table("strategy", "games", "won", "games a core-second", "units a game", "a unit")
    rules = Rules(*LEVELS["expert"], FirstClick.SAFE)
    for name in names():
        player = Player(name)
        warm_up(player)
        simulate(generated(rules, 3, 99), player, played=lambda _: None)
        units, ratios, speeds, won = [], [], [], 0
        for turn in range(5):
            tally = Tally()
            units.append(cpu_s(unit))
            some = max(1, count // 5)
            spent = cpu_s(partial(simulate, generated(rules, some, turn), player, played=tally.add))
            ratios.append(spent / some / units[-1])
            speeds.append(some / spent)
            won += sum(tally.wins)
        table.add_row(
            name,
            str(5 * some),
            f"{100 * won / (5 * some):.1f} %",
            f"{statistics.median(speeds):.1f}",
            f"{statistics.median(ratios):.3f}",
            f"{1000 * statistics.median(units):.1f} ms",
        )
    console.print(table)


def starts(console: Console) -> None:
    """Time the first answer of a fresh process: with nothing compiled, and from the cache."""
    table = Table("minebot solve, a fresh process", "seconds")
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "MINEBOT_HOME": home}
        command = [sys.executable, "-m", "bot.cli.main", "solve", "1#2##/12###/#####", "--mines", "4"]
        for name in ("cold: everything is compiled", "from the cache", "from the cache again"):
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True, env=environment)
            table.add_row(name, f"{time.perf_counter() - start:.2f}")
    console.print(table)


def main() -> None:
    """Print the three tables."""
    console = Console(width=110)
    analyses(console)
    games(console, int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    starts(console)


if __name__ == "__main__":
    main()
