"""The clicks of a person between two observations: a short list of clicks that explains the later board.

The list is built greedily: each click explains as many opened cells as possible. What exploded is the last.
A click on a number right before one on the zero beside it is not told: the opening of the zero shows the same
board by itself. Pictures in between, that have not come to rest, do not tell either, for windows may draw the
numbers of one opening before its zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.board import UNOPENED, Action, Board, Cell, Coordinate, Move


def inferred_moves(
    before: Board,
    after: Board,
    sent: Sequence[Move] = (),
    *,
    over: bool = False,
    chances: Mapping[Coordinate, float] | None = None,
) -> tuple[Move, ...]:
    """Clicks that a person may have made between two boards of one game; flags first, then opened cells.

    `sent` is our own clicks between the two: cells that they explain are left out. `over` says that the later
    board shows the end of the game, where mines and flags appear without a click. If several cells of an
    opening may have been clicked, the one with the lowest of `chances` (of a mine, 0 to 1) is named.
    """
    opened = _opened(before, after)
    unexplained = opened - _opened_by(sent, before, after, opened)
    moves: list[Move] = []
    if not over:
        ours = {move.cell for move in sent if move.action is Action.FLAG}
        unopened = set(after.where(*UNOPENED))
        moves += [
            Move(Action.FLAG, *cell)
            for cell in before.where(*UNOPENED)
            if cell in unopened and before[cell] != after[cell] and cell not in ours
        ]
    while unexplained:
        move = _best_open(unexplained, after, opened, chances or {})
        if len(unexplained) > 1 and not unexplained <= _reached([move.cell], after, opened):
            move = _best_chord(unexplained, before, after) or move
        moves.append(move)
        unexplained -= _opened_by([move], before, after, opened)

    def explodes(move: Move) -> bool:
        return any(after[cell] == Cell.EXPLODED for cell in _opened_by([move], before, after, opened))

    return tuple(sorted(moves, key=explodes))


def opened_up(moves: Sequence[Move], before: Board, after: Board) -> Board:
    """The board `before` with all that these moves opened, as a later board of the same game shows it."""
    codes = before.codes.copy()
    for cell in _opened_by(moves, before, after, _opened(before, after)):
        codes[cell] = after[cell]
    return Board(codes)


def _opened(before: Board, after: Board) -> set[Coordinate]:
    """The cells that were opened between two boards."""
    return {cell for cell in before.where(*UNOPENED) if after[cell] <= 8 or after[cell] == Cell.EXPLODED}


def _opened_by(
    moves: Sequence[Move], before: Board, after: Board, opened: set[Coordinate]
) -> set[Coordinate]:
    """The subset of `opened` that these clicks explain."""
    start: list[Coordinate] = []
    for move in moves:
        if move.action is Action.OPEN:
            start.append(move.cell)
        elif move.action is Action.CHORD:
            start += before.neighbours(*move.cell)
    return _reached(start, after, opened)


def _reached(start: Sequence[Coordinate], after: Board, opened: set[Coordinate]) -> set[Coordinate]:
    """The subset of `opened` that clicks on the cells of `start` open, the openings of zeros included."""
    reached: set[Coordinate] = set()
    waiting = [cell for cell in start if cell in opened]
    while waiting:
        cell = waiting.pop()
        if cell not in reached:
            reached.add(cell)
            if after[cell] == 0:
                waiting += [near for near in after.neighbours(*cell) if near in opened]
    return reached


def _best_open(
    unexplained: set[Coordinate], after: Board, opened: set[Coordinate], chances: Mapping[Coordinate, float]
) -> Move:
    """The click that explains most cells: on the exploded mine, else on a zero of the largest opening, else
    on the cell with the lowest chance."""

    def rank(cell: Coordinate) -> tuple[bool, int, float, Coordinate]:
        explained = len(_reached([cell], after, opened) & unexplained) if after[cell] == 0 else 1
        return after[cell] != Cell.EXPLODED, -explained, chances.get(cell, 1.0), cell

    return Move(Action.OPEN, *min(unexplained, key=rank))


def _best_chord(unexplained: set[Coordinate], before: Board, after: Board) -> Move | None:
    """The possible chord that explains most cells; None if no chord explains at least two."""
    best: tuple[int, Coordinate] | None = None
    for cell in sorted({near for one in unexplained for near in before.neighbours(*one)}):
        if not 1 <= before[cell] <= 8:
            continue
        around = list(before.neighbours(*cell))
        covered = {near for near in around if before[near] in (Cell.COVERED, Cell.QUESTION)}
        flags = sum(after[near] in (Cell.FLAG, Cell.WRONG_FLAG) for near in around)
        explained = len(covered & unexplained)
        # When a mine explodes, the other cells of the chord may stay covered.
        complete = all(after[near] not in UNOPENED for near in covered) or after.finished
        if explained > 1 and complete and flags == before[cell] and (best is None or explained > best[0]):
            best = explained, cell
    return None if best is None else Move(Action.CHORD, *best[1])
