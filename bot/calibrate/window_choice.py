"""Chooses the window to be learned, by the board in it that is read by what all Minesweepers share."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from bot.errors import WindowError
from bot.screen.capture import Capture, desktop
from bot.screen.scale import pixels_per_point
from bot.screen.windows import Window, Windows
from bot.targets.window.calibration import own_calibrations
from bot.targets.window.locate.board_finder import OFF_SCREEN, covered_by, look_around
from bot.targets.window.locate.calibrated import find_calibrated
from bot.targets.window.locate.unknown_boards import look_for_unknown
from bot.targets.window.sighting import Sighting, View
from bot.vision.grid import MIN_BOARD_SIDE
from bot.vision.grid_readers import reader_for
from bot.vision.grids.grid_search import grid_batches
from bot.vision.themes.theme import load_themes

MIN_WINDOW = 32
"""Least width and height, in points, of what is seen of a window that is searched for a board."""


def choose_window(capture: Capture, windows: Windows, wanted: str | None) -> Sighting:
    """The board of the one window to learn; `wanted` is a part of its title.

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
    seen = look_for_unknown(capture, windows)
    found = [one for one in seen if one.window is not None and one.window.id in {own.id for own in matching}]
    # A picture of help may lie over a new board: whoever has it learned says that it is one.
    found = found or [one for window in matching if (one := _by_grid(capture, window)) is not None]
    if not found:
        where = f"the window {matching[0].title!r}" if wanted is not None else "any window"
        raise WindowError(
            f"nothing in {where} repeats like the cells of a board: start a new game in full view, or name"
            " another window with --window"
        )
    if len(found) > 1:
        names = ", ".join(repr(one.title) for one in found)
        raise WindowError(f"{len(found)} boards are seen, choose one with --window: {names}")
    chosen, window = found[0], found[0].window
    # The part of a board that is not covered looks like a smaller board.
    problem = chosen.problem or ("" if window is None else covered_by(listed, window, window.rect))
    if problem:
        raise WindowError(f"{chosen.title!r} cannot be learned: {problem}")
    return chosen


def _by_grid(capture: Capture, window: Window) -> Sighting | None:
    """What repeats in a window like the cells of a board, whatever they show; None where nothing does."""
    whole = desktop(capture.monitors())
    seen = window.rect.clipped(whole)
    if min(seen.width, seen.height) < MIN_WINDOW:
        return None
    monitor = next((one for one in capture.monitors() if one.contains(seen.center)), whole)
    scale = pixels_per_point(capture, monitor)
    picture = capture.grab(seen)
    for found in chain.from_iterable(grid_batches(picture)):
        if min(found.grid.shape) >= MIN_BOARD_SIDE and not found.cropped_sides:
            reading = reader_for(None, found.grid).read(picture)
            problem = "" if window.rect == seen else f"a part of it is {OFF_SCREEN}"
            return Sighting(View(seen, found.grid, scale), reading, window, problem=problem)
    return None


def refuse_known(capture: Capture, windows: Windows, chosen: Sighting, tell: Callable[[str], None]) -> None:
    """Raise WindowError where a theme or a calibration reads that window already; one that cannot be loaded
    is reported to `tell`."""
    area = chosen.view.grid_on_screen()
    known = find_calibrated(capture, windows, own_calibrations(tell))
    for sighting in [*known, *look_around(capture, windows, load_themes(tell=tell))]:
        if sighting.view.grid_on_screen().intersects(area) and not sighting.problem:
            calibration = sighting.calibration_name
            what = f"calibration {calibration}" if calibration else f"theme {sighting.name}"
            raise WindowError(
                f"{chosen.title!r} is read already (by the {what}): play it with `minebot run`,"
                " or learn it afresh with --anew"
            )
