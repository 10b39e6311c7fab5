"""Draws the themes of games that cannot be run here: `python -m theming.draw_themes [THEME...]`.

Sizes, colours, and the places of bevels and lines are known facts about the games. Digits, flags and mines
are our own, drawn from strokes; nothing is cut from anybody's pictures. So the cells of the game do not equal
the glyphs; each is only nearer to its own glyph than to any other. A cell that is near to none stays unread,
as in every theme.

Each theme is drawn into its folder in `templates/` and checked: a window with every kind of cell is painted,
found and read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from bot.board import SYMBOLS, Board, Cell
from bot.errors import BotError
from bot.files import shipped
from bot.practice.draw import GREY
from bot.practice.sketch import Colour, Image, blank
from bot.vision.skin_search import find_boards
from bot.vision.themes.theme import load_theme
from theming import drawn_classic as classic
from theming import drawn_windows7 as win7
from theming.collected_glyphs import CollectedGlyphs
from theming.cut import write_theme
from theming.plans import CutPlan, WindowPlan

MARGIN = 60
"""Pixels around the board of a painted window."""


@dataclass(frozen=True)
class Drawing:
    """How a theme is drawn."""

    theme: dict[str, Any]
    """The content of `theme.toml` except for the pictures and the border's colours."""
    pixels: Sequence[int]
    """The sizes of cells that are drawn, in pixels."""
    border: dict[str, tuple[int, int, int]]
    """The colours outside the board (red, green, blue) by its sides."""
    cell: Callable[[int, int, float], Image]
    """The picture of a cell from its code, its size in pixels and its place: 0 is the top left of the board,
    1 the bottom right."""
    places: Sequence[float] = (0.0,)
    """The places on the board at which cells are drawn, where their shades differ."""
    more: Callable[[int], CollectedGlyphs] = lambda size: CollectedGlyphs()
    """Further glyphs of a size in pixels."""

    def glyphs(self, size: int) -> CollectedGlyphs:
        """All glyphs of a size in pixels."""
        collected = CollectedGlyphs()
        for code, place in product(range(len(SYMBOLS)), self.places):
            if code != Cell.UNREAD:
                collected.add(code, self.cell(code, size, place))
        collected.join(self.more(size))
        return collected


DRAWINGS = {
    "classic": Drawing(classic.THEME, classic.PIXELS, classic.BORDER, classic.cell),
    "windows7": Drawing(win7.THEME, win7.PIXELS, win7.BORDER, win7.cell, win7.PLACES, win7.other_digits),
}

EVERYTHING = Board.parse("#.12345678\nF?*Xx#....\n####......\n####..1111\n######..2#\n######..1#")
"""A board with every kind of cell."""


def draw(folder: Path, drawing: Drawing) -> None:
    """Draw a theme into a folder, and check it. Raises BotError where it does not read itself."""
    windows = [WindowPlan(folder=f"{size}px", cell=(size, size), origin=(0, 0)) for size in drawing.pixels]
    glyph_sets = [(window, drawing.glyphs(window.cell[0])) for window in windows]
    write_theme(folder, CutPlan(theme=drawing.theme, windows=windows), glyph_sets, drawing.border)
    skin = load_theme(folder).skin
    for size in drawing.pixels:
        found = find_boards(window_of(drawing, EVERYTHING, size), [skin], any_pitch=False)
        if [one.reading.board for one in found] != [EVERYTHING] or found[0].hidden_sides:
            raise BotError(f"{folder}: a window with every kind of cell is not read at {size} pixels")


def window_of(drawing: Drawing, board: Board, size: int, around: Colour = GREY) -> Image:
    """A picture of a board of a drawn theme, in its border, on a window of a colour (blue, green, red)."""
    border = max(1, round(drawing.theme["border_width"] * size / drawing.pixels[0]))
    start, right, bottom = MARGIN, MARGIN + board.columns * size, MARGIN + board.rows * size
    picture = blank(right + MARGIN, bottom + MARGIN, around)
    sides = {side: colour[::-1] for side, colour in drawing.border.items()}
    picture[start - border : bottom + border, start - border : start] = sides["left"]
    picture[start - border : bottom + border, right : right + border] = sides["right"]
    picture[start - border : start, start - border : right] = sides["top"]
    picture[bottom : bottom + border, start : right + border] = sides["bottom"]
    for row, column in np.ndindex(board.codes.shape):
        x, y = start + column * size, start + row * size
        place = (row + 0.5 + column + 0.5) / (board.rows + board.columns)
        picture[y : y + size, x : x + size] = drawing.cell(board[row, column], size, place)
    return picture


def main(names: Sequence[str]) -> int:
    """Draw the named themes, or all of them, where the others lie and say so."""
    unknown = [name for name in names if name not in DRAWINGS]
    if unknown:
        sys.stderr.write(
            f"no theme {', '.join(unknown)} is drawn: there are {', '.join(DRAWINGS)}\n"
            "usage: python -m theming.draw_themes [THEME...]\n"
        )
        return 2
    for name in names or list(DRAWINGS):
        folder = shipped("templates") / name
        try:
            draw(folder, DRAWINGS[name])
        except BotError as error:
            sys.stderr.write(f"{error}\n")
            return error.exit_status
        sys.stdout.write(f"{folder}: drawn at {len(DRAWINGS[name].pixels)} sizes, checked\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
