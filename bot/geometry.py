"""Rectangles and points on the screen, in pixels of the virtual desktop (which may be negative)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """A pixel: x to the right, y down."""

    x: int
    y: int


@dataclass(frozen=True)
class Rect:
    """A rectangle of pixels; `right` and `bottom` are the first pixels outside it."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column of pixels to the right of it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row of pixels below it."""
        return self.y + self.height

    @property
    def center(self) -> Point:
        """The pixel in its middle."""
        return Point(self.x + self.width // 2, self.y + self.height // 2)

    @property
    def area(self) -> int:
        """How many pixels it has."""
        return self.width * self.height

    def contains(self, point: Point) -> bool:
        """Whether the pixel lies inside."""
        return self.x <= point.x < self.right and self.y <= point.y < self.bottom

    def encloses(self, other: Rect) -> bool:
        """Whether the other lies wholly inside."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.right <= self.right
            and other.bottom <= self.bottom
        )

    def intersects(self, other: Rect) -> bool:
        """Whether they share a pixel."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def clipped(self, other: Rect) -> Rect:
        """The part of this one inside the other; of no size where they share nothing."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect(x, y, max(0, right - x), max(0, bottom - y))

    def moved(self, dx: int, dy: int) -> Rect:
        """The same rectangle, shifted by pixels."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)

    def __str__(self) -> str:
        return f"{self.width}x{self.height} at {self.x},{self.y}"
