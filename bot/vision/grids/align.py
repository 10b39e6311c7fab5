"""Lays a grid that is known to a pixel or two exactly over the cells of a skin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from bot.vision.cells.distance import CellBytes, distances
from bot.vision.cells.sampling import Chosen, Sampling, inside, rim, spread
from bot.vision.grid import Grid, Image
from bot.vision.themes.skin import Skin

MOST_STEPS, IN_VAIN = 10, 2
"""So often at most such a grid is moved and stretched, and so often in turn without a better fit."""

LOOKED_AT = 7
"""So many rows and columns of cells, spread over the grid, are compared with the glyphs."""

NEAREST = 3
"""Of so many glyphs, the nearest to each of those cells, one stays the nearest when the grid is moved."""

COARSE_STEPS, COARSE = 3, 6
"""So often it is done first with cells of so many pixels in width and height."""

LEAST_FINE, FINE_ENOUGH = 10, 12
"""Cells of so many pixels in width and height tell where the grid lies to a tenth of one of the picture's: at
least, where they are so large, and at most."""

STEP = 0.125
"""Pixels by which it is moved and stretched at last, to see whether it fits better."""

SETTLED = 0.04
"""A grid whose corners move by fewer pixels lies where it fits."""

CLEARLY_WORSE = 1.5
"""A skin whose cells are so many times as far from the picture's as those of another is not that of them."""

WHOLE = 1.02
"""So many times the least misfit that of a grid of whole pixels may be."""

WORST = 60.0
"""Cells that differ more from every glyph of a skin say nothing about the place of the grid."""


def aligned(
    image: Image, skins: Sequence[Skin], grid: Grid, is_right: Callable[[Skin, Grid], bool]
) -> Iterator[tuple[Skin, Grid]]:
    """The skins that may be that of a grid, the likeliest first, each with the grid moved and stretched by
    a little so that its cells look most like the skin's; as it is where it `is_right` already."""
    looks = sorted((_Look(image, skin, grid) for skin in skins), key=lambda one: one.first)
    least = WORST
    fitted: list[tuple[float, Skin, Grid]] = []
    for look in looks:
        misfit = look.first if grid is look.grid else look.beside(grid).misfit
        # Where the cells of one skin fit, those of another are not to be had nearer by moving the grid.
        if misfit > CLEARLY_WORSE * least:
            continue
        found = grid
        if not is_right(look.skin, grid):
            found, misfit = look.fitted(grid)
        fitted.append((misfit, look.skin, found))
        if misfit < least:
            grid, least = found, misfit
    # The likeliest one where the grid was found may not be that where it lies.
    for misfit, skin, found in sorted(fitted, key=lambda one: one[0]):
        if misfit <= CLEARLY_WORSE * least:
            yield skin, found


class _Look:
    """Some cells of a grid, spread over it, beside the glyphs of a skin."""

    def __init__(self, image: Image, skin: Skin, grid: Grid) -> None:
        self._image = image
        self.skin = skin
        self.grid = grid
        self._cut = skin.glyph_set_for(grid.cell_width)
        self._only = spread(grid.rows, LOOKED_AT), spread(grid.columns, LOOKED_AT)
        self._chosen = np.arange(len(self._cut.codes))
        """The glyphs that are compared: those that some cell is among the nearest to."""
        self._glyphs: dict[tuple[int, ...], CellBytes] = {}
        beside = self.beside(grid)
        self.first = beside.misfit
        """The misfit of the grid as it was found."""
        # What is nearest once is so a little beside as well.
        self._chosen = np.unique(np.argsort(beside.distances, axis=1)[:, :NEAREST])
        self._glyphs = {key: looks[self._chosen] for key, looks in self._glyphs.items()}

    def fitted(self, grid: Grid) -> tuple[Grid, float]:
        """The grid that fits best, and its misfit."""
        best = self.beside(grid)
        if best.misfit >= 0.75 * WORST:
            return grid, best.misfit
        # A grid that is off by the width of a line does not see its own lines but in a coarse picture.
        for _ in range(COARSE_STEPS):
            grid = self.beside(grid, COARSE).nudged()
        best = here = min(best, self.beside(grid), key=lambda one: one.misfit)
        in_vain = 0
        for _ in range(MOST_STEPS):
            before, here = here, self.beside(here.nudged())
            in_vain = 0 if here.misfit < best.misfit else in_vain + 1
            best = min(best, here, key=lambda one: one.misfit)
            if in_vain == IN_VAIN or _apart(before.grid, here.grid) < SETTLED:
                break
        # Squares of differences are not what is to be small: a bevel leads them a little astray.
        for move in MOVES:
            best = self._moved(best, move)
        # Most windows have whole pixels: where those fit about as well, they are meant.
        whole = _to_whole_pixels(best.grid)
        if whole is not None and (found := self.beside(whole).misfit) <= WHOLE * best.misfit:
            return whole, found
        return best.grid, best.misfit

    def _moved(self, best: _Beside, move: Move) -> _Beside:
        """The grid moved one way or the other by as many small steps as make it fit better."""
        for step in (-STEP, STEP):
            first = best
            while (here := self.beside(move(best.grid, step))).misfit < best.misfit:
                best = here
            if best is not first:
                break
        return best

    def beside(self, grid: Grid, most: int = FINE_ENOUGH) -> _Beside:
        """The cells of a grid about there, each beside the glyph that is nearest to it, at so many pixels in
        width and height at most."""
        inset = self.skin.inset
        # Cells that are taken from whole pixels jump from one place to the next.
        cell, least = self._cut.cell, LEAST_FINE
        sampling = Sampling(grid, cell, snapped=False, only=self._only, least=least, most=most)
        if sampling.key not in self._glyphs:
            pictures = [sampling.glyph(self._cut.glyphs[one]).reshape(1, 1, -1) for one in self._chosen]
            self._glyphs[sampling.key] = inside(np.concatenate(pictures), sampling.size, inset)[:, 0]
        cells = inside(sampling.cells(self._image), sampling.size, inset)
        return _Beside(
            grid,
            self._only,
            sampling.size,
            inset,
            cells.reshape(-1, cells.shape[2]),
            self._glyphs[sampling.key],
        )


class _Beside:
    """Cells that were taken from a picture by a grid, and the glyphs that they are compared with."""

    def __init__(
        self,
        grid: Grid,
        only: tuple[Chosen, Chosen],
        size: tuple[int, int],
        inset: float,
        cells: CellBytes,
        glyphs: CellBytes,
    ) -> None:
        """`only`: the rows and the columns that the cells are of; `size` (width, height) and `inset` as
        `inside` has them; the looks of the cells and of the glyphs, without their rims."""
        self.grid = grid
        self._only = only
        self._size = size
        self._rim = rim(size, inset)
        self._cells = cells
        self._glyphs = glyphs
        self.distances = distances(cells, glyphs)
        """How far each cell is from each glyph: (cells, glyphs)."""
        self.misfit = float(np.minimum(self.distances.min(axis=1), WORST).mean())
        """How far the cells are from their nearest glyphs on average, in colour (0 to 255), `WORST` at most
        for each."""

    def nudged(self) -> Grid:
        """The grid moved and stretched so that its cells look more like their glyphs.

        Where a cell is a little off, each pixel differs from that of its glyph by its slope times the way
        (Lucas and Kanade 1981); the way is a constant and a part of the place in the grid, in both
        directions: four numbers, for which all pixels are asked.
        """
        (width, height), (left, top) = self._size, self._rim
        shape = len(self._cells), height - 2 * top, width - 2 * left, 3
        cells = self._cells.reshape(shape).astype(np.float32)
        glyphs = self._glyphs[self.distances.argmin(axis=1)].reshape(shape).astype(np.float32)
        like = self.distances.min(axis=1) < WORST
        middle = (cells + glyphs) / 2
        across = (middle[:, 1:-1, 2:] - middle[:, 1:-1, :-2]) * (width / 2)
        down = (middle[:, 2:, 1:-1] - middle[:, :-2, 1:-1]) * (height / 2)
        apart = (glyphs - cells)[:, 1:-1, 1:-1] * like[:, None, None, None]
        rows, columns = np.meshgrid(*self._only, indexing="ij")
        x = (left + np.arange(1, shape[2] - 1) + 0.5) / width + columns.reshape(-1, 1, 1, 1)
        y = (top + np.arange(1, shape[1] - 1) + 0.5) / height + rows.reshape(-1, 1, 1, 1)
        slopes = np.stack(
            [
                (slope * like[:, None, None, None]).ravel()
                for slope in (
                    across,
                    across * x.transpose(0, 1, 3, 2).astype(np.float32),
                    down,
                    down * y.transpose(0, 3, 1, 2).astype(np.float32),
                )
            ]
        )
        squares = (slopes @ slopes.T).astype(np.float64)
        # Where nothing is drawn in one direction it stays as it is.
        squares += np.diag(1e-6 * squares.max() + np.full(4, 1e-3))
        move_x, wider, move_y, higher = np.linalg.solve(squares, slopes @ apart.ravel()).tolist()
        grid = self.grid
        return replace(
            grid,
            x=grid.x + move_x * grid.cell_width,
            y=grid.y + move_y * grid.cell_height,
            cell_width=grid.cell_width * (1 + wider),
            cell_height=grid.cell_height * (1 + higher),
        )


Move = Callable[[Grid, float], Grid]
"""Gives a grid moved or stretched by a number of pixels."""

MOVES: tuple[Move, ...] = (
    lambda grid, by: grid.moved(by, 0),
    lambda grid, by: grid.moved(0, by),
    lambda grid, by: replace(grid, cell_width=grid.cell_width + by / grid.columns),
    lambda grid, by: replace(grid, cell_height=grid.cell_height + by / grid.rows),
)


def _apart(one: Grid, other: Grid) -> float:
    """How far the corners of two grids of the same cells are from each other, in pixels."""
    left, top = other.x - one.x, other.y - one.y
    right = left + one.columns * (other.cell_width - one.cell_width)
    bottom = top + one.rows * (other.cell_height - one.cell_height)
    return max(abs(left), abs(top), abs(right), abs(bottom))


def _to_whole_pixels(grid: Grid) -> Grid | None:
    """The grid with every edge of a cell between two pixels; None where no such one is near."""
    lengths = grid.x, grid.y, grid.cell_width, grid.cell_height
    x, y, width, height = (float(round(length)) for length in lengths)
    whole = replace(grid, x=x, y=y, cell_width=width, cell_height=height)
    return whole if whole.same_cells(grid) else None
