"""The boards file: games to be played, a line a game: `width height mines cell cell …`.

Each cell is a mine, as `row * width + column`. A file whose name ends in `.gz` is compressed; one whose
name ends in `.mbf` holds a single board in that format.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from bot.board import Coordinate, FirstClick
from bot.errors import FormatError, UsageError
from bot.files import write_whole
from bot.game.levels import LARGEST
from bot.game.mbf import format_mbf, is_mbf, read_mbf
from bot.game.minefield import Minefield

ENCODING = "utf-8-sig"
"""How a boards file is read: editors of Windows put a mark at its beginning."""


def read_boards(
    path: Path, start: Coordinate = (0, 0), first_click: FirstClick = FirstClick.ANY
) -> Iterator[Minefield]:
    """The minefields of a boards file, read line by line as they are asked for; blank lines are skipped.

    `start` is the first click of every game and `first_click` the rule that the boards were made by.
    Raises FormatError, with the file and the line number, for a line that is no board, for a start that
    is not on the board and for a board that breaks the rule; and for a file that cannot be read.
    """
    if is_mbf(path):
        minefield = read_mbf(path)
        try:
            _check_start(minefield, start, first_click)
        except FormatError as error:
            raise FormatError(f"{path}: {error}") from None
        yield minefield
        return
    number = 0
    try:
        with _opened(path) as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    if not line.isascii():  # Python knows other digits too
                        raise FormatError("not a text of numbers")
                    minefield = parse_line(line)
                    _check_start(minefield, start, first_click)
                except (FormatError, UsageError) as error:
                    raise FormatError(f"{path}, line {number}: {error}") from None
                yield minefield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(f"{path}, after line {number}: not a whole gzip file ({error})") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{path}, after line {number}: not a text of numbers") from error
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror or error}") from error


def parse_line(line: str) -> Minefield:
    """The minefield of one line of a boards file; raises FormatError where it is none."""
    try:
        numbers = [int(word) for word in line.split()]
    except ValueError:
        raise FormatError("a board is whole numbers: width height mines cell cell …") from None
    if len(numbers) < 3:
        raise FormatError("a board begins with its width, height and number of mines")
    columns, rows, mines, *cells = numbers
    if not (1 <= columns <= LARGEST and 1 <= rows <= LARGEST):
        raise FormatError(f"a board of {columns}x{rows} cannot be: use 1x1 to {LARGEST}x{LARGEST}")
    if len(cells) != mines:
        raise FormatError(f"it says {mines} mines and lists {len(cells)}")
    if len(set(cells)) != len(cells):
        twice = next(cell for index, cell in enumerate(cells) if cell in cells[:index])
        raise FormatError(f"cell {twice} is listed twice")
    try:
        return Minefield.from_cells(columns, rows, cells)
    except UsageError as error:
        raise FormatError(str(error)) from None


def format_line(minefield: Minefield) -> str:
    """The line of one minefield, without the end of the line; its mines in order."""
    numbers = [minefield.columns, minefield.rows, minefield.total, *minefield.cells]
    return " ".join(map(str, numbers))


def write_boards(path: Path, minefields: Iterable[Minefield]) -> None:
    """Write a boards file, whole or not at all. Raises UsageError as `boards_content` does, OSError as any
    write does."""
    write_whole(path, boards_content(path.name, minefields))


def boards_content(name: str, minefields: Iterable[Minefield]) -> bytes:
    """The bytes of a boards file, compressed where its name ends in `.gz`; the same for the same boards.

    A name that ends in `.mbf` takes one board, in that format: raises UsageError for another number.
    """
    if is_mbf(Path(name)):
        boards = list(minefields)
        if len(boards) != 1:
            raise UsageError(f"{name}: an .mbf file holds one board, not {len(boards)}")
        return format_mbf(boards[0])
    content = "".join(f"{format_line(minefield)}\n" for minefield in minefields).encode("ascii")
    return gzip.compress(content, mtime=0) if name.endswith(".gz") else content


def _opened(path: Path) -> IO[str]:
    if path.name.endswith(".gz"):
        return io.TextIOWrapper(gzip.open(path), encoding=ENCODING)
    return path.open(encoding=ENCODING)


def _check_start(minefield: Minefield, start: Coordinate, first_click: FirstClick) -> None:
    row, column = start
    size = f"{minefield.columns}x{minefield.rows}"
    if not (0 <= row < minefield.rows and 0 <= column < minefield.columns):
        raise FormatError(f"the start {row},{column} is not on a board of {size}: give --start ROW,COLUMN")
    if not minefield.allows(start, first_click):
        where = "under" if minefield.mines[start] else "beside"
        raise FormatError(
            f"a mine lies {where} the first click {row},{column}, which '{first_click.value}' forbids:"
            " give --start or --first-click as the boards were made"
        )
