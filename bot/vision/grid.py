"""Where the cells of a board lie in a picture, and the types of pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import floor
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Coordinate
from bot.geometry import Point, Rect

Image = npt.NDArray[np.uint8]
"""A picture: shape (height, width, 3), blue, green, red."""

Plane = npt.NDArray[np.uint8]
"""One value of 0 to 255 for each pixel: shape (height, width)."""

CellEdges = npt.NDArray[np.intp]
"""The pixel at which each cell begins, and the first pixel after the last cell."""

ExactEdges = npt.NDArray[np.float64]
"""The same before they are rounded to whole pixels."""

MIN_BOARD_SIDE = 4
"""Minimum number of columns and of rows of a board: too much on a screen looks like a smaller one."""


def grown(box: Rect, by: int, picture: Image) -> Rect:
    """A box with so many pixels more on each side, as far as a picture (height, width, 3) goes."""
    around = Rect(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)
    return around.clipped(Rect(0, 0, picture.shape[1], picture.shape[0]))


def part(picture: npt.NDArray[Any], box: Rect) -> npt.NDArray[Any]:
    """The part of a picture in a box; what lies beyond its edges is left out."""
    return picture[max(0, box.y) : max(0, box.bottom), max(0, box.x) : max(0, box.right)]


def same_pixels(one: Image, other: Image) -> bool:
    """Whether two pictures are equal in size and in every pixel; twice as fast as numpy's comparison, and at
    once where they are one object."""
    if one is other:
        return True
    if one.shape != other.shape:
        return False
    # Not `norm(one, other)`: OpenCV takes `other` for the kind of norm first and writes down why it is none,
    # and a signal that comes meanwhile ends Python with a segmentation fault (OpenCV 5.0.0).
    return not one.size or cv2.norm(cv2.absdiff(one, other), cv2.NORM_INF) == 0


def round_half_up(value: float) -> int:
    """The nearest whole number, halves upward: `round` would make cells of 31.5 px 32, 31 and 31 px wide."""
    return floor(value + 0.5)


@dataclass(frozen=True)
class Grid:
    """Rows and columns of cells in a picture; all lengths are in pixels, fractions allowed.

    A cell covers whole pixels: its edges are rounded, so cells of a pitch of 31.5 are 31 and 32 pixels wide.
    Some toolkits distribute the remaining pixels themselves: GTK gives one to each of the first cells.
    `wide_columns` and `wide_rows` count those cells, and `magnification` is the size of the toolkit's pixels.
    The columns of a table have widths of their own: then `column_offsets` and `row_offsets` say where they
    begin, and `cell_width` and `cell_height` are means.
    """

    x: float
    """The left edge of the first column."""
    y: float
    """The top edge of the first row."""
    cell_width: float
    cell_height: float
    columns: int
    rows: int
    wide_columns: int = 0
    """How many of the first columns are one toolkit pixel wider than `cell_width`."""
    wide_rows: int = 0
    """How many of the first rows are one toolkit pixel higher than `cell_height`."""
    magnification: float = 1
    """Pixels of the picture for each pixel of the toolkit, in width and in height: 2 where the toolkit draws
    everything twice as large, a fraction where the desktop scales what the toolkit has drawn."""
    column_offsets: tuple[float, ...] = ()
    """How far from `x` each column begins and the last one ends, where their widths differ; else empty."""
    row_offsets: tuple[float, ...] = ()
    """The same for rows, from `y`."""

    @property
    def has_equal_cells(self) -> bool:
        """Whether `cell_width` and `cell_height` are those of all cells."""
        return not (self.wide_columns or self.wide_rows or self.column_offsets or self.row_offsets)

    @cached_property
    def column_edges(self) -> CellEdges:
        """Where each column begins, and where the last one ends: shape (columns + 1,)."""
        return np.floor(self.exact_columns + 0.5).astype(np.intp)

    @cached_property
    def row_edges(self) -> CellEdges:
        """Where each row begins, and where the last one ends: shape (rows + 1,)."""
        return np.floor(self.exact_rows + 0.5).astype(np.intp)

    @cached_property
    def exact_columns(self) -> ExactEdges:
        """The column edges before they are rounded."""
        if self.column_offsets:
            return self.x + np.array(self.column_offsets)
        return _edges(self.x, self.cell_width, self.columns, self.wide_columns, self.magnification)

    @cached_property
    def exact_rows(self) -> ExactEdges:
        """The row edges before they are rounded."""
        if self.row_offsets:
            return self.y + np.array(self.row_offsets)
        return _edges(self.y, self.cell_height, self.rows, self.wide_rows, self.magnification)

    @property
    def uniform(self) -> bool:
        """Whether all cells cover the same number of pixels."""
        return bool(np.ptp(np.diff(self.column_edges)) == 0 and np.ptp(np.diff(self.row_edges)) == 0)

    @property
    def pixel_aligned(self) -> bool:
        """Whether every edge of a cell lies between two pixels, not inside one."""
        return all(float(one).is_integer() for one in (self.x, self.y, self.cell_width, self.cell_height))

    @property
    def rect(self) -> Rect:
        """The pixels that the cells cover."""
        x, y = int(self.column_edges[0]), int(self.row_edges[0])
        return Rect(x, y, int(self.column_edges[-1]) - x, int(self.row_edges[-1]) - y)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, as numpy orders them."""
        return self.rows, self.columns

    @property
    def pitch(self) -> tuple[float, float]:
        """The mean width and height of the cells."""
        return (
            self.cell_width + self.wide_columns * self.magnification / self.columns,
            self.cell_height + self.wide_rows * self.magnification / self.rows,
        )

    def cell_rect(self, row: int, column: int) -> Rect:
        """The pixels of one cell; the cell may lie outside the grid, on the same lattice."""
        left, right = round_half_up(self._left(column)), round_half_up(self._left(column + 1))
        top, bottom = round_half_up(self._top(row)), round_half_up(self._top(row + 1))
        return Rect(left, top, right - left, bottom - top)

    def center(self, cell: Coordinate) -> Point:
        """The pixel in the middle of one cell."""
        row, column = cell
        x, y = self._left(column) + self._left(column + 1), self._top(row) + self._top(row + 1)
        return Point(floor(x / 2), floor(y / 2))

    def _left(self, column: int) -> float:
        if self.column_offsets:
            return self.x + _offset(self.column_offsets, column, self.cell_width)
        return self.x + column * self.cell_width + min(max(column, 0), self.wide_columns) * self.magnification

    def _top(self, row: int) -> float:
        if self.row_offsets:
            return self.y + _offset(self.row_offsets, row, self.cell_height)
        return self.y + row * self.cell_height + min(max(row, 0), self.wide_rows) * self.magnification

    def moved(self, dx: float, dy: float) -> Grid:
        """The same grid, shifted by pixels."""
        return replace(self, x=self.x + dx, y=self.y + dy)

    def part(self, cells: Rect) -> Grid:
        """Some columns and rows of it, counted from its first; they may lie outside, on the same lattice.

        Those before the first are wide if the first is.
        """
        return replace(
            self,
            x=self._left(cells.x) + min(cells.x, 0) * self.magnification * bool(self.wide_columns),
            y=self._top(cells.y) + min(cells.y, 0) * self.magnification * bool(self.wide_rows),
            columns=cells.width,
            rows=cells.height,
            wide_columns=_wide_of(self.wide_columns, cells.x, cells.width),
            wide_rows=_wide_of(self.wide_rows, cells.y, cells.height),
            column_offsets=_offsets_of(self.column_offsets, cells.x, cells.width, self.cell_width),
            row_offsets=_offsets_of(self.row_offsets, cells.y, cells.height, self.cell_height),
        )

    def lines(self, rows: slice, columns: slice) -> Grid:
        """The part of some rows and columns."""
        return self.part(
            Rect(columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start)
        )

    def in_sight(self, image: Image, part: float = 0.5) -> tuple[slice, slice]:
        """The rows and the columns of which at least a part, 0 to 1, lies in a picture (height, width, 3)."""
        rows, columns = (
            np.flatnonzero(np.diff(np.clip(edges, 0, length)) >= part * np.diff(edges))
            for edges, length in (
                (self.exact_rows, image.shape[0]),
                (self.exact_columns, image.shape[1]),
            )
        )
        return _range(rows), _range(columns)

    def same_cells(self, other: Grid) -> bool:
        """Whether the cells of both have one size: over the whole board, the edges agree to half a pixel."""
        if self.shape == other.shape and (self.column_offsets or other.column_offsets):
            return all(
                float(np.abs(one - one[0] - there + there[0]).max()) <= 1
                for one, there in (
                    (self.exact_columns, other.exact_columns),
                    (self.exact_rows, other.exact_rows),
                )
            )
        longest = max(self.columns, self.rows)
        return all(abs(a - b) * longest <= 0.5 for a, b in zip(self.pitch, other.pitch, strict=True))


def _range(indices: npt.NDArray[np.intp]) -> slice:
    """Indices without a gap, as a slice."""
    return slice(int(indices[0]), int(indices[-1]) + 1) if len(indices) else slice(0, 0)


def _wide_of(wide: int, first: int, count: int) -> int:
    """How many of some lines are wide, where so many of all are: the first of all and those before them."""
    return min(max(wide - first, 0), count) if wide else 0


def _offset(offsets: tuple[float, ...], line: int, pitch: float) -> float:
    """How far from the first line of some with widths of their own a line lies; those beyond are a pitch
    apart."""
    known = min(max(line, 0), len(offsets) - 1)
    return offsets[known] + (line - known) * pitch


def _offsets_of(offsets: tuple[float, ...], first: int, count: int, pitch: float) -> tuple[float, ...]:
    """The offsets of a part of lines with widths of their own, from its first one; none where they are
    equal."""
    if not offsets:
        return ()
    begin = _offset(offsets, first, pitch)
    return tuple(_offset(offsets, line, pitch) - begin for line in range(first, first + count + 1))


def _edges(start: float, pitch: float, count: int, wide: int, unit: float) -> ExactEdges:
    indices = np.arange(count + 1)
    edges: ExactEdges = start + pitch * indices + np.minimum(indices, wide) * unit
    return edges
