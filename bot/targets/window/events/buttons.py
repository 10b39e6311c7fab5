"""The buttons of a window, and what each says: only one that is known to start a game is ever pressed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Point, Rect
from bot.targets.window.events.new_game_places import buttons, changed_pixels, changed_places
from bot.vision.grid import Grid, Image, grown, part
from bot.vision.grids.grid_search import without_dithering
from bot.vision.words import KINDS, PRESSED, Meaning, is_framed, read_button

MIN_BUTTON, MAX_BUTTON = (14, 7), (260, 70)
"""The least and the largest width and height, in pixels, of a button or of its text."""

FRAMES, TEXTS, LINES = (60, 1), (60, 7), (150, 7)
"""How strong the edges are that are looked for, and over how many pixels they are joined: frames are whole,
and the letters of a text lie apart. On a ground that becomes darker weak edges join them with the frame."""

INNER = 0.7
"""A box within another is smaller than this part of it: a line has two edges, and so two boxes."""

LETTER, WORD = (0.3, 0.6), 1.5
"""A letter of the text of a button is so high at least and at most, as a part of the button, and at most so
many times as wide as high. One that nobody knows may look like the sign of another button."""

MARGIN = 3
"""Pixels around a text that are read with it."""

FRAME = 2
"""Pixels between the outer and the inner edge of the frame of a button."""

FACE_SIZE = 0.8, 4.0
"""Least and largest width and height of a face, in cells: letters are smaller."""

FACE_SHAPE = 0.7, 1.45
"""Least and largest width of a face over its height."""

FACE_MIDDLE = 0.12
"""How far from the middle of the board a face lies at most, as a part of the board's width."""

CENTRED, WIDE_FACE = 0.02, (0.6, 3.0)
"""The same of one in a wider button, the least height of that, in cells, and most width over height."""

NEAR = 6
"""How far apart the middles of boxes around one face lie at most, in pixels."""

CHANGED = 0.03
"""Part of the pixels of a button that have changed since the middle of the game, for one that came with its
end, or a face that has another look."""

MIN_TOOLBAR, TOOLBAR_SIZES = 3, 1.5
"""Minimum number of pictures of a toolbar, and how many times as large the largest may be as the smallest."""

MOST = 40
"""The most boxes that are looked at, those that say something known before all others: a page full of text
has more, most of them letters."""


@dataclass(frozen=True)
class Button:
    """A box in which something is written or drawn."""

    box: Rect
    """In pixels of the picture."""
    meaning: Meaning
    over_board: bool
    changed: bool
    """Whether the end of the game has changed it."""
    framed: bool
    """Whether it is set off from what lies around it, as labels are not."""

    @property
    def may_do_harm(self) -> bool:
        """Whether it may do something else than start a game."""
        known = self.meaning in (Meaning.CLOSE, Meaning.QUIT, Meaning.OTHER, Meaning.LEVEL)
        return known or (self.framed and self.meaning is Meaning.UNKNOWN)


def seen_buttons(at_end: Image, in_play: Image, grid: Grid) -> list[Button]:
    """What may be a button in a picture of the end of a game, beside the board and over it.

    `in_play` shows the middle of the game.
    """
    changed = changed_pixels(at_end, in_play)
    beside = read_boxes(at_end, grid.rect)
    labels = [
        grown(box, MARGIN, at_end)
        for box in changed_places(at_end, in_play)[:MOST]
        if not box.intersects(grid.rect) and _fits(box)
    ]
    beside += [
        (box, read_button(part(at_end, box)))
        for box in labels
        if not any(box.intersects(other) for other, _ in beside)
    ]
    meanings = dict(beside)
    found = [(box, meanings[box], False) for box in by_rows(list(meanings), grid.rect)]
    found += [(box, _read_framed(at_end, box), True) for box in buttons(at_end, in_play)]
    kept = _looked_at([meaning for _, meaning, _ in found])
    return [
        Button(
            box,
            meaning,
            over,
            changed=has_changed(changed, box),
            framed=is_framed(part(at_end, grown(box, 1, at_end))),
        )
        for box, meaning, over in (found[index] for index in kept)
    ]


def has_changed(changed: npt.NDArray[np.bool_], box: Rect) -> bool:
    """Whether so many pixels of a box have `changed`, (height, width), that what is there came since then, or
    has another look."""
    return bool(part(changed, box).mean() > CHANGED)


def _read_framed(picture: Image, box: Rect) -> Meaning:
    """What a button says whose box may be the outer or the inner edge of its frame."""
    meaning = read_button(part(picture, box))
    if meaning is not Meaning.UNKNOWN:
        return meaning
    return read_button(part(picture, grown(box, -FRAME, picture)))


def does_something_else(picture: Image, grid: Grid, place: Point) -> bool:
    """Whether the button at a place of a picture, in pixels, says that it starts no game."""
    return any(
        box.contains(place) and meaning in KINDS and meaning not in PRESSED
        for box, meaning in read_boxes(picture, grid.rect)
    )


def faces(at_end: Image, in_play: Image, grid: Grid) -> list[Rect]:
    """Boxes of pictures that may be the face of the game, the likeliest first.

    They are square, larger than letters, above the middle of the board, or anywhere beside it where the end
    of the game has changed them. Above or below the very middle they may be wider, as the button around them
    is.
    """
    cells, pitch = grid.rect, min(grid.pitch)
    low, high = (cells_wide * pitch for cells_wide in FACE_SIZE)
    changed = changed_pixels(at_end, in_play)
    found: list[tuple[bool, float, Rect]] = []
    for box in _components(at_end, cells, *FRAMES):
        aside = abs(box.center.x - cells.center.x) / cells.width
        above = box.bottom <= cells.y + 2 and aside <= FACE_MIDDLE
        below = box.y >= cells.bottom - 2 and aside <= CENTRED
        least, widest = (low, FACE_SHAPE[1]) if aside > CENTRED else (WIDE_FACE[0] * pitch, WIDE_FACE[1])
        if not (least <= min(box.width, box.height) and max(box.width, box.height) <= high):
            continue
        if not FACE_SHAPE[0] <= box.width / box.height <= (widest if above or below else FACE_SHAPE[1]):
            continue
        if box.intersects(cells):
            continue
        other = has_changed(changed, box)
        meaning = read_button(part(at_end, box))
        if meaning is Meaning.NOTHING:
            # The dots of a dithered ground hang together as the lines of a frame do.
            meaning = read_button(without_dithering(part(at_end, box)))
        # Sunglasses are wider than high, as texts are.
        is_face = meaning is Meaning.PICTURE or (meaning is Meaning.UNKNOWN and above and other)
        if is_face and (above or other):
            found.append((not above, aside, box))
    kept: list[Rect] = []
    for _, _, box in sorted(found, key=lambda one: one[:2]):
        # The frame of a face is found too, and another one within it.
        if not any(_are_near(box.center, other.center) for other in kept):
            kept.append(box)
    return kept


def _are_near(one: Point, other: Point) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) <= NEAR


def toolbar(buttons: Sequence[Button], cells: Rect) -> list[Rect]:
    """The pictures of a toolbar above the board, from the left: a row of pictures of about one size, which
    the end of a game does not change; empty where there is none."""
    pictures = [
        one.box
        for one in buttons
        if one.meaning is Meaning.PICTURE
        and not (one.over_board or one.changed)
        and one.box.bottom <= cells.y
    ]
    rows: list[list[Rect]] = []
    for box in by_rows(pictures, cells):
        if not rows or abs(rows[-1][0].center.y - box.center.y) > max(rows[-1][0].height, box.height) / 2:
            rows.append([])
        rows[-1].append(box)
    for row in rows:
        sizes = [max(box.width, box.height) for box in row]
        if len(row) >= MIN_TOOLBAR and max(sizes) <= TOOLBAR_SIZES * min(sizes):
            return row
    return []


def read_boxes(picture: Image, leave_out: Rect | None = None) -> list[tuple[Rect, Meaning]]:
    """Boxes of edges in a picture that may be buttons or texts, and what they say; none inside another, and
    nothing that lies in `leave_out`."""
    found: list[tuple[Rect, Meaning]] = []
    for kind in (FRAMES, TEXTS, LINES):
        components = [box for box in _components(picture, leave_out, *kind) if _fits(box)]
        components.sort(key=lambda one: one.area, reverse=True)
        for box in components:
            if leave_out and box.intersects(leave_out):
                continue
            # A frame of two pixels has two edges, and letters lie inside one: the outermost counts.
            there = [(other, meaning) for other, meaning in found if box.intersects(other)]
            if any(not box.encloses(other) for other, _ in there) or (there and kind == FRAMES):
                continue
            if kind == LINES and any(meaning in KINDS for _, meaning in there):
                continue
            meaning = read_line(picture, box) if kind == LINES else _read(picture, box)
            if (there or kind == LINES) and meaning not in KINDS:
                continue
            # The letters of a large text were taken for pictures.
            found = [one for one in found if one not in there]
            parts = _parts(picture, box, components) if meaning is Meaning.UNKNOWN else []
            if any(what in KINDS and _is_no_letter(one, box) for one, what in parts):
                found += parts  # a frame around several buttons
            else:
                found.append((box, meaning))
    return [found[index] for index in _looked_at([meaning for _, meaning in found])]


def _looked_at(meanings: Sequence[Meaning]) -> list[int]:
    """Which of some boxes, by what they say, are the `MOST` that are looked at, in their order."""
    known_first = sorted(range(len(meanings)), key=lambda index: meanings[index] not in KINDS)
    return sorted(known_first[:MOST])


def _parts(picture: Image, box: Rect, components: list[Rect]) -> list[tuple[Rect, Meaning]]:
    """What lies in a box of some components, the largest first, and what it says."""
    inside = [one for one in components if box.encloses(one) and one.area < INNER * box.area]
    return [(one, _read(picture, one)) for one in _outermost(inside)]


def _read(picture: Image, box: Rect) -> Meaning:
    """What is written or drawn in a box of edges, with the pixels around it."""
    return read_button(part(picture, grown(box, 1, picture)))


def read_line(picture: Image, box: Rect) -> Meaning:
    """What a line of text in a box of a picture (height, width, 3) says, on whatever ground: at its ends so
    much is read with it as it is high, for of a ground that changes its colour there would be less else than
    of the letters."""
    around = Rect(box.x - box.height, box.y - MARGIN, box.width + 2 * box.height, box.height + 2 * MARGIN)
    return read_button(part(picture, around))


def _is_no_letter(box: Rect, frame: Rect) -> bool:
    """Whether what lies in a frame is too large or too small for a letter of its text, or long enough for a
    word."""
    least, most = LETTER
    return not least <= box.height / frame.height < most or box.width >= WORD * box.height


def _outermost(boxes: list[Rect]) -> list[Rect]:
    """Of boxes, the largest first, those that lie in no other."""
    kept: list[Rect] = []
    for box in boxes:
        if not any(box.intersects(other) for other in kept):
            kept.append(box)
    return kept


def by_rows(boxes: list[Rect], cells: Rect) -> list[Rect]:
    """Boxes row by row, those nearest above the board first, each row from the left."""
    rows: list[list[Rect]] = []
    for box in sorted(boxes, key=lambda box: box.center.y):
        if rows and abs(rows[-1][0].center.y - box.center.y) <= max(rows[-1][0].height, box.height) / 2:
            rows[-1].append(box)
        else:
            rows.append([box])

    def distance(row: list[Rect]) -> tuple[bool, int]:
        middle = row[0].center.y
        return middle > cells.y, abs(middle - cells.y)

    return [box for row in sorted(rows, key=distance) for box in sorted(row, key=lambda box: box.x)]


def edges_of(picture: Image, strong: int = FRAMES[0]) -> npt.NDArray[np.uint8]:
    """The edges in a picture (height, width, 3), (height, width): not 0 where one is."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.Canny(grey, strong // 3, strong), np.uint8)


def _components(picture: Image, leave_out: Rect | None, strong: int, joined: int) -> list[Rect]:
    """Boxes of connected edges, each of which is `strong` at one pixel at least; those so many pixels apart
    in a row are `joined`."""
    edges = edges_of(picture, strong)
    if leave_out is not None:
        edges[
            max(0, leave_out.y - 1) : leave_out.bottom + 1, max(0, leave_out.x - 1) : leave_out.right + 1
        ] = 0
    near = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((1, joined), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(near, np.uint8), connectivity=8)
    return [Rect(int(x), int(y), int(w), int(h)) for x, y, w, h, _ in stats[1:]]


def _fits(box: Rect) -> bool:
    (least_w, least_h), (most_w, most_h) = MIN_BUTTON, MAX_BUTTON
    return least_w <= box.width <= most_w and least_h <= box.height <= most_h
