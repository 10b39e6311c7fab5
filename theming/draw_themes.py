"""Draws the themes of games that cannot be run here: `python -m theming.draw_themes [THEME...]`.

What is known of their looks are facts: sizes, colours, where bevels and lines lie. Digits, flags and mines
are our own, drawn from strokes; nothing is cut from anybody's pictures. So cells are not equal to the
theme's, only nearer to one of its looks than to any other; where one is near to none it stays unread, as in
every theme.

Each is drawn into its folder in `templates/` and checked: a window with every kind of cell is painted, found
and read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.board import SYMBOLS, Board, Cell
from bot.errors import BotError
from bot.files import shipped
from bot.practice.draw import GREY
from bot.practice.sketch import Colour, Image, blank
from bot.vision.skin_search import find_boards
from bot.vision.themes.theme import load_theme
from theming import drawn_classic, drawn_windows7
from theming.collected_glyphs import Looks
from theming.cut import write_theme
from theming.plans import CutPlan, WindowPlan

CellOf = Callable[[int, int, float], Image]
"""The picture of a cell from its code, its size in pixels and where on the board it lies: 0 at the top left,
1 at the bottom right."""


@dataclass(frozen=True)
class Drawing:
    """How a theme is drawn."""

    theme: dict[str, Any]
    """What `theme.toml` says but for the pictures and the border's colours."""
    pixels: Sequence[int]
    """The sizes of cells that are drawn."""
    border: dict[str, tuple[int, int, int]]
    """The colours outside the board by its sides: red, green, blue."""
    cell: CellOf
    shades: Sequence[float] = (0.0,)
    """The places between the two corners of the board at which cells are drawn."""
    more: Callable[[int], Looks] = lambda size: Looks()
    """Looks besides those, of cells of so many pixels."""

    def looks(self, size: int) -> Looks:
        """Every look of a cell of so many pixels."""
        looks = Looks()
        for code in range(len(SYMBOLS)):
            if code != Cell.UNREAD:
                for part in self.shades:
                    looks.add(code, self.cell(code, size, part))
        looks.join(self.more(size))
        return looks


DRAWINGS = {
    "classic": Drawing(drawn_classic.THEME, drawn_classic.PIXELS, drawn_classic.BORDER, drawn_classic.cell),
    "windows7": Drawing(
        drawn_windows7.THEME,
        drawn_windows7.PIXELS,
        drawn_windows7.BORDER,
        drawn_windows7.cell,
        drawn_windows7.SHADES,
        drawn_windows7.doubtful,
    ),
}

EVERYTHING = Board.parse("#.12345678\nF?*Xx#....\n####......\n####..1111\n######..2#\n######..1#")


def draw(folder: Path, drawing: Drawing) -> None:
    """Draw a theme into a folder, and check it. Raises BotError where it does not read itself."""
    windows = [WindowPlan(folder=f"{size}px", cell=(size, size), origin=(0, 0)) for size in drawing.pixels]
    cuts = [(window, drawing.looks(window.cell[0])) for window in windows]
    write_theme(folder, CutPlan(theme=drawing.theme, windows=windows), cuts, drawing.border)
    theme = load_theme(folder)
    for size in drawing.pixels:
        found = find_boards(window_of(drawing, EVERYTHING, size), [theme.skin], any_pitch=False)
        if [one.reading.board for one in found] != [EVERYTHING] or found[0].hidden_sides:
            raise BotError(f"{folder}: a window with every kind of cell is not read at {size} pixels")


def window_of(drawing: Drawing, board: Board, size: int, around: Colour = GREY) -> Image:
    """A picture of a board of a drawn theme, in its border, on a window of a colour (blue, green, red)."""
    edge = 60
    theme = drawing.theme
    thick = max(1, round(theme["border_width"] * size / drawing.pixels[0]))
    width, height = board.columns * size, board.rows * size
    picture = blank(width + 2 * edge, height + 2 * edge, around)
    sides = {side: colour[::-1] for side, colour in drawing.border.items()}
    outer = slice(edge - thick, edge + height + thick)
    picture[outer, edge - thick : edge] = sides["left"]
    picture[outer, edge + width : edge + width + thick] = sides["right"]
    picture[edge - thick : edge, edge - thick : edge + width] = sides["top"]
    picture[edge + height : edge + height + thick, edge : edge + width + thick] = sides["bottom"]
    for row in range(board.rows):
        for column in range(board.columns):
            x, y = edge + column * size, edge + row * size
            part = (row + 0.5 + column + 0.5) / (board.rows + board.columns)
            picture[y : y + size, x : x + size] = drawing.cell(board[row, column], size, part)
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
