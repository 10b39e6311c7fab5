"""From `--level`, or `--size` and `--mines`, to the rules of a game."""

from __future__ import annotations

import re

from bot.board import LEVELS, FirstClick, Rules
from bot.errors import UsageError
from bot.game.minefield import most_mines

LARGEST = 100
"""The most columns, and the most rows."""


def rules_from(
    level: str | None, size: str | None, mines: int | None, first_click: FirstClick = FirstClick.SAFE
) -> Rules:
    """The rules of a level's name, or of a size `COLUMNSxROWS` and a number of mines; beginner for neither.

    Raises UsageError for words that do not go together, and for sizes that cannot be played: 2x1 to
    100x100 cells, and room for the mines wherever the first click falls.
    """
    if size is None:
        if mines is not None:
            raise UsageError("--mines goes with --size: give both, as in --size 9x9 --mines 10")
        name = "beginner" if level is None else level
        if name not in LEVELS:
            raise UsageError(f"there is no level {name!r}: use one of {', '.join(LEVELS)}")
        columns, rows, total = LEVELS[name]
        return Rules(columns, rows, total, first_click)
    if level is not None:
        raise UsageError("--level and --size exclude each other: give one of them")
    if mines is None:
        raise UsageError(f"--size {size} needs a number of mines: add --mines N")
    match = re.fullmatch(r"([0-9]{1,9})[xX×]([0-9]{1,9})", size.strip())
    if match is None:
        raise UsageError(f"{size!r} is no size: give COLUMNSxROWS, as in 30x16")
    columns, rows = int(match[1]), int(match[2])
    check_size(columns, rows)
    check_mines(columns, rows, mines, first_click)
    return Rules(columns, rows, mines, first_click)


def check_size(columns: int, rows: int) -> None:
    """Raise UsageError for a board that is too small or too large to be played."""
    if not (1 <= columns <= LARGEST and 1 <= rows <= LARGEST) or columns * rows < 2:
        raise UsageError(
            f"a board of {columns}x{rows} cannot be played: use 2 cells or more,"
            f" and at most {LARGEST}x{LARGEST}"
        )


def check_mines(columns: int, rows: int, mines: int, first_click: FirstClick) -> None:
    """Raise UsageError for more mines than every first click leaves room for, or fewer than none."""
    most = most_mines(columns, rows, first_click)
    if 0 <= mines <= most:
        return
    # A strategy's own first click may need less room: the corners do.
    start = " where a first click anywhere opens a zero" if first_click is FirstClick.ZERO else ""
    mend = f"--mines 0 to {most}" if most else "a larger --size"
    if first_click is FirstClick.ZERO and 0 <= mines <= most_mines(columns, rows, FirstClick.SAFE):
        mend += ", or --first-click safe"
    raise UsageError(f"a board of {columns}x{rows}{start} cannot have {mines} mines: use {mend}")
