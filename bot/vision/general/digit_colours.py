"""Doubts numbers that have another colour than the rest of their kind: a game has one colour for each.

A network that judges by shape takes a tiny 3 for a 2; beside a 2 of another colour it is seen to be none.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.vision.grid import Grid, Image

Floats = npt.NDArray[np.float32]

SURE = 0.95
"""A number that the network is so sure of, 0 to 1, is not doubted: some games pale the numbers whose mines
are all flagged."""

MAX_SURE = 0.99
"""A cell counts at most as if the network were this sure of it."""

SAME_COLOUR = 0.966
"""Inks are of one colour if the directions from their ground to them, in the space of colours, have at least
this cosine: 15 degrees. Smoothed edges are paler ink of the same direction."""

EDGE = 0.1
"""The part of a cell on each side, as a part of its size, on which its frame may lie."""

MIN_CONTRAST = 40.0
"""An ink differs from its ground by at least this much, as the length of the difference in blue, green and
red."""


def without_other_colours(codes: Codes, scores: Floats, image: Image, grid: Grid) -> Codes:
    """The cells of a grid, (rows, columns), in a picture (height, width, 3), those unread that are numbers of
    which the network is unsure, in another colour than most that speaks for that number.

    `scores`: the logarithms of the probabilities of the labels, (rows, columns, LABELS).
    """
    kept: Codes = codes.copy()
    for number in range(1, 9):
        cells = np.argwhere(codes == number)
        sure = np.minimum(np.exp(scores[codes == number, number]), MAX_SURE)
        if len(cells) < 2 or sure.min() >= SURE:
            continue
        inks = np.array([_ink(image, grid, row, column) for row, column in cells.tolist()])
        alike = inks @ inks.T >= SAME_COLOUR
        most = alike[np.argmax(alike @ -np.log(1 - sure))]
        other = cells[~most & inks.any(axis=1) & (sure < SURE)]
        kept[other[:, 0], other[:, 1]] = int(Cell.UNREAD)
    return kept


def _ink(image: Image, grid: Grid, row: int, column: int) -> Floats:
    """The direction from the ground of a cell to its ink, a unit vector (3,); zeros where it is plain."""
    x, right = grid.column_edges[column : column + 2].tolist()
    y, bottom = grid.row_edges[row : row + 2].tolist()
    across, down = int(EDGE * (right - x)) + 1, int(EDGE * (bottom - y)) + 1
    inside = image[max(0, y + down) : bottom - down, max(0, x + across) : right - across]
    pixels = inside.reshape(-1, 3).astype(np.float32)
    if not len(pixels):
        return np.zeros(3, np.float32)
    differences = pixels - np.median(pixels, axis=0)
    strengths = np.linalg.norm(differences, axis=1)
    if strengths.max() < MIN_CONTRAST:
        return np.zeros(3, np.float32)
    ink = differences[strengths > strengths.max() / 2].sum(axis=0)
    return np.asarray(ink / max(float(np.linalg.norm(ink)), 1e-9), np.float32)
