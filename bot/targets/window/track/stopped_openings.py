"""Openings that stop beside covered cells: of games in which an empty cell opens none around it, or only
those at its sides.

A cell that looks empty beside covered ones is in most games one that is pressed, or misread. It is believed
where it looks as cells do whose surroundings prove that they are empty. Where nothing proves that yet, a cell
that our own clicks have opened is known to hold no mine and no more: guesses beside it prove the rest
(`bot/strategy/partial.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.board import Action, Board, Cell, Constraint, Coordinate, Fault, FaultKind, Move, Observation
from bot.targets.board_changes import emptied_with
from bot.targets.window.observe.observer import WindowObserver

STOPPED_S, KNOWN_S = 1.0, 0.3
"""How long a board must rest in which empty cells lie beside covered ones, in seconds, for openings may be
drawn step by step; and where the openings of this window are known to stop."""

MANY_STOPPED = 2
"""Minimum number of cells beside which openings have stopped where they are known to stop in a window."""

UNPROVEN_S = 2.0
"""The same where nothing proves that they are empty."""


class StoppedOpenings:
    """Follows the openings of one window, game after game."""

    def __init__(self, observer: WindowObserver) -> None:
        self._observer = observer
        self.forget_game()

    def forget_game(self) -> None:
        """Another game begins."""
        self._ours: frozenset[Coordinate] = frozenset()
        """The empty cells that our clicks have opened."""
        self._stopped: set[Coordinate] = set()
        """The cells beside which openings have stopped."""

    def unproven(
        self,
        board: Board,
        before: Board | None,
        sent: Sequence[Move],
        faults: Sequence[Fault],
        rests_s: float,
    ) -> frozenset[Coordinate] | None:
        """Which cells of a board of a game without a theme look empty, and nothing proves it: none where all
        that is wrong with it is that openings have stopped; None where something else is, or may be.

        `before`: the board that counted before the clicks that were `sent`; `rests_s`: for how long the board
        has been at rest, in seconds.
        """
        if not self._observer.is_unknown:
            return None
        known = self._observer.openings_stop
        if rests_s < (KNOWN_S if known else STOPPED_S):
            return None
        empty = [one.cell for one in faults if one.kind is FaultKind.ZERO_BESIDE_COVERED and one.cell]
        if not empty or len(empty) < len(faults):
            return None
        ours = self._ours | _opened_by(sent, before, board)
        # What lies around a smaller board, and has the colour of opened cells, has covered ones at its sides.
        if not all(cell in ours or _is_open_at_its_sides(board, cell) for cell in empty):
            return None
        proven = [cell for cell in empty if self._observer.is_proven_empty(cell)]
        # In other games a cell that looks so is pressed, and will show a number.
        proven = [cell for cell in proven if known or _is_open_at_its_sides(board, cell)]
        unproven = frozenset(empty) - frozenset(proven)
        if unproven and (not unproven <= ours or (rests_s < UNPROVEN_S and not known)):
            return None
        return unproven

    def counted(
        self,
        board: Board,
        before: Board | None,
        sent: Sequence[Move],
        unproven: Iterable[Coordinate] | None,
    ) -> None:
        """A board counts, after clicks on the board `before`: what they have opened is ours. `unproven` as
        the method has it: openings are known to stop once they have beside two cells, and are not any more
        where one of these shows a number after all."""
        if board.all_covered or (before is not None and before.codes.shape != board.codes.shape):
            self.forget_game()
            return
        self._ours |= _opened_by(sent, before, board)
        if any(1 <= board[cell] <= 8 for cell in self._stopped):
            self._stopped.clear()
            self._observer.take_stopped_openings(False)
        if unproven is not None:
            empty = board.where(Cell.EMPTY)
            self._stopped |= {cell for cell in empty if _has_covered(board, cell)}
            if len(self._stopped) >= MANY_STOPPED:
                self._observer.take_stopped_openings(True)

    def believed(self, seen: Observation, unproven: Iterable[Coordinate]) -> Observation:
        """What a player may believe of a board: of these cells, that they hold no mine."""
        cells = sorted(unproven)
        if not cells:
            return seen
        facts = tuple(Constraint(frozenset([cell]), 0) for cell in cells)
        board = seen.board.replaced(cells, Cell.UNREAD)
        return Observation(board, seen.phase, seen.rules, seen.constraints + facts)


def _opened_by(sent: Sequence[Move], before: Board | None, board: Board) -> frozenset[Coordinate]:
    """The empty cells that clicks on the board `before` have opened, on another one of its size."""
    clicked = [move.cell for move in sent if move.action is Action.OPEN]
    if before is None or not clicked or before.codes.shape != board.codes.shape:
        return frozenset()
    return frozenset(emptied_with(before, board, clicked))


def _has_covered(board: Board, cell: Coordinate) -> bool:
    return any(board[near] > 8 for near in board.neighbours(*cell))


def _is_open_at_its_sides(board: Board, cell: Coordinate) -> bool:
    return all(
        board[near] <= 8 for near in board.neighbours(*cell) if near[0] == cell[0] or near[1] == cell[1]
    )
