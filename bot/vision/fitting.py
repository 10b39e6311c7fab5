"""Lays a grid that is known to a pixel or two exactly over the cells of a theme."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bot.vision.grid import Grid, Image
from bot.vision.reader import Reader
from bot.vision.theme import Theme

FITTED = (1.0, 0.5, 0.25)
"""The steps, in pixels, by which such a grid is moved and stretched."""

WORST = 60.0
"""Cells that differ more from every glyph of a theme say nothing about the place of the grid."""


def fitted(image: Image, theme: Theme, grid: Grid) -> Grid:
    """The grid moved and stretched by a little so that its cells look most like the theme's."""

    def misfit(one: Grid) -> float:
        return float(np.minimum(Reader(theme, one).read(image).distances, WORST).mean())

    best, least = grid, misfit(grid)
    if least >= 0.75 * WORST:
        return grid
    for step in FITTED:
        improved = True
        while improved:
            improved = False
            for one in _near(best, step):
                found = misfit(one)
                if found < least - 1e-3:
                    best, least, improved = one, found, True
    return best


def _near(grid: Grid, step: float) -> Iterator[Grid]:
    """A grid moved by so many pixels to each side, and stretched by as many about its ends and its middle."""
    for sign in (-step, step):
        yield grid.moved(sign, 0)
        yield grid.moved(0, sign)
        more = sign / grid.columns
        for end in (0.0, 0.5, 1.0):
            yield replace(
                grid,
                x=grid.x - end * sign,
                y=grid.y - end * more * grid.rows,
                cell_width=grid.cell_width + more,
                cell_height=grid.cell_height + more,
            )
