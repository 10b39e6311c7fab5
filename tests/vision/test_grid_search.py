"""Grids found by nothing but their repetition."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from painting import on_screen, painted

from bot.board import Board
from bot.vision.general import general_reader
from bot.vision.grid import Grid, Image
from bot.vision.grids import grid_search
from bot.vision.grids.grid_search import FoundGrid, between, find_grids, grid_batches
from bot.vision.grids.lattices.lattice import Thoroughness, fit_lattice
from bot.vision.themes.theme import load_skin

HALF = Board.parse(
    """
    ....1###2
    .111212##
    .1F1..1##
    .111..12#
    111....1#
    ##1.11211
    ##1.1F1..
    ##1.111..
    ##1......
    """
)


def desktop(board: Board, scale: float, at: tuple[int, int]) -> Image:
    """WineMine's cells at a scale, on a plain desktop with a window of text beside them."""
    skin = load_skin("winmine")
    cells = painted(board, skin)
    size = round(cells.shape[1] * scale), round(cells.shape[0] * scale)
    scaled = np.asarray(cv2.resize(cells, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    screen = on_screen(scaled, skin, at, (1080, 1920))
    x, y = at
    frame = screen[y - 3 : y + size[1] + 3, x - 3 : x + size[0] + 3].copy()
    screen[:] = (120, 90, 40)
    screen[100:900, 20:320] = 250
    rng = np.random.default_rng(3)
    for line in range(40):
        text = "".join(rng.choice(list("abcdefghij klmno pqrst uvwxyz"), 24))
        cv2.putText(screen, text, (30, 120 + 19 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1)
    screen[y - 3 : y + size[1] + 3, x - 3 : x + size[0] + 3] = frame
    return screen


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.75, 1.0, 1.25, 1.37, 1.5, 2.0, 2.6, 3.0])
@pytest.mark.parametrize(
    "board", [Board.covered(9, 9), HALF, Board.covered(30, 16)], ids=["9x9", "half", "30x16"]
)
def test_a_grid_is_found_at_every_scale(board: Board, scale: float) -> None:
    at = (413, 187)
    found = find_grids(desktop(board, scale, at))
    grid = next(one.grid for one in found if (one.grid.columns, one.grid.rows) == (board.columns, board.rows))
    slack = max(2.0, 0.12 * 16 * scale)
    assert abs(grid.x - at[0]) <= slack
    assert abs(grid.y - at[1]) <= slack
    assert abs(grid.rect.right - at[0] - 16 * scale * board.columns) <= slack


def test_where_a_grid_is_clear_no_time_goes_into_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Thoroughness] = []

    def noted(*words: Any) -> Any:
        asked.append(words[-1])
        return fit_lattice(*words)

    monkeypatch.setattr(grid_search, "fit_lattice", noted)
    batches = grid_batches(desktop(HALF, 2.0, (413, 187)))
    # OpenCV 4 and 5 draw the text differently: in some of it cells are seen too, after those of the board.
    first, *_ = next(batches)
    assert (first.grid.columns, first.grid.rows) == (9, 9)
    assert set(asked) == {Thoroughness.QUICK}
    assert next(batches)
    assert Thoroughness.ALL in asked


def test_a_clear_grid_that_is_no_board_hides_none(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = desktop(HALF, 1.37, (1100, 187))
    paper = screen[100:700, 380:1000]
    paper[:] = 250
    paper[::24] = 120
    paper[:, ::24] = 120
    *_, every = grid_batches(screen)
    squares = [one for one in every if one.grid.columns > 20]
    assert squares
    monkeypatch.setattr(general_reader, "grid_batches", lambda _: iter([squares, every]))
    assert [one.board for one in general_reader.read_any_boards(screen)] == [HALF]


def test_what_lies_between_bars_is_read_where_the_bars_are_no_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of | 1 | 2 | the bars are seen and not what stands between them: one more than there are columns.
    screen = np.zeros((400, 600, 3), np.uint8)
    cells, bars = Grid(60, 40, 40, 20, 10, 9), Grid(40, 40, 40, 20, 11, 9)
    for row, column in np.ndindex(9, 11):
        y = 40 + 20 * row
        screen[y + 2 : y + 18, 59 + 40 * column : 61 + 40 * column] = 190
        if column < 10 and (row + column) % 3:
            screen[y + 6 : y + 14, 77 + 40 * column : 77 + 40 * column + 3 * (column % 4)] = 255
    seen = FoundGrid(bars, bars, 0.95)
    found = between(screen, seen)
    assert found is not None
    assert (found.grid, found.reach) == (cells, cells)
    assert between(screen, replace(seen, score=0.85)) is None, "what is hardly seen may be no bars either"
    assert between(screen, FoundGrid(cells, cells, 0.95)) is None, "what stands in cells is not the same"
    assert between(np.zeros_like(screen), seen) is None, "nothing is no bar"
    assert between(screen, FoundGrid(replace(bars, x=-700), bars, 0.95)) is None, "nor is what nobody sees"
    asked: list[Grid] = []
    monkeypatch.setattr(general_reader, "grid_batches", lambda _: iter([[seen]]))
    monkeypatch.setattr(
        general_reader, "read_board", lambda _reader, _image, one, **_: asked.append(one.grid)
    )
    related: list[Grid] = []

    def nowhere(_: Image, grid: Grid) -> list[Grid]:
        related.append(grid)
        return []

    monkeypatch.setattr(general_reader, "places_of_cells", nowhere)
    assert general_reader.read_any_boards(screen) == []
    assert asked == [bars, cells]
    assert related
    assert cells not in related, "what lies between the bars is not looked at again"
