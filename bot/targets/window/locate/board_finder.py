"""Finds the boards of known games on the screen, and says whether each can be played where it lies.

In: pictures of the monitors and the list of windows. Out: `Sighting`s, one a board. Rectangles and points of
the desktop are in the mouse's points, those of pictures in pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from math import ceil, floor

from bot.board import Cell
from bot.errors import WindowError
from bot.geometry import Rect
from bot.screen.capture import Capture, desktop
from bot.screen.scale import Scale, pixels_per_point
from bot.screen.windows import Window, Windows
from bot.targets.window.calibration import kept_at
from bot.targets.window.sighting import Sighting, View
from bot.vision.plausibility import why_no_game
from bot.vision.skin_search import FoundBoard, find_boards
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.theme import KnownGame

OFF_SCREEN = "off the screen: move the window, or make it smaller, so that all of it is seen"
"""The end of the message for a window that lies partly off the screen."""


def look_around(capture: Capture, windows: Windows, games: Sequence[KnownGame]) -> list[Sighting]:
    """Every board of these games on any monitor, sorted from the top left.

    Learned skins are left out: their boards are found by their calibration (`locate.calibrated`). Raises
    ScreenError if the screen cannot be captured.
    """
    monitors = capture.monitors()
    whole = desktop(monitors)
    scales = [pixels_per_point(capture, monitor) for monitor in monitors]
    # A picture of the whole desktop also shows a window that lies across two monitors. It cannot be captured
    # if the scales of the monitors differ.
    areas = [whole] if set(scales) == {1.0} else monitors
    listed = windows.windows()
    behaviours = {game.name: game.behaviour for game in games}
    skins = [game.skin for game in games if not game.skin.learned]
    sightings: list[Sighting] = []
    for area in areas:
        picture = capture.grab(area)
        scale = Scale.of_picture(area, picture)
        for found in find_boards(picture, skins):
            # What only half resembles a skin gives cells that no game shows.
            if why_no_game(found.reading.board.codes) is not None:
                continue
            sighting = _sighting(found, behaviours[found.skin.name], scale, listed)
            if not _is_another_skin(found, sighting, listed):
                sightings.append(sighting)
    return sightings


def _is_another_skin(found: FoundBoard, sighting: Sighting, listed: Sequence[Window]) -> bool:
    """Whether a board has the cells of a skin, and its border on no side, or on one alone where no window
    covers the others: many games draw such cells, and lay all else out otherwise."""
    hidden, window = len(found.hidden_sides), sighting.window
    if hidden < 2 or hidden < len(found.skin.border) - 1:
        return False
    if sighting.problem.endswith(OFF_SCREEN):
        return hidden == len(found.skin.border)
    if hidden == len(found.skin.border):
        return True
    return window is not None and not covered_by(listed, window, sighting.view.rect)


def _sighting(
    found: FoundBoard, behaviour: GameBehaviour, scale: Scale, listed: Sequence[Window]
) -> Sighting:
    """The sighting of a board that was found in the picture of a monitor, or of the whole desktop."""
    area = scale.monitor
    grid, margins = found.grid, found.skin.margins
    factor = found.skin.scale_of(grid)
    left_margin, top_margin = round(margins.left * factor), round(margins.top * factor)
    wanted = Rect(
        grid.rect.x - left_margin,
        grid.rect.y - top_margin,
        grid.rect.width + left_margin + round(margins.right * factor),
        grid.rect.height + top_margin + round(margins.bottom * factor),
    )
    picture = Rect(0, 0, round(area.width * scale.across), round(area.height * scale.down))
    visible = wanted.clipped(picture)
    # Only whole points can be captured: the rectangle is rounded outward, but not beyond the area, whose last
    # point may have fewer pixels where the scale is a fraction.
    left, top = floor(visible.x / scale.across), floor(visible.y / scale.down)
    right = min(ceil(visible.right / scale.across), area.width)
    bottom = min(ceil(visible.bottom / scale.down), area.height)
    rect = Rect(area.x + left, area.y + top, right - left, bottom - top)
    view = View(rect, grid.moved(*scale.offset(area, rect)), scale.across)
    window = window_of(listed, view.grid_on_screen())
    if window is not None and window.rect.encloses(view.grid_on_screen()):
        # The margins of a scaled window are rounded: they may go a pixel beyond it.
        cropped = not area.encloses(window.rect)
    else:
        cropped = visible != wanted
    problem = f"a part of it is {OFF_SCREEN}" if cropped else _problem(found, view, window, listed)
    if not problem and found.skin.shaded and window is not None:
        # In this skin the lines between cells look like the border of the board: a board that another window
        # cuts off at such a line looks complete.
        problem = covering_problem(listed, window, view, border_cells=1)
    return Sighting(view, found.reading, window, found.skin, behaviour, problem)


def window_of(listed: Sequence[Window], board: Rect) -> Window | None:
    """The window in which a board lies; None if there is none.

    It is the topmost one that encloses the board, or, if none does, the topmost one at its centre. A window
    that covers a part of the board is another one.
    """
    enclosing = (window for window in reversed(listed) if window.rect.encloses(board))
    at_center = (window for window in reversed(listed) if window.rect.contains(board.center))
    return next(chain(enclosing, at_center), None)


def _problem(found: FoundBoard, view: View, window: Window | None, listed: Sequence[Window]) -> str:
    """Why a board that lies on the screen as a whole cannot be played there; empty if it can."""
    tiles, cell = found.skin.tiles, min(found.grid.cell_width, found.grid.cell_height)
    if tiles is not None and cell <= tiles.least * found.grid.magnification:
        return "its window is so small that it may not show every cell: make the window larger"
    hidden = _hidden_part(found)
    if hidden and window is not None and (covered := covered_by(listed, window, view.rect)):
        return covered
    return f"{hidden}: is something over it?" if hidden else ""


def _hidden_part(found: FoundBoard) -> str:
    """The part of the board or of its header that cannot be seen; empty if all can."""
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


def covering_problem(listed: Sequence[Window], window: Window, view: View, *, border_cells: int = 0) -> str:
    """Which windows cover the board, or its surroundings to a distance of `border_cells` cells: a line for
    people, empty if none does."""
    board, border = view.grid_on_screen(), border_cells * ceil(max(view.grid.pitch) / view.scale)
    area = Rect(board.x - border, board.y - border, board.width + 2 * border, board.height + 2 * border)
    return covered_by(listed, window, area)


def covered_by(listed: Sequence[Window], window: Window, area: Rect) -> str:
    """Which windows cover a part of `area`, which lies in `window`: a line for people, empty if none does."""
    above = listed[listed.index(window) + 1 :] if window in listed else []
    names = [one.called for one in above if one.rect.intersects(area)]
    return f"it is covered by {', '.join(names)}: move that away" if names else ""


def without_doubles(calibrated: Sequence[Sighting], others: Sequence[Sighting]) -> list[Sighting]:
    """All boards, each once, sorted from the top left.

    A calibration that fits its window overrides other sightings of that board. One that does not fit is left
    out if its window has another sighting. Of several that fit a board, the one that reads the most of it is
    taken, the newest of those that read as much.
    """
    calibrated = _one_a_board(calibrated)
    kept = [
        one
        for one in others
        if not any(
            own.view.grid_on_screen().intersects(one.view.grid_on_screen()) and not own.problem
            for own in calibrated
        )
    ]
    kept += [
        own
        for own in calibrated
        if not own.problem or not any(own.window is not None and own.window == one.window for one in others)
    ]
    return sorted(kept, key=lambda one: (one.view.grid_on_screen().y, one.view.grid_on_screen().x))


def _one_a_board(calibrated: Sequence[Sighting]) -> list[Sighting]:
    """The sightings by calibrations, one for each board, which names the others that fit it."""

    def rank(one: Sighting) -> tuple[bool, int, float]:
        return bool(one.problem), one.reading.board.count(Cell.UNREAD), -kept_at(one.calibration_name)

    kept: list[Sighting] = []
    for one in sorted(calibrated, key=rank):
        board = one.view.grid_on_screen()
        for number, other in enumerate(kept):
            if other.window != one.window:
                continue
            if one.problem:
                break
            if other.view.grid_on_screen().intersects(board):
                names = *other.other_calibrations, one.calibration_name
                kept[number] = replace(other, other_calibrations=names)
                break
        else:
            kept.append(one)
    return kept


def choose(
    sightings: Sequence[Sighting],
    wanted: str | None,
    target: str | None = None,
    *,
    unseen: Callable[[], str] = str,
) -> Sighting:
    """The board to play. `wanted` is a window's title, else a part of it, or its number in the list from 1;
    `target` is the only theme or calibration that was searched for, if there was only one. `unseen` says why
    the board of a window cannot be seen (`locate.unseen`), if something hides it; it is asked where none is.

    Raises WindowError if there is no such board, if there are several, and if it cannot be played.
    """
    if not sightings and target is not None:
        raise WindowError(
            f"no board of {target!r} was found on the screen: "
            + (unseen() or "open that game in full view, or leave out --target")
        )
    if not sightings:
        raise WindowError(
            "no Minesweeper board was found on the screen: "
            + (
                unseen()
                or "open a game in full view (or try `minebot run --practice`); say --window TITLE where a"
                " window shows plain squares, or a menu"
            )
        )
    matching = list(sightings)
    if wanted is not None:
        if wanted.isdigit() and 1 <= int(wanted) <= len(sightings):
            matching = [sightings[int(wanted) - 1]]
        else:
            named = [one for one in sightings if wanted.lower() in one.title.lower()]
            matching = [one for one in named if one.title.lower() == wanted.lower()] or named
        if not matching:
            why = f" ({told})" if (told := unseen()) else ""
            number = f"no board has the number {wanted}, and " if wanted.isdigit() else ""
            raise WindowError(
                f"{number}no board lies in a window called {wanted!r}{why}; there are: {_listed(sightings)}"
            )
    if len(matching) > 1:
        raise WindowError(f"{len(matching)} boards were found, choose one with --window: {_listed(matching)}")
    if matching[0].problem:
        raise WindowError(f"{matching[0]} cannot be played: {matching[0].problem}")
    return matching[0]


def _listed(sightings: Sequence[Sighting]) -> str:
    return "; ".join(f"{number}: {one}" for number, one in enumerate(sightings, 1))
