"""Cuts the cells of a grid out of a picture, all at the size at which they are compared with glyphs.

Cells that have the size of the glyphs are taken as they are. Others are brought to about half their
resolution, glyphs and cells alike: where a window is scaled, its lines fall between pixels, and at half
the resolution that matters little while digits still differ.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import cv2
import numpy as np

from bot.geometry import Rect
from bot.vision.grid import CellEdges, ExactEdges, Grid, Image

COARSE = 0.6
"""The resolution at which scaled cells are compared, as a part of their own or of the glyphs'."""

FINE = 2
"""Where edges of cells lie inside pixels, so many places are looked at in each direction for every pixel that
comes out."""

SOFT = 0.45
"""How far scaling may have blurred a picture more than its glyphs, in pixels of the cells that come out."""

MUCH = 2.0
"""Glyphs that are so many times as large as they come out are brought there in one step."""

PARTS = 32
"""Into so many parts OpenCV divides a pixel where it looks between two."""

NOWHERE = (255, 0, 255)
"""The colour of pixels outside the picture: no glyph looks like it."""

Cells = np.ndarray[Any, np.dtype[np.uint8]]
Lines = np.ndarray[Any, np.dtype[np.float32]]
Chosen = np.ndarray[Any, np.dtype[np.intp]]
"""The indices of some rows or columns of cells, in rising order."""


class Sampling:
    """How the pixels of a grid become cells that can be compared with glyphs of a size (width, height)."""

    def __init__(
        self,
        grid: Grid,
        glyph: tuple[int, int],
        *,
        snapped: bool = True,
        frame: int = 0,
        only: tuple[Chosen, Chosen] | None = None,
        least: int = 1,
        most: int | None = None,
        soft: bool = False,
    ) -> None:
        """Where edges of cells lie inside pixels, `snapped` takes each cell from its own whole pixels, as
        toolkits draw them; else from where its fractions lie, as a picture scaled as a whole has them.
        `frame`: so many pixels around a cell keep their size when the window scales its cells, unless the
        grid is magnified.
        `only`: the rows and the columns that are looked at; None for all.
        `least` and `most`: the fewest pixels (as far as there are so many) and the most, in width and height,
        that scaled cells come out with; None for any number.
        `soft`: glyphs come out blurred a little more, as some pictures are."""
        self._grid = grid
        self._shape = (grid.rows, grid.columns) if only is None else (len(only[0]), len(only[1]))
        self._frame = frame
        self._soft = soft
        self._width = int(np.diff(grid.column_edges).max())
        self._height = int(np.diff(grid.row_edges).max())
        if snapped and grid.uniform and (self._width, self._height) == glyph:
            self.size = glyph
        else:
            sides = min(glyph[0], self._width), min(glyph[1], self._height)
            coarse = [max(COARSE * side, min(least, side)) for side in sides]
            less = 1.0 if most is None else min(1.0, most / max(coarse))
            self.size = max(1, round(less * coarse[0])), max(1, round(less * coarse[1]))
        """Width and height, in pixels, of the cells that come out."""
        self._taken = (self._width, self._height) if snapped else (FINE * self.size[0], FINE * self.size[1])
        """Width and height of the cells as they are taken from the picture, before they are made coarse."""
        self._snapped = snapped
        self._only = only
        self._as_they_are = snapped and grid.uniform and only is None
        """Whether its pixels are the picture's."""

    @property
    def key(self) -> tuple[int, ...]:
        """What comes out of `glyph` depends on this."""
        return *self.size, self._width, self._height, self._frame, self._soft

    def cells(self, image: Image) -> Cells:
        """The cells: shape (rows, columns, height * width * 3)."""
        (width, height), (rows, columns) = self.size, self._shape
        board = self._board(image)
        if board.shape[:2] != (rows * height, columns * width):
            board = _resized(board, columns * width, rows * height)
        tiled = board.reshape(rows, height, columns, width * 3).transpose(0, 2, 1, 3)
        return np.ascontiguousarray(tiled).reshape(rows, columns, height * width * 3)

    def glyph(self, picture: Image) -> Image:
        """The picture of one cell, of any size, as the same cell in the grid would come out."""
        if picture.shape[:2] != (self.size[1], self.size[0]):
            # What is made much smaller shows nothing of how it was stretched before.
            if self._frame or min(picture.shape[0] / self.size[1], picture.shape[1] / self.size[0]) < MUCH:
                picture = _stretched(
                    picture, self._width, self._height, self._frame, self._grid.magnification
                )
            picture = _resized(picture, *self.size)
        if self._soft:
            rim = cv2.BORDER_REPLICATE
            picture = np.asarray(cv2.GaussianBlur(picture, (3, 3), SOFT, borderType=rim), np.uint8)
        return picture

    @cached_property
    def _lines(self) -> tuple[Any, Any]:
        return _lines(self._grid, self._taken, self._snapped, self._only)

    def _board(self, image: Image) -> Image:
        """The pixels of the grid, all cells of one size."""
        if not self._as_they_are:
            edge = cv2.BORDER_CONSTANT
            even = cv2.remap(image, *self._lines, cv2.INTER_LINEAR, borderMode=edge, borderValue=NOWHERE)
            return np.asarray(even, np.uint8)
        rect = self._grid.rect
        if rect.x < 0 or rect.y < 0 or rect.right > image.shape[1] or rect.bottom > image.shape[0]:
            image, rect = _padded(image, rect)
        return image[rect.y : rect.bottom, rect.x : rect.right]


def spread(count: int, most: int) -> Chosen:
    """Of so many rows or columns, up to `most` from the first to the last."""
    return np.unique(np.round(np.linspace(0, count - 1, most)).astype(np.intp))


def inside(cells: Cells, size: tuple[int, int], inset: float) -> Cells:
    """Cells, shape (rows, columns, height * width * 3) of `size` (width, height), without their rims.

    `inset` is the part of a side that is taken off at each end.
    """
    if not inset:
        return cells
    width, height = size
    rows, columns = cells.shape[:2]
    left, top = rim(size, inset)
    inner = cells.reshape(rows, columns, height, width, 3)[:, :, top : height - top, left : width - left]
    return np.ascontiguousarray(inner).reshape(rows, columns, -1)


def rim(size: tuple[int, int], inset: float) -> tuple[int, int]:
    """What is taken off a cell of a size (width, height): pixels at its left and right, top and bottom."""
    if not inset:
        return 0, 0
    return max(1, round(inset * size[0])), max(1, round(inset * size[1]))


def _resized(picture: Image, width: int, height: int) -> Image:
    """The same picture at another size: averaged where it shrinks, interpolated where it grows."""
    shrinks = width <= picture.shape[1] and height <= picture.shape[0]
    way = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (width, height), interpolation=way), np.uint8)


def _stretched(picture: Image, width: int, height: int, frame: int, magnified: float) -> Image:
    """The same picture at another size, but for a frame around it, which is only magnified."""
    thick = round(frame * magnified)
    if frame == 0 or min(width, height) <= 2 * thick:
        return _resized(picture, width, height)
    across = np.split(picture, [frame, picture.shape[1] - frame], axis=1)
    widths = thick, width - 2 * thick, thick
    columns = [_resized(part, wide, part.shape[0]) for part, wide in zip(across, widths, strict=True)]
    down = np.split(np.concatenate(columns, axis=1), [frame, picture.shape[0] - frame], axis=0)
    heights = thick, height - 2 * thick, thick
    return np.concatenate([_resized(part, width, high) for part, high in zip(down, heights, strict=True)])


def _lines(
    grid: Grid, size: tuple[int, int], snapped: bool, only: tuple[Chosen, Chosen] | None
) -> tuple[Any, Any]:
    """For `cv2.remap`: where in the picture the pixels of cells that are all of a size (width, height) come
    from."""
    width, height = size
    rows, columns = only if only is not None else (np.arange(grid.rows), np.arange(grid.columns))
    if snapped:
        across, down = _snapped(grid.column_edges, width, columns), _snapped(grid.row_edges, height, rows)
    else:
        across = _exact(grid.exact_columns, width, columns)
        down = _exact(grid.exact_rows, height, rows)
    # What `cv2.convertMaps` makes of two maps of all pixels, from their rows and columns alone.
    x, y = (np.rint(lines * PARTS).astype(np.int32) for lines in (across, down))
    whole = np.empty((len(y), len(x), 2), np.int16)
    whole[..., 0], whole[..., 1] = x // PARTS, (y // PARTS)[:, None]
    fractions = ((y % PARTS) * PARTS)[:, None].astype(np.uint16) + (x % PARTS).astype(np.uint16)
    return whole, fractions


def _snapped(edges: CellEdges, size: int, chosen: Chosen) -> Lines:
    sizes = np.diff(edges)[chosen, None]
    inside = (np.arange(size) + 0.5) / size * sizes - 0.5
    lines: Lines = (edges[chosen, None] + np.clip(inside, 0, sizes - 1)).ravel().astype(np.float32)
    return lines


def _exact(edges: ExactEdges, size: int, chosen: Chosen) -> Lines:
    inside = (np.arange(size) + 0.5) / size * np.diff(edges)[chosen, None] - 0.5
    lines: Lines = (edges[chosen, None] + inside).ravel().astype(np.float32)
    return lines


def _padded(image: Image, rect: Rect) -> tuple[Image, Rect]:
    """The picture with a border that no glyph looks like, so that the grid lies inside it."""
    left, top = max(0, -rect.x), max(0, -rect.y)
    right, bottom = max(0, rect.right - image.shape[1]), max(0, rect.bottom - image.shape[0])
    bordered = cv2.copyMakeBorder(image, top, bottom, left, right, cv2.BORDER_CONSTANT, value=NOWHERE)
    return np.asarray(bordered, np.uint8), rect.moved(left, top)
