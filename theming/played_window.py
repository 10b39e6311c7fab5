"""The window of a game that is being cut: it is opened, clicked, and looked at until it rests."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from bot.board import Coordinate
from bot.errors import BotError
from bot.geometry import Point, Rect
from bot.screen.this_machine import system_capture, system_mouse
from bot.vision.grid import Grid, Image, part
from theming.plans import CutPlan, WindowPlan, program_for

MIN_LOOKS = 5
"""In so many pictures, at least, a window must look the same to be at rest: on a busy machine a long time may
pass between two."""

POLL_S = 0.01
"""Between two looks."""


class PlayedWindow:
    """One window of a plan, at any size of board. Cells and faces are given as pictures."""

    def __init__(self, plan: CutPlan, window: WindowPlan) -> None:
        """Raises FormatError where what the plan says cannot start a game."""
        self._window_plan = window
        self._program = program_for(window)
        self._face = plan.face(window)
        self._counter = plan.counter(window)
        self._rest_s = plan.rest_s
        self._capture = system_capture()
        self._mouse = system_mouse()
        self._inside = Rect(0, 0, 0, 0)
        self.grid = Grid(0, 0, 1, 1, 1, 1)
        self.mines = 0

    def open(self, columns: int, rows: int, mines: int) -> Image:
        """Start the game with a board of this size; gives its picture."""
        self._program.stop()
        self._inside = self._program.start(columns, rows, mines).rect
        self.mines = mines
        self.grid = Grid(*self._window_plan.origin, *self._window_plan.cell, columns, rows)
        self._park()
        return self.rest()

    def close(self) -> None:
        """End the game."""
        self._program.stop()

    def rest(self) -> Image:
        """The window's picture once its cells rest; the timer may go on."""
        rect = self.grid.rect
        cells = slice(rect.y, rect.bottom), slice(rect.x, rect.right)
        last, since, looks = self._capture.grab(self._inside), time.monotonic(), 1
        while time.monotonic() - since < self._rest_s or looks < MIN_LOOKS:
            time.sleep(POLL_S)
            now = self._capture.grab(self._inside)
            looks += 1
            if not np.array_equal(now[cells], last[cells]):
                since, looks = time.monotonic(), 1
            last = now
        return last

    def new_game(self) -> Image:
        """Click what starts a new game; gives the picture."""
        self._click_at(self._face_rect().center)
        return self.rest()

    def click(self, cell: Coordinate, button: Any = "left") -> None:
        """Click a cell, and put the pointer beside the board."""
        self._click_at(self.grid.center(cell), button)

    def hover(self, cell: Coordinate) -> Image:
        """The picture of a cell under the pointer."""
        self._mouse.move(self._on_screen(self.grid.center(cell)))
        picture = self.cell(self.rest(), cell)
        self._park()
        self.rest()
        return picture

    def cell(self, frame: Image, cell: Coordinate) -> Image:
        """The picture of a cell."""
        return _cropped(frame, self.grid.cell_rect(*cell))

    def cells(self) -> list[Coordinate]:
        """All cells, row by row."""
        return [(row, column) for row in range(self.grid.rows) for column in range(self.grid.columns)]

    @property
    def has_faces(self) -> bool:
        """Whether the control for a new game shows how the game stands."""
        return self._face is not None and self._face.moods

    def face(self, frame: Image) -> Image:
        """The picture of the face. Raises BotError where the plan names none."""
        return _cropped(frame, self._face_rect())

    def _face_rect(self) -> Rect:
        if self._face is None:
            raise BotError("cut.toml: `theme.face` must say what starts a new game")
        return self._face.rect(self.grid)

    @property
    def digit_count(self) -> int:
        """Number of seven-segment digits of the counter; 0 without one."""
        return 0 if self._counter is None else self._counter.count

    def digit(self, frame: Image, index: int) -> Image:
        """The picture of a digit of the counter, from the left."""
        spec, rect = self._counter, self.grid.rect
        assert spec is not None
        left = (rect.right if spec.anchor == "right" else rect.x) + spec.x + index * spec.pitch
        return _cropped(frame, Rect(left, rect.y - spec.above, *spec.digit))

    def _click_at(self, inside: Point, button: Any = "left") -> None:
        self._mouse.click(self._on_screen(inside), button)
        time.sleep(POLL_S)
        self._park()

    def _park(self) -> None:
        """Put the pointer where it changes no cell; some games want it inside the window."""
        self._mouse.move(self._on_screen(Point(2, 2)))

    def _on_screen(self, inside: Point) -> Point:
        return Point(self._inside.x + inside.x, self._inside.y + inside.y)


def _cropped(frame: Image, rect: Rect) -> Image:
    """The part of a picture in a rectangle, as a picture of its own."""
    return np.ascontiguousarray(part(frame, rect))
