"""What could not be read on a grid, and can beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from looks import unlike_thumbnails

from bot.board import Board, Cell
from bot.geometry import Point
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.targets.window.locate.unknown_boards import look_for_unknown
from bot.vision.general import general_reader, read_any_boards, second_look
from bot.vision.general.cell_reader import CellReader, CellScores, Places
from bot.vision.general.labelling import Labelling, label_cells
from bot.vision.general.network import LABELS, NOT_A_CELL
from bot.vision.general.second_look import FEW, SIDES, SURE, look_again, places_of_cells, surest_place
from bot.vision.grid import Grid, Image
from training.reader.variety.varied import sample

GRID, OFF = Grid(10, 20, 36, 36, 4, 3), 1.5
PICTURE: Image = np.zeros((200, 200, 3), np.uint8)


class Certain:
    """A reader to which a grid shows one board for sure, and those beside it others; unread is no cell
    to it."""

    def __init__(self, text: str, beside: Sequence[str]) -> None:
        self._boards = {
            (GRID.x + right * OFF, GRID.y + down * OFF): board(one)
            for (right, down), one in zip(((0, 0), *SIDES), (text, *beside), strict=True)
        }

    def read(self, image: Image, grid: Grid, *, is_board: bool = False) -> CellScores:
        codes = self._boards[grid.x, grid.y].codes
        labels = np.where(codes == Cell.UNREAD, NOT_A_CELL, codes)
        scores = np.full((1, *codes.shape, LABELS), -9.0, np.float32)
        np.put_along_axis(scores[0], labels[..., None].astype(int), -0.001, axis=2)
        looks = np.arange(codes.size).reshape(codes.shape)
        return CellScores(scores, looks, np.eye(codes.size, dtype=np.float32), unlike_thumbnails(looks))

    def read_anew(self, image: Image, grid: Grid, told: CellScores, places: Places) -> CellScores:
        assert np.argwhere(places).tolist() == [[0, 1]], "only what was unread is read beside it"
        return self.read(image, grid)


def board(text: str) -> Board:
    return Board.parse(text.replace("/", "\n"))


def looked_at(first: str, again: str, cost: float = 0.1, beside: Sequence[str] | None = None) -> str:
    """What is read where one look shows a board, another look another one, and those beside that, if not the
    same, others."""
    reader: Any = Certain(again, [again] * len(SIDES) if beside is None else beside)
    codes = board(first).codes
    labelling = Labelling(codes, cost, 0, int((codes == Cell.UNREAD).sum()))
    with patch.object(second_look, "surest_place", lambda image, grid: grid):
        return "/".join(Board(look_again(reader, PICTURE, GRID, labelling).codes).lines)


UNKNOWN, LOST = "1!1./111./1121/1F2F", "1!2X/1121/...."
NOTHING, FLAG, EXPLODED, COVERED, NUMBER = (UNKNOWN.replace("!", one) for one in "!FX#1")
MINE = LOST.replace("!", "*")
"""A game may come to each of them but the number."""


@pytest.mark.parametrize("seen", [FLAG, NOTHING])
def test_what_a_surer_look_says_is_read(seen: str) -> None:
    assert looked_at(UNKNOWN, seen) == seen


@pytest.mark.parametrize(
    ("beside", "read"),
    [
        ((FLAG, NOTHING, NOTHING, FLAG), FLAG),
        # In one place beside it, it says nothing.
        ((NOTHING, FLAG, NOTHING, NOTHING), UNKNOWN),
        # Nor where another place says otherwise.
        ((FLAG, FLAG, FLAG, EXPLODED), UNKNOWN),
    ],
)
def test_what_two_places_beside_it_do_not_say_is_not_believed(beside: Sequence[str], read: str) -> None:
    assert looked_at(UNKNOWN, FLAG, beside=beside) == read


@pytest.mark.parametrize("seen", [MINE, EXPLODED, COVERED])
def test_what_it_mistakes_is_not_believed(seen: str) -> None:
    assert looked_at(seen[0] + "!" + seen[2:], seen) == seen[0] + "!" + seen[2:]


def test_what_no_game_comes_to_is_not_believed() -> None:
    """No mine would be left for the numbers around."""
    assert looked_at(UNKNOWN, NUMBER) == UNKNOWN


def test_a_mark_that_no_other_cell_has_is_not_believed() -> None:
    """It may be a mouse pointer."""
    alone = FLAG.replace("1F2F", "1#2#")
    assert looked_at(alone.replace("F", "!"), alone) == alone.replace("F", "!")


def test_what_is_read_otherwise_there_is_unread() -> None:
    assert looked_at(FLAG, FLAG.replace("1121", "1131")) == FLAG.replace("1121", "11!1")


def test_where_more_is_unread_nothing_is_taken_from_it() -> None:
    assert looked_at(FLAG, FLAG.replace("1121", "!131")) == FLAG


def test_a_board_that_is_read_for_sure_is_not_looked_at_again() -> None:
    other = FLAG.replace("1121", "1131")
    assert looked_at(FLAG, other, cost=SURE) == FLAG
    assert looked_at(FLAG, other, cost=2 * SURE) != FLAG
    assert looked_at(UNKNOWN, FLAG, cost=SURE) == FLAG


@pytest.mark.parametrize("number", [7, 20, 41])
def test_a_grid_that_is_off_is_moved_to_where_its_cells_are_read(number: int) -> None:
    drawn = sample(number)
    off = drawn.grid.moved(0, -0.3 * drawn.grid.cell_height)
    before, after = (
        label_cells(CellReader().read(drawn.image, grid, is_board=True))
        for grid in (off, surest_place(drawn.image, off))
    )
    assert np.array_equal(after.codes, drawn.board.codes)
    assert not np.array_equal(before.codes, drawn.board.codes)


class Still:
    """A window that shows a picture, whatever is done to it."""

    def __init__(self, picture: Image) -> None:
        self._picture = picture

    def image(self) -> Image:
        return self._picture

    def press(self, x: int, y: int, button: int) -> None: ...

    def release(self, x: int, y: int, button: int) -> None: ...

    def move(self, x: int, y: int) -> None: ...

    def key(self, name: str) -> None: ...


def test_in_a_game_nothing_is_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Labelling] = []

    def again(reader: CellReader, image: Image, grid: Grid, first: Labelling) -> Labelling:
        seen.append(first)
        return first

    monkeypatch.setattr(general_reader, "look_again", again)
    picture = sample(158).image
    screen = VirtualScreen()
    screen.open(VirtualWindow(Still(picture), "a game", Point(40, 40)))
    assert look_for_unknown(screen, screen)
    assert not seen
    assert read_any_boards(picture)
    assert seen


def test_what_is_surely_no_grid_of_cells_is_asked_for_few_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    noise: Image = np.random.default_rng(1).integers(0, 256, (400, 400, 3), np.uint8)
    asked: list[tuple[int, int]] = []
    read = CellReader.read

    def noted(reader: CellReader, image: Image, grid: Grid, *, is_board: bool = False) -> CellScores:
        asked.append(grid.shape)
        return read(reader, image, grid, is_board=is_board)

    monkeypatch.setattr(CellReader, "read", noted)
    assert list(places_of_cells(noise, Grid(20, 20, 24, 24, 14, 14))) == []
    assert asked == [(FEW, FEW)] * 9
