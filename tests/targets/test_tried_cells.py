"""Cells that were clicked, and look as no covered cell did."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.targets.window.looks import Looks
from bot.targets.window.looks.sheet import Pixels
from bot.targets.window.looks.tried_cells import TriedCells

SIDE = 10


def cells(greys: str) -> Pixels:
    """Flat cells, (rows, columns, bytes), each by a digit: nine times as dark as white at most."""
    rows = [[25 * int(digit) + 25 for digit in line] for line in greys.split()]
    flat = np.array(rows, np.uint8)
    return np.repeat(flat[:, :, None], SIDE * SIDE * 3, axis=2)


@pytest.mark.parametrize(
    ("now", "text", "tried", "is_taken"),
    [
        ("9555 5555 5555", "#### #### ####", [(0, 0)], True),
        ("9955 9555 5555", "#### #### ####", [(0, 0)], True),
        ("9955 9555 5555", ".### #### ####", [(0, 0)], True),  # it was read as empty, and those beside it not
        ("9555 5555 5555", "#### #### ####", [(0, 1)], False),  # another one has changed
        ("9595 5595 9555", "#### #### ####", [(0, 0)], False),  # as have others here and there
        ("9999 9999 9999", "#### #### ####", [(0, 0)], False),  # there are mines
        ("9955 5555 5555", "2### #### ####", [(0, 0)], False),  # a number opens nothing beside it
        ("9955 9155 5555", "##1# #### ####", [(0, 0)], True),
        ("9995 9995 5555", "###3 #### ####", [(0, 0)], False),  # the 3 needs three mines around it
    ],
)
def test_a_clicked_cell_that_looks_otherwise_is_opened(
    now: str, text: str, tried: list[tuple[int, int]], is_taken: bool
) -> None:
    """A hint that coloured the cell beside a clicked number was taken for an opening."""
    followed, looks = TriedCells((3, 4), (SIDE, SIDE)), Looks((SIDE, SIDE))
    followed.add([*tried, (7, 9)])
    covered, pixels = cells("5555 5555 5555"), cells(now)
    codes = Board.parse(text.replace(" ", "\n")).codes
    assert followed.take_opened(looks, codes, covered, pixels) is is_taken
    look = looks.find(pixels[0, 0])
    assert (look >= 0 and looks.label(look) == Cell.EMPTY) is is_taken
    followed.begin_game()
    assert not followed.take_opened(looks, codes, covered, pixels)


def test_what_is_drawn_on_is_not_taken_for_an_empty_cell() -> None:
    followed, looks = TriedCells((3, 4), (SIDE, SIDE)), Looks((SIDE, SIDE))
    followed.add([(0, 0)])
    covered, pixels = cells("5555 5555 5555"), cells("9555 5555 5555")
    pixels[0, 0].reshape(SIDE, SIDE, 3)[4:6, 4:6] = 90
    assert not followed.take_opened(looks, Board.covered(4, 3).codes, covered, pixels)
