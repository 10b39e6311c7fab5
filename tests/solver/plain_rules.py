"""The rungs written as they are told, with sets and whole scans: an oracle for the compiled worklist."""

from __future__ import annotations

from itertools import permutations

from bot.board import Board, Cell, Coordinate, Rules, neighbours
from bot.solver.deduction.ladder import Rung

Cells = set[Coordinate]


class Impossible(Exception):
    """A number cannot be."""


def plain_deduction(board: Board, rules: Rules, rungs: Rung) -> tuple[Cells, Cells]:
    """The safe cells and the mines that the rungs find on a possible board."""
    unopened = set(board.where(Cell.COVERED, Cell.FLAG, Cell.QUESTION))
    shown = set(board.where(Cell.MINE, Cell.EXPLODED))
    safe: Cells = set()
    mines = set(shown)
    while True:
        before = len(safe) + len(mines)
        single_numbers(board, unopened, safe, mines)
        if len(safe) + len(mines) == before and rungs & Rung.PAIR:
            pairs(board, unopened, safe, mines)
        if len(safe) + len(mines) == before and rungs & Rung.TOTAL and rules.mines is not None:
            left = unopened - safe - mines
            if len(mines) == rules.mines:
                safe |= left
            elif rules.mines - len(mines) == len(left):
                mines |= left
        if len(safe) + len(mines) == before and rungs & Rung.CONTRADICTION:
            for cell in unopened - safe - mines:
                if not can_be(board, unopened, safe, mines | {cell}):
                    safe.add(cell)
                elif not can_be(board, unopened, safe | {cell}, mines):
                    mines.add(cell)
        if len(safe) + len(mines) == before:
            return safe, mines - shown


def numbers(board: Board) -> list[Coordinate]:
    return [(r, c) for r in range(board.rows) for c in range(board.columns) if board[r, c] <= 8]


def single_numbers(board: Board, unopened: Cells, safe: Cells, mines: Cells) -> None:
    """Settle all that the rules for one number settle, in place; raises Impossible."""
    changed = True
    while changed:
        changed = False
        for cell in numbers(board):
            around = set(neighbours(*cell, board.rows, board.columns))
            unknown = (around & unopened) - safe - mines
            missing = board[cell] - len(around & mines)
            if not 0 <= missing <= len(unknown):
                raise Impossible
            if unknown and missing == 0:
                safe |= unknown
                changed = True
            elif unknown and missing == len(unknown):
                mines |= unknown
                changed = True


def can_be(board: Board, unopened: Cells, safe: Cells, mines: Cells) -> bool:
    try:
        single_numbers(board, unopened, set(safe), set(mines))
    except Impossible:
        return False
    return True


def pairs(board: Board, unopened: Cells, safe: Cells, mines: Cells) -> None:
    for a, b in permutations(numbers(board), 2):
        if max(abs(a[0] - b[0]), abs(a[1] - b[1])) > 2:
            continue
        around_a = set(neighbours(*a, board.rows, board.columns))
        around_b = set(neighbours(*b, board.rows, board.columns))
        unknown_a = (around_a & unopened) - safe - mines
        unknown_b = (around_b & unopened) - safe - mines
        if not unknown_a or not unknown_b:
            continue
        missing_a = board[a] - len(around_a & mines)
        missing_b = board[b] - len(around_b & mines)
        if missing_a - missing_b == len(unknown_a - unknown_b):
            mines |= unknown_a - unknown_b
            safe |= unknown_b - unknown_a
