"""Boards in text in a terminal window (xterm) on a virtual screen."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bot.board import Board
from bot.errors import ScreenError
from bot.geometry import Rect
from bot.screen.display import ensure_display
from bot.screen.mss_capture import MssCapture
from bot.vision.grid import Grid, Image
from training.reader.paint.colours import (
    BLACK,
    WHITE,
    Colour,
    Rng,
    any_colour,
    contrasting,
    distance,
    shifted,
)
from training.reader.paint.readable import is_readable
from training.reader.samples import LabelledBoard, LabelledPicture
from training.reader.toolkits.schemes import Scheme, random_scheme

SCREEN = 1920, 1200
MARKER: Colour = (255, 0, 254)
"""A colour that nothing else has: a rectangle of it shows where the board will lie."""
LAST: Colour = (254, 0, 255)
"""Another one: a character of it is drawn last, and shows that all else is there."""
START_S, DRAW_S, POLL_S = 60.0, 20.0, 0.05
"""How long the terminal may take to start and to draw, and how often we look, in seconds."""
FONTS = (
    "DejaVu Sans Mono",
    "Liberation Mono",
    "Hack",
    "JetBrains Mono",
    "Fira Code",
    "Inconsolata",
    "Nimbus Mono PS",
)
FRAMES = ("none", "none", "lines", "ascii", "bars")
"""What stands between cells: nothing, box lines, `+--+` lines, or only `|`."""
COVERED_SIGNS = ".#■░▒·?"


@dataclass(frozen=True)
class _Layout:
    """How a cell is made of characters."""

    wide: int
    high: int
    frame: str
    sign: str
    """What stands on a covered cell; a space where its colour says it."""
    coloured: bool
    """Whether covered cells have a ground of their own."""

    @property
    def pitch(self) -> tuple[int, int]:
        """Columns and rows of characters from one cell to the next."""
        return self.wide + (self.frame != "none"), self.high + (self.frame in ("lines", "ascii"))


@contextmanager
def screen() -> Iterator[TerminalScreen]:
    """A virtual screen for terminals; raises ScreenError without xterm."""
    if shutil.which("xterm") is None:
        raise ScreenError("there is no xterm: apt-get install xterm")
    with ensure_display(headless=True, size=SCREEN):
        capture = MssCapture()
        try:
            yield TerminalScreen(capture)
        finally:
            capture.close()


class TerminalScreen:
    """Starts a terminal a picture."""

    def __init__(self, capture: MssCapture) -> None:
        self._capture = capture

    def draw(self, rng: Rng, name: str, board: Board) -> LabelledPicture | None:
        """A picture of a terminal with a board; None if its cells cannot be told apart or it is too large."""
        layout, scheme, paper = _random_look(rng)
        font, size = FONTS[rng.integers(len(FONTS))], int(rng.integers(8, 17))
        left, top = int(rng.integers(0, 12)), int(rng.integers(0, 5))
        across = left + board.columns * layout.pitch[0] + 1 + int(rng.integers(0, 12))
        down = top + board.rows * layout.pitch[1] + 2 + int(rng.integers(0, 5))
        if across * size * 0.85 > SCREEN[0] - 60 or down * size * 1.8 > SCREEN[1] - 60:
            return None
        with tempfile.TemporaryDirectory() as folder:
            where = Path(folder) / "tty"
            holder = f"tty > {shlex.quote(str(where))}.part; mv {shlex.quote(str(where))}.part "
            holder += f"{shlex.quote(str(where))}; stty -echo; exec sleep 600"
            colours = ["-bg", _hex(paper), "-fg", _hex(contrasting(WHITE, paper, 100))]
            across, down = max(across, 24), max(down, 6)
            place = f"{across}x{down}+{rng.integers(0, 40)}+{rng.integers(0, 40)}"
            border = ["-b", str(int(rng.integers(0, 12))), "-bw", "0", "+sb", "-u8"]
            command = ["xterm", "-fa", font, "-fs", str(size), "-geometry", place, *border, *colours]
            terminal = subprocess.Popen([*command, "-e", "sh", "-c", holder], stderr=subprocess.DEVNULL)
            try:
                _wait_for(where)
                tty = where.read_text().strip()
                found = self._drawn(
                    rng, tty, board, layout, scheme, paper, (left, top), (across - 1, down - 1)
                )
            finally:
                terminal.terminate()
                terminal.wait()
        if found is None:
            return None
        image, grid = found
        if min(grid.cell_width, grid.cell_height) < 11 or not is_readable(
            np.ascontiguousarray(image[:, :, ::-1]), grid, board
        ):
            return None
        look = {
            "font": font,
            "inks": scheme.inks_name,
            "cells": f"terminal {layout.wide}x{layout.high}, {layout.frame}",
        }
        look |= {"flag": scheme.flag, "mine": scheme.mine, "sign": layout.sign}
        return LabelledPicture(name, image, (LabelledBoard(grid, board, look),), "terminal")

    def _drawn(
        self,
        rng: Rng,
        tty: str,
        board: Board,
        layout: _Layout,
        scheme: Scheme,
        paper: Colour,
        corner: tuple[int, int],
        end: tuple[int, int],
    ) -> tuple[Image, Grid] | None:
        """The picture, and the grid as the marker has shown it; `end` is a free place of the terminal."""
        across, down = layout.pitch
        columns, rows = board.columns * across, board.rows * down
        _write(tty, _clear(paper) + _rectangle(corner, columns, rows, MARKER))
        place = self._marker()
        if place is None:
            return None
        x, y, width, height = place
        text = _clear(paper) + _text(board, layout, scheme, paper, corner) + _words(rng, paper, corner, rows)
        _write(tty, text + _rectangle(end, 1, 1, LAST))
        if not self._wait_for_last(True):
            return None
        _write(tty, _rectangle(end, 1, 1, paper))
        if not self._wait_for_last(False):
            return None
        image = self._whole()
        margins = [int(margin) for margin in rng.integers(0, 200, 4)]
        char_width, char_height = width / columns, height / rows
        left = max(round(x - corner[0] * char_width) - margins[0], 0)
        top = max(round(y - corner[1] * char_height) - margins[1], 0)
        right, bottom = min(x + width + margins[2], SCREEN[0]), min(y + height + margins[3], SCREEN[1])
        # A line stands in the middle of its character, after the cell.
        shift_x = char_width / 2 if layout.frame != "none" else 0.0
        shift_y = char_height / 2 if layout.frame in ("lines", "ascii") else 0.0
        first_x, first_y = x - left + shift_x, y - top + shift_y
        grid = Grid(first_x, first_y, char_width * across, char_height * down, board.columns, board.rows)
        if first_x + grid.cell_width * board.columns > right - left + 1:
            right = min(round(left + first_x + grid.cell_width * board.columns) + 4, SCREEN[0])
        if first_y + grid.cell_height * board.rows > bottom - top + 1:
            bottom = min(round(top + first_y + grid.cell_height * board.rows) + 4, SCREEN[1])
        return np.ascontiguousarray(image[top:bottom, left:right]), grid

    def _whole(self) -> Image:
        return self._capture.grab(Rect(0, 0, *SCREEN))

    def _marker(self) -> tuple[int, int, int, int] | None:
        """x, y, width and height of the marker on the screen, once it stays the same."""
        before = None
        for _ in range(int(DRAW_S / POLL_S)):
            time.sleep(POLL_S)
            marked = (self._whole() == np.array(MARKER[::-1], np.uint8)).all(2)
            columns, rows = np.flatnonzero(marked.any(0)), np.flatnonzero(marked.any(1))
            if not len(columns):
                continue
            found = (
                int(columns[0]),
                int(rows[0]),
                int(columns[-1] - columns[0] + 1),
                int(rows[-1] - rows[0] + 1),
            )
            if found == before:
                return found
            before = found
        return None

    def _wait_for_last(self, shown: bool) -> bool:
        """Wait until what is drawn last is there, or gone; False if that does not come."""
        end = time.monotonic() + DRAW_S
        while time.monotonic() < end:
            time.sleep(POLL_S)
            if bool((self._whole() == np.array(LAST[::-1], np.uint8)).all(2).any()) == shown:
                return True
        return False


def _random_look(rng: Rng) -> tuple[_Layout, Scheme, Colour]:
    paper = BLACK if rng.random() < 0.5 else any_colour(rng)
    frame = str(rng.choice(FRAMES))
    wide, high = [(2, 1), (3, 1), (3, 1), (4, 2), (5, 2)][rng.integers(5)]
    if frame in ("lines", "ascii"):
        wide, high = 3, 1
    coloured = bool(rng.random() < 0.6)
    sign = COVERED_SIGNS[rng.integers(len(COVERED_SIGNS) - 1)]
    if coloured and frame in ("lines", "ascii") and rng.random() < 0.5:
        sign = " "
    scheme = random_scheme(rng, distinct=True, letters="FP!*M@XxB")
    if not coloured or distance(scheme.covered, paper) < 25:
        coloured = False
        sign = sign if sign != " " else "#"
    return _Layout(wide, high, frame, sign, coloured), scheme, paper


def _text(board: Board, layout: _Layout, scheme: Scheme, paper: Colour, corner: tuple[int, int]) -> str:
    """What a terminal has to be sent for a board whose first character is at a place (column, row)."""
    across, down = layout.pitch
    line = _ink(contrasting(scheme.line, paper, 50)) + _ground(paper)
    parts = []
    for row, column in np.ndindex(board.rows, board.columns):
        code = int(board.codes[row, column])
        raised = scheme.is_raised(code)
        ground = scheme.ground_of(code) if layout.coloured or code >= 10 else paper
        if not raised and code <= 8:
            ground = (
                scheme.opened if layout.coloured and distance(scheme.opened, scheme.covered) > 25 else paper
            )
        text = scheme.text_of(code) or (layout.sign if raised else " ")
        ink = scheme.ink_of(code) if scheme.text_of(code) else shifted(scheme.covered, 60)
        ink = contrasting(ink, ground, 60)
        x, y = corner[0] + column * across, corner[1] + row * down
        shift_x, shift_y = int(layout.frame != "none"), int(layout.frame in ("lines", "ascii"))
        for high in range(layout.high):
            body = text.center(layout.wide) if high == layout.high // 2 else " " * layout.wide
            parts.append(_at(x + shift_x, y + shift_y + high) + _ground(ground) + _ink(ink) + body)
    if layout.frame != "none":
        parts.append(line)
        parts += _frame(board, layout, corner)
    return "".join(parts)


def _frame(board: Board, layout: _Layout, corner: tuple[int, int]) -> list[str]:
    """The lines between the cells."""
    across, down = layout.pitch
    upright, level, cross = {"lines": ("│", "─", "┼"), "ascii": ("|", "-", "+"), "bars": ("|", "", "")}[
        layout.frame
    ]
    parts = []
    for row in range(board.rows):
        for column in range(board.columns + 1):
            for high in range(layout.high):
                y = corner[1] + row * down + high + int(bool(level))
                parts.append(_at(corner[0] + column * across, y) + upright)
    if level:
        for row in range(board.rows + 1):
            parts.append(_at(corner[0], corner[1] + row * down))
            parts.append((cross + level * layout.wide) * board.columns + cross)
    return parts


def _words(rng: Rng, paper: Colour, corner: tuple[int, int], rows: int) -> str:
    """Lines of text above and below the board."""
    ink = _ground(paper) + _ink(contrasting(any_colour(rng), paper, 70))
    text = ink
    if corner[1] >= 2:
        text += _at(0, 0) + str(rng.choice(["Minesweeper", "Mines: 10  Time: 42", "== mines ==", "level 3"]))
    if rng.random() < 0.4:
        text += _at(0, corner[1] + rows + 2) + str(
            rng.choice(["> open 3 4", "h for help, q to quit", "$ ", "Your move:"])
        )
    return text


def _clear(paper: Colour) -> str:
    return f"\x1b[?25l{_ground(paper)}\x1b[2J"


def _rectangle(corner: tuple[int, int], columns: int, rows: int, colour: Colour) -> str:
    return "".join(_at(corner[0], corner[1] + row) + _ground(colour) + " " * columns for row in range(rows))


def _at(column: int, row: int) -> str:
    return f"\x1b[{row + 1};{column + 1}H"


def _ground(colour: Colour) -> str:
    return "\x1b[48;2;{};{};{}m".format(*colour)


def _ink(colour: Colour) -> str:
    return "\x1b[38;2;{};{};{}m".format(*colour)


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _write(tty: str, text: str) -> None:
    """Send text to a terminal, as a program in it would."""
    handle = os.open(tty, os.O_WRONLY | os.O_NOCTTY)
    try:
        data = text.encode()
        while data:
            data = data[os.write(handle, data) :]
    finally:
        os.close(handle)


def _wait_for(path: Path) -> None:
    """Wait until a file is there; raises ScreenError if it does not come."""
    end = time.monotonic() + START_S
    while not path.exists():
        if time.monotonic() > end:
            raise ScreenError("the terminal did not start: try `xterm` by hand")
        time.sleep(POLL_S)
