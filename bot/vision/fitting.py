"""Lays a grid that is known to a pixel or two exactly over the cells of a theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import cycle

import numpy as np
import numpy.typing as npt

from bot.vision.grid import Grid, Image
from bot.vision.sampling import Cells, Sampling, inside, spread
from bot.vision.theme import Theme

FITTED = (0.5, 0.125)
"""The steps, in pixels, by which such a grid is moved and stretched."""

LOOKED_AT = 7
"""So many rows and columns of cells, spread over the grid, are compared with the glyphs."""

NEAREST = 3
"""Of so many glyphs, the nearest to each of those cells, one stays the nearest when the grid is moved."""

CLEARLY_WORSE = 1.5
"""A theme whose cells are so many times as far from the picture's as those of another is not that of them."""

WHOLE = 1.02
"""So many times the least misfit that of a grid of whole pixels may be."""

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


FINE_ENOUGH = 12
"""Cells of so many pixels in width and height tell where the grid lies to a tenth of one of the picture's."""


class _Look:
    """Some cells of a grid, spread over it, beside the glyphs of a theme."""

    def __init__(self, image: Image, theme: Theme, grid: Grid) -> None:
        self._image = image
        self.theme = theme
        self.grid = grid
        self._cut = theme.cut_for(grid.cell_width)
        self._only = spread(grid.rows, LOOKED_AT), spread(grid.columns, LOOKED_AT)
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
            for one in self._in_proportion(best):
                found = self.misfit(one)
                if found < least:
                    best, least = one, found
            in_vain = 0
            for move in cycle(MOVES):
                one, found = self._moved(best, least, move, step)
                # After a move that helped all others may help again, and it itself does not.
                in_vain = in_vain + 1 if one is best else 1
                best, least = one, found
                if in_vain == len(MOVES):
                    break
        # Most windows have whole pixels: where those fit about as well, they are meant.
        whole = _to_whole_pixels(best)
        if whole is not None and (found := self.misfit(whole)) <= WHOLE * least:
            return whole, found
        return best, least

    def _moved(self, grid: Grid, misfit: float, move: Move, step: float) -> tuple[Grid, float]:
        """The grid moved one way or the other by as many steps as make it fit better, and its misfit."""
        for sign in (-step, step):
            best, least = grid, misfit
            while (found := self.misfit(one := move(best, sign))) < least - 1e-3:
                best, least = one, found
            if best is not grid:
                return best, least
        return grid, misfit

    def _in_proportion(self, grid: Grid) -> Iterator[Grid]:
        """The grid with cells of the theme's proportions, as high or as wide as they were found, about the
        same middle: one direction may have told its pitch worse than the other."""
        upright = self._cut.cell[1] / self._cut.cell[0]
        for width in (grid.cell_width, grid.cell_height / upright):
            height = width * upright
            yield replace(
                grid,
                x=grid.x + (grid.cell_width - width) * grid.columns / 2,
                y=grid.y + (grid.cell_height - height) * grid.rows / 2,
                cell_width=width,
                cell_height=height,
            )

    def misfit(self, grid: Grid) -> float:
        """How far the cells of a grid about there are from their nearest glyphs on average, in colour (0 to
        255), `WORST` at most for each."""
        return _mean(self._apart(grid))

    def _apart(self, grid: Grid) -> npt.NDArray[np.float32]:
        """How far each cell is from each chosen glyph: (cells, glyphs)."""
        inset = self.theme.spec.inset
        # Cells that are taken from whole pixels jump from one place to the next.
        sampling = Sampling(grid, self._cut.cell, snapped=False, only=self._only, most=FINE_ENOUGH)
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


def _to_whole_pixels(grid: Grid) -> Grid | None:
    """The grid with every edge of a cell between two pixels; None where no such one is near."""
    lengths = grid.x, grid.y, grid.cell_width, grid.cell_height
    x, y, width, height = (float(round(length)) for length in lengths)
    whole = replace(grid, x=x, y=y, cell_width=width, cell_height=height)
    return whole if whole.same_cells(grid) else None


Move = Callable[[Grid, float], Grid]
"""Gives a grid moved or stretched by a number of pixels."""


def _wider(end: float) -> Move:
    """Makes a grid so many pixels wider, about its first column (0) or its last one (1)."""
    return lambda grid, by: replace(grid, x=grid.x - end * by, cell_width=grid.cell_width + by / grid.columns)


def _higher(end: float) -> Move:
    """Makes a grid so many pixels higher, about its first row (0) or its last one (1)."""
    return lambda grid, by: replace(grid, y=grid.y - end * by, cell_height=grid.cell_height + by / grid.rows)


MOVES: tuple[Move, ...] = (
    lambda grid, by: grid.moved(by, 0),
    lambda grid, by: grid.moved(0, by),
    _wider(0.0),
    _wider(1.0),
    _higher(0.0),
    _higher(1.0),
)
