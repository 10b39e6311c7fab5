"""Doubts numbers that have another colour than the rest of their kind: a game has one colour for each.

A network that judges by shape takes a tiny 3 for a 2, or the first 6 of a game for a 5; beside a 2 or a 5 of
another colour it is seen to be none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.vision.grid import Grid, Image

Floats = npt.NDArray[np.float32]

Inks = Mapping[int, Sequence[Floats]]
"""The inks that numbers are known to have in a game, as `ink_of` gives them."""

SURE = 0.95
"""A number that the network is so sure of, 0 to 1, is not doubted: some games pale the numbers whose mines
are all flagged."""

MAX_SURE = 0.99
"""A cell counts at most as if the network were this sure of it; and a number whose colour is known from other
pictures is not doubted where it is."""

SAME_COLOUR = 0.966
"""Inks are of one colour if the directions from their ground to them, in the space of colours, have at least
this cosine: 15 degrees. Smoothed edges are paler ink of the same direction."""

EDGE = 0.1
"""The part of a cell on each side, as a part of its size, on which its frame may lie."""

MIN_CONTRAST = 40.0
"""An ink differs from its ground by at least this much, as the length of the difference in blue, green and
red."""


def without_other_colours(
    codes: Codes, scores: Floats, image: Image, grid: Grid, known: Inks | None = None
) -> Codes:
    """The cells of a grid, (rows, columns), in a picture (height, width, 3), those unread that are numbers of
    which the network is unsure, in another colour than those `known`, or where none is, than most that
    speaks for that number.

    `scores`: the logarithms of the probabilities of the labels, (rows, columns, LABELS).
    """
    kept: Codes = codes.copy()
    for number in range(1, 9):
        met = () if known is None else known.get(number, ())
        cells, enough = np.argwhere(codes == number), MAX_SURE if met else SURE
        sure = np.minimum(np.exp(scores[codes == number, number]), MAX_SURE)
        if len(cells) < (1 if met else 2) or sure.min() >= enough:
            continue
        inks = np.array([_ink(image, grid, row, column) for row, column in cells.tolist()])
        if met:
            most = (inks @ np.array(met).T >= SAME_COLOUR).any(axis=1)
        else:
            alike = inks @ inks.T >= SAME_COLOUR
            most = alike[np.argmax(alike @ -np.log(1 - sure))]
        other = cells[~most & inks.any(axis=1) & (sure < enough)]
        kept[other[:, 0], other[:, 1]] = int(Cell.UNREAD)
    return kept


def _ink(image: Image, grid: Grid, row: int, column: int) -> Floats:
    x, right = grid.column_edges[column : column + 2].tolist()
    y, bottom = grid.row_edges[row : row + 2].tolist()
    return ink_of(image[max(0, y) : bottom, max(0, x) : right])


def ink_of(cell: Image) -> Floats:
    """The direction from the ground of a cell, (height, width, 3), to its ink, a unit vector (3,); zeros
    where it is plain.

    The ground is what most of its rim shows: a digit may take more of the cell than it leaves free.
    """
    height, width = cell.shape[:2]
    across, down = int(EDGE * width) + 1, int(EDGE * height) + 1
    inside = cell[down : height - down, across : width - across].astype(np.float32)
    if min(inside.shape[:2]) < 1:
        return np.zeros(3, np.float32)
    rim = np.concatenate([inside[0], inside[-1], inside[:, 0], inside[:, -1]])
    differences = inside.reshape(-1, 3) - np.median(rim, axis=0)
    strengths = np.linalg.norm(differences, axis=1)
    if strengths.max() < MIN_CONTRAST:
        return np.zeros(3, np.float32)
    ink = differences[strengths > strengths.max() / 2].sum(axis=0)
    return np.asarray(ink / max(float(np.linalg.norm(ink)), 1e-9), np.float32)
