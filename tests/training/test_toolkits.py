"""Windows of other toolkits for judging readers: the grid is where the cells are."""

from __future__ import annotations

import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pytest

from bot.board import Board, Cell
from training.reader.samples import LabelledPicture
from training.reader.toolkits import qt_looks, qt_windows
from training.reader.toolkits.schemes import random_scheme
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


def marks_of_a_narrow_table() -> list[bytes]:
    """The pixels of a flag and of a mine that are too wide for their cells, in ink of one colour."""
    qt, rng = qt_windows.start(), np.random.default_rng(1)
    scheme = replace(random_scheme(rng, distinct=True), flag="||||", mine="----", mine_ink=(0, 0, 0))
    scheme = replace(scheme, flag_ink=scheme.mine_ink, opened=scheme.covered, mines_on_covered=True)
    look = qt_looks.random_look(rng, scheme, qt.families, ["Fusion"])
    look = replace(look, kind="table", width=16, height=16, size=14, emoji=False)
    table, place = qt_looks.make_board(qt, look, Board.parse("F*"))
    table.show()
    picture = table.grab().toImage()
    cells = [[int(one) for one in place(0, column)] for column in (0, 1)]
    return [
        b"".join(
            picture.pixel(x + across, y + down).to_bytes(4, "big")
            for down in range(1, 15)
            for across in range(1, 15)
        )
        for x, y, _, _ in cells
    ]


@pytest.mark.windows
def test_marks_that_are_too_wide_for_their_cells_are_no_dots() -> None:
    pytest.importorskip("PyQt6")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        flag, mine = pool.submit(marks_of_a_narrow_table).result()
    assert flag != mine
