"""The cells of a grid cut out at one size, and what can be measured of each: its background, its relief,
what is drawn on it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision.grid import Grid, Image

SIDE = 32
"""Pixels of a side of the patches."""

INNER = slice(5, 27)
"""Where glyphs are drawn: borders and reliefs lie outside, though the grid may be a pixel or two off."""

BESIDE = np.r_[4:10, 22:28]
"""Where along an edge it is looked at: neither at the corners nor where something is drawn."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Patches:
    """All cells of a grid, row by row."""

    pixels: Floats
    """Shape (cells, SIDE, SIDE, 3), blue, green, red, 0 to 255."""
    background: Floats
    """The usual colour of a ring around the middle, that behind where little is drawn: (cells, 3)."""
    edge: Floats
    """How light its upper or left edge is, and its lower or right one, of two the clearer: (cells, 2)."""
    contrast: Floats
    """How far the colours in the middle lie apart: shape (cells,), 0 to 255."""
    columns: int
    rows: int


def patches_of(image: Image, grid: Grid) -> Patches:
    """Cut out and measure every cell of a grid; what lies outside the picture repeats its edge."""
    pixels = _cut(image, grid)
    background = _background(pixels)
    grey = pixels.mean(axis=3)
    # Beside the middle of an edge: the foot of a digit may come near it there, and is no shadow.
    across, down = grey[:, :, BESIDE].mean(axis=2), grey[:, BESIDE].mean(axis=1)
    upper = np.maximum(across[:, 1:4].max(axis=1), down[:, 1:4].max(axis=1))
    lower = np.minimum(across[:, -4:-1].min(axis=1), down[:, -4:-1].min(axis=1))
    edge = np.stack([upper, lower], axis=1).astype(np.float32)
    middle = np.sort(pixels[:, 7:25, 7:25].reshape(len(pixels), -1, 3), axis=1)
    count = middle.shape[1]
    contrast = (middle[:, int(0.97 * count)] - middle[:, int(0.03 * count)]).max(axis=1)
    return Patches(pixels, background, edge, contrast.astype(np.float32), grid.columns, grid.rows)


def reliefs(patches: Patches, cells: npt.NDArray[np.intp], behind: Floats) -> Floats:
    """How much lighter than what lies behind, (cells, 3), the upper and lower edges of cells are: (cells, 2).

    Raised cells have a light upper left and a dark lower right edge.
    """
    out: Floats = patches.edge[cells] - behind.mean(axis=1, keepdims=True)
    return out


def _background(pixels: Floats) -> Floats:
    """The median colour of each cell in a ring near its edge."""
    ring = np.zeros((SIDE, SIDE), bool)
    ring[5:27, 5:27] = True
    ring[8:24, 8:24] = False
    out: Floats = np.median(pixels[:, ring], axis=1).astype(np.float32)
    return out


def _cut(image: Image, grid: Grid) -> Floats:
    scale = SIDE / min(grid.cell_width, grid.cell_height)
    rect = grid.rect
    x, y, width, height = grid.x, grid.y, grid.cell_width, grid.cell_height
    top, left = max(0, rect.y - 2), max(0, rect.x - 2)
    board = image[top : rect.bottom + 2, left : rect.right + 2]
    x, y = x - left, y - top
    if scale < 0.75:  # averaged first: a remap takes single pixels
        smaller = max(1, round(board.shape[1] * scale)), max(1, round(board.shape[0] * scale))
        across, down = smaller[0] / board.shape[1], smaller[1] / board.shape[0]
        board = np.asarray(cv2.resize(board, smaller, interpolation=cv2.INTER_AREA), np.uint8)
        x, y, width, height = x * across, y * down, width * across, height * down
    xs = (x + (np.arange(grid.columns * SIDE) + 0.5) * width / SIDE - 0.5).astype(np.float32)
    ys = (y + (np.arange(grid.rows * SIDE) + 0.5) * height / SIDE - 0.5).astype(np.float32)
    shape = len(ys), len(xs)
    even = cv2.remap(
        board,
        np.ascontiguousarray(np.broadcast_to(xs, shape)),
        np.ascontiguousarray(np.broadcast_to(ys[:, None], shape)),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    tiled = np.asarray(even).reshape(grid.rows, SIDE, grid.columns, SIDE, 3).transpose(0, 2, 1, 3, 4)
    return np.ascontiguousarray(tiled).reshape(-1, SIDE, SIDE, 3).astype(np.float32)
