"""Reading the cells of a known grid: exactly, only what changed, and never by guessing."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from painting import painted, scaled_window

from bot.board import SYMBOLS, Board, Cell
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.grid import Grid
from bot.vision.skin_search import find_boards
from bot.vision.themes.skin import Skin
from bot.vision.themes.theme import load_skin
from training.reader.variety.varied import position

EVERYTHING = Board.parse(".12345678#\nF?*Xx#....")


@pytest.fixture(scope="module", params=["winmine", "practice"])
def skin(request: pytest.FixtureRequest) -> Skin:
    return load_skin(request.param)


def grid_for(board: Board, skin: Skin, glyph_set: int = 0) -> Grid:
    width, height = skin.glyph_sets[glyph_set].cell
    return Grid(0, 0, width, height, board.columns, board.rows)


def test_every_glyph_of_every_cut_is_read_as_itself(skin: Skin) -> None:
    for glyph_set in range(len(skin.glyph_sets)):
        reading = GlyphReader(skin, grid_for(EVERYTHING, skin, glyph_set)).read(
            painted(EVERYTHING, skin, glyph_set=glyph_set)
        )
        assert reading.board == EVERYTHING
        assert reading.distances.max() == 0


def test_only_changed_cells_are_looked_at(skin: Skin) -> None:
    picture = painted(EVERYTHING, skin)
    reader = GlyphReader(skin, grid_for(EVERYTHING, skin))
    reader.read(picture)
    assert reader.changed == 20
    reader.read(picture)
    assert reader.changed == 0
    after = EVERYTHING.replaced([(1, 1), (0, 9)], Cell.FLAG)
    assert reader.read(painted(after, skin)).board == after
    assert reader.changed == 2


def test_a_cell_that_looks_like_nothing_is_unread(skin: Skin) -> None:
    picture = painted(EVERYTHING, skin)
    width, height = skin.glyph_sets[0].cell
    picture[:height, width : 2 * width] = (200, 30, 220)
    board = GlyphReader(skin, grid_for(EVERYTHING, skin)).read(picture).board
    assert board == EVERYTHING.replaced([(0, 1)], Cell.UNREAD)


@pytest.mark.parametrize("missing", "12345678")
def test_a_digit_that_the_theme_lacks_is_unread_not_another_digit(skin: Skin, missing: str) -> None:
    """Nearest with no limit reads a quarter of such a board wrongly and says nothing."""
    glyph_set = skin.glyph_sets[0]
    rest = glyph_set.codes != SYMBOLS.index(missing)
    poorer = replace(
        skin, glyph_sets=(replace(glyph_set, codes=glyph_set.codes[rest], glyphs=glyph_set.glyphs[rest]),)
    )
    board = Board.parse(f"{missing}#\n##")
    assert GlyphReader(poorer, grid_for(board, skin)).read(painted(board, skin)).board[0, 0] == Cell.UNREAD


@pytest.mark.parametrize("plain", ".#")
def test_a_pale_digit_that_a_learned_theme_lacks_is_no_empty_cell(skin: Skin, plain: str) -> None:
    """The 6 of GNOME Mines is so pale that it differs from an empty cell by 2.6 on average."""
    learned = replace(skin, learned=True)
    board = Board.parse(f"{plain}{plain}\n{plain}#")
    picture = painted(board, skin)
    width, height = skin.glyph_sets[0].cell
    cell = picture[:height, :width]
    colour = tuple(int(value) + (45 if value < 128 else -45) for value in cell[height // 2, width // 2])
    cv2.circle(cell, (width // 2, height // 2), width // 4, colour, 1)
    reader = GlyphReader(learned, grid_for(board, skin))
    assert reader.read(picture).board == board.replaced([(0, 0)], Cell.UNREAD)
    assert reader.read(picture).distances[0, 0] < 9


@pytest.mark.parametrize("covered", [0.3, 0.5, 0.8])
def test_a_cell_that_is_covered_in_part_is_unread_or_right(skin: Skin, covered: float) -> None:
    picture = painted(EVERYTHING, skin)
    height = skin.glyph_sets[0].cell[1]
    picture[: round(height * covered)] = (250, 240, 200)
    board = GlyphReader(skin, grid_for(EVERYTHING, skin)).read(picture).board
    wrong = [c for c in range(10) if board[0, c] not in (Cell.UNREAD, EVERYTHING[0, c])]
    assert wrong == []


def test_a_grid_that_reaches_over_the_picture_is_unread_there(skin: Skin) -> None:
    picture = painted(EVERYTHING, skin)
    width, height = skin.glyph_sets[0].cell
    grid = Grid(-width, 0, width, height, 3, 2)
    assert [GlyphReader(skin, grid).read(picture).board[r, 0] for r in (0, 1)] == [Cell.UNREAD] * 2


@pytest.mark.parametrize("scale", [1.25, 1.75, 2.5])
def test_scaled_windows_are_read(skin: Skin, scale: float) -> None:
    picture = painted(EVERYTHING, skin)
    pitch = round(skin.glyph_sets[0].cell[0] * scale)
    size = (pitch * 10, pitch * 2)
    scaled = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    board = GlyphReader(skin, Grid(0, 0, pitch, pitch, 10, 2)).read(scaled).board
    wrong = np.argwhere((board.codes != EVERYTHING.codes) & (board.codes != Cell.UNREAD))
    assert len(wrong) == 0


@pytest.mark.parametrize("scale", [0.75, 0.9, 1.1, 1.25, 1.3, 1.97, 2.25, 2.75, 2.95])
@pytest.mark.parametrize("start", [0.0, 4.5])
def test_fractional_pitches_are_read(skin: Skin, scale: float, start: float) -> None:
    """Each cell is drawn into its own whole pixels, as toolkits do: they are read, none of them wrongly."""
    pitch = skin.glyph_sets[0].cell[0] * scale
    grid = Grid(start, start, pitch, pitch, 10, 2)
    picture = np.zeros((grid.rect.bottom + 5, grid.rect.right + 5, 3), np.uint8)
    glyph_set = skin.glyph_set_for(pitch)
    for row in range(2):
        for column in range(10):
            rect = grid.cell_rect(row, column)
            look = cv2.resize(
                glyph_set.glyph(EVERYTHING[row, column]),
                (rect.width, rect.height),
                interpolation=cv2.INTER_AREA,
            )
            picture[rect.y : rect.bottom, rect.x : rect.right] = look
    board = GlyphReader(skin, grid).read(picture).board
    wrong = np.argwhere((board.codes != EVERYTHING.codes) & (board.codes != Cell.UNREAD))
    assert len(wrong) == 0
    assert board.count(Cell.UNREAD) <= (1 if scale < 1 else 0)  # pixel art made smaller loses lines


def test_a_fractional_grid_that_reaches_over_the_picture_is_unread_there(skin: Skin) -> None:
    picture = painted(EVERYTHING, skin)
    width, height = skin.glyph_sets[0].cell
    grid = Grid(-width - 0.5, -0.5, width + 0.25, height + 0.25, 3, 2)
    assert [GlyphReader(skin, grid).read(picture).board[r, 0] for r in (0, 1)] == [Cell.UNREAD] * 2


def test_a_new_cell_of_a_scaled_board_is_read_by_those_that_were_read_before() -> None:
    skin = load_skin("winmine")
    board = position(np.random.default_rng(5), 30, 16, 99, "middle")
    picture = scaled_window(skin, board, 18.7)
    (found,) = find_boards(picture, [skin])
    alone = GlyphReader(skin, found.grid)
    alone.read(picture)
    assert alone._cells is not None
    doubtful = [
        (row, column)
        for row, column in np.ndindex(board.rows, board.columns)
        if alone._classifier.classify(alone._cells[row, column][None])[0][0] == Cell.UNREAD
    ]
    assert doubtful, "every cell is clear by its glyph: there is nothing to be read by others"
    rect = found.grid.cell_rect(*doubtful[0])
    before = picture.copy()
    before[rect.y : rect.bottom, rect.x : rect.right] = (200, 30, 220)
    reader = GlyphReader(skin, found.grid)
    assert reader.read(before).board[doubtful[0]] == Cell.UNREAD
    assert str(reader.read(picture).board) == str(board)


@pytest.mark.parametrize("name", ["winmine", "xdemineur"])
def test_a_learned_theme_reads_cells_of_its_size_that_lie_between_pixels(name: str) -> None:
    """A picture moved by half a pixel has cells of the size that was cut, but none as they were cut."""
    skin = load_skin(name)
    learned = replace(skin, learned=True)
    board = position(np.random.default_rng(6), 16, 16, 40, "middle")
    cells = np.pad(painted(board, skin), ((8, 8), (8, 8), (0, 0)))
    half = np.array([[1, 0, 0.5], [0, 1, 0.5]], np.float32)
    moved = np.asarray(cv2.warpAffine(cells, half, cells.shape[1::-1]), np.uint8)
    size = skin.cell_width
    read = GlyphReader(learned, Grid(8.5, 8.5, size, size, 16, 16)).read(moved).board
    clear = read.codes != Cell.UNREAD
    assert np.array_equal(read.codes[clear], board.codes[clear])
    assert clear.mean() > 0.9
