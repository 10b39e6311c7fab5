"""Boards of which nothing is left to open: whether they can be, though their end draws wrong flags oddly."""

from __future__ import annotations

from bot.board import Board, Cell, Coordinate, Rules


def is_shown_whole(board: Board, earlier: Board | None) -> bool:
    """Whether nothing of a board is left to open, and it can be; but for empty cells in place of flags of an
    `earlier` board, as the end of a game may draw wrong flags, whatever lies around them."""
    if board.count(Cell.COVERED, Cell.QUESTION):
        return False
    known = None if earlier is None or earlier.codes.shape != board.codes.shape else earlier
    wrong = _wrong_cells(board)
    return all(board[cell] == 0 and known is not None and known[cell] == Cell.FLAG for cell in wrong)


def is_lost_with_flags(board: Board, mines: int | None) -> bool:
    """Whether a board can only be that of a lost game whose mines look like flags: nothing is left to open,
    all `mines` look flagged, and cells beside them are empty, as a wrong flag is drawn."""
    if board.count(Cell.COVERED, Cell.QUESTION) or board.count(Cell.FLAG) != mines:
        return False
    wrong = _wrong_cells(board)
    return bool(wrong) and all(board[cell] == 0 for cell in wrong)


def _wrong_cells(board: Board) -> set[Coordinate]:
    """The cells that cannot be, whatever the number of mines."""
    faults = board.faults(Rules(board.columns, board.rows))
    return {fault.cell for fault in faults if fault.cell is not None}
