"""Reads boards of skins that no theme knows: finds their grids, sorts their looks, weighs their meanings.

A grid that cannot be a board is none: too much of it unread, numbers that do not fit, nothing that was
ever covered, or plain squares that could as well be a chess board, a table or squared paper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bot.board import UNOPENED, Board, Cell, Codes
from bot.vision.general.backgrounds import NEAR, Background
from bot.vision.general.clusters import BoardClusters, cluster_cells
from bot.vision.general.labelling import MOST_POINTED, Labelling, label_clusters
from bot.vision.general.partial_cells import read_partial_cells
from bot.vision.general.patches import patches_of
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import CLEARLY_VISIBLE, FoundGrid, grid_batches, without_dithering

MOST_UNREAD, MOST_BROKEN = 0.05, 0.02
"""The part of the cells of a board that may be unread; the rules broken, as a part of its cells."""

MOST_BROKEN_CLEAR = 0.06
"""The same where everything else is as it should be, and there are flags."""

MANY_NUMBERS, MANY_THAT_FIT = 10, 20
"""Among so many numbers of a game there is a 1; a table of words may look like many a 2. The same where all
of them fit what lies around them, opened cells without a number too."""

MOST_COST = 0.5
"""What the likeliest meaning of all drawings may cost, for each cell; the pictures of real boards that are
hardest to read come to 0.33, sudokus taken for boards to 0.65 and more."""

MOST_TRIMMED = 3
"""So many times a grid is looked at, an outer line of cells less each time."""

SMALLEST = 5
"""Boards of fewer columns or rows are not read without a theme."""

SMALLEST_PLAIN = 8
"""Nor are smaller ones where nothing is drawn on any cell."""

PAPER = 236
"""Plain cells lighter than this with no relief are squared paper, or a table."""


@dataclass(frozen=True)
class GeneralReading:
    """A board that was read without a theme."""

    found: FoundGrid
    board: Board
    meaning: Labelling
    looks: BoardClusters

    @property
    def worth(self) -> float:
        """How surely and how largely it is there, to choose among several."""
        rect = self.found.grid.rect
        return rect.width * rect.height * self.found.score / (1 + self.meaning.cost / 20)


def read_any_boards(image: Image) -> list[GeneralReading]:
    """Every board in a picture (height, width, 3) that can be read without a theme, the best first."""
    calm = without_dithering(image)
    looked_at: set[Grid] = set()
    for grids in grid_batches(image):
        new = [found for found in grids if found.grid not in looked_at]
        looked_at.update(found.grid for found in new)
        boards = [board for found in new if (board := _read(calm, found)) is not None]
        if boards:
            return sorted(boards, key=lambda one: -one.worth)
    return []


def _read(calm: Image, found: FoundGrid) -> GeneralReading | None:
    """What a grid shows; None where it is no board."""
    for _ in range(MOST_TRIMMED):
        if min(found.grid.columns, found.grid.rows) < SMALLEST:
            return None
        patches = patches_of(calm, found.grid)
        looks = cluster_cells(patches)
        meaning = label_clusters(looks)
        trimmed = _trimmed(found, meaning.codes)
        if trimmed is None:
            if why_no_board(found, looks, meaning) is not None:
                return None
            codes = read_partial_cells(meaning.codes, patches, found.grid, calm.shape[:2])
            return GeneralReading(found, Board(codes), meaning, looks)
        found = trimmed
    return None


def _trimmed(found: FoundGrid, codes: Codes) -> FoundGrid | None:
    """The grid without an outer line of cells that is mostly unread, as text is; None where there is none."""
    blind = codes == Cell.UNREAD
    if blind.mean() > 3 * MOST_UNREAD:
        return None
    grid = found.grid
    lines = {"left": blind[:, 0], "right": blind[:, -1], "top": blind[0], "bottom": blind[-1]}
    side = max(lines, key=lambda name: float(lines[name].mean()))
    if lines[side].mean() < 0.5:
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


def why_no_board(found: FoundGrid, looks: BoardClusters, meaning: Labelling) -> str | None:
    """Why a grid is no board, in a few words; None where it can be one."""
    codes = meaning.codes
    if (codes == Cell.UNREAD).mean() > MOST_UNREAD:
        return "too many cells cannot be read"
    if meaning.cost > MOST_COST * codes.size:
        return "what is drawn on it is too unlike what boards have"
    # A wrong flag of the player's breaks the rules for the numbers around it.
    clear = (
        found.visible_share >= CLEARLY_VISIBLE
        and not (codes == Cell.UNREAD).any()
        and (codes == Cell.FLAG).any()
    )
    if meaning.broken > max(1, (MOST_BROKEN_CLEAR if clear else MOST_BROKEN) * codes.size):
        return "the numbers do not fit"
    numbers = codes[(codes >= 1) & (codes <= 8)]
    fitting = meaning.broken == 0 and (codes == Cell.EMPTY).any()
    if len(numbers) >= (MANY_THAT_FIT if fitting else MANY_NUMBERS) and not (numbers == 1).any():
        return "many numbers and no 1"
    if not (codes >= Cell.COVERED).any():
        return "nothing on it is covered or mined"
    if not len(numbers):
        return _why_not_untouched(found, looks, codes)
    return None


def _why_not_untouched(found: FoundGrid, looks: BoardClusters, codes: Codes) -> str | None:
    """The same for a grid without a number on it: all of it has to be covered."""
    if min(looks.columns, looks.rows) < SMALLEST_PLAIN:
        return "too small to be a board that is untouched"
    known = codes[codes != Cell.UNREAD]
    if codes.size - len(known) > MOST_POINTED or np.isin(known, UNOPENED).mean() < 0.98:
        return "opened cells without any number"
    main = looks.grounds[0]
    kinds = [main] if found.grid.uniform else [one for one in looks.grounds if _rounded_alike(one, main)]
    if sum(len(one.cells) for one in kinds) < 0.9 * codes.size:
        return "cells of several kinds, and no number"
    if not main.checkered and np.abs(main.relief).max() < 10 and main.colour.min() > PAPER:
        return "plain squares"
    return None


def _rounded_alike(one: Background, other: Background) -> bool:
    """Whether two kinds of plain cells could be one: where edges of cells lie inside pixels, their outlines
    come out stronger on some cells than on others."""
    same_colour = np.abs(one.colour - other.colour).max() <= NEAR
    return bool(one is other or (same_colour and float(one.relief @ other.relief) > 0))
