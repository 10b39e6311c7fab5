"""The places of all parts of the practice window, in pixels of its client area."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bot.board import Coordinate
from bot.errors import UsageError
from bot.geometry import Rect

CELL = 16
"""The pitch of the cells at scale 1, in pixels; the lengths below are at scale 1 as well."""
MARGIN = 7
FRAME = 3
HEADER_HEIGHT = 35
HEADER_FRAME = 2
DIGIT_WIDTH, DIGIT_HEIGHT = 13, 23
FACE_SIZE = 26
STATUS_HEIGHT = 11
SMALLEST_SCALE, LARGEST_SCALE = 1.0, 3.0


@dataclass(frozen=True)
class Layout:
    """The layout for a board of `columns` x `rows` cells. Raises UsageError for a scale out of range.

    The header holds the mine counter on the left, the face in the middle and the timer on the right;
    below it lies the board in a sunken frame, below that a line of hints. A board narrower than the
    header lies in the middle.
    """

    columns: int
    rows: int
    scale: float = 1.0
    """From 1 to 3. Each length is rounded to whole pixels by itself, so that all cells have the same size."""
    counter_digits: int = 3
    """Number of digits of the mine counter."""

    def __post_init__(self) -> None:
        if not SMALLEST_SCALE <= self.scale <= LARGEST_SCALE:
            raise UsageError(f"a scale of {self.scale} cannot be drawn: use 1 to 3")

    def pixels(self, length: float) -> int:
        """A length at scale 1, in whole pixels of this layout; at least 1."""
        return max(1, round(length * self.scale))

    @cached_property
    def pitch(self) -> int:
        """The width and height of a cell."""
        return self.pixels(CELL)

    @cached_property
    def width(self) -> int:
        """The width of the client area."""
        return self.header.right + self.pixels(MARGIN)

    @cached_property
    def height(self) -> int:
        """The height of the client area."""
        return self.status.bottom + self.pixels(MARGIN - 3)

    @cached_property
    def header(self) -> Rect:
        """The sunken panel above the board, its frame included."""
        margin = self.pixels(MARGIN)
        board = self.columns * self.pitch + 2 * self.pixels(FRAME)
        needed = (self.counter_digits + 3) * self.pixels(DIGIT_WIDTH) + 8 * self.pixels(4)
        needed += self.pixels(FACE_SIZE)
        return Rect(margin, margin, max(board, needed), self.pixels(HEADER_HEIGHT))

    @cached_property
    def counter(self) -> Rect:
        """The digits of the mine counter, without their frame."""
        return self._digits(self.header.x + self._inset, self.counter_digits)

    @cached_property
    def timer(self) -> Rect:
        """The digits of the timer, without their frame."""
        width = 3 * self.pixels(DIGIT_WIDTH)
        return self._digits(self.header.right - self._inset - width, 3)

    @cached_property
    def face(self) -> Rect:
        """The button with the face, its edge included."""
        size = self.pixels(FACE_SIZE)
        center = self.header.center
        return Rect(center.x - size // 2, center.y - size // 2, size, size)

    @cached_property
    def board_frame(self) -> Rect:
        """The sunken frame and the cells in it."""
        frame = self.pixels(FRAME)
        width, height = self.columns * self.pitch + 2 * frame, self.rows * self.pitch + 2 * frame
        top = self.header.bottom + self.pixels(MARGIN - 1)
        return Rect(self.header.x + (self.header.width - width) // 2, top, width, height)

    @cached_property
    def board(self) -> Rect:
        """The rectangle of the cells."""
        frame = self.pixels(FRAME)
        outer = self.board_frame
        return Rect(outer.x + frame, outer.y + frame, outer.width - 2 * frame, outer.height - 2 * frame)

    @cached_property
    def status(self) -> Rect:
        """The line of hints below the board."""
        top = self.board_frame.bottom + self.pixels(3)
        return Rect(self.header.x, top, self.header.width, self.pixels(STATUS_HEIGHT))

    def cell(self, row: int, column: int) -> Rect:
        """The pixels of one cell."""
        return Rect(
            self.board.x + column * self.pitch, self.board.y + row * self.pitch, self.pitch, self.pitch
        )

    def cell_at(self, x: int, y: int) -> Coordinate | None:
        """The (row, column) of the cell at a pixel; None outside the board."""
        row, column = (y - self.board.y) // self.pitch, (x - self.board.x) // self.pitch
        return (row, column) if 0 <= row < self.rows and 0 <= column < self.columns else None

    def digit(self, panel: Rect, index: int) -> Rect:
        """The pixels of one digit of the counter or the timer, from the left."""
        width = self.pixels(DIGIT_WIDTH)
        return Rect(panel.x + index * width, panel.y, width, panel.height)

    @property
    def _inset(self) -> int:
        return self.pixels(HEADER_FRAME) + self.pixels(4) + self.pixels(1)

    def _digits(self, x: int, count: int) -> Rect:
        height = self.pixels(DIGIT_HEIGHT)
        y = self.header.y + (self.header.height - height) // 2
        return Rect(x, y, count * self.pixels(DIGIT_WIDTH), height)
