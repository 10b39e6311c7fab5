"""What cannot be about the cells of a window whose game no theme knows."""

from __future__ import annotations

from bot.board import Board, Cell, Codes, Fault, FaultKind, Rules, Spread


def without_faults(codes: Codes, *, openings_stop: bool = False) -> Codes:
    """The cells (rows, columns), those unread that cannot be so by the rules of the game; `openings_stop` as
    `faults_of` has it."""
    for _ in range(3):
        faults = faults_of(codes, openings_stop=openings_stop)
        wrong = [one.cell for one in faults if one.cell is not None]
        # A pressed cell looks like an opened one: a 0 beside a covered cell is waited for.
        wrong = [cell for cell in wrong if codes[cell] != Cell.EMPTY]
        if not wrong:
            break
        codes = Board(codes).replaced(wrong, Cell.UNREAD).codes
    return codes


def faults_of(codes: Codes, *, openings_stop: bool = False) -> list[Fault]:
    """What is wrong with a board, (rows, columns), besides cells that are unread. `openings_stop`: whether
    empty cells may lie beside covered ones."""
    spread = Spread.NONE if openings_stop else Spread.EIGHT
    faults = Board(codes).faults(Rules(codes.shape[1], codes.shape[0], spread=spread))
    return [one for one in faults if one.kind is not FaultKind.UNREAD]
