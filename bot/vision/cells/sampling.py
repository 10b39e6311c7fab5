"""Cuts the cells of a grid out of a picture, all at the size at which they are compared with glyphs.

Cells of the size of the glyphs are taken pixel by pixel. Others are brought to about half their resolution,
glyphs and cells alike: in a scaled window lines fall between pixels, and at half the resolution that matters
little while digits still differ.

Others cut cells by rules of their own. `ColourReader` takes single pixels, for a mean of pixels has a colour
that none of them has; `bot.vision.general.cell_windows` takes what is around a cell too, at the size that the
network learned; `cell_picture` of calibrating cuts out one cell to keep it as a glyph.

`python -m tests.pin check --only scaled --only screens` shows what another value of a constant changes.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import cv2
import numpy as np

from bot.geometry import Rect
from bot.vision.grid import CellEdges, ExactEdges, Grid, Image

COARSE = 0.6
"""The resolution at which scaled cells are compared, as a part of their own or of the glyphs', if lower."""

FINE = 2
"""Where edges of cells lie inside pixels, the picture is sampled at this multiple of the size that comes out,
in width and in height, and then averaged."""

BLUR = 0.45
"""Standard deviation of the blur that scaling may have added, in pixels of the cells that come out."""

ONE_STEP = 2.0
"""Glyphs that are at least this many times as large as they come out are scaled there in one step."""

SUBPIXELS = 32
"""The parts of a pixel in which the fixed-point maps of `cv2.remap` give places."""

OUTSIDE = (255, 0, 255)
"""The colour, blue, green, red, of pixels outside the picture: no glyph has it."""

Cells = np.ndarray[Any, np.dtype[np.uint8]]
Lines = np.ndarray[Any, np.dtype[np.float32]]
"""Coordinates of the picture, in pixels, from which the rows or the columns of the cells are taken."""

Indices = np.ndarray[Any, np.dtype[np.intp]]
"""The indices of some rows or columns of cells, in rising order."""


class Sampling:
    """Turns the pixels of a grid into cells that can be compared with glyphs of a size (width, height)."""

    def __init__(
        self,
        grid: Grid,
        glyph: tuple[int, int],
        *,
        snapped: bool = True,
        frame: int = 0,
        only: tuple[Indices, Indices] | None = None,
        min_side: int = 1,
        max_side: int | None = None,
        blurred: bool = False,
    ) -> None:
        """Where edges of cells lie inside pixels, `snapped` takes each cell from its own whole pixels, as
        toolkits draw them; else from its exact place, as in a picture that was scaled as a whole.
        `frame`: the width of the rim, in toolkit pixels, that keeps its size when the window scales its
        cells; it grows only with the grid's magnification. `only`: the rows and the columns that come out;
        None for all. `min_side` and `max_side`: the fewest and the most pixels, in width and in height, of
        the scaled cells that come out; cells that have fewer keep theirs. None for no limit. `blurred`:
        glyphs come out blurred by `BLUR`, as some pictures are."""
        self._grid = grid
        self._shape = grid.shape if only is None else (len(only[0]), len(only[1]))
        self._frame = frame
        self._blurred = blurred
        self._width = int(np.diff(grid.column_edges).max())
        self._height = int(np.diff(grid.row_edges).max())
        if snapped and grid.uniform and (self._width, self._height) == glyph:
            self.size = glyph
        else:
            sides = min(glyph[0], self._width), min(glyph[1], self._height)
            coarse = [max(COARSE * side, min(min_side, side)) for side in sides]
            factor = 1.0 if max_side is None else min(1.0, max_side / max(coarse))
            self.size = max(1, round(factor * coarse[0])), max(1, round(factor * coarse[1]))
        """Width and height, in pixels, of the cells that come out."""
        self._sampled = (self._width, self._height) if snapped else (FINE * self.size[0], FINE * self.size[1])
        """Width and height of the cells as they are sampled from the picture, before they are averaged."""
        self._snapped = snapped
        self._only = only
        self._is_crop = snapped and grid.uniform and only is None
        """Whether the sampled pixels are the picture's own."""

    @property
    def key(self) -> tuple[int, ...]:
        """Samplings with equal keys give equal glyphs."""
        return *self.size, self._width, self._height, self._frame, self._blurred

    def cells(self, image: Image) -> Cells:
        """The cells of an image (height, width, 3): shape (rows, columns, height * width * 3)."""
        (width, height), (rows, columns) = self.size, self._shape
        board = self._board(image)
        if board.shape[:2] != (rows * height, columns * width):
            board = _resized(board, columns * width, rows * height)
        return split_cells(board, rows, columns).reshape(rows, columns, height * width * 3)

    def glyph(self, picture: Image) -> Image:
        """The picture of one cell, of any size, as a cell of the grid would come out: (height, width, 3)."""
        if picture.shape[:2] != (self.size[1], self.size[0]):
            # A glyph that becomes much smaller shows nothing of the size that the window gave it before.
            factor = min(picture.shape[0] / self.size[1], picture.shape[1] / self.size[0])
            if self._frame or factor < ONE_STEP:
                picture = _resized_inside_frame(
                    picture, self._width, self._height, self._frame, self._grid.magnification
                )
            picture = _resized(picture, *self.size)
        if self._blurred:
            edge = cv2.BORDER_REPLICATE
            picture = np.asarray(cv2.GaussianBlur(picture, (3, 3), BLUR, borderType=edge), np.uint8)
        return picture

    @cached_property
    def _maps(self) -> tuple[Any, Any]:
        """The maps for `cv2.remap` to cells of `_sampled` pixels, fixed-point: whole pixels and fractions."""
        (width, height), grid, snapped = self._sampled, self._grid, self._snapped
        rows, columns = self._only or (np.arange(grid.rows), np.arange(grid.columns))
        across = _lines(grid.column_edges if snapped else grid.exact_columns, width, columns, snapped)
        down = _lines(grid.row_edges if snapped else grid.exact_rows, height, rows, snapped)
        # The result of `cv2.convertMaps`, made from one row and one column instead of two maps of all pixels.
        x, y = (np.rint(lines * SUBPIXELS).astype(np.int32) for lines in (across, down))
        whole = np.empty((len(y), len(x), 2), np.int16)
        whole[..., 0], whole[..., 1] = x // SUBPIXELS, (y // SUBPIXELS)[:, None]
        fractions = ((y % SUBPIXELS) * SUBPIXELS)[:, None].astype(np.uint16) + (x % SUBPIXELS).astype(
            np.uint16
        )
        return whole, fractions

    def _board(self, image: Image) -> Image:
        """The cells of the grid side by side, all of the size `_sampled`."""
        if not self._is_crop:
            edge = cv2.BORDER_CONSTANT
            cells = cv2.remap(image, *self._maps, cv2.INTER_LINEAR, borderMode=edge, borderValue=OUTSIDE)
            return np.asarray(cells, np.uint8)
        rect = self._grid.rect
        if rect.x < 0 or rect.y < 0 or rect.right > image.shape[1] or rect.bottom > image.shape[0]:
            image, rect = _padded(image, rect)
        return image[rect.y : rect.bottom, rect.x : rect.right]


def split_cells(board: Image, rows: int, columns: int) -> Cells:
    """Cells of one size that lie side by side in a picture: shape (rows, columns, height, width, 3)."""
    height, width = board.shape[0] // rows, board.shape[1] // columns
    split = board.reshape(rows, height, columns, width * 3).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(split).reshape(rows, columns, height, width, 3)


def evenly_spaced(count: int, most: int) -> Indices:
    """Up to `most` indices of `count` rows or columns, from the first to the last."""
    return np.unique(np.round(np.linspace(0, count - 1, most)).astype(np.intp))


def without_rims(cells: Cells, size: tuple[int, int], inset: float) -> Cells:
    """Cells of a size, shape (rows, columns, height * width * 3), without their rims (see `rim_widths`)."""
    if not inset:
        return cells
    width, height = size
    rows, columns = cells.shape[:2]
    left, top = rim_widths(size, inset)
    inner = cells.reshape(rows, columns, height, width, 3)[:, :, top : height - top, left : width - left]
    return np.ascontiguousarray(inner).reshape(rows, columns, -1)


def rim_widths(size: tuple[int, int], inset: float) -> tuple[int, int]:
    """The rim of a cell of a size (width, height): its pixels at the left and right, at the top and bottom.

    `inset` is the part of a side that the rim takes at each end.
    """
    if not inset:
        return 0, 0
    return max(1, round(inset * size[0])), max(1, round(inset * size[1]))


def _resized(picture: Image, width: int, height: int) -> Image:
    """The same picture at another size: averaged where it shrinks, interpolated where it grows."""
    shrinks = width <= picture.shape[1] and height <= picture.shape[0]
    interpolation = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (width, height), interpolation=interpolation), np.uint8)


def _resized_inside_frame(picture: Image, width: int, height: int, frame: int, magnification: float) -> Image:
    """The same picture at another size; a frame around it, of a width in pixels, is only magnified."""
    thick = round(frame * magnification)
    if frame == 0 or min(width, height) <= 2 * thick:
        return _resized(picture, width, height)
    across = np.split(picture, [frame, picture.shape[1] - frame], axis=1)
    widths = thick, width - 2 * thick, thick
    columns = [_resized(part, to, part.shape[0]) for part, to in zip(across, widths, strict=True)]
    down = np.split(np.concatenate(columns, axis=1), [frame, picture.shape[0] - frame], axis=0)
    heights = thick, height - 2 * thick, thick
    return np.concatenate([_resized(part, width, to) for part, to in zip(down, heights, strict=True)])


def _lines(edges: CellEdges | ExactEdges, size: int, chosen: Indices, snapped: bool) -> Lines:
    """From where the `size` rows, or columns, of each chosen cell come; `snapped` keeps to its pixels."""
    sizes = np.diff(edges)[chosen, None]
    inside = (np.arange(size) + 0.5) / size * sizes - 0.5
    if snapped:
        inside = np.clip(inside, 0, sizes - 1)
    lines: Lines = (edges[chosen, None] + inside).ravel().astype(np.float32)
    return lines


def _padded(image: Image, rect: Rect) -> tuple[Image, Rect]:
    """The picture with a border of `OUTSIDE`, so that a rectangle lies inside it, and where that then is."""
    left, top = max(0, -rect.x), max(0, -rect.y)
    right, bottom = max(0, rect.right - image.shape[1]), max(0, rect.bottom - image.shape[0])
    bordered = cv2.copyMakeBorder(image, top, bottom, left, right, cv2.BORDER_CONSTANT, value=OUTSIDE)
    return np.asarray(bordered, np.uint8), rect.moved(left, top)
