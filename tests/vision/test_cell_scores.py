"""What the networks say of the cells of a grid."""

from __future__ import annotations

import numpy as np

from bot.board import Cell
from bot.vision.general.cell_reader import CellScores
from bot.vision.general.network import LABELS, NOT_A_CELL


def scores_of(chances: list[float], looks: list[int], label: int) -> CellScores:
    """A row of cells that are none by some chances, and otherwise this."""
    opinion = np.full((1, len(chances), LABELS), -20, np.float32)
    opinion[0, :, NOT_A_CELL] = np.log(chances)
    opinion[0, :, label] = np.log(1 - np.array(chances))
    return CellScores(opinion[None], np.array([looks]), np.zeros((max(looks) + 1, 4), np.float32))


def test_a_covered_cell_at_the_edge_that_looks_like_all_others_is_as_likely_one() -> None:
    told = scores_of([0.01, 0.01, 0.01, 0.8, 0.8], [0, 0, 0, 0, 1], Cell.COVERED)
    assert np.allclose(told.is_cell, [[0.99, 0.99, 0.99, 1 - 0.83 / 4, 0.2]], atol=1e-3)


def test_what_looks_like_an_empty_cell_may_be_the_window_beside_the_board() -> None:
    told = scores_of([0.01, 0.01, 0.01, 0.8], [0, 0, 0, 0], Cell.EMPTY)
    assert np.allclose(told.is_cell, [[0.99, 0.99, 0.99, 0.2]], atol=1e-3)


def test_what_is_mostly_no_cell_makes_no_cell_less_likely() -> None:
    told = scores_of([0.9, 0.9, 0.1], [0, 0, 0], Cell.FLAG)
    assert np.allclose(told.is_cell, [[1 - 1.9 / 3, 1 - 1.9 / 3, 0.9]], atol=1e-3)
