"""Finds boards on the screen whose game no theme knows, by what all Minesweepers share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from bot.board import Cell
from bot.errors import WindowError
from bot.geometry import Rect
from bot.screen.capture import Capture, desktop
from bot.screen.scale import Scale, scale_at
from bot.screen.windows import Window, Windows
from bot.targets.window.locate.board_finder import OFF_SCREEN, covering_problem, window_of
from bot.targets.window.sighting import Sighting, View
from bot.vision.general.general_reader import GeneralReading, read_any_boards
from bot.vision.grid import Grid, Image, same_pixels
from bot.vision.grids.grid_search import GridSearch
from bot.vision.grids.hexagons import HEXAGONS, has_hexagons
from bot.vision.reading import Reading

MARGIN = 4
"""Cells around a board that are captured where it lies in no window that is listed."""

NAMES = (
    r"mines\b|mine.?sweep|minen(?!t)|mineur|minas|minad|minato|prato fiorito|mijnen|may[ıi]n tarla|aknak"
    r"|miinahar|minesveip|minröj|saper|сап[её]р|扫雷|掃雷|踩地雷|マインスイーパ|지뢰"
)
"""What the titles of Minesweepers say, in several languages."""

MAX_BEYOND = 3
"""By how many pixels a grid may reach beyond its window, at most, for its lines are measured so well."""

SAME_RANK = 0.5
"""A board is one of several only if it ranks at least this part of the best one: a small table beside a game
may look like a board too."""


PICTURES = 3
"""How many pictures are kept to be compared with the next ones."""


@dataclass
class _Picture:
    pixels: Image
    search: GridSearch | None
    """Kept until the picture was read in both ways: it has several times as many numbers."""
    boards: dict[bool, list[GeneralReading]] = field(default_factory=dict)
    """Those that were read, by whether it is known that the picture is of a game."""


class ReadBefore:
    """What was read of the last pictures of a screen: while nothing changes there nothing is read twice."""

    def __init__(self) -> None:
        self._pictures: list[_Picture] = []
        """The one that was asked for last comes last."""

    def boards(self, picture: Image, *, is_game: bool = False) -> list[GeneralReading]:
        """The boards in a picture (height, width, 3), as `read_any_boards` reads one of many."""
        known = next((one for one in self._pictures if same_pixels(one.pixels, picture)), None)
        if known is None:
            known = _Picture(picture, GridSearch(picture))
        self._pictures = [*(one for one in self._pictures if one is not known), known][-PICTURES:]
        if is_game not in known.boards:
            known.boards[is_game] = read_any_boards(
                picture, is_one_of_many=True, is_game=is_game, search=known.search
            )
            if len(known.boards) == 2:
                known.search = None
        return known.boards[is_game]


def look_for_unknown(
    capture: Capture,
    windows: Windows,
    within: Rect | None = None,
    *,
    named: str | None = None,
    before: ReadBefore | None = None,
) -> list[Sighting]:
    """Every board on any monitor that is read without a theme, the best first; with `within`, in points, only
    those in that part of the desktop. `named`: a part of the title of a window that is known to be a game;
    `before`: what earlier looks have read.

    Raises ScreenError if the screen cannot be captured.
    """
    before = ReadBefore() if before is None else before
    monitors = capture.monitors()
    whole = desktop(monitors)
    listed = windows.windows()
    areas = [monitor if within is None else monitor.clipped(within) for monitor in monitors]
    found: list[tuple[float, Sighting]] = []
    for area in areas:
        if min(area.width, area.height) < 1:
            continue
        scale = scale_at(capture, area)
        for one in before.boards(capture.grab(area)):
            found.append((one.rank, _sighting(one, area, scale, whole, listed)))
    if not found:
        games = NAMES if not named else f"{NAMES}|{re.escape(named)}"
        found = _in_named_windows(capture, areas, whole, listed, games, before)
    found.sort(key=lambda one: -one[0])
    return [sighting for rank, sighting in found if rank >= SAME_RANK * found[0][0]]


def _in_named_windows(
    capture: Capture,
    areas: Sequence[Rect],
    whole: Rect,
    listed: Sequence[Window],
    games: str,
    before: ReadBefore,
) -> list[tuple[float, Sighting]]:
    """The boards, with their ranks, in windows whose titles match the pattern `games`: flat squares on which
    nothing is written yet are squared paper elsewhere."""
    found: list[tuple[float, Sighting]] = []
    for window in listed:
        places = [window.rect.clipped(area) for area in areas]
        place = max(places, key=lambda one: one.width * one.height, default=window.rect)
        if re.search(games, window.title, re.IGNORECASE) is None or min(place.width, place.height) < 1:
            continue
        scale = scale_at(capture, place)
        for one in before.boards(capture.grab(place), is_game=True):
            found.append((one.rank, _sighting(one, place, scale, whole, listed)))
    return found


def _sighting(
    one: GeneralReading, area: Rect, scale: Scale, whole: Rect, listed: Sequence[Window]
) -> Sighting:
    grid = one.found.grid
    window = window_of(listed, View(area, grid, scale.across).grid_on_screen())
    view = _view(grid, area, scale, whole, window)
    board = one.board
    reading = Reading(board, np.zeros(board.codes.shape, np.float32))
    sighting = Sighting(view, reading, window)
    is_cropped = bool(one.found.cropped_sides) and not _reaches_beyond_window(
        grid, area, scale, whole, window
    )
    return replace(sighting, problem=_problem(sighting, whole, listed, is_cropped=is_cropped))


def _view(grid: Grid, area: Rect, scale: Scale, whole: Rect, window: Window | None) -> View:
    """Where a board is looked at whose grid was found in the picture of an area: all of its window, if it
    lies in one, else some cells around it."""
    place = View(area, grid, scale.across).grid_on_screen()
    if window is not None and not window.rect.encloses(place):
        left, top = scale.offset(window.rect, area)
        own = grid.moved(-left, -top)
        grid = _fitted(own, window.rect.width * scale.across, window.rect.height * scale.down)
        grid = grid.moved(left, top)
        place = View(area, grid, scale.across).grid_on_screen()
    reach = round(MARGIN * max(grid.pitch) / scale.across)
    rect = Rect(place.x - reach, place.y - reach, place.width + 2 * reach, place.height + 2 * reach)
    if window is not None and window.rect.encloses(place):
        rect = window.rect
    rect = rect.clipped(whole)
    return View(rect, grid.moved(*scale.offset(area, rect)), scale.across)


def _fitted(grid: Grid, width: float, height: float) -> Grid:
    """A grid of equal cells that was measured a pixel or two beyond the picture of its window, of a width and
    height in pixels, brought into it; any other grid as it is."""
    right, bottom = grid.x + grid.columns * grid.cell_width, grid.y + grid.rows * grid.cell_height
    if not grid.has_equal_cells or max(-grid.x, -grid.y, right - width, bottom - height) > MAX_BEYOND:
        return grid
    left, top = max(grid.x, 0.0), max(grid.y, 0.0)
    return replace(
        grid,
        x=left,
        y=top,
        cell_width=(min(right, width) - left) / grid.columns,
        cell_height=(min(bottom, height) - top) / grid.rows,
    )


def _reaches_beyond_window(grid: Grid, area: Rect, scale: Scale, whole: Rect, window: Window | None) -> bool:
    """Whether a grid that was found in the picture of a window's own `area` of the desktop, the `whole` of
    which goes on around it, reaches beyond it by a pixel or two alone: it is not measured well."""
    if window is None or window.rect != area:
        return False
    within = area.x > whole.x and area.y > whole.y and area.right < whole.right and area.bottom < whole.bottom
    board = grid.rect
    right, bottom = board.right - area.width * scale.across, board.bottom - area.height * scale.down
    beyond = max(-board.x, -board.y, right, bottom)
    return within and beyond <= MAX_BEYOND


def _problem(sighting: Sighting, whole: Rect, listed: Sequence[Window], *, is_cropped: bool) -> str:
    """Why a board, which the picture that it was found in may crop, cannot be played where it lies; empty if
    it can."""
    window, view = sighting.window, sighting.view
    if window is not None and not whole.encloses(window.rect):
        return f"a part of it is {OFF_SCREEN}"
    if is_cropped:
        return f"a part of its board is {OFF_SCREEN}"
    if window is not None and (covered := covering_problem(listed, window, view, border_cells=1)):
        return covered
    if (sighting.reading.board.codes == Cell.UNREAD).all():
        return "no cell of it can be read"
    return ""


def refuse_hexagons(capture: Capture) -> None:
    """Raise WindowError where a monitor shows a board of hexagons: it is no Minesweeper of squares."""
    for monitor in capture.monitors():
        if has_hexagons(capture.grab(monitor)):
            raise WindowError(
                f"{HEXAGONS}, and is not played; open another game in full view"
                " (or try `minebot run --practice`)"
            )
