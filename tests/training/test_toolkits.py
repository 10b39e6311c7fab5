"""Windows of other toolkits for judging readers: the grid is where the cells are."""

from __future__ import annotations

import shutil
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from bot.board import Board, Cell
from training.reader.samples import LabelledPicture
from training.reader.widgets import PAINTERS

BOARD = Board.parse("##11##\n##1F##\n1111##\n1#1###")
NEEDS = {"tk": ("tkinter", "Xvfb"), "qt": ("PyQt6", "fc-list"), "terminal": ("tkinter", "xterm")}
"""The module and the program that each family needs."""


def painted(family: str) -> list[LabelledPicture]:
    """Eight windows of a family, but those that could not be drawn."""
    with PAINTERS[family]([]) as drawing:
        samples = [drawing(np.random.default_rng(seed), "a", BOARD) for seed in range(8)]
    return [sample for sample in samples if sample is not None]


@pytest.mark.windows
@pytest.mark.parametrize("family", list(NEEDS))
def test_cells_of_one_meaning_look_alike_on_the_grid(family: str) -> None:
    module, program = NEEDS[family]
    pytest.importorskip(module)
    if shutil.which(program) is None or (family != "qt" and shutil.which("Xvfb") is None):
        pytest.skip(f"{program} is not installed (make test)")
    # Tk ends the process whose display goes away: it gets one of its own.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = pool.submit(painted, family).result()
    assert len(found) >= 2
    for sample in found:
        (labels,) = sample.boards
        grid = labels.grid
        left, top = grid.column_edges, grid.row_edges
        wide, high = int(grid.cell_width) - 4, int(grid.cell_height) - 4
        cells = [
            sample.image[
                top[row] + 2 : top[row] + 2 + high, left[column] + 2 : left[column] + 2 + wide
            ].astype(int)
            for row, column in np.argwhere(BOARD.codes == Cell.COVERED)
        ]
        usual = np.median(cells, axis=0)
        apart = [np.abs(cell - usual).mean() for cell in cells]
        assert np.median(apart) < 6, labels.look  # a mouse or a focus may mark a cell
