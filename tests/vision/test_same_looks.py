"""Which looks of a board are the same but for noise."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from bot.vision.general import cell_reader
from bot.vision.general.cell_reader import CellReader
from bot.vision.general.cell_windows import CELL_SIDE, MARGIN, Windows, cell_looks
from bot.vision.general.same_looks import joined_looks, middles_of, rims_of, same_looks
from bot.vision.grid import Grid, Image

GROUND, RAISED = 190, 20


def cell(text: str, *, raised: bool = False, ink: int = 30) -> Image:
    """A cell with a text on it, flat or with a bevel."""
    drawn = np.full((CELL_SIDE, CELL_SIDE, 3), GROUND, np.uint8)
    if raised:
        drawn[:4], drawn[:, :4] = GROUND + RAISED, GROUND + RAISED
        drawn[-4:], drawn[:, -4:] = GROUND - RAISED, GROUND - RAISED
    if text:
        cv2.putText(drawn, text, (6, 19), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (ink,) * 3, 2, cv2.LINE_AA)
    return drawn


def windows_of(cells: list[Image]) -> Windows:
    around = ((MARGIN, MARGIN), (MARGIN, MARGIN), (0, 0))
    return np.stack([np.pad(one, around, mode="edge") for one in cells])


def noisy(cells: list[Image], spread: float, seed: int = 3) -> list[Image]:
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, spread, (len(cells), *cells[0].shape))
    return [np.clip(one + more, 0, 255).astype(np.uint8) for one, more in zip(cells, noise, strict=True)]


def common_of(cells: list[Image]) -> list[int]:
    counts: npt.NDArray[np.intp] = np.ones(len(cells), np.intp)
    return [int(one) for one in same_looks(middles_of(windows_of(cells)), counts)[0]]


def partition(numbers: list[int]) -> list[int]:
    """The same groups, numbered in the order in which they come."""
    order = list(dict.fromkeys(numbers))
    return [order.index(one) for one in numbers]


@pytest.mark.parametrize("spread", [0, 2, 5])
def test_the_same_digit_is_one_look_whatever_the_noise_and_no_other_digit_is(spread: float) -> None:
    texts = list("112233445566778811335588")
    common = common_of(noisy([cell(one) for one in texts], spread))
    assert partition(common) == [int(one) - 1 for one in texts]


def test_a_faint_digit_is_not_taken_for_another_one() -> None:
    texts = list("33885566")
    common = common_of([cell(one, ink=GROUND - 20) for one in texts])
    assert partition(common) == [0, 0, 1, 1, 2, 2, 3, 3]


def on_a_disc(drawn: Image) -> Image:
    """The same on a round cell on a white page."""
    disc = np.zeros((CELL_SIDE, CELL_SIDE, 3), np.uint8)
    cv2.circle(disc, (CELL_SIDE // 2, CELL_SIDE // 2), CELL_SIDE // 2 - 1, (255, 255, 255), -1)
    return np.asarray(np.where(disc > 0, drawn // 3, 255), np.uint8)


def test_nor_is_one_on_a_cell_whose_shape_stands_out_far_more() -> None:
    texts = ["3", "3", "8", "8", "5", "5", "", ""]
    cells = [on_a_disc(cell(one, ink=GROUND - 70)) for one in texts]
    assert partition(common_of(noisy(cells, 0.5))) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_cells_on_which_nothing_is_drawn_are_one_look_whatever_the_noise() -> None:
    raised = cell("")
    raised[:4], raised[:, :4], raised[-4:], raised[:, -4:] = 250, 250, 120, 120
    cells = [*(raised for _ in range(12)), *map(cell, "123")]
    assert partition(common_of(noisy(cells, 3.5))) == [*[0] * 12, 1, 2, 3]


def test_covered_and_opened_cells_differ_though_strong_digits_are_beside_them() -> None:
    cells = noisy([cell(""), cell("", raised=True), cell(""), cell("", raised=True), cell("1"), cell("2")], 1)
    assert partition(common_of(cells)) == [0, 1, 0, 1, 2, 3]


def test_what_a_chain_joins_is_the_same() -> None:
    """A gradient over a board: from one end to the other a cell changes much, from each to the next not."""
    steps = [cell("4") + np.uint8(step) for step in range(0, 61, 5)]
    assert set(common_of(steps)) == {0}
    assert len(set(common_of([steps[0], steps[-1]]))) == 2


def test_the_most_frequent_look_stands_for_all() -> None:
    cells = noisy([cell("1"), cell("1"), cell("2"), cell("1")], 2)
    common, standing = same_looks(middles_of(windows_of(cells)), np.array([1, 5, 2, 3]))
    assert standing.tolist() == [1, 2]
    assert common.tolist() == [0, 0, 1, 0]


def test_plain_looks_are_joined_on_a_board_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window around it may have the colour of opened cells."""
    monkeypatch.setattr(cell_reader, "MANY_LOOKS", 5)
    rows = [noisy([cell("1"), *(cell("") for _ in range(4))], 2, seed) for seed in range(5)]
    image = np.concatenate([np.concatenate(row, axis=1) for row in rows])
    grid = Grid(0, 0, CELL_SIDE, CELL_SIDE, 5, 5)
    reader = CellReader()
    assert len(np.unique(reader.read(image, grid).looks[:, 1:])) == 20
    told = reader.read(image, grid, is_board=True)
    assert partition(told.looks.ravel().tolist()) == [0, 1, 1, 1, 1] * 5
    assert len(told.features) == 2


def test_of_many_looks_on_a_scaled_grid_those_that_are_the_same_are_judged_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = list("1223312122131332211312313")
    cells = [cell(one, raised=one == "3") for one in texts]
    rows = [np.concatenate(cells[start : start + 5], axis=1) for start in range(0, 25, 5)]
    side = 1.85 * CELL_SIDE
    scaled = cv2.resize(np.concatenate(rows), (round(5 * side), round(5 * side)))
    grid = Grid(0, 0, side, side, 5, 5)
    image = np.asarray(scaled, np.uint8)
    own = np.unique(cell_looks(image, grid).looks)
    assert len(np.unique(CellReader().read(image, grid).looks)) == len(own)
    monkeypatch.setattr(cell_reader, "MANY_LOOKS", len(own) - 1)
    looks = CellReader().read(image, grid).looks.ravel().tolist()
    assert len({*looks}) < 0.7 * len(own)
    assert len({*zip(looks, texts, strict=True)}) == len({*looks})


def lined(one: Image, at: int) -> Image:
    """A cell with a line at its left, some pixels from its edge."""
    drawn: Image = one.copy()
    drawn[:, at] = GROUND - 60
    return drawn


def test_a_line_at_the_rim_tells_cells_from_what_lies_around_unless_all_are_cells() -> None:
    windows = windows_of([cell("1"), lined(cell("1"), 0), lined(cell("1"), 1), cell("1")])
    middles, counts = middles_of(windows), np.ones(4, np.intp)
    assert partition(same_looks(middles, counts, rims_of(windows))[0].tolist()) == [0, 1, 1, 0]
    assert not same_looks(middles, counts)[0].any()


def test_plain_looks_of_other_pixels_differ_where_they_may_be_none_of_a_board() -> None:
    windows = windows_of([cell(""), cell("") + np.uint8(1), cell(""), cell("4")])
    middles, counts = middles_of(windows), np.ones(4, np.intp)
    assert partition(same_looks(middles, counts, rims_of(windows))[0].tolist()) == [0, 1, 0, 2]
    assert partition(same_looks(middles, counts)[0].tolist()) == [0, 0, 0, 1]


def test_what_lies_around_a_board_is_not_joined_with_its_cells() -> None:
    rows = [noisy([cell(one) for one in "1" * 5], 2, seed) for seed in range(5)]
    middles = middles_of(windows_of([one for row in rows for one in row]))
    is_of_board = np.zeros((5, 5), np.bool_)
    is_of_board[2:, 1:] = True
    left, looks = joined_looks(np.arange(25).reshape(5, 5), is_of_board, lambda own: middles[own])
    assert len(np.unique(looks[is_of_board])) == 1
    assert len(np.unique(looks[~is_of_board])) == 13
    assert len(left) == 14
