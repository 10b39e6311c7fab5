"""The field's own board format, `.mbf`: one minefield in a file of a few hundred bytes.

Byte 0 is the width, byte 1 the height, bytes 2 and 3 the number of mines (high byte first), and then come
two bytes for each mine, its column and its row, both from 0. Minesweeper Clone, Arbiter and the analysers
read it. Source: `getFormatMBF` and `resetMines` of D. N. Hill's JSMinesweeper
(github.com/DavidNHill/JSMinesweeper, Minesweeper/client/Board.js and MinesweeperGame.js).
"""

from __future__ import annotations

from pathlib import Path

from bot.errors import FormatError, UsageError
from bot.files import write_whole
from bot.game.minefield import Minefield

HEADER = 4
"""Bytes before the first mine."""

LARGEST_SIDE = 255
"""The most columns or rows that a byte can say."""


def is_mbf(path: Path) -> bool:
    """Whether a file's name says that it is one board in this format."""
    return path.suffix.lower() == ".mbf"


def parse_mbf(content: bytes) -> Minefield:
    """The minefield that these bytes say; raises FormatError where they are none."""
    if len(content) < HEADER:
        raise FormatError(f"an .mbf board is {HEADER} bytes or more, this is {len(content)}")
    columns, rows, mines = content[0], content[1], int.from_bytes(content[2:HEADER], "big")
    if columns == 0 or rows == 0:
        raise FormatError(f"a board of {columns}x{rows} cannot be: it is no .mbf board")
    if len(content) != HEADER + 2 * mines:
        raise FormatError(
            f"a board of {mines} mines is {HEADER + 2 * mines} bytes as .mbf, this is {len(content)}"
        )
    places = list(zip(content[HEADER::2], content[HEADER + 1 :: 2], strict=True))
    for column, row in places:
        if column >= columns or row >= rows:
            raise FormatError(f"a mine in column {column}, row {row} is not on a board of {columns}x{rows}")
    cells = [row * columns + column for column, row in places]
    if len(set(cells)) != len(cells):
        column, row = next(place for index, place in enumerate(places) if place in places[:index])
        raise FormatError(f"the mine in column {column}, row {row} is listed twice")
    return Minefield.from_cells(columns, rows, cells)


def format_mbf(minefield: Minefield) -> bytes:
    """The bytes of a minefield, its mines row by row; raises UsageError for one of more than 255 a side."""
    if minefield.columns > LARGEST_SIDE or minefield.rows > LARGEST_SIDE:
        raise UsageError(
            f"a board of {minefield.columns}x{minefield.rows} does not fit .mbf:"
            f" {LARGEST_SIDE}x{LARGEST_SIDE} is the largest, use a boards file"
        )
    content = bytearray([minefield.columns, minefield.rows])
    content += minefield.total.to_bytes(2, "big")
    for cell in minefield.cells:
        row, column = divmod(cell, minefield.columns)
        content += bytes([column, row])
    return bytes(content)


def read_mbf(path: Path) -> Minefield:
    """The minefield of a file; raises FormatError, with the file, where it cannot be read or is none."""
    try:
        return parse_mbf(path.read_bytes())
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from None
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror or error}") from error


def write_mbf(path: Path, minefield: Minefield) -> None:
    """Write a minefield, whole or not at all; raises UsageError for one that is too large, and OSError."""
    write_whole(path, format_mbf(minefield))
