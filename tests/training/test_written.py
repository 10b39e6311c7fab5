"""Boards that are written in characters: what each character means, where the cells lie, what is left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.board import Board, Cell
from training.reader import written
from training.reader.paint.colours import BLACK, WHITE
from training.reader.samples import read_samples
from training.reader.writing.looks import FRAMES, Writing, fixed_fonts, has, random_writing
from training.reader.writing.page import Page

needs_font = pytest.mark.skipif(not fixed_fonts(), reason="no font of equal characters is installed")
BOARD = Board.parse("\n".join(["112#", "#F1.", "111.", "...."]))
LOOKS = range(60)


def looks() -> list[Writing]:
    return [random_writing(np.random.default_rng(seed)) for seed in LOOKS]


@needs_font
def test_no_two_kinds_of_cells_have_the_same_character_but_mines() -> None:
    for look in looks():
        signs = [
            sign
            for code, sign in look.signs.items()
            if sign != " " and code not in (Cell.EXPLODED, Cell.MINE)
        ]
        assert len(set(signs)) == len(signs), look.signs
        assert look.signs[Cell.MINE] not in signs


@needs_font
def test_covered_cells_can_be_seen() -> None:
    for look in looks():
        assert look.signs[Cell.COVERED] != " " or look.covered != look.opened


@needs_font
def test_every_character_is_one_of_the_font() -> None:
    for look in looks():
        assert all(has(look.font, sign) for sign in look.signs.values()), look.font
    assert not has(fixed_fonts()[0], "\u6f22")


@needs_font
@pytest.mark.parametrize("frame", [name for name in FRAMES if name != "brackets"])
def test_the_grid_lies_where_the_grounds_of_cells_are(frame: str) -> None:
    for seed in range(12):
        look = random_writing(np.random.default_rng(seed))
        grounds = dict.fromkeys(look.grounds, WHITE) | {Cell.FLAG: (255, 0, 0)}
        signs = dict.fromkeys(look.signs, " ")
        look = replace(
            look,
            frame=frame,
            paper=BLACK,
            covered=WHITE,
            opened=BLACK,
            grounds=grounds,
            signs=signs,
            ink=WHITE,
        )
        page = Page(look, 80, 40, is_smooth=False)
        for row, column in np.ndindex(4, 4):
            page.cell(BOARD, row, column, 3, 2)
        picture = page.picture()
        grid = written._grid(look, BOARD, 3, 2)
        red = np.argwhere((picture == (255, 0, 0)).all(axis=2))
        (top, left), (bottom, right) = red.min(axis=0), red.max(axis=0) + 1
        # The flag of the second row and column; a line takes half a character on each side.
        middle = grid.x + 1.5 * grid.cell_width, grid.y + 1.5 * grid.cell_height
        assert abs((left + right) / 2 - middle[0]) <= 0.5
        assert abs((top + bottom) / 2 - middle[1]) <= 0.5
        assert right - left <= grid.cell_width


@needs_font
def test_where_nothing_shows_the_end_of_a_cell_its_character_is_in_the_middle() -> None:
    look = replace(random_writing(np.random.default_rng(1)), frame="", wide=3, high=1, column=0, line=0)
    plain = replace(look, covered=BLACK, opened=BLACK)
    coloured = replace(look, covered=WHITE, opened=BLACK)
    assert written._grid(plain, BOARD, 3, 2).x == 2 * look.across
    assert written._grid(coloured, BOARD, 3, 2).x == 3 * look.across


@needs_font
def test_a_board_whose_outer_row_nobody_sees_is_not_written() -> None:
    look = replace(random_writing(np.random.default_rng(1)), paper=BLACK, frame="")
    look = replace(look, grounds=dict.fromkeys(look.grounds, BLACK), signs={**look.signs, 0: " "})
    assert written._has_blank_sides(BOARD, look)
    assert not written._has_blank_sides(BOARD, replace(look, signs={**look.signs, 0: "."}))
    assert not written._has_blank_sides(Board(BOARD.codes[:3]), look)


@needs_font
def test_pictures_come_again_from_their_seed_and_those_that_are_there_are_kept(tmp_path: Path) -> None:
    written.main(["--pictures", "2", "--seed", "5", "--largest", "80", "--out", str(tmp_path / "one")])
    written.main(["--pictures", "3", "--seed", "5", "--largest", "80", "--out", str(tmp_path / "two")])
    one, two = (list(read_samples(tmp_path / name)) for name in ("one", "two"))
    assert (len(one), len(two)) == (2, 3)
    assert all(
        np.array_equal(a.image, b.image) and a.boards == b.boards for a, b in zip(one, two, strict=False)
    )


def test_without_a_font_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.reader.writing.looks.fixed_fonts", lambda: ())
    with pytest.raises(FileNotFoundError, match="no font of equal characters"):
        random_writing(np.random.default_rng(1))
