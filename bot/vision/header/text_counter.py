"""Reads a mine counter that is text, as `3/40`: the flags that are set, a slash, all mines.

The font may be any. Each letter is compared with the digits of several common fonts (`text_digits.png`, drawn
by `training/text_digits.py`) and must be clearly nearest to one digit; then the letters are compared with
each other, for equal digits of one line look the same. Where anything is uncertain, nothing is read.

tests/vision/test_text_counter.py checks the limits on the fonts of the machine at six sizes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, pairwise, product
from math import prod
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell
from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.themes.palette import Bgr
from bot.vision.themes.schema import TextCounterSpec
from bot.vision.themes.skin import Skin

LETTERS = "0123456789/"
"""The letters on the sheet, from the left; each of its rows is one font at one size."""

LETTER_SIZE = 12, 16
"""Width and height of a letter on the sheet, in pixels: letters fill the height."""

INK, CORES = 0.3, (0.3, 0.45, 0.6, 0.75)
"""A pixel is drawn if it differs from the background by more than this part of the strongest difference; and
the same for the core of a letter, tried in turn: small letters touch where they are faint."""

CORE_REACH, MAX_CORELESS = 3, 0.03
"""How far a letter reaches from its core, in pixels; the largest part of the drawn pixels of no letter."""

MIN_CONTRAST = 40
"""Pixels that differ from the background by at most this, in any channel (0 to 255), are no text."""

MIN_HEIGHT, MAX_HEIGHT = 7, 40
"""The height of digits, in pixels."""

LETTER_COUNTS = 3, 11
"""The fewest and the most letters of a counter."""

MAX_DISTANCE = 0.14
"""The largest distance of a letter from its digit: 1 less their cosine, 0 for the same."""

NEARER, CERTAINLY_NEARER, NEARER_SLASH = 0.7, 0.55, 0.85
"""The distance to its digit must be at most the first part of the distance to every other one; a letter
beyond the second is not certain by itself. The third is both for a slash that is higher than all else."""

MAX_SAME_DISTANCE, MIN_OTHER_DISTANCE = 0.2, 0.05
"""In one line, equal letters are at most the first distance apart, others more than the second."""

MAX_LETTER_WIDTH, MIN_LETTER_WIDTH = 0.9, 0.55
"""The width of a letter over its height: what is wider is several that touch, each between the two."""

MIN_PART_OF_HEIGHT = 0.6
"""The least height of a letter as a part of the highest one's."""

MAX_SEGMENTATIONS = 40
"""The largest number of ways of parting letters that touch; a line with more is not read."""

MAX_UNEVENNESS, MAX_WIDTH_RATIO = 0.1, 1.4
"""The largest difference in height among the digits of a line, as a part of that height, a pixel at least;
and the largest width of a digit over that of another that is no 1: what is wider is two of them."""

OVERLAP = 0.3
"""Parts that overlap in height by more than this part of the lower one's height stand side by side."""

Floats = npt.NDArray[np.float32]

Letters = list[tuple[Rect, Floats]]
"""The letters of a line from the left: the place of each, and its pixels as the sheet has them."""


@dataclass(frozen=True)
class CounterText:
    """The numbers of a counter."""

    flags: int
    mines: int
    certain: bool
    """Whether every letter is clear by itself; if not, something else should confirm the numbers."""


class TextCounterReader:
    """Reads the text beside one grid in one skin."""

    def __init__(self, skin: Skin, grid: Grid, counter: TextCounterSpec) -> None:
        self._area = counter.rect(grid, skin.scale_of(grid))
        self._background = counter.background.bgr
        self._usual_mines = skin.usual_mines(grid.columns, grid.rows)

    def read(self, image: Image, board: Board) -> int | None:
        """The mines less the flags; None if the flags of the text are not those of the board, or if it is not
        certain and the mines are not those of the game's level."""
        text = read_text_counter(image, self._area, self._background)
        if text is None or text.flags != board.count(Cell.FLAG) or not 0 < text.mines < board.codes.size:
            return None
        return text.mines - text.flags if text.certain or text.mines == self._usual_mines else None


def read_text_counter(image: Image, area: Rect, background: Bgr) -> CounterText | None:
    """The counter in an area of an image (height, width, 3), on a background.

    None unless exactly one line of text there is two numbers with a slash between them.
    """
    inside = area.clipped(Rect(0, 0, image.shape[1], image.shape[0]))
    part = image[inside.y : inside.bottom, inside.x : inside.right].astype(np.int16)
    if not part.size:
        return None
    contrast = np.abs(part - np.array(background, np.int16)).max(axis=2).astype(np.float32)
    read = [text for line in _lines(contrast) if (text := _text_of_line(line)) is not None]
    return read[0] if len(read) == 1 else None


def _lines(contrast: Floats) -> list[Floats]:
    """The lines of an area, from the top: rows with text, and none above and below."""
    rows = np.flatnonzero(np.concatenate([[False], (contrast > MIN_CONTRAST).any(axis=1), [False]]))
    runs = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
    high = [run for run in runs if MIN_HEIGHT <= len(run) <= 2 * MAX_HEIGHT]
    return [contrast[max(0, run[0] - 2) : run[-1] + 1] for run in high]


def _text_of_line(line: Floats) -> CounterText | None:
    """The numbers of a line; None if it is anything else, or if two segmentations read differently."""
    fewest, most = LETTER_COUNTS
    read = [
        text
        for core in CORES
        for letters in _segmentations(line, core)
        if fewest <= len(letters) <= most and (text := _text_of_letters(letters)) is not None
    ]
    if len({(one.flags, one.mines) for one in read}) != 1:
        return None
    return max(read, key=lambda one: one.certain)


def _text_of_letters(letters: Letters) -> CounterText | None:
    """The numbers of some letters; None if a letter is not clear, or if they are no two numbers."""
    known = _sheet()
    text, certain = "", True
    heights = [box.height for box, _ in letters]
    for box, letter in letters:
        nearest = (1 - known @ letter.ravel()).min(axis=0)
        best = int(nearest.argmin())
        other = float(np.delete(nearest, best).min())
        # A slash of small letters is much like a 7, but it alone reaches beyond the digits.
        high = LETTERS[best] == "/" and heights.count(box.height) == 1 and box.height == max(heights)
        nearer, certainly = (NEARER_SLASH, NEARER_SLASH) if high else (NEARER, CERTAINLY_NEARER)
        if nearest[best] > MAX_DISTANCE or nearest[best] > nearer * other:
            return None
        certain = certain and bool(nearest[best] <= certainly * other)
        text += LETTERS[best]
    numbers = re.fullmatch(r"(0|[1-9]\d*)/([1-9]\d*)", text)
    if numbers is None or not _agree(text, letters):
        return None
    return CounterText(int(numbers[1]), int(numbers[2]), certain)


def _agree(text: str, letters: Letters) -> bool:
    """Whether all digits have one height, none is as wide as two, and only equal ones look the same."""
    digits = [(one, box) for one, (box, _) in zip(text, letters, strict=True) if one != "/"]
    heights = [box.height for _, box in digits]
    if max(heights) - min(heights) > max(1, MAX_UNEVENNESS * max(heights)):
        return False
    narrowest = min((box.width for one, box in digits if one != "1"), default=MAX_HEIGHT)
    if max(box.width for _, box in digits) > 1 + MAX_WIDTH_RATIO * narrowest:
        return False
    for (one, (_, letter)), (other, (_, rival)) in combinations(zip(text, letters, strict=True), 2):
        distance = 1 - float(letter.ravel() @ rival.ravel())
        if distance > MAX_SAME_DISTANCE if one == other else distance <= MIN_OTHER_DISTANCE:
            return False
    return True


def _segmentations(line: Floats, core: float) -> list[Letters]:
    """The letters of a line by their cores: several ways if letters touch, none if they are no digits."""
    strongest = float(line.max())
    count, labels = cv2.connectedComponents((line > core * strongest).astype(np.uint8), connectivity=8)
    drawn = line > INK * strongest
    owners = _owners(np.asarray(labels, np.float32), drawn)
    if np.count_nonzero(drawn & (owners == 0)) > MAX_CORELESS * np.count_nonzero(drawn):
        return []  # some letter has no core
    parts = [
        (Rect(*cv2.boundingRect((owners == label).astype(np.uint8))), [label]) for label in range(1, count)
    ]
    letters: list[tuple[Rect, list[int]]] = []
    for box, own in sorted(parts, key=lambda one: one[0].x):
        before = letters[-1][0] if letters else None
        # A thin digit falls into parts, one above the other; some fonts have a dot inside the 0.
        if before is not None and (
            before.encloses(box) or (box.center.x < before.right and not _side_by_side(before, box))
        ):
            letters[-1] = _bounding_box(before, box), [*letters[-1][1], *own]
        else:
            letters.append((box, own))
    heights = [box.height for box, _ in letters] or [0]
    highest = max(heights)
    if not MIN_HEIGHT <= highest <= MAX_HEIGHT or min(heights) < MIN_PART_OF_HEIGHT * highest:
        return []
    choices = [
        [
            [(part, _letter(line, part, np.isin(owners, own))) for part in _split(line, box, count)]
            for count in _letter_counts(box)
        ]
        for box, own in letters
    ]
    if prod(len(splits) for splits in choices) > MAX_SEGMENTATIONS:
        return []
    return [list(chain(*splits)) for splits in product(*choices)]


def _letter_counts(box: Rect) -> range:
    """How many letters may lie in a box."""
    if box.width <= MAX_LETTER_WIDTH * box.height:
        return range(1, 2)
    fewest, most = (round(box.width / (part * box.height)) for part in (MAX_LETTER_WIDTH, MIN_LETTER_WIDTH))
    return range(max(2, fewest), most + 1)


def _split(line: Floats, box: Rect, count: int) -> list[Rect]:
    """A box, split into a count of letters where the columns have the least ink."""
    ink = line[box.y : box.bottom, box.x : box.right].sum(axis=0)
    splits, step = [0], box.width / count
    for number in range(1, count):
        first, last = round((number - 0.25) * step), round((number + 0.25) * step) + 1
        splits.append(first + int(ink[first:last].argmin()))
    return [
        Rect(box.x + left, box.y, right - left, box.height) for left, right in pairwise([*splits, box.width])
    ]


def _owners(labels: Floats, drawn: npt.NDArray[np.bool_]) -> Floats:
    """The letter that each drawn pixel belongs to, 0 for none: the labelled cores grow by `CORE_REACH`."""
    square = np.ones((3, 3), np.uint8)
    for _ in range(CORE_REACH):
        around = np.asarray(cv2.dilate(labels, square), np.float32)
        labels = np.where((labels == 0) & drawn, around, labels)
    return labels


def _side_by_side(one: Rect, other: Rect) -> bool:
    """Whether two parts overlap in height: two letters do, the parts of one letter do not."""
    return min(one.bottom, other.bottom) - max(one.y, other.y) > OVERLAP * min(one.height, other.height)


def _bounding_box(one: Rect, other: Rect) -> Rect:
    x, y = min(one.x, other.x), min(one.y, other.y)
    return Rect(x, y, max(one.right, other.right) - x, max(one.bottom, other.bottom) - y)


def _letter(line: Floats, box: Rect, own: npt.NDArray[np.bool_]) -> Floats:
    """A letter as the sheet has it, of length 1, without the pixels of its neighbours inside its box."""
    place = slice(box.y, box.bottom), slice(box.x, box.right)
    near = cv2.dilate(own[place].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    letter = fitted_letter(np.where(near, line[place], np.float32(0)))
    return (letter / max(1e-6, float(np.linalg.norm(letter)))).astype(np.float32)


def fitted_letter(part: Floats) -> Floats:
    """A closely cropped letter at the height of the sheet's and centred: shape (height, width)."""
    width, height = LETTER_SIZE
    wide = max(1, min(width, round(part.shape[1] * height / part.shape[0])))
    interpolation = cv2.INTER_AREA if part.shape[0] > height else cv2.INTER_LINEAR
    letter: Floats = np.zeros((height, width), np.float32)
    left = (width - wide) // 2
    letter[:, left : left + wide] = cv2.resize(part, (wide, height), interpolation=interpolation)
    return letter


@cache
def _sheet() -> Floats:
    """The letters of the sheet, each of length 1: shape (fonts and sizes, letters, pixels)."""
    picture = cv2.imread(str(Path(__file__).with_name("text_digits.png")), cv2.IMREAD_GRAYSCALE)
    width, height = LETTER_SIZE
    rows = np.asarray(picture, np.float32).reshape(-1, height, len(LETTERS), width).transpose(0, 2, 1, 3)
    flat = rows.reshape(len(rows), len(LETTERS), -1)
    out: Floats = flat / np.linalg.norm(flat, axis=2, keepdims=True)
    return out
