"""What the networks say of the cells of a grid, and how far the board reaches on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.geometry import Rect
from bot.process.one_thread import in_one_thread
from bot.vision.general.cell_windows import (
    CellLooks,
    Floats,
    Key,
    Looks,
    Thumbnails,
    Windows,
    cell_looks,
    thumbnails_of,
)
from bot.vision.general.closer_look import looked_closer
from bot.vision.general.network import NOT_A_CELL, Networks, joined, networks
from bot.vision.general.same_looks import joined_looks, middles_of, rims_of
from bot.vision.grid import Grid, Image

Doubles = npt.NDArray[np.float64]
Value = TypeVar("Value", bound=np.generic)
Places = npt.NDArray[np.bool_]
"""Which cells: shape (rows, columns)."""

MAX_KEPT = 4096
"""Number of looks of which is kept, from one grid to the next, what is known."""

MANY_LOOKS = 150
"""Fewer looks take a network less than a tenth of a second; of a scaled board there are up to 500."""

LEARNED_PART = 0.75
"""Of cells that a picture shows less of, in height or in width, the network has learned nothing: `MAX_CUT` of
training/reader/learning/examples.py."""


MIXED, FEW_MIXED = 0.9, 3
"""How likely a cell is that is surely covered, or empty; and how many of each make a mixed look.

Of 2,520 left-out boards (seeds 97 to 137, true grids) 4 have looks of which some cells are covered and others
empty. One was read with 51 wrong cells by its looks as they were joined, and three were none."""


@dataclass(frozen=True)
class CellScores:
    """What the networks say of every cell of a grid."""

    opinions: Floats
    """The logarithms of the probabilities of the labels, as each network has them: (networks, rows, columns,
    LABELS)."""
    looks: Looks
    """Which look each cell has, numbered from 0: (rows, columns). Cells of one look have the same pixels but
    for noise."""
    features: Floats
    """What the cell networks say of each look, (looks, features): what looks alike has like features."""
    thumbnails: Thumbnails
    """Each look in few pixels."""

    @cached_property
    def scores(self) -> Floats:
        """The logarithms of the probabilities of the labels, as the networks together have them: (rows,
        columns, LABELS)."""
        return joined(self.opinions)

    @cached_property
    def distances(self) -> Doubles:
        """How far from each other looks are, see `distances_between`: (looks, looks)."""
        return distances_between(self.features)

    @cached_property
    def is_cell(self) -> Doubles:
        """How likely each is a cell of a board: (rows, columns), 0 to 1.

        At the edge of a board the networks are less sure. So cells of one look that are not empty are at
        least as likely as all of them are in the mean; an empty one may be the window beside the board.
        """
        chances = np.exp(self.scores.astype(np.float64))
        means = means_of_looks(chances, self.looks)
        of_looks = 1 - means[:, NOT_A_CELL]
        of_looks[means[:, :NOT_A_CELL].argmax(axis=1) == Cell.EMPTY] = 0
        return np.asarray(np.maximum(1 - chances[..., NOT_A_CELL], of_looks[self.looks]), np.float64)

    def are_mixed(self) -> Places:
        """Which cells, (rows, columns), have a look of which some cells are surely covered and others surely
        empty."""
        chances = np.exp(self.scores[..., [Cell.COVERED, Cell.EMPTY]])
        is_mixed = np.ones(int(self.looks.max()) + 1, np.bool_)
        for is_sure in np.moveaxis(chances > MIXED, 2, 0):
            is_mixed &= np.bincount(self.looks[is_sure], minlength=len(is_mixed)) >= FEW_MIXED
        return np.asarray(is_mixed[self.looks], np.bool_)


def means_of_looks(values: Floats | Doubles, looks: Looks) -> Doubles:
    """The mean of what the cells of each look have, (looks, values), from (rows, columns, values) and the
    look of each cell, (rows, columns), numbered from 0."""
    counts = np.bincount(looks.ravel())
    sums = np.zeros((len(counts), values.shape[2]))
    np.add.at(sums, looks.ravel(), values.reshape(-1, values.shape[2]))
    return np.asarray(sums / np.maximum(counts, 1)[:, None], np.float64)


def distances_between(features: Floats) -> Doubles:
    """How far from each other the features of looks are, from (looks, features) to (looks, looks), as parts
    of their length (the root of the mean of its square)."""
    squares = np.square(features).sum(axis=1)
    distances = np.maximum(squares[:, None] + squares - 2 * features @ features.T, 0)
    return np.sqrt(np.asarray(distances / max(float(squares.mean()), 1e-9), np.float64))


class CellReader:
    """Reads the cells of grids; a look that it has seen at a place costs nothing the next time."""

    def __init__(self, judges: Networks | None = None) -> None:
        """`judges`: the networks that judge the cells; None for those that ship."""
        self._judges = networks() if judges is None else judges
        self._features: dict[Key, Floats] = {}
        """The features of the looks, by their keys."""
        self._windows: dict[Key, Windows] = {}
        """The windows of the looks, by the same."""

    @in_one_thread
    def read(self, image: Image, grid: Grid, *, is_board: bool = False) -> CellScores:
        """What a picture (height, width, 3) shows on each cell of a grid; it may reach beyond its edges.

        Where the grid `is_board`, all of it cells of one, small drawings are looked at closer, and looks that
        are the same but for noise are one; but not those that are told to be covered here and empty there, as
        on faint boards. Elsewhere they are if there are more than `MANY_LOOKS`.
        """
        cells = self._looks(image, grid) if is_board else cell_looks(image, grid)
        is_joined = is_board or len(cells.keys) > MANY_LOOKS
        told = self._read_joined(cells, np.full(grid.shape, is_joined), is_board=is_board)
        if is_board and (is_mixed := told.are_mixed()).any():
            return self._read_joined(cells, ~is_mixed, is_board=True)
        return told

    def _looks(self, image: Image, grid: Grid) -> CellLooks:
        """The looks of a board."""
        cells = cell_looks(image, grid)
        return looked_closer(cells, _kept(self._windows, cells, range(len(cells.keys)), cells.windows))

    def _read_joined(self, cells: CellLooks, where: Places, *, is_board: bool) -> CellScores:
        """The same with looks joined in some places, (rows, columns)."""
        rims = None if is_board else partial(self._values, cells, rims_of)
        left, looks = [*range(len(cells.keys))], cells.looks
        if where.any():
            left, looks = joined_looks(looks, where, partial(self._values, cells, middles_of), rims)
        features, thumbnails = self._features_of(cells, left), self._values(cells, thumbnails_of, left)
        return CellScores(self._judges.opinions(features, looks), looks, features, thumbnails)

    @in_one_thread
    def read_anew(self, image: Image, grid: Grid, told: CellScores, places: Places) -> CellScores:
        """What was told of the cells of a board, with some `places`, (rows, columns), read on another grid of
        its shape."""
        cells = self._looks(image, grid)
        own, numbers = np.unique(cells.looks[places], return_inverse=True)
        looks = told.looks.copy()
        looks[places] = len(told.features) + numbers
        kept, looks = np.unique(looks, return_inverse=True)
        features = np.concatenate([told.features, self._features_of(cells, own.tolist())])[kept]
        thumbnails = np.concatenate([told.thumbnails, self._values(cells, thumbnails_of, own.tolist())])[kept]
        looks = looks.reshape(told.looks.shape)
        return CellScores(self._judges.opinions(features, looks), looks, features, thumbnails)

    def _features_of(self, cells: CellLooks, looks: Sequence[int]) -> Floats:
        """The features of some looks: (looks, features)."""
        return _kept(self._features, cells, looks, partial(self._values, cells, self._judges.features))

    def _values(
        self, cells: CellLooks, values_of: Callable[[Windows], npt.NDArray[Value]], looks: Sequence[int]
    ) -> npt.NDArray[Value]:
        """What some looks have, by their windows: (looks, …)."""
        return values_of(_kept(self._windows, cells, looks, cells.windows))


def _kept(
    known: dict[Key, npt.NDArray[Value]],
    cells: CellLooks,
    looks: Sequence[int],
    values_of: Callable[[list[int]], npt.NDArray[Value]],
) -> npt.NDArray[Value]:
    """What is `known` of some looks, by their keys, (looks, …); what is not is found out, and kept."""
    new = [look for look in looks if cells.keys[look] not in known]
    if len(known) + len(new) > MAX_KEPT:
        known.clear()
        new = list(looks)
    if new:
        for look, values in zip(new, values_of(new), strict=True):
            known[cells.keys[look]] = values
    return np.stack([known[cells.keys[look]] for look in looks])


def extended(grid: Grid, cells: int) -> Grid:
    """A grid with more cells on each side, on the same lattice."""
    return grid.part(Rect(-cells, -cells, grid.columns + 2 * cells, grid.rows + 2 * cells))


def without_cut_cells(codes: Codes, grid: Grid, image: Image) -> Codes:
    """The cells of a grid, (rows, columns), without those that a picture (height, width, 3) hardly shows."""
    rows, columns = grid.in_sight(image, LEARNED_PART)
    kept: Codes = np.full_like(codes, Cell.UNREAD)
    kept[rows, columns] = codes[rows, columns]
    return kept
