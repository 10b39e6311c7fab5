"""Prepared fields as endoh1 (IOCCC 2020) has them: `width height mines` and a priority for each cell.

Each cell has its own priority from 0 up, row by row. A cell is mined where its priority is less than the
number of mines; and the priorities are the order in which the automatic steps run.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bot.errors import FormatError, UsageError
from bot.files import shipped
from bot.game.minefield import Minefield

LARGEST = 1000
"""Columns and rows of the largest map: no terminal shows more."""


@dataclass(frozen=True)
class PriorityMap:
    """A field and the order of its cells."""

    columns: int
    rows: int
    mines: int
    priorities: tuple[int, ...]
    """Of each cell, row by row: the whole numbers from 0 to the number of cells less one, each once."""

    @property
    def minefield(self) -> Minefield:
        """Where the mines are, before the first click takes one away."""
        mined = np.array(self.priorities) < self.mines
        return Minefield(mined.reshape(self.rows, self.columns))


def chance_map(columns: int, rows: int, mines: int, rng: random.Random) -> PriorityMap:
    """A map of a chance field and a chance order: every layout is equally likely."""
    priorities = list(range(columns * rows))
    rng.shuffle(priorities)
    return PriorityMap(columns, rows, mines, tuple(priorities))


def parse_map(text: str) -> PriorityMap:
    """Read a map from its text. Raises FormatError, with the line and the place in it, for a broken one."""
    words = [
        (word, number, place)
        for number, line in enumerate(text.splitlines(), start=1)
        for place, word in enumerate(line.split(), start=1)
    ]
    numbers = []
    for word, line, place in words:
        if re.fullmatch("-?[0-9]{1,9}", word) is None:
            raise FormatError(f"line {line}, word {place}: {word!r} is no number")
        numbers.append(int(word))
    if len(numbers) < 3:
        raise FormatError("a map begins with its width, its height and its number of mines")
    columns, rows, mines, *priorities = numbers
    if not (1 <= columns <= LARGEST and 1 <= rows <= LARGEST) or columns * rows < 2:
        raise FormatError(
            f"line {words[0][1]}: a field of {columns}x{rows} cannot be: use at most {LARGEST}x{LARGEST}"
        )
    cells = columns * rows
    if not 0 <= mines < cells:
        raise FormatError(f"line {words[2][1]}: {mines} mines do not fit a field of {cells} cells")
    seen: dict[int, int] = {}
    for cell, priority in enumerate(priorities):
        _, line, place = words[3 + cell] if cell < cells else words[3 + cells]
        if cell == cells:
            raise FormatError(
                f"line {line}, word {place}: a field of {columns}x{rows} has {cells} priorities,"
                f" and this is one more"
            )
        at = f"line {line}, word {place} (row {cell // columns}, column {cell % columns})"
        if not 0 <= priority < cells:
            raise FormatError(f"{at}: the priority {priority} is not one of 0 to {cells - 1}")
        if priority in seen:
            before = seen[priority]
            raise FormatError(
                f"{at}: the priority {priority} stands at row {before // columns},"
                f" column {before % columns} already"
            )
        seen[priority] = cell
    if len(priorities) < cells:
        cell = len(priorities)
        raise FormatError(
            f"it ends before row {cell // columns}, column {cell % columns}:"
            f" a field of {columns}x{rows} has {cells} priorities, and here are {cell}"
        )
    return PriorityMap(columns, rows, mines, tuple(priorities))


def read_map(name: str) -> PriorityMap:
    """Read a map file, or one of those that come with minebot, by its name.

    Raises FormatError, with the file and the place, for a broken one; UsageError where there is none.
    """
    path = Path(name)
    ours = shipped("maps") / f"{name}.txt"
    if not path.exists() and ours.is_file():
        path = ours
    try:
        content = path.read_text(encoding="utf-8-sig")  # editors of Windows put a mark at its beginning
    except FileNotFoundError:
        raise UsageError(
            f"there is no map {name!r}: give a file, or one of {', '.join(shipped_maps())}"
        ) from None
    except UnicodeDecodeError:
        raise FormatError(f"{name}: a map is a text of numbers, and this is none") from None
    except OSError as error:
        raise FormatError(f"{name} cannot be read: {error.strerror or error}") from None
    try:
        return parse_map(content)
    except FormatError as error:
        raise FormatError(f"{name}: {error}") from None


def shipped_maps() -> list[str]:
    """The names of the maps that come with minebot."""
    return sorted(path.stem for path in shipped("maps").glob("*.txt"))
