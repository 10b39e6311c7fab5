"""Whether the cells that a skin gives can be a board at all: one standard for every theme.

A theme that half fits a picture gives cells that no game shows: opened ones beside nothing covered, a 0
beside a covered cell, a number with too few cells around it. Flags are a player's and may be wrong, so they
contradict nothing here.
"""

from __future__ import annotations

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


MAX_PATCHED, PATCH_INSET = 2.5, 0.2
"""Covered cells of a game have one colour, or colours that change evenly over the board: half of them differ
by less than the first (0 to 255) from that. The second is the part of a cell that is left out at each side.
Tiles of a wall (`training.reader.no_boards`) differ by 5."""


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


def is_patchwork(image: Image, grid: Grid) -> bool:
    """Whether the cells of a grid in a picture (height, width, 3) have each a colour of its own, as tiles and
    cloth have: for a board of which nothing is opened."""
    picture = Rect(0, 0, image.shape[1], image.shape[0])
    found: list[tuple[int, int, npt.NDArray[np.float64]]] = []
    for row, column in np.ndindex(grid.shape):
        cell = grid.cell_rect(row, column)
        across, down = round(PATCH_INSET * cell.width), round(PATCH_INSET * cell.height)
        if picture.encloses(cell):
            part = image[cell.y + down : cell.bottom - down, cell.x + across : cell.right - across]
            found.append((row, column, np.median(part.reshape(-1, 3), axis=0)))
    if not found:
        return False
    rows, columns = (np.array([one[axis] for one in found]) for axis in (0, 1))
    colours = np.stack([one[2] for one in found])
    y, x, checkered = rows / grid.rows, columns / grid.columns, (rows + columns) % 2
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y, checkered], axis=1)
    fit, *_ = np.linalg.lstsq(terms, colours, rcond=None)
    off = np.abs(colours - terms @ fit).max(axis=1)
    return bool(np.median(off) > MAX_PATCHED)
