"""Finding boards on a whole screen: where they are, how many, and when there is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from painting import on_screen, painted, paste, scaled_window

from bot.board import Board, Cell
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.grid import Grid, Image
from bot.vision.grids.align import align
from bot.vision.skin_search import find_boards
from bot.vision.themes.skin import Skin
from bot.vision.themes.theme import load_skin, load_skins
from training.reader.variety.varied import position

pytestmark = pytest.mark.slow

TWO, THREE = 2, 3
FITTED = 0.3
"""Pixels by which the corners of a fitted grid may be off."""

FRESH = Board.covered(9, 9)
HALF = Board.parse(
    """
    ....1###2
    .111212##
    .1F1..1##
    .111..12#
    111....1#
    ##1.11211
    ##1.1F1..
    ##1.111..
    ##1......
    """
)
LEGAL = Board.parse(
    """
    #F##F1...
    1112#2...
    ...1F1.11
    ..12#1.1F
    ..2F#1.11
    ..2FF311.
    ..13F#F1.
    ...113#2.
    .....1F1.
    """
)
NEARLY = Board.parse("...\n.11\n.1#".replace("\n", "..\n") + "..\n.....\n.....")


@pytest.fixture(scope="module")
def skins() -> list[Skin]:
    return [load_skin("winmine"), load_skin("practice")]


@pytest.fixture(scope="module")
def all_themes() -> list[Skin]:
    return load_skins()


@pytest.mark.parametrize("name", ["winmine", "practice"])
@pytest.mark.parametrize("board", [FRESH, HALF, Board.covered(30, 16)])
@pytest.mark.parametrize("at", [(3, 3), (333, 217), (797, 765)])
def test_a_board_is_found_wherever_it_lies(
    skins: list[Skin], name: str, board: Board, at: tuple[int, int]
) -> None:
    skin = next(skin for skin in skins if skin.name == name)
    found = find_boards(on_screen(painted(board, skin), skin, at), skins)
    assert [(one.skin.name, one.grid.x, one.grid.y) for one in found] == [(name, *at)]
    assert found[0].reading.board == board
    assert found[0].hidden_sides == ()


@pytest.mark.parametrize("name", ["winmine", "practice"])
@pytest.mark.parametrize("scale", [1.1, 1.37, 1.62, 2.18, 2.7])
def test_cells_of_a_width_with_fractions_are_found(skins: list[Skin], name: str, scale: float) -> None:
    skin = next(skin for skin in skins if skin.name == name)
    framed = np.full((210, 210, 3), (120, 90, 40), np.uint8)
    paste(framed, painted(LEGAL, skin), skin, (30, 30))
    size = round(framed.shape[1] * scale), round(framed.shape[0] * scale)
    screen = np.full((768, 1024, 3), (120, 90, 40), np.uint8)
    screen[200 : 200 + size[1], 300 : 300 + size[0]] = cv2.resize(framed, size)
    (found,) = find_boards(screen, skins)
    assert found.skin.name == name
    assert found.hidden_sides == ()
    # So few cells are too few to tell by each other what the scaling has blurred: none is misread.
    told = found.reading.board.codes != Cell.UNREAD
    assert np.array_equal(found.reading.board.codes[told], LEGAL.codes[told])
    assert told.mean() > 0.93
    assert found.grid.cell_width == pytest.approx(16 * scale, abs=0.1)


WIDE = ("winmine", "classic", "practice", "xdemineur", "windows7")
PITCHES = (17.3, 18.7, 20.0, 20.5, 21.92, 24.5, 28.8, 31.5, 40.2, 44.4)


@pytest.mark.parametrize(
    ("name", "pitch"),
    [
        pytest.param(name, pitch, marks=[pytest.mark.sweep] if (one + other) % 3 else [])
        for one, name in enumerate(WIDE)
        for other, pitch in enumerate(PITCHES)
    ],
)
def test_a_large_board_between_two_widths_is_found_and_read_whole(
    all_themes: list[Skin], name: str, pitch: float
) -> None:
    """Pieces of it fit to cells of a whole width; they are not all of it."""
    skin = next(skin for skin in all_themes if skin.name == name)
    board = position(np.random.default_rng(5), 30, 16, 99, "middle")
    (found,) = find_boards(scaled_window(skin, board, pitch), all_themes)
    assert (found.skin.name, found.hidden_sides) == (name, ())
    assert str(found.reading.board) == str(board)


@pytest.mark.parametrize("name", ["classic", "practice", "xdemineur"])
def test_small_cells_between_two_widths_are_read_whole(all_themes: list[Skin], name: str) -> None:
    skin = next(skin for skin in all_themes if skin.name == name)
    board = position(np.random.default_rng(5), 30, 16, 99, "middle")
    pitch = 0.9 * skin.cell_width
    (found,) = find_boards(scaled_window(skin, board, pitch), all_themes)
    assert str(found.reading.board) == str(board)


@pytest.mark.parametrize("name", ["winmine", "classic", "practice", "xdemineur"])
@pytest.mark.parametrize("pitch", [18.7, 24.5, 28.8, 40.2])
def test_a_grid_between_two_widths_is_laid_exactly(all_themes: list[Skin], name: str, pitch: float) -> None:
    skin = next(skin for skin in all_themes if skin.name == name)
    board = position(np.random.default_rng(5), 30, 16, 99, "middle")
    (found,) = find_boards(scaled_window(skin, board, pitch), [skin])
    wide, high = (
        round((cells * skin.cell_width + 60) * pitch / skin.cell_width) / (cells * skin.cell_width + 60)
        for cells in (30, 16)
    )
    left, top = found.grid.x - 50 - 30 * wide, found.grid.y - 40 - 30 * high
    right = left + 30 * (found.grid.cell_width - skin.cell_width * wide)
    bottom = top + 16 * (found.grid.cell_height - skin.cell_width * high)
    assert max(abs(left), abs(top), abs(right), abs(bottom)) < FITTED


@pytest.mark.parametrize("pitch", [17.3, 18.9, 20.0])
def test_fine_lines_that_scaling_has_blurred_are_read_where_they_lie(
    all_themes: list[Skin], pitch: float
) -> None:
    skin = next(skin for skin in all_themes if skin.name == "xdemineur")
    board = position(np.random.default_rng(5), 30, 16, 99, "middle")
    screen = scaled_window(skin, board, pitch)
    wide, high = (round((cells * 21 + 60) * pitch / 21) / (cells * 21 + 60) for cells in (30, 16))
    grid = Grid(50 + 30 * wide, 40 + 30 * high, 21 * wide, 21 * high, 30, 16)
    assert str(GlyphReader(skin, grid).read(screen).board) == str(board)


def test_a_second_board_of_another_width_is_found_beside_one_between_two_widths(
    all_themes: list[Skin],
) -> None:
    xdemineur, winmine = (
        next(skin for skin in all_themes if skin.name == name) for name in ("xdemineur", "winmine")
    )
    board = position(np.random.default_rng(5), 16, 16, 40, "middle")
    one, other = scaled_window(xdemineur, board, 24.5), scaled_window(winmine, LEGAL, 20.0)
    screen = np.full((700, one.shape[1] + other.shape[1], 3), (120, 90, 40), np.uint8)
    screen[: one.shape[0], : one.shape[1]] = one
    screen[: other.shape[0], one.shape[1] :] = other
    found = find_boards(screen, all_themes)
    assert [one.skin.name for one in sorted(found, key=lambda one: one.grid.x)] == ["xdemineur", "winmine"]
    assert {one.reading.board.codes.shape for one in found} == {(16, 16), (9, 9)}


def test_a_scaled_cell_that_is_between_two_others_is_unread(all_themes: list[Skin]) -> None:
    """Cells that no glyph is clear for are read by those that were read: not what is as near to two."""
    skin = next(skin for skin in all_themes if skin.name == "winmine")
    board = position(np.random.default_rng(5), 30, 16, 99, "middle")
    screen = scaled_window(skin, board, 20.0)
    grid = Grid(50 + 37.5, 40 + 37.5, 20, 20, 30, 16)
    cells: dict[int, Image] = {}
    for code in (TWO, THREE):
        row, column = np.argwhere(board.codes == code)[0].tolist()
        rect = grid.cell_rect(row, column)
        cells[code] = screen[rect.y : rect.bottom, rect.x : rect.right].copy()
    for row, column in ((0, 0), (3, 4), (7, 20)):
        rect = grid.cell_rect(row, column)
        mixed = cv2.addWeighted(cells[TWO], 0.5, cells[THREE], 0.5, 0)
        screen[rect.y : rect.bottom, rect.x : rect.right] = mixed
    read = GlyphReader(skin, grid).read(screen).board
    assert [read[row, column] for row, column in ((0, 0), (3, 4), (7, 20))] == [Cell.UNREAD] * 3
    assert read.count(Cell.UNREAD) == 3


def test_boards_of_three_kinds_are_all_found(all_themes: list[Skin]) -> None:
    """One of a size that was cut, one of another width, and one whose covered cells have no one colour."""
    screen = np.full((900, 1500, 3), (120, 90, 40), np.uint8)
    winmine, xdemineur, windows7 = (
        next(skin for skin in all_themes if skin.name == name)
        for name in ("winmine", "xdemineur", "windows7")
    )
    paste(screen, painted(LEGAL, winmine), winmine, (50, 60))
    paste(screen, painted(LEGAL, windows7), windows7, (450, 480))
    large = cv2.resize(painted(LEGAL, xdemineur), (9 * 40, 9 * 40), interpolation=cv2.INTER_LINEAR)
    paste(screen, np.asarray(large, np.uint8), xdemineur, (900, 100))
    found = find_boards(screen, all_themes)
    assert {one.skin.name for one in found} == {"winmine", "xdemineur", "windows7"}
    assert {str(one.reading.board) for one in found} == {str(LEGAL)}


@pytest.mark.parametrize("cut", range(4))
def test_every_cut_is_found(skins: list[Skin], cut: int) -> None:
    skin = skins[1]
    found = find_boards(on_screen(painted(HALF, skin, glyph_set=cut), skin, (50, 60)), skins)
    assert [one.reading.board for one in found] == [HALF]
    assert found[0].grid.cell_width == skin.glyph_sets[cut].cell[0]


def test_two_boards_are_both_found(skins: list[Skin]) -> None:
    screen = on_screen(painted(FRESH, skins[0]), skins[0], (20, 30))
    paste(screen, painted(HALF, skins[1]), skins[1], (700, 400))
    found = find_boards(screen, skins)
    assert [one.skin.name for one in found] == ["winmine", "practice"]


def test_a_board_with_one_covered_cell_left_is_found(skins: list[Skin]) -> None:
    found = find_boards(on_screen(painted(NEARLY, skins[0]), skins[0], (100, 100)), skins)
    assert [one.reading.board for one in found] == [NEARLY]


def test_a_covered_middle_leaves_cells_unread(skins: list[Skin]) -> None:
    screen = on_screen(painted(FRESH, skins[0]), skins[0], (100, 100))
    screen[140:190, 150:200] = (240, 240, 240)
    (found,) = find_boards(screen, skins)
    assert found.grid.columns == 9
    assert found.grid.rows == 9
    assert found.reading.board.count(Cell.UNREAD) > 0


@pytest.mark.parametrize(("at", "seam"), [((-40, 100), "left"), ((100, -40), "top"), ((1200, 100), "right")])
def test_a_board_cut_by_the_screen_shows_a_seam(skins: list[Skin], at: tuple[int, int], seam: str) -> None:
    screen = np.zeros((1024, 1280, 3), np.uint8)
    screen[:] = (90, 70, 40)
    cells = painted(FRESH, skins[0])
    x, y = at
    shown = cells[max(0, -y) :, max(0, -x) :][: 1024 - max(0, y), : 1280 - max(0, x)]
    screen[max(0, y) : max(0, y) + shown.shape[0], max(0, x) : max(0, x) + shown.shape[1]] = shown
    (found,) = find_boards(screen, skins)
    assert seam in found.hidden_sides


def checkerboard() -> Image:
    rows, columns = np.indices((1024, 1280)) // 32
    picture = np.where(((rows + columns) % 2 == 0)[..., None], (210, 220, 230), (80, 120, 60))
    return picture.astype(np.uint8)


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((1024, 1280, 3), np.uint8),
        np.full((1024, 1280, 3), 192, np.uint8),
        np.random.default_rng(3).integers(0, 256, (1024, 1280, 3), dtype=np.uint8),
        checkerboard(),
        np.zeros((1, 1, 3), np.uint8),
    ],
    ids=["black", "grey", "noise", "checkerboard", "one pixel"],
)
def test_no_board_is_made_up(skins: list[Skin], picture: Image) -> None:
    assert find_boards(picture, skins) == []


def test_a_grid_whose_cells_show_nothing_does_not_shrink_to_nothing() -> None:
    """A plain covered board in colours that are not far from those of Windows 7."""
    picture = np.full((420, 420, 3), 255, np.uint8)
    picture[59:354, 59:354] = (143, 122, 107)
    inside = np.zeros(420, bool)
    for cell in range(9):
        inside[63 + 32 * cell : 63 + 32 * cell + 31] = True
    picture[np.ix_(inside, inside)] = (201, 169, 143)
    grid = Grid(62.12467873190323, 62.00507120070878, 32.0, 32.0, 9, 9)
    ((_, fitted),) = align(picture, [load_skin("windows7")], grid, lambda skin, grid: False)
    assert fitted.cell_width == pytest.approx(32, abs=1)
    assert fitted.cell_height == pytest.approx(32, abs=1)
