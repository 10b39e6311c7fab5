"""Reads the videos (.mvf) of Minesweeper Clone 2006 and 2007, which `ms_toollib` passes over.

The format as the field's converter to RAWVF reads it (`parser_mvf.c` of thefinerminer/minesweeper-rawvf): a
header, the minefield, and six bytes a state of the mouse, whose bits lie in an order that each file draws.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.game.minefield import Minefield
from bot.review.buttons import Press

MAGIC = b"\x11\x4d"
"""The first bytes since Clone 0.97; older programs wrote no header."""

YEAR = 27
"""The byte with the last digit of the year in which the program was made."""

START = 71
"""The byte at which the record begins; before it lie texts of the program."""

STATE = 6
"""Bytes of a state of the mouse."""

MARGIN = 32
"""Added to both coordinates, because the mouse may lie beside the board."""

CELL = 16
"""Pixels of a cell."""

BUTTONS = (("l", 2), ("r", 0), ("m", 1))
"""A letter a button, in the order in which changes of one moment count, and its bit."""


@dataclass(frozen=True)
class CloneVideo:
    """A game of Minesweeper Clone."""

    minefield: Minefield
    presses: tuple[Press, ...]
    player: str
    version: str
    marks: bool
    """Whether a second right click makes a question mark."""
    seconds: float
    created: str
    """The date and the minute; empty where the program did not save the day."""


def clone_year(content: bytes) -> str:
    """The last digit of the program's year: 5 for Clone 0.97; empty for what has no header of Clone."""
    return chr(content[YEAR]) if content[:2] == MAGIC and len(content) > YEAR else ""


def read_clone(content: bytes) -> CloneVideo:
    """The game of a file of Clone 2006 or 2007. Raises ValueError for a file that is not whole."""
    data = _Bytes(content, START)
    month, day, year, hour, minute, _second = data.unpack(">BBHBBB")
    _level, _mode = data.unpack(">BB")
    milliseconds = data.number(3)
    (marks,) = data.unpack(">B")
    columns, rows, mines = data.unpack(">BBH")
    field = np.zeros((rows, columns), np.bool_)
    for _ in range(mines):
        column, row = data.unpack(">BB")
        if not (1 <= column <= columns and 1 <= row <= rows):
            raise ValueError("a mine beside the board")
        field[row - 1, column - 1] = True
    (length,) = data.unpack(">B")
    player = data.take(length).decode("utf-8", "replace")
    (drawn,) = data.unpack(">H")
    states = np.frombuffer(data.take(STATE * data.number(3)), np.uint8).reshape(-1, STATE)
    version = content[54 : 54 + content[53]].decode("latin-1")
    return CloneVideo(
        Minefield(field),
        tuple(_presses(states, drawn)),
        player,
        f"Minesweeper Clone {version}".strip(),
        bool(marks),
        milliseconds / 1000,
        f"{year}-{month:02d}-{day:02d} {hour:02d}:{minute:02d}" if day else "",
    )


class _Bytes:
    """A file that is read from front to back."""

    def __init__(self, content: bytes, place: int) -> None:
        self._content, self._place = content, place

    def take(self, count: int) -> bytes:
        taken = self._content[self._place : self._place + count]
        if len(taken) < count:
            raise ValueError("the file ends early")
        self._place += count
        return taken

    def unpack(self, shape: str) -> tuple[int, ...]:
        return struct.unpack(shape, self.take(struct.calcsize(shape)))

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "big")


def _order(drawn: int) -> list[int]:
    """The place of each bit of a state: the digits of six numbers, of which equal ones keep their order."""
    first, second = math.sqrt(drawn), math.sqrt(drawn + 1000)
    third, fourth = math.sqrt(first + 1000), math.sqrt(second + 1000)
    numbers = (
        math.cos(third + 1000),
        math.sin(math.sqrt(second)),
        math.cos(third),
        math.sin(math.sqrt(first) + 1000),
        math.cos(fourth),
        math.sin(fourth),
    )
    digits = "".join(f"{round(abs(number) * 1e8):08d}"[:8] for number in numbers)
    return sorted(range(len(digits)), key=lambda place: digits[place])


def _presses(states: NDArray[np.uint8], drawn: int) -> list[Press]:
    """The changes of the buttons. The press before the first state is not kept: that state has it down."""
    bits = np.unpackbits(states, axis=1, bitorder="little")[:, _order(drawn)].astype(np.int64)

    def number(start: int, length: int) -> list[int]:
        found: list[int] = (bits[:, start : start + length] << np.arange(length)).sum(axis=1).tolist()
        return found

    times, down = number(25, 22), bits[:, :3]
    xs, ys = ([value - MARGIN for value in number(start, 11)] for start in (14, 3))
    presses = []
    before = [0, 0, 0]
    for t, x, y, now in zip(times, xs, ys, down.tolist(), strict=True):
        for change in (1, 0):
            for letter, bit in BUTTONS:
                if now[bit] == change != before[bit]:
                    word = letter + ("c" if change else "r")
                    presses.append(Press(t / 1000, word, (y // CELL, x // CELL), (x / CELL, y / CELL)))
        before = now
    return presses
