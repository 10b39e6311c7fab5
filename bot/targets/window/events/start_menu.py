"""The menu that a game shows before there is any board: gone through by the button that starts a game.

Only a window is clicked that the user has named, or whose title says that it is a Minesweeper, in which
nothing repeats as cells do: a game that is played must not be thrown away because its board cannot be read.
And only a button with a frame, or a ground, of its own that says that it starts a game, or names a level.
Of several levels that is the first one.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from bot.geometry import Point, Rect
from bot.screen.capture import Capture, desktop
from bot.screen.mouse import Mouse
from bot.screen.scale import pixels_per_point
from bot.screen.windows import Window, Windows
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.act.pointer import is_near
from bot.targets.window.events.buttons import edges_of, read_boxes, read_line
from bot.targets.window.locate.board_finder import covered_by
from bot.targets.window.locate.unknown_boards import NAMES
from bot.vision.grid import Image, grown, part, same_pixels
from bot.vision.grids.grid_search import find_grids
from bot.vision.words import KINDS, Meaning, is_framed, read_button

MOST = 3
"""So many buttons are clicked, one after the other: a menu may lead to another one."""

MIN_LEVELS = 2
"""One level alone may be the title of something."""

LINES, BETWEEN, AT_EDGE = (2, 3), 2, 3
"""How many lines a button may have, how many rows of pixels without an edge lie at least between two, and how
many pixels at its own edges may belong to its frame."""

RIM, SET_OFF = 4, 25
"""How many pixels inside and outside of its edge the grounds of a button and of what lies around it are
compared, and by how much they differ at least, 0 to 255."""

HIGHEST, FILLED, SAME_GROUND = 5, 0.8, 8
"""How many times as high as its text a button is at most, which part of it its ground takes at least, and how
far the colours of that are apart at most, 0 to 255."""

HOLD_S = 0.06
"""For how long the button is held, in seconds: some programs look only now and then whether it is down."""

BESIDE = 12
"""How far from a window the pointer is left, in points: what it lies on may look otherwise."""

GROWS_S = 0.5
"""For how long a window may take to grow, in seconds, once it shows something else."""

CHANGES_S, POLL_S = 3.0, 0.05
"""For how long it is waited until the window shows something else, and the time between two looks."""


@dataclass(frozen=True)
class _StartButton:
    """A button that starts a game."""

    window: Window
    area: Rect
    """The part of the window that lies on one monitor, in points of the desktop."""
    picture: Image
    """What it shows."""
    box: Rect
    """Where the button is in the picture, in pixels."""
    middle: Point
    """And its middle, in points of the desktop."""


def start_menus(capture: Capture, windows: Windows, mouse: Mouse, named: str | None) -> Iterator[str]:
    """Click what starts a game in a window without a board, and say so each time the window has changed: a
    line for people. Ends where nothing more can be clicked.

    `named`: a part of the title of the window, if one was named. Raises Stopped in a fail-safe corner, and
    ScreenError if the screen cannot be captured.
    """
    clicked: set[tuple[int, Rect]] = set()
    for _ in range(MOST):
        found = next(_start_buttons(capture, windows, named, clicked), None)
        if found is None:
            return
        window, middle = found.window, found.middle
        clicked.add((window.id, found.box))
        if not mouse.click(middle, "left", HOLD_S, window=window):
            return
        has_changed = _changes(capture, found.area, found.picture)
        _leave(capture, windows, mouse, middle)
        if has_changed:
            place = f"{middle.x - window.rect.x},{middle.y - window.rect.y}"
            yield f"{window.title!r} shows no board yet: clicked what starts a game, at {place} of the window"


def _start_buttons(
    capture: Capture, windows: Windows, named: str | None, clicked: set[tuple[int, Rect]]
) -> Iterator[_StartButton]:
    """The buttons that were not `clicked` yet, by their window and box: of the topmost window first."""
    # A number is none of a title: it is the place of a board in a list.
    title = NAMES if named is None or named.isdigit() else re.escape(named)
    listed = windows.windows()
    for window in reversed(listed):
        if re.search(title, window.title, re.IGNORECASE) is None:
            continue
        for monitor in capture.monitors():
            area = window.rect.clipped(monitor)
            if min(area.width, area.height) < 1:
                continue
            picture, scale = capture.grab(area), pixels_per_point(capture, area)
            for box in menu_buttons(picture):
                middle = Point(area.x + int(box.center.x / scale), area.y + int(box.center.y / scale))
                lies_open = not covered_by(listed, window, Rect(middle.x, middle.y, 1, 1))
                if lies_open and (window.id, box) not in clicked:
                    yield _StartButton(window, area, picture, box, middle)


def press_in_menu(controls: WindowControls, window: Window) -> bool:
    """Click the first button that starts a game in a window of a game that shows a menu; whether there was
    one."""
    capture = controls.observer.capture
    if not desktop(capture.monitors()).encloses(window.rect):
        return False
    found, scale = menu_buttons(capture.grab(window.rect)), pixels_per_point(capture, window.rect)
    if not found:
        return False
    place = Point(int(found[0].center.x / scale), int(found[0].center.y / scale))
    return controls.click_in(window, place, slow=True)


def menu_buttons(picture: Image) -> list[Rect]:
    """The buttons of a picture (height, width, 3) that start a game, from the top: those that say so, else
    those that name levels. None where something in it repeats as cells do."""
    read = [
        (box, meaning if meaning in KINDS else _meaning_of_lines(part(picture, box)))
        for box, meaning in read_boxes(picture)
    ]
    buttons = [
        (box, meaning)
        for box, meaning in read
        if meaning in (Meaning.NEW, Meaning.LEVEL)
        and (_is_set_off(picture, box) or _is_all_on_a_button(picture, box, meaning))
    ]
    if not buttons or find_grids(picture):
        return []
    buttons.sort(key=lambda one: (one[0].center.y, one[0].center.x))
    new = [box for box, meaning in buttons if meaning is Meaning.NEW]
    levels = [box for box, meaning in buttons if meaning is Meaning.LEVEL]
    return new or (levels if len(levels) >= MIN_LEVELS else [])


def _is_set_off(picture: Image, box: Rect) -> bool:
    """Whether a box in a picture (height, width, 3) has a frame, or another ground than what lies around it:
    in the middle of each of its sides what is just inside differs from what is just outside."""
    if is_framed(part(picture, grown(box, 1, picture))):
        return True
    outer = grown(box, RIM, picture)
    if (outer.width, outer.height) != (box.width + 2 * RIM, box.height + 2 * RIM):
        return False
    around = part(picture, outer).astype(np.int16)
    rows = slice(*(RIM + box.height // 2 + off * box.height // 8 for off in (-1, 1)))
    columns = slice(*(RIM + box.width // 2 + off * box.width // 4 for off in (-1, 1)))
    sides = (
        (around[0, columns], around[2 * RIM, columns]),
        (around[-1, columns], around[-1 - 2 * RIM, columns]),
        (around[rows, 0], around[rows, 2 * RIM]),
        (around[rows, -1], around[rows, -1 - 2 * RIM]),
    )
    return all(bool((np.abs(outside - inside).max(axis=1) >= SET_OFF).all()) for outside, inside in sides)


def _is_all_on_a_button(picture: Image, text: Rect, meaning: Meaning) -> bool:
    """Whether a text in a picture (height, width, 3) lies on a ground that is not much higher, and all that
    is written there means the same: a button that is too wide to be taken for one, and no word of a longer
    text. A level may be named with its size behind it."""
    corner = grown(text, AT_EDGE, picture)
    ground = np.zeros((picture.shape[0] + 2, picture.shape[1] + 2), np.uint8)
    options = cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE | 4
    near = (SAME_GROUND,) * 3
    _, _, _, place = cv2.floodFill(
        picture.copy(), ground, (corner.x, corner.y), (0, 0, 0), near, near, options
    )
    button = Rect(*map(int, place))
    if not text.height < button.height <= HIGHEST * text.height:
        return False
    drawn = part(ground[1:-1, 1:-1], button) == 0
    # Not its rounded corners.
    drawn[:AT_EDGE] = drawn[-AT_EDGE:] = False
    drawn[:, :AT_EDGE] = drawn[:, -AT_EDGE:] = False
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    if not len(rows) or drawn.mean() > 1 - FILLED:
        return False
    left, top = button.x + int(columns[0]), button.y + int(rows[0])
    whole = Rect(left, top, int(columns[-1] - columns[0]) + 1, int(rows[-1] - rows[0]) + 1)
    if meaning is not Meaning.LEVEL or text.right + AT_EDGE >= whole.right:
        return read_line(picture, whole) is meaning
    behind = Rect(text.right, top, whole.right - text.right, whole.height)
    return text.x - left <= AT_EDGE and read_button(part(picture, behind)) not in KINDS


def _meaning_of_lines(button: Image) -> Meaning:
    """The level that a button (height, width, 3) of several lines names, as one of a level and its size:
    `LEVEL` where one line says so and no other one can be read, else `UNKNOWN`. What starts something in one
    line may be told in the other."""
    height, width = button.shape[:2]
    side = height // 2 if width > 2 * height else AT_EDGE
    edges = edges_of(button)
    # Not the frame, with corners as round as can be.
    edges[:AT_EDGE] = edges[height - AT_EDGE :] = 0
    edges[:, :side] = edges[:, width - side :] = 0
    rows = np.flatnonzero(edges.any(axis=1))
    lines = np.split(rows, np.flatnonzero(np.diff(rows) > BETWEEN) + 1)
    if not LINES[0] <= len(lines) <= LINES[1]:
        return Meaning.UNKNOWN
    said: set[Meaning] = set()
    for line in lines:
        top, bottom = int(line[0]), int(line[-1]) + 1
        columns = np.flatnonzero(edges[top:bottom].any(axis=0))
        box = Rect(int(columns[0]), top, int(columns[-1] - columns[0]) + 1, bottom - top)
        said.add(read_line(button, box))
    return Meaning.LEVEL if said.intersection(KINDS) == {Meaning.LEVEL} else Meaning.UNKNOWN


def _leave(capture: Capture, windows: Windows, mouse: Mouse, at: Point) -> None:
    """Put the pointer beside the window under it, for as long as that may still grow; it was left at a point,
    and where it is not there any more a person has it."""
    until = time.monotonic() + GROWS_S
    while is_near(mouse.position(), at) and time.monotonic() < until:
        under = next((one for one in reversed(windows.windows()) if one.rect.contains(at)), None)
        beside = at if under is None else _beside(capture, under.rect)
        if beside != at:
            mouse.move(beside)
            at = beside
        time.sleep(POLL_S)


def _beside(capture: Capture, window: Rect) -> Point:
    """A point beside a window, on a monitor; where it fills them, one at its edge."""
    middle = window.center
    places = (
        Point(window.right + BESIDE, middle.y),
        Point(window.x - BESIDE, middle.y),
        Point(middle.x, window.bottom + BESIDE),
        Point(middle.x, window.y - BESIDE),
    )
    monitors = capture.monitors()
    free = (place for place in places if any(one.contains(place) for one in monitors))
    return next(free, Point(window.x + 1, middle.y))


def _changes(capture: Capture, area: Rect, before: Image) -> bool:
    """Whether an area of the screen soon looks otherwise than `before`."""
    until = time.monotonic() + CHANGES_S
    while time.monotonic() < until:
        if not same_pixels(capture.grab(area), before):
            return True
        time.sleep(POLL_S)
    return False
