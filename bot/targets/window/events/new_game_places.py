"""Where a click may start a new game: places of a window that the end of a game has changed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Point, Rect
from bot.vision.grid import Grid, Image
from bot.vision.themes.behaviour import NewGameWay

CHANGED = 12
"""Colour difference (0 to 255) beyond which a pixel has changed."""

MAX_CANDIDATES = 14
"""Maximum number of places and keys that are tried after one game."""

BUTTON_WAIT_S = 12.0
"""How long a button over the board may take to show after the end of a game."""


@dataclass(frozen=True)
class NewGameCandidate:
    """A way that may start a new game."""

    way: NewGameWay
    """A click on a place that starts a game always ("place"), or only once one is over; or a key."""
    box: Rect | None = None
    """What the end of a game changes there, in pixels of the window's picture, where it changes something."""

    @classmethod
    def face(cls, place: Point, box: Rect | None = None) -> NewGameCandidate:
        """A click on the face above the board."""
        return cls(NewGameWay("place", place.x, place.y), box)

    @classmethod
    def button(cls, box: Rect) -> NewGameCandidate:
        """A click into a box that shows at the end of a game."""
        return cls(NewGameWay("end place", box.center.x, box.center.y, wait_s=BUTTON_WAIT_S), box)

    @property
    def place(self) -> Point | None:
        """Where to click, in pixels of the window's picture; None for a key."""
        return None if self.way.kind == "key" else Point(self.way.x, self.way.y)

    def __str__(self) -> str:
        way = self.way
        if way.kind == "key":
            return f"the key {way.key.upper()}"
        what = "the button above the board" if way.kind == "place" else "a button"
        return f"{what} at {way.x},{way.y} of the window"


def new_game_candidates(at_end: Image, in_play: Image, grid: Grid) -> list[NewGameCandidate]:
    """What may start a new game, the most likely first; from pictures of the end and middle of a game."""
    cells = grid.rect
    changed = changed_places(at_end, in_play)
    middle = Point(cells.center.x, cells.y // 2)
    above = [place for place in changed if place.bottom <= cells.y + 2]
    faces = [place for place in above if _is_face_like(place, grid.cell_height)]
    faces = sorted(faces, key=lambda place: abs(place.center.x - middle.x))[:3]
    found = [NewGameCandidate.face(face.center, face) for face in faces]
    found += [NewGameCandidate.face(middle)] if cells.y >= 12 else []  # a face needs as many pixels
    found += [NewGameCandidate(NewGameWay("key", key="f2"))]
    beside = [place for place in changed if not place.intersects(cells) and place not in faces]
    # Labels are higher than a line and wider than a digit.
    labels = [place for place in beside if 6 <= place.height <= 80 and 10 <= place.width <= 260]
    labels.sort(key=lambda place: place.y)  # of several buttons the top one is that for another game
    found += [NewGameCandidate.button(label) for label in labels[:6]]
    over_board = [box for box in buttons(at_end, in_play) if not any(box.intersects(face) for face in faces)]
    found += [NewGameCandidate.button(box) for box in over_board[: MAX_CANDIDATES - len(found)]]
    return found


def changed_places(one: Image, other: Image) -> list[Rect]:
    """The places, joined where they lie close together, in which two pictures differ; the largest first."""
    joined = cv2.dilate(changed_pixels(one, other).astype(np.uint8), np.ones((5, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(joined, np.uint8), connectivity=8)
    places = [
        Rect(int(x) + 2, int(y) + 2, max(1, int(w) - 4), max(1, int(h) - 4)) for x, y, w, h, _ in stats[1:]
    ]
    return sorted(places, key=lambda place: -place.width * place.height)


def changed_pixels(one: Image, other: Image) -> npt.NDArray[np.bool_]:
    """Which pixels differ, shape (height, width)."""
    return np.asarray((np.maximum(one, other) - np.minimum(one, other)).max(axis=2) > CHANGED)


def _is_face_like(place: Rect, cell: float) -> bool:
    """Whether a place is about as large as a face: half a cell to four cells, and not a line."""
    return (
        0.4 * cell <= place.width <= 4 * cell
        and 0.4 * cell <= place.height <= 4 * cell
        and place.width <= 3 * place.height
    )


def buttons(at_end: Image, in_play: Image) -> list[Rect]:
    """Boxes of one colour with something written in them, where the end of a game has changed the window.

    They are edges that enclose at least 24x16 pixels, 0.7 to 10 times as wide as high, of which 30 % have
    changed: the buttons on a card over the board. The largest comes first.
    """
    changed = changed_pixels(at_end, in_play)
    edges = cv2.Canny(at_end, 40, 120)
    closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found: list[Rect] = []
    height, width = at_end.shape[:2]
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        if not (16 <= h <= height // 3 and 24 <= w <= 0.9 * width and 0.7 * h <= w <= 10 * h):
            continue
        if changed[y : y + h, x : x + w].mean() < 0.3:
            continue
        box, middle = Rect(x, y, w, h), Rect(x, y, w, h).center
        if all(abs(middle.x - one.center.x) + abs(middle.y - one.center.y) >= 8 for one in found):
            found.append(box)
    return sorted(found, key=lambda box: (-box.width * box.height, -box.y))
