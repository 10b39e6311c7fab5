"""Cuts the cells of a grid out of a picture, all at one size, each with a little of what lies around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.grid import CellEdges, Grid, Image

CELL_SIDE, MARGIN = 24, 4
"""Height and width of a cell in its window, and what is seen of its neighbours on each side, in pixels."""

WINDOW_SIDE = CELL_SIDE + 2 * MARGIN

INNER = slice(MARGIN, MARGIN + CELL_SIDE)
"""Where in a window its cell is, in both directions."""

THUMBNAIL_SIDE = 8
"""Side of the thumbnail of a look, which tells how like another it is in colours and large parts."""

Windows = npt.NDArray[np.uint8]
"""Shape (looks, WINDOW_SIDE, WINDOW_SIDE, 3), blue, green, red."""

Thumbnails = npt.NDArray[np.uint8]
"""Shape (looks, THUMBNAIL_SIDE, THUMBNAIL_SIDE, 3), blue, green, red."""

Looks = npt.NDArray[np.intp]
"""For each cell the number of its look, from 0: shape (rows, columns)."""

Floats = npt.NDArray[np.float32]

Key = tuple[int, int, int, int]


@dataclass(frozen=True)
class CellLooks:
    """What the cells of a grid look like. Cells have one look if all their pixels are equal; what lies around
    them does not count."""

    looks: Looks
    keys: list[Key]
    """A hash of the pixels of each look, where in the picture a cell has it, x and y, and how wide that is.
    What is told of a look hangs on what lies around that cell."""
    padded: Image
    """The picture, with its edges repeated where the cells reach beyond it."""
    places: list[tuple[int, int, int, int]]
    """Where a cell of each look lies in it: x, y, width and height."""

    def windows(self, looks: list[int]) -> Windows:
        """The windows of some looks. Each pixel is the mean of the area that it covers."""
        out = np.empty((len(looks), WINDOW_SIDE, WINDOW_SIDE, 3), np.uint8)
        by_size: dict[tuple[int, int], list[int]] = {}
        for index, look in enumerate(looks):
            by_size.setdefault(self.places[look][2:], []).append(index)
        for (width, height), indices in by_size.items():
            across, down = _area_weights(width), _area_weights(height)
            left, top = _margin(width), _margin(height)
            pixels = np.empty((len(indices), down.shape[1], across.shape[1], 3), np.float32)
            for place, index in enumerate(indices):
                x, y = self.places[looks[index]][:2]
                pixels[place] = self.padded[y - top : y + height + top, x - left : x + width + left]
            # A product of matrices for each direction.
            squeezed = down @ pixels.reshape(len(indices), down.shape[1], -1)
            squeezed = across @ squeezed.reshape(len(indices), WINDOW_SIDE, -1, 3)
            out[indices] = np.clip(squeezed + 0.5, 0, 255)
        return out


def cell_looks(image: Image, grid: Grid) -> CellLooks:
    """The looks of the cells of a grid in a picture (height, width, 3); it may reach beyond the edges."""
    x, y = grid.column_edges, grid.row_edges
    beyond = _margin(int(np.diff(x).max())), _margin(int(np.diff(y).max()))
    left, right = max(0, beyond[0] - int(x[0])), max(0, int(x[-1]) + beyond[0] - image.shape[1])
    top, bottom = max(0, beyond[1] - int(y[0])), max(0, int(y[-1]) + beyond[1] - image.shape[0])
    if left or right or top or bottom:
        padded = cv2.copyMakeBorder(image, top, bottom, left, right, cv2.BORDER_REPLICATE)
        image = np.asarray(padded, np.uint8)
    x, y = x + left, y + top
    keys = np.zeros(grid.shape, np.uint64)
    for height, rows in _by_length(y).items():
        for width, columns in _by_length(x).items():
            corners = [(int(y[row]), int(x[column])) for row in rows for column in columns]
            keys[np.ix_(rows, columns)] = _hashes(image, corners, height, width).reshape(len(rows), -1)
    unique, first, looks = np.unique(keys, return_index=True, return_inverse=True)
    cells = [divmod(int(cell), grid.columns) for cell in first]
    places = [
        (int(x[column]), int(y[row]), int(x[column + 1] - x[column]), int(y[row + 1] - y[row]))
        for row, column in cells
    ]
    names = [
        (key, x - left, y - top, width) for key, (x, y, width, _) in zip(unique.tolist(), places, strict=True)
    ]
    return CellLooks(looks.reshape(grid.shape), names, image, places)


def thumbnails_of(windows: Windows) -> Thumbnails:
    """The cells of windows in few pixels, each the mean of those that it covers."""
    part = CELL_SIDE // THUMBNAIL_SIDE
    cells = windows[:, INNER, INNER].astype(np.uint16)
    # Every third row, then every third column, added in a tenth of the time of numpy's mean.
    rows = np.add.reduce([cells[:, row::part] for row in range(part)])
    sums = np.add.reduce([rows[:, :, column::part] for column in range(part)])
    return np.asarray(sums // part**2, np.uint8)


def _by_length(edges: CellEdges) -> dict[int, list[int]]:
    """The indices of the columns (or rows) by their width in pixels."""
    found: dict[int, list[int]] = {}
    for index, length in enumerate(np.diff(edges).tolist()):
        found.setdefault(length, []).append(index)
    return found


def _hashes(image: Image, corners: list[tuple[int, int]], height: int, width: int) -> npt.NDArray[np.uint64]:
    """A hash of the pixels of each cell of a size, from where its corners are, y and x: (cells,)."""
    cells = np.zeros((len(corners), -(-height * width * 3 // 8) * 8), np.uint8)
    pixels = cells[:, : height * width * 3].reshape(-1, height, width, 3)
    # In the time of gathering them all at once three such loops are over.
    for cell, (y, x) in enumerate(corners):
        pixels[cell] = image[y : y + height, x : x + width]
    words = cells.view(np.uint64)
    return np.asarray(words @ _hash_factors(words.shape[1]), np.uint64)


@cache
def _hash_factors(count: int) -> npt.NDArray[np.uint64]:
    """Odd numbers by which the bytes of a cell are multiplied, eight at a time."""
    odd = 2 * np.random.default_rng(5).integers(1, 2**62, count, dtype=np.uint64) + 1
    return np.asarray(odd, np.uint64)


def _margin(length: int) -> int:
    """The pixels of a picture on each side of a cell of a width (or height) that its window needs."""
    return -(-length * MARGIN // CELL_SIDE)


@cache
def _area_weights(length: int) -> Floats:
    """How much each pixel of a picture counts in each of a window: (WINDOW_SIDE, length + 2 * margin)."""
    margin = _margin(length)
    starts = margin + (np.arange(WINDOW_SIDE + 1) - MARGIN) * length / CELL_SIDE
    pixels = np.arange(length + 2 * margin)
    covered = np.minimum(starts[1:, None], pixels + 1) - np.maximum(starts[:-1, None], pixels)
    return np.asarray(np.maximum(covered, 0) * CELL_SIDE / length, np.float32)
