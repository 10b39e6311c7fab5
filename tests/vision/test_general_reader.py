"""Boards read with no skin: many skins, stages, scales and kinds of damage, and pictures with no board."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.errors import FormatError
from bot.geometry import Rect
from bot.vision.general.general_reader import _is_edge_clear, read_any_boards, without_cut_lines
from bot.vision.grid import Grid
from bot.vision.picture_reader import read_boards
from bot.vision.themes.theme import load_skins
from tests.sweeps import shares
from training.reader.no_boards import NOTHING, picture_without_board
from training.reader.variety.varied import sample, wrong_cells

ALL = range(512)

MAX_UNREAD = 0.02
"""At most this part of the cells of a board is unread: most often those in a corner of the picture."""

MISREAD = {438}
"""What of the whole set is not read so, has cells that are wrong, or too many that are unread."""

FAST = [number for number in range(0, 48, 4) if number not in MISREAD]
"""The pictures that `make check` looks at; together they have every skin, stage and kind of damage."""


def is_read(number: int) -> bool:
    """Whether the best board in a picture is the one that was drawn, each cell right or, a few, unread."""
    one = sample(number)
    boards = read_any_boards(one.image)
    if not boards or boards[0].board.codes.shape != one.board.codes.shape:
        return False
    others = [got for _, _, got, _ in wrong_cells(one, boards[0].board)]
    return set(others) <= {"!"} and len(others) <= MAX_UNREAD * one.board.codes.size


def check(number: int) -> None:
    assert is_read(number), sample(number).name


@pytest.mark.parametrize("number", FAST)
def test_a_board_is_read(number: int) -> None:
    check(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", [20120, 60019, 60292])
def test_outlines_that_fall_between_pixels_make_no_other_cells(number: int) -> None:
    check(number)


@pytest.mark.slow
@pytest.mark.parametrize(
    "number",
    [
        20319,  # a pointer on a board that is won
        20429,  # flags on light and on dark glass, in a game that is lost
        20679,  # a pointer that is much like a question mark
        20118,  # a pointer on an untouched board
        20916,  # a pointer on an untouched board whose lines fall between pixels
        21242,  # covered cells with and without an outline, of one colour
        21386,  # opened cells of another colour for each digit, and a 1 whose foot looks like a shadow
        21236,  # ten numbers and no 1
        20487,  # a 2 and a 3 that are hardly distinguishable, and opened cells with an outline of their own
        22306,  # small cells, blurred: opened ones are parted by lines as weak as what blurring leaves
        30217,  # few large cells in a window whose frame lies beside their lines, but not on the lattice
        31324,  # a faint checkerboard of many digits: half a cell off, nearly as many borders are seen
        31453,  # a palette in which the red behind the mine that exploded has become purple
        33318,  # a pointer that is as much like a 4 as like a mine
        33498,  # digits of one colour on hardly any cells: their colour says nothing
    ],
)
def test_what_held_out_pictures_showed_is_read(number: int) -> None:
    check(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", [9165, 21365])
def test_a_smeared_flag_or_digit_is_unread_and_not_misread(number: int) -> None:
    one = sample(number)
    board = read_any_boards(one.image)[0].board
    assert {got for _, _, got, _ in wrong_cells(one, board)} <= {"!"}


@pytest.mark.slow
@pytest.mark.parametrize("share", shares(8))
def test_every_board_of_the_whole_set_is_read(share: int) -> None:
    wrong = {number for number in ALL[share::8] if not is_read(number)}
    assert wrong == {number for number in MISREAD if number % 8 == share}


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTHING)
def test_where_there_is_no_board_none_is_made_up(name: str) -> None:
    told = "is no Minesweeper of squares" if name == "hexagons" else "no Minesweeper board"
    with pytest.raises(FormatError, match=told):
        read_boards(picture_without_board(name, 1).image, load_skins())


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 6, 8])
def test_a_sudoku_is_no_board_whatever_its_digits(seed: int) -> None:
    assert read_any_boards(NOTHING["sudoku"](np.random.default_rng(seed))) == []


@pytest.mark.slow
def test_a_cell_that_is_covered_by_something_is_unread_or_right() -> None:
    one = sample(0)
    picture = one.image.copy()
    middle = picture.shape[0] // 2, picture.shape[1] // 2
    picture[middle[0] : middle[0] + 20, middle[1] : middle[1] + 20] = (200, 30, 220)
    for read in read_any_boards(picture):
        if read.board.codes.shape == one.board.codes.shape:
            seen = read.board.codes != Cell.UNREAD
            assert np.array_equal(read.board.codes[seen], one.board.codes[seen])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("....\n11..\n#1..\n11..", "11.\n#1.\n11."),
        (".1..\n11..\n#1..\n11..", ".1.\n11.\n#1.\n11."),
        ("...1\n11.1\n#1..\n11..", "...1\n11.1\n#1..\n11.."),
    ],
)
def test_lines_that_the_picture_cuts_off_count_where_something_is_seen(text: str, left: str) -> None:
    board = Board.parse(text)
    cut = Grid(10, -12, 20, 20, 4, 4)  # of its first row 8 of 20 pixels are in sight, of its last column 10
    grid, codes = without_cut_lines(cut, board.codes, np.zeros((80, 80, 3), np.uint8))
    assert str(Board(codes)) == left
    above = board.rows - len(codes)
    assert (grid.x, grid.y, *grid.shape) == (10, -12 + 20 * above, *codes.shape)


@pytest.mark.slow
def test_the_same_picture_gives_the_same_board() -> None:
    one = sample(4)
    assert isinstance(one.board, Board)
    assert [b.board for b in read_any_boards(one.image)] == [b.board for b in read_any_boards(one.image)]


@pytest.mark.parametrize(
    ("beside", "is_clear"), [((0.9, 0.9, 0.8, 0, 0, 0, 0, 0), True), ((0.35,) * 8, False)]
)
def test_three_buttons_above_a_board_are_no_row_of_it(beside: tuple[float, ...], is_clear: bool) -> None:
    chances = np.zeros((10, 12))
    chances[2:8, 2:10] = 1
    chances[1, 2:10] = beside
    assert _is_edge_clear(chances, Rect(2, 2, 8, 6)) == is_clear
