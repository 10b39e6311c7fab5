"""Compares the text of a button with pictures of the words that buttons of games have."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.grid import Image

HEIGHT, WIDTH = 12, 56
"""Size, in pixels, to which every text is brought before it is compared."""

SAME, OTHERS = 0.84, 0.74
"""Least correlation (-1 to 1) with a known word that is pressed, and with any other known word, to be that
word. By `python -m theming.draw_words --try`, in fonts whose pictures are left out."""

BENDS = (-1.0, 0.0, 1.0)
"""By how many pixels a text is bent at each third of its width, in every combination: fonts put their letters
a little nearer or wider, and small letters that are not smoothed come to lie on whole pixels."""

CLEARER = 0.04
"""By how much the correlation with a word that is pressed must exceed that with words that mean another
thing."""

ASPECT = 0.4
"""Maximum difference of the natural logarithms of width over height: other fonts are wider or narrower."""

ROUGHLY = (6, 32)
"""How many waves down and across the rough form of a text has."""

ROUNDED = 1e-4
"""More than what rounding makes of the correlation of two texts, computed in two ways."""

MIN_CONTRAST = 40
"""Minimum colour difference (0 to 255) of a text from what lies behind it."""

INK = 0.35
"""Part of that difference, 0 to 1, beyond which a pixel belongs to the text."""

MIN_HEIGHT = 4
"""Least height of a text or a picture, in pixels."""

TEXT_RATIO = 1.35
"""What is at least this many times as wide as high is a text, and not a picture."""

SPANS, BESIDE, LEAST_SPAN = 0.9, 10, 0.7
"""What spans at least the first part of a button in both directions, or all but so many pixels and the last
part, around something else, is its frame: the lines between round corners are shorter than the button."""

CORNER = 7
"""Width and height of the corners of a framed button, in pixels, in which nothing is written."""

Ink = npt.NDArray[np.float32]


class Meaning(Enum):
    """What a button says."""

    NEW = "new"
    """A word that starts a game."""
    CONFIRM = "confirm"
    """Yes, or OK."""
    CLOSE = "close"
    """A word that closes a dialog and, in the window of a game, perhaps the game: close, cancel, no."""
    QUIT = "quit"
    """A word that ends the program."""
    OTHER = "other"
    """Another known word: scores, options and the like."""
    LEVEL = "level"
    """A word for how hard a game is: many start one of that kind."""
    WON = "won"
    """No button: words that say that a game is won."""
    LOST = "lost"
    """The same of a lost one."""
    UNKNOWN = "unknown"
    """A text that is not known."""
    PICTURE = "picture"
    """No text: a face, an icon."""
    NOTHING = "nothing"
    """One colour."""


KINDS = (
    Meaning.NEW,
    Meaning.CONFIRM,
    Meaning.CLOSE,
    Meaning.QUIT,
    Meaning.OTHER,
    Meaning.LEVEL,
    Meaning.WON,
    Meaning.LOST,
)
"""The meanings that known words have."""

PRESSED = (Meaning.NEW, Meaning.CONFIRM, Meaning.LEVEL)
"""Those of buttons that are ever pressed."""


@dataclass(frozen=True)
class Words:
    """The pictures of known words."""

    vectors: npt.NDArray[np.float32]
    """One a row, shape (words, HEIGHT * WIDTH), of mean 0 and length 1."""
    aspects: npt.NDArray[np.float32]
    """The logarithm of width over height of each, ascending."""
    kinds: npt.NDArray[np.int8]
    """The place in `KINDS` of what each means."""
    rough: npt.NDArray[np.float32]
    """The `roughly` of each."""

    @classmethod
    def of(
        cls, vectors: npt.NDArray[np.float32], aspects: npt.NDArray[np.float32], kinds: npt.NDArray[np.int8]
    ) -> Words:
        """Words in any order, by what the fields say."""
        order = np.argsort(aspects, kind="stable")
        vectors = vectors[order]
        return cls(vectors, aspects[order], kinds[order], roughly(vectors))


@lru_cache(maxsize=1)
def known_words() -> Words:
    """The pictures that come with minebot."""
    with np.load(Path(__file__).parent / "words.npz") as data:
        halves = data["pictures"]
        # Two pixels a byte: more than 16 shades tell no word from another.
        pictures = np.stack([halves >> 4, halves & 15], axis=-1).astype(np.float32)
        return Words.of(unit(pictures.reshape(len(pictures), -1)), data["aspects"], data["kinds"])


def read_button(picture: Image, words: Words | None = None) -> Meaning:
    """What the button in a picture (height, width, 3) says; `words` are those that come with minebot."""
    ink = ink_of(picture)
    if ink is None:
        return Meaning.NOTHING
    height, width = ink.shape
    if width < TEXT_RATIO * height:
        return Meaning.PICTURE
    likeness = likenesses(ink, known_words() if words is None else words)
    best = int(likeness.argmax())
    second = float(np.delete(likeness, best).max())
    least = SAME if KINDS[best] in PRESSED else OTHERS
    clear = KINDS[best] not in PRESSED or likeness[best] >= second + CLEARER
    return KINDS[best] if likeness[best] >= least and clear else Meaning.UNKNOWN


def likenesses(ink: Ink, words: Words) -> npt.NDArray[np.float32]:
    """How much a text (`ink_of`) is like a word of each of `KINDS`, -1 to 1.

    Two texts cannot be more alike than their rough forms are, and what is left of both: most words are told
    by that to be less alike than another one, and are not compared in full.
    """
    aspect = np.log(ink.shape[1] / ink.shape[0])
    near = slice(
        int(words.aspects.searchsorted(aspect - ASPECT)),
        int(words.aspects.searchsorted(aspect + ASPECT, "right")),
    )
    vectors, kinds, bent = words.vectors[near], words.kinds[near], _bent(ink)
    at_most = (words.rough[near] @ roughly(bent).T).max(axis=1, initial=-1.0) + ROUNDED
    most = np.full(len(KINDS), -1.0, np.float32)
    if not len(kinds):
        return most

    def compare(rows: npt.NDArray[np.intp]) -> None:
        np.maximum.at(most, kinds[rows], (vectors[rows] @ bent.T).max(axis=1))

    compare(np.array([np.where(kinds == kind, at_most, -2.0).argmax() for kind in np.unique(kinds)]))
    compare(np.flatnonzero(at_most > most[kinds]))
    return most


def roughly(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The rough forms of texts, rows of HEIGHT * WIDTH numbers and length 1: their longest waves, and how
    much is left beside these. The product of two is at least that of the texts themselves."""
    down, across = (_waves(length, count) for length, count in zip((HEIGHT, WIDTH), ROUGHLY, strict=True))
    waves = down.T @ (rows.reshape(-1, WIDTH) @ across).reshape(len(rows), HEIGHT, -1)
    form = waves.reshape(len(rows), -1)
    left = np.sqrt(np.maximum(0, 1 - np.square(form).sum(axis=1, keepdims=True)))
    return np.asarray(np.hstack([form, left]), np.float32)


@lru_cache
def _waves(length: int, count: int) -> npt.NDArray[np.float32]:
    """The longest `count` of the `length` cosines of a discrete cosine transform, (length, count): of length
    1, at right angles."""
    across = np.cos(np.pi * np.outer(np.arange(length) + 0.5, np.arange(count)) / length)
    return np.asarray(across / np.linalg.norm(across, axis=0), np.float32)


def ink_of(picture: Image) -> Ink | None:
    """The text or picture in a button, cut at its edges, (height, width), each pixel 0 to 1 by how far it is
    from what lies behind; None where there is nothing."""
    ink = _strength(picture)
    if ink is None:
        return None
    drawn = np.asarray(ink >= INK, np.uint8)
    drawn[_frame(drawn)] = 0
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    if len(rows) < MIN_HEIGHT:
        return None
    cut = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return np.asarray(np.where(_near(drawn) > 0, ink, 0)[cut], np.float32)


def is_framed(picture: Image) -> bool:
    """Whether a frame or another ground sets a button off from what lies around it."""
    ink = _strength(picture)
    return ink is not None and bool(_frame(np.asarray(ink >= INK, np.uint8)).any())


def _strength(picture: Image) -> Ink | None:
    """How far each pixel of a picture is from its commonest colour, 0 to 1; None where all are near."""
    if min(picture.shape[:2]) < 5:
        return None
    flat = picture.reshape(-1, 3)
    codes = (flat >> 3).astype(np.int32) @ np.array([1024, 32, 1])
    behind = np.median(flat[codes == np.bincount(codes).argmax()], axis=0)
    difference = np.abs(picture.astype(np.float32) - behind).max(axis=2)
    most = float(np.percentile(difference, 99))
    if most < MIN_CONTRAST:
        return None
    return np.asarray(np.minimum(1.0, difference / most), np.float32)


def _frame(drawn: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Which of the drawn pixels of a button belong to its frame, or to what lies around it: they touch the
    border of the picture, or surround all else. Where corners are round, the lines of a frame lie apart:
    those that go down count beside one that goes across."""
    _, parts, stats, _ = cv2.connectedComponentsWithStats(drawn, connectivity=8)
    height, width = drawn.shape
    frame = np.zeros(len(stats), bool)
    across, down = (min(SPANS * most, max(most - BESIDE, LEAST_SPAN * most)) for most in (width, height))
    has_line = False
    for label, (x, y, w, h, _area) in enumerate(stats.tolist()):
        touches = x == 0 or y == 0 or x + w == width or y + h == height
        inside = (stats[:, 0] > x) & (stats[:, 0] + stats[:, 2] < x + w)
        inside &= (stats[:, 1] > y) & (stats[:, 1] + stats[:, 3] < y + h)
        is_line = w >= across and h <= 2
        has_line |= is_line
        frame[label] = label > 0 and (touches or is_line or (w >= across and h >= down and inside.any()))
    if has_line:
        frame[1:] |= (stats[1:, 2] <= 2) & (stats[1:, 3] >= down)
        # A faint frame may leave no more than specks of its corners.
        (left, top), (wide, high) = stats[:, :2].T, stats[:, 2:4].T
        at_side = (left + wide <= CORNER) | (left >= width - CORNER)
        at_end = (top + high <= CORNER) | (top >= height - CORNER)
        frame[1:] |= (at_side & at_end)[1:]
    return np.asarray(frame[parts], np.bool_)


def _near(drawn: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The drawn pixels and those beside them, whose shades belong to the same letters."""
    return np.asarray(cv2.dilate(drawn, np.ones((3, 3), np.uint8)), np.uint8)


def vector(ink: Ink) -> npt.NDArray[np.float32]:
    """A text as it is compared: HEIGHT * WIDTH numbers of mean 0 and length 1."""
    return np.asarray(unit(brought(ink).reshape(1, -1))[0], np.float32)


def _bent(ink: Ink) -> npt.NDArray[np.float32]:
    """The vectors of a text and of the same text bent, one a row."""
    picture, down = brought(ink), np.arange(HEIGHT, dtype=np.float32)
    bent = [
        cv2.remap(picture, *np.meshgrid(across, down), interpolation=cv2.INTER_LINEAR) for across in _bends()
    ]
    return unit(np.asarray(bent, np.float32).reshape(len(bent), -1))


@lru_cache(maxsize=1)
def _bends() -> list[npt.NDArray[np.float32]]:
    """From where each pixel of a row is taken, for every combination of `BENDS`."""
    ends = (0.0, WIDTH / 3, 2 * WIDTH / 3, WIDTH - 1.0)
    return [
        np.interp(np.arange(WIDTH), ends, np.add(ends, (0, one, other, 0))).astype(np.float32)
        for one, other in product(BENDS, BENDS)
    ]


def brought(ink: Ink) -> Ink:
    """A text at the size at which all are compared, (HEIGHT, WIDTH), a little blurred: fonts differ."""
    area = ink.shape[0] > HEIGHT or ink.shape[1] > WIDTH
    sized = cv2.resize(ink, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA if area else cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(sized, (0, 0), 0.8), np.float32)


def unit(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Rows of numbers, each brought to mean 0 and length 1."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(1e-6, np.linalg.norm(rows, axis=1, keepdims=True)), np.float32)
