"""What the networks say of the cells of a grid."""

from __future__ import annotations

import numpy as np
import pytest
from looks import unlike_thumbnails

from bot.board import Board, Cell
from bot.vision.general.cell_reader import CellReader, CellScores
from bot.vision.general.network import LABELS, NOT_A_CELL, Networks
from bot.vision.grid import Grid


def scores_of(chances: list[float], looks: list[int], label: int) -> CellScores:
    """A row of cells that are none by some chances, and otherwise this."""
    opinion = np.full((1, len(chances), LABELS), -20, np.float32)
    opinion[0, :, NOT_A_CELL] = np.log(chances)
    opinion[0, :, label] = np.log(1 - np.array(chances))
    cells, count = np.array([looks]), max(looks) + 1
    return CellScores(opinion[None], cells, np.zeros((count, 4), np.float32), unlike_thumbnails(cells))


def test_a_covered_cell_at_the_edge_that_looks_like_all_others_is_as_likely_one() -> None:
    told = scores_of([0.01, 0.01, 0.01, 0.8, 0.8], [0, 0, 0, 0, 1], Cell.COVERED)
    assert np.allclose(told.is_cell, [[0.99, 0.99, 0.99, 1 - 0.83 / 4, 0.2]], atol=1e-3)


def test_what_looks_like_an_empty_cell_may_be_the_window_beside_the_board() -> None:
    told = scores_of([0.01, 0.01, 0.01, 0.8], [0, 0, 0, 0], Cell.EMPTY)
    assert np.allclose(told.is_cell, [[0.99, 0.99, 0.99, 0.2]], atol=1e-3)


def test_what_is_mostly_no_cell_makes_no_cell_less_likely() -> None:
    told = scores_of([0.9, 0.9, 0.1], [0, 0, 0], Cell.FLAG)
    assert np.allclose(told.is_cell, [[1 - 1.9 / 3, 1 - 1.9 / 3, 0.9]], atol=1e-3)


@pytest.mark.parametrize(
    ("told", "is_mixed"),
    [("#######.", False), ("######..", False), ("#####...", True), ("...#####", True), ("11111...", False)],
)
def test_looks_are_mixed_of_which_several_cells_are_covered_and_several_empty(
    told: str, is_mixed: bool
) -> None:
    labels = Board.parse(f"####{told}").codes
    opinions = np.full((1, *labels.shape, LABELS), -20, np.float32)
    np.put_along_axis(opinions, labels[None, ..., None].astype(np.intp), 0, axis=3)
    looks = np.array([[0] * 4 + [1] * 8])
    scores = CellScores(opinions, looks, np.zeros((2, 4), np.float32), unlike_thumbnails(looks))
    assert scores.are_mixed().tolist() == [[False] * 4 + [is_mixed] * 8]


@pytest.mark.parametrize("is_faint", [True, False])
def test_cells_that_differ_faintly_are_one_look_unless_they_are_told_apart(
    is_faint: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As covered and opened cells that differ by less than noise may."""
    grid = Grid(10, 10, 20, 20, 12, 8)
    image = np.full((grid.rect.bottom + 10, grid.rect.right + 10, 3), 100, np.uint8)
    image[:, grid.rect.center.x :] = 101
    image[15::20, 15::20] = 200
    joined = CellReader().read(image, grid, is_board=True).looks
    assert not joined.any()

    def opinions(self: Networks, features: object, looks: np.typing.NDArray[np.intp]) -> object:
        scores = np.full((3, *looks.shape, LABELS), -20, np.float32)
        scores[:, :, :6, Cell.COVERED] = scores[:, :, 6:, Cell.EMPTY if is_faint else Cell.COVERED] = 0
        return scores

    monkeypatch.setattr(Networks, "opinions", opinions)
    looks = CellReader().read(image, grid, is_board=True).looks
    assert len(np.unique(looks)) == (2 if is_faint else 1)
    assert (looks[:, :6] == looks[0, 0]).all()


def test_what_is_told_of_cells_does_not_hang_on_what_was_read_before() -> None:
    """On a grid half a cell beside, cells of the same pixels have other ones around them."""
    rng = np.random.default_rng(1)
    image = np.full((220, 220, 3), 100, np.uint8)
    for row, column in np.ndindex(10, 10):
        image[row * 20 + 14 : row * 20 + 26, column * 20 + 14 : column * 20 + 26] = rng.integers(0, 255)
        image[row * 20 + 2 : row * 20 + 10, column * 20 + 2 : column * 20 + 8] = 50
    grid = Grid(10, 10, 20, 20, 9, 9)
    image[100:200, 100:200] = 100
    fresh = CellReader().read(image, grid)
    reader = CellReader()
    reader.read(image, grid.moved(10, 10))
    again = reader.read(image, grid)
    assert np.array_equal(again.features, fresh.features)
    assert np.array_equal(again.opinions, fresh.opinions)
