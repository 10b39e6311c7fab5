"""Pictures that something disturbs: a pointer, inverted colours, edges of the picture along the cells."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from painting import painted, scaled_window

from bot.board import Board, Cell
from bot.errors import FormatError
from bot.vision.grid import Image
from bot.vision.picture_file import load_picture
from bot.vision.picture_reader import PictureReading, read_boards
from bot.vision.themes.skin import Skin
from bot.vision.themes.theme import load_skin, load_skins
from training.reader.variety.varied import ARROW, position

pytestmark = pytest.mark.slow

PICTURES = Path(__file__).parent / "pictures"
SHIPPED = sorted(PICTURES.glob("*.png"))
THEMES = ("winmine", "classic", "practice", "xdemineur", "windows7")
POINTERS = 4


@pytest.fixture(scope="module")
def every() -> list[Skin]:
    return load_skins()


CASES = (*(path.stem for path in SHIPPED), *THEMES)
"""The shipped pictures, and a window of each theme whose cells are pictures."""


def case(name: str) -> tuple[Image, Board]:
    """A picture and what it shows."""
    for path in SHIPPED:
        if path.stem == name:
            return load_picture(path), Board.parse(path.with_suffix(".txt").read_text())
    skin = load_skin(name)
    board = position(np.random.default_rng(5), 16, 16, 40, "flagged")
    return scaled_window(skin, board, skin.cell_width), board


def wrong_cells(seen: PictureReading, board: Board) -> list[tuple[int, int]]:
    """The cells that are neither right nor unread."""
    codes = seen.board.codes
    wrong = np.argwhere((codes != board.codes) & (codes != Cell.UNREAD))
    return [(int(row), int(column)) for row, column in wrong]


@pytest.mark.parametrize("name", CASES)
def test_a_pointer_costs_no_more_than_the_cells_that_it_covers(every: list[Skin], name: str) -> None:
    image, board = case(name)
    (clear,) = read_boards(image, every)
    rect, rng = clear.grid.rect, np.random.default_rng(1)
    for size in np.linspace(1, 2, POINTERS):
        tip = int(rng.integers(rect.x, rect.right)), int(rng.integers(rect.y, rect.bottom))
        arrow = (np.array(ARROW) * size + tip).astype(np.int32)
        covered = image.copy()
        cv2.fillPoly(covered, [arrow], (255, 255, 255))
        cv2.polylines(covered, [arrow], True, (0, 0, 0), 1, cv2.LINE_AA)
        (seen,) = read_boards(covered, every)
        assert seen.board.codes.shape == board.codes.shape
        assert wrong_cells(seen, board) == []
        under = (covered != image).any(axis=2)
        for cell in seen.board.where(Cell.UNREAD):
            place = clear.grid.cell_rect(*cell)
            assert under[place.y : place.bottom, place.x : place.right].any(), (tip, cell)


@pytest.mark.parametrize("name", CASES)
def test_a_picture_in_inverted_colours_is_read_rightly_or_not_at_all(every: list[Skin], name: str) -> None:
    image, board = case(name)
    try:
        boards = read_boards(255 - image, every)
    except FormatError:
        return
    # Without its theme WineMine's question marks are mines, as other games have them.
    mistaken = board.where(Cell.QUESTION) if name == "winmine" else []
    for seen in boards:
        assert seen.board.codes.shape == board.codes.shape
        assert wrong_cells(seen, board) in ([], mistaken)


@pytest.mark.parametrize("cut", [(0, 0, 0, 0), (1, 1, 0, 0), (3, 0, 2, 5), (0, 7, 7, 0), (16, 16, 1, 1)])
@pytest.mark.parametrize("name", ["winmine", "gnome_mines_24px"])
def test_a_board_along_the_edges_of_its_picture_gives_no_traceback(
    every: list[Skin], name: str, cut: tuple[int, int, int, int]
) -> None:
    image, board = case(name)
    (clear,) = read_boards(image, every)
    rect, (left, top, right, bottom) = clear.grid.rect, cut
    part = image[rect.y + top : rect.bottom - bottom, rect.x + left : rect.right - right]
    try:
        boards = read_boards(np.ascontiguousarray(part), every)
    except FormatError:
        return
    if cut == (0, 0, 0, 0):
        assert [wrong_cells(seen, board) for seen in boards] == [[]]


def test_cells_that_fill_their_picture_are_read(every: list[Skin]) -> None:
    board = position(np.random.default_rng(5), 9, 9, 10, "middle")
    (seen,) = read_boards(painted(board, load_skin("winmine")), every)
    assert seen.board == board
