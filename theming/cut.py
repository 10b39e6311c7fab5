"""Cuts themes from real windows, and checks them: `python -m theming.cut winmine practice`.

The `cut.toml` in a theme's folder says what is cut: to add a theme, add a folder with that file and run this.
The window is played on a virtual screen, its cells are written as pictures and as `theme.toml`, and the theme
is then used to find and read a new window of the game.
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

import numpy as np

from bot.board import SYMBOLS, Cell
from bot.calibrate.save.theme_writer import glyph_file, write_picture
from bot.errors import BotError
from bot.files import write_whole
from bot.screen.display import ensure_display
from bot.screen.this_machine import system_capture
from bot.tables import toml_bytes
from bot.vision.skin_search import find_boards
from bot.vision.themes.theme import load_theme
from theming.collected_glyphs import CollectedGlyphs
from theming.cutter import Cutter
from theming.plans import CutPlan, WindowPlan, load_plan, plan_folders, program_for

SCREEN = (2560, 2048)
"""Width and height of the virtual screen in pixels: room for 24x24 cells of 64 pixels."""

CHECKED, DRAWN_S = (16, 12, 30), 1.0
"""Columns, rows and mines of the window that a new theme is checked on, and how long it may take to draw."""


def write_theme(
    folder: Path,
    plan: CutPlan,
    glyph_sets: Sequence[tuple[WindowPlan, CollectedGlyphs]],
    border: dict[str, tuple[int, int, int]],
) -> None:
    """Write the pictures and `theme.toml`; `border` are the colours (red, green, blue) outside its sides."""
    cuts: list[dict[str, Any]] = []
    for window, collected in glyph_sets:
        pictures = folder / window.folder
        shutil.rmtree(pictures, ignore_errors=True)  # pictures of an earlier cut
        glyphs: dict[str, list[str]] = {}
        hovered: list[str] = []
        for content in sorted(collected.hovered - collected.codes.keys()):
            shape = window.cell[1], window.cell[0], 3
            collected.add(Cell.COVERED, np.frombuffer(content, np.uint8).reshape(shape))
        for code, by_content in sorted(collected.glyphs.items()):
            for index, (content, picture) in enumerate(by_content.items()):
                file = glyph_file(code, index)
                write_picture(pictures / file, picture)
                glyphs.setdefault(SYMBOLS[code], []).append(file)
                if code != Cell.COVERED and content in collected.hovered:
                    hovered.append(file)
        faces = {mood: f"face_{mood}.png" for mood in collected.faces}
        for mood, picture in collected.faces.items():
            write_picture(pictures / faces[mood], picture)
        digits = {one: f"digit_{'minus' if one == '-' else one}.png" for one in sorted(collected.digits)}
        for digit, picture in collected.digits.items():
            write_picture(pictures / digits[digit], picture)
        cut = {"folder": window.folder, "cell": list(window.cell), "glyphs": glyphs}
        cuts.append(cut | {"faces": faces, "digits": digits} | ({"hovered": hovered} if hovered else {}))
    table = plan.theme | {"border": {side: list(colour) for side, colour in border.items()}}
    text = toml_bytes(table | {"cuts": cuts}).decode()
    write_whole(folder / "theme.toml", _short_lists(text).encode())


def _short_lists(toml: str) -> str:
    """The same TOML with every list of plain values on one line."""
    return re.sub(
        r"\[\s*([^\[\]{}]*?),\s*\]", lambda found: "[" + re.sub(r"\s*\n\s*", " ", found[1]) + "]", toml
    )


def cut(folder: Path) -> str:
    """Cut the theme of a folder and check it; gives what was done in a line. Raises BotError."""
    plan = load_plan(folder)
    for window in plan.windows:
        program_for(window)  # what cannot be started is reported before anything is played
    glyph_sets: dict[str, tuple[WindowPlan, CollectedGlyphs]] = {}
    border: dict[str, tuple[int, int, int]] = {}
    for window in plan.windows:
        cutter = Cutter(plan, window, random.Random(1))
        collected = cutter.cut()
        border = border or cutter.border
        # Several skins of one size are one set of glyphs: a window may change its skin at any time.
        known = glyph_sets.setdefault(window.folder, (window, collected))[1]
        if known is not collected:
            known.join(collected)
    write_theme(folder, plan, list(glyph_sets.values()), border)
    check(folder, plan)
    kinds = sum(len(collected.glyphs) for _, collected in glyph_sets.values())
    return f"{folder}: {kinds} kinds of cells, checked"


def check(folder: Path, plan: CutPlan) -> None:
    """Load a theme and find new windows of the game with it. Raises BotError where that fails."""
    skin = load_theme(folder).skin
    columns, rows, mines = CHECKED
    for window in plan.windows:
        program = program_for(window)
        try:
            window_rect = program.start(columns, rows, mines).rect
            time.sleep(DRAWN_S)
            found = find_boards(system_capture().grab(window_rect), [skin])
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
