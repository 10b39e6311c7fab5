"""A position on the command line: board text, a file with it, standard input, or a picture of a board."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli.parts.outputs import complain
from bot.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.board import Board, FirstClick, Rules
    from bot.vision.grid import Grid, Image
    from bot.vision.picture_reader import PictureReading
    from bot.vision.themes.theme import Theme

LETTERS = ".12345678#F?*Xx!"
"""The letters of `bot.board.SYMBOLS`, which imports numpy: too slow for the help."""

SPACED_ROW = re.compile(r"\S(?:[ \t]+\S)*")
"""A row whose cells stand apart."""

MOST_CELLS = 40_000
"""Maximum number of cells of a board, as many as 200x200: time and memory grow with them, to 60 s and 3.7 GB
for 2000x2000 covered cells."""

PICTURES = {
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF8": "GIF",
    b"BM": "BMP",
    b"RIFF": "WebP",
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
}
"""The first bytes of each kind of picture file."""


@dataclass(frozen=True)
class Chosen:
    """Which board of a picture is meant."""

    theme: str | None = None
    """The only theme that is looked for; None for any skin."""
    size: tuple[int, int] | None = None
    """Its columns and rows; None for any."""
    number: int | None = None
    """Its number among the boards of the picture, from 0; None where there is only one."""


def position(
    given: str, mines: int | None, first_click: FirstClick | None, chosen: Chosen
) -> tuple[Board, Rules]:
    """The board that an argument of the command line stands for, and what is known of its rules.

    `-` is standard input, the name of a file is that file, and anything else must be board text with its rows
    separated by newlines or `/`. `0` is an empty cell too, and cells may stand apart. `mines` and
    `first_click` override what a picture shows. Raises FormatError if nothing can be read, UsageError for an
    impossible number of mines.
    """
    path = Path(given)
    if given == "-":
        content, where = standard_input("a file, a picture or board text"), "standard input"
    elif given.strip() and _is_file(path):
        try:
            content = path.read_bytes()
        except OSError as error:
            raise FormatError(f"it cannot be read: {error.strerror or error}") from None
        where = "the file"
    elif is_board_text(given):
        return _from_text(given, mines, first_click)
    elif not given.strip():
        raise FormatError("it is empty: give a file, a picture, -, or rows of a board as in '1#/##'")
    else:
        raise FormatError(
            "there is no such file, and it is no board text: give a file, a picture, -, or rows as in '1#/##'"
        )
    if any(content.startswith(magic) for magic in PICTURES):
        return _from_picture(content, mines, first_click, chosen)
    return _from_text(_text(content, where), mines, first_click)


def standard_input(else_give: str) -> bytes:
    """All of standard input. Raises FormatError where it is closed, which names what else to give."""
    if sys.stdin is None:
        raise FormatError(f"standard input is closed: give {else_give}")
    return sys.stdin.buffer.read()


def is_board_text(given: str) -> bool:
    """Whether an argument is board text itself, and neither `-` nor the name of a file that is there."""
    try:
        if Path(given).exists():
            return False
    except (OSError, ValueError):  # board text may be longer than a file name can be
        pass
    return "\n" in given or "#" in given or bool(given.strip() and set(given) <= set(LETTERS + "0/ "))


def _from_text(text: str, mines: int | None, first_click: FirstClick | None) -> tuple[Board, Rules]:
    from bot.board import Board, FirstClick, Rules

    board = Board.parse(_plain(text.replace("/", "\n")))
    return board, Rules(board.columns, board.rows, mines, first_click or FirstClick.SAFE)


def _plain(text: str) -> str:
    """Board text as `Board.parse` takes it: `0` is an empty cell too, and cells may stand apart.

    A blank could also be an empty cell, so they must stand apart in every row. Raises FormatError for a board
    of more than `MOST_CELLS` cells.
    """
    rows = [line.strip() for line in text.replace("0", ".").splitlines() if line.strip()]
    if all(SPACED_ROW.fullmatch(row) for row in rows):
        rows = ["".join(row.split()) for row in rows]
    cells = sum(map(len, rows))
    if cells > MOST_CELLS:
        raise FormatError(f"a board of {cells:,} cells is too large: at most {MOST_CELLS:,} can be solved")
    return "\n".join(rows)


def _is_file(path: Path) -> bool:
    try:
        if path.is_dir():
            raise FormatError("it is a folder: give a file, a picture, - or board text")
        return path.exists()
    except (OSError, ValueError):  # board text may be longer than a file name can be
        return False


def _text(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError(f"{where} is neither board text nor a picture that is understood") from None


def _from_picture(
    content: bytes, mines: int | None, first_click: FirstClick | None, chosen: Chosen
) -> tuple[Board, Rules]:
    from bot.board import FirstClick, Rules
    from bot.vision.picture_file import picture_in
    from bot.vision.themes.theme import load_themes

    themes = load_themes(chosen.theme, complain)
    seen = _seen_in(picture_in(content), chosen, themes)
    board = seen.board
    if mines is None:
        mines = seen.mines
    known = FirstClick.SAFE
    if seen.skin is not None:
        mines = seen.skin.usual_mines(board.columns, board.rows) if mines is None else mines
        known = next(one.behaviour.first_click for one in themes if one.skin is seen.skin)
    return board, Rules(board.columns, board.rows, mines, first_click or known)


def picture_of(given: str, chosen: Chosen) -> tuple[Image, Grid] | None:
    """The picture that an argument names, and the grid of its board; None where it names no picture.

    Raises FormatError as `position` does.
    """
    from bot.vision.picture_file import load_picture
    from bot.vision.themes.theme import load_themes

    path = Path(given)
    if given == "-" or not given.strip() or not (_is_file(path) and path.is_file()):
        return None  # a pipe was read already
    with path.open("rb") as file:
        begin = file.read(8)
    if not any(begin.startswith(magic) for magic in PICTURES):
        return None
    image = load_picture(path)
    return image, _seen_in(image, chosen, load_themes(chosen.theme, complain)).grid


def _seen_in(image: Image, chosen: Chosen, themes: Sequence[Theme]) -> PictureReading:
    """The board of a picture that is meant."""
    from bot.vision.picture_reader import read_boards

    skins = [one.skin for one in themes]
    boards = read_boards(image, skins, only_known=chosen.theme is not None, size=chosen.size)
    last = len(boards) - 1
    if chosen.number is None and last:
        raise FormatError(f"{last + 1} boards were found: choose one with --board 0 to --board {last}")
    if chosen.number is not None and chosen.number > last:
        raise FormatError(f"there is no board {chosen.number}: {last + 1} found, the first is --board 0")
    return boards[chosen.number or 0]
