"""Reads in a picture of a window whether a text has come that says how the game ended, or how to go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import Grid, Image, grown, part
from bot.vision.words.word_reader import (
    CLEARER,
    INK,
    KINDS,
    OTHERS,
    SAME,
    TEXT_RATIO,
    Ink,
    Meaning,
    Words,
    ink_of,
    known_words,
    likenesses,
)

ENDS = (Meaning.WON, Meaning.LOST)
"""What a text says that tells the end of a game."""

CHANGED, CHANGED_PART = 12, 0.08
"""Colour difference (0 to 255) beyond which a pixel has changed, and which part of its box (0 to 1) has where
a text has come."""

JOINED = (7, 15, 31)
"""Widths, in pixels, over which the letters and words of a line are joined: large ones lie further apart."""

HEIGHT, WIDTH = (8, 80), (24, 900)
"""The least and the largest height and width of a line, in pixels."""

MARGIN = 3
"""Pixels around a line that are read with it."""

SPACE = 0.25
"""The least space between two words, as a part of the height of the line."""

SHORT, SAME_SHORT = 4.5, 0.88
"""A text is short that is less than so many times as wide as high, and must then correlate so much with a
known one: `board` is not unlike `Boom!`. By `python -m theming.draw_words --try`."""

MOST_WORDS = 4
"""How many words of a line are compared together, at most."""

MOST_LINES = 40
"""How many lines are read, at most."""

OVER_CELLS = 1.5
"""Least width, in cells, of a line over the board: what is narrower is in a cell."""

MOST_LAST = 3
"""How many words at the end of a line are compared together, at most, that say what a click there starts."""

LONGEST = 8
"""A line of more words is no message."""

MOVED = 6
"""By how many pixels a text that was there before may have moved."""


def end_told(picture: Image, before: Image, grid: Grid) -> Meaning | None:
    """WON or LOST, as a text says that has come into a picture (height, width, 3) of a window since the one
    `before`; None where none says so, or several say one and the other. The board lies on the grid."""
    if picture.shape != before.shape:
        return None
    told: set[Meaning] = set()
    for line in _new_lines(picture, before, grid):
        meaning = end_of(part(picture, line))
        # A text that was there before may blink, or lie a little elsewhere.
        if meaning is not None and end_of(part(before, grown(line, MOVED, before))) is not meaning:
            told.add(meaning)
    return told.pop() if len(told) == 1 else None


def end_said(picture: Image) -> Meaning | None:
    """WON or LOST, as a text in a picture (height, width, 3) of a message says; None where none says so, or
    several say one and the other."""
    boxes = {grown(line, MARGIN, picture) for line in _lines(_edges(picture))} if picture.size else set()
    told = {end_of(part(picture, box)) for box in list(boxes)[:MOST_LINES]} - {None}
    return told.pop() if len(told) == 1 else None


def end_of(line: Image, words: Words | None = None) -> Meaning | None:
    """WON or LOST where any words of a line of text, in a picture (height, width, 3), say so; None where they
    do not, or some say the one and some the other. `words` are those that come with minebot."""
    ink = ink_of(line)
    if ink is None or ink.shape[1] < TEXT_RATIO * ink.shape[0]:
        return None
    known, ends = (known_words(), _known_ends()) if words is None else (words, ends_among(words))
    told: set[Meaning] = set()
    for run in _runs(ink):
        least = SAME_SHORT if run.shape[1] < SHORT * run.shape[0] else SAME
        if likenesses(run, ends).max() < least:
            continue
        likeness = likenesses(run, known)
        best = int(likeness.argmax())
        if KINDS[best] in ENDS and likeness[best] >= float(np.delete(likeness, best).max()) + CLEARER:
            told.add(KINDS[best])
    return told.pop() if len(told) == 1 else None


def restart_lines(picture: Image, before: Image, grid: Grid) -> list[Rect]:
    """The lines of text that have come into a picture of a window since the one `before`, both (height,
    width, 3), and whose last words start a game, as in `Click to restart`; none with a word for quitting."""
    if picture.shape != before.shape:
        return []
    return [box for box in _new_lines(picture, before, grid) if _ends_with_start(part(picture, box))]


def _ends_with_start(line: Image) -> bool:
    """Whether the last words of a line of text, in a picture (height, width, 3), say that a game is started,
    and the others are none for quitting."""
    ink = ink_of(line)
    words = [] if ink is None else _words(ink)
    if ink is None or not 1 < len(words) <= LONGEST:
        return False
    for first in range(max(1, len(words) - MOST_LAST), len(words)):
        head, last = ink[:, : words[first - 1].stop], ink[:, words[first].start :]
        if _starts(last):
            return not any(_may_quit(run) for run in _runs(head))
    return False


def _starts(run: Ink) -> bool:
    """Whether a few words say that a game is started."""
    rows = np.flatnonzero((run >= INK).any(axis=1))
    cut = run[rows[0] : rows[-1] + 1]
    if cut.shape[1] < TEXT_RATIO * cut.shape[0]:
        return False
    likeness, new = likenesses(cut, known_words()), KINDS.index(Meaning.NEW)
    least = SAME_SHORT if cut.shape[1] < SHORT * cut.shape[0] else SAME
    return bool(likeness[new] >= max(least, float(np.delete(likeness, new).max()) + CLEARER))


def _may_quit(run: Ink) -> bool:
    """Whether a few words may be some for quitting or closing."""
    likeness = likenesses(run, known_words())
    return any(likeness[KINDS.index(one)] >= OTHERS for one in (Meaning.QUIT, Meaning.CLOSE))


def ends_among(words: Words) -> Words:
    """Those of some words that tell the end of a game."""
    told = np.isin(words.kinds, [KINDS.index(meaning) for meaning in ENDS])
    return Words(words.vectors[told], words.aspects[told], words.kinds[told], words.rough[told])


@lru_cache(maxsize=1)
def _known_ends() -> Words:
    return ends_among(known_words())


def _new_lines(picture: Image, before: Image, grid: Grid) -> list[Rect]:
    """Boxes of what may be a line of text and was not there before, those beside the board first."""
    changed = cv2.absdiff(picture, before).max(axis=2) > CHANGED
    edges = _edges(picture)
    edges[~_near(changed)] = 0
    cells, least = grid.rect, OVER_CELLS * grid.pitch[0]
    known: dict[Rect, bool] = {}
    """Whether each lies over the board."""
    for line in _lines(edges):
        box = grown(line, MARGIN, picture)
        is_over = box.intersects(cells)
        if not (is_over and line.width < least) and part(changed, box).mean() >= CHANGED_PART:
            known[box] = is_over
    return sorted(known, key=known.__getitem__)[:MOST_LINES]


def _edges(picture: Image) -> Image:
    return np.asarray(cv2.Canny(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), 20, 60), np.uint8)


def _lines(edges: Image) -> Iterator[Rect]:
    """Boxes of what may be lines of text, by the edges (height, width) in a picture."""
    for joined in JOINED:
        near = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((1, joined), np.uint8))
        _, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(near, np.uint8), connectivity=8)
        for x, y, width, height, _ in stats[1:].tolist():
            fits = WIDTH[0] <= width <= WIDTH[1] and HEIGHT[0] <= height <= HEIGHT[1]
            if fits and width >= TEXT_RATIO * height:
                yield Rect(x, y, width, height)


def _near(changed: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The pixels that have changed and those beside them, on which the edges of letters may lie."""
    return np.asarray(cv2.dilate(changed.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, np.bool_)


def _runs(ink: Ink) -> Iterator[Ink]:
    """A line of text, and each few words of it that follow each other, cut at their edges."""
    words = _words(ink)
    if len(words) > LONGEST:
        return
    yield ink
    for length in range(min(MOST_WORDS, len(words) - 1), 0, -1):
        for first in range(len(words) - length + 1):
            run = ink[:, words[first].start : words[first + length - 1].stop]
            rows = np.flatnonzero((run >= INK).any(axis=1))
            cut = run[rows[0] : rows[-1] + 1]
            if cut.shape[1] >= TEXT_RATIO * cut.shape[0]:
                yield cut


def _words(ink: Ink) -> Sequence[slice]:
    """The columns of each word of a line of text."""
    columns = np.flatnonzero((ink >= INK).any(axis=0))
    ends = np.flatnonzero(np.diff(columns) > max(2.0, SPACE * ink.shape[0]))
    starts = [columns[0], *columns[ends + 1]]
    stops = [*columns[ends], columns[-1]]
    return [slice(int(start), int(stop) + 1) for start, stop in zip(starts, stops, strict=True)]
