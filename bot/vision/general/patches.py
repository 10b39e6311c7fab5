"""Cuts the cells of a grid out of a picture, all at one size, and measures the colours and edges of each."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.cells.sampling import split_cells
from bot.vision.grid import Grid, Image

PATCH_SIDE = 32
"""Height and width of a patch, in pixels. The slices below are pixels of a patch."""

GLYPH_SPAN, BACKGROUND_HOLE = slice(5, 27), slice(8, 24)
"""Where glyphs are drawn: borders and bevels lie outside, though the grid may be a pixel or two off; and the
middle of it, which the ring that gives the background colour leaves out."""

CONTRAST_SPAN, CONTRAST_QUANTILES = slice(7, 25), (0.03, 0.97)
"""Contrast is the difference between these quantiles of the colours there: single pixels do not count."""

EDGE_SPAN, EDGE_DEPTH = np.r_[4:10, 22:28], (1, 4)
"""Where edges are measured: along their length neither at the corners nor in the middle, where the foot of a
digit may come near and is no shadow; across it at these pixels from the border, the second excluded."""

AVERAGED_SCALE = 0.75
"""Boards that shrink to less than this are averaged first: cv2.remap alone would pick single pixels."""

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Patches:
    """All cells of a grid, row by row: cell row * columns + column."""

    pixels: Floats
    """Shape (cells, PATCH_SIDE, PATCH_SIDE, 3), blue, green, red, 0 to 255."""
    ring_colours: Floats
    """The median colour of a ring around the middle, (cells, 3): the background's where little is drawn."""
    edges: Floats
    """The brightness (0 to 255) of the lighter of the upper and left, the darker of the lower and right edge:
    (cells, 2)."""
    contrasts: Floats
    """How far the colours in the middle lie apart, in the channel that differs most: (cells,), 0 to 255."""
    columns: int
    rows: int


def cut_patches(image: Image, grid: Grid) -> Patches:
    """Cut out and measure every cell of a grid; what lies outside the picture repeats its edge."""
    pixels = _resampled_cells(image, grid)
    grey = pixels.mean(axis=3)
    # The mean brightness of each row of a patch, and of each column: (cells, PATCH_SIDE).
    by_row, by_column = grey[:, :, EDGE_SPAN].mean(axis=2), grey[:, EDGE_SPAN].mean(axis=1)
    near, far = slice(*EDGE_DEPTH), slice(-EDGE_DEPTH[1], -EDGE_DEPTH[0])
    lighter = np.maximum(by_row[:, near].max(axis=1), by_column[:, near].max(axis=1))
    darker = np.minimum(by_row[:, far].min(axis=1), by_column[:, far].min(axis=1))
    edges = np.stack([lighter, darker], axis=1).astype(np.float32)
    middle = np.sort(pixels[:, CONTRAST_SPAN, CONTRAST_SPAN].reshape(len(pixels), -1, 3), axis=1)
    low, high = (int(quantile * middle.shape[1]) for quantile in CONTRAST_QUANTILES)
    contrasts = (middle[:, high] - middle[:, low]).max(axis=1).astype(np.float32)
    ring = np.zeros((PATCH_SIDE, PATCH_SIDE), bool)
    ring[GLYPH_SPAN, GLYPH_SPAN] = True
    ring[BACKGROUND_HOLE, BACKGROUND_HOLE] = False
    ring_colours = np.median(pixels[:, ring], axis=1).astype(np.float32)
    return Patches(pixels, ring_colours, edges, contrasts, grid.columns, grid.rows)


def reliefs(patches: Patches, cells: Indices, background_colours: Floats) -> Floats:
    """How much lighter than their background colours, (cells, 3), the `edges` of cells are: (cells, 2).

    Raised cells have a light upper left and a dark lower right edge: a positive and a negative value.
    """
    relief: Floats = patches.edges[cells] - background_colours.mean(axis=1, keepdims=True)
    return relief


def _resampled_cells(image: Image, grid: Grid) -> Floats:
    """The pixels of `Patches`: the picture sampled at evenly spaced points of each cell; `cells.sampling`
    says how else cells are cut, and why."""
    rect, width, height = grid.rect, grid.cell_width, grid.cell_height
    top, left = max(0, rect.y - 2), max(0, rect.x - 2)
    board = image[top : rect.bottom + 2, left : rect.right + 2]
    x, y = grid.x - left, grid.y - top
    scale = PATCH_SIDE / min(width, height)
    if scale < AVERAGED_SCALE:
        smaller = max(1, round(board.shape[1] * scale)), max(1, round(board.shape[0] * scale))
        across, down = smaller[0] / board.shape[1], smaller[1] / board.shape[0]
        board = np.asarray(cv2.resize(board, smaller, interpolation=cv2.INTER_AREA), np.uint8)
        x, y, width, height = x * across, y * down, width * across, height * down
    xs = (x + (np.arange(grid.columns * PATCH_SIDE) + 0.5) * width / PATCH_SIDE - 0.5).astype(np.float32)
    ys = (y + (np.arange(grid.rows * PATCH_SIDE) + 0.5) * height / PATCH_SIDE - 0.5).astype(np.float32)
    shape = len(ys), len(xs)
    sampled = cv2.remap(
        board,
        np.ascontiguousarray(np.broadcast_to(xs, shape)),
        np.ascontiguousarray(np.broadcast_to(ys[:, None], shape)),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    cells = split_cells(np.asarray(sampled, np.uint8), grid.rows, grid.columns)
    return cells.reshape(-1, PATCH_SIDE, PATCH_SIDE, 3).astype(np.float32)
