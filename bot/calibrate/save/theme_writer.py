"""What the files of a learned window have in common: names, pictures, whole folders."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2

from bot import __version__
from bot.board import Cell
from bot.errors import BotError, UsageError
from bot.files import user_data, write_whole
from bot.screen.windows import Window
from bot.vision.grid import Grid, Image
from bot.vision.themes.theme import SCHEMA


def check_name(name: str) -> str:
    """A name for a theme and a calibration; raises UsageError for one that is no good as a file's name."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,39}", name):
        raise UsageError(
            f"{name!r} is no name for a calibration: --name gives one, of at most 40 small letters, digits,"
            " - and _"
        )
    return name


def name_from(title: str) -> str:
    """A name made of a window's title."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "window"


def glyph_file(code: int, index: int) -> str:
    """The name of the file of a glyph, the first, second, … of its code."""
    word = str(code) if code <= 8 else Cell(code).name.lower()
    return f"cell_{word}{f'_{index + 1}' if index else ''}.png"


def learned_spec(window: Window, grid: Grid, size: tuple[int, int], made_by: str) -> dict[str, Any]:
    """What the `theme.toml` of every learned window has, whatever was learned; `size` is the width and the
    height of the picture of the window, in pixels, `made_by` a command."""
    rect = grid.rect
    width, height = size
    program = window.program or window.title
    return {
        "schema": SCHEMA,
        "title": window.title or program,
        "learned": True,
        "chord": "none",
        "border_width": 0,
        "border": {},
        "source": {
            "program": program,
            "licence": "for your own use: pictures of the program that drew them",
            "made_by": f"{made_by} {__version__}",
        },
        "margins": {
            "left": max(0, rect.x),
            "top": max(0, rect.y),
            "right": max(0, width - rect.right),
            "bottom": max(0, height - rect.bottom),
        },
    }


def write_picture(path: Path, picture: Image) -> None:
    """Write a PNG. Raises BotError where the picture cannot be encoded, OSError as any write does."""
    written, data = cv2.imencode(".png", picture)
    if not written:
        raise BotError(f"{path} could not be written as a picture")
    write_whole(path, data.tobytes())


@contextmanager
def replaced(folder: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the place of an older one once the body ends without an error."""
    mark = secrets.token_hex(4)
    # Not in the folder of the themes: half a theme must never be taken for one.
    filled = user_data() / "calibrating" / f"{folder.name}-{mark}"
    filled.mkdir(parents=True)
    try:
        yield filled
        folder.parent.mkdir(parents=True, exist_ok=True)
        old = filled.with_name(f"{folder.name}-{mark}-old")
        if folder.exists():
            folder.rename(old)
        filled.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(filled, ignore_errors=True)
