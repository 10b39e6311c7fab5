"""Decides what a cell shows by the colours of its pixels: flat backgrounds in two shades, digits of any font.

A cell is its background and at most one ink on it, a digit's or a flag's. Pixels at the rim of a digit are
mixtures of the two: in the space of colours they lie on the line from the background to the ink. A cell is
read if the line to one ink explains all pixels that are not background. Anything else that covers the cell,
as a falling tile does, leaves pixels that no line explains, and the cell is unread.

All distances are Euclidean, in blue, green, red of 0 to 255. tests/vision/test_colour_reader.py checks the
constants on the fonts of the machine, at several sizes, and on pictures that were compressed as JPEG.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.vision.cells import shapes
from bot.vision.cells.cell_label import UNREAD, CellLabel
from bot.vision.themes.palette import Colour, Palette

SAMPLE_SIDE = 20
"""The number of pixels that are taken from a cell in each direction."""

MAX_OFF_BACKGROUND, MAX_OFF_LINE, MAX_UNEXPLAINED = 16.0, 45.0, 0.025
"""The largest distance of a background pixel from its colour, and of a digit's from the line to its ink; and
the largest part of a cell's pixels that may lie off every line."""

MIN_INK, MAX_INK, FULL_INK = 0.025, 0.6, 0.6
"""The part of a cell that a digit or a flag covers; and the part of the line, from background to ink, from
which on a pixel is ink and not rim."""

CLEARLY_NEARER = 0.75
"""The mean distance from the best line must be at most this part of that from the second best."""

EXACT, SMEARED_PART = 2.5, 0.3
"""The largest distance of a pixel from its colour on a screen; a picture is compressed if more than this part
of the background pixels around digits are farther."""

SMEARED_RIM = 2
"""The rim, in samples, that is left out of the mean of a compressed cell: lines smear into it."""

MAX_BEYOND_INK = 1.2
"""The largest distance of a compressed digit's pixels from the background, as a part of the ink's."""

MAX_ANGLE, CLEARLY_SMALLER = 0.16, 0.6
"""The largest chord of the angle between the mean of a compressed cell and the line to its ink, both from the
background; and that chord, at most, as a part of the one to the second best ink."""

MIN_QUESTION, QUESTION_LEAD = 0.75, 0.1
"""The least similarity to a question mark, and its least lead over that to a flag, at which something in the
colour of the flags is a question mark."""

MIN_SEEN_GROUND, MIN_SEEN_INK, MAX_OTHER_INK = 0.15, 0.015, 0.005
"""Of a cell that a flying piece hides in part, to tell its digit: the part that must show the ground of
opened cells, the part that must have the colour of the digit, and the part that may have those of all others.
A 1 covers 0.06 of a cell."""

MAX_OFF_COVERED = 6
"""The largest difference of a pixel, in any channel, from the ground of covered cells there: pieces were part
of it."""

Samples = np.ndarray[Any, np.dtype[np.uint8]]
Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class _Background:
    """One background colour of cells."""

    code: Cell
    """What a cell of nothing but this colour shows."""
    colour: Floats
    """Blue, green, red."""
    parity: int
    """0 for cells whose row and column are both even or both odd, else 1."""
    hovered: bool
    """Whether only the cell under the mouse pointer has it."""
    inks: tuple[tuple[int, Floats], ...]
    """What may be drawn on it: codes of `Cell` and their colours."""


class ColourClassifier:
    """Compares cells with the colours of a palette."""

    def __init__(self, palette: Palette) -> None:
        self._backgrounds = _backgrounds(palette)
        self.background_colours = np.stack([background.colour for background in self._backgrounds])
        """Blue, green, red of every background: shape (backgrounds, 3)."""

    def half_hidden(self, samples: Samples, parities: npt.NDArray[np.int_]) -> npt.NDArray[np.int8]:
        """What cells show that pieces hide in part: a digit where its ink and the ground of opened cells are
        both seen, COVERED where only the ground of covered ones is.

        `samples` of some cells, shape (cells, SAMPLE_SIDE * SAMPLE_SIDE, 3), `parities` as `classify` has it;
        gives codes of `Cell`, shape (cells,), UNREAD where that says nothing. What flies about must have none
        of these colours.
        """
        pixels = samples.astype(np.int16)
        opened = [one for one in self._backgrounds if one.code == Cell.EMPTY]
        covered = [one for one in self._backgrounds if one.code == Cell.COVERED and not one.hovered]
        opened_ground, covered_ground = (
            (_shares(pixels, [one.colour for one in grounds], limit) * fits).max(axis=1)
            for grounds, limit in ((opened, MAX_OFF_BACKGROUND), (covered, MAX_OFF_COVERED))
            for fits in [np.array([one.parity for one in grounds]) == parities[:, None]]
        )
        inks = opened[0].inks + covered[0].inks
        shares = _shares(pixels, [ink for _, ink in inks], MAX_OFF_BACKGROUND)
        best = shares.argmax(axis=1)
        most = shares[np.arange(len(shares)), best]
        codes = np.array([code for code, _ in inks], np.int8)[best]
        is_digit = (opened_ground >= MIN_SEEN_GROUND) & (most >= MIN_SEEN_INK) & (codes <= 8)
        is_digit &= shares.sum(axis=1) - most <= MAX_OTHER_INK
        is_covered = (covered_ground >= MIN_SEEN_GROUND) & (
            opened_ground + shares.sum(axis=1) <= MAX_OTHER_INK
        )
        hidden: npt.NDArray[np.int8] = np.where(is_covered, np.int8(Cell.COVERED), np.int8(Cell.UNREAD))
        return np.where(is_digit, codes, hidden)

    def classify(self, samples: Samples, parity: int, *, smeared: bool) -> CellLabel:
        """What a cell, shape (SAMPLE_SIDE * SAMPLE_SIDE, 3), shows; `parity` of its row and column together,
        `smeared` for a cell of a compressed picture."""
        pixels = samples.astype(np.float32)
        possible = [background for background in self._backgrounds if background.parity == parity]
        distances = [np.linalg.norm(pixels - one.colour, axis=1) for one in possible]
        near = [distance <= MAX_OFF_BACKGROUND for distance in distances]
        best = int(np.argmax([mask.mean() for mask in near]))
        if smeared:
            label = _by_mean(pixels, possible[best], near[best])
        else:
            label = _by_lines(pixels, possible[best], near[best], distances[best])
        return UNREAD if label[0] == Cell.FLAG and _is_question(~near[best]) else label


def is_smeared(samples: Samples) -> bool:
    """Whether the background around digits is not flat, as it is on every screen; all samples of a board:
    shape (rows, columns, SAMPLE_SIDE * SAMPLE_SIDE, 3)."""
    cells = samples.reshape(-1, SAMPLE_SIDE * SAMPLE_SIDE, 3).astype(np.float32)
    cells = cells[cells.std(axis=1).max(axis=1) > 2 * EXACT]
    if not len(cells):
        return False
    distances = np.linalg.norm(cells - np.median(cells, axis=1)[:, None], axis=2)
    background = distances <= MAX_OFF_BACKGROUND
    return bool((background & (distances > EXACT)).sum() > SMEARED_PART * background.sum())


def _shares(pixels: npt.NDArray[np.int16], colours: Sequence[Floats], limit: float) -> Floats:
    """The part of each cell, pixels of shape (cells, pixels, 3), that has each colour: (cells, colours)."""
    shares = [(np.abs(pixels - one.astype(np.int16)).max(axis=2) <= limit).mean(axis=1) for one in colours]
    return np.stack(shares, axis=1).astype(np.float32)


def _backgrounds(palette: Palette) -> list[_Background]:
    digits = tuple((int(digit), _vector(colour)) for digit, colour in sorted(palette.digits.items()))
    flag = ((int(Cell.FLAG), _vector(palette.flag)),)
    return [
        _Background(code, _vector(colour), index % 2, index >= 2, inks)
        for code, colours, inks in (
            (Cell.COVERED, palette.covered, flag),
            (Cell.EMPTY, palette.opened, digits),
        )
        for index, colour in enumerate(colours.shades)
    ]


def _by_lines(pixels: Floats, background: _Background, near: Mask, distances: Floats) -> CellLabel:
    """Read a cell of a screen; `near`: its background pixels, `distances`: how far all are from it."""
    others = pixels[~near]
    if len(others) <= MAX_UNEXPLAINED * len(pixels):
        mean = float(distances[near].mean()) if near.any() else 255.0
        return int(background.code), mean, background.hovered
    if len(others) > MAX_INK * len(pixels):
        return UNREAD
    ranked: list[tuple[float, int]] = []
    for code, ink in background.inks:
        line = ink - background.colour
        along = (others - background.colour) @ line / float(line @ line)
        off = np.linalg.norm(others - background.colour - np.clip(along, 0, 1.0)[:, None] * line, axis=1)
        full = (along >= FULL_INK) & (off <= MAX_OFF_LINE)
        explained = (off > MAX_OFF_LINE).sum() <= MAX_UNEXPLAINED * len(pixels)
        if explained and full.sum() >= MIN_INK * len(pixels):
            ranked.append((float(off.mean()), code))
    ranked.sort()
    if not ranked or (len(ranked) > 1 and ranked[0][0] > CLEARLY_NEARER * ranked[1][0]):
        return UNREAD
    return ranked[0][1], ranked[0][0], background.hovered


def _by_mean(pixels: Floats, background: _Background, near: Mask) -> CellLabel:
    """Read a cell of a compressed picture; `near`: its background pixels.

    Compression moves colour from pixel to pixel and preserves the mean, which lies between background and
    ink.
    """
    drawn_part = 1 - float(near.mean())
    if drawn_part > MAX_INK:
        return UNREAD
    flat = np.median(pixels[near], axis=0)
    inside = slice(SMEARED_RIM, -SMEARED_RIM)
    middle = pixels.reshape(SAMPLE_SIDE, SAMPLE_SIDE, 3)[inside, inside].reshape(-1, 3)
    mean = (middle - flat).mean(axis=0)
    length = float(np.linalg.norm(mean))
    if drawn_part <= MAX_UNEXPLAINED:
        return int(background.code), length, background.hovered
    if not length:
        return UNREAD
    farthest = np.quantile(np.linalg.norm(pixels[~near] - flat, axis=1), 0.9)
    ranked = sorted(
        (float(np.linalg.norm(mean / length - (ink - flat) / np.linalg.norm(ink - flat))), code)
        for code, ink in background.inks
        if np.linalg.norm(ink - flat) * MAX_BEYOND_INK >= farthest
    )
    if not ranked:
        return UNREAD
    angle, code = ranked[0]
    if angle > MAX_ANGLE or (len(ranked) > 1 and angle > CLEARLY_SMALLER * ranked[1][0]):
        return UNREAD
    return code, length * angle, background.hovered


def _is_question(drawn: Mask) -> bool:
    """Whether the pixels that are not background, shape (SAMPLE_SIDE * SAMPLE_SIDE,), are a question mark:
    games with a palette have none, but another game's may have the colour of the flags."""
    shape = shapes.normalised(drawn.reshape(SAMPLE_SIDE, SAMPLE_SIDE).astype(np.float32))
    if shape is None:
        return False
    similarity = shapes.similarities(shapes.unit_vector(shape)[None], shapes.reference_shapes())[0]
    return bool(similarity[Cell.QUESTION] > max(MIN_QUESTION, similarity[Cell.FLAG] + QUESTION_LEAD))


def _vector(colour: Colour) -> Floats:
    return np.array(colour.bgr, dtype=np.float32)
