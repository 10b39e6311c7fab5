"""A window of Windows 7 as somebody else might draw it, on the virtual screen: cells of any width, other
shades, thicker digits in another place, shadows next to covered cells, openings drawn in two steps, and
dialogs that tell the end and start the next game."""

from __future__ import annotations

import time
from collections.abc import Callable

import cv2
import numpy as np

from bot.board import Board, Cell, FirstClick, Rules
from bot.game.game import Game
from bot.geometry import Point
from bot.practice.layout import CELL
from bot.practice.sketch import Sketch
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.vision.grid import Grid, Image
from theming.drawn_windows7 import DIGITS
from training.reader.variety.skins import WINDOWS_7, rgb

EDGE = 30
"""Pixels around the board."""

RIPPLE_S = 0.06
"""How long only half of an opening is shown."""

DIALOG_S = 0.3
"""Time from the end of a game to its dialog."""

LIGHT, DARK = np.array((250.0, 225.0, 180.0)), np.array((205.0, 95.0, 70.0))
PALE, PALER = np.array((244.0, 233.0, 222.0)), np.array((218.0, 190.0, 182.0))


def painted(board: Board, pitch: float) -> tuple[Image, Grid]:
    """A window with a board, and where its cells lie."""
    grid = Grid(EDGE, EDGE, pitch, pitch, board.columns, board.rows)
    rect = grid.rect
    picture = np.full((rect.bottom + EDGE, rect.right + EDGE, 3), (225, 210, 200), np.uint8)
    line = max(1, round(pitch / 22))
    picture[rect.y - line : rect.bottom + line, rect.x - line : rect.right + line] = (14, 8, 4)
    for row in range(board.rows):
        for column in range(board.columns):
            _cell(picture, board, grid, row, column)
    return picture, grid


def _cell(picture: Image, board: Board, grid: Grid, row: int, column: int) -> None:
    rect, code = grid.cell_rect(row, column), board[row, column]
    line = max(1, round(grid.cell_width / 44))
    x, y, size = rect.x + line, rect.y + line, rect.width - 2 * line
    part = ((row + column) / (board.rows + board.columns - 2)) ** 0.6
    unopened = code in (Cell.COVERED, Cell.FLAG, Cell.WRONG_FLAG)
    ends = (LIGHT, DARK) if unopened else (PALE, PALER)
    place = (np.arange(size)[:, None] + np.arange(size)) / (2 * size)
    base = ends[0] + (ends[1] - ends[0]) * part
    cell = np.clip(base - place[..., None] * (24 if unopened else 8), 0, 255).astype(np.uint8)
    if not unopened:
        shadow = round(size * 0.12)
        if row and board[row - 1, column] in (Cell.COVERED, Cell.FLAG):
            cell[:shadow] = 140
        if column and board[row, column - 1] in (Cell.COVERED, Cell.FLAG):
            cell[:, :shadow] = 140
    if 1 <= code <= 8:
        red, green, blue = rgb(WINDOWS_7[code - 1])
        sketch = Sketch(cell, CELL)
        for points in DIGITS[code - 1]:
            sketch.stroke([(x + 0.15, y - 0.2) for x, y in points], 2.6, (blue, green, red))
        cell = sketch.picture()
    elif code in (Cell.FLAG, Cell.WRONG_FLAG):
        cloth = np.array([(0.53, 0.12), (0.53, 0.5), (0.12, 0.31)]) * size
        cv2.fillPoly(
            cell,
            [np.array([(0.53, 0.1), (0.6, 0.1), (0.6, 0.8), (0.52, 0.8)]).dot(size).astype(int)],
            (240, 240, 240),
        )
        cv2.ellipse(
            cell,
            (round(0.54 * size), round(0.84 * size)),
            (size // 4, size // 16),
            0,
            0,
            360,
            (205, 200, 198),
            -1,
        )
        cv2.fillPoly(cell, [cloth.astype(int)], (15, 10, 225))
    elif code in (Cell.MINE, Cell.EXPLODED):
        cv2.circle(cell, (size // 2, size // 2), size // 3, (90, 80, 70), -1)
        cv2.circle(cell, (size // 2, size // 2), size // 5, (60, 120, 250), -1)
    picture[y : y + size, x : x + size] = cell


class Glass:
    """The game in that look. `dialogs_on` puts its dialogs on a screen."""

    def __init__(self, level: tuple[int, int, int], seed: int, pitch: float) -> None:
        columns, rows, mines = level
        self._rules = Rules(columns, rows, mines, FirstClick.SAFE)
        self._pitch = pitch
        self._seed = seed
        self.games = 0
        self.dialogs: list[str] = []
        """The titles of those that were shown."""
        self._screen: VirtualScreen | None = None
        self._held: list[int] = []
        """The buttons that are down."""
        self.begin()

    def begin(self) -> None:
        self.games += 1
        self.game = Game(self._rules, self._seed + self.games)
        self._shown, self._since = self.game.board, 0.0
        self._drawn: tuple[Board, Image] | None = None
        self._over: float | None = None

    def dialogs_on(self, screen: VirtualScreen) -> None:
        self._screen = screen

    def image(self) -> Image:
        now = time.perf_counter()
        if self.game.board != self._shown and not self._since:
            self._since = now
        board = self.game.board
        if self._since and now - self._since < RIPPLE_S:
            changed = np.argwhere(board.codes != self._shown.codes)
            half = board.codes.copy()
            for row, column in changed[len(changed) // 2 :]:
                half[row, column] = self._shown.codes[row, column]
            board = Board(half)
        elif self._since:
            self._shown, self._since = self.game.board, 0.0
        if self.game.phase.over:
            self._over = self._over or now
            if now - self._over > DIALOG_S:
                self._tell(self.game.phase.value)
        if self._drawn is None or self._drawn[0] != board:
            self._drawn = board, painted(board, self._pitch)[0]
        return self._drawn[1]

    def _tell(self, how: str) -> None:
        screen = self._screen
        if screen is None or len(self.dialogs) == self.games:
            return
        self.dialogs.append({"won": "Game Won", "lost": "Game Lost"}[how])

        def closed() -> None:
            screen.stack.remove(window)
            self.begin()

        content = Dialog(closed)
        window = VirtualWindow(content, self.dialogs[-1], Point(120, 160), program="minesweeper")
        screen.open(window)

    def press(self, x: int, y: int, button: int) -> None:
        self._held.append(button)

    def release(self, x: int, y: int, button: int) -> None:
        both, self._held = len(self._held) == 2, []
        column, row = int((x - EDGE) // self._pitch), int((y - EDGE) // self._pitch)
        if not (0 <= column < self._rules.columns and 0 <= row < self._rules.rows) or self.game.phase.over:
            return
        if both:
            self.game.chord(row, column)
        elif button == 3:
            self.game.flag(row, column)
        else:  # of two buttons the second one to go up comes here, and opens what a chord has opened
            self.game.open(row, column)

    def move(self, x: int, y: int) -> None:
        pass

    def key(self, name: str) -> None:
        pass


class Dialog:
    """A plain dialog that Enter closes."""

    def __init__(self, closed: Callable[[], None]) -> None:
        self._closed = closed

    def image(self) -> Image:
        return np.full((110, 260, 3), 240, np.uint8)

    def press(self, x: int, y: int, button: int) -> None:
        pass

    release = press

    def move(self, x: int, y: int) -> None:
        pass

    def key(self, name: str) -> None:
        if name == "enter":
            self._closed()
