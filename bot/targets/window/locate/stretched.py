"""Follows a board whose columns and rows get other widths, as those of tables do when numbers come up."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from bot.board import Board, Cell
from bot.geometry import Rect
from bot.screen.capture import desktop
from bot.screen.windows import Window
from bot.targets.board_changes import continues, filled_from
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.sighting import View
from bot.vision.general.general_grid_reader import read_cells
from bot.vision.grid import Grid, Image, same_pixels
from bot.vision.grids.uneven import uneven

FEW_OPENED = 4
"""Minimum number of opened cells by which is told where a board lies now."""

MAX_UNREAD = 0.25
"""Maximum part of the cells, 0 to 1, that are unread in what is taken for the board."""

LOOKS, REST_S = 5, 0.08
"""How often a window is looked at until it rests, and how long it must, in seconds."""

ZOOMED = 0.04
"""How much larger or smaller the cells of a page that was zoomed are at least, as a part of their size: the
smallest step of a browser is 10 %."""

ONE_PIXEL = 1.5
"""Lines that are less than so many pixels off were only measured otherwise."""


@dataclass(frozen=True)
class Shown:
    """A board that counted, and the picture of the view in which it was seen, with its grid."""

    board: Board
    picture: Image
    grid: Grid


def stretched(observer: WindowObserver, last: Shown, *, evenly: bool = False) -> tuple[View, Window] | None:
    """The view of the game without a theme that was `last` seen so, with each column and row as wide as it is
    now, and its window; None where the lines are as they were, and where the game does not go on there; and,
    but for `evenly`, where all inner ones have one distance: that is found more surely by what repeats, if
    the outer ones have it too."""
    now, view = observer.window_now(), observer.view
    if now is None or observer.window is None or not observer.is_unknown:
        return None
    if last.grid.shape != view.grid.shape:
        return None
    was = observer.window.rect
    rect = Rect(
        view.rect.x + now.rect.x - was.x,
        view.rect.y + now.rect.y - was.y,
        view.rect.width + now.rect.width - was.width,
        view.rect.height + now.rect.height - was.height,
    )
    if not desktop(observer.capture.monitors()).encloses(rect) or min(rect.width, rect.height) < 1:
        return None
    picture = _at_rest(observer, rect)
    grid = None if picture is None else uneven(last.picture, last.grid, picture)
    if picture is None or grid is None or _is_zoomed(last.grid, grid):
        return None
    if (_is_even(grid) and not evenly) or has_lines_of(grid, view.grid):
        return None
    board = Board(read_cells(picture, grid))
    if np.count_nonzero(board.codes <= 8) < FEW_OPENED or not plays_on(last.board, board):
        return None
    return View(rect, grid, view.scale), now


def plays_on(last: Board, seen: Board) -> bool:
    """Whether a board that is `seen`, and read for most of it, may be the game that showed the `last` one."""
    if seen.count(Cell.UNREAD) > MAX_UNREAD * seen.codes.size:
        return False
    return continues(last, filled_from(last, seen))


def _at_rest(observer: WindowObserver, rect: Rect) -> Image | None:
    """A picture of a part of the desktop that stays as it is for a moment: a window draws its cells one after
    the other. None where it does not."""
    last = observer.capture.grab(rect)
    for _ in range(LOOKS):
        time.sleep(REST_S)
        picture = observer.capture.grab(rect)
        if same_pixels(picture, last):
            return picture
        last = picture
    return None


def _is_zoomed(before: Grid, now: Grid) -> bool:
    """Whether most columns became wider and most rows higher, or narrower and lower: a page that is zoomed
    may show a part of its board alone."""
    pairs = (before.exact_columns, now.exact_columns), (before.exact_rows, now.exact_rows)
    changes = [float(np.median(np.diff(new) / np.diff(old))) - 1 for old, new in pairs]
    return min(changes) > ZOOMED or max(changes) < -ZOOMED


def _is_even(grid: Grid) -> bool:
    """Whether all columns of a grid have one width, and all rows one height, to a pixel over the board; its
    outer lines are measured less surely."""
    lines = grid.exact_columns[1:-1], grid.exact_rows[1:-1]
    off = [edges - np.linspace(edges[0], edges[-1], len(edges)) for edges in lines]
    return max(float(np.abs(one).max()) for one in off) < ONE_PIXEL


def has_lines_of(grid: Grid, other: Grid, least: float = ONE_PIXEL) -> bool:
    """Whether two grids of one size have the same lines, each less than `least` pixels off."""
    apart = (grid.exact_columns - other.exact_columns, grid.exact_rows - other.exact_rows)
    return max(float(np.abs(one).max()) for one in apart) < least
