"""Boards as examples are cut from them: resampled, so that every cell has one size.

`bot.vision.general.cell_windows` cuts single cells in the same way.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.general.cell_windows import CELL_SIDE, INNER, MARGIN, WINDOW_SIDE, Looks
from bot.vision.grid import CellEdges, ExactEdges, Grid, Image

BoardWindows = npt.NDArray[np.uint8]
"""Shape (rows, columns, WINDOW_SIDE, WINDOW_SIDE, 3)."""


def windows_of(canvas: Image) -> BoardWindows:
    """The window of every cell of a canvas, without a copy."""
    side = (WINDOW_SIDE, WINDOW_SIDE)
    windows = np.lib.stride_tricks.sliding_window_view(canvas, side, axis=(0, 1))
    return np.moveaxis(windows[::CELL_SIDE, ::CELL_SIDE], 2, -1)


def distinct(windows: BoardWindows) -> tuple[Looks, Looks]:
    """Which look each cell has, (rows, columns), and for each look a cell that has it, (looks,).

    Cells have one look if all their pixels are equal; what lies around them does not count.
    """
    rows, columns = windows.shape[:2]
    inner = np.ascontiguousarray(windows[:, :, INNER, INNER]).reshape(rows * columns, -1)
    keys = inner.view(np.uint64) @ _factors(inner.shape[1] // 8)
    _, first, looks = np.unique(keys, return_index=True, return_inverse=True)
    return looks.reshape(rows, columns), first


@cache
def _factors(count: int) -> npt.NDArray[np.uint64]:
    """Odd numbers by which the pixels of a cell are multiplied, eight at a time, for a hash of 64 bits."""
    return np.asarray(2 * np.random.default_rng(5).integers(1, 2**62, count, dtype=np.uint64) + 1, np.uint64)


def cell_canvas(image: Image, grid: Grid) -> Image:
    """A grid resampled so that each cell has CELL_SIDE pixels, with MARGIN pixels around all of them.

    Each pixel is the mean of the area that it covers, so that cells of equal pixels stay equal. The edges of
    the cells are those in whole pixels: there most games begin to draw a cell.
    """
    x, y = _boundaries(grid.column_edges), _boundaries(grid.row_edges)
    height, width = image.shape[:2]
    left, right = int(min(0, np.floor(x[0]))), int(max(width, np.ceil(x[-1])))
    top, bottom = int(min(0, np.floor(y[0]))), int(max(height, np.ceil(y[-1])))
    if left < 0 or top < 0 or right > width or bottom > height:
        sides = -top, bottom - height, -left, right - width
        image = np.asarray(cv2.copyMakeBorder(image, *sides, cv2.BORDER_REPLICATE), np.uint8)
    x, y = x - left, y - top
    first_x, first_y = int(x[0]), int(y[0])
    part = image[first_y : int(np.ceil(y[-1])), first_x : int(np.ceil(x[-1]))]
    return _area_means(part, x - first_x, y - first_y)


def _boundaries(edges: CellEdges) -> ExactEdges:
    """The boundaries between the pixels of a canvas in one direction, in pixels of the picture."""
    widths = np.diff(edges)
    steps = np.arange(CELL_SIDE) / CELL_SIDE
    inside = (edges[:-1, None] + steps * widths[:, None]).ravel()
    before = edges[0] - np.arange(MARGIN, 0, -1) / CELL_SIDE * widths[0]
    after = edges[-1] + np.arange(MARGIN + 1) / CELL_SIDE * widths[-1]
    return np.concatenate([before, inside, after])


def _area_means(image: Image, x: ExactEdges, y: ExactEdges) -> Image:
    """The mean colours between boundaries in pixels, by the integral of the picture (Crow, "Summed-area
    tables for texture mapping", 1984), which is linear between whole pixels."""
    integral = np.asarray(cv2.integral(image, sdepth=cv2.CV_64F), np.float64)
    rows = np.diff(_between(integral, y), axis=0)
    sums = np.diff(_between(rows.transpose(1, 0, 2), x), axis=0).transpose(1, 0, 2)
    means = sums / np.outer(np.diff(y), np.diff(x))[:, :, None] + 0.5
    return np.ascontiguousarray(np.clip(means, 0, 255).astype(np.uint8))


def _between(values: npt.NDArray[np.float64], places: ExactEdges) -> npt.NDArray[np.float64]:
    """The rows of an array at fractional places, between those before and after them."""
    whole = np.minimum(places.astype(np.intp), len(values) - 2)
    part = (places - whole)[:, None, None]
    between: npt.NDArray[np.float64] = values[whole] * (1 - part) + values[whole + 1] * part
    return between
