"""Reads a mine counter that is written as text, as `3/40`: the flags that are set, and all mines.

No font is taken for granted. Each letter is compared with the digits of several common fonts
(`text_digits.png`, drawn by `training/text_digits.py`) and must be clearly nearest to one digit; then the
letters are compared with each other, for in one line two that mean the same look the same. Where anything is
not sure, nothing is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise, product
from math import prod
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import Image
from bot.vision.themes.palette import Bgr

DRAWN = "0123456789/"
"""The letters on the sheet, from the left; each of its rows is one font at one size."""

SIDES = 12, 16
"""Width and height of a letter on the sheet, in pixels: letters fill the height."""

INK = 0.3
"""What is drawn differs from what lies behind by more than this part of the strongest difference."""

CORES = (0.3, 0.45, 0.6, 0.75)
"""The same for what a letter is told by: small letters touch where they are faint."""

LOST = 0.03
"""The part of what is drawn that may belong to no letter."""

GROWN = 3
"""So many pixels around its core belong to a letter at most."""

LEAST_INK = 40
"""What differs less from what lies behind, in its strongest colour of 0 to 255, is no text."""

SMALLEST, LARGEST = 7, 40
"""Pixels: the height of digits."""

FARTHEST, NEARER, SURELY_NEARER = 0.14, 0.7, 0.55
"""A letter is as near to its digit (0 the same, 1 nothing in common), and so much nearer than to another; so
much nearer where nothing else speaks for it."""

HIGH_NEARER = 0.85
"""The same for a stroke that is higher than all else."""

ALIKE, CLOSE = 0.2, 0.05
"""Two letters of one line that mean the same differ by less than the one, others by more than the other."""

WIDEST, NARROW = 0.9, 0.55
"""What is wider than so many times its height is digits that touch, each as wide at most, and at least so
wide."""

MOST_WAYS = 40
"""In more ways letters that touch are not parted."""

UNEVEN = 0.1
"""The digits of a line are of one height, give or take such a part of it, or a pixel."""

WIDER = 1.4
"""No digit of a font is so many times as wide as another that is no 1: what is, is two of them."""

Floats = npt.NDArray[np.float32]

Letters = list[tuple[Rect, Floats]]
"""The letters of a line from the left, each with its place."""


@dataclass(frozen=True)
class TextCounter:
    """What the counter says."""

    flags: int
    mines: int
    sure: bool
    """Whether every letter is clear by itself; if not, something else should speak for it."""


def read_text_counter(image: Image, area: Rect, background: Bgr) -> TextCounter | None:
    """The counter in an area of a picture (height, width, 3), on a background (blue, green, red).

    None where no line of text there is two numbers with a stroke between them, or where several are.
    """
    inside = area.clipped(Rect(0, 0, image.shape[1], image.shape[0]))
    part = image[inside.y : inside.bottom, inside.x : inside.right].astype(np.int16)
    if not part.size:
        return None
    ink = np.abs(part - np.array(background, np.int16)).max(axis=2).astype(np.float32)
    read = [found for line in _lines(ink) if (found := _written(line)) is not None]
    return read[0] if len(read) == 1 else None


def _lines(ink: Floats) -> list[Floats]:
    """The lines of an area, from the top: rows with something in them and none above and below."""
    rows = np.flatnonzero(np.concatenate([[False], (ink > LEAST_INK).any(axis=1), [False]]))
    lines: list[Floats] = []
    for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
        if SMALLEST <= len(run) <= 2 * LARGEST:
            lines.append(ink[max(0, run[0] - 2) : run[-1] + 1])
    return lines


def _written(line: Floats) -> TextCounter | None:
    """The numbers of a line; None where it is anything else."""
    read = [
        found
        for core in CORES
        for letters in _letters(line, core)
        if 3 <= len(letters) <= 11 and (found := _told(letters)) is not None
    ]
    if len({(one.flags, one.mines) for one in read}) != 1:
        return None
    return max(read, key=lambda one: one.sure)


def _told(letters: Letters) -> TextCounter | None:
    """What some letters say; None where that is not clear, or no two numbers."""
    known = _sheet()
    meant, sure = "", True
    heights = [box.height for box, _ in letters]
    for box, letter in letters:
        apart = 1 - known @ letter.ravel()
        nearest = apart.min(axis=0)
        best = int(nearest.argmin())
        other = float(np.delete(nearest, best).min())
        # A stroke of small letters is much like a 7, but it alone reaches beyond the digits.
        high = DRAWN[best] == "/" and heights.count(box.height) == 1 and box.height == max(heights)
        nearer, surely = (HIGH_NEARER, HIGH_NEARER) if high else (NEARER, SURELY_NEARER)
        if nearest[best] > FARTHEST or nearest[best] > nearer * other:
            return None
        sure = sure and bool(nearest[best] <= surely * other)
        meant += DRAWN[best]
    numbers = re.fullmatch(r"(0|[1-9]\d*)/([1-9]\d*)", meant)
    if numbers is None or not _agree(meant, letters):
        return None
    return TextCounter(int(numbers[1]), int(numbers[2]), sure)


def _agree(meant: str, letters: Letters) -> bool:
    """Whether all digits are equally high, none is as wide as two, and only equal ones look the same."""
    high = [box.height for one, (box, _) in zip(meant, letters, strict=True) if one != "/"]
    if max(high) - min(high) > max(1, UNEVEN * max(high)):
        return False
    wide = [(box.width, one) for one, (box, _) in zip(meant, letters, strict=True) if one != "/"]
    if max(wide)[0] > 1 + WIDER * min((width for width, one in wide if one != "1"), default=LARGEST):
        return False
    for index, (one, (_, letter)) in enumerate(zip(meant, letters, strict=True)):
        for other, (_, rival) in zip(meant[:index], letters[:index], strict=True):
            apart = 1 - float(letter.ravel() @ rival.ravel())
            if apart > ALIKE if one == other else apart <= CLOSE:
                return False
    return True


def _letters(line: Floats, core: float) -> list[Letters]:
    """The letters of a line, told by their cores; several ways where some touch, none where they are no
    digits."""
    strongest = float(line.max())
    count, labels = cv2.connectedComponents((line > core * strongest).astype(np.uint8), connectivity=8)
    drawn = line > INK * strongest
    owners = _grown(np.asarray(labels, np.float32), drawn)
    if np.count_nonzero(drawn & (owners == 0)) > LOST * np.count_nonzero(drawn):
        return []  # a letter without a core
    found: list[tuple[Rect, list[int]]] = []
    for label in range(1, count):
        rows, columns = (np.flatnonzero((owners == label).any(axis=axis)) for axis in (1, 0))
        place = int(columns[0]), int(rows[0])
        found.append((Rect(*place, int(columns[-1]) + 1 - place[0], int(rows[-1]) + 1 - place[1]), [label]))
    letters: list[tuple[Rect, list[int]]] = []
    for box, own in sorted(found, key=lambda one: one[0].x):
        before = letters[-1][0] if letters else None
        # A digit drawn thin falls into parts, one above the other; some fonts have a dot inside the 0.
        if before is not None and (
            before.encloses(box) or (box.center.x < before.right and not _beside(before, box))
        ):
            letters[-1] = _around(before, box), [*letters[-1][1], *own]
        else:
            letters.append((box, own))
    height = max((box.height for box, _ in letters), default=0)
    if not SMALLEST <= height <= LARGEST or any(box.height < 0.6 * height for box, _ in letters):
        return []
    ways = [
        [
            [(part, _letter(line, part, np.isin(owners, own))) for part in _cut(line, box, count)]
            for count in _counts(box)
        ]
        for box, own in letters
    ]
    if prod(len(cuts) for cuts in ways) > MOST_WAYS:
        return []
    return [list(chain(*way)) for way in product(*ways)]


def _counts(box: Rect) -> range:
    """How many letters there may be in a box."""
    if box.width <= WIDEST * box.height:
        return range(1, 2)
    fewest, most = (round(box.width / (part * box.height)) for part in (WIDEST, NARROW))
    return range(max(2, fewest), most + 1)


def _cut(line: Floats, box: Rect, count: int) -> list[Rect]:
    """A box, cut into so many letters where the least is drawn."""
    ink = line[box.y : box.bottom, box.x : box.right].sum(axis=0)
    cuts, step = [0], box.width / count
    for number in range(1, count):
        first, last = round((number - 0.25) * step), round((number + 0.25) * step) + 1
        cuts.append(first + int(ink[first:last].argmin()))
    return [
        Rect(box.x + left, box.y, right - left, box.height) for left, right in pairwise([*cuts, box.width])
    ]


def _grown(labels: Floats, drawn: npt.NDArray[np.bool_]) -> Floats:
    """The letter that each drawn pixel belongs to, 0 for none: cores, and what lies around them."""
    square = np.ones((3, 3), np.uint8)
    for _ in range(GROWN):
        around = np.asarray(cv2.dilate(labels, square), np.float32)
        labels = np.where((labels == 0) & drawn, around, labels)
    return labels


def _beside(one: Rect, other: Rect) -> bool:
    """Whether two parts overlap in height, as letters do, and the parts of a letter do not."""
    return min(one.bottom, other.bottom) - max(one.y, other.y) > 0.3 * min(one.height, other.height)


def _around(one: Rect, other: Rect) -> Rect:
    x, y = min(one.x, other.x), min(one.y, other.y)
    return Rect(x, y, max(one.right, other.right) - x, max(one.bottom, other.bottom) - y)


def _letter(line: Floats, box: Rect, own: npt.NDArray[np.bool_]) -> Floats:
    """A letter as the sheet has it, of length 1: without what reaches into its box from beside it."""
    place = slice(box.y, box.bottom), slice(box.x, box.right)
    near = cv2.dilate(own[place].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    part: Floats = np.where(near, line[place], np.float32(0))
    return unit(fitted_letter(part))


def fitted_letter(part: Floats) -> Floats:
    """A letter, cut out close, made as high as those of the sheet and laid in the middle: (height, width)."""
    width, height = SIDES
    wide = max(1, min(width, round(part.shape[1] * height / part.shape[0])))
    way = cv2.INTER_AREA if part.shape[0] > height else cv2.INTER_LINEAR
    letter: Floats = np.zeros((height, width), np.float32)
    left = (width - wide) // 2
    letter[:, left : left + wide] = cv2.resize(part, (wide, height), interpolation=way)
    return letter


def unit(letter: Floats) -> Floats:
    """The same of length 1."""
    out: Floats = (letter / max(1e-6, float(np.linalg.norm(letter)))).astype(np.float32)
    return out


@cache
def _sheet() -> Floats:
    """The letters of the sheet, each of length 1: (fonts and sizes, letters, pixels)."""
    picture = cv2.imread(str(Path(__file__).with_name("text_digits.png")), cv2.IMREAD_GRAYSCALE)
    width, height = SIDES
    rows = np.asarray(picture, np.float32).reshape(-1, height, len(DRAWN), width).transpose(0, 2, 1, 3)
    flat = rows.reshape(len(rows), len(DRAWN), -1)
    out: Floats = flat / np.linalg.norm(flat, axis=2, keepdims=True)
    return out
