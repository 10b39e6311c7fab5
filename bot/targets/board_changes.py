"""Comparisons of two boards of one window, of which `later` was seen after `earlier`.

Those that need boards of one size say so.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bot.board import UNOPENED, Action, Board, Cell, Coordinate, Move, neighbour_sums


def continues(earlier: Board, later: Board) -> bool:
    """Whether both can be of one game: every opened cell (0 to 8) of the earlier board shows the same later.

    False for boards of different sizes.
    """
    opened = earlier.codes <= 8
    return earlier.codes.shape == later.codes.shape and bool(
        (earlier.codes[opened] == later.codes[opened]).all()
    )


NEARLY = 0.9
"""The part of the cells that show the same on boards that are nearly the same, at least."""


def is_nearly(earlier: Board, later: Board) -> bool:
    """Whether two boards show the same but for a few cells, in which something may move. False for boards of
    different sizes."""
    same_size = earlier.codes.shape == later.codes.shape
    return same_size and bool((earlier.codes == later.codes).mean() >= NEARLY)


COVERED_AGAIN = 0.3
"""The part of the opened cells that another game covers again, at least."""


def covers_again(earlier: Board, later: Board) -> bool:
    """Whether the later board is that of another game, though some cells of both may be misread."""
    if earlier.codes.shape != later.codes.shape:
        return True
    opened = earlier.codes <= 8
    again = opened & (later.codes == Cell.COVERED)
    return bool(again.sum() > COVERED_AGAIN * opened.sum())


def shows_all_of(later: Board, earlier: Board) -> bool:
    """Whether the later board shows every number that was opened in the earlier one, where there are any."""
    if earlier.codes.shape != later.codes.shape:
        return False
    numbers = (earlier.codes >= 1) & (earlier.codes <= 8)
    return bool(numbers.any() and (later.codes == earlier.codes)[numbers].all())


def hides_its_game(earlier: Board, later: Board) -> bool:
    """Whether cells that were opened in the earlier board cannot be read in the later one, and no more of the
    others show what they did than show something else: then it may be another game, in which the numbers of
    the earlier one are wrong. False for boards of different sizes."""
    if earlier.codes.shape != later.codes.shape:
        return False
    opened, unread = earlier.codes <= 8, later.codes == Cell.UNREAD
    same = int((opened & (earlier.codes == later.codes)).sum())
    return bool((opened & unread).any()) and 2 * same <= int((opened & ~unread).sum())


def contradicts(earlier: Board, later: Board) -> bool:
    """Whether the later board hides the game of the earlier one, and shows other cells as well."""
    return hides_its_game(earlier, later) and not continues(earlier, filled_from(earlier, later))


def with_opened_kept(earlier: Board, later: Board) -> Board:
    """The later board, with what the earlier one shows in the cells that were opened: it does not change."""
    return Board(np.where(earlier.codes <= 8, earlier.codes, later.codes))


def filled_from(earlier: Board, later: Board) -> Board:
    """The later board, its unread cells replaced by the earlier ones: animated pieces fly over cells.

    The later board as it is if the sizes differ.
    """
    if earlier.codes.shape != later.codes.shape:
        return later
    return Board(np.where(later.codes == Cell.UNREAD, earlier.codes, later.codes))


def with_numbers_kept(earlier: Board, later: Board) -> Board:
    """The later board, with the earlier numbers in cells that became empty: some games wipe the numbers off a
    won board before their animation ends.

    The later board as it is if the sizes differ.
    """
    if earlier.codes.shape != later.codes.shape:
        return later
    wiped = (earlier.codes >= 1) & (earlier.codes <= 8) & (later.codes == Cell.EMPTY)
    return Board(np.where(wiped, earlier.codes, later.codes))


def turned_unread(earlier: Board, later: Board, clicked: Sequence[Move]) -> list[Coordinate]:
    """The unopened cells that could be read in the earlier board and cannot in the later one, though nothing
    has opened them: they were not clicked, and lie beside no empty cell. None for boards of different sizes.
    """
    if earlier.codes.shape != later.codes.shape:
        return []
    turned = np.isin(earlier.codes, UNOPENED) & (later.codes == Cell.UNREAD)
    turned &= neighbour_sums(later.codes == Cell.EMPTY) == 0
    for move in clicked:
        turned[move.cell] = False
        if move.action is Action.CHORD:
            for near in later.neighbours(*move.cell):
                turned[near] = False
    return [(int(row), int(column)) for row, column in np.argwhere(turned)]


def differ_only_where_unread(before: Board, after: Board) -> bool:
    """Whether two boards of one size show the same in all cells that both show."""
    if before.codes.shape != after.codes.shape:
        return False
    unread = (before.codes == Cell.UNREAD) | (after.codes == Cell.UNREAD)
    return bool((unread | (before.codes == after.codes)).all())


def differ_only_at(moves: Sequence[Move], before: Board, after: Board) -> bool:
    """Whether two boards of one size show the same in all cells except those of the moves."""
    if before.codes.shape != after.codes.shape:
        return False
    changed = before.codes != after.codes
    for move in moves:
        changed[move.cell] = False
    return not changed.any()


def is_unread_opening(earlier: Board, later: Board, clicked: Sequence[Coordinate]) -> bool:
    """Whether all that turned unread between two boards of one size hangs together with cells that were
    clicked, as what a click opens does; the mines of a lost game lie here and there."""
    unread = later.codes == Cell.UNREAD
    turned = unread & (earlier.codes != Cell.UNREAD)
    return bool(hanging_together(unread, mask(later, clicked))[turned].all())


def emptied_with(earlier: Board, later: Board, clicked: Sequence[Coordinate]) -> list[Coordinate]:
    """The empty cells of the later of two boards of one size that were not opened in the earlier one, and
    hang together with cells that were clicked, by others that are empty or cannot be read: a number opens
    nothing around it."""
    changed = np.isin(later.codes, (Cell.EMPTY, Cell.UNREAD)) & (earlier.codes > 8)
    emptied = hanging_together(changed, mask(later, clicked)) & (later.codes == Cell.EMPTY)
    return [(int(row), int(column)) for row, column in np.argwhere(emptied)]


def mask(board: Board, cells: Sequence[Coordinate]) -> npt.NDArray[np.bool_]:
    """Where some cells lie, (rows, columns)."""
    at = np.zeros(board.codes.shape, bool)
    for cell in cells:
        at[cell] = True
    return at


def hanging_together(cells: npt.NDArray[np.bool_], some: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which of the cells, (rows, columns), hang together with some of them, side by side or by corners."""
    import cv2  # imported late, as below

    _, areas = cv2.connectedComponents(cells.astype(np.uint8), connectivity=8)
    return np.asarray(cells & np.isin(areas, areas[cells & some]))


def is_one_opening(board: Board) -> bool:
    """Whether the opened cells are exactly one opening: one connected group of empty cells and its
    neighbours.

    Some games start with one opening shown.
    """
    import cv2  # imported late: the playing loop for games in memory imports this module and needs no OpenCV

    empty = (board.codes == Cell.EMPTY).astype(np.uint8)
    count, _ = cv2.connectedComponents(empty, connectivity=8)
    opening = cv2.dilate(empty, np.ones((3, 3), np.uint8)).astype(bool)
    covered = board.codes == Cell.COVERED
    return count == 2 and bool((covered == ~opening).all()) and bool((board.codes[opening] <= 8).all())
