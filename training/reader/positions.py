"""Boards as they are at every stage of a game, for pictures whose boards are known."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Codes, neighbour_sums

Rng = np.random.Generator
Marks = npt.NDArray[np.bool_]

LEVEL_SIZES = ((9, 9), (16, 16), (30, 16), (8, 8), (10, 8), (18, 14), (24, 20), (10, 10), (12, 12), (20, 20))
"""Columns and rows of the levels of well-known games."""

SHORTEST = 6
"""The least columns and rows of any other board."""

SMALLEST = SHORTEST**2
"""The least number of cells of a board."""

STAGES = {"fresh": 0.05, "first": 0.15, "middle": 0.3, "late": 0.2, "won": 0.1, "lost": 0.2}
"""How often each stage of a game is drawn."""

USUAL_DENSITY, ANY_DENSITY = (0.1, 0.22), (0.06, 0.4)
"""Ranges of the part of the cells that are mines, as games have them and any."""

CROWDED_DENSITY = (0.4, 0.92)
"""The same on boards that show the digits 5 to 8 often: without them, one digit in 600 is a 6, none an 8."""

FLAGGED_STAGES = ("middle", "late", "won", "lost")
QUESTION_MARKS, WRONG_FLAGS, EXPLOSION = 0.2, 0.5, 0.85
"""How often a board has question marks; a lost one crossed out flags, and a mine that exploded."""


def random_size(rng: Rng, *, largest: int = 480) -> tuple[int, int]:
    """Columns and rows of a board with `SMALLEST` to `largest` cells: a known level, or any size."""
    while True:
        if rng.random() < 0.6:
            columns, rows = LEVEL_SIZES[rng.integers(len(LEVEL_SIZES))]
        else:
            columns, rows = int(rng.integers(SHORTEST, 31)), int(rng.integers(SHORTEST, 21))
        if columns * rows <= largest:
            return columns, rows


def random_position(rng: Rng, columns: int, rows: int, *, usual: bool = False, stage: str = "") -> Board:
    """A board at a stage of a game (`STAGES`; empty: any); with `usual` as many mines as games have, else any
    number."""
    size = columns * rows
    low, high = USUAL_DENSITY if usual or rng.random() < 0.5 else ANY_DENSITY
    mined = np.zeros(size, bool)
    mined[rng.choice(size, max(1, round(rng.uniform(low, high) * size)), replace=False)] = True
    field: Marks = mined.reshape(rows, columns)
    stage = stage or str(rng.choice(list(STAGES), p=list(STAGES.values())))
    return Board(_codes(rng, field, stage))


def crowded_position(rng: Rng, columns: int, rows: int) -> Board:
    """A board with so many mines that its digits are large, late in a game: what games show too rarely."""
    field: Marks = rng.random((rows, columns)) < rng.uniform(*CROWDED_DENSITY)
    # One cell is safe, so that there is one to open.
    field[rng.integers(rows), rng.integers(columns)] = False
    return Board(_codes(rng, field, str(rng.choice(["middle", "late", "lost"]))))


def _codes(rng: Rng, field: Marks, stage: str) -> Codes:
    """What a player sees of a minefield, (rows, columns), at a stage of a game."""
    numbers = neighbour_sums(field)
    codes: Codes = np.full(field.shape, Cell.COVERED, np.int8)
    if stage == "fresh":
        return codes
    opened = _opened(rng, field, numbers, stage)
    codes[opened] = numbers[opened]
    unopened_mines = field & ~opened
    if stage in FLAGGED_STAGES and rng.random() < 0.75:
        near = unopened_mines & (neighbour_sums(opened) > 0)
        codes[near & (rng.random(field.shape) < rng.uniform(0.2, 1.0))] = Cell.FLAG
        if rng.random() < QUESTION_MARKS:
            marked = (codes == Cell.COVERED) & (neighbour_sums(opened) > 0) & (rng.random(field.shape) < 0.15)
            codes[marked] = Cell.QUESTION
    if stage == "won":
        codes[unopened_mines] = Cell.FLAG if rng.random() < 0.6 else codes[unopened_mines]
    if stage == "lost":
        _end(rng, codes, unopened_mines)
    return codes


def _opened(rng: Rng, field: Marks, numbers: Codes, stage: str) -> Marks:
    """Which cells are opened: one area at first, then single cells and further areas."""
    opened = np.zeros(field.shape, bool)
    safe = np.argwhere(~field)
    zeros = np.argwhere(~field & (numbers == 0))
    start = zeros[rng.integers(len(zeros))] if len(zeros) else safe[rng.integers(len(safe))]
    open_from(field, numbers, opened, int(start[0]), int(start[1]))
    low, high = {"first": (0, 0), "middle": (0.1, 0.7), "late": (0.7, 0.99), "won": (1, 1), "lost": (0, 0.9)}[
        stage
    ]
    wanted = rng.uniform(low, high) * len(safe)
    rng.shuffle(safe)
    for row, column in safe.tolist():
        if opened.sum() >= wanted:
            break
        open_from(field, numbers, opened, row, column)
    return opened


def open_from(field: Marks, numbers: Codes, opened: Marks, row: int, column: int) -> None:
    """Open a cell, and where it is empty all cells that this opens; changes `opened`, (rows, columns)."""
    rows, columns = field.shape
    to_open = [(row, column)]
    while to_open:
        r, c = to_open.pop()
        if opened[r, c] or field[r, c]:
            continue
        opened[r, c] = True
        if numbers[r, c] == 0:
            around = [(a, b) for a in (r - 1, r, r + 1) for b in (c - 1, c, c + 1)]
            to_open += [(a, b) for a, b in around if 0 <= a < rows and 0 <= b < columns]


def _end(rng: Rng, codes: Codes, unopened_mines: Marks) -> None:
    """Show the mines of a lost game in `codes`."""
    hidden = unopened_mines & (codes != Cell.FLAG)
    covered = np.argwhere((codes == Cell.COVERED) & ~unopened_mines)
    codes[hidden] = Cell.MINE
    mines = np.argwhere(hidden)
    if len(mines) and rng.random() < EXPLOSION:
        codes[tuple(mines[rng.integers(len(mines))])] = Cell.EXPLODED
    if len(covered) and rng.random() < WRONG_FLAGS:
        for place in covered[rng.permutation(len(covered))[: rng.integers(1, 5)]]:
            codes[tuple(place)] = Cell.WRONG_FLAG
