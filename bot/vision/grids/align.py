"""Fits a grid that is known to a pixel or two exactly to the cells of a skin.

Method: image alignment by Lucas and Kanade ("An iterative image registration technique", 1981), first on a
coarse picture of the cells, then on a finer one, and at last small steps that lower the misfit itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.vision.cells.distance import CellBytes, distances
from bot.vision.cells.sampling import Indices, Sampling, evenly_spaced, rim_widths, without_rims
from bot.vision.grid import Grid, Image
from bot.vision.themes.skin import Skin

MAX_COMPARED_SIDE = 7
"""Maximum number of rows and of columns, spread over the grid, whose cells are compared with the glyphs."""

NEAREST_GLYPHS = 3
"""Number of glyphs nearest to each cell that are compared again: one of them stays the nearest."""

COARSE_STEPS, COARSE_SIDE = 3, 6
"""Number of coarse steps, and the width and height in pixels of the cells that they compare."""

MIN_FINE_SIDE, MAX_FINE_SIDE = 10, 12
"""Range of the width and height, in pixels, of the cells that fine steps compare: enough to place the grid to
a tenth of a pixel of the picture."""

MAX_FINE_STEPS, MAX_VAIN_STEPS = 10, 2
"""Maximum number of fine steps, and of those in succession without a better fit."""

MAX_STILL = 0.04
"""Fine steps stop once the corners of the grid move by less than this, in pixels."""

MAX_STRETCH = 1.25
"""Maximum factor by which the cells of a grid may grow or shrink: where hardly anything is drawn, steps could
shrink them to nothing."""

LAST_STEP = 0.125
"""Pixels by which the grid is moved and stretched at last."""

MAX_MISFIT, MAX_FITTED_MISFIT = 60.0, 45.0
"""A cell that differs more from every glyph (mean colour difference, 0 to 255) does not count, and a grid of
at least this misfit is not fitted."""

MAX_MISFIT_RATIO, MAX_WHOLE_RATIO = 1.5, 1.02
"""Maximum misfit of a skin that may be the grid's, and of a grid on whole pixels that is preferred, as
multiples of the least one."""


def align(
    image: Image, skins: Sequence[Skin], grid: Grid, is_right: Callable[[Skin, Grid], bool]
) -> Iterator[tuple[Skin, Grid]]:
    """The skins that a grid in a picture (height, width, 3) may have, the likeliest first, and their grids.

    The grid is moved and stretched a little so that its cells resemble the glyphs of the skin most, unless it
    `is_right` for the skin already.
    """
    alignments = sorted((_Alignment(image, skin, grid) for skin in skins), key=lambda one: one.first_misfit)
    least = MAX_MISFIT
    fitted: list[tuple[float, Skin, Grid]] = []
    for one in alignments:
        misfit = one.first_misfit if grid is one.grid else one.compare(grid).misfit
        # Where the cells of one skin fit, moving the grid does not bring those of another nearer.
        if misfit > MAX_MISFIT_RATIO * least:
            continue
        found, misfit = (grid, misfit) if is_right(one.skin, grid) else one.fitted(grid)
        fitted.append((misfit, one.skin, found))
        if misfit < least:
            grid, least = found, misfit
    # The likeliest skin on the given grid need not be the likeliest on the fitted one.
    for misfit, skin, found in sorted(fitted, key=lambda one: one[0]):
        if misfit <= MAX_MISFIT_RATIO * least:
            yield skin, found


class _Alignment:
    """Compares some cells, spread over a grid, with the glyphs of a skin."""

    def __init__(self, image: Image, skin: Skin, grid: Grid) -> None:
        self._image, self.skin, self.grid = image, skin, grid
        self._glyph_set = skin.glyph_set_for(grid.cell_width)
        rows, columns = (evenly_spaced(count, MAX_COMPARED_SIDE) for count in grid.shape)
        self._only = rows, columns
        self._chosen = np.arange(len(self._glyph_set.codes))
        """The indices of the glyphs that are compared."""
        self._glyphs: dict[tuple[int, ...], CellBytes] = {}
        """These glyphs by the key of their sampling."""
        comparison = self.compare(grid)
        self.first_misfit = comparison.misfit
        """The misfit of the given grid."""
        self._chosen = np.unique(np.argsort(comparison.distances, axis=1)[:, :NEAREST_GLYPHS])
        self._glyphs = {key: glyphs[self._chosen] for key, glyphs in self._glyphs.items()}

    def fitted(self, grid: Grid) -> tuple[Grid, float]:
        """The grid of least misfit near the given one, and its misfit."""
        best = self.compare(grid)
        if best.misfit >= MAX_FITTED_MISFIT:
            return grid, best.misfit
        # A grid that is off by the width of a line overlaps its own lines only in a coarse picture.
        for _ in range(COARSE_STEPS):
            grid = self._step(self.compare(grid, COARSE_SIDE))
        best = here = min(best, self.compare(grid), key=lambda one: one.misfit)
        vain = 0
        for _ in range(MAX_FINE_STEPS):
            before, here = here, self.compare(self._step(here))
            vain = 0 if here.misfit < best.misfit else vain + 1
            best = min(best, here, key=lambda one: one.misfit)
            if vain == MAX_VAIN_STEPS or _corner_distance(before.grid, here.grid) < MAX_STILL:
                break
        # These steps minimise squared differences, which a bevel biases a little; the misfit is linear.
        for move in MOVES:
            unmoved = best
            for step in (-LAST_STEP, LAST_STEP):
                while (here := self.compare(move(best.grid, step))).misfit < best.misfit:
                    best = here
                if best is not unmoved:
                    break
        # Most windows have whole pixels.
        whole = _to_whole_pixels(best.grid)
        if whole is not None and (misfit := self.compare(whole).misfit) <= MAX_WHOLE_RATIO * best.misfit:
            return whole, misfit
        return best.grid, best.misfit

    def _step(self, comparison: _Comparison) -> Grid:
        """The grid after a step; the same grid if the step leads too far from the grid that was given."""
        grid = comparison.stepped()
        factors = grid.cell_width / self.grid.cell_width, grid.cell_height / self.grid.cell_height
        near = all(1 / MAX_STRETCH <= factor <= MAX_STRETCH for factor in factors)
        return grid if near else comparison.grid

    def compare(self, grid: Grid, max_side: int = MAX_FINE_SIDE) -> _Comparison:
        """The cells of a grid, brought to at most `max_side` pixels in width and height, and the glyphs."""
        glyph_set, inset = self._glyph_set, self.skin.inset
        # Cells of fractional places: those of whole pixels would jump from one place to the next.
        sampling = Sampling(
            grid, glyph_set.cell, snapped=False, only=self._only, min_side=MIN_FINE_SIDE, max_side=max_side
        )
        size, key = sampling.size, sampling.key
        if key not in self._glyphs:
            pictures = [sampling.glyph(glyph_set.glyphs[one]).reshape(1, 1, -1) for one in self._chosen]
            self._glyphs[key] = without_rims(np.concatenate(pictures), size, inset)[:, 0]
        cells = without_rims(sampling.cells(self._image), size, inset).reshape(-1, self._glyphs[key].shape[1])
        return _Comparison(grid, self._only, size, rim_widths(size, inset), cells, self._glyphs[key])


@dataclass(frozen=True)
class _Comparison:
    """Cells that were sampled from a picture by a grid, and the glyphs that they are compared with."""

    grid: Grid
    only: tuple[Indices, Indices]
    """The rows and the columns of the cells."""
    size: tuple[int, int]
    """Width and height of a cell, in sampled pixels."""
    margin: tuple[int, int]
    """What is missing from cells and glyphs at the left and right, and at the top and bottom."""
    cells: CellBytes
    glyphs: CellBytes

    @cached_property
    def distances(self) -> npt.NDArray[Any]:
        """The mean colour differences, 0 to 255: shape (cells, glyphs)."""
        return distances(self.cells, self.glyphs)

    @cached_property
    def misfit(self) -> float:
        """The mean distance of the cells from their nearest glyphs, each at most `MAX_MISFIT`."""
        return float(np.minimum(self.distances.min(axis=1), MAX_MISFIT).mean())

    def stepped(self) -> Grid:
        """The grid moved and stretched so that its cells resemble their glyphs more: a Lucas-Kanade step.

        If a cell is a little off, each of its pixels differs from the glyph's by the gradient times the
        offset. The offset is a linear function of the place in the grid, in each direction: four numbers,
        solved by least squares over all pixels.
        """
        (width, height), (left, top) = self.size, self.margin
        shape = len(self.cells), height - 2 * top, width - 2 * left, 3
        cells = self.cells.reshape(shape).astype(np.float32)
        glyphs = self.glyphs[self.distances.argmin(axis=1)].reshape(shape).astype(np.float32)
        used = (self.distances.min(axis=1) < MAX_MISFIT)[:, None, None, None]
        mean = (cells + glyphs) / 2
        x_gradient = (mean[:, 1:-1, 2:] - mean[:, 1:-1, :-2]) * (width / 2)
        y_gradient = (mean[:, 2:, 1:-1] - mean[:, :-2, 1:-1]) * (height / 2)
        differences = (glyphs - cells)[:, 1:-1, 1:-1] * used
        rows, columns = np.meshgrid(*self.only, indexing="ij")
        x = (left + np.arange(1, shape[2] - 1) + 0.5) / width + columns.reshape(-1, 1, 1, 1)
        y = (top + np.arange(1, shape[1] - 1) + 0.5) / height + rows.reshape(-1, 1, 1, 1)
        x_stretching = x_gradient * x.transpose(0, 1, 3, 2).astype(np.float32)
        y_stretching = y_gradient * y.transpose(0, 3, 1, 2).astype(np.float32)
        terms = x_gradient, x_stretching, y_gradient, y_stretching
        design = np.stack([(term * used).ravel() for term in terms])
        normal = (design @ design.T).astype(np.float64)
        # Regularised: a direction in which nothing is drawn stays as it is.
        normal += np.diag(1e-6 * normal.max() + np.full(4, 1e-3))
        solution = np.linalg.solve(normal, design @ differences.ravel())
        x_shift, x_stretch, y_shift, y_stretch = solution.tolist()
        grid = self.grid
        return replace(
            grid,
            x=grid.x + x_shift * grid.cell_width,
            y=grid.y + y_shift * grid.cell_height,
            cell_width=grid.cell_width * (1 + x_stretch),
            cell_height=grid.cell_height * (1 + y_stretch),
        )


MOVES: tuple[Callable[[Grid, float], Grid], ...] = (
    lambda grid, by: grid.moved(by, 0),
    lambda grid, by: grid.moved(0, by),
    lambda grid, by: replace(grid, cell_width=grid.cell_width + by / grid.columns),
    lambda grid, by: replace(grid, cell_height=grid.cell_height + by / grid.rows),
)
"""What moves or stretches a grid by a number of pixels."""


def _corner_distance(one: Grid, other: Grid) -> float:
    """The largest distance between the corners of two grids of the same cells, in pixels along an axis."""
    left, top = other.x - one.x, other.y - one.y
    right = left + one.columns * (other.cell_width - one.cell_width)
    bottom = top + one.rows * (other.cell_height - one.cell_height)
    return max(abs(left), abs(top), abs(right), abs(bottom))


def _to_whole_pixels(grid: Grid) -> Grid | None:
    """The grid with every edge of a cell between two pixels; None if none is near."""
    lengths = grid.x, grid.y, grid.cell_width, grid.cell_height
    x, y, width, height = (float(round(length)) for length in lengths)
    whole = replace(grid, x=x, y=y, cell_width=width, cell_height=height)
    return whole if whole.same_cells(grid) else None
