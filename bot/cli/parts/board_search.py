"""The boards that `minebot run` can play: which games it searches the screen for, and where they are."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.cli.parts.run_screen import RunScreen
    from bot.cli.parts.words.run_options import WindowOptions
    from bot.errors import ThemeMisfit
    from bot.screen.capture import Capture
    from bot.screen.windows import Windows
    from bot.targets.window.calibration import Calibration
    from bot.targets.window.sighting import Sighting, View
    from bot.targets.window.window_target import WindowTarget
    from bot.vision.grid import Image
    from bot.vision.themes.theme import Theme


DRAWN_S = 10.0
"""Time that a window which we have opened has to be drawn, in seconds: a busy machine takes a second."""

POLL_S = 0.05
"""Time between two looks for a board, in seconds."""

STILL_S = 1.0
"""A screen that has not changed for so long is drawn, in seconds."""

CHANGES_S = 5.0
"""Limit for the looks at a screen that goes on changing, in seconds: some always do, as with a film."""

AROUND, CHANGES, MAX_CHANGED = 0.5, 12, 0.05
"""How far around a board is looked at, as a part of a cell; by how much a pixel differs, 0 to 255, from what
is usual along that side, and which part of them at most, where no more cells begin."""

CHANGED_PIXELS = 1000
"""Minimum number of pixels that a board which is drawn changes: a cursor that blinks has some hundreds, the
lines and bevels of 8x8 small cells several thousand."""


def searched_games(
    target: str | None, practice: bool, tell: Callable[[str], None]
) -> tuple[list[Theme], dict[str, Calibration]]:
    """The themes, and the calibrations by name, to search for: all of them, or the one that `--target` names.

    Raises UsageError for an unknown name, FormatError for a file that cannot be read. Without a target, such
    themes and calibrations are reported to `tell` and left out.
    """
    from bot.targets.window.calibration import (
        calibration_files,
        calibration_path,
        load_calibration,
        own_calibrations,
    )
    from bot.vision.themes.theme import load_themes, theme_folders

    if practice:
        return load_themes("practice"), {}
    if target is not None:
        shipped_only = target in calibration_files() and target not in theme_folders()
        if calibration_path(target).exists() or shipped_only:
            return [], {target: load_calibration(target)}
        return load_themes(target), {}
    return load_themes(tell=tell), own_calibrations(tell)


def find_board(
    options: WindowOptions,
    searched: tuple[list[Theme], dict[str, Calibration]],
    screen: RunScreen,
    tell: Callable[[str], None],
    *,
    may_begin: bool,
) -> Sighting:
    """The board to play, and say which it is. `searched`: what `searched_games` gives.

    A paused game is woken where there is a mouse. With `may_begin`, what starts a game is clicked in a
    window without a board. Raises WindowError where there is no board to play, or more than one.
    """
    from bot.screen.capture import desktop
    from bot.targets.window.events.pause import wake
    from bot.targets.window.events.start_menu import start_menus
    from bot.targets.window.locate.board_finder import choose
    from bot.targets.window.locate.unknown_boards import refuse_hexagons
    from bot.targets.window.locate.unseen import why_unseen

    capture, mouse, windows = screen.capture, screen.mouse, screen.windows
    themes, calibrations = searched
    drawn_s = 0.0 if options.practice is None else DRAWN_S

    def look() -> list[Sighting]:
        found = find_all_boards(capture, windows, themes, calibrations, limit_s=drawn_s)
        if not found and mouse is not None and wake(capture, windows, themes):
            found = find_all_boards(capture, windows, themes, calibrations)
        return with_unknown(found, capture, windows, options.title) if options.may_be_any_game else found

    sightings = look_until_drawn(capture, look)
    if options.may_be_any_game and not sightings:
        if mouse is not None and may_begin:
            for told in start_menus(capture, windows, mouse, options.title):
                tell(told)
                sightings = look_until_drawn(capture, look)
                if sightings:
                    break
        if not sightings:
            refuse_hexagons(capture)

    def unseen() -> str:
        return why_unseen(windows.windows(), desktop(capture.monitors()), options.title)

    sighting = choose(sightings, options.title, options.target, unseen=unseen)
    tell(f"found {sighting}")
    if sighting.other_calibrations:
        others = ", ".join(sighting.other_calibrations)
        tell(f"played by the calibration {sighting.calibration_name}; --target takes another: {others}")
    return sighting


def find_all_boards(
    capture: Capture,
    windows: Windows,
    themes: list[Theme],
    calibrations: dict[str, Calibration],
    *,
    limit_s: float = 0.0,
) -> list[Sighting]:
    """Every board on the screen that can be read, each once, sorted from the top left.

    Looks again for `limit_s` seconds while there is none: a window may be there before it is drawn.
    """
    from bot.targets.window.locate.board_finder import look_around, without_doubles
    from bot.targets.window.locate.calibrated import find_calibrated

    until = time.monotonic() + limit_s
    while True:
        found = without_doubles(
            find_calibrated(capture, windows, calibrations), look_around(capture, windows, themes)
        )
        if found or time.monotonic() >= until:
            return found
        time.sleep(POLL_S)


def look_until_drawn(capture: Capture, look: Callable[[], list[Sighting]]) -> list[Sighting]:
    """What `look` finds on the screen; where no board among it can be played, it looks again as long as the
    screen changes: a window may be there before it is drawn, or be on its way to its place. Raises
    ScreenError if the screen cannot be captured."""
    until = time.monotonic() + CHANGES_S
    while True:
        before = _screen(capture)
        found = look()
        playable = any(not one.problem for one in found)
        if playable or time.monotonic() >= until or not _changes(capture, before):
            return found


def _screen(capture: Capture) -> list[Image]:
    """A picture of each monitor."""
    return [capture.grab(monitor) for monitor in capture.monitors()]


def _changes(capture: Capture, before: list[Image]) -> bool:
    """Whether the screen shows much else than `before`, now or soon."""
    until = time.monotonic() + STILL_S
    while True:
        now = _screen(capture)
        if len(now) != len(before) or any(map(_differ, now, before)):
            return True
        if time.monotonic() >= until:
            return False
        time.sleep(POLL_S)


def _differ(now: Image, before: Image) -> bool:
    """Whether two pictures of a monitor differ by so much as a board that was drawn."""
    from bot.vision.grid import same_pixels

    if now.shape != before.shape:
        return True
    if same_pixels(now, before):
        return False
    return int((now != before).any(axis=2).sum()) >= CHANGED_PIXELS


def _is_read_whole(other: Sighting, known: Sighting, capture: Capture, windows: Windows) -> bool:
    """Whether what is read without a theme is all of a board that a theme takes for a part of one: no other
    window lies over it, and what lies around it is no part of more cells."""
    if not known.problem or not windows.known or other.window != known.window:
        return False
    return _reads_all_of(other, known.view) and _stands_alone(other, capture)


def _reads_all_of(seen: Sighting, view: View) -> bool:
    """Whether every cell is read of a board of the same size in the place of a view, and it can be played."""
    from bot.board import Cell

    same = seen.view.grid.shape == view.grid.shape
    there = seen.view.grid_on_screen().intersects(view.grid_on_screen())
    return same and there and not seen.problem and not seen.reading.board.count(Cell.UNREAD)


def _stands_alone(seen: Sighting, capture: Capture) -> bool:
    """Whether the window of a board goes on for half a cell on each side of it, and what it shows there
    changes hardly along that side, as the lines between cells would make it do."""
    import numpy as np

    from bot.geometry import Rect

    board, (wide, high) = seen.view.grid_on_screen(), seen.view.grid.pitch
    across, down = (int(AROUND * pitch / seen.view.scale) for pitch in (wide, high))
    above = Rect(board.x, board.y - down, board.width, down)
    left = Rect(board.x - across, board.y, across, board.height)
    sides = {
        1: (above, above.moved(0, board.height + down)),
        0: (left, left.moved(board.width + across, 0)),
    }
    for along, places in sides.items():
        for place in places:
            if seen.window is None or not seen.window.rect.encloses(place) or not place.area:
                return False
            shown = capture.grab(place).astype(np.int16)
            common = np.median(shown, axis=along, keepdims=True)
            if (np.abs(shown - common).max(axis=2) > CHANGES).mean() > MAX_CHANGED:
                return False
    return True


def read_otherwise(target: WindowTarget, error: ThemeMisfit) -> Sighting:
    """The board of a window, read by what all Minesweepers share, where its theme does not know all cells.

    Raises WindowError, for the same reason, where it is not read so either.
    """
    from bot.errors import WindowError
    from bot.targets.window.locate.unknown_boards import look_for_unknown

    observer = target.observer
    window = observer.window_now() if observer.windows.known else None
    seen = look_for_unknown(observer.capture, observer.windows, None if window is None else window.rect)
    for one in seen:
        if window is not None and _reads_all_of(one, target.view):
            return one
    raise WindowError(str(error))


def with_unknown(
    known: list[Sighting], capture: Capture, windows: Windows, wanted: str | None
) -> list[Sighting]:
    """The boards that can be played, or, where there is none, those of games that no theme knows too.

    `wanted` is a part of a window's title, if one was named: a board elsewhere is not meant.
    """
    from bot.targets.window.locate.unknown_boards import look_for_unknown

    # A window that was learned is looked at anew where it has changed.
    known = [one for one in known if not (one.problem and one.looks is not None)]
    meant = [
        one
        for one in known
        if not one.problem and (wanted is None or wanted.isdigit() or wanted.lower() in one.title.lower())
    ]
    if meant:
        return known
    named = None if wanted is None or wanted.isdigit() else wanted
    seen = look_for_unknown(capture, windows, named=named)
    # What looks like a known game and is drawn otherwise around its board is another game.
    known = [one for one in known if not any(_is_read_whole(other, one, capture, windows) for other in seen)]
    areas = [one.view.grid_on_screen() for one in known]
    unknown = [one for one in seen if not any(one.view.grid_on_screen().intersects(area) for area in areas)]
    if any(not one.problem for one in unknown):
        # A board of a known game that cannot be played where it lies is told only if there is no other.
        known = [one for one in known if not one.problem]
    return known + unknown
