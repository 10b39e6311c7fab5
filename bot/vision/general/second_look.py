"""Looks again at a board that was not read for sure, where a network is surest of the cells of its grid.

A grid is known to a pixel or two, and what the networks say of a strange drawing may hang on these. The place
is chosen by one network and read by all, and what is read there beside it, too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
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
    places = [place.moved(right * off, down * off) for right, down in SIDES]
    read = [label_cells(reader.read_anew(image, one, told, new)).codes for one in places]
    alike = np.sum([codes == seen for codes in read], axis=0) >= ALIKE
    is_otherwise = np.any([(codes != seen) & (codes != Cell.UNREAD) for codes in read], axis=0)
    return np.asarray(new & alike & ~is_otherwise, np.bool_)


def surest_place(image: Image, grid: Grid) -> Grid:
    """A grid in a picture (height, width, 3), moved by a part of a cell to where one network is surest of its
    labels, in steps that become smaller."""
    reader = CellReader(networks().last())
    costs: dict[tuple[float, float], float] = {}

    def cost(place: tuple[float, float]) -> float:
        if place not in costs:
            scores = reader.read(image, grid.moved(*place), is_board=True).scores
            costs[place] = float(-scores[..., :NOT_A_CELL].max(axis=2).mean())
        return costs[place]

    best = 0.0, 0.0
    step = max(1.0, FIRST_STEP * min(grid.pitch))
    while step >= LEAST_STEP and len(costs) < MAX_PLACES:
        x, y = best
        beside = [(x + right * step, y + down * step) for right, down in SIDES]
        nearest = min(beside, key=cost)
        if cost(nearest) < BETTER * cost(best):
            best = nearest
        else:
            step /= 2
    return grid.moved(*best)
