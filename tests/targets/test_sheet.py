"""A sheet of half-transparent colour over a board: told by what is left of the contrast of its cells."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Cell
from bot.targets.window.looks.sheet import Pixels, sheet_over

GROUNDS = {int(Cell.COVERED): 120, int(Cell.FLAG): 110, int(Cell.EMPTY): 220, 1: 210}


def cells(codes: np.ndarray[tuple[int, int], np.dtype[np.int8]]) -> Pixels:
    """Flat cells of 4x4 pixels: shape (rows, columns, 48)."""
    grounds = np.vectorize(GROUNDS.__getitem__)(codes).astype(np.uint8)
    return np.repeat(grounds[:, :, None], 48, axis=2)


def board(closed: Cell) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    codes = np.zeros((6, 6), np.int8)
    codes[1], codes[4] = 1, int(closed)
    return codes


@pytest.mark.parametrize("closed", [Cell.COVERED, Cell.FLAG])
def test_a_sheet_is_told_though_all_that_is_covered_is_flagged(closed: Cell) -> None:
    codes = board(closed)
    before = cells(codes)
    under = (0.4 * before.astype(np.float64) + 20).round().astype(np.uint8)
    sheet = sheet_over(before, codes, under)
    assert sheet is not None
    assert sheet.kept == pytest.approx(0.4, abs=0.01)
    assert np.abs(sheet.under(under).astype(int) - before).max() <= 2


def test_the_colour_of_a_sheet_is_told_though_a_message_lies_over_many_cells() -> None:
    codes = np.full((9, 9), 0, np.int8)
    codes[:5] = 1
    codes[::2, ::3] = int(Cell.COVERED)
    before = cells(codes)
    before[codes == 1, :12] = 40
    under = (0.4 * before.astype(np.float64)).round().astype(np.uint8)
    under[:3] = 255
    under[3, 0], under[3, 1] = 130, 140  # its edge
    sheet = sheet_over(before, codes, under)
    assert sheet is not None
    assert np.abs(sheet.under(under[5:]).astype(int) - before[5:]).max() <= 4, sheet


def test_a_new_board_is_no_sheet() -> None:
    codes = board(Cell.FLAG)
    assert sheet_over(cells(codes), codes, cells(codes)) is None
    assert sheet_over(cells(codes), codes, cells(np.full_like(codes, int(Cell.COVERED)))) is None


def test_a_sheet_is_told_though_the_last_click_has_opened_most_of_what_was_closed() -> None:
    codes = board(Cell.COVERED)
    codes[2:5] = int(Cell.COVERED)
    now = codes.copy()
    now[2:4], now[4, :2] = 0, 1
    under = (0.4 * cells(now).astype(np.float64) + 20).round().astype(np.uint8)
    sheet = sheet_over(cells(codes), codes, under)
    assert sheet is not None
    assert sheet.kept == pytest.approx(0.4, abs=0.01)
    assert np.abs(sheet.under(under).astype(int) - cells(now)).max() <= 2


def test_what_is_as_it_was_lies_under_no_sheet_though_a_click_has_opened_cells() -> None:
    codes = board(Cell.COVERED)
    codes[2:5] = int(Cell.COVERED)
    now = cells(codes)
    now[2:4] = 180  # they turn as they open: what is left of their contrast is 0.4
    assert sheet_over(cells(codes), codes, now) is None


def test_a_new_board_under_a_sheet_is_not_what_was_there() -> None:
    codes = board(Cell.COVERED)
    fresh = np.full_like(codes, int(Cell.COVERED))
    under = (0.4 * cells(fresh).astype(np.float64) + 20).round().astype(np.uint8)
    assert sheet_over(cells(codes), codes, under) is None


def test_a_new_board_whose_cells_have_edges_lies_under_no_sheet() -> None:
    codes = np.full((9, 9), 0, np.int8)
    codes[2:7] = 1
    codes[8] = int(Cell.COVERED)
    before = np.full((9, 9, 16, 16, 3), 240, np.uint8)
    before[codes == 1, 4:12, 7:10] = (200, 60, 30)
    before[codes == int(Cell.COVERED)] = (200, 170, 140)
    fresh = np.full_like(before, (200, 170, 140))
    fresh[:, :, :, 7:10] = (192, 150, 100)
    flat = before.reshape(9, 9, -1), fresh.reshape(9, 9, -1)
    assert sheet_over(flat[0], codes, flat[1]) is None


def test_a_sheet_is_told_by_the_edges_of_closed_cells_where_hardly_one_is_opened() -> None:
    codes = np.full((6, 6), int(Cell.COVERED), np.int8)
    codes[0, 0] = 1
    before = cells(codes)
    before[:, :, :12] = 60
    under = (0.4 * before.astype(np.float64)).round().astype(np.uint8)
    under[:2] = 255
    sheet = sheet_over(before, codes, under)
    assert sheet is not None
    assert sheet.kept == pytest.approx(0.4, abs=0.02)
    assert sheet_over(before, codes, before) is None
    flat = cells(codes)
    assert sheet_over(flat, codes, (0.4 * flat.astype(np.float64)).astype(np.uint8)) is None, "nothing tells"


def test_an_opening_that_darkens_most_of_a_new_board_is_no_sheet() -> None:
    """A first click in a game of pygame was told as lost: opened cells are as covered ones, but darker."""
    codes = np.full((10, 10), int(Cell.COVERED), np.int8)
    before = cells(codes)
    before[:, :, :12] = 60
    under = (0.6 * before.astype(np.float64)).round().astype(np.uint8)
    assert sheet_over(before, codes, under) is not None
    under[:2] = before[:2]
    assert sheet_over(before, codes, under) is None
