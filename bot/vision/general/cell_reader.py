"""What the networks say of the cells of a grid, and how far the board reaches on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.vision.general.cell_windows import CellLooks, Floats, Looks, cell_looks
from bot.vision.general.network import NOT_A_CELL, joined, networks
from bot.vision.grid import Grid, Image

Doubles = npt.NDArray[np.float64]
Places = npt.NDArray[np.bool_]
"""Which cells: shape (rows, columns)."""

MAX_KEPT = 4096
"""Number of looks whose features are kept from one picture to the next."""

LEARNED_PART = 0.75
"""Of cells that a picture shows less of, in height or in width, the network has learned nothing: `MAX_CUT` of
training/reader/learning/examples.py."""


@dataclass(frozen=True)
class CellScores:
    """What the networks say of every cell of a grid."""

    opinions: Floats
    """The logarithms of the probabilities of the labels, as each network has them: (networks, rows, columns,
    LABELS)."""
    looks: Looks
    """Which look each cell has, numbered from 0: (rows, columns). Cells of one look have equal pixels."""
    features: Floats
    """What the cell networks say of each look, (looks, features): what looks alike has like features."""

    @cached_property
    def scores(self) -> Floats:
        """The logarithms of the probabilities of the labels, as the networks together have them: (rows,
        columns, LABELS)."""
        return joined(self.opinions)

    @cached_property
    def distances(self) -> Doubles:
        """How far from each other looks are, see `distances_between`: (looks, looks)."""
        return distances_between(self.features)

    @property
    def is_cell(self) -> Floats:
        """How likely each is a cell of a board: (rows, columns), 0 to 1."""
        return np.asarray(1 - np.exp(self.scores[..., NOT_A_CELL]), np.float32)

    def part(self, rows: slice, columns: slice) -> CellScores:
        """Those of some rows and columns, whose looks are numbered anew."""
        kept, looks = np.unique(self.looks[rows, columns], return_inverse=True)
        opinions = self.opinions[:, rows, columns]
        return CellScores(opinions, looks.reshape(opinions.shape[1:3]), self.features[kept])


def distances_between(features: Floats) -> Doubles:
    """How far from each other the features of looks are, from (looks, features) to (looks, looks), as parts
    of their length (the root of the mean of its square)."""
    squares = np.square(features).sum(axis=1)
    distances = np.maximum(squares[:, None] + squares - 2 * features @ features.T, 0)
    return np.sqrt(np.asarray(distances / max(float(squares.mean()), 1e-9), np.float64))


class CellReader:
    """Reads the cells of grids; looks that it has seen cost nothing the next time."""

    def __init__(self) -> None:
        self._features: dict[int, Floats] = {}
        """The features of the looks by the hash of their pixels."""

    def read(self, image: Image, grid: Grid) -> CellScores:
        """What a picture (height, width, 3) shows on each cell of a grid; it may reach beyond its edges."""
        cells = cell_looks(image, grid)
        features = self._known(cells, range(len(cells.keys)))
        return CellScores(networks().opinions(features, cells.looks), cells.looks, features)

    def read_anew(self, image: Image, grid: Grid, told: CellScores, places: Places) -> CellScores:
        """What was told of the cells of a board, with some `places`, (rows, columns), read on another grid of
        its shape."""
        cells = cell_looks(image, grid)
        own, numbers = np.unique(cells.looks[places], return_inverse=True)
        looks = told.looks.copy()
        looks[places] = len(told.features) + numbers
        kept, looks = np.unique(looks, return_inverse=True)
        features = np.concatenate([told.features, self._known(cells, own.tolist())])[kept]
        looks = looks.reshape(told.looks.shape)
        return CellScores(networks().opinions(features, looks), looks, features)

    def _known(self, cells: CellLooks, looks: Sequence[int]) -> Floats:
        """The features of some looks: (looks, features)."""
        new = [look for look in looks if cells.keys[look] not in self._features]
        if len(self._features) + len(new) > MAX_KEPT:
            self._features.clear()
            new = list(looks)
        if new:
            for look, features in zip(new, networks().features(cells.windows(new)), strict=True):
                self._features[cells.keys[look]] = features
        return np.stack([self._features[cells.keys[look]] for look in looks])


def extended(grid: Grid, cells: int) -> Grid:
    """A grid with more cells on each side; where the first columns or rows are wide, so are those before."""
    more_width, more_height = (
        grid.magnification * bool(wide) for wide in (grid.wide_columns, grid.wide_rows)
    )
    return replace(
        grid,
        x=grid.x - cells * (grid.cell_width + more_width),
        y=grid.y - cells * (grid.cell_height + more_height),
        columns=grid.columns + 2 * cells,
        rows=grid.rows + 2 * cells,
        wide_columns=grid.wide_columns + cells * bool(grid.wide_columns),
        wide_rows=grid.wide_rows + cells * bool(grid.wide_rows),
    )


def without_cut_cells(codes: Codes, grid: Grid, image: Image) -> Codes:
    """The cells of a grid, (rows, columns), without those that a picture (height, width, 3) hardly shows."""
    rows, columns = grid.in_sight(image, LEARNED_PART)
    kept: Codes = np.full_like(codes, Cell.UNREAD)
    kept[rows, columns] = codes[rows, columns]
    return kept
