"""Grids beside one that was found: what repeats may be half a cell or two of them. Where a grid is no board,
one of these may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.vision.grid import Grid
from bot.vision.grids.lattices.periodicity import MIN_PITCH

FACTORS = (
    (2.0, 1.0),
    (1.0, 2.0),
    (0.5, 0.5),
    (0.5, 1.0),
    (1.0, 0.5),
    (2.0, 2.0),
    (2.0, 0.5),
    (0.5, 2.0),
)
"""How much wider and higher the cells of a related grid are."""

SAME_PITCH, SAME_LINES = 0.03, 0.2
"""Grids have the same lines if their pitches differ by at most this part, and their lines by at most this
part of a cell."""

ONE_MIDDLE = 3
"""How many cells the middles of two grids are apart at most that have one middle."""

MIN_SIDE = 5
"""Minimum number of columns and of rows of a related grid."""


def related_grids(grid: Grid) -> Iterator[Grid]:
    """The grids whose cells are twice or half as large as those of a grid, in one direction or in both, and
    that begin with it; none has cells that are too small to be found. Only grids whose cells are all equal
    have any."""
    if not grid.has_equal_cells:
        return
    for across, down in FACTORS:
        other = replace(
            grid,
            cell_width=across * grid.cell_width,
            cell_height=down * grid.cell_height,
            columns=int(grid.columns / across),
            rows=int(grid.rows / down),
        )
        if min(other.shape) >= MIN_SIDE and min(other.pitch) >= MIN_PITCH:
            yield other


def has_lines_of(grid: Grid, other: Grid) -> bool:
    """Whether a grid has the lines of another one, which may begin or end elsewhere."""
    apart = (grid.x - other.x) / other.pitch[0], (grid.y - other.y) / other.pitch[1]
    return are_as_large(grid, other) and all(abs(one - round(one)) <= SAME_LINES for one in apart)


def have_one_middle(grid: Grid, other: Grid) -> bool:
    """Whether two grids have cells of one size, and their middles lie within a few of them: what is near the
    one is near the other."""
    apart = (
        (grid.x - other.x + (grid.columns - other.columns) * grid.cell_width / 2) / grid.cell_width,
        (grid.y - other.y + (grid.rows - other.rows) * grid.cell_height / 2) / grid.cell_height,
    )
    return are_as_large(grid, other) and all(abs(one) <= ONE_MIDDLE for one in apart)


def are_as_large(grid: Grid, other: Grid) -> bool:
    """Whether the cells of two grids have one size."""
    return all(abs(one / same - 1) <= SAME_PITCH for one, same in zip(grid.pitch, other.pitch, strict=True))
