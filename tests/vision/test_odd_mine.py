"""The mine that exploded is the one that looks least like the others."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.vision.general.cell_reader import distances_between
from bot.vision.general.label_search import Floats, Looks
from bot.vision.general.labelling import label_looks
from bot.vision.general.network import LABELS
from bot.vision.general.odds.odd_mine import Doubles, OddMine

MINES = 6


def apart(odd: float, noise: float) -> Doubles:
    """The distances between mines, each `noise` from the others, but the first, `odd` from all."""
    distances = np.full((MINES, MINES), noise)
    distances[0] = distances[:, 0] = odd
    np.fill_diagonal(distances, 0)
    return distances


def cost(odd: float, noise: float, exploded: int | None) -> float:
    labels = np.full(MINES, int(Cell.MINE))
    if exploded is not None:
        labels[exploded] = int(Cell.EXPLODED)
    return OddMine(apart(odd, noise), np.ones(MINES, np.intp)).cost(labels)


def test_the_odd_one_exploded() -> None:
    assert cost(0.9, 0.3, exploded=0) == 0
    assert cost(0.9, 0.3, exploded=None) > 3
    assert cost(0.9, 0.3, exploded=3) > 3


def test_where_all_look_alike_none_exploded() -> None:
    assert cost(0.3, 0.3, exploded=None) == 0
    assert cost(0.3, 0.3, exploded=0) > 2


def test_distances_of_noise_say_nothing() -> None:
    """A single mine at the edge of a board differs a little from the others, which are equal."""
    assert cost(0.16, 0.0, exploded=None) == 0


def test_mines_of_one_look_are_not_odd() -> None:
    labels = np.array([int(Cell.MINE), int(Cell.EXPLODED)])
    distances = np.array([[0.0, 0.9], [0.9, 0.0]])
    assert OddMine(distances, np.array([5, 1])).cost(labels) == 0
    assert OddMine(distances, np.array([1, 5])).cost(labels) > 3


@pytest.mark.parametrize("cells", [1, 2])
def test_few_mines_tell_nothing(cells: int) -> None:
    labels = np.array([int(Cell.MINE), int(Cell.EXPLODED)])
    assert OddMine(np.zeros((2, 2)), np.array([cells, 1])).cost(labels) == 0


def board_of_mines(odd: int | None) -> tuple[Floats, Looks, Floats, Board]:
    """A lost game whose mines are taken for unexploded ones, most surely the one that looks otherwise."""
    board = Board.parse(
        """
        *1.1*2
        11.12*
        ....11
        111111
        1*11*1
        """
    )
    codes = board.codes
    chances = np.full((*codes.shape, LABELS), 1e-5)
    np.put_along_axis(chances, codes[..., None].astype(int), 0.999, axis=2)
    mines = codes == Cell.MINE
    chances[mines, int(Cell.MINE)], chances[mines, int(Cell.EXPLODED)] = 0.7, 0.3
    looks = np.arange(codes.size).reshape(codes.shape)
    features = np.zeros((codes.size, LABELS + 1), np.float32)
    features[np.arange(codes.size), codes.ravel()] = 1
    if odd is not None:
        features[looks[mines][odd], LABELS] = 1
        row, column = np.argwhere(mines)[odd]
        chances[row, column, int(Cell.MINE)], chances[row, column, int(Cell.EXPLODED)] = 0.85, 0.15
    return np.log(chances).astype(np.float32), looks, features, board


@pytest.mark.parametrize("odd", range(5))
def test_it_is_read_where_the_network_hardly_knows(odd: int) -> None:
    scores, looks, features, board = board_of_mines(odd)
    expected = board.codes.copy()
    place = np.argwhere(board.codes == Cell.MINE)[odd]
    expected[tuple(place)] = Cell.EXPLODED
    assert np.array_equal(label_looks(scores, looks, distances_between(features)).codes, expected)


def test_which_exploded_stays_open_where_all_are_alike() -> None:
    scores, looks, features, board = board_of_mines(None)
    codes = label_looks(scores, looks, distances_between(features)).codes
    assert not (codes == Cell.EXPLODED).any()
    assert np.array_equal(codes[board.codes != Cell.MINE], board.codes[board.codes != Cell.MINE])
