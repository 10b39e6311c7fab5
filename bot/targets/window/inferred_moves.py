"""What a person did between two looks: the fewest clicks that explain how one board came of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.board import Action, Board, Cell, Coordinate, Move

UNOPENED = (Cell.COVERED, Cell.FLAG, Cell.QUESTION)


def inferred_moves(
    before: Board,
    after: Board,
    sent: Sequence[Move] = (),
    *,
    over: bool = False,
    chances: Mapping[Coordinate, float] | None = None,
) -> tuple[Move, ...]:
    """The clicks that somebody else made between two boards of one game, as far as the boards tell.

    `sent` are our own clicks of that time: what they explain is left out. `over` says that the later board
    is the end of the game, which shows mines and flags by itself. Where any cell of an opening can have
    been the one that was clicked, it is taken to be the one with the lowest of `chances`.
    """
    opened = {cell for cell in before.where(*UNOPENED) if after[cell] <= 8 or after[cell] == Cell.EXPLODED}
    left = opened - _opened_by(sent, before, after, opened)
    moves: list[Move] = []
    if not over:
        ours = {move.cell for move in sent if move.action is Action.FLAG}
        unopened = set(after.where(*UNOPENED))
        moves += [
            Move(Action.FLAG, *cell)
            for cell in before.where(*UNOPENED)
            if cell in unopened and before[cell] != after[cell] and cell not in ours
        ]
    while left:
        move = _open(left, after, opened, chances or {})
        if len(left) > 1 and not left <= _spread([move.cell], after, opened):
            move = _chord(left, before, after) or move
        moves.append(move)
        left -= _opened_by([move], before, after, opened)
    return tuple(moves)


def _opened_by(
    moves: Sequence[Move], before: Board, after: Board, opened: set[Coordinate]
) -> set[Coordinate]:
    """Those of the opened cells that these clicks explain."""
    start: list[Coordinate] = []
    for move in moves:
        if move.action is Action.OPEN:
            start.append(move.cell)
        elif move.action is Action.CHORD:
            start += before.neighbours(*move.cell)
    return _spread(start, after, opened)


def _spread(start: Sequence[Coordinate], after: Board, opened: set[Coordinate]) -> set[Coordinate]:
    """The opened cells that clicks on some cells open, the openings from their zeros included."""
    reached: set[Coordinate] = set()
    waiting = [cell for cell in start if cell in opened]
    while waiting:
        cell = waiting.pop()
        if cell not in reached:
            reached.add(cell)
            if after[cell] == 0:
                waiting += [near for near in after.neighbours(*cell) if near in opened]
    return reached


def _open(
    left: set[Coordinate], after: Board, opened: set[Coordinate], chances: Mapping[Coordinate, float]
) -> Move:
    """A click on the cell that explains most: a mine, else a zero of the largest opening, else any cell."""

    def worth(cell: Coordinate) -> tuple[bool, int, float, Coordinate]:
        explains = len(_spread([cell], after, opened) & left) if after[cell] == 0 else 1
        return after[cell] != Cell.EXPLODED, -explains, chances.get(cell, 1.0), cell

    return Move(Action.OPEN, *min(left, key=worth))


def _chord(left: set[Coordinate], before: Board, after: Board) -> Move | None:
    """A chord that explains two cells or more at once, if one can have been made."""
    best: tuple[int, Coordinate] | None = None
    for cell in sorted({near for one in left for near in before.neighbours(*one)}):
        if not 1 <= before[cell] <= 8:
            continue
        around = list(before.neighbours(*cell))
        covered = {near for near in around if before[near] in (Cell.COVERED, Cell.QUESTION)}
        flags = sum(after[near] in (Cell.FLAG, Cell.WRONG_FLAG) for near in around)
        gained = len(covered & left)
        # When a mine goes off the rest of a chord may stay covered.
        whole = all(after[near] not in UNOPENED for near in covered) or after.finished
        if gained > 1 and whole and flags == before[cell] and (best is None or gained > best[0]):
            best = gained, cell
    return None if best is None else Move(Action.CHORD, *best[1])
