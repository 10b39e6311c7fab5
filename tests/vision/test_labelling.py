"""What the network says of cells, joined with the rules of the game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from bot.board import Board, Cell, Codes
from bot.vision.general.cell_reader import CellScores
from bot.vision.general.label_search import Floats, Looks
from bot.vision.general.labelling import Labelling, label_cells, label_looks
from bot.vision.general.network import LABELS, NOT_A_CELL

BOARD = Board.parse(
    """
    .1##
    .1##
    .11#
    ...1
    """.replace("...1", "..1#")
)


def sure(board: Board, certainty: float = 0.999) -> Floats:
    """The scores of a network that is as sure as this of every cell."""
    scores = np.full((*board.codes.shape, LABELS), (1 - certainty) / (LABELS - 1))
    np.put_along_axis(scores, board.codes[..., None].astype(int), certainty, axis=2)
    return np.log(scores).astype(np.float32)


def looks_of(board: Board) -> Looks:
    """One look for each code of a board."""
    return np.unique(board.codes, return_inverse=True)[1].reshape(board.codes.shape)


def every_cell_its_own(board: Board) -> Looks:
    return np.arange(board.codes.size).reshape(board.codes.shape)


def unlike(looks: Looks) -> Floats:
    """Features of looks that are all far from each other."""
    return np.eye(int(looks.max()) + 1, dtype=np.float32)


def codes_of(scores: Floats, looks: Looks, features: Floats | None = None) -> Codes:
    return label_looks(scores, looks, unlike(looks) if features is None else features).codes


def set_scores(scores: Floats, cell: tuple[int, int], chances: dict[int, float]) -> None:
    rest = (1 - sum(chances.values())) / (LABELS - len(chances))
    scores[cell] = np.log([chances.get(label, rest) for label in range(LABELS)])


def test_what_is_certain_is_read() -> None:
    assert np.array_equal(codes_of(sure(BOARD), looks_of(BOARD)), BOARD.codes)


def test_a_cell_of_which_two_labels_are_likely_is_unread() -> None:
    scores = sure(BOARD)
    set_scores(scores, (0, 3), {Cell.COVERED: 0.55, Cell.FLAG: 0.44})
    codes = codes_of(scores, every_cell_its_own(BOARD))
    assert codes[0, 3] == Cell.UNREAD
    assert (codes != Cell.UNREAD).sum() == codes.size - 1


def test_the_rules_decide_between_two_likely_labels() -> None:
    scores = sure(BOARD)
    # Its neighbours are two covered cells and no more: a 3 cannot be.
    set_scores(scores, (2, 2), {3: 0.6, 1: 0.39})
    board = Board(BOARD.codes)
    codes = codes_of(scores, every_cell_its_own(board))
    assert codes[2, 2] in (1, Cell.UNREAD)


def test_cells_of_one_look_are_judged_together() -> None:
    scores = sure(BOARD, 0.99)
    set_scores(scores, (0, 1), {2: 0.6, 1: 0.39})
    assert codes_of(scores, looks_of(BOARD))[0, 1] == 1


def test_what_is_no_cell_is_unread() -> None:
    scores = sure(BOARD)
    set_scores(scores, (3, 0), {NOT_A_CELL: 0.99})
    assert codes_of(scores, every_cell_its_own(BOARD))[3, 0] == Cell.UNREAD


def test_less_certain_cells_beside_a_broken_rule_are_unread() -> None:
    board = Board.parse("111#/1F1#/111#/####".replace("/", "\n"))
    scores = sure(board, 0.9999)
    labels = {2: 0.95, 1: 0.04}
    set_scores(scores, (0, 0), labels)
    codes = codes_of(scores, every_cell_its_own(board))
    # One mine is around the corner: either the rules make it a 1, or it is left.
    assert codes[0, 0] in (1, Cell.UNREAD)


def test_an_unsure_look_is_judged_with_what_looks_alike() -> None:
    scores = sure(BOARD)
    set_scores(scores, (0, 3), {Cell.COVERED: 0.55, Cell.FLAG: 0.44})
    looks = every_cell_its_own(BOARD)
    features = unlike(looks)
    for column in (2, 3):
        features[looks[1, column]] = features[looks[0, 3]] + 0.01
    assert codes_of(scores, looks)[0, 3] == Cell.UNREAD
    assert codes_of(scores, looks, features)[0, 3] == Cell.COVERED


LOST = Board.parse(
    """
    1*1..1*1
    111..111
    ........
    111..111
    1*1..1X1
    """
)


def test_mines_that_are_taken_for_wrong_flags_are_mines_by_the_numbers() -> None:
    scores = sure(LOST)
    for cell in np.argwhere(LOST.codes == Cell.MINE):
        set_scores(scores, tuple(cell), {Cell.WRONG_FLAG: 0.9999, Cell.MINE: 0.00001})
    assert np.array_equal(codes_of(scores, looks_of(LOST)), LOST.codes)


ISLAND = Board.parse(
    """
    1221..1#
    1##1..1#
    1221..1#
    ......1#
    111...11
    1#1.....
    """
)


@pytest.mark.parametrize("certainty", [0.6, 0.95])
def test_opened_cells_of_a_look_of_their_own_that_are_taken_for_covered_ones_are_empty(
    certainty: float,
) -> None:
    scores = sure(ISLAND)
    for cell in np.argwhere(ISLAND.codes == Cell.EMPTY):
        set_scores(scores, tuple(cell), {Cell.COVERED: certainty, Cell.EMPTY: 0.99 - certainty})
    assert np.array_equal(codes_of(scores, looks_of(ISLAND)), ISLAND.codes)


def test_where_every_cell_that_is_covered_looks_alike_nothing_speaks_for_mines() -> None:
    board = Board.parse("1221/1##1/1221/....".replace("/", "\n"))
    assert np.array_equal(codes_of(sure(board), looks_of(board)), board.codes)


LOST_EARLY = Board.parse(
    """
    1*1..1*1
    111..111
    1221.111
    2**1.1X1
    2*432211
    222**211
    *##4*3#*
    #*##*###
    """
)


def test_small_mines_that_are_taken_for_covered_cells_are_mines_by_the_numbers() -> None:
    """Their features are so much like those of covered cells that both are of one kind."""
    looks = looks_of(LOST_EARLY)
    features = unlike(looks)
    is_mine, is_covered = (looks[LOST_EARLY.codes == label][0] for label in (Cell.MINE, Cell.COVERED))
    features[is_mine] = 0.912 * features[is_covered] + 0.41 * features[is_mine]
    scores = sure(LOST_EARLY)
    for cell in np.argwhere(LOST_EARLY.codes == Cell.MINE):
        set_scores(scores, tuple(cell), {Cell.COVERED: 0.9, Cell.MINE: 0.09})
    assert np.array_equal(codes_of(scores, looks, features), LOST_EARLY.codes)


@pytest.mark.parametrize("is_odd", [True, False])
def test_which_mine_exploded_must_be_clear(is_odd: bool) -> None:
    looks = every_cell_its_own(LOST)
    scores = sure(LOST)
    set_scores(scores, (4, 6), {Cell.EXPLODED: 0.98, Cell.MINE: 0.009})
    features = unlike(looks)
    others = looks[LOST.codes == Cell.MINE]
    if not is_odd:
        features[looks[4, 6]] = 0.995 * features[others[0]] + 0.1 * features[looks[4, 6]]
    features[others] = features[others[0]]
    of_picture = label_looks(scores, looks, features).codes
    assert of_picture[4, 6] == (Cell.EXPLODED if is_odd else Cell.UNREAD)
    of_game = label_looks(scores, looks, features, is_one_of_many=True).codes
    assert np.array_equal(of_game, LOST.codes)


LOST_BY_FLAGS = Board.parse(
    """
    1F1..1*1
    111..111
    ........
    111..111
    1F1..1X1
    """
)


def doubted(first: dict[int, float], second: dict[int, float]) -> Labelling:
    """How a lost game is read whose two flags have these chances."""
    scores = sure(LOST_BY_FLAGS, 0.9999)
    set_scores(scores, (0, 1), first)
    set_scores(scores, (4, 1), second)
    looks = every_cell_its_own(LOST_BY_FLAGS)
    return label_looks(scores, looks, unlike(looks))


Chances = dict[int, float]

CLEAR_FLAG: Chances = {Cell.FLAG: 0.999, Cell.MINE: 0.0001}
LIKELY_FLAG: Chances = {Cell.FLAG: 0.96, Cell.MINE: 0.03}
DOUBTFUL_FLAG: Chances = {Cell.FLAG: 0.5, Cell.MINE: 0.49}


def test_where_one_mark_is_doubtful_those_are_too_that_are_hardly_surer() -> None:
    assert np.array_equal(doubted(CLEAR_FLAG, LIKELY_FLAG).codes, LOST_BY_FLAGS.codes)
    codes = doubted(DOUBTFUL_FLAG, LIKELY_FLAG).codes
    assert codes[0, 1] == codes[4, 1] == Cell.UNREAD
    assert (codes == Cell.UNREAD).sum() == 2
    codes = doubted(DOUBTFUL_FLAG, CLEAR_FLAG).codes
    assert codes[0, 1] == Cell.UNREAD
    assert codes[4, 1] == Cell.FLAG


def test_not_to_know_which_mark_is_on_a_cell_does_not_speak_against_a_board() -> None:
    assert doubted(DOUBTFUL_FLAG, LIKELY_FLAG).unclear == 0
    assert doubted({Cell.FLAG: 0.5, NOT_A_CELL: 0.49}, LIKELY_FLAG).unclear == 1


def read_by_three(
    *chances: Chances, is_one_of_many: bool = False, cells: Sequence[tuple[int, int]] = ((0, 3),)
) -> Codes:
    """How BOARD is read whose covered cell at the top right, or some of one look, has these chances for the
    network that judges and for the others."""
    opinions = np.stack([sure(BOARD)] * len(chances))
    looks = every_cell_its_own(BOARD)
    for cell in cells:
        looks[cell] = looks[cells[0]]
        for opinion, of_cell in zip(opinions, chances, strict=True):
            set_scores(opinion, cell, of_cell)
    looks = np.unique(looks, return_inverse=True)[1].reshape(looks.shape)
    features = np.stack([unlike(looks)] * len(chances), axis=1)
    return label_cells(CellScores(opinions, looks, features), is_one_of_many=is_one_of_many).codes


SURELY_COVERED: Chances = {Cell.COVERED: 0.9999}
SURELY_A_FLAG: Chances = {Cell.FLAG: 0.99, Cell.COVERED: 0.005}
CANNOT_TELL: Chances = {Cell.COVERED: 0.5, Cell.FLAG: 0.49}


def test_what_all_networks_agree_on_is_read() -> None:
    assert np.array_equal(read_by_three(SURELY_COVERED, SURELY_COVERED, SURELY_COVERED), BOARD.codes)


@pytest.mark.parametrize("is_one_of_many", [False, True])
def test_what_one_network_reads_otherwise_is_unread(is_one_of_many: bool) -> None:
    """However sure all are: one of them is wrong."""
    codes = read_by_three(SURELY_COVERED, SURELY_COVERED, SURELY_A_FLAG, is_one_of_many=is_one_of_many)
    assert codes[0, 3] == Cell.UNREAD
    assert (codes == Cell.UNREAD).sum() == 1


def test_what_no_other_network_can_tell_is_unread() -> None:
    codes = read_by_three(SURELY_COVERED, CANNOT_TELL, CANNOT_TELL)
    assert codes[0, 3] == Cell.UNREAD
    assert (codes == Cell.UNREAD).sum() == 1
    of_game = read_by_three(SURELY_COVERED, CANNOT_TELL, CANNOT_TELL, is_one_of_many=True)
    assert np.array_equal(of_game, BOARD.codes)


def test_what_one_other_network_cannot_tell_is_unread_on_a_single_cell_alone() -> None:
    """A mouse pointer makes such cells."""
    assert read_by_three(SURELY_COVERED, CANNOT_TELL, SURELY_COVERED)[0, 3] == Cell.UNREAD
    two = read_by_three(SURELY_COVERED, CANNOT_TELL, SURELY_COVERED, cells=[(0, 3), (1, 3)])
    assert np.array_equal(two, BOARD.codes)
