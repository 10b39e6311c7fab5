"""Fifty-fifties: how likely they are, against every layout of small boards, and that they are settled."""

from __future__ import annotations

from fractions import Fraction

import pytest
from brute_force import Truth

from bot.board import Board, Coordinate
from bot.solver.guess.fifty_fifties import fifty_fifty_chance
from bot.solver.guess.player import load_board, new_player
from bot.solver.probability.components import release_cells
from bot.solver.probability.mine_chances import mine_chances

pytestmark = pytest.mark.slow

POSITIONS = [
    ("1###\n####\n####", 4),
    ("####\n#2##\n####", 4),
    ("##1#\n####\n2###", 5),
    ("###1\n###2\n####\n##2#", 6),
    ("##1.\n##2.\n##1.\n##1.", 4),
]


def patterns(board: Board) -> list[tuple[tuple[Coordinate, ...], tuple[Coordinate, ...]]]:
    """Pairs and squares of covered cells, as the two halves that may change places."""
    found: list[tuple[tuple[Coordinate, ...], tuple[Coordinate, ...]]] = []
    for row in range(board.rows):
        for column in range(board.columns):
            here, right, down = (row, column), (row, column + 1), (row + 1, column)
            found += [((here,), (right,)), ((here,), (down,))]
            found.append(((here, (row + 1, column + 1)), (right, down)))
    covered = {(r, c) for r in range(board.rows) for c in range(board.columns) if board[r, c] == 9}
    return [each for each in found if covered.issuperset(each[0] + each[1])]


def by_layouts(truth: Truth, cell: Coordinate) -> Fraction:
    """By what makes it one: one half is mined and the other is not, and were it the other way round, no cell
    beside that is safe would show another number."""
    real = 0
    for one, other in patterns(truth.board):
        if cell not in one + other:
            continue
        for layout in truth.layouts:
            mined = [half for half in (one, other) if layout.issuperset(half)]
            if len(mined) != 1 or layout.intersection(one + other) != set(mined[0]):
                continue
            changed = layout.symmetric_difference(one + other)
            beside = {near for each in one + other for near in truth.board.neighbours(*each)}
            real += all(
                near in layout or truth.shows(near, layout) == truth.shows(near, frozenset(changed))
                for near in beside.difference(one + other)
            )
    return Fraction(real, len(truth.layouts))


@pytest.mark.parametrize(("text", "mines"), POSITIONS)
def test_how_likely_they_are(text: str, mines: int) -> None:
    board = Board.parse(text)
    truth = Truth(board, mines)
    player = new_player(board.rows, board.columns, mines)
    load_board(player, board.codes)
    found, cons = mine_chances(player.field, player.ws, 20000, player.chance, player.combined)
    assert found == 0
    likely = 0
    for row, column in truth.cells:
        if not 0 < truth.chance((row, column)) < 1:
            continue  # settled, and no more UNKNOWN to the player
        cell = (row + 1) * (board.columns + 2) + column + 1
        expected = by_layouts(truth, (row, column))
        assert fifty_fifty_chance(player, cell, 0.0) == pytest.approx(float(expected), abs=1e-12)
        assert fifty_fifty_chance(player, cell, 2.0) == 0 or expected > 0
        likely += expected > 0
    release_cells(player.ws, cons)
    assert likely
