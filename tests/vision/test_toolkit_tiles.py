"""GNOME Mines: cells under the pointer, and cells of sizes that were not cut."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from painting import painted

from bot.board import Board, Cell
from bot.vision.cells.glyph_reader import GlyphReader, oblong_tiles
from bot.vision.grid import Grid
from bot.vision.skin_search import find_boards
from bot.vision.themes.theme import load_skin

pytestmark = pytest.mark.slow


def test_a_covered_cell_under_the_pointer_is_covered_until_the_game_is_lost() -> None:
    skin = load_skin("gnome-mines")
    cut = skin.glyph_sets[0]
    width, height = cut.cell
    reader = GlyphReader(skin, Grid(0, 0, width, height, 4, 4))
    for text, at_3_3 in (("....\n..11\n..1#\n..1#", "#"), ("....\n..11\n..1X\n..1#", ".")):
        board = Board.parse(text)
        picture = painted(board, skin)
        picture[-height:, -width:] = cut.glyphs[np.flatnonzero(cut.hovered)[0]]
        assert str(reader.read(picture).board) == text[:-1] + at_3_3


@pytest.mark.parametrize("size", [24, 26])
def test_small_cells_that_the_window_blurs_are_read(size: int) -> None:
    folder = Path(__file__).parent / "pictures"
    picture = cv2.imread(str(folder / f"gnome_mines_{size}px.png"))
    assert picture is not None
    found = find_boards(np.asarray(picture, np.uint8), [load_skin("gnome-mines")])
    assert [str(one.reading.board) for one in found] == [
        (folder / f"gnome_mines_{size}px.txt").read_text().strip()
    ]


def test_a_window_that_is_drawn_twice_as_large_is_read_with_its_counter() -> None:
    """With `GDK_SCALE=2` the gaps between the tiles and the frames around them are twice as wide too."""
    folder = Path(__file__).parent / "pictures"
    picture = cv2.imread(str(folder / "gnome_mines_twice.png"))
    assert picture is not None
    (found,) = find_boards(np.asarray(picture, np.uint8), [load_skin("gnome-mines")])
    assert str(found.reading.board) == (folder / "gnome_mines_twice.txt").read_text().strip()
    assert (found.grid.magnification, found.reading.counter, found.hidden_sides) == (2, 40, ())


@pytest.mark.parametrize("scale", [1.1, 1.25, 1.37, 1.5, 1.75])
@pytest.mark.parametrize("name", ["24px", "26px", "bgcolors_17", "default_23"])
def test_a_window_that_a_desktop_scales_by_a_fraction_is_read(name: str, scale: float) -> None:
    folder = Path(__file__).parent / "pictures"
    picture = cv2.imread(str(folder / f"gnome_mines_{name}.png"))
    assert picture is not None
    for way in (cv2.INTER_LINEAR, cv2.INTER_CUBIC):
        large = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way), np.uint8)
        (found,) = find_boards(large, [load_skin("gnome-mines")])
        read = str(found.reading.board)
        real = (folder / f"gnome_mines_{name}.txt").read_text().strip()
        assert len(read) == len(real)
        assert all(one in (other, "!") for one, other in zip(read, real, strict=True))
        assert read.count("!") <= 1


def test_the_first_flag_on_a_tile_that_is_no_square_is_read() -> None:
    """GTK gave its first columns and rows the pixels that remained, so that tiles were 25x23 pixels, and 1.37
    times that on the screen: the flag, as wide as high, was like no glyph, and no other flag explained it."""
    picture = cv2.imread(str(Path(__file__).parent / "pictures" / "gnome_mines_oblong.png"))
    assert picture is not None
    grid = Grid(7.591, 7.764, 32.8717, 31.509, 16, 16, wide_columns=5, wide_rows=14, magnification=1.37)
    assert oblong_tiles(grid)[0] == (23 / 25, 1.0)
    board = GlyphReader(load_skin("gnome-mines"), grid).read(np.asarray(picture, np.uint8)).board
    assert board[14, 2] == Cell.FLAG
    assert board.count(Cell.COVERED) == 255


def test_a_six_on_a_tile_that_is_a_pixel_higher_than_wide_is_read() -> None:
    """It was as near to an 8 of a square tile as reading allows not to be, and the game was given up."""
    picture = cv2.imread(str(Path(__file__).parent / "pictures" / "gnome_mines_six.png"))
    assert picture is not None
    grid = Grid(18, 18, 28, 28, 16, 16, wide_columns=9, wide_rows=6)
    board = GlyphReader(load_skin("gnome-mines"), grid).read(np.asarray(picture, np.uint8)).board
    assert board[1, 9] == 6
    assert board.count(Cell.UNREAD) == 0


def test_a_picture_that_was_drawn_in_is_read_again() -> None:
    picture = cv2.imread(str(Path(__file__).parent / "pictures" / "gnome_mines_six.png"))
    assert picture is not None
    reader = GlyphReader(load_skin("gnome-mines"), Grid(18, 18, 28, 28, 16, 16, wide_columns=9, wide_rows=6))
    image = np.asarray(picture, np.uint8)
    assert reader.read(image).board[1, 9] == 6
    image[:] = image[:, ::-1]
    assert reader.read(image).board[1, 9] != 6


def test_tiles_that_are_nearly_squares_are_read_as_squares() -> None:
    assert oblong_tiles(Grid(0, 0, 60, 59, 9, 9)) == []
    assert oblong_tiles(Grid(0, 0, 32, 31, 9, 9)) == [(31 / 32, 1.0)]
    assert oblong_tiles(Grid(0, 0, 24, 24, 9, 9, wide_columns=3)) == [(24 / 25, 1.0)]
    assert oblong_tiles(Grid(0, 0, 23, 24, 9, 9, wide_rows=3)) == [(1.0, 23 / 25), (1.0, 23 / 24)]


@pytest.mark.parametrize("at", [(0, 330), (330, 0), (20, 300), (300, 41)])
def test_two_boards_of_one_size_are_both_found(at: tuple[int, int]) -> None:
    """Beside each other, one below the other, and so that their columns or rows mix."""
    picture = cv2.imread(str(Path(__file__).parent / "pictures" / "gnome_mines_26px.png"))
    assert picture is not None
    height, width = picture.shape[:2]
    x, y = (round(each * max(height, width) / 300) for each in at)
    both = np.full((y + height + 40, x + width + 40, 3), 0, np.uint8)
    both[:height, :width] = picture
    both[y : y + height, x : x + width] = picture
    found = find_boards(both, [load_skin("gnome-mines")])
    assert len(found) == 2
    assert found[0].reading.board == found[1].reading.board
    assert (found[1].grid.x - found[0].grid.x, found[1].grid.y - found[0].grid.y) in ((x, y), (-x, -y))
