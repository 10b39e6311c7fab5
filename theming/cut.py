"""Cuts themes from real windows, and checks them: `python -m theming.cut winmine practice`.

What can be cut is said by data: the `cut.toml` in a theme's folder. Adding a theme is adding a folder
with that file and running this. The window is played on a virtual screen, its looks are written as pictures
and as `theme.toml`, and the theme is then used to find and read a new window of the game.
"""

from __future__ import annotations

import random
import re
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import tomli_w

from bot.board import SYMBOLS, Cell
from bot.errors import BotError
from bot.files import write_whole
from bot.screen.display import ensure_display
from bot.screen.this_machine import system_capture
from bot.vision.grid import Image
from bot.vision.skin_search import find_boards
from bot.vision.themes.theme import load_theme
from theming.collected_glyphs import Looks
from theming.cutter import Cutter
from theming.plans import CutPlan, WindowPlan, load_plan, plan_folders, program_for

SCREEN = (2560, 2048)
"""The virtual screen: room for 24x24 cells of 64 pixels."""

CHECKED = (16, 12, 30)
"""Columns, rows and mines of the window that a new theme is checked on."""


def write_theme(
    folder: Path,
    plan: CutPlan,
    cuts: Sequence[tuple[WindowPlan, Looks]],
    border: dict[str, tuple[int, int, int]],
) -> None:
    """Write the pictures and `theme.toml`."""
    described: list[dict[str, Any]] = []
    for window, looks in cuts:
        name = window.folder
        shutil.rmtree(folder / name, ignore_errors=True)  # pictures of an earlier cut
        glyphs: dict[str, list[str]] = {}
        hovered: list[str] = []
        told = {look for pictures in looks.glyphs.values() for look in pictures}
        for look in sorted(looks.hovered - told):
            shape = window.cell[1], window.cell[0], 3
            looks.add(Cell.COVERED, np.frombuffer(look, np.uint8).reshape(shape))
        for code in sorted(looks.glyphs):
            for index, (look, picture) in enumerate(looks.glyphs[code].items()):
                file = f"cell_{_file_name(code)}{f'_{index + 1}' if index else ''}.png"
                _write_picture(folder / name / file, picture)
                glyphs.setdefault(SYMBOLS[code], []).append(file)
                if code != Cell.COVERED and look in looks.hovered:
                    hovered.append(file)
        faces = {mood: f"face_{mood}.png" for mood in looks.faces}
        for mood, picture in looks.faces.items():
            _write_picture(folder / name / faces[mood], picture)
        digits = {digit: f"digit_{'minus' if digit == '-' else digit}.png" for digit in sorted(looks.digits)}
        for digit, picture in looks.digits.items():
            _write_picture(folder / name / digits[digit], picture)
        cut = {"folder": name, "cell": list(window.cell), "glyphs": glyphs, "faces": faces, "digits": digits}
        described.append(cut | ({"hovered": hovered} if hovered else {}))
    content = plan.theme | {"border": {side: list(colour) for side, colour in border.items()}}
    text = tomli_w.dumps(content | {"cuts": described})
    write_whole(folder / "theme.toml", _short_lists(text).encode())


def _short_lists(toml: str) -> str:
    """The same TOML with every list of plain values on one line."""
    return re.sub(
        r"\[\s*([^\[\]{}]*?),\s*\]", lambda found: "[" + re.sub(r"\s*\n\s*", " ", found[1]) + "]", toml
    )


def _file_name(code: int) -> str:
    return str(code) if code <= 8 else Cell(code).name.lower()


def _write_picture(path: Path, picture: Image) -> None:
    written, data = cv2.imencode(".png", picture)
    if not written:
        raise BotError(f"{path} could not be written as a picture")
    write_whole(path, data.tobytes())


def cut(folder: Path) -> str:
    """Cut the theme of a folder and check it; gives what was done in a line. Raises BotError."""
    plan = load_plan(folder)
    for window in plan.windows:
        program_for(window)  # what cannot be started is told before anything is played
    cuts: dict[str, tuple[WindowPlan, Looks]] = {}
    border: dict[str, tuple[int, int, int]] = {}
    for window in plan.windows:
        cutter = Cutter(plan, window, random.Random(1))
        looks = cutter.cut()
        border = border or cutter.border
        # Several skins of one size are one set of pictures: a window may change its skin at any time.
        if window.folder in cuts:
            cuts[window.folder][1].join(looks)
        else:
            cuts[window.folder] = window, looks
    write_theme(folder, plan, list(cuts.values()), border)
    check(folder, plan)
    return f"{folder}: {sum(len(looks.glyphs) for _, looks in cuts.values())} kinds of cells, checked"


def check(folder: Path, plan: CutPlan) -> None:
    """Load a theme and find new windows of the game with it. Raises BotError where that fails."""
    theme = load_theme(folder)
    columns, rows, mines = CHECKED
    for window in plan.windows:
        program = program_for(window)
        try:
            inside = program.start(columns, rows, mines)
            time.sleep(1)
            found = find_boards(system_capture().grab(inside), [theme.skin])
        finally:
            program.stop()
        sizes = [(one.grid.columns, one.grid.rows) for one in found if not one.hidden_sides]
        if sizes != [(columns, rows)]:
            raise BotError(f"{folder}: a new window of {columns}x{rows} cells was not found, but {sizes}")
        if found[0].reading.board.count(Cell.UNREAD):
            raise BotError(f"{folder}: the cells of a new window cannot all be read")


def main(names: Sequence[str]) -> int:
    """Cut the named themes, or all of them, on a virtual screen and say where they lie."""
    folders = plan_folders()
    names = names or list(folders)
    unknown = [name for name in names if name not in folders]
    if unknown:
        sys.stderr.write(
            f"no cut.toml says how to cut {', '.join(unknown)}; there are: {', '.join(folders)}\n"
            "usage: python -m theming.cut [THEME...], as in: python -m theming.cut winmine\n"
        )
        return 2
    try:
        with ensure_display(headless=True, size=SCREEN):
            for name in names:
                sys.stdout.write(f"{cut(folders[name])}\n")
    except BotError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
