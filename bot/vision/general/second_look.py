"""Looks again at a board that was not read for sure, where a network is surest of the cells of its grid.

A grid is known to a pixel or two, and what the networks say of a strange drawing may hang on these. The place
is chosen by one network and read by all, and what is read there beside it, too. So is the place of a grid on
which there seems to be no board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.geometry import Rect
from bot.vision.general.cell_reader import CellReader, CellScores
from bot.vision.general.labelling import LONE, Labelling, label_cells
from bot.vision.general.network import NOT_A_CELL, networks
from bot.vision.general.odds.broken_rules import broken_count
from bot.vision.general.odds.position_odds import position_cost
from bot.vision.grid import Grid, Image

FIRST_STEP, LEAST_STEP = 1 / 16, 0.75
"""By how much a grid is moved at first, as a part of the width or height of its cells, and by how much at
least, in pixels."""

BETTER = 0.95
"""A place is better where the labels cost less than this part."""

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""To the right, left, down and up."""

MAX_PLACES = 16
"""In at most about so many places a board is looked at."""

THIRDS, SAMPLED, MAX_STARTS, MAX_SOUGHT = (0.0, 1 / 3, -1 / 3), 6, 2, 40
"""By which parts of a cell a grid that is none of a board is moved at first; how many columns and rows in its
middle are looked at, from how many of these places on, and at most about how many more places from each."""

SAME = 0.1
"""Two places that are less than this part of a cell apart are one."""

FEW, MAX_COST_OF_FEW = 4, 4.5
"""A grid is first asked for so many columns and rows in its middle; it is none of cells if the likeliest
labels of these cost more for each cell at the best of the nine first places.

Of 419 grids that cost too much by `SAMPLED` some 390 do by these few, and those of boards (seeds 173 to 199)
cost 2 at most.
"""

MAX_COST_AT_FIRST, MAX_COST_OF_CELLS = 3.0, 0.7
"""The most that the labels of the `SAMPLED` ones may cost for each cell at the best of these places, and at
the best one of all, where a grid could be one of cells."""

SURE = 0.003
"""A board of which every cell is read is not looked at again if its labels cost at most this for each cell.

Of 450 left-out boards that are read exactly 33 % cost more, and of 20 that are read falsely 17 do.
"""

ALIKE, BESIDE = 2, 1 / 24
"""In how many of the four places beside the surest one a cell that was unread must be read as there, and in
none otherwise; and how far off these are, as a part of the width or height of cells, if that is over a pixel.
What a mouse pointer covers may be read as a flag, but hardly in all places."""

NOT_BELIEVED = (Cell.COVERED, Cell.MINE, Cell.EXPLODED)
"""What a cell that was unread is not taken for: the networks take strange flags, mines and opened cells for
these in every place alike."""


def look_again(reader: CellReader, image: Image, grid: Grid, first: Labelling) -> Labelling:
    """What was read of the cells of a grid in a picture (height, width, 3), and what a look at a surer place
    adds.

    What more is read is believed together, or not at all where a game would hardly come to it; a mark that no
    other cell has is not (`LONE`). What is read otherwise there is unread.
    """
    codes = first.codes
    unread = codes == Cell.UNREAD
    if first.cost <= SURE and not unread.any():
        return first
    place = surest_place(image, grid)
    told = reader.read(image, place, is_board=True)
    seen = label_cells(told).codes
    if (seen == Cell.UNREAD).sum() > unread.sum():
        return first
    new = unread & ~np.isin(seen, (*NOT_BELIEVED, Cell.UNREAD))
    more: Codes = np.where(_read_beside(reader, image, place, told, seen, new), seen, codes)
    lone = [one for one in LONE if (more == one).sum() == 1]
    more[unread & np.isin(more, lone)] = int(Cell.UNREAD)
    if position_cost(more) > position_cost(codes):
        more = codes.copy()
    more[~unread & (seen != codes) & (seen != Cell.UNREAD)] = int(Cell.UNREAD)
    unclear = min(first.unclear, int((more == Cell.UNREAD).sum()))
    return replace(first, codes=more, violations=broken_count(more), unclear=unclear)


def _read_beside(
    reader: CellReader,
    image: Image,
    place: Grid,
    told: CellScores,
    seen: Codes,
    new: npt.NDArray[np.bool_],
) -> npt.NDArray[np.bool_]:
    """Which of some `new` cells, (rows, columns), are read as they were `seen` in places beside one, too, by
    what was `told` of all cells there (`ALIKE`)."""
    if not new.any():
        return new
    off = max(1.0, BESIDE * min(place.pitch))
    places = places_beside(place, off, off)
    read = [label_cells(reader.read_anew(image, one, told, new)).codes for one in places]
    alike = np.sum([codes == seen for codes in read], axis=0) >= ALIKE
    is_otherwise = np.any([(codes != seen) & (codes != Cell.UNREAD) for codes in read], axis=0)
    return np.asarray(new & alike & ~is_otherwise, np.bool_)


def surest_place(image: Image, grid: Grid) -> Grid:
    """A grid in a picture (height, width, 3), moved by a part of a cell to where one network is surest of its
    labels, in steps that become smaller."""
    place = _Place(image, grid, is_board=True)
    place.refine(max(1.0, FIRST_STEP * min(grid.pitch)), MAX_PLACES)
    return grid.moved(*place.best)


def places_of_cells(image: Image, grid: Grid) -> Iterator[Grid]:
    """A grid in a picture (height, width, 3), moved by about half a cell at most to where one network is
    surest of the labels of those in its middle, and to another place where it is; none where it is of none,
    as a few of them tell first."""
    width, height = grid.pitch
    thirds = [(right * width, down * height) for right, down in product(THIRDS, THIRDS)]
    few = _Place(image, middle_of(grid, FEW), is_board=False)
    if min(map(few.cost, thirds)) > MAX_COST_OF_FEW:
        return
    place = _Place(image, middle_of(grid), is_board=False)
    around = sorted(thirds, key=place.cost)
    found: list[tuple[float, float]] = []
    for start in around[:MAX_STARTS]:
        if place.cost(start) > MAX_COST_AT_FIRST:
            return
        place.best = start
        place.refine(min(grid.pitch) / 6, MAX_SOUGHT)
        x, y = place.best
        is_new = not any(
            abs(x - right) < SAME * width and abs(y - down) < SAME * height for right, down in found
        )
        if is_new and place.cost(place.best) <= MAX_COST_OF_CELLS:
            found.append(place.best)
            yield grid.moved(x, y)


def middle_of(grid: Grid, most: int = SAMPLED) -> Grid:
    """The cells in the middle of a grid, at most so many columns and rows of them."""
    columns, rows = min(most, grid.columns), min(most, grid.rows)
    return grid.part(Rect((grid.columns - columns) // 2, (grid.rows - rows) // 2, columns, rows))


def places_beside(grid: Grid, across: float, below: float) -> list[Grid]:
    """A grid moved by some pixels across, to the right and to the left, and by others down and up."""
    return [grid.moved(right * across, down * below) for right, down in SIDES]


class _Place:
    """Where, in a picture, one network is surest of the labels of a grid."""

    def __init__(self, image: Image, grid: Grid, *, is_board: bool) -> None:
        self._image, self._grid, self._is_board = image, grid, is_board
        self._reader = CellReader(networks().last())
        self._costs: dict[tuple[float, float], float] = {}
        self.best = 0.0, 0.0
        """By how much the grid is moved there, to the right and down, in pixels."""

    def cost(self, place: tuple[float, float]) -> float:
        """How unsure the network is of the labels of the grid moved to a place, for each cell."""
        if place not in self._costs:
            scores = self._reader.read(self._image, self._grid.moved(*place), is_board=self._is_board).scores
            self._costs[place] = float(-scores[..., :NOT_A_CELL].max(axis=2).mean())
        return self._costs[place]

    def refine(self, step: float, most: int) -> None:
        """Go from the best place, by steps of some pixels that become smaller, to better ones, until about so
        many more have been looked at."""
        most += len(self._costs)
        while step >= LEAST_STEP and len(self._costs) < most:
            x, y = self.best
            beside = [(x + right * step, y + down * step) for right, down in SIDES]
            nearest = min(beside, key=self.cost)
            if self.cost(nearest) < BETTER * self.cost(self.best):
                self.best = nearest
            else:
                step /= 2
