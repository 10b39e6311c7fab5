"""Whether cells of which nothing is opened are a surface and no board: paper, cloth, tiles, rows of icons.

No number says there that the rest is a board, so only what is drawn can.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.geometry import Rect
from bot.vision.grid import ExactEdges, Grid, Image

PAPER_COLOUR, PAPER_RELIEF = 236, 10
"""Covered cells are squared paper or a table if they are lighter than the first (0 to 255, in every channel),
and their upper left is lighter than their lower right by less than the second: what is covered is raised."""

MAX_PATCHED, PATCH_INSET = 2.5, 0.2
"""Covered cells of a game have one colour, or colours that change evenly over the board: half of them differ
by less than the first (0 to 255) from that. The second is the part of a cell that is left out at each side.
Tiles of a wall (`training.reader.no_boards`) differ by 5."""

ORNAMENT_COLOUR, MAX_ORNAMENT = 30, 0.22
"""Pixels have another hue than their cell that differ from it by more than the first (0 to 255) besides their
brightness. On half of the covered cells of a game at most the second part of the middle has; of 100 drawn
boards of which nothing is opened at most 0.17, on tiles with ornaments at least 0.31."""

INK, SAME_INK, MAX_SECOND_INK = 20, 0.9, 0.03
"""Pixels that differ from the ground of a cell by more than the first (0 to 255) are drawn on it; those of
one ink, smoothed or not, differ from it in one direction, or against it: the cosine is at least the second.
On half of the covered cells of a game at most the third part of the middle is drawn in another ink than most:
of 250 drawn boards of which nothing is opened at most 0.008, on 9 of 11 pictures of patterned tiles at least
0.06."""

MAX_ASSORTED, ASSORTED_SIDE, NEAR = 65, 20, np.ones((3, 3), np.uint8)
"""On half of the covered cells of a game, brought to so many pixels (the second), nothing differs by more
than the first (0 to 255) from all that the other cells have there or a pixel away (the third): of 554 drawn
boards of which nothing is opened by 50 at most, on 17 pictures of faces in rows by 87 at least."""

BOXES, HEAVIER, LINE_REACH = (3, 4), 1.8, 0.08
"""How many cells in each direction a box of a sudoku has; how much heavier the lines around boxes are, at
least, than all others; and how far from its middle a line is looked at, as a part of the pitch. Of 656 drawn
boards of which nothing is opened none has such lines that are over 1.01 times as heavy, and 19 empty sudokus
have them at least 3.2 times as heavy."""


def is_surface(image: Image, grid: Grid) -> bool:
    """Whether a grid in a picture (height, width, 3) of which nothing is opened is one of paper, cloth,
    tiles, icons or boxes and no board."""
    tells = (is_paper, is_patchwork, is_ornamented, is_drawn_in_two_inks, is_assorted, is_boxed)
    return any(tells_surface(image, grid) for tells_surface in tells)


def is_patchwork(image: Image, grid: Grid) -> bool:
    """Whether the cells of a grid in a picture (height, width, 3) have each a colour of its own, as tiles and
    cloth have: for a board of which nothing is opened."""
    cells = _cells_in_sight(image, grid)
    if not cells:
        return False
    rows, columns = np.array([*cells]).T
    colours = np.stack([np.median(_middle(pixels).reshape(-1, 3), axis=0) for pixels in cells.values()])
    y, x, checkered = rows / grid.rows, columns / grid.columns, (rows + columns) % 2
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y, checkered], axis=1)
    fit, *_ = np.linalg.lstsq(terms, colours, rcond=None)
    off = np.abs(colours - terms @ fit).max(axis=1)
    return bool(np.median(off) > MAX_PATCHED)


def is_ornamented(image: Image, grid: Grid) -> bool:
    """Whether on the cells of a grid in a picture (height, width, 3) something is drawn in other colours than
    theirs, as on tiles: for a board of which nothing is opened. What is drawn lighter or darker, as dots and
    hatching, does not count."""
    shares = [_coloured_part(_middle(pixels)) for pixels in _cells_in_sight(image, grid).values()]
    return bool(shares) and float(np.median(shares)) > MAX_ORNAMENT


def is_drawn_in_two_inks(image: Image, grid: Grid) -> bool:
    """Whether what is drawn on the cells of a grid in a picture (height, width, 3) has two colours, as lines
    and rings on patterned tiles: for a board of which nothing is opened."""
    shares = [_second_ink(_middle(pixels)) for pixels in _cells_in_sight(image, grid).values()]
    return bool(shares) and float(np.median(shares)) > MAX_SECOND_INK


def is_assorted(image: Image, grid: Grid) -> bool:
    """Whether the cells of a grid in a picture (height, width, 3) have drawings that differ, as faces or
    icons in rows have: for a board of which nothing is opened. Cells may differ in their colour, and the
    fields of a checkerboard as they like."""
    cells = _cells_in_sight(image, grid)
    differences: list[float] = []
    for parity in (0, 1):
        fields = [_evened(_middle(pixels)) for cell, pixels in cells.items() if sum(cell) % 2 == parity]
        if fields:
            common = np.median(fields, axis=0)
            low, high = cv2.erode(common, NEAR), cv2.dilate(common, NEAR)
            differences += [float(max((one - high).max(), (low - one).max())) for one in fields]
    return bool(differences) and float(np.median(differences)) > MAX_ASSORTED


def is_boxed(image: Image, grid: Grid) -> bool:
    """Whether heavier lines part the cells of a grid in a picture (height, width, 3) into boxes, as those of
    a sudoku: for a board of which nothing is opened."""
    sizes = [size for size in BOXES if grid.rows % size == grid.columns % size == 0]
    if not sizes:
        return False
    turned = np.ascontiguousarray(image.swapaxes(0, 1))
    lines = (
        _line_weights(image, grid.exact_columns, grid.exact_rows),
        _line_weights(turned, grid.exact_rows, grid.exact_columns),
    )
    return any(all(_is_heavier(weights, size) for weights in lines) for size in sizes)


def _is_heavier(weights: npt.NDArray[np.float64], size: int) -> bool:
    """Whether of the lines between cells, (cells - 1,), those around boxes of a size are the heaviest."""
    is_around = np.arange(1, len(weights) + 1) % size == 0
    return bool(is_around.any()) and bool(weights[is_around].min() > HEAVIER * weights[~is_around].max())


def _line_weights(image: Image, columns: ExactEdges, rows: ExactEdges) -> npt.NDArray[np.float64]:
    """How much each line between two columns of cells differs from the ground, on half of its length, added
    up across the line: (columns - 1,). From the edges of columns and rows, in pixels."""
    top, bottom = (int(edge) for edge in rows[[0, -1]].clip(0, image.shape[0]))
    left, right = (int(edge) for edge in columns[[0, -1]].clip(0, image.shape[1]))
    reach = max(2, round(LINE_REACH * float(np.diff(columns).mean())))
    board = image[top:bottom, left:right].astype(np.float32)
    off = np.median(np.abs(board - np.median(board, axis=(0, 1))).max(axis=2), axis=0)
    middles = np.round(columns[1:-1]).astype(int) - left
    return np.array([off[max(0, x - reach) : x + reach + 1].sum() for x in middles], np.float64)


def _evened(pixels: Image) -> npt.NDArray[np.float32]:
    """Some pixels, (height, width, 3), of one size, smoothed and without their mean colour."""
    smooth = cv2.GaussianBlur(
        cv2.resize(pixels, (ASSORTED_SIDE,) * 2, interpolation=cv2.INTER_AREA), (3, 3), 0
    )
    evened: npt.NDArray[np.float32] = smooth.astype(np.float32) - smooth.mean(axis=(0, 1), dtype=np.float32)
    return evened


def _second_ink(pixels: Image) -> float:
    """Which part of some pixels, (height, width, 3), is drawn on their ground, but not in the ink in which
    most of it is."""
    colours = pixels.reshape(-1, 3).astype(np.float32)
    off = colours - np.median(colours, axis=0)
    drawn = off[np.abs(off).max(axis=1) > INK]
    if not len(drawn):
        return 0.0
    lengths = np.linalg.norm(drawn, axis=1, keepdims=True)
    ink = np.linalg.eigh((drawn / lengths).T @ drawn)[1][:, -1]
    return float((np.abs(drawn @ ink) < SAME_INK * lengths[:, 0]).sum() / len(colours))


def _coloured_part(pixels: Image) -> float:
    """Which part of some pixels, (height, width, 3), has another hue than most of them, or than most of their
    row or column: the hue of glossy cells changes from top to bottom."""
    colours = pixels.astype(np.float32)
    tinted = colours - colours.mean(axis=2, keepdims=True)
    most = [np.median(tinted, axis=axes, keepdims=True) for axes in ((0, 1), 0, 1)]
    return min(float((np.abs(tinted - one).max(axis=2) > ORNAMENT_COLOUR).mean()) for one in most)


def is_paper(image: Image, grid: Grid) -> bool:
    """Whether the cells of a grid in a picture (height, width, 3) are light and flat, as squared paper and
    empty tables are: for a board of which nothing is opened."""
    cells = [*_cells_in_sight(image, grid).values()]
    if not cells or np.median([_middle(pixels).min() for pixels in cells]) <= PAPER_COLOUR:
        return False
    return bool(np.median([_relief(pixels) for pixels in cells]) < PAPER_RELIEF)


def _cells_in_sight(image: Image, grid: Grid) -> dict[tuple[int, int], Image]:
    """The pixels of the cells of a grid that a picture shows whole, by row and column."""
    picture = Rect(0, 0, image.shape[1], image.shape[0])
    rects = {cell: grid.cell_rect(*cell) for cell in np.ndindex(grid.rows, grid.columns)}
    return {
        cell: image[rect.y : rect.bottom, rect.x : rect.right]
        for cell, rect in rects.items()
        if picture.encloses(rect)
    }


def _middle(pixels: Image) -> Image:
    """A cell, (height, width, 3), without what lies near its sides."""
    down, across = (round(PATCH_INSET * side) for side in pixels.shape[:2])
    return pixels[down : pixels.shape[0] - down, across : pixels.shape[1] - across]


def _relief(pixels: Image) -> float:
    """How much lighter the upper left sides of a cell, (height, width, 3), are than its lower right ones."""
    down, across = (max(2, round(PATCH_INSET * side)) for side in pixels.shape[:2])
    upper, lower = pixels[1:down], pixels[-down:-1]
    left, right = pixels[:, 1:across], pixels[:, -across:-1]
    return float((upper.mean() + left.mean() - lower.mean() - right.mean()) / 2)
