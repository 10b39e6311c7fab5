"""What the network says of cells, joined with the rules of the game."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from looks import no_odd_mine, unlike_thumbnails

from bot.board import Board, Cell, Codes
from bot.vision.general.cell_reader import CellScores, distances_between
from bot.vision.general.label_search import Floats, LabelSearch, Looks
from bot.vision.general.labelling import (
    MOST_VOTES,
    Labelling,
    _judged_with_alike,
    are_of_no_lost_game,
    label_cells,
    label_looks,
)
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


def scores_of(opinions: Floats, looks: Looks) -> CellScores:
    """What networks say, (networks, rows, columns, LABELS), of looks that are all far from each other."""
    return CellScores(opinions, looks, unlike(looks), unlike_thumbnails(looks))


def codes_of(scores: Floats, looks: Looks, features: Floats | None = None) -> Codes:
    distances = distances_between(unlike(looks) if features is None else features)
    return label_looks(scores, looks, distances, no_odd_mine(looks)).codes


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


def test_many_cells_that_are_drawn_alike_are_not_so_many_witnesses() -> None:
    """Noise gives each cell a look of its own; a 5 is a little like each of the 3s."""
    scores = np.full((12, LABELS), -9.0)
    scores[:, 3], scores[0, [3, 5]] = 0, (-3.5, 0)
    features = np.eye(12) * 0.05
    features[:, 0] = 1
    features[0, :2] = 1, 0.38
    judged = _judged_with_alike(scores, distances_between(features.astype(np.float32)), MOST_VOTES)
    assert judged[0, 5] > judged[0, 3]


def test_looks_that_are_hardly_unlike_count_as_one() -> None:
    scores, looks = sure(LOST, 0.9999), every_cell_its_own(LOST)
    mines = LOST.codes == Cell.MINE
    for cell in np.argwhere(mines):
        set_scores(scores, tuple(cell), {Cell.MINE: 0.8, Cell.FLAG: 0.199})
    assert (codes_of(scores, looks, drawn_alike(looks, mines, 0.4))[mines] == Cell.UNREAD).all()
    assert (codes_of(scores, looks, drawn_alike(looks, mines, 0.05))[mines] == Cell.MINE).all()


def test_each_of_looks_that_are_hardly_unlike_may_be_the_mine_that_exploded_or_a_digit() -> None:
    looks = np.arange(9).reshape(3, 3)
    pooled = np.full((9, LABELS), -9.0)
    pooled[:, [Cell.MINE, Cell.FLAG, Cell.EXPLODED, 6]] = -0.2, -1.2, -1.7, -2.2
    costs = LabelSearch(pooled, looks, np.zeros((9, 9)), no_odd_mine(looks)).costs
    assert costs[:, Cell.FLAG] == pytest.approx(3.0)
    assert costs[:, Cell.EXPLODED] == pytest.approx(1.5)
    assert costs[:, 6] == pytest.approx(2.0)


def test_whether_an_unsure_plain_cell_is_covered_says_none_that_looks_alike() -> None:
    scores = sure(BOARD)
    set_scores(scores, (1, 0), {Cell.EMPTY: 0.95, Cell.COVERED: 0.045})
    looks = every_cell_its_own(BOARD)
    features = unlike(looks)
    for cell in ((0, 2), (0, 3), (1, 2), (1, 3)):
        features[looks[cell]] = features[looks[1, 0]] + 0.01
    assert np.array_equal(codes_of(scores, looks, features), BOARD.codes)


@pytest.mark.parametrize(("own", "other"), [(Cell.COVERED, Cell.EMPTY), (Cell.EMPTY, Cell.COVERED)])
def test_nor_where_it_could_be_a_digit(own: Cell, other: Cell) -> None:
    """On a striped cell the networks half saw a 2: the opened cells that it was like made it one of them."""
    scores = np.full((4, LABELS), -9.0)
    scores[0, [own, 2]], scores[1:3, other], scores[3, 2] = (0, -0.5), 0, 0
    features = np.ones((4, 4), np.float32) + np.eye(4, dtype=np.float32) * 0.05
    judged = _judged_with_alike(scores, distances_between(features), MOST_VOTES)
    assert judged[0, other] < judged[0, own]
    assert judged[0, 2] > judged[0, own], "it is judged with the 2"


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


def test_question_marks_that_are_taken_for_mines_are_question_marks_where_other_mines_stay_hidden() -> None:
    board = Board.parse(
        """
        ..1###
        ..1#?#
        112###
        ##?###
        #####?
        """
    )
    scores = sure(board, 0.99999)
    marks = board.codes == Cell.QUESTION
    for cell in np.argwhere(marks):
        set_scores(scores, tuple(cell), {Cell.MINE: 0.999, Cell.FLAG: 1e-6, Cell.QUESTION: 1e-6})
    assert np.array_equal(codes_of(scores, looks_of(board)), board.codes)


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


LOST_BY_FLAGS = Board.parse(
    """
    1F1..1*1
    111..111
    ........
    111..111
    1F1..1X1
    """
)


def doubted(first: dict[int, float], second: dict[int, float], *, is_alone: bool = False) -> Labelling:
    """How a lost game is read whose flags and mines are drawn much alike, and whose two flags have these
    chances."""
    scores = sure(LOST_BY_FLAGS, 0.9999)
    set_scores(scores, (0, 1), first)
    set_scores(scores, (4, 1), second)
    looks = every_cell_its_own(LOST_BY_FLAGS)
    features = drawn_alike(looks, LOST_BY_FLAGS.codes >= Cell.FLAG)
    return label_looks(scores, looks, distances_between(features), no_odd_mine(looks), is_alone=is_alone)


def drawn_alike(looks: Looks, cells: npt.NDArray[np.bool_], apart: float = 0.45) -> Floats:
    """Features of looks that are all far from each other, but those of some cells, (rows, columns)."""
    features = unlike(looks)
    alike = looks[cells]
    own = apart / np.sqrt(2)
    features[alike] *= own
    features[alike, alike[0]] += np.sqrt(1 - own**2)
    return features


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


def test_what_one_network_doubts_counts_for_no_other_cell() -> None:
    codes = doubted(DOUBTFUL_FLAG, LIKELY_FLAG, is_alone=True).codes
    assert codes[0, 1] == Cell.UNREAD
    assert codes[4, 1] == Cell.FLAG


def test_a_cell_that_breaks_a_rule_alone_says_nothing_of_others() -> None:
    """A covered cell under a mouse pointer was taken for a mine that exploded, and all flags were unread."""
    board = Board.parse(".1F##\n.11##\n..1##\n..1F#\n..11#")
    scores, looks = sure(board, 0.9999), looks_of(board)
    looks[0, 3] = looks.max() + 1
    set_scores(scores, (0, 3), {Cell.EXPLODED: 0.98, Cell.COVERED: 0.009})
    assert np.array_equal(codes_of(scores, looks), board.replaced([(0, 3)], Cell.UNREAD).codes)


def test_not_to_know_which_mark_is_on_a_cell_does_not_speak_against_a_board() -> None:
    assert doubted(DOUBTFUL_FLAG, LIKELY_FLAG).unclear == 0
    assert doubted({Cell.FLAG: 0.5, NOT_A_CELL: 0.49}, LIKELY_FLAG).unclear == 1


def read_by(*chances: Chances, is_one_of_many: bool = False, board: Board = BOARD) -> Codes:
    """How a board is read whose covered cell at the top right has these chances for some networks, each its
    own."""
    opinions = np.stack([sure(board) for _ in chances])
    for opinion, one in zip(opinions, chances, strict=True):
        set_scores(opinion, (0, 3), one)
    looks = every_cell_its_own(board)
    told = scores_of(opinions, looks)
    return label_cells(told, is_one_of_many=is_one_of_many).codes


SURELY_COVERED: Chances = {Cell.COVERED: 0.9999}
SURELY_A_FLAG: Chances = {Cell.FLAG: 0.99, Cell.COVERED: 0.005}


def test_what_networks_agree_on_is_read() -> None:
    assert np.array_equal(read_by(SURELY_COVERED, SURELY_COVERED, SURELY_COVERED), BOARD.codes)


def test_what_two_networks_do_not_read_as_all_together_is_unread() -> None:
    """One reads it otherwise and one not at all, though together they are sure."""
    cannot_tell: Chances = {Cell.COVERED: 0.6, Cell.FLAG: 0.399}
    assert np.array_equal(read_by(SURELY_COVERED, SURELY_COVERED, SURELY_A_FLAG), BOARD.codes)
    codes = read_by(*[SURELY_COVERED] * 4, cannot_tell, SURELY_A_FLAG)
    assert codes[0, 3] == Cell.UNREAD
    assert (codes == Cell.UNREAD).sum() == 1


def test_what_one_network_reads_otherwise_is_unread_while_a_game_is_played() -> None:
    """However sure all are: one of them is wrong, and a click would follow."""
    codes = read_by(SURELY_COVERED, SURELY_COVERED, SURELY_A_FLAG, is_one_of_many=True)
    assert codes[0, 3] == Cell.UNREAD
    assert (codes == Cell.UNREAD).sum() == 1


def test_what_two_networks_cannot_tell_is_unread() -> None:
    cannot_tell: Chances = {Cell.COVERED: 0.5, Cell.FLAG: 0.49}
    assert np.array_equal(read_by(SURELY_COVERED, SURELY_COVERED, cannot_tell), BOARD.codes)
    codes = read_by(SURELY_COVERED, cannot_tell, cannot_tell)
    assert codes[0, 3] == Cell.UNREAD
    assert (codes == Cell.UNREAD).sum() == 1
    assert np.array_equal(read_by(SURELY_COVERED, cannot_tell, cannot_tell, is_one_of_many=True), BOARD.codes)


def test_a_flag_that_is_alone_on_a_board_is_read_where_every_network_tells_it() -> None:
    """Under a mouse pointer a covered cell may look like one."""
    cannot_tell: Chances = {Cell.FLAG: 0.5, Cell.COVERED: 0.49}
    assert read_by(SURELY_A_FLAG, SURELY_A_FLAG, SURELY_A_FLAG)[0, 3] == Cell.FLAG
    for other in (cannot_tell, SURELY_COVERED):
        codes = read_by(*[SURELY_A_FLAG] * 4, other)
        assert codes[0, 3] == Cell.UNREAD
        assert (codes == Cell.UNREAD).sum() == 1


def test_a_single_wrong_flag_is_read_where_every_network_tells_it() -> None:
    """It may be a pointer on a covered cell, too."""
    board = Board.parse("*1##\n111x\n.1X1\n.111")
    opinions, looks = np.stack([sure(board, 0.9999)] * 3), every_cell_its_own(board)
    told = scores_of(opinions, looks)
    assert np.array_equal(label_cells(told).codes, board.codes)
    set_scores(opinions[2], (1, 3), {Cell.COVERED: 0.9999})
    codes = label_cells(scores_of(opinions, looks)).codes
    assert codes[1, 3] == Cell.UNREAD
    assert (codes == Cell.UNREAD).sum() == 1


@pytest.mark.parametrize(("doubting", "is_read"), [(1, True), (2, False)])
def test_a_digit_that_two_networks_cannot_tell_is_unread(doubting: int, is_read: bool) -> None:
    board = Board.parse(".1#\n.2#\n.1#")
    opinions = np.stack([sure(board, 0.9999)] * 3)
    looks = every_cell_its_own(board)
    for opinion in opinions[:doubting]:
        set_scores(opinion, (0, 1), {1: 0.5, 2: 0.49})
    codes = label_cells(scores_of(opinions, looks)).codes
    assert codes[0, 1] == (1 if is_read else Cell.UNREAD)
    assert (codes == Cell.UNREAD).sum() == (not is_read)


def read_by_three(scores: Floats, looks: Looks) -> Codes:
    return label_cells(scores_of(np.stack([scores] * 3), looks)).codes


@pytest.mark.parametrize(("chance", "is_read"), [(0.03, True), (0.003, False)])
def test_a_mark_that_the_networks_take_for_something_else_is_unread(chance: float, is_read: bool) -> None:
    """The rules alone make them mines."""
    scores = sure(LOST)
    for cell in np.argwhere(LOST.codes == Cell.MINE):
        set_scores(scores, tuple(cell), {Cell.WRONG_FLAG: 0.96, Cell.MINE: chance})
    codes = read_by_three(scores, looks_of(LOST))
    marks = LOST.codes == Cell.MINE
    assert np.array_equal(codes[~marks], LOST.codes[~marks])
    assert (codes[marks] == (Cell.MINE if is_read else Cell.UNREAD)).all()


def test_a_lost_board_is_read() -> None:
    assert np.array_equal(read_by_three(sure(LOST, 0.99999), looks_of(LOST)), LOST.codes)


@pytest.mark.parametrize(
    "rows",
    [
        # A mine is still hidden.
        "1*1..1#1/111..111/......../111..111/1*1..1X1",
        # No mine is shown.
        "1F1..1F1/111..111/......../x11..111/111..1F1",
    ],
)
def test_what_a_lost_game_shows_is_unread_on_a_board_that_is_not_lost(rows: str) -> None:
    board = Board.parse(rows.replace("/", "\n"))
    shown = np.isin(board.codes, (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG))
    assert np.array_equal(are_of_no_lost_game(board.codes), shown)
    codes = read_by_three(sure(board, 0.9999999), every_cell_its_own(board))
    numbered = board.codes < Cell.COVERED
    assert np.array_equal(codes[numbered], board.codes[numbered])
    assert not are_of_no_lost_game(codes).any()


def test_a_game_may_show_the_mine_alone_that_exploded() -> None:
    board = Board.parse("1#1..1#1\n111..111\n........\n111..111\n1#1..1X1")
    assert not are_of_no_lost_game(board.codes).any()


@pytest.mark.parametrize(("covered", "question", "is_read"), [(0.75, 0.24, True), (0.7, 0.29, False)])
def test_what_all_networks_take_for_the_same_is_read_though_two_are_not_sure(
    covered: float, question: float, is_read: bool
) -> None:
    hardly_sure: Chances = {Cell.COVERED: covered, Cell.QUESTION: question}
    codes = read_by(SURELY_COVERED, hardly_sure, hardly_sure)
    assert codes[0, 3] == (Cell.COVERED if is_read else Cell.UNREAD)
    assert (codes == Cell.UNREAD).sum() == (not is_read)


def test_it_is_not_on_a_board_that_breaks_a_rule() -> None:
    board = BOARD.replaced([(2, 0)], 1)
    hardly_sure: Chances = {Cell.COVERED: 0.75, Cell.QUESTION: 0.24}
    assert read_by(SURELY_COVERED, hardly_sure, hardly_sure, board=board)[0, 3] == Cell.UNREAD
