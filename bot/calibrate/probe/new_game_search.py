"""Finds out how a window starts a new game: a button above the board, F2, a button over it, keys."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from bot.calibrate.probe.live_window import LiveWindow
from bot.errors import WindowError
from bot.geometry import Point, Rect
from bot.vision.grid import Image

CHANGED = 12
"""Difference of colour (0 to 255) from which a pixel has changed."""

WAIT_S = 2.5
"""How long a new game may take to show."""

ANSWER_S = 1.0
"""A button, or a key, may take so long to change anything: a whole new board takes longer than a cell does,
and what comes late is taken for the doing of the button that is tried next."""

MOST_TRIES = 14
"""So many places and keys are tried."""

LED_AWAY = 0.6
"""The part of the board's pixels that another page of the game's changes, at least."""

KEYS = ("f2",)
"""Keys that start a new game in some windows."""

DIALOG_KEYS = ("escape", "enter")
"""Keys that close a dialog."""


@dataclass(frozen=True)
class Way:
    """One way to start a new game."""

    kind: Literal["face", "button", "key"]
    place: Point | None = None
    """In pixels of the window's picture."""
    box: Rect | None = None
    """What changes there, in the same pixels, where something does."""
    key: str = ""

    def __str__(self) -> str:
        if self.place is None:
            return f"the key {self.key.upper()}"
        what = "the button above the board" if self.kind == "face" else "a button"
        return f"{what} at {self.place.x},{self.place.y} of the window"


class NewGameSearch:
    """Starts new games in one window, by the way that worked last."""

    def __init__(self, live: LiveWindow, is_fresh: Callable[[Image, Image], bool]) -> None:
        """`is_fresh` says of a picture whether it shows a new board, given that of the game before it."""
        self._live = live
        self._is_fresh = is_fresh
        self.way: Way | None = None
        self.dialogs: dict[str, str] = {}
        """The titles of dialogs that came up, and the key that closed each."""
        self.tried: list[Way] = []

    def again(self, over: Image, calm: Image) -> Image:
        """Start a new game and give its picture.

        `over` is the window now, `calm` the window in the middle of a game. Raises WindowError where
        nothing that was tried started one.
        """
        self._live.check_place()
        self.close_dialogs()
        if self.way is not None:
            for _ in range(2):
                frame = self._try(self.way, over)
                if frame is not None:
                    return frame
                self.close_dialogs()
        for way in self._ways(over, calm):
            if len(self.tried) >= 3 * MOST_TRIES:
                break
            self.tried.append(way)
            frame = self._try(way, over)
            self.close_dialogs()
            if frame is not None:
                self.way = way
                return frame
            if self._elsewhere(over):
                raise WindowError(f"{way} led away from the board: start a new game and calibrate once more")
        names = ", ".join(dict.fromkeys(str(way) for way in self.tried))
        raise WindowError(f"no new game could be started; tried in vain: {names}")

    def _elsewhere(self, over: Image) -> bool:
        """Whether the window now shows something else than the end of that game."""
        frame = self._live.rest().frame
        now, before = self._live.cells_of(frame), self._live.cells_of(over)
        return bool((np.abs(now.astype(np.int16) - before).max(axis=2) > CHANGED).mean() > LED_AWAY)

    def close_dialogs(self) -> None:
        """Close what the game has opened over its board."""
        for _ in range(4):
            dialogs = self._live.dialogs()
            if not dialogs:
                return
            dialog = dialogs[-1]
            for attempt, key in enumerate(DIALOG_KEYS * 2):
                # With no window manager the keyboard is not always where it was asked to be.
                self._live.key_to(dialog, key, click=attempt >= len(DIALOG_KEYS))
                if self._gone(dialog.id):
                    self.dialogs[dialog.title] = key
                    break
            else:
                raise WindowError(f"the dialog {dialog.title!r} does not close: close it and start once more")

    def _gone(self, dialog: int) -> bool:
        until = time.perf_counter() + 1.0
        while time.perf_counter() < until:
            if all(one.id != dialog for one in self._live.dialogs()):
                return True
            time.sleep(0.03)
        return False

    def _try(self, way: Way, over: Image) -> Image | None:
        if way.place is not None:
            self._live.click_beside(way.place)
        else:
            self._live.key(way.key)
        rest = self._live.rest(over, answer_s=ANSWER_S)
        waited = 0.0
        while not self._is_fresh(rest.frame, over):
            if not rest.changed or waited > WAIT_S:
                return None
            rest = self._live.rest(rest.frame)  # it may only fade in
            waited += self._live.reaction_s
        return rest.frame

    def _ways(self, over: Image, calm: Image) -> Iterator[Way]:
        """What to try, the most likely first."""
        live = self._live
        cells = live.view.grid.rect
        spots = changed_spots(over, calm)
        above = [spot for spot in spots if spot.bottom <= cells.y + 2]
        middle = Point(cells.center.x, cells.y // 2)
        faces = sorted(
            (spot for spot in above if _button_like(spot, live.view.grid.cell_height)),
            key=lambda spot: abs(spot.center.x - middle.x),
        )
        ways = [Way("face", spot.center, spot) for spot in faces[:3]]
        ways += [Way("face", middle, None)] if cells.y >= 12 else []
        ways += [Way("key", key=key) for key in KEYS]
        # Labels that have changed, from the top: of several buttons the first one is that for another game.
        beside = sorted(
            (spot for spot in spots if not spot.intersects(cells) and spot not in faces[:3]),
            key=lambda spot: spot.y,
        )
        ways += [Way("button", spot.center, spot) for spot in beside if _label_like(spot)][:6]
        over_board = [
            box for box in buttons(over, calm) if not any(box.intersects(face) for face in faces[:3])
        ]
        ways += [Way("button", box.center, box) for box in over_board[: MOST_TRIES - len(ways)]]
        for way in ways:
            if way.place is None or live.may_click(way.place):
                yield way


def changed_spots(one: Image, other: Image) -> list[Rect]:
    """The places, joined where they lie close together, in which two pictures differ; the largest first."""
    difference = np.maximum(one, other) - np.minimum(one, other)
    mask = (difference.max(axis=2) > CHANGED).astype(np.uint8)
    joined = cv2.dilate(mask, np.ones((5, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(joined, np.uint8), connectivity=8)
    spots = [
        Rect(int(x) + 2, int(y) + 2, max(1, int(w) - 4), max(1, int(h) - 4)) for x, y, w, h, _ in stats[1:]
    ]
    return sorted(spots, key=lambda spot: -spot.width * spot.height)


def _button_like(spot: Rect, cell: float) -> bool:
    """Whether a spot is about as large as a face: half a cell to four cells, and not a line."""
    return (
        0.4 * cell <= spot.width <= 4 * cell
        and 0.4 * cell <= spot.height <= 4 * cell
        and spot.width <= 3 * spot.height
    )


def _label_like(spot: Rect) -> bool:
    """Whether a spot may be the text of a button that changes: higher than a line, wider than a digit."""
    return 6 <= spot.height <= 80 and 10 <= spot.width <= 260


def buttons(over: Image, calm: Image) -> list[Rect]:
    """Boxes of one colour with something written in them, in what the end of a game has changed.

    Buttons on cards: the topmost card is found as what changed; in it, boxes two to eight times as wide as
    high (or square), the lowest and nearest to the middle first.
    """
    difference = np.maximum(over, calm) - np.minimum(over, calm)
    changed = difference.max(axis=2) > CHANGED
    if not changed.any():
        return []
    edges = cv2.Canny(over, 40, 120)
    closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found: list[Rect] = []
    height, width = over.shape[:2]
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        if not (16 <= h <= height // 3 and 24 <= w <= 0.9 * width and 0.7 * h <= w <= 10 * h):
            continue
        if changed[y : y + h, x : x + w].mean() < 0.3:
            continue
        box = Rect(x, y, w, h)
        if not any(
            abs(box.center.x - other.center.x) + abs(box.center.y - other.center.y) < 8 for other in found
        ):
            found.append(box)
    return sorted(found, key=lambda box: (-box.width * box.height, -box.y))
