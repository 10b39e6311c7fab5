"""Cells that are told by their colours, and boards without lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from meadow import AROUND, fonts, google, meadow

from bot.board import Board, Cell
from bot.errors import FormatError
from bot.vision.cells.colour_reader import ColourReader
from bot.vision.grid import Grid, Image
from bot.vision.header.button import find_button
from bot.vision.skin_search import find_boards
from bot.vision.themes.palette import Colour
from bot.vision.themes.theme import load_theme
from tests.sweeps import shares

pytestmark = pytest.mark.slow

EVERYTHING = Board.parse(
    """
    ##########
    #F###1111#
    ##11211.1#
    ##1.1#2111
    ##2123F2##
    #3456#78##
    ##8765432#
    ##########
    """
)

SIZES = [25, 30, 45, 19.3, 33.75, 56.25, 75]


@pytest.mark.parametrize("font", fonts())
@pytest.mark.parametrize("cell", SIZES)
def test_every_cell_is_read_in_any_font_at_any_size(font: str, cell: float) -> None:
    picture, _ = meadow(EVERYTHING, cell, font=font)
    (found,) = find_boards(picture, [google()])
    assert str(found.reading.board) == str(EVERYTHING)
    assert found.hidden_sides == ()


@pytest.mark.parametrize("cell", SIZES)
def test_the_grid_lies_where_it_was_painted(cell: float) -> None:
    picture, grid = meadow(EVERYTHING, cell)
    (found,) = find_boards(picture, [google()])
    assert (found.grid.columns, found.grid.rows) == (grid.columns, grid.rows)
    assert abs(found.grid.x - grid.x) < 1
    assert abs(found.grid.y - grid.y) < 1
    assert found.grid.cell_width == pytest.approx(grid.cell_width, abs=0.06)
    assert found.grid.cell_height == pytest.approx(grid.cell_height, abs=0.06)


@pytest.mark.parametrize(("columns", "rows"), [(10, 8), (18, 14), (24, 20), (7, 19)])
def test_the_size_is_worked_out_from_the_picture(columns: int, rows: int) -> None:
    picture, _ = meadow(Board.covered(columns, rows), 27.5)
    (found,) = find_boards(picture, [google()])
    assert (found.grid.columns, found.grid.rows) == (columns, rows)
    assert found.reading.board == Board.covered(columns, rows)


@pytest.mark.parametrize(("quality", "cell"), [(95, 30), (95, 45), (85, 30), (85, 45)])
def test_a_compressed_picture_is_read(quality: int, cell: int) -> None:
    picture, _ = meadow(EVERYTHING, cell)
    written, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert written
    (found,) = find_boards(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), [google()])
    assert str(found.reading.board) == str(EVERYTHING)


@pytest.mark.parametrize("quality", [90, 75, 50])
@pytest.mark.parametrize("font", fonts())
def test_a_picture_compressed_too_much_is_not_misread(quality: int, font: str) -> None:
    for cell in (25, 27.5, 30):
        picture, grid = meadow(EVERYTHING, cell, font=font)
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        board = ColourReader(google(), grid).read(np.asarray(cv2.imdecode(data, 1), np.uint8)).board
        assert not ((board.codes != EVERYTHING.codes) & (board.codes != Cell.UNREAD)).any()


@pytest.mark.parametrize("under", [(0, 0), (0, 1), (2, 3), (1, 1), (4, 5)])
def test_the_mouse_over_a_cell_changes_nothing(under: tuple[int, int]) -> None:
    picture, grid = meadow(EVERYTHING, 30, under=under)
    assert ColourReader(google(), grid).read(picture).board == EVERYTHING


def test_two_cells_cannot_both_be_under_the_mouse() -> None:
    """What has that colour besides is a tile that falls."""
    picture, grid = meadow(EVERYTHING, 30, under=(0, 0))
    other, _ = meadow(EVERYTHING, 30, under=(7, 7))
    cell = grid.cell_rect(7, 7)
    part = slice(cell.y, cell.bottom), slice(cell.x, cell.right)
    picture[part] = other[part]
    board = ColourReader(google(), grid).read(picture).board
    assert board.where(Cell.UNREAD) == [(0, 0), (7, 7)]


def fallen(picture: Image, x: float, y: float, size: float, turned: float) -> Image:
    """The picture with a light green tile over it, its middle at (x, y)."""
    tile = cv2.boxPoints(((x, y), (size, size), turned)).astype(np.int32)
    return np.asarray(cv2.fillPoly(picture.copy(), [tile], (98, 229, 187)), np.uint8)


@pytest.mark.parametrize("share", shares(3))
@pytest.mark.parametrize("size", [6, 12, 20, 26])
@pytest.mark.parametrize("turned", [0, 30, 45])
def test_a_tile_that_falls_over_the_board_is_never_read_as_something_else(
    size: int, turned: int, share: int
) -> None:
    """Over each cell, at three places; a share has one of them for each."""
    picture, grid = meadow(EVERYTHING, 30)
    reader = ColourReader(google(), grid)
    hidden = 0
    for row in range(grid.rows):
        for column in range(grid.columns):
            dx, dy = ((0, 0), (9, -7), (-12, 13))[(row + column + share) % 3]
            middle = grid.center((row, column))
            board = reader.read(fallen(picture, middle.x + dx, middle.y + dy, size, turned)).board
            misread = (board.codes != EVERYTHING.codes) & (board.codes != Cell.UNREAD)
            assert not misread.any()
            hidden += board.count(Cell.UNREAD)
    assert hidden > 0


@pytest.mark.parametrize("font", fonts())
@pytest.mark.parametrize("cell", [25, 45])
def test_a_cell_that_a_tile_hides_in_part_is_told_or_not_but_never_another(font: str, cell: int) -> None:
    picture, grid = meadow(EVERYTHING, cell, font=font)
    everywhere = np.ones(EVERYTHING.codes.shape, bool)
    told = unread = 0
    for size, turned, away in ((1.0, 0, 0.5), (0.8, 30, 0.35), (0.5, 45, 0.0), (0.3, 20, 0.1)):
        reader = ColourReader(google(), grid)
        for row in range(grid.rows):
            for column in range(grid.columns):
                middle = grid.center((row, column))
                x, y = middle.x + away * cell, middle.y - away * cell
                board = reader.read(fallen(picture, x, y, size * cell, turned)).board
                codes = reader.half_hidden(everywhere)
                new = (board.codes == Cell.UNREAD) & (codes != Cell.UNREAD)
                assert (codes[new] == EVERYTHING.codes[new]).all()
                assert (codes[~new] == board.codes[~new]).all()
                told, unread = told + int(new.sum()), unread + board.count(Cell.UNREAD)
    assert told > unread / 4


def test_under_the_tutorial_the_board_is_covered() -> None:
    board = Board.covered(10, 8)
    picture, grid = meadow(board, 45)
    x, y = grid.rect.center.x, grid.rect.center.y
    cv2.rectangle(picture, (x - 75, y - 75), (x + 75, y + 75), (30, 60, 40), -1)
    assert ColourReader(google(), grid).read(picture).board == board


@pytest.mark.parametrize("opened", [(5, 5), (1, 3)])
def test_what_cannot_be_read_here_and_there_hides_no_tutorial(opened: tuple[int, int]) -> None:
    """A lost board with one number, that darkened while its mines exploded, was read as the next game."""
    board = Board.covered(10, 8).replaced([opened], 1)
    picture, grid = meadow(board, 45)
    blasts = [(0, 4), (3, 8), (6, 2), (2, 1), (4, 5), opened]
    for cell in blasts:
        place = grid.cell_rect(*cell)
        picture[place.y : place.bottom, place.x : place.right] = (30, 60, 40)
    codes = ColourReader(google(), grid).read(picture).board.codes
    assert [tuple(cell) for cell in np.argwhere(codes == Cell.UNREAD).tolist()] == sorted(set(blasts))


def test_what_lies_at_the_rim_of_a_board_is_no_tutorial() -> None:
    picture, grid = meadow(Board.covered(10, 8), 45)
    cv2.rectangle(
        picture, (grid.rect.x, grid.rect.y), (grid.rect.x + 150, grid.rect.y + 150), (30, 60, 40), -1
    )
    assert ColourReader(google(), grid).read(picture).board.count(Cell.UNREAD) == 16


def test_a_picture_over_a_game_that_has_begun_is_no_tutorial() -> None:
    picture, grid = meadow(EVERYTHING, 45)
    x, y = grid.rect.center.x, grid.rect.center.y
    cv2.rectangle(picture, (x - 75, y - 75), (x + 75, y + 75), (30, 60, 40), -1)
    assert ColourReader(google(), grid).read(picture).board.count(Cell.UNREAD) >= 9


def test_mines_are_shown_in_colours_of_their_own() -> None:
    lost = EVERYTHING.replaced([(0, 3), (5, 5), (7, 8)], Cell.MINE)
    picture, grid = meadow(lost, 30)
    assert str(ColourReader(google(), grid).read(picture).board) == str(lost)


def test_a_board_that_turned_blue_shows_no_mines() -> None:
    picture, grid = meadow(EVERYTHING.replaced([(0, 3), (5, 5)], Cell.MINE), 30)
    rect = grid.rect
    picture[rect.y + 120 : rect.bottom, rect.x : rect.right] = (249, 193, 77)
    assert ColourReader(google(), grid).read(picture).board.count(Cell.MINE) == 0


@pytest.mark.parametrize(
    ("light", "dark"),
    [((240, 217, 181), (181, 136, 99)), ((238, 238, 210), (118, 150, 86)), ((255,) * 3, (0,) * 3)],
)
def test_a_chess_board_is_none(light: tuple[int, int, int], dark: tuple[int, int, int]) -> None:
    chess = np.indices((8, 8)).sum(axis=0) % 2
    colours = np.array([light[::-1], dark[::-1]], np.uint8)
    picture = np.full((600, 800, 3), 255, np.uint8)
    picture[60:540, 100:580] = colours[chess].repeat(60, axis=0).repeat(60, axis=1)
    assert find_boards(picture, [google()]) == []


def test_a_meadow_without_squares_is_no_board() -> None:
    picture = np.full((500, 700, 3), 255, np.uint8)
    picture[50:400, 50:600] = (81, 215, 170)
    assert find_boards(picture, [google()]) == []


@pytest.mark.parametrize("side", ["right", "bottom"])
def test_a_board_that_is_cut_by_less_than_a_third_of_a_cell_is_read(side: str) -> None:
    picture, grid = meadow(EVERYTHING, 45)
    cut = 12
    picture = picture[: grid.rect.bottom - cut] if side == "bottom" else picture[:, : grid.rect.right - cut]
    (found,) = find_boards(np.ascontiguousarray(picture), [google()])
    assert (found.grid.columns, found.grid.rows) == (10, 8)
    where = np.s_[:-1, :] if side == "bottom" else np.s_[:, :-1]
    assert (found.reading.board.codes[where] == EVERYTHING.codes[where]).all()


def test_a_board_without_its_header_has_a_seam() -> None:
    picture, _ = meadow(EVERYTHING, 45)
    picture[AROUND - 60 : AROUND] = 255
    (found,) = find_boards(picture, [google()])
    assert found.hidden_sides == ("top",)


def test_a_grid_beyond_the_picture_is_unread_there() -> None:
    picture, grid = meadow(EVERYTHING, 30)
    half = np.ascontiguousarray(picture[: grid.rect.y + 4 * 30])
    board = ColourReader(google(), grid).read(half).board
    assert (board.codes[4:] == Cell.UNREAD).all()
    assert (board.codes[:4] == EVERYTHING.codes[:4]).all()


def test_what_does_not_change_is_not_read_again() -> None:
    picture, grid = meadow(EVERYTHING, 30)
    reader = ColourReader(google(), grid)
    reader.read(picture)
    assert reader.changed == grid.columns * grid.rows
    reader.read(picture)
    assert reader.changed == 0
    cell = grid.cell_rect(0, 0)
    picture[cell.y : cell.bottom, cell.x : cell.right] = 0
    assert reader.read(picture).board[0, 0] == Cell.UNREAD
    assert reader.changed == 1
    reader.forget()
    reader.read(picture)
    assert reader.changed == grid.columns * grid.rows


def test_without_its_colour_a_digit_is_unread() -> None:
    """Nearest with no limit would make it another digit."""
    skin = google()
    assert skin.palette is not None
    for digit in "12345678":
        digits = skin.palette.digits | {digit: Colour(255, 0, 255)}
        palette = msgspec.structs.replace(skin.palette, digits=digits)
        picture, grid = meadow(EVERYTHING, 30)
        board = ColourReader(replace(skin, palette=palette), grid).read(picture).board
        expected = EVERYTHING.replaced(
            [(int(r), int(c)) for r, c in np.argwhere(EVERYTHING.codes == int(digit))], Cell.UNREAD
        )
        assert str(board) == str(expected)


def test_a_theme_tells_its_cells_in_one_way(tmp_path: Path) -> None:
    text = (load_theme("google").folder / "theme.toml").read_text()
    for broken, why in (
        (text.replace("[colours", "[colors"), "colors"),
        (text.replace("8 = [158, 158, 158]\n", ""), "each of 1 to 8"),
        (text[: text.index("[colours]")] + text[text.index("[ending]") :], "either by cuts or by colours"),
        (text.replace("[66, 66, 66]", "[66, 66, 266]"), "266|255"),
        (text.replace("[66, 66, 66]", "[160, 158, 158]"), "7 and 8"),
    ):
        (tmp_path / "theme.toml").write_text(broken)
        with pytest.raises(FormatError, match=why):
            load_theme(tmp_path)


def board_with_button(width: int, height: int, x: int) -> Image:
    picture = np.full((420, 450, 3), (30, 60, 50), np.uint8)
    cv2.rectangle(picture, (x, 250), (x + width - 1, 250 + height - 1), (44, 117, 74), -1)
    cv2.putText(picture, "Try again", (x + 70, 280), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (255, 255, 255), 2)
    return picture


def test_the_button_is_found_and_nothing_else() -> None:
    ending = load_theme("google").behaviour.ending
    assert ending is not None
    grid = Grid(0, 60, 45, 45, 10, 8)
    button = find_button(board_with_button(240, 46, 105), grid.rect, ending.button)
    assert button is not None
    assert (button.x, button.y, button.width, button.height) == (105, 250, 240, 46)
    assert find_button(board_with_button(40, 46, 205), grid.rect, ending.button) is None
    assert find_button(board_with_button(240, 46, 0), grid.rect, ending.button) is None
    assert find_button(np.full((420, 450, 3), 200, np.uint8), grid.rect, ending.button) is None
