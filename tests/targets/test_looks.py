"""The looks of the cells of a window that no theme knows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from bot.board import Board, Cell, Codes
from bot.geometry import Rect
from bot.targets.window.looks import Looks, LooksReader
from bot.targets.window.looks import reader as looks_reader
from bot.targets.window.looks.reader import without_faults
from bot.vision.grid import Grid, Image

SIDE = 20
Pixels = npt.NDArray[np.uint8]


def cell(ground: int = 200, *, stroke: int | None = None) -> Pixels:
    """The pixels of a plain cell, with a thin stroke of another grey if one is named."""
    picture = np.full((SIDE, SIDE, 3), ground, np.uint8)
    if stroke is not None:
        picture[5:15, 9:11] = stroke
    return picture.ravel()


def test_a_look_is_met_again_with_a_little_noise() -> None:
    looks = Looks((SIDE, SIDE))
    looks.meet(cell(), 0)
    noisy = cell() + np.random.default_rng(0).integers(0, 3, SIDE * SIDE * 3).astype(np.uint8)
    assert looks.label(looks.find(noisy)) == 0
    assert looks.find(cell(120)) == -1


def test_a_thin_digit_is_no_empty_cell() -> None:
    looks = Looks((SIDE, SIDE))
    looks.meet(cell(), 0)
    thin = cell(stroke=150)  # 2.5 grey levels in the mean of the cell
    assert np.abs(thin.astype(int) - cell()).mean() < 4
    assert looks.find(thin) == -1
    looks.meet(thin, 1)
    assert (looks.label(looks.find(thin)), looks.label(looks.find(cell()))) == (1, 0)


def test_what_is_read_now_so_now_otherwise_is_unread() -> None:
    looks = Looks((SIDE, SIDE))
    for code in (1, 1, 2):
        looks.meet(cell(), code)
    assert looks.label(0) == Cell.UNREAD
    for _ in range(3):
        looks.meet(cell(), 1)
    assert looks.label(0) == 1
    looks.forget(1)
    assert looks.label(0) == 2


def test_numbers_that_cannot_be_are_unread() -> None:
    board = Board.parse("1..\n...\n..#")  # a 1 with no covered cell around it; a 0 beside a covered one
    assert Board(without_faults(board.codes)) == Board.parse("!..\n...\n..#")


class Page:
    """Pictures of a row of cells, and how often the general reader was asked of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = 0
        self.grid = Grid(0, 0, SIDE, SIDE, 3, 1)
        monkeypatch.setattr(looks_reader, "read_cells", self._read)

    def picture(self, *grounds: int) -> Image:
        cells = [cell(ground).reshape(SIDE, SIDE, 3) for ground in grounds]
        return np.concatenate(cells, axis=1)

    def _read(self, image: Image, grid: Grid, _: object) -> Codes:
        self.asked += 1
        assert grid.rect == Rect(0, 0, 3 * SIDE, SIDE)
        greys = image[SIDE // 2, SIDE // 2 :: SIDE, 0]
        return np.where(greys > 100, Cell.COVERED, Cell.UNREAD).astype(np.int8)[None]


def test_the_general_reader_is_asked_of_what_is_new_and_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(monkeypatch)
    reader = LooksReader(page.grid)
    new = page.picture(200, 200, 220)
    assert reader.read(new).board == Board.parse("!!!")
    assert page.asked == 0, "it may still move"
    assert reader.read(new).board == Board.parse("###")
    assert reader.changed == 3
    for _ in range(5):
        assert reader.read(new).board == Board.parse("###")
    assert (page.asked, reader.changed) == (1, 0)
    other = page.picture(220, 200, 200)
    for _ in range(3):
        assert reader.read(other).board == Board.parse("###")
    assert page.asked == 2, "each look is asked for twice"
    again = LooksReader(page.grid, reader.looks)
    for _ in range(3):
        assert again.read(other).board == Board.parse("###")
    assert page.asked == 2, "what was met before is known"


def test_a_cell_that_never_rests_keeps_no_other_from_being_read(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(monkeypatch)
    reader = LooksReader(page.grid)
    boards = [reader.read(page.picture(200, 200, 10 * (step % 9))).board for step in range(60)]
    assert boards[-1] == Board.parse("##!")
    assert reader.changed == 0
