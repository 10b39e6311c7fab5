"""What could not be read on a grid, and a pixel beside it can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from bot.board import Board, Cell, Codes
from bot.geometry import Point
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.targets.window.locate.unknown_boards import look_for_unknown
from bot.vision.general import general_reader, read_any_boards
from bot.vision.general.cell_reader import CellReader, CellScores, Places
from bot.vision.general.network import LABELS, NOT_A_CELL
from bot.vision.general.second_look import STEPS, read_again
from bot.vision.grid import Grid, Image
from training.reader.variety.varied import sample

GRID = Grid(10, 20, 30, 30, 4, 3)
PICTURE: Image = np.zeros((200, 200, 3), np.uint8)
TOLD: Any = None
"""What was told of the board before: nothing is asked of it here."""


class Moody:
    """A reader that says of a grid what is said of its place; what is unread is no cell to it."""

    def __init__(self, boards: Sequence[str]) -> None:
        self._boards = dict(zip(STEPS, map(board, boards), strict=True))

    def read_anew(self, image: Image, grid: Grid, told: CellScores, places: Places) -> CellScores:
        assert np.argwhere(places).tolist() == [[0, 1]], "only what was unread is read again"
        codes = self._boards[round(grid.x - GRID.x), round(grid.y - GRID.y)].codes
        labels = np.where(codes == Cell.UNREAD, NOT_A_CELL, codes)
        scores = np.full((1, *codes.shape, LABELS), -9.0, np.float32)
        np.put_along_axis(scores[0], labels[..., None].astype(int), -0.001, axis=2)
        looks = np.arange(codes.size).reshape(codes.shape)
        return CellScores(scores, looks, np.eye(codes.size, dtype=np.float32))


def board(text: str) -> Board:
    return Board.parse(text.replace("/", "\n"))


UNKNOWN, LOST = "1!1./111./1121/1F2F", "1!2X/1121/...."
NOTHING, FLAG, EXPLODED, COVERED, NUMBER = (UNKNOWN.replace("!", one) for one in "!FX#1")
MINE = LOST.replace("!", "*")
"""A game may come to each of them but the number."""


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        ((FLAG, NOTHING, FLAG, FLAG), "F"),
        ((FLAG, FLAG, FLAG, FLAG), "F"),
        # In two places it says nothing.
        ((FLAG, NOTHING, FLAG, NOTHING), "!"),
        # Nor where another place says otherwise.
        ((FLAG, FLAG, FLAG, EXPLODED), "!"),
        # Nor where it is what every place mistakes it for.
        ((MINE, MINE, MINE, MINE), "!"),
        ((EXPLODED, EXPLODED, EXPLODED, EXPLODED), "!"),
        ((COVERED, COVERED, COVERED, COVERED), "!"),
        # No mine would be left for the numbers around.
        ((NUMBER, NUMBER, NUMBER, NUMBER), "!"),
    ],
)
def test_what_three_places_say_alike_is_read_unless_it_is_mistaken_alike(
    seen: Sequence[str], read: str
) -> None:
    reader: Any = Moody(seen)
    codes = board(f"{seen[0][0]}!{seen[0][2:]}").codes
    more = read_again(reader, PICTURE, GRID, TOLD, codes)
    assert str(Board(more))[1] == read
    assert np.array_equal(np.delete(more, 1), np.delete(codes, 1))


def test_a_mark_that_no_other_cell_has_is_not_believed() -> None:
    """It may be a mouse pointer."""
    alone = FLAG.replace("1F2F", "1#2#")
    codes = board(alone.replace("F", "!")).codes
    reader: Any = Moody([alone] * 4)
    assert np.array_equal(read_again(reader, PICTURE, GRID, TOLD, codes), codes)


def test_a_board_that_is_read_is_not_looked_at_again() -> None:
    reader: Any = None
    codes = board(FLAG).codes
    assert read_again(reader, PICTURE, GRID, TOLD, codes) is codes


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
    looked_at: list[Codes] = []

    def again(reader: CellReader, image: Image, grid: Grid, told: CellScores, codes: Codes) -> Codes:
        looked_at.append(codes)
        return codes

    monkeypatch.setattr(general_reader, "read_again", again)
    picture = sample(158).image
    screen = VirtualScreen()
    screen.open(VirtualWindow(Still(picture), "a game", Point(40, 40)))
    assert look_for_unknown(screen, screen)
    assert not looked_at
    assert read_any_boards(picture)
    assert looked_at
