"""Looking for boards on the screen, and saying whether one can be played where it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import ceil, floor

from bot.board import Cell, Coordinate
from bot.errors import WindowError
from bot.geometry import Point, Rect
from bot.screen.capture import Capture, desktop
from bot.screen.scale import pixels_per_point
from bot.screen.windows import Window, Windows
from bot.targets.window.locate.calibration import Calibration
from bot.vision.grid import Grid, Image
from bot.vision.reading import Reading
from bot.vision.skin_search import FoundBoard, find_boards
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.skin import Skin
from bot.vision.themes.theme import KnownGame

OFF_SCREEN = "off the screen: move the window, or make it smaller, so that all of it is seen"
"""What is said of a window, or of a part of it, that cannot be looked at."""

UNKNOWN = "unknown"
"""The name of a game that no theme knows."""


@dataclass(frozen=True)
class View:
    """The part of the screen that is looked at while playing, and where the cells lie in it."""

    rect: Rect
    """On the desktop, in the mouse's points."""
    grid: Grid
    """In the pixels of a picture of that part."""
    scale: float = 1.0
    """Pixels of the picture a point: 1 but for Retina and the like."""

    def on_screen(self, pixel: Point) -> Point:
        """A pixel of the picture as a point of the desktop."""
        return Point(self.rect.x + int(pixel.x / self.scale), self.rect.y + int(pixel.y / self.scale))

    def cell_on_screen(self, cell: Coordinate) -> Point:
        """The point to click for a cell."""
        return self.on_screen(self.grid.center(cell))

    def grid_on_screen(self) -> Rect:
        """The cells on the desktop, in points."""
        inner = self.grid.rect
        corner = self.on_screen(Point(inner.x, inner.y))
        return Rect(corner.x, corner.y, int(inner.width / self.scale), int(inner.height / self.scale))

    def cells_of(self, picture: Image) -> Image:
        """The part of a picture that the cells take."""
        inner = self.grid.rect
        return picture[inner.y : inner.bottom, inner.x : inner.right]

    def is_near(self, other: View) -> bool:
        """Whether both show the same cells at the same place, as far as two measurements can agree."""
        grid, there = self.grid, other.grid
        apart = max(
            abs(self.rect.x + grid.x / self.scale - other.rect.x - there.x / other.scale),
            abs(self.rect.y + grid.y / self.scale - other.rect.y - there.y / other.scale),
        )
        same = grid.shape == there.shape and self.scale == other.scale
        return same and apart < 1 and grid.same_cells(there)

    def moved(self, dx: int, dy: int) -> View:
        """The same view, elsewhere on the desktop."""
        return View(self.rect.moved(dx, dy), self.grid, self.scale)


@dataclass(frozen=True)
class Sighting:
    """A board that was seen on the screen."""

    view: View
    reading: Reading
    window: Window | None
    """The window it lies in; None where the desktop tells nothing about its windows."""
    skin: Skin | None = None
    """How the game looks; None for a game that nobody knows, which the general reader reads."""
    behaviour: GameBehaviour = field(default_factory=GameBehaviour)
    """How the game acts."""
    problem: str = ""
    """Why it cannot be played where it is; empty where it can."""
    calibration: Calibration | None = None
    """The calibration by which it was found."""
    calibration_name: str = ""

    @property
    def name(self) -> str:
        """That of the theme; `unknown` where there is none."""
        return UNKNOWN if self.skin is None else self.skin.name

    @property
    def title(self) -> str:
        """The window's title, or the skin's."""
        if self.window is not None and self.window.title:
            return self.window.title
        return "Minesweeper" if self.skin is None else self.skin.title

    def __str__(self) -> str:
        grid = self.view.grid
        corner = self.view.grid_on_screen()
        return (
            f"{self.title!r} ({self.name}), {grid.columns}x{grid.rows} cells"
            f" of {grid.cell_width:g} pixels at {corner.x},{corner.y}"
        )


def look_around(capture: Capture, windows: Windows, games: Sequence[KnownGame]) -> list[Sighting]:
    """Every board of these games on any monitor, from the top left.

    Learned games are left out: their boards are found by their calibration (`locate.calibrated`).
    """
    monitors = capture.monitors()
    whole = desktop(monitors)
    scales = [pixels_per_point(capture, monitor) for monitor in monitors]
    # One picture of everything also sees a window that lies across two monitors; where their scales
    # differ no such picture can be had.
    areas = [(whole, 1.0)] if set(scales) == {1.0} else list(zip(monitors, scales, strict=True))
    listed = windows.windows()
    behaviours = {game.name: game.behaviour for game in games}
    skins = [game.skin for game in games if not game.skin.learned]
    sightings: list[Sighting] = []
    for area, scale in areas:
        picture = capture.grab(area)
        for found in find_boards(picture, skins):
            sightings.append(_sighting(found, behaviours[found.skin.name], area, scale, listed))
    return sightings


def _sighting(
    found: FoundBoard, behaviour: GameBehaviour, area: Rect, scale: float, listed: Sequence[Window]
) -> Sighting:
    grid, margins = found.grid, found.skin.margins
    factor = found.skin.scale_of(grid)
    before, above = round(margins.left * factor), round(margins.top * factor)
    wanted = Rect(
        grid.rect.x - before,
        grid.rect.y - above,
        grid.rect.width + before + round(margins.right * factor),
        grid.rect.height + above + round(margins.bottom * factor),
    )
    screen = Rect(0, 0, round(area.width * scale), round(area.height * scale))
    seen = wanted.clipped(screen)
    # Whole points, outward: a picture of them begins a few pixels before what is wanted.
    left, top = floor(seen.x / scale), floor(seen.y / scale)
    right, bottom = ceil(seen.right / scale), ceil(seen.bottom / scale)
    view = View(
        Rect(area.x + left, area.y + top, right - left, bottom - top),
        grid.moved(-round(left * scale), -round(top * scale)),
        scale,
    )
    window = window_of(listed, view.grid_on_screen())
    problem = _problem(found, view, seen != wanted, window, area, listed)
    if not problem and found.skin.shaded and window is not None:
        # The lines between its cells look like those around them: cut off at one it seems to be whole.
        problem = covering_problem(listed, window, view, beside=1)
    return Sighting(view, found.reading, window, found.skin, behaviour, problem)


def window_of(listed: Sequence[Window], board: Rect) -> Window | None:
    """The topmost window in which a board lies: what lies over a part of it is another one."""
    around = (window for window in reversed(listed) if window.rect.encloses(board))
    at_middle = (window for window in reversed(listed) if window.rect.contains(board.center))
    return next(chain(around, at_middle), None)


def _problem(
    found: FoundBoard, view: View, cut: bool, window: Window | None, area: Rect, listed: Sequence[Window]
) -> str:
    """What keeps a board from being played where it lies; empty where nothing does."""
    if cut or (window is not None and not area.encloses(window.rect)):
        return f"a part of it is {OFF_SCREEN}"
    tiles, cell = found.skin.tiles, min(found.grid.cell_width, found.grid.cell_height)
    if tiles is not None and cell <= tiles.least * found.grid.magnification:
        return "its window is so small that it may not show every cell: make the window larger"
    what = _unseen(found)
    if what and window is not None and (covered := covered_by(listed, window, view.rect)):
        return covered
    return f"{what}: is something over it?" if what else ""


def _unseen(found: FoundBoard) -> str:
    """What of a board and of what belongs to it cannot be seen; empty where all can."""
    unread = found.reading.board.where(Cell.UNREAD)
    if unread:
        row, column = unread[0]
        return f"{len(unread)} cells cannot be read (row {row}, column {column} first)"
    if found.hidden_sides:
        return f"its {' and '.join(found.hidden_sides)} edge cannot be seen"
    face = found.skin.face
    if face is not None and face.moods and found.reading.face is None:
        return "the face above the board cannot be seen"
    return ""


def covering_problem(listed: Sequence[Window], window: Window, view: View, *, beside: int = 0) -> str:
    """Which windows lie over the board, or over so many cells `beside` it, as a line for people; empty where
    none does."""
    board, more = view.grid_on_screen(), beside * ceil(max(view.grid.pitch) / view.scale)
    area = Rect(board.x - more, board.y - more, board.width + 2 * more, board.height + 2 * more)
    return covered_by(listed, window, area)


def covered_by(listed: Sequence[Window], window: Window, area: Rect) -> str:
    """Which windows lie over a part of one, as a line for people; empty where none does."""
    above = listed[listed.index(window) + 1 :] if window in listed else []
    names = [repr(one.title or one.program) for one in above if one.rect.intersects(area)]
    return f"it is covered by {', '.join(names)}: move that away" if names else ""


def without_doubles(learned: Sequence[Sighting], others: Sequence[Sighting]) -> list[Sighting]:
    """All boards, from the top left; where a calibrated window shows one, that one alone."""
    left = [
        one
        for one in others
        if not any(
            own.view.grid_on_screen().intersects(one.view.grid_on_screen()) and not own.problem
            for own in learned
        )
    ]
    # A calibration that does not fit says so only where nothing else reads that window.
    fits = [
        own
        for own in learned
        if not own.problem or not any(own.window is not None and own.window == one.window for one in others)
    ]
    both = [*fits, *left]
    return sorted(both, key=lambda one: (one.view.grid_on_screen().y, one.view.grid_on_screen().x))


def choose(sightings: Sequence[Sighting], wanted: str | None, target: str | None = None) -> Sighting:
    """The board to play. `wanted` is a part of a window's title, or its number in the list from 1; `target`
    is the only theme or calibration that was looked for.

    Raises WindowError where there is none, where there are several, and where it cannot be played.
    """
    if not sightings and target is not None:
        raise WindowError(
            f"no board of {target!r} was found on the screen: open that game in full view,"
            " or leave out --target"
        )
    if not sightings:
        raise WindowError(
            "no Minesweeper board was found on the screen: open a game in full view"
            " (or try `minebot run --practice`)"
        )
    matching = list(sightings)
    if wanted is not None:
        if wanted.isdigit() and 1 <= int(wanted) <= len(sightings):
            matching = [sightings[int(wanted) - 1]]
        else:
            matching = [one for one in sightings if wanted.lower() in one.title.lower()]
        if not matching:
            raise WindowError(f"no board lies in a window called {wanted!r}; there are: {_listed(sightings)}")
    if len(matching) > 1:
        raise WindowError(f"{len(matching)} boards were found, choose one with --window: {_listed(matching)}")
    if matching[0].problem:
        raise WindowError(f"{matching[0]} cannot be played: {matching[0].problem}")
    return matching[0]


def _listed(sightings: Sequence[Sighting]) -> str:
    return "; ".join(f"{number}: {one}" for number, one in enumerate(sightings, 1))
