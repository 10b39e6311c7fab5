"""A board that was seen on the screen, and where its cells lie there."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.board import Coordinate
from bot.geometry import Point, Rect
from bot.screen.windows import Window
from bot.targets.window.calibration import Calibration
from bot.targets.window.looks import Looks
from bot.vision.grid import Grid, Image, part
from bot.vision.reading import Reading
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.skin import Skin

UNKNOWN = "unknown"
"""The name of a game that has no theme."""


@dataclass(frozen=True)
class View:
    """The part of the screen that is captured during play, and where the cells lie in it."""

    rect: Rect
    """The captured part of the desktop, in points."""
    grid: Grid
    """The cells, in pixels of a picture of `rect`."""
    scale: float = 1.0
    """Pixels of the picture for one point of the desktop: 1 except on Retina screens and the like."""

    def on_screen(self, pixel: Point) -> Point:
        """The point of the desktop at a pixel of the picture."""
        return Point(self.rect.x + int(pixel.x / self.scale), self.rect.y + int(pixel.y / self.scale))

    def cell_on_screen(self, cell: Coordinate) -> Point:
        """The point to click for a cell."""
        return self.on_screen(self.grid.center(cell))

    def grid_on_screen(self) -> Rect:
        """The rectangle of the cells on the desktop, in points."""
        inner = self.grid.rect
        corner = self.on_screen(Point(inner.x, inner.y))
        return Rect(corner.x, corner.y, int(inner.width / self.scale), int(inner.height / self.scale))

    @property
    def described(self) -> str:
        """Its cells and where they lie, for people."""
        grid, corner = self.grid, self.grid_on_screen()
        pixels = round(grid.cell_width, 1)
        return f"{grid.columns}x{grid.rows} cells of {pixels:g} pixels at {corner.x},{corner.y}"

    def cells_of(self, picture: Image) -> Image:
        """The part of a picture of `rect` that the cells cover."""
        return part(picture, self.grid.rect)

    def is_near(self, other: View) -> bool:
        """Whether both have the same cells at the same place, to within a point and the error of two measured
        pitches."""
        grid, there = self.grid, other.grid
        distance = max(
            abs(self.rect.x + grid.x / self.scale - other.rect.x - there.x / other.scale),
            abs(self.rect.y + grid.y / self.scale - other.rect.y - there.y / other.scale),
        )
        same = grid.shape == there.shape and self.scale == other.scale
        return same and distance < 1 and grid.same_cells(there)

    def moved(self, dx: int, dy: int) -> View:
        """The same view, moved by `dx` and `dy` points on the desktop."""
        return View(self.rect.moved(dx, dy), self.grid, self.scale)


@dataclass(frozen=True)
class Sighting:
    """A board that was found on the screen."""

    view: View
    """Where it lies."""
    reading: Reading
    """What it showed."""
    window: Window | None
    """The window that it lies in; None if the desktop does not list its windows."""
    skin: Skin | None = None
    """How the game looks; None for an unknown game, which the general reader reads."""
    behaviour: GameBehaviour = field(default_factory=GameBehaviour)
    """How the game acts."""
    problem: str = ""
    """Why the board cannot be played where it lies, a line for people; empty if it can be played."""
    calibration: Calibration | None = None
    """The calibration by which it was found; None if it was found by its skin."""
    calibration_name: str = ""
    """The name of that calibration; empty if there is none."""
    other_calibrations: tuple[str, ...] = ()
    """The names of the calibrations that fit the same board and were not taken."""
    looks: Looks | None = None
    """The looks of the cells that are known of a game without a theme; None if there are none."""

    @property
    def name(self) -> str:
        """The name of the theme; `unknown` if there is none."""
        return UNKNOWN if self.skin is None else self.skin.name

    @property
    def title(self) -> str:
        """The title of the window, or that of the skin if the window has none."""
        if self.window is not None and self.window.title:
            return self.window.title
        return "Minesweeper" if self.skin is None else self.skin.title

    def __str__(self) -> str:
        return f"{self.title!r} ({self.name}), {self.view.described}"
