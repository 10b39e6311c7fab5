"""What the cell reader is trained on."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import Board
from bot.errors import FormatError
from bot.vision.general.cell_windows import cell_looks
from bot.vision.general.network import NOT_A_CELL
from bot.vision.grid import Grid, Image
from training.reader.learning import examples
from training.reader.learning.canvas import cell_canvas, distinct, windows_of
from training.reader.learning.examples import (
    AROUND,
    IGNORED,
    KnownBoard,
    drawn_no_boards,
    example_of,
    found_no_boards,
    is_learned,
    known_board,
    known_boards,
    plain_example,
)
from training.reader.learning.packs import read_pack, write_pack
from training.reader.no_boards import NOTHING
from training.reader.samples import LabelledBoard, LabelledPicture, write_sample

BOARD = Board.parse(
    """
    1###1.
    2#F21.
    ###1..
    22#1..
    .111..
    ......
    """
)


CHANGES = ("POINTER", "CROPPED", "STRETCHED", "SHIFTED", "RESCALED", "JITTER", "PHOTOGRAPHED")
"""What examples are changed by, besides what is drawn over."""


def picture(side: int) -> tuple[Image, Grid]:
    """The board, drawn with digits on two grounds."""
    grid = Grid(33, 21, side, side, BOARD.columns, BOARD.rows)
    image = np.full((grid.rect.bottom + 30, grid.rect.right + 40, 3), 240, np.uint8)
    for row in range(BOARD.rows):
        for column in range(BOARD.columns):
            rect, code = grid.cell_rect(row, column), int(BOARD.codes[row, column])
            cell = image[rect.y : rect.bottom, rect.x : rect.right]
            cell[:] = 120 if code >= 9 else 200
            cell[0] = cell[:, 0] = 60
            text = "F" if code == 10 else str(code) if 1 <= code <= 8 else ""
            cv2.putText(cell, text, (side // 4, side * 3 // 4), 0, side / 40, (20, 20, 20), 1)
    return image, grid


def known(side: int = 26) -> KnownBoard:
    image, grid = picture(side)
    return known_board(image, LabelledBoard(grid, BOARD))


@pytest.mark.parametrize("side", [18, 24, 31, 50])
def test_cells_are_cut_for_training_as_they_are_cut_for_reading(side: int) -> None:
    image, grid = picture(side)
    of_board = windows_of(cell_canvas(image, grid))
    cells = cell_looks(image, grid)
    windows = cells.windows([*range(len(cells.keys))])
    assert len(distinct(of_board)[1]) == len(cells.keys)
    for (row, column), look in np.ndenumerate(cells.looks):
        inner = slice(4, 28)
        difference = of_board[row, column][inner, inner].astype(int) - windows[look][inner, inner]
        assert np.abs(difference).max() <= 1


def test_a_plain_example_is_the_board_itself() -> None:
    windows, looks, codes = plain_example(known())
    assert np.array_equal(codes, BOARD.codes)
    assert len(windows) == looks.max() + 1 == len(np.unique(BOARD.codes))


def test_labels_say_where_the_board_is_and_where_it_is_not() -> None:
    labels = known().labels
    assert (labels != NOT_A_CELL).sum() == BOARD.codes.size
    assert np.array_equal(labels[AROUND:-AROUND, AROUND:-AROUND], BOARD.codes)


def test_the_same_seed_gives_the_same_example_and_another_seed_another() -> None:
    one, same, other = (example_of(np.random.default_rng(seed), known()) for seed in (3, 3, 4))
    assert np.array_equal(one.windows, same.windows)
    assert one.windows.shape != other.windows.shape or not np.array_equal(one.windows, other.windows)


def test_examples_of_many_kinds_come_up() -> None:
    """Boards, parts of boards, grids that lie between the cells, and boards with a pointer on them."""
    rng, board = np.random.default_rng(5), known()
    made = [example_of(rng, board) for _ in range(150)]
    nowhere = sum(bool((one.labels == NOT_A_CELL).all()) for one in made)
    assert 10 <= nowhere <= 60
    assert any((one.labels == IGNORED).any() for one in made)
    for one in made:
        assert one.looks.shape == one.labels.shape
        assert one.looks.max() < len(one.windows)
        assert one.windows.min() >= 0
        assert one.windows.max() <= 255


def test_what_is_no_board_has_no_cells() -> None:
    for one in drawn_no_boards(5, seed=1):
        assert (one.labels == NOT_A_CELL).all()
        assert len(example_of(np.random.default_rng(0), one).windows)


def test_boards_come_from_labelled_pictures(tmp_path: Path) -> None:
    image, grid = picture(20)
    write_sample(tmp_path, LabelledPicture("one", image, (LabelledBoard(grid, BOARD),)))
    first, *_ = known_boards(tmp_path / "one.json")
    assert np.array_equal(first.labels[AROUND:-AROUND, AROUND:-AROUND], BOARD.codes)


def test_the_edge_of_a_picture_crops_some_boards() -> None:
    """Beyond it nothing is looked at: where a side is cropped, the example ends with the board."""
    rng, board = np.random.default_rng(8), known()
    shapes = [example_of(rng, board).labels.shape for _ in range(100)]
    assert any(rows < BOARD.rows + 2 for rows, _ in shapes)
    assert any(rows > BOARD.rows + 2 for rows, _ in shapes)


def test_half_of_the_kinds_without_a_board_are_left_to_judge() -> None:
    learned = sum(is_learned(kind) for kind in NOTHING)
    assert 0.35 < learned / len(NOTHING) < 0.65


def test_grids_that_are_found_where_no_board_is_have_no_cells() -> None:
    grids = found_no_boards("spreadsheet", 1) + found_no_boards("sudoku", 1)
    assert grids
    assert all((one.labels == NOT_A_CELL).all() for one in grids)


def test_a_scaled_example_shows_the_same_board_with_hardly_two_cells_of_one_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = known(31)
    for part in (*CHANGES, "ALONE", "JOINED_AROUND"):
        monkeypatch.setattr(examples, part, 0.0)
    monkeypatch.setattr(examples, "redrawn", lambda rng, canvas, labels: canvas)
    found = {}
    for rescaled in (0.0, 1.0):
        monkeypatch.setattr(examples, "RESCALED", rescaled)
        made = [example_of(np.random.default_rng(seed), board) for seed in range(10)]
        found[rescaled] = sum(len(one.windows) / one.looks.size for one in made) / len(made)
    assert found[1.0] > 2 * found[0.0]


def noisy_board() -> KnownBoard:
    """A board of which no two cells have the same pixels."""
    image, grid = picture(24)
    noise = np.random.default_rng(5).normal(0, 2, image.shape)
    noisy = np.clip(image + noise, 0, 255).astype(np.uint8)
    return known_board(noisy, LabelledBoard(grid, BOARD, {}))


def test_looks_that_are_the_same_but_for_noise_are_joined_on_the_board_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = noisy_board()
    for part in (*CHANGES, "ALONE"):
        monkeypatch.setattr(examples, part, 0.0)
    monkeypatch.setattr(examples, "redrawn", lambda rng, canvas, labels: canvas)
    found = {}
    for joined in (0.0, 1.0):
        monkeypatch.setattr(examples, "JOINED_AROUND", joined)
        example = example_of(np.random.default_rng(2), board)
        is_cell = example.labels != NOT_A_CELL
        assert not is_cell.all()
        found[joined] = [len(np.unique(example.looks[where])) for where in (is_cell, ~is_cell)]
        assert example.looks.max() + 1 == len(example.windows) == sum(found[joined])
    assert found[0.0][0] == BOARD.codes.size
    assert found[1.0] == [len(np.unique(BOARD.codes)), found[0.0][1]]


def test_half_of_the_examples_are_boards_alone_joined_as_the_reader_reads_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = noisy_board()
    for part in CHANGES:
        monkeypatch.setattr(examples, part, 0.0)
    monkeypatch.setattr(examples, "redrawn", lambda rng, canvas, labels: canvas)
    made = [example_of(np.random.default_rng(seed), board) for seed in range(60)]
    parts = {True: list[bool](), False: list[bool]()}
    for one in made:
        is_cell = one.labels != NOT_A_CELL
        parts[bool(is_cell.all())].append(len(np.unique(one.looks[is_cell])) < is_cell.sum())
        assert not is_cell.all() or one.labels.shape == BOARD.codes.shape
    assert 20 <= len(parts[True]) <= 40
    assert np.mean(parts[True]) > 0.8
    assert np.mean(parts[False]) < 0.4


def test_boards_are_the_same_from_a_pack_but_for_the_noise_of_large_ones(tmp_path: Path) -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (300, 300, 3)).astype(np.uint8)
    noisy = known_board(pixels, LabelledBoard(picture(20)[1], BOARD))
    boards = [known(20), noisy, *drawn_no_boards(3, seed=1)]
    write_pack(tmp_path / "boards.npz", boards)
    again = [one.unpacked() for one in read_pack(tmp_path / "boards.npz")]
    assert len(again) == len(boards)
    for one, other in zip(boards, again, strict=True):
        assert np.array_equal(one.labels, other.labels)
        assert np.array_equal(one.looks, other.looks)
        assert one.canvas.shape == other.canvas.shape
    assert np.array_equal(boards[0].canvas, again[0].canvas)
    assert (tmp_path / "boards.npz").stat().st_size < sum(one.cells.nbytes for one in boards) / 5


def test_a_pack_that_was_cut_off_is_told_in_a_line(tmp_path: Path) -> None:
    write_pack(tmp_path / "boards.npz", [known(20)])
    whole = (tmp_path / "boards.npz").read_bytes()
    (tmp_path / "boards.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match="make it again"):
        read_pack(tmp_path / "boards.npz")
