"""Whether the cells that a skin gives can be a board at all: one standard for every theme.

A theme that half fits a picture gives cells that no game shows: opened ones beside nothing covered, a 0
beside a covered cell, a number with too few cells around it. Flags are a player's and may be wrong, so they
contradict nothing here.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes, neighbour_counts, neighbour_sums
from bot.geometry import Rect
from bot.vision.grid import Grid, Image

MAX_CONTRADICTIONS = 0.02
"""Maximum number of contradictions as a part of the cells of a board, of which one is always allowed: a
picture may be taken while a game opens its cells one after the other."""

MIN_NUMBERS_WITHOUT_ONE = 10
"""At least so many numbers without a single 1 are no board."""

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


MAX_ASSORTED, ASSORTED_SIDE, NEAR = 65, 20, np.ones((3, 3), np.uint8)
"""On half of the covered cells of a game, brought to so many pixels (the second), nothing differs by more
than the first (0 to 255) from all that the other cells have there or a pixel away (the third): of 554 drawn
boards of which nothing is opened by 50 at most, on 17 pictures of faces in rows by 87 at least."""


def contradictions(codes: Codes) -> int:
    """How many opened cells of a board (rows, columns) contradict the covered and unread ones around."""
    around = neighbour_counts(codes)
    too_few = (codes >= 1) & (codes <= 8) & (codes > around.possible_mines)
    covered = neighbour_sums(np.isin(codes, (Cell.COVERED, Cell.QUESTION)))
    return int(np.count_nonzero(too_few | ((codes == Cell.EMPTY) & (covered > 0))))


def without_misread_numbers(codes: Codes) -> Codes:
    """The cells (rows, columns) with those numbers unread that do not fit, where no wrong flag explains it.

    A wrong flag contradicts all numbers around it, a number that was misread only itself.
    """
    around = neighbour_counts(codes)
    numbered = (codes >= 1) & (codes <= 8)
    unfit = numbered & ((codes > around.possible_mines) | (codes < around.known_mines))
    blamed = (codes == Cell.FLAG) & (neighbour_sums(unfit) > 1)
    misread = unfit & (neighbour_sums(blamed) == 0)
    checked: Codes = np.where(misread, np.int8(Cell.UNREAD), codes)
    return checked


def why_no_game(codes: Codes) -> str | None:
    """Why cells (rows, columns) are no board of a game, in a few words; None where they can be one."""
    if contradictions(codes) > max(1, MAX_CONTRADICTIONS * codes.size):
        return "the numbers do not fit the cells around them"
    if not np.isin(
        codes, (Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG)
    ).any():
        return "nothing on it is covered, flagged or mined"
    numbers = codes[(codes >= 1) & (codes <= 8)]
    if len(numbers) >= MIN_NUMBERS_WITHOUT_ONE and not (numbers == 1).any():
        return "many numbers and no 1"
    if not len(numbers) and (codes == Cell.EMPTY).any() and not (codes == Cell.UNREAD).any():
        return "opened cells without any number"
    return None


def is_surface(image: Image, grid: Grid) -> bool:
    """Whether a grid in a picture (height, width, 3) of which nothing is opened is one of paper, cloth or
    tiles and no board."""
    tells = (is_paper, is_patchwork, is_ornamented, is_assorted)
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


def _evened(pixels: Image) -> npt.NDArray[np.float32]:
    """Some pixels, (height, width, 3), of one size, smoothed and without their mean colour."""
    smooth = cv2.GaussianBlur(
        cv2.resize(pixels, (ASSORTED_SIDE,) * 2, interpolation=cv2.INTER_AREA), (3, 3), 0
    )
    evened: npt.NDArray[np.float32] = smooth.astype(np.float32) - smooth.mean(axis=(0, 1), dtype=np.float32)
    return evened


def _coloured_part(pixels: Image) -> float:
    """Which part of some pixels, (height, width, 3), has another hue than most of them."""
    flat = pixels.reshape(-1, 3).astype(np.float32)
    tinted = flat - flat.mean(axis=1, keepdims=True)
    off = np.abs(tinted - np.median(tinted, axis=0)).max(axis=1)
    return float((off > ORNAMENT_COLOUR).mean())


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
