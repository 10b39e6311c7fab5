"""Clusters cells that look alike, with no idea of what they mean.

A cell belongs to the nearest cluster within a limit on the mean colour difference; otherwise it founds a new
one. Where the lines at the edges of cells depend on their neighbours, only the inside is compared (`inset`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Coordinate
from bot.geometry import Rect
from bot.vision.cells.sampling import Sampling, without_rims
from bot.vision.grid import Grid, Image

MAX_DIFFERENCE = 4.0
"""Largest mean colour difference (0 to 255) of two cells that look alike. With a smaller limit one meaning
gets two clusters, which both get its label; with a larger one a cluster would hold two meanings."""

INSET = 0.14
"""The part of a cell's side that is left out where edges differ: more than any line, less than to a digit."""

# The cluster of each cell, and some of the cells: shape (rows, columns).
ClusterMap = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]


class CellClusters:
    """The clusters met so far, numbered from 0 in the order in which they were met."""

    def __init__(self, grid: Grid, inset: float = 0.0) -> None:
        """`inset` is the part of a cell's side that is not compared, at each end."""
        self.grid, self.inset, self.size = grid, inset, cell_size(grid)
        self.exemplars: list[Image] = []
        """The first cell met of each cluster, shape (height, width, 3)."""
        self._sampling = Sampling(grid, self.size)
        self._means: npt.NDArray[np.float32] = np.empty((0, 0), np.float32)
        self._known: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self.exemplars)

    def map_of(self, frame: Image) -> ClusterMap:
        """The cluster of every cell in a picture; cells unlike all others found new clusters."""
        cells = self._cells(frame)
        cluster_map: ClusterMap = np.empty(self.grid.shape, np.int32)
        for row, column in np.ndindex(cluster_map.shape):
            pixels = cells[row, column]
            key = pixels.tobytes()
            cluster = self._known.get(key)
            if cluster is None:
                cluster = self._known[key] = self._cluster_of(pixels, frame, (row, column))
            cluster_map[row, column] = cluster
        return cluster_map

    def changed(self, one: Image, other: Image) -> Mask:
        """Which cells do not look alike in two pictures."""
        first, second = self._cells(one), self._cells(other)
        difference = np.maximum(first, second) - np.minimum(first, second)
        return np.asarray(difference.mean(axis=2, dtype=np.float32) > MAX_DIFFERENCE)

    def _cells(self, frame: Image) -> npt.NDArray[np.uint8]:
        """The compared pixels of every cell, shape (rows, columns, bytes)."""
        return without_rims(self._sampling.cells(frame), self._sampling.size, self.inset)

    def _cluster_of(self, pixels: npt.NDArray[np.uint8], frame: Image, cell: Coordinate) -> int:
        flat = pixels.astype(np.float32)
        if len(self.exemplars):
            differences = np.abs(self._means - flat).mean(axis=1)
            nearest = int(differences.argmin())
            if differences[nearest] <= MAX_DIFFERENCE:
                return nearest
        self._means = np.vstack([self._means.reshape(-1, len(flat)), flat[None]])
        self.exemplars.append(cell_picture(frame, self.grid, cell))
        return len(self.exemplars) - 1


@dataclass
class ClusterRoles:
    """What the clicks have shown of clusters, before anything is known of their meaning."""

    covered: set[int] = field(default_factory=set)
    """On a new board, and reacting to clicks."""
    inert: set[int] = field(default_factory=set)
    """On a new board, but not reacting: opened cells, in windows that start half open."""
    midgame: set[int] = field(default_factory=set)
    """Seen in the middle of a game: between its first and its last click."""
    marks: set[int] = field(default_factory=set)
    """Made by right clicks."""
    lost: set[int] = field(default_factory=set)
    """Shown only by the end of a lost game, as far as known."""

    @property
    def opened(self) -> set[int]:
        """Clusters of opened cells in the middle of a game."""
        return self.midgame - self.covered

    @property
    def before_end(self) -> set[int]:
        """Clusters that need no end of a game to be seen."""
        return self.midgame | self.covered | self.marks

    def is_covered(self, cluster_map: ClusterMap) -> Mask:
        """Which cells look covered."""
        return np.isin(cluster_map, list(self.covered))


def cell_size(grid: Grid) -> tuple[int, int]:
    """Width and height, in pixels, of the largest cell of a grid."""
    return int(np.diff(grid.column_edges).max()), int(np.diff(grid.row_edges).max())


def cell_picture(frame: Image, grid: Grid, cell: Coordinate) -> Image:
    """The pixels of one cell, all cells of a grid at one size: shape (height, width, 3)."""
    picture: Any = cropped(frame, grid.cell_rect(*cell))
    width, height = cell_size(grid)
    if picture.shape[:2] != (height, width):
        picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(picture, np.uint8)


def cropped(frame: Image, rect: Rect) -> Image:
    """The part of a picture in a rectangle, as a picture of its own."""
    return np.ascontiguousarray(frame[rect.y : rect.bottom, rect.x : rect.right])


def cells_in(mask: Mask) -> list[Coordinate]:
    """The cells of a mask, row by row."""
    return [(row, column) for row, column in np.argwhere(mask).tolist()]
