"""Boards whose cells are drawn over before they are learned from."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from bot.board import Board, Cell
from bot.vision.general.cell_windows import CELL_SIDE, MARGIN
from bot.vision.grid import Image
from training.reader.learning import redrawn as module
from training.reader.learning.redrawn import Pixels, redrawn

BOARD = Board.parse(
    """
    1##1...111
    2#F21..1F1
    #F#2*X1111
    22#1xF1...
    .111111...
    .111......
    .1#1...111
    .111...1#1
    """
)

FLAGS, MINES, FACES, DIGITS, GROUNDS = np.eye(5)

COVERED, OPENED = (150, 130, 90), (225, 225, 230)


def canvas() -> Image:
    """The board as it is learned from: a letter on each cell that is not plain, on two grounds."""
    height, width = BOARD.codes.shape
    drawn = np.full((height * CELL_SIDE + 2 * MARGIN, width * CELL_SIDE + 2 * MARGIN, 3), 70, np.uint8)
    for (row, column), code in np.ndenumerate(BOARD.codes):
        place = cell(drawn, row, column)
        place[:] = COVERED if code in (Cell.COVERED, Cell.FLAG) else OPENED
        text = BOARD.lines[row][column]
        if code not in (Cell.COVERED, Cell.EMPTY):
            cv2.putText(place, text, (5, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 160), 2)
    return drawn


def cell(drawn: Image, row: int, column: int) -> Image:
    y, x = MARGIN + row * CELL_SIDE, MARGIN + column * CELL_SIDE
    return drawn[y : y + CELL_SIDE, x : x + CELL_SIDE]


def drawn_over(part: npt.NDArray[np.float64], seed: int, monkeypatch: pytest.MonkeyPatch) -> Image:
    monkeypatch.setattr(module, "PARTS", tuple(part))
    return redrawn(np.random.default_rng(seed), canvas(), BOARD.codes.astype(np.int64))


def changed(after: Image) -> set[int]:
    """What the cells are that look otherwise than before."""
    before = canvas()
    return {
        int(code)
        for (row, column), code in np.ndenumerate(BOARD.codes)
        if not np.array_equal(cell(before, row, column), cell(after, row, column))
    }


def of_kind(drawn: Image, code: int) -> list[Image]:
    return [cell(drawn, row, column) for row, column in np.argwhere(BOARD.codes == code)]


@pytest.mark.parametrize("seed", range(6))
def test_only_what_is_named_is_drawn_over(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {*range(1, 9)}
    allowed = [
        {Cell.FLAG},
        {Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG},
        {Cell.COVERED, Cell.FLAG, Cell.EMPTY} | numbers,
        numbers,
    ]
    for part, cells in zip((FLAGS, MINES, FACES, DIGITS), allowed, strict=True):
        assert changed(drawn_over(part, seed, monkeypatch)) <= cells


@pytest.mark.parametrize(
    ("part", "code"),
    [(FLAGS, Cell.FLAG), (MINES, Cell.MINE), (FACES, Cell.COVERED), (DIGITS, 1), (GROUNDS, Cell.EMPTY)],
    ids=["flags", "mines", "faces", "digits", "grounds"],
)
def test_cells_of_a_kind_are_drawn_alike(
    part: npt.NDArray[np.float64], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    altered = 0
    for seed in range(12):
        after = drawn_over(part, seed, monkeypatch)
        first, *others = of_kind(after, code)
        altered += code in changed(after)
        assert all(np.array_equal(first, other) for other in others)
    assert altered >= 3


def test_no_other_part_is_drawn_over_than_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not changed(drawn_over(np.zeros(5), 1, monkeypatch))


def test_grounds_are_exchanged_below_what_stands_on_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EXCHANGED", 1.0)
    after = drawn_over(GROUNDS, 3, monkeypatch)
    assert (of_kind(after, Cell.COVERED)[0] == OPENED).all()
    assert (of_kind(after, Cell.EMPTY)[0] == COVERED).all()
    before = canvas()
    one, other = (of_kind(drawn, 1)[0].astype(int) for drawn in (before, after))
    ink = np.abs(one - OPENED).max(axis=2) > 60
    assert ink.any()
    assert np.array_equal(np.abs(other - COVERED).max(axis=2) > 10, np.abs(one - OPENED).max(axis=2) > 10)


def test_grounds_are_not_exchanged_where_few_numbers_tell_them_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EXCHANGED", 1.0)
    monkeypatch.setattr(module, "ENOUGH_NUMBERS", 1000)
    assert not changed(drawn_over(GROUNDS, 3, monkeypatch))


def test_no_ground_is_drawn_on_which_numbers_vanish(monkeypatch: pytest.MonkeyPatch) -> None:
    """The digits would be darker than black."""

    def black(rng: np.random.Generator, grounds: list[Pixels]) -> list[Pixels]:
        return [np.zeros_like(ground) for ground in grounds]

    monkeypatch.setattr(module, "_otherwise", black)
    after = [drawn_over(GROUNDS, seed, monkeypatch) for seed in range(12)]
    assert all((of_kind(drawn, Cell.EMPTY)[0] == OPENED).all() for drawn in after)


def test_the_same_seed_draws_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    every = np.ones(5)
    one, same, other = (drawn_over(every, seed, monkeypatch) for seed in (5, 5, 6))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
