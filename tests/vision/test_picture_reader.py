"""Which reader is believed: a theme that half fits a picture must not read it wrongly; several boards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from painting import on_screen, painted, paste

from bot.board import Board, Cell
from bot.errors import FormatError
from bot.vision.general.general_reader import GeneralReading, read_any_boards
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import FoundGrid
from bot.vision.picture_reader import PictureReading, read_boards, read_picture
from bot.vision.plausibility import contradictions, skips_lines, why_no_game, without_misread_numbers
from bot.vision.themes.skin import Skin
from bot.vision.themes.theme import load_skin, load_skins
from training.reader.variety.skins import drawn, skins
from training.reader.variety.varied import position

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
INKS = ((255, 0, 0), (0, 128, 0), (0, 0, 255))


@pytest.fixture(scope="module")
def every() -> list[Skin]:
    return load_skins()


@pytest.fixture
def no_general_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.vision.picture_reader.read_any_boards", lambda _image, **_: [])


def with_other_digits(board: Board, skin: Skin, *, width: int) -> Image:
    """The cells of a board as a theme draws them, but its digits in strokes of `width` pixels."""
    picture = painted(Board(np.where((board.codes >= 1) & (board.codes <= 8), 0, board.codes)), skin)
    side = skin.cell_width
    for row, column in np.argwhere((board.codes >= 1) & (board.codes <= 8)).tolist():
        digit = board[row, column]
        at = column * side + side // 3, row * side + side * 3 // 4
        cv2.putText(picture, str(digit), at, 0, side / 50, INKS[digit - 1], width, cv2.LINE_AA)
    return picture


@pytest.mark.slow
@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("name", ["classic", "winmine", "practice", "xdemineur", "windows7"])
def test_digits_of_another_font_are_not_read_by_a_theme(
    every: list[Skin], no_general_reader: None, name: str, width: int
) -> None:
    skin = next(one for one in every if one.name == name)
    screen = on_screen(with_other_digits(LEGAL, skin, width=width), skin, (40, 60), (300, 320))
    try:
        boards = read_boards(screen, every)
    except FormatError:
        return
    for seen in boards:
        assert seen.board.codes.shape == LEGAL.codes.shape
        read = seen.board.codes != Cell.UNREAD
        assert np.array_equal(seen.board.codes[read], LEGAL.codes[read])


def test_cells_that_go_on_beyond_what_a_theme_reads_are_not_cut_off(
    every: list[Skin], no_general_reader: None
) -> None:
    """The right half of a board looks like a theme, its left half does not: no board of half the width."""
    skin = load_skin("winmine")
    cells = painted(Board.covered(16, 9), skin)
    cells[:, : 8 * 16] = cells[:, : 8 * 16] // 2
    screen = on_screen(cells, skin, (40, 60), (300, 400))
    with pytest.raises(FormatError, match="no Minesweeper board"):
        read_boards(screen, every)
    with pytest.raises(FormatError, match=r"of 7x7 cells was found: .* or leave out --size"):
        read_boards(screen, every, size=(7, 7))
    (seen,) = read_boards(screen, every, size=(8, 9))
    assert seen.skin is not None


def test_a_theme_is_believed_where_the_picture_ends_with_the_cells(
    every: list[Skin], no_general_reader: None
) -> None:
    (seen,) = read_boards(painted(LEGAL, load_skin("winmine")), every)
    assert (seen.board, seen.hidden_sides) == (LEGAL, ("left", "top", "right", "bottom"))


@pytest.mark.parametrize(
    ("missing", "flags", "read"), [(None, 1, Cell.UNREAD), (Cell.FLAG, 1, Cell.FLAG), (None, 2, Cell.FLAG)]
)
def test_what_a_theme_cannot_read_on_one_cell_is_nothing_that_it_knows(
    monkeypatch: pytest.MonkeyPatch, missing: Cell | None, flags: int, read: Cell
) -> None:
    """The general reader sees a flag under a pointer. A theme without flags does not know better, and on
    several cells they are the flags of another game."""
    skin = load_skin("winmine")
    glyphs = skin.glyph_sets[0]
    kept = glyphs.codes != missing
    known = replace(glyphs, codes=glyphs.codes[kept], glyphs=glyphs.glyphs[kept])
    known = replace(known, hovered=glyphs.hovered[kept])
    position = Board(np.where(LEGAL.codes == Cell.FLAG, Cell.COVERED, LEGAL.codes))
    screen, grid = framed(position, skin), Grid(30, 30, 16, 16, 9, 9)
    unlike = position.where(Cell.COVERED)[:flags]
    codes = position.codes.copy()
    for cell in unlike:
        place = grid.cell_rect(*cell)
        screen[place.y + 5 : place.y + 12, place.x + 3 : place.x + 11] = (255, 255, 255)
        codes[cell] = Cell.FLAG
    flagged = Board(codes)
    general = GeneralReading(FoundGrid(grid, grid, 1.0), flagged, 0.0)
    monkeypatch.setattr("bot.vision.picture_reader.read_any_boards", lambda _image, **_: [general])
    (seen,) = read_boards(screen, [replace(skin, glyph_sets=(known,))])
    wanted = position.codes.copy()
    for cell in unlike:
        wanted[cell] = read
    assert np.array_equal(seen.board.codes, wanted)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("...\n...\n...", "nothing"),
        ("#..\n...\n...", "the numbers do not fit"),
        ("11.\n#1.\n11.", None),
        ("####\n####\n####", None),
        ("2222\n####\n2222\n####\n2222", "no 1"),
        ("2##3\n####\n3##4\n####\n4##3\n####\n3##3\n####\n3##2\n##2#", None),  # it is crowded
        ("...\n...\n..F", "without any number"),
        ("!..\n!..\n#1.", None),
    ],
)
def test_what_no_game_shows_is_no_board(text: str, why: str | None) -> None:
    told = why_no_game(Board.parse(text).codes)
    assert told is None if why is None else why in str(told)


@pytest.mark.parametrize(
    ("text", "skips"),
    [
        ("1#2#\n####\n" * 8, True),
        ("1##2#\n#####\n#####\n" * 6, True),
        ("1#2#\n####\n" * 7, False),  # that may be chance
        ("1#2#\n####\n" * 8 + "####\n#1##", False),
        ("#1#1#1#1#1#1#1#1\n" + "################\n" * 4, True),
        ("1######1\n" + "########\n" * 7 + "1######1", False),  # the corners are opened first
        ("########\n" * 8, False),
    ],
)
def test_numbers_on_every_second_line_alone_are_on_parts_of_cells(text: str, skips: bool) -> None:
    assert skips_lines(Board.parse(text.strip()).codes) is skips


def test_flags_contradict_nothing() -> None:
    assert contradictions(Board.parse("F..\n...\nF1F").codes) == 0
    assert contradictions(Board.parse("#..\n...\nF1F").codes) == 3
    assert contradictions(Board.parse("8#\n##").codes) == 1


@pytest.mark.parametrize(
    ("read", "checked"),
    [
        ("F1#\n12#\n###", "F1#\n12#\n###"),
        ("FF#\n11#\n###", "FF#\n11#\n###"),  # one of the flags is wrong: both numbers are right
        ("#.#\n3..\n#..", "#.#\n!..\n#.."),
        ("*1*\n222\n...", "*!*\n!2!\n..."),
        ("8..\n...\n..#", "!..\n...\n..#"),
    ],
)
def test_a_number_that_alone_does_not_fit_was_misread(read: str, checked: str) -> None:
    assert str(Board(without_misread_numbers(Board.parse(read).codes))) == checked


def beside(*pictures: Image, gap: int = 60) -> Image:
    """Pictures side by side on a grey ground."""
    height = max(len(one) for one in pictures) + 2 * gap
    width = sum(one.shape[1] + gap for one in pictures) + gap
    screen = np.full((height, width, 3), 90, np.uint8)
    x = gap
    for one in pictures:
        screen[gap : gap + len(one), x : x + one.shape[1]] = one
        x += one.shape[1] + gap
    return screen


def framed(board: Board, skin: Skin) -> Image:
    cells = painted(board, skin)
    screen = np.full((cells.shape[0] + 60, cells.shape[1] + 60, 3), 192, np.uint8)
    paste(screen, cells, skin, (30, 30))
    return screen


@pytest.mark.slow
def test_boards_of_two_readers_are_found_from_left_to_right(every: list[Skin]) -> None:
    rng = np.random.default_rng(6)
    unknown, _ = drawn(skins()["flat blue"], other := position(rng, 9, 9, 10, "middle"), 20, 14)
    known = framed(LEGAL, load_skin("winmine"))
    for order in (1, -1):
        boards = read_boards(beside(*(unknown, known)[::order]), every)
        names = [None if one.skin is None else one.skin.name for one in boards]
        assert names == [None, "winmine"][::order]
        assert [one.board for one in boards] == [other, LEGAL][::order]


@pytest.mark.slow
def test_beside_a_board_that_is_known_another_one_must_be_read_whole(
    every: list[Skin], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As what a bot printed beside Google's game, of characters of 8 pixels, but for two cells."""

    def blotted(image: Image, **_: Any) -> list[GeneralReading]:
        return [
            replace(one, board=one.board.replaced([(0, 0)], Cell.UNREAD)) for one in read_any_boards(image)
        ]

    monkeypatch.setattr("bot.vision.picture_reader.read_any_boards", blotted)
    unknown, _ = drawn(skins()["flat blue"], position(np.random.default_rng(6), 9, 9, 10, "middle"), 20, 14)
    known = framed(LEGAL, load_skin("winmine"))
    assert [one.board for one in read_boards(beside(unknown, known), every)] == [LEGAL]
    assert len(read_boards(beside(unknown), every)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("position_beside", "count"), [(LEGAL, 1), (LEGAL.replaced([(0, 0)], Cell.FLAG), 2)])
def test_what_shows_the_position_of_a_known_board_beside_it_is_printed(
    every: list[Skin], position_beside: Board, count: int
) -> None:
    """As a bot prints what it reads beside Google's game."""
    unknown, _ = drawn(skins()["flat blue"], position_beside, 20, 14)
    boards = read_boards(beside(unknown, framed(LEGAL, load_skin("winmine"))), every)
    assert [one.board for one in boards][-1] == LEGAL
    assert len(boards) == count


@pytest.mark.slow
def test_a_second_board_below_another_is_the_second(every: list[Skin]) -> None:
    rng = np.random.default_rng(7)
    one, other = (position(rng, 9, 9, 10, "middle") for _ in range(2))
    pictures = [drawn(skins()["classic"], board, 20, 20)[0] for board in (one, other)]
    screen = np.ascontiguousarray(beside(*(np.rot90(picture) for picture in pictures))[:, ::1])
    upright = np.ascontiguousarray(np.rot90(screen, -1))
    assert [seen.board for seen in read_boards(upright, every)] == [one, other]


def test_two_boards_are_not_one_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    skin = load_skin("winmine")
    screen = beside(framed(LEGAL, skin), framed(Board.covered(9, 9), skin))
    monkeypatch.setattr(
        "bot.vision.picture_reader.read_any_boards", lambda _image, **_: list[GeneralReading]()
    )
    with pytest.raises(FormatError, match="2 boards were found"):
        read_picture(screen, [skin])
    boards = read_boards(screen, [skin])
    assert [seen.board for seen in boards] == [LEGAL, Board.covered(9, 9)]
    assert isinstance(boards[0], PictureReading)
