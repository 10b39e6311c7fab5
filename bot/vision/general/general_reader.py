"""Reads boards of skins that no theme knows: finds their grids, clusters their cells, labels the clusters.

A grid is rejected where it cannot be a board: if too much of it is unread, if its numbers do not fit, if
nothing was ever covered, or if it is plain squares that could as well be a chess board, a table or squared
paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.board import UNOPENED, Board, Cell, Codes
from bot.vision.general.background_labels import MAX_POINTER_CELLS
from bot.vision.general.backgrounds import COLOUR_TOLERANCE, Background
from bot.vision.general.clusters import BoardClusters, cluster_cells
from bot.vision.general.labelling import Labelling, label_clusters
from bot.vision.general.partial_cells import read_partial_cells
from bot.vision.general.patches import cut_patches
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import CLEARLY_VISIBLE, FoundGrid, grid_batches, without_dithering

MAX_UNREAD = 0.05
"""Maximum part of the cells of a board that may be unread."""

MAX_VIOLATIONS, MAX_CLEAR_VIOLATIONS = 0.02, 0.06
"""Maximum number of violations of the rules, as a part of the cells of a board; and the same with flags, a
clearly visible grid and no unread cell: a player's wrong flags break the rules for the numbers around."""

MANY_NUMBERS, MANY_FITTING_NUMBERS = 10, 20
"""Minimum number of numbers among which there must be a 1, for a table of words may look like many a 2; and
the same where all numbers fit the cells around them and there are opened cells without a number."""

MAX_COST = 0.5
"""Maximum cost of a labelling for each cell. The real boards that are hardest to read come to 0.33, sudokus
taken for boards (training/reader/no_boards) to 0.65 and more."""

MAX_TRIMS, MIN_TRIMMED_UNREAD, MAX_TRIMMABLE_UNREAD = 3, 0.5, 3 * MAX_UNREAD
"""Maximum number of times that a grid is read, each time without one more outer row or column of which at
least the second part is unread, as text is; grids with more unread cells than the third are not trimmed."""

MIN_SIDE, MIN_UNTOUCHED_SIDE = 5, 8
"""Minimum number of columns and of rows of a board, and of one without numbers."""

MIN_UNTOUCHED_UNOPENED, MIN_UNTOUCHED_ALIKE = 0.98, 0.9
"""The least part of the cells that are read on a board without numbers that must not be opened, and the least
part of all its cells that must have one background."""

PAPER_COLOUR, PAPER_RELIEF = 236, 10
"""Plain cells are squared paper or a table if they are lighter than the first (0 to 255, in every channel)
and their relief is less than the second."""

COST_SCALE = 20
"""A board whose labelling costs this much ranks half as high as one that costs nothing."""


@dataclass(frozen=True)
class GeneralReading:
    """A board that was read without a theme."""

    found: FoundGrid
    board: Board
    cost: float
    """How much speaks against the labels of its cells; 0 is the best."""

    @property
    def rank(self) -> float:
        """How certain and how large the board is, to choose among several: pixels times a factor up to 1."""
        rect = self.found.grid.rect
        return rect.width * rect.height * self.found.score / (1 + self.cost / COST_SCALE)


def read_any_boards(
    image: Image, batches: Iterable[Sequence[FoundGrid]] | None = None
) -> list[GeneralReading]:
    """Every board in a picture (height, width, 3) that can be read without a theme, the best first.

    `batches` are those of `grid_batches`, if they are known.
    """
    calm = without_dithering(image)
    tried: set[Grid] = set()
    for grids in grid_batches(image) if batches is None else batches:
        new = [found for found in grids if found.grid not in tried]
        tried.update(found.grid for found in new)
        boards = [board for found in new if (board := _read(calm, found)) is not None]
        if boards:
            return sorted(boards, key=lambda board: -board.rank)
    return []


def _read(calm: Image, found: FoundGrid) -> GeneralReading | None:
    """The board on a grid; None where there is none."""
    for _ in range(MAX_TRIMS):
        if min(found.grid.columns, found.grid.rows) < MIN_SIDE:
            return None
        patches = cut_patches(calm, found.grid)
        clusters = cluster_cells(patches)
        labelling = label_clusters(clusters)
        trimmed = _trimmed(found, labelling.codes)
        if trimmed is None:
            if why_no_board(found, clusters, labelling) is not None:
                return None
            codes = read_partial_cells(labelling.codes, patches, found.grid, calm.shape[:2])
            return GeneralReading(found, Board(codes), labelling.cost)
        found = trimmed
    return None


def _trimmed(found: FoundGrid, codes: Codes) -> FoundGrid | None:
    """The grid without the outer row or column that is unread most; None where no such is mostly unread."""
    unread = codes == Cell.UNREAD
    if unread.mean() > MAX_TRIMMABLE_UNREAD:
        return None
    grid = found.grid
    lines = {"left": unread[:, 0], "right": unread[:, -1], "top": unread[0], "bottom": unread[-1]}
    side = max(lines, key=lambda name: float(lines[name].mean()))
    if lines[side].mean() < MIN_TRIMMED_UNREAD:
        return None
    smaller = replace(
        grid,
        x=grid.x + (grid.cell_width if side == "left" else 0),
        y=grid.y + (grid.cell_height if side == "top" else 0),
        columns=grid.columns - (side in ("left", "right")),
        rows=grid.rows - (side in ("top", "bottom")),
    )
    return replace(
        found, grid=smaller, cropped_sides=tuple(one for one in found.cropped_sides if one != side)
    )


def why_no_board(found: FoundGrid, clusters: BoardClusters, labelling: Labelling) -> str | None:
    """Why a grid is no board, in a few words; None where it can be one."""
    codes = labelling.codes
    if not clusters.backgrounds:
        return "no cell is plain"
    unread = codes == Cell.UNREAD
    if unread.mean() > MAX_UNREAD:
        return "too many cells cannot be read"
    if labelling.cost > MAX_COST * codes.size:
        return "what is drawn on it is too unlike what boards have"
    clear = found.visible_share >= CLEARLY_VISIBLE and not unread.any() and (codes == Cell.FLAG).any()
    if labelling.violations > max(1, (MAX_CLEAR_VIOLATIONS if clear else MAX_VIOLATIONS) * codes.size):
        return "the numbers do not fit"
    numbers = codes[(codes >= 1) & (codes <= 8)]
    fitting = labelling.violations == 0 and (codes == Cell.EMPTY).any()
    if len(numbers) >= (MANY_FITTING_NUMBERS if fitting else MANY_NUMBERS) and not (numbers == 1).any():
        return "many numbers and no 1"
    if not (codes >= Cell.COVERED).any():
        return "nothing on it is covered or mined"
    if not len(numbers):
        return _why_not_untouched(found, clusters, codes)
    return None


def _why_not_untouched(found: FoundGrid, clusters: BoardClusters, codes: Codes) -> str | None:
    """The same for a grid without any number: all of it has to be covered."""
    if min(clusters.columns, clusters.rows) < MIN_UNTOUCHED_SIDE:
        return "too small to be a board that is untouched"
    known = codes[codes != Cell.UNREAD]
    unread = codes.size - len(known)
    if unread > MAX_POINTER_CELLS or np.isin(known, UNOPENED).mean() < MIN_UNTOUCHED_UNOPENED:
        return "opened cells without any number"
    largest, *others = clusters.backgrounds
    same = [] if found.grid.uniform else [other for other in others if _is_rounding(other, largest)]
    if sum(len(background.cells) for background in [largest, *same]) < MIN_UNTOUCHED_ALIKE * codes.size:
        return "cells of several kinds, and no number"
    is_paper = np.abs(largest.relief).max() < PAPER_RELIEF and largest.colour.min() > PAPER_COLOUR
    return "plain squares" if is_paper and not largest.checkered else None


def _is_rounding(one: Background, other: Background) -> bool:
    """Whether rounding alone can make two backgrounds differ: where edges of cells lie inside pixels,
    outlines come out stronger on some cells than on others."""
    same_colour = one.colour_difference(other) <= COLOUR_TOLERANCE
    return same_colour and float(one.relief @ other.relief) > 0
