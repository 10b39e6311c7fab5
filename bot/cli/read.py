"""`minebot read`: pictures in, boards out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from bot.vision.locate import Found


@click.command("read", epilog="Example: minebot read screenshot.png --show seen.png")
@click.argument("pictures", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PICTURE…")
@click.option("--theme", metavar="THEME", help="Look only for this theme.")
@click.option("--show", type=click.Path(path_type=Path), metavar="OUT.png", help="Draw what was seen.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a picture.")
@click.pass_context
def command(
    context: click.Context, /, pictures: tuple[Path, ...], theme: str | None, show: Path | None, as_json: bool
) -> None:
    """Find the Minesweeper board in each picture and print its cells.

    A cell that cannot be read is printed as an exclamation mark, never guessed. Exit status 1 where a
    picture shows no board that is known, or more than one.
    """
    from bot.errors import BotError, UsageError
    from bot.vision.theme import load_themes

    if show is not None and len(pictures) > 1:
        raise UsageError("--show draws one picture: give one")
    themes = load_themes(theme)
    failed = 0
    for path in pictures:
        try:
            image = load(path)
            found = only_board(image, themes)
            if show is not None:
                _draw(image, found, show)
        except BotError as error:
            failed += 1
            if as_json:
                click.echo(json.dumps({"image": str(path), "error": str(error)}))
            click.echo(f"minebot: {path}: {error}", err=True)
            continue
        if as_json:
            click.echo(json.dumps({"image": str(path)} | _described(found)))
        else:
            grid = found.grid
            if len(pictures) > 1:
                click.echo(f"{path}: {found.theme.name}, {grid.columns}x{grid.rows}")
            click.echo(str(found.reading.board))
    context.exit(1 if failed else 0)


def load(path: Path) -> Any:
    """The picture in a file."""
    from bot.vision.picture import load_picture

    return load_picture(path)


def only_board(image: Any, themes: Any) -> Found:
    """The one board that a picture shows; raises FormatError for none, and for more."""
    from bot.errors import FormatError
    from bot.vision.locate import locate

    found = locate(image, themes)
    if not found:
        names = ", ".join(sorted(theme.name for theme in themes))
        raise FormatError(f"no board that is known here was found (known: {names})")
    if len(found) > 1:
        raise FormatError(f"{len(found)} boards were found: cut the picture to one of them")
    return found[0]


def _described(found: Found) -> dict[str, Any]:
    from bot.board import Cell

    grid, reading = found.grid, found.reading
    mines = None if reading.counter is None else reading.counter + reading.board.count(Cell.FLAG)
    return {
        "theme": found.theme.name,
        "columns": grid.columns,
        "rows": grid.rows,
        "grid": {
            "x": grid.x,
            "y": grid.y,
            "cell_width": grid.pitch[0],
            "cell_height": grid.pitch[1],
        },
        "mines": mines,
        "cells": reading.board.lines,
    }


def _draw(image: Any, found: Found, path: Path) -> None:
    from bot.errors import BotError
    from bot.files import write_whole
    from bot.recording.draw import draw
    from bot.recording.pictures import encode_png

    grid = found.grid
    caption = f"{found.theme.name}: {grid.columns}x{grid.rows} cells"
    picture = encode_png(draw(image, grid, found.reading.board, caption=(caption,)))
    try:
        write_whole(path, picture)
    except OSError as error:
        raise BotError(
            f"{path} cannot be written ({error.strerror}): name another file with --show"
        ) from None
