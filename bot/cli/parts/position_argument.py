"""A position on the command line: board text, a file with it, standard input, or a picture of a board."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import FormatError

if TYPE_CHECKING:
    from bot.board import Board, FirstClick, Rules

LETTERS = ".12345678#F?*Xx!"
"""The letters of `bot.board.SYMBOLS`, which imports numpy: too slow for the help."""

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


def position(
    given: str, mines: int | None, first_click: FirstClick | None, theme: str | None
) -> tuple[Board, Rules]:
    """The board that an argument of the command line stands for, and what is known of its rules.

    `-` is standard input, the name of a file is that file, and anything else must be board text with its rows
    separated by newlines or `/`. `mines` and `first_click` override what a picture shows. Raises FormatError
    if nothing can be read, UsageError for an impossible number of mines.
    """
    from bot.board import Board, FirstClick, Rules

    path = Path(given)
    if given == "-":
        text = _text(sys.stdin.buffer.read(), "standard input")
    elif given.strip() and _is_file(path):
        try:
            content = path.read_bytes()
        except OSError as error:
            raise FormatError(f"it cannot be read: {error.strerror or error}") from None
        if any(content.startswith(magic) for magic in PICTURES):
            return _from_picture(path, mines, first_click, theme)
        text = _text(content, "the file")
    elif "\n" in given or "#" in given or (given.strip() and set(given) <= set(LETTERS + "/ ")):
        text = given
    else:
        raise FormatError(
            "there is no such file, and it is no board text: give a file, a picture, -, or rows as in '1#/##'"
        )
    board = Board.parse(text.replace("/", "\n"))
    return board, Rules(board.columns, board.rows, mines, first_click or FirstClick.SAFE)


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
    path: Path, mines: int | None, first_click: FirstClick | None, theme: str | None
) -> tuple[Board, Rules]:
    from bot.board import FirstClick, Rules
    from bot.cli.read import load
    from bot.vision.picture_reader import read_picture
    from bot.vision.themes.theme import load_themes

    themes = load_themes(theme)
    seen = read_picture(load(path), [one.skin for one in themes], only_known=theme is not None)
    board = seen.board
    if mines is None:
        mines = seen.mines
    known = FirstClick.SAFE
    if seen.skin is not None:
        mines = seen.skin.usual_mines(board.columns, board.rows) if mines is None else mines
        known = next(one.behaviour.first_click for one in themes if one.skin is seen.skin)
    return board, Rules(board.columns, board.rows, mines, first_click or known)
