"""`minebot read`: pictures in, boards out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.parts.options import picture_options, refuse_overwriting
from bot.cli.parts.outputs import (
    PICTURES,
    OutputFile,
    complain,
    json_text,
    refuse_beside_json,
    text_beside,
    write_picture,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.vision.picture_reader import PictureReading

STDIN = Path("-")
"""Stands for standard input in the place of a file."""


@click.command("read", epilog="Example: minebot read screenshot.png --show seen.png")
@click.argument("pictures", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PICTURE…")
@picture_options
@click.option("--show", type=OutputFile(PICTURES), metavar="OUT.png", help="Draw what was seen; - is stdout.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a board.")
@click.pass_context
def command(
    context: click.Context,
    /,
    pictures: tuple[Path, ...],
    theme: str | None,
    size: tuple[int, int] | None,
    show: Path | None,
    as_json: bool,
) -> None:
    """Find the Minesweeper boards in each picture and print their cells.

    Boards of any skin are read: by a theme where one fits surely, else by what all skins share. A cell that
    cannot be read is printed as an exclamation mark, never guessed. Several boards come from the top to the
    bottom and left to right. Exit status 1 where a picture shows no board. `-` is standard input.

    With --json each board is an object on a line of its own: `image`, `board` (its number in the picture,
    from 0), `theme` (null where none fits), `columns`, `rows`, `grid` (`x`, `y`, `cell_width` and
    `cell_height` in pixels), `mines` (null where it is not known) and `cells`, a text a row: `#` covered, `F`
    flag, `?` question mark, `.` empty, `1` to `8`, `*` mine, `X` exploded, `x` wrong flag, `!` unread. A
    picture without a board gives `image` and `error`.
    """
    from bot.errors import BotError, UsageError
    from bot.vision.picture_reader import read_boards
    from bot.vision.themes.theme import load_skins

    if show is not None and len(pictures) > 1:
        raise UsageError("--show draws one picture: give one")
    if show is not None:
        refuse_overwriting(show, "--show", pictures)
    refuse_beside_json(show, "--show", as_json)
    skins = load_skins(theme, complain)
    failed = 0
    for path in pictures:
        try:
            image = load(path)
            boards = read_boards(image, skins, only_known=theme is not None, size=size)
            if show is not None:
                _draw(image, boards, show)
        except BotError as error:
            failed += 1
            if as_json:
                click.echo(json_text({"image": str(path), "error": str(error)}))
            click.echo(f"minebot: {path}: {error}", err=True)
            continue
        with text_beside(show):
            for number, seen in enumerate(boards):
                if as_json:
                    click.echo(json_text({"image": str(path), "board": number} | _described(seen)))
                    continue
                if len(pictures) > 1 or len(boards) > 1:
                    which = f", board {number}" if len(boards) > 1 else ""
                    click.echo(f"{path}{which}: {_caption(seen)}")
                click.echo(str(seen.board))
    context.exit(1 if failed else 0)


def load(path: Path) -> Any:
    """The picture in a file, or of standard input."""
    from bot.cli.parts.position_argument import standard_input
    from bot.vision.picture_file import load_picture, picture_in

    return picture_in(standard_input("a picture")) if path == STDIN else load_picture(path)


def _described(seen: PictureReading) -> dict[str, Any]:
    grid = seen.grid
    return {
        "theme": None if seen.skin is None else seen.skin.name,
        "columns": grid.columns,
        "rows": grid.rows,
        "grid": {
            "x": round(grid.x, 2),
            "y": round(grid.y, 2),
            "cell_width": round(grid.pitch[0], 3),
            "cell_height": round(grid.pitch[1], 3),
        },
        "mines": seen.mines,
        "cells": seen.board.lines,
    }


def _caption(seen: PictureReading) -> str:
    name = "no theme" if seen.skin is None else seen.skin.name
    cut = f", cut at the {' and '.join(seen.hidden_sides)}" if seen.hidden_sides else ""
    return f"{name}, {seen.grid.columns}x{seen.grid.rows} cells of {seen.grid.pitch[0]:.4g} pixels{cut}"


def _draw(image: Any, boards: Sequence[PictureReading], path: Path) -> None:
    from bot.recording.draw import draw_boards

    captions = tuple(_caption(seen) for seen in boards)
    write_picture(path, draw_boards(image, [(seen.grid, seen.board) for seen in boards], captions))
