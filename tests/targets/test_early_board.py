"""What counts of a board while some of its cells are still in flight."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Observation, Phase, Rules
from bot.geometry import Rect
from bot.strategy.certain import early_decision
from bot.targets.window.sighting import View
from bot.targets.window.track.cell_rest import CellRest
from bot.targets.window.track.early_board import early_board
from bot.vision.grid import Grid, Image

KNOWN = Board.parse("1###\n####\n####")


def at_rest(*moving: tuple[int, int], shape: tuple[int, int] = (3, 4)) -> npt.NDArray[np.bool_]:
    rest = np.ones(shape, bool)
    for cell in moving:
        rest[cell] = False
    return rest


def early(
    read: str,
    *moving: tuple[int, int],
    known: Board = KNOWN,
    pending: tuple[tuple[int, int], ...] = (),
    pieces: bool = False,
) -> str | None:
    board = Board.parse(read)
    rest = at_rest(*moving, shape=board.codes.shape)
    found = early_board(known, board, rest, pending, pieces=pieces)
    return None if found is None else str(found)


def test_what_moves_is_unread_and_the_rest_counts() -> None:
    assert early("12##\n1###\n####", (1, 0)) == "12##\n!###\n####"


def test_a_cell_that_was_clicked_is_not_clicked_again() -> None:
    assert early("12##\n####\n####", pending=((2, 3), (0, 1))) == "12##\n####\n###!"


def test_a_zero_beside_what_is_not_opened_may_be_a_pressed_cell() -> None:
    # (0, 1) may be pressed; beside it (0, 2), which then need not be a 0 either.
    known = Board.parse("1###")
    assert early("1..1", known=known) == "1..1"
    assert early("1..#", known=known) == "1!!#"
    assert early("1..1", (0, 3), known=known) == "1!!!"


def test_pieces_hide_cells_beside_a_zero() -> None:
    known = Board.parse("1###")
    assert early("1..!", known=known, pieces=True) == "1..!"
    assert early("1..#", known=known, pieces=True) == "1.!#"


def test_what_was_opened_stays_what_it_was_under_a_piece() -> None:
    assert early("!2##\n1###\n####", pieces=True) == "12##\n1###\n####"
    assert early("#2##\n1###\n####", (0, 0), pieces=True) == "12##\n1###\n####"


def test_another_game_or_its_end_is_no_early_board() -> None:
    assert early("2###\n####\n####") is None
    assert early("####\n####\n####", (0, 0)) is None
    many = Board.parse("1111\n####\n####")
    assert early("####\n####\n####", *((0, c) for c in range(4)), known=many, pieces=True) is None
    assert early("1##*\n####\n####") is None
    assert early("1###\n####") is None


def test_what_hides_cells_of_a_still_game_is_no_piece() -> None:
    assert early("1##!\n####\n####") is None
    assert early("!!!!\n!!!!\n####", pieces=True) is None  # the end of the game, or a window over it


GRID = Grid(2, 1, 3, 3, columns=2, rows=1)
CODES = np.full((1, 2), Cell.UNREAD, np.int8)


def picture(*cells: int) -> Image:
    image: Image = np.zeros((5, 10, 3), np.uint8)
    for column, value in enumerate(cells):
        image[1:4, 2 + 3 * column : 5 + 3 * column] = value
    return image


def test_each_cell_rests_by_itself() -> None:
    rest = CellRest(GRID)
    for now, cells in ((0.0, (1, 1)), (1.0, (1, 2)), (2.0, (1, 3)), (3.0, (1, 3))):
        rest.update(picture(*cells), CODES, now)
        moving = cells[1] != 3 or now < 3
        assert rest.at_rest(now, 0.0, 0).tolist() == [[now > 0, not moving]]
    assert rest.at_rest(3.0, 2.0, 0).tolist() == [[True, False]]


def test_a_window_that_draws_nothing_shows_no_cell_at_rest() -> None:
    rest = CellRest(GRID)
    for now, cells in ((0.0, (1, 1)), (9.0, (1, 1)), (10.0, (1, 2)), (11.0, (1, 3))):
        rest.update(picture(*cells), CODES, now)
        assert rest.at_rest(now, 1.0, 2).tolist() == [[now == 11.0, False]]


def test_what_moves_beside_the_cells_does_not_matter() -> None:
    rest = CellRest(GRID)
    rest.update(picture(1, 1), CODES, 0.0)
    clock = picture(1, 1)
    clock[0] = 9
    rest.update(clock, CODES, 1.0)
    assert rest.at_rest(1.0, 1.0, 0).all()


def test_cells_that_reach_beyond_the_picture_are_compared_where_they_are_seen() -> None:
    grid = Grid(-1, -1, 4, 3, 2, 2)
    rest, shown = CellRest(grid), np.zeros((4, 6, 3), np.uint8)
    codes = np.zeros((2, 2), np.int8)
    rest.update(shown, codes, 0.0)
    changed = shown.copy()
    changed[3, 3] = 9
    rest.update(changed, codes, 1.0)
    assert rest.still.tolist() == [[True, True], [True, False]]
    assert View(Rect(0, 0, 6, 4), grid).cells_of(shown).shape == (4, 6, 3)


def test_a_number_counts_while_something_moves_in_its_cell() -> None:
    rest = CellRest(GRID)
    for now, codes in ((0.0, (2, 0)), (0.1, (2, 0)), (0.2, (3, 0)), (0.3, (3, 0))):
        rest.update(picture(int(100 * now), int(100 * now)), np.array([codes], np.int8), now)
        # An empty cell may be one of which the number is hidden, or not drawn yet.
        assert rest.settled(now, 0.12).tolist() == [[now in (0.1, 0.3), False]]


def decided(text: str) -> tuple[tuple[int, int], ...] | None:
    board = Board.parse(text)
    seen = Observation(board, Phase.PLAYING, Rules(board.columns, board.rows, 1), early=True)
    found = early_decision(seen)
    return None if found is None else found.safe


def test_only_what_is_seen_covered_is_opened_early() -> None:
    assert decided("1#!\n11!\n###") == ((2, 0), (2, 1), (2, 2))
    assert decided("1!!\n###") is None  # nothing follows: what is unread may be a mine
    assert decided("3#\n##") is None  # three mines
    assert decided("3#") is None  # cannot be: it is looked at again
