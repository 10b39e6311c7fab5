"""`minebot read`: pictures in, boards out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.parts.options import refuse_overwriting

if TYPE_CHECKING:
    from bot.vision.picture_reader import PictureReading


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

    Boards of any skin are read: by a theme where one fits, else by what all skins share. A cell that
    cannot be read is printed as an exclamation mark, never guessed. Exit status 1 where a picture shows no
    board, or more than one.
    """
    from bot.errors import BotError, UsageError
    from bot.vision.picture_reader import read_picture
    from bot.vision.themes.theme import load_skins

    if show is not None and len(pictures) > 1:
        raise UsageError("--show draws one picture: give one")
    if show is not None:
        refuse_overwriting(show, "--show", pictures)
    skins = load_skins(theme)
    failed = 0
    for path in pictures:
        try:
            image = load(path)
            seen = read_picture(image, skins, only_known=theme is not None)
            if show is not None:
                _draw(image, seen, show)
        except BotError as error:
            failed += 1
            if as_json:
                click.echo(json.dumps({"image": str(path), "error": str(error)}))
            click.echo(f"minebot: {path}: {error}", err=True)
            continue
        if as_json:
            click.echo(json.dumps({"image": str(path)} | _described(seen)))
        else:
            if len(pictures) > 1:
                click.echo(f"{path}: {_caption(seen)}")
            click.echo(str(seen.board))
    context.exit(1 if failed else 0)


def load(path: Path) -> Any:
    """The picture in a file."""
    from bot.vision.picture_file import load_picture

    return load_picture(path)


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


def _draw(image: Any, seen: PictureReading, path: Path) -> None:
    from bot.errors import BotError
    from bot.files import write_whole
    from bot.recording.draw import draw
    from bot.recording.pictures import encode_png

    picture = encode_png(draw(image, seen.grid, seen.board, caption=(_caption(seen),)))
    try:
        write_whole(path, picture)
    except OSError as error:
        raise BotError(
            f"{path} cannot be written ({error.strerror}): name another file with --show"
        ) from None
