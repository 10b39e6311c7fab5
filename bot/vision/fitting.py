"""Lays a grid that is known to a pixel or two exactly over the cells of a theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bot.vision.grid import Grid, Image
from bot.vision.sampling import Cells, Chosen, Sampling, inside
from bot.vision.theme import Theme

FITTED = (1.0, 0.5, 0.25, 0.125)
"""The steps, in pixels, by which such a grid is moved and stretched."""

LOOKED_AT = 7
"""So many rows and columns of cells, spread over the grid, are compared with the glyphs."""

NEAREST = 3
"""Of so many glyphs, the nearest to each of those cells, one stays the nearest when the grid is moved."""

CLEARLY_WORSE = 1.5
"""A theme whose cells are so many times as far from the picture's as those of another is not that of them."""

WORST = 60.0
"""Cells that differ more from every glyph of a theme say nothing about the place of the grid."""


def fittings(
    image: Image, themes: Sequence[Theme], grid: Grid, is_right: Callable[[Theme, Grid], bool]
) -> Iterator[tuple[Theme, Grid]]:
    """The themes that may be that of a grid, the likeliest first, each with the grid moved and stretched by
    a little so that its cells look most like the theme's; as it is where it `is_right` already."""
    looks = sorted((_Look(image, theme, grid) for theme in themes), key=lambda one: one.first)
    least = WORST
    for look in looks:
        misfit = look.first if grid is look.grid else look.misfit(grid)
        # Where the cells of one theme fit, those of another are not to be had nearer by moving the grid.
        if misfit > CLEARLY_WORSE * least:
            continue
        found = grid
        if not is_right(look.theme, grid):
            found, misfit = look.fitted(grid, misfit)
        yield look.theme, found
        if misfit < least:
            grid, least = found, misfit


class _Look:
    """Some cells of a grid, spread over it, beside the glyphs of a theme."""

    def __init__(self, image: Image, theme: Theme, grid: Grid) -> None:
        self._image = image
        self.theme = theme
        self.grid = grid
        self._cut = theme.cut_for(grid.cell_width)
        self._only = _spread(grid.rows), _spread(grid.columns)
        self._chosen = np.arange(len(self._cut.codes))
        """The glyphs that are compared: those that some cell is among the nearest to."""
        self._glyphs: dict[tuple[int, int, int, int], Cells] = {}
        apart = self._apart(grid)
        self.first = _mean(apart)
        """The misfit of the grid as it was found."""
        # What is nearest once is so a little beside as well.
        self._chosen = np.unique(np.argsort(apart, axis=1)[:, :NEAREST])
        self._glyphs.clear()

    def fitted(self, grid: Grid, misfit: float) -> tuple[Grid, float]:
        """The grid that fits best, and its misfit; that of the grid as it is, is known."""
        best, least = grid, misfit
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
        return _mean(self._apart(grid))

    def _apart(self, grid: Grid) -> npt.NDArray[np.float32]:
        """How far each cell is from each chosen glyph: (cells, glyphs)."""
        inset = self.theme.spec.inset
        # Cells that are taken from whole pixels jump from one place to the next.
        sampling = Sampling(grid, self._cut.cell, snapped=False, only=self._only)
        if sampling.key not in self._glyphs:
            pictures = [sampling.glyph(self._cut.glyphs[one]).reshape(1, 1, -1) for one in self._chosen]
            self._glyphs[sampling.key] = inside(np.concatenate(pictures), sampling.size, inset)[:, 0]
        glyphs = self._glyphs[sampling.key]
        cells = inside(sampling.cells(self._image), sampling.size, inset)
        cells = cells.reshape(-1, 1, cells.shape[2])
        # Unsigned bytes and no sign: the larger less the smaller.
        apart: npt.NDArray[np.float32] = (np.maximum(cells, glyphs) - np.minimum(cells, glyphs)).mean(
            axis=2, dtype=np.float32
        )
        return apart


def _mean(apart: npt.NDArray[np.float32]) -> float:
    return float(np.minimum(apart.min(axis=1), WORST).mean())


def _spread(count: int) -> Chosen:
    """Of so many rows or columns, up to `LOOKED_AT` from the first to the last."""
    return np.unique(np.round(np.linspace(0, count - 1, LOOKED_AT)).astype(np.intp))


def _near(grid: Grid, step: float) -> Iterator[Grid]:
    """A grid moved by so many pixels to each side, and stretched by as many about its ends."""
    for sign in (-step, step):
        yield grid.moved(sign, 0)
        yield grid.moved(0, sign)
        more = sign / grid.columns
        for end in (0.0, 1.0):
            yield replace(
                grid,
                x=grid.x - end * sign,
                y=grid.y - end * more * grid.rows,
                cell_width=grid.cell_width + more,
                cell_height=grid.cell_height + more,
            )
