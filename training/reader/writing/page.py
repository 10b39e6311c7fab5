"""Lines of characters, with a board among them."""

from __future__ import annotations

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw

from bot.board import Board
from training.reader.paint.boards import Picture
from training.reader.paint.colours import Colour, Rng, contrasting
from training.reader.paint.fonts import font
from training.reader.writing.looks import FRAMES, Writing, has

TITLES = ("Minesweeper", "mines: 10", "== MINES ==", "Level 2   00:42", "flags 3/10", "$ ./mines")
PROMPTS = ("> ", "Your move: ", "open or flag? ", "q quits", "x y: ", "Enter row and column:")


class Page:
    """Lines of characters of one size."""

    def __init__(self, look: Writing, columns: int, lines: int, *, is_smooth: bool) -> None:
        self._look = look
        self._image = Pillow.new("RGB", (columns * look.across, lines * look.down), look.paper)
        self._draw = ImageDraw.Draw(self._image)
        self._draw.fontmode = "L" if is_smooth else "1"
        self._font = font(look.font, look.size)
        ascent, descent = self._font.getmetrics()
        self._base = (look.down - ascent - descent) // 2 + ascent + look.lowered

    def ground(self, column: int, line: int, wide: int, high: int, colour: Colour) -> None:
        """Colour the ground of some characters."""
        x, y = column * self._look.across, line * self._look.down
        box = (x, y, x + wide * self._look.across - 1, y + high * self._look.down - 1)
        self._draw.rectangle(box, fill=colour)

    def text(self, column: int, line: int, text: str, ink: Colour) -> None:
        """Write a text."""
        for number, character in enumerate(text):
            if character != " ":
                place = ((column + number) * self._look.across, line * self._look.down + self._base)
                self._draw.text(place, character, fill=ink, font=self._font, anchor="ls")

    def cell(self, board: Board, row: int, column: int, left: int, top: int) -> None:
        """Write a cell of a board whose first character is at a place."""
        look, code = self._look, int(board.codes[row, column])
        across, down = look.pitch
        x, y = left + column * across + look.is_framed, top + row * down + (down > look.high)
        wide = look.wide + 2 * (look.frame == "brackets")
        if look.grounds[code] != look.paper:
            self.ground(x, y, wide, look.high, look.grounds[code])
        if look.frame == "brackets":
            ink = contrasting(look.ink, look.grounds[code], 60)
            self.text(x, y, f"[{' ' * look.wide}]", ink)
            x += 1
        self.text(x + look.column, y + look.line, look.signs[code], look.inks[code])

    def picture(self) -> Picture:
        """What is written: (height, width, 3), red, green, blue."""
        return np.array(self._image)


def write_frame(page: Page, board: Board, look: Writing, left: int, top: int) -> None:
    """The lines between the cells."""
    upright, level, cross = (
        one if has(look.font, one) else "|-+"[place] for place, one in enumerate(FRAMES[look.frame])
    )
    across, down = look.pitch
    has_lines = down > look.high
    for line in range(board.rows * down + has_lines):
        if has_lines and line % down == 0:
            page.text(left, top + line, (cross + level * look.wide) * board.columns + cross, look.ink)
        else:
            for column in range(board.columns + 1):
                page.text(left + column * across, top + line, upright, look.ink)


def write_around(rng: Rng, page: Page, board: Board, look: Writing, left: int, top: int) -> None:
    """What stands around a board: a title, a question, numbers of its rows and letters of its columns."""
    across, down = look.pitch
    bottom = top + board.rows * down + 1
    if top >= 2:
        page.text(int(rng.integers(3)), 0, TITLES[rng.integers(len(TITLES))], look.ink)
    if rng.random() < 0.5:
        page.text(0, bottom + 1, PROMPTS[rng.integers(len(PROMPTS))], look.ink)
    if rng.random() < 0.3:
        first = "A1a0"[rng.integers(4)]
        skip = look.frame != ""
        for column in range(board.columns):
            name = str((column + 1) % 10) if first.isdigit() else chr(ord(first) + column % 26)
            page.text(left + column * across + skip + look.column, top - 1, name, look.ink)
        for row in range(board.rows):
            number = f"{row + 1:2d}"
            place = left - 3 if left >= 3 else left - 2
            page.text(place, top + row * down + look.line + (down > look.high), number, look.ink)
