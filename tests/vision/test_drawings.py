"""A skin draws each thing in one way: labels that join unlike drawings are unlikely."""

from __future__ import annotations

import numpy as np
import pytest
from looks import no_odd_mine

from bot.board import Board, Cell
from bot.vision.general.cell_reader import distances_between
from bot.vision.general.label_search import Floats
from bot.vision.general.labelling import label_looks
from bot.vision.general.network import LABELS
from bot.vision.general.odds.drawings import MOST, Doubles, Drawings, Looks

F, M = int(Cell.FLAG), int(Cell.MINE)


def at(*places: float) -> Doubles:
    """The distances between looks that lie at these places of a line."""
    line = np.array(places)
    return np.asarray(np.abs(line[:, None] - line), np.float64)


def cost(
    places: tuple[float, ...], labels: list[int], *, kinds: list[int] | None = None, cells: int = 2
) -> float:
    """Of looks that lie at these places of a line and have so many cells each."""
    own: Looks = np.arange(len(places)) if kinds is None else np.array(kinds)
    return Drawings(at(*places), own, np.full(len(places), cells)).cost(np.array(labels))


def test_one_drawing_of_each_thing_costs_nothing() -> None:
    assert cost((0, 2, 4), [F, M, 3]) == 0
    assert cost((0, 0.1, 0.2, 2), [F, F, F, M]) == 0


def test_two_drawings_of_one_thing_cost_the_more_the_farther_apart_they_are() -> None:
    near, far = cost((0, 0.6), [F, F]), cost((0, 0.7), [F, F])
    assert 0 < near < far < MOST
    assert cost((0, 9), [F, F]) == MOST


def test_what_lies_between_joins_two_drawings() -> None:
    assert cost((0, 0.4, 0.8), [F, F, F]) == 0
    assert cost((0, 0.4, 0.8), [F, M, F]) > 0


def test_three_drawings_cost_more_than_two() -> None:
    assert cost((0, 0.6, 1.2), [F, F, F]) == pytest.approx(2 * cost((0, 0.6), [F, F]))


def test_digits_may_lie_farther_apart() -> None:
    assert cost((0, 0.6), [3, 3]) == 0
    assert cost((0, 0.8), [3, 3]) > 0


def test_looks_of_a_kind_are_one_drawing() -> None:
    """A chain of like looks is one kind, however long."""
    assert cost((0, 9, 0.1), [F, F, F], kinds=[0, 0, 0]) == 0
    assert cost((0, 9, 0.1), [F, F, F], kinds=[0, 1, 0]) == MOST


def test_a_covered_cell_under_a_pointer_may_look_as_it_likes() -> None:
    covered = [int(Cell.COVERED)] * 2
    assert cost((0, 9), covered, cells=1) == 0
    assert cost((0, 9), covered, cells=2) == MOST
    assert cost((0, 9), [F, F], cells=1) == MOST


def test_what_is_no_cell_or_unread_needs_no_drawing() -> None:
    assert cost((0, 9), [int(Cell.UNREAD)] * 2) == 0


def test_other_labels_of_the_same_looks_cost_the_same_again() -> None:
    drawings = Drawings(at(0, 0.7, 3), np.arange(3), np.ones(3, np.intp))
    assert drawings.cost(np.array([F, F, M])) == drawings.cost(np.array([M, M, F])) > 0
    assert drawings.cost(np.array([3, 3, F])) < drawings.cost(np.array([F, F, 3]))


FLAGGED = Board.parse(
    """
    ##1..1F1
    111..111
    ........
    111..111
    1F1..1F1
    """
)


def flags_as_read(features: Floats) -> set[int]:
    """What the flags of FLAGGED, that the network takes for covered, are read as, by how cells look."""
    kinds, looks = np.unique(FLAGGED.codes, return_inverse=True)
    scores = np.full((len(kinds), LABELS), 0.0005)
    scores[np.arange(len(kinds)), kinds] = 0.99
    scores[kinds == F, [[Cell.FLAG], [Cell.COVERED]]] = [[0.2], [0.78]]
    looks = looks.reshape(FLAGGED.codes.shape)
    told = np.log(scores)[looks].astype(np.float32)
    codes = label_looks(told, looks, distances_between(features), no_odd_mine(looks)).codes
    return set(codes[FLAGGED.codes == F].tolist())


def test_covered_cells_that_look_unlike_the_others_are_something_else() -> None:
    kinds = np.unique(FLAGGED.codes)
    unlike = np.eye(len(kinds), dtype=np.float32)
    assert flags_as_read(unlike) <= {F, int(Cell.UNREAD)}
    alike = unlike.copy()
    alike[kinds == F] = alike[kinds == Cell.COVERED] + 0.01
    assert flags_as_read(alike) == {int(Cell.COVERED)}
