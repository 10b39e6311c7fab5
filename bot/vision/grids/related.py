"""Grids beside one that was found: what repeats may be half a cell or two of them, or begin in the middle of
one. Where a grid is no board, one of these may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.vision.grid import Grid
from bot.vision.grids.lattices.periodicity import MIN_PITCH

FACTORS = (
    (1.0, 1.0),
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

MIN_SIDE = 5
"""Minimum number of columns and of rows of a related grid."""


def related_grids(grid: Grid) -> Iterator[Grid]:
    """The grids whose cells are as large as those of a grid, twice or half as large, in one direction or in
    both, and begin with its lines or half a cell beside them; none has cells that are too small to be found.
    Only grids without wide cells have any."""
    if grid.wide_columns or grid.wide_rows:
        return
    for across, down in FACTORS:
        # Half of a cell that is half as large is a line of the other lattice.
        for right in (0.0, 0.5) if across >= 1 else (0.0,):
            for below in (0.0, 0.5) if down >= 1 else (0.0,):
                width, height = across * grid.cell_width, down * grid.cell_height
                columns, rows = int(grid.columns / across - right), int(grid.rows / down - below)
                other = replace(
                    grid,
                    x=grid.x + right * width,
                    y=grid.y + below * height,
                    cell_width=width,
                    cell_height=height,
                    columns=columns,
                    rows=rows,
                )
                if min(columns, rows) >= MIN_SIDE and min(other.pitch) >= MIN_PITCH and other != grid:
                    yield other


def has_lines_of(grid: Grid, other: Grid) -> bool:
    """Whether a grid has the lines of another one, which may begin or end elsewhere."""
    apart = (grid.x - other.x) / other.pitch[0], (grid.y - other.y) / other.pitch[1]
    is_as_large = all(
        abs(one / same - 1) <= SAME_PITCH for one, same in zip(grid.pitch, other.pitch, strict=True)
    )
    return is_as_large and all(abs(one - round(one)) <= SAME_LINES for one in apart)
