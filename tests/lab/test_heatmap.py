"""The heat map: what stands where, by its colours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bot.board import Board
from bot.board_svg import percent
from bot.lab.heatmap import CELL, colour_of, draw_heatmap

BOARD = Board.parse("1##\n###")
CHANCES = {(0, 1): 0.0, (0, 2): 1.0, (1, 0): 0.5, (1, 1): 0.2, (1, 2): 0.2}
MARGIN = 30


def tile(image: Any, row: int, column: int) -> Any:
    top, left = MARGIN + row * CELL, MARGIN + column * CELL
    return image[top : top + CELL, left : left + CELL]


def test_each_cell_has_the_colour_of_its_chance() -> None:
    image = draw_heatmap(BOARD, CHANCES)
    for (row, column), chance in CHANCES.items():
        assert tuple(tile(image, row, column)[6, 6]) == colour_of(chance)
    assert tuple(tile(image, 0, 0)[6, 6]) not in {colour_of(chance) for chance in CHANCES.values()}
    middle = tile(image, 0, 2)[CELL // 2, CELL // 2]
    assert middle.max() < 50  # the disc of a mine


def test_the_best_cell_is_framed_and_dead_ones_are_struck() -> None:
    plain = draw_heatmap(BOARD, CHANCES)
    marked = draw_heatmap(BOARD, CHANCES, best=(1, 1), dead={(1, 2)})
    changed = np.any(plain != marked, axis=2)
    where = np.argwhere(changed) - MARGIN
    assert {(int(r) // CELL, int(c) // CELL) for r, c in where} >= {(1, 1), (1, 2)}
    assert not changed[MARGIN + 6 : MARGIN + CELL - 6].any()  # the first row
    assert tile(changed, 1, 2)[CELL - 6, 5]
    assert not tile(changed, 1, 1)[10:-10, 10:-10].any()


def test_colours_go_from_green_to_red() -> None:
    assert colour_of(0.0)[1] > colour_of(0.0)[2]
    assert colour_of(1.0)[2] > colour_of(1.0)[1]
    reds = [colour_of(step / 20)[2] - colour_of(step / 20)[1] for step in range(21)]
    assert reds == sorted(reds)


@pytest.mark.parametrize(
    ("chance", "text"),
    [(0.0, "ok"), (1e-9, "<1"), (0.375, "38"), (0.5, "50"), (1 - 1e-12, ">99"), (1.0, "*")],
)
def test_only_what_is_certain_looks_certain(chance: float, text: str) -> None:
    assert percent(chance) == text


def test_a_board_of_100_by_100_stays_a_picture_that_can_be_opened() -> None:
    image = draw_heatmap(Board.covered(100, 100), {(0, 0): 0.2}, caption=("a caption",))
    assert image.shape[0] < 3300
    assert image.shape[1] < 3200
