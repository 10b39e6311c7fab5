"""Lays a grid that is known to a pixel or two exactly over the cells of a theme."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from bot.vision.grid import Grid, Image
from bot.vision.sampling import Cells, Chosen, Sampling, inside
from bot.vision.theme import Theme

FITTED = (1.0, 0.5, 0.25, 0.125)
"""The steps, in pixels, by which such a grid is moved and stretched."""

LOOKED_AT = 7
"""So many rows and columns of cells, spread over the grid, are compared with the glyphs."""

CLEARLY_WORSE = 1.5
"""A theme whose cells are so many times as far from the picture's as those of another is not that of them."""

WORST = 60.0
"""Cells that differ more from every glyph of a theme say nothing about the place of the grid."""


def fittings(image: Image, themes: Sequence[Theme], grid: Grid) -> Iterator[tuple[Theme, Grid]]:
    """The themes that may be that of a grid, the likeliest first, each with the grid moved and stretched by
    a little so that its cells look most like the theme's."""
    looks = sorted((_Look(image, theme, grid) for theme in themes), key=lambda one: one.misfit(grid))
    least = WORST
    for look in looks:
        # Where the cells of one theme fit, those of another are not to be had nearer by moving the grid.
        if look.misfit(grid) > CLEARLY_WORSE * least:
            continue
        found, misfit = look.fitted(grid)
        yield look.theme, found
        if misfit < least:
            grid, least = found, misfit


class _Look:
    """Some cells of a grid, spread over it, beside the glyphs of a theme."""

    def __init__(self, image: Image, theme: Theme, grid: Grid) -> None:
        self._image = image
        self.theme = theme
        self._cut = theme.cut_for(grid.cell_width)
        self._only = _spread(grid.rows), _spread(grid.columns)
        self._glyphs: dict[tuple[int, int, int, int], Cells] = {}

    def fitted(self, grid: Grid) -> tuple[Grid, float]:
        """The grid that fits best, and its misfit."""
        best, least = grid, self.misfit(grid)
        if least >= 0.75 * WORST:
            return best, least
        for step in FITTED:
            improved = True
            while improved:
                improved = False
                for one in _near(best, step):
                    found = self.misfit(one)
                    if found < least - 1e-3:
                        best, least, improved = one, found, True
        return best, least

    def misfit(self, grid: Grid) -> float:
        """How far the cells of a grid about there are from their nearest glyphs on average, in colour (0 to
        255), `WORST` at most for each."""
        ways = (True,) if grid.even else (True, False)
        return min(self._misfit(Sampling(grid, self._cut.cell, snapped=way, only=self._only)) for way in ways)

    def _misfit(self, sampling: Sampling) -> float:
        inset = self.theme.spec.inset
        if sampling.key not in self._glyphs:
            pictures = [sampling.glyph(glyph).reshape(1, 1, -1) for glyph in self._cut.glyphs]
            self._glyphs[sampling.key] = inside(np.concatenate(pictures), sampling.size, inset)[:, 0]
        glyphs = self._glyphs[sampling.key]
        cells = inside(sampling.cells(self._image), sampling.size, inset)
        cells = cells.reshape(-1, 1, cells.shape[2])
        # Unsigned bytes and no sign: the larger less the smaller.
        apart = (np.maximum(cells, glyphs) - np.minimum(cells, glyphs)).mean(axis=2, dtype=np.float32)
        return float(np.minimum(apart.min(axis=1), WORST).mean())


def _spread(count: int) -> Chosen:
    """Of so many rows or columns, up to `LOOKED_AT` from the first to the last."""
    return np.unique(np.round(np.linspace(0, count - 1, LOOKED_AT)).astype(np.intp))


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
