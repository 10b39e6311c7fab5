"""Chooses the window to be learned, and finds its grid by periodicity alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain

from bot.errors import WindowError
from bot.geometry import Rect
from bot.screen.capture import Capture, desktop
from bot.screen.scale import pixels_per_point
from bot.screen.windows import Window, Windows
from bot.targets.window.calibration import own_calibrations
from bot.targets.window.locate.board_finder import OFF_SCREEN, covered_by, look_around
from bot.targets.window.locate.calibrated import find_calibrated
from bot.targets.window.sighting import View
from bot.vision.grids.grid_search import grid_batches
from bot.vision.themes.theme import load_themes

MIN_CELLS, MIN_WINDOW = 4, 32
"""Least columns and rows of a grid that is taken for a board, and least width and height in points of what is
seen of its window."""


@dataclass(frozen=True)
class ChosenWindow:
    """A window with a grid in it."""

    window: Window
    view: View
    """The inside of the window, with the grid in the pixels of its picture."""


def choose_window(capture: Capture, windows: Windows, wanted: str | None) -> ChosenWindow:
    """The one window to learn; `wanted` is a part of its title.

    Raises WindowError where there is none, where there are several, and where it is covered or cut.
    """
    if not windows.known:
        raise WindowError(
            "this desktop does not tell where its windows are: calibrating needs that (see doctor)"
        )
    listed = windows.windows()
    matching = [one for one in listed if wanted is None or wanted.lower() in one.title.lower()]
    if wanted is not None and not matching:
        names = ", ".join(repr(one.title) for one in listed if one.title) or "none with a name"
        raise WindowError(f"there is no window called {wanted!r}; there are: {names}")
    whole = desktop(capture.monitors())
    found = [chosen for one in matching if (chosen := _in_window(capture, whole, one)) is not None]
    if not found:
        where = f"the window {matching[0].title!r}" if wanted is not None else "any window"
        raise WindowError(
            f"nothing in {where} repeats like the cells of a board: start a new game in full view, or name"
            " another window with --window"
        )
    if len(found) > 1:
        names = ", ".join(repr(one.window.title or one.window.program) for one in found)
        raise WindowError(f"{len(found)} windows show a grid, choose one with --window: {names}")
    chosen = found[0]
    if not whole.encloses(chosen.window.rect):
        raise WindowError(f"a part of {chosen.window.title!r} is {OFF_SCREEN}")
    # The part of a board that is not covered looks like a smaller board.
    problem = covered_by(listed, chosen.window, chosen.window.rect)
    if problem:
        raise WindowError(f"{chosen.window.title!r} cannot be learned: {problem}")
    return chosen


def _in_window(capture: Capture, whole: Rect, window: Window) -> ChosenWindow | None:
    seen = window.rect.clipped(whole)
    if min(seen.width, seen.height) < MIN_WINDOW:
        return None
    monitor = next((one for one in capture.monitors() if one.contains(seen.center)), whole)
    scale = pixels_per_point(capture, monitor)
    for found in chain.from_iterable(grid_batches(capture.grab(seen))):
        if min(found.grid.columns, found.grid.rows) >= MIN_CELLS and not found.cropped_sides:
            return ChosenWindow(window, View(seen, found.grid, scale))
    return None


def refuse_known(
    capture: Capture, windows: Windows, chosen: ChosenWindow, tell: Callable[[str], None]
) -> None:
    """Raise WindowError where a theme or a calibration reads that window already; one that cannot be loaded
    is reported to `tell`."""
    area = chosen.view.grid_on_screen()
    known = find_calibrated(capture, windows, own_calibrations(tell))
    for sighting in [*known, *look_around(capture, windows, load_themes(tell=tell))]:
        if sighting.view.grid_on_screen().intersects(area) and not sighting.problem:
            calibration = sighting.calibration_name
            what = f"calibration {calibration}" if calibration else f"theme {sighting.name}"
            raise WindowError(
                f"{chosen.window.title!r} is read already (by the {what}): play it with `minebot run`,"
                " or learn it afresh with --anew"
            )
