"""Boards in calibrated windows: the window is found by its program and title, then compared with the
calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.board import Cell
from bot.geometry import Rect
from bot.screen.capture import Capture, desktop
from bot.screen.windows import Window, Windows
from bot.targets.window.calibration import Calibration
from bot.targets.window.locate.board_finder import OFF_SCREEN, covering_problem
from bot.targets.window.looks import looks_of
from bot.targets.window.observe.own_windows import above
from bot.targets.window.sighting import Sighting, View
from bot.vision.grid_readers import reader_for
from bot.vision.themes.theme import load_theme

MAX_UNREAD_SHARE = 0.4
"""Maximum share of unread cells, 0 to 1, with which a window still counts as the calibrated one: a veil may
lie over the board at the end of a game, and some numbers may not have been learned yet."""


def find_calibrated(
    capture: Capture, windows: Windows, calibrations: Mapping[str, Calibration]
) -> list[Sighting]:
    """A sighting for each window on the screen that has a calibration; `calibrations` is by name.

    The sighting of a window that cannot be played names the problem. One that lies wholly off the screen is
    left out, as with the games that a theme knows: no picture can be made of it. So is one behind another
    window that shows such a board itself. Empty if the desktop does not list its windows.
    """
    if not calibrations or not windows.known:
        return []
    listed = windows.windows()
    whole = desktop(capture.monitors())
    found: list[Sighting] = []
    for name, calibration in calibrations.items():
        for window in candidates(listed, calibration):
            shown = window.rect.clipped(whole)
            if min(shown.width, shown.height) < 1:
                continue
            sighting = _sighting(capture, listed, whole, name, calibration, window)
            if sighting.problem or not _is_behind_another(listed, window, sighting.view):
                found.append(sighting)
    return found


def _is_behind_another(listed: Sequence[Window], window: Window, view: View) -> bool:
    """Whether another window hides all of the board: what can be read there is that one's."""
    board = view.grid_on_screen()
    return any(one.rect.encloses(board) and one.owner != window.id for one in above(listed, window, board))


def candidates(listed: Sequence[Window], calibration: Calibration) -> list[Window]:
    """The windows that a calibration may be for.

    They have its title, and its program if any window has that. Without such a title, a window of the program
    counts if it is the only one of the calibrated size.
    """
    place = calibration.window
    same_program = [one for one in listed if place.program and one.program == place.program]
    titled = [one for one in (same_program or listed) if one.title == place.title]
    if titled:
        return titled
    fitting = [
        one for one in same_program if (one.rect.width, one.rect.height) == _size_in_points(calibration)
    ]
    return fitting if len(fitting) == 1 else []


def _size_in_points(calibration: Calibration) -> tuple[int, int]:
    return round(calibration.window.width / calibration.scale), round(
        calibration.window.height / calibration.scale
    )


def _sighting(
    capture: Capture,
    listed: Sequence[Window],
    whole: Rect,
    name: str,
    calibration: Calibration,
    window: Window,
) -> Sighting:
    theme = load_theme(calibration.theme)
    rect = window.rect.clipped(whole)
    view = View(rect, calibration.grid_in_window(), calibration.scale)
    again = f"run `minebot calibrate --name {name}` again"
    picture = capture.grab(rect)
    size = calibration.window.width, calibration.window.height
    reader = reader_for(theme.skin, view.grid)
    reading = reader.read(picture)
    problem = ""
    if rect != window.rect:
        problem = f"a part of it is {OFF_SCREEN}"
    elif (picture.shape[1], picture.shape[0]) != size:
        screen = whole.width, whole.height
        made_on = calibration.screen
        where = (
            f" (on a screen of {made_on[0]}x{made_on[1]}, this one is {screen[0]}x{screen[1]})"
            if screen != tuple(made_on)
            else ""
        )
        problem = (
            f"its calibration {name!r} is for a window of {size[0]}x{size[1]} pixels{where}, it now has"
            f" {picture.shape[1]}x{picture.shape[0]}: give it that size again, or {again}"
        )
    elif (reading.board.codes == Cell.UNREAD).mean() > MAX_UNREAD_SHARE:
        unread = reading.board.count(Cell.UNREAD)
        problem = covering_problem(listed, window, view) or (
            f"{unread} of its {reading.board.codes.size} cells look like nothing that its calibration"
            f" {name!r} knows: show it with the same size, scale and colours, or {again}"
        )
    behaviour = replace(theme.behaviour, new_game=calibration.new_game_way())
    # What the looks that were learned do not show is read by what all Minesweepers share.
    looks = looks_of(theme.skin, view.grid) if theme.skin.learned else None
    return Sighting(view, reading, window, theme.skin, behaviour, problem, calibration, name, looks=looks)
