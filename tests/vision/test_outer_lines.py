"""Outer lines of a board that are taken for what lies around it, or the other way round."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, Codes
from bot.geometry import Rect
from bot.vision.general import general_reader
from bot.vision.general.cell_reader import CellReader
from bot.vision.grid import Grid, Image
from bot.vision.grids.lattices.opened_ground import line_of_ground, without_other_ground
from bot.vision.plausibility import without_lines_of_nothing
from training.reader.variety.varied import sample

CELL, X, Y = 20, 60, 50
BOARD = Board.parse("....1\n.111#\n.1###\n.1###\n.1###")
GRID = Grid(X, Y, CELL, CELL, 5, 5)
GROUND, AROUND = (220, 210, 200), (120, 130, 140)


def picture(left: float = 0, right: float = 0, top: float = 0, bottom: float = 0) -> Image:
    """`BOARD`, drawn so."""
    return drawn_board(BOARD, left, right, top, bottom)


def drawn_board(board: Board, left: float = 0, right: float = 0, top: float = 0, bottom: float = 0) -> Image:
    """A board whose opened cells have no lines; their ground reaches so many cells beyond it on each side."""
    drawn: Image = np.full((220, 260, 3), AROUND, np.uint8)
    low, high = Y - round(top * CELL), Y + round((5 + bottom) * CELL)
    drawn[low:high, X - round(left * CELL) : X + round((5 + right) * CELL)] = GROUND
    for row, column in np.ndindex(board.codes.shape):
        cell = GRID.cell_rect(row, column)
        if board[row, column] > 8:
            drawn[cell.y : cell.bottom, cell.x : cell.right] = 90
            drawn[cell.y + 2 : cell.bottom - 2, cell.x + 2 : cell.right - 2] = 160
        elif board[row, column]:
            drawn[cell.y + 5 : cell.bottom - 5, cell.x + 9 : cell.x + 12] = 30
    return drawn


@pytest.mark.parametrize(
    ("beyond", "part"),
    [
        ({"left": 1}, Rect(-1, 0, 6, 5)),
        ({"top": 1}, Rect(0, -1, 5, 6)),
        ({"left": 1.05}, Rect(-1, 0, 6, 5)),
    ],
)
def test_a_line_of_ground_that_ends_with_a_cell_is_one_of_the_board(
    beyond: dict[str, float], part: Rect
) -> None:
    assert line_of_ground(picture(**beyond), GRID, BOARD.codes) == part


@pytest.mark.parametrize(
    "beyond",
    [{}, {"left": 0.5}, {"left": 2}, {"left": 1, "top": 1}, {"left": 1, "right": 1}, {"left": 1, "top": 0.5}],
    ids=str,
)
def test_other_margins_are_none(beyond: dict[str, float]) -> None:
    assert line_of_ground(picture(**beyond), GRID, BOARD.codes) is None


def test_beside_closed_cells_no_line_is_opened_without_a_number() -> None:
    """They would be opened, too."""
    right, turned = picture(right=1), Board(BOARD.codes[:, ::-1].copy())
    assert line_of_ground(right, GRID, BOARD.codes) is None
    assert line_of_ground(right[:, ::-1].copy(), GRID.moved(260 - 2 * X - 5 * CELL, 0), turned.codes) is None


def test_what_shows_something_is_no_line_of_ground() -> None:
    drawn = picture(left=1)
    drawn[Y + 40 : Y + 50, X - 14 : X - 6] = 30
    assert line_of_ground(drawn, GRID, BOARD.codes) is None


def test_a_ground_that_is_hardly_seen_tells_nothing() -> None:
    few = Board.parse("....1\n.111#\n.1###\n.1###\n.1###").replaced(
        [(row, column) for row, column in np.ndindex(5, 5) if BOARD[row, column] == 0][2:], 1
    )
    assert line_of_ground(picture(left=1), GRID, few.codes) is None


@pytest.mark.parametrize("place", [(0.0, 0.0), (-7.0, -9.0), (160.0, 120.0)])
def test_a_board_at_the_edge_of_the_picture_has_none(place: tuple[float, float]) -> None:
    moved = Grid(*place, CELL, CELL, 5, 5)
    assert line_of_ground(picture(left=1), moved, BOARD.codes) is None


def on_other_ground(board: Board, levels: int) -> Image:
    """A board whose first column, and what lies around, has a ground that is so many levels paler."""
    drawn = drawn_board(board)
    drawn[(drawn == AROUND).all(axis=2)] = [level + levels for level in GROUND]
    first = drawn[Y : Y + 5 * CELL, X : X + CELL]
    first[(first == GROUND).all(axis=2)] = [level + levels for level in GROUND]
    return drawn


NOTHING = "....1\n...1#\n..1##\n..###\n..###"


@pytest.mark.parametrize(
    ("text", "levels", "part"),
    [
        (NOTHING, 12, Rect(1, 0, 4, 5)),
        (NOTHING, 6, None),
        (NOTHING.replace("...1#", "1..1#"), 12, None),
        (NOTHING.replace("...1#", "#..1#"), 12, None),
        (".1111\n.1###\n.1###\n.1###\n.1###", 12, None),
    ],
)
def test_a_line_of_nothing_on_another_ground_is_none_of_the_board(
    text: str, levels: int, part: Rect | None
) -> None:
    """Beside a board in Qt there was a column more: the margin of its window."""
    board = Board.parse(text)
    assert without_other_ground(on_other_ground(board, levels), GRID, board.codes) == part


@pytest.mark.parametrize(
    ("levels", "goes_on", "part"),
    [((16, 0), True, Rect(1, 0, 4, 5)), ((16, 0), False, None), ((16, 8), True, None)],
    ids=["a margin", "a column that is lit", "a ground that shades"],
)
def test_another_ground_begins_at_once_and_goes_on(
    levels: tuple[int, int], goes_on: bool, part: Rect | None
) -> None:
    """The first columns are so many levels darker."""
    board = Board.parse("\n".join([".1..."] * 5))
    drawn = drawn_board(board)
    for column, darker in enumerate(levels):
        left = X + column * CELL
        drawn[Y : Y + 5 * CELL, left : left + CELL] -= np.uint8(darker)
    if goes_on:
        drawn[:, :X] = drawn[Y, X]
    assert without_other_ground(drawn, GRID, board.codes) == part


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (".###\n.1##\n.F##", Rect(1, 0, 3, 3)),
        ("##F.\n##1.\n##1.", None),
        ("##F.\n##F.\n##1.", Rect(0, 0, 3, 3)),
        ("....\n1###\n####", Rect(0, 1, 4, 2)),
        ("....\n1111\n####", None),
        (".!##\n.###\n.1##", None),
    ],
)
def test_a_line_of_nothing_beside_closed_cells_is_none_of_the_board(text: str, part: Rect | None) -> None:
    """Beside the last bar of a terminal there was a column more, of opened cells beside flags."""
    assert without_lines_of_nothing(Board.parse(text).codes) == part


@pytest.mark.parametrize("is_more", [True, False])
def test_a_board_is_read_with_its_own_lines(monkeypatch: pytest.MonkeyPatch, is_more: bool) -> None:
    one = sample(4)
    part = Rect(-1, 0, one.grid.columns + 1, one.grid.rows)
    part = part if is_more else Rect(1, 0, one.grid.columns - 1, one.grid.rows)
    asked: list[Grid] = []

    def line(_: Image, grid: Grid, codes: Codes) -> Rect | None:
        asked.append(grid)
        return part if is_more else None

    monkeypatch.setattr(general_reader, "line_of_ground", line)
    monkeypatch.setattr(general_reader, "without_lines_of_nothing", lambda _: part)
    told = general_reader.labelled(CellReader(), one.image, one.grid)
    assert told is not None
    assert asked[0].shape == one.grid.shape
    assert told[0].shape == told[1].codes.shape == (one.grid.rows, part.width)
    assert told[0].x == pytest.approx(asked[0].x + part.x * one.grid.cell_width)
