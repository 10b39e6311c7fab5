"""The looks of the cells of a window that no theme knows."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from playing import screen_with, session

from bot.board import Board, Cell, Codes
from bot.geometry import Rect
from bot.targets.window.looks import Looks, LooksReader, RecordedLooksReader, backdrop, memory, recorded, rest
from bot.targets.window.looks import reader as looks_reader
from bot.targets.window.looks.known import look_size
from bot.targets.window.looks.memory import KNOWN_FLAG
from bot.targets.window.looks.possible import without_faults
from bot.vision.general.digit_colours import Inks
from bot.vision.grid import Grid, Image
from bot.vision.grids import find_grids

SIDE = 20
Pixels = npt.NDArray[np.uint8]


def cell(ground: int = 200, *, stroke: int | None = None) -> Pixels:
    """The pixels of a plain cell, with a thin stroke of another grey if one is named."""
    picture = np.full((SIDE, SIDE, 3), ground, np.uint8)
    if stroke is not None:
        picture[5:15, 9:11] = stroke
    return picture.ravel()


def test_a_look_is_met_again_with_a_little_noise() -> None:
    looks = Looks((SIDE, SIDE))
    looks.meet(cell(), 0)
    noisy = cell() + np.random.default_rng(0).integers(0, 3, SIDE * SIDE * 3).astype(np.uint8)
    assert looks.label(looks.find(noisy)) == 0
    assert looks.find(cell(120)) == -1


def test_a_cell_that_was_met_takes_the_meaning_of_a_new_look_that_is_nearer() -> None:
    """What was found before that look was there was kept for ever: a 2 stayed a 1."""
    looks, met = Looks((SIDE, SIDE)), cell(stroke=55)
    looks.meet(cell(stroke=50), 1)
    assert looks.label(looks.find(met)) == 1
    looks.meet(cell(stroke=56), 2)
    assert looks.label(looks.find(met)) == 2


def test_noise_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MAX_REMEMBERED", 10)
    looks, noise = Looks((SIDE, SIDE)), np.random.default_rng(0)
    looks.meet(cell(), 0)
    for _ in range(50):
        assert looks.find(cell() + noise.integers(0, 3, SIDE * SIDE * 3).astype(np.uint8)) == 0
        assert len(looks._known) <= 10


def test_a_thin_digit_is_no_empty_cell() -> None:
    looks = Looks((SIDE, SIDE))
    looks.meet(cell(), 0)
    thin = cell(stroke=150)  # 2.5 grey levels in the mean of the cell
    assert np.abs(thin.astype(int) - cell()).mean() < 4
    assert looks.find(thin) == -1
    looks.meet(thin, 1)
    assert (looks.label(looks.find(thin)), looks.label(looks.find(cell()))) == (1, 0)


def test_faint_digits_that_are_small_in_their_cells_are_not_one_look() -> None:
    """A 2 and a 3 in grey on brown, as disabled buttons of Tk have them, were."""
    wide, high, brown, grey = 65, 39, (140, 180, 210), (163, 163, 163)

    def digit(text: str) -> Pixels:
        picture = np.full((high, wide, 3), brown, np.uint8)
        cv2.putText(picture, text, (28, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.4, grey, 1, cv2.LINE_AA)
        pixels: Pixels = picture.ravel()
        return pixels

    looks = Looks((wide, high))
    looks.meet(digit("2"), 2)
    assert looks.find(digit("3")) == -1
    looks.meet(digit("3"), 3)
    assert [looks.label(looks.find(digit(text))) for text in "23"] == [2, 3]
    black = np.full((high, wide, 3), 255, np.uint8)
    cv2.putText(black, "2", (28, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    looks.meet(black.ravel(), 2)
    assert looks.label(looks.find((black - np.minimum(black, 3)).ravel())) == 2, (
        "a little darker it is the same"
    )


def rounded(middle: Pixels, *corners: int) -> Pixels:
    """A cell with other colours at its corners."""
    picture = middle.reshape(SIDE, SIDE, 3).copy()
    for corner, (row, column) in zip(corners, ((0, 0), (0, SIDE - 4), (SIDE - 4, 0)), strict=False):
        picture[row : row + 4, column : column + 4] = corner
    pixels: Pixels = picture.ravel()
    return pixels


@pytest.mark.parametrize("code", [Cell.COVERED, Cell.EMPTY, Cell.MINE])
@pytest.mark.parametrize("votes", [KNOWN_FLAG - 1, KNOWN_FLAG])
def test_a_flag_is_known_by_its_middle_whatever_lies_beside_its_round_corners(votes: int, code: Cell) -> None:
    """The flags of a page had the ground of the page at their corners, or that of the board: only one kind
    was known, and the others were set, taken away, and kept as covered cells. On another page all 60 were
    taken for mines, as hardly anything was covered any more: flags are plain squares there."""
    looks, flag = Looks((SIDE, SIDE)), cell(90)
    looks.meet(cell(), int(Cell.COVERED))
    looks.learn_again(looks.add(rounded(flag, 250)), int(Cell.FLAG), votes)
    pixels = np.stack([rounded(flag, 120, 250), rounded(cell(stroke=140), 120), rounded(cell(), 0), flag])
    read = np.array([[code, code, code, Cell.from_symbol("1")]], np.int8)
    first = Cell.FLAG if votes >= KNOWN_FLAG else code
    assert looks.with_flags(read, pixels[None]).tolist() == [[first, *read[0, 1:].tolist()]]
    looks.learn_again(looks.add(rounded(flag, 0, 0, 0)), int(Cell.MINE))
    assert looks.with_flags(read, pixels[None]).tolist() == read.tolist(), "two things have that middle"


def test_what_is_read_now_so_now_otherwise_is_unread() -> None:
    looks = Looks((SIDE, SIDE))
    for code in (1, 1, 2):
        looks.meet(cell(), code)
    assert looks.label(0) == Cell.UNREAD
    for _ in range(3):
        looks.meet(cell(), 1)
    assert looks.label(0) == 1
    looks.forget(1)
    assert looks.label(0) == 2


def test_of_numbers_that_contradict_each_other_the_one_read_least_often_is_doubted() -> None:
    looks = Looks((SIDE, SIDE))
    for code, times, stroke in ((0, 9, None), (1, 5, 150), (2, 2, 60)):
        for _ in range(times):
            looks.meet(cell(stroke=stroke), code)
    looks.doubt([0, 1, 2, 2])
    assert [looks.label(look) for look in range(3)] == [0, 1, Cell.UNREAD]
    looks.meet(cell(stroke=60), 2)
    assert looks.label(2) == Cell.UNREAD, "it is not read so again"
    looks.meet(cell(stroke=60), 3)
    assert looks.label(2) == 3


def test_numbers_that_cannot_be_are_unread() -> None:
    board = Board.parse("1..\n...\n..#")  # a 1 with no covered cell around it; a 0 beside a covered one
    assert Board(without_faults(board.codes)) == Board.parse("!..\n...\n..#")


@pytest.mark.parametrize(("codes", "contradicts"), [((1, 0, 0), True), ((1, 9, 1), False)])
def test_what_is_unread_because_of_the_rules_is_a_contradiction(
    codes: tuple[int, ...], contradicts: bool
) -> None:
    """A game with several mines in a cell was not told as one with other rules, only as unread."""
    reader = LooksReader(Grid(0, 0, SIDE, SIDE, 3, 1))
    row = [cell(60 + 20 * number) for number in range(3)]
    for picture, code in zip(row, codes, strict=True):
        reader.looks.add(picture, [code] * 2)
    image = np.concatenate([one.reshape(SIDE, SIDE, 3) for one in row], axis=1)
    board = reader.read(image).board
    reader.forget()  # as where the board is looked for elsewhere meanwhile
    assert (board[0, 0] == Cell.UNREAD) is reader.contradicts(image) is contradicts


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture rests once the next one is the same, however soon that comes."""
    monkeypatch.setattr(rest, "AT_REST_S", 0.0)


class Page:
    """Pictures of a row of cells, and how often the general reader was asked of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = 0
        self.grid = Grid(0, 0, SIDE, SIDE, 3, 1)
        monkeypatch.setattr(looks_reader, "read_cells", self._read)

    def picture(self, *grounds: int) -> Image:
        cells = [cell(ground).reshape(SIDE, SIDE, 3) for ground in grounds]
        return np.concatenate(cells, axis=1)

    def _read(self, image: Image, grid: Grid, _: Inks) -> Codes:
        self.asked += 1
        assert grid.rect == Rect(0, 0, 3 * SIDE, SIDE)
        greys = image[SIDE // 2, SIDE // 2 :: SIDE, 0]
        return np.where(greys > 100, Cell.COVERED, Cell.UNREAD).astype(np.int8)[None]


def test_the_general_reader_is_asked_of_what_is_new_and_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(monkeypatch)
    reader = LooksReader(page.grid)
    new = page.picture(200, 200, 220)
    assert reader.read(new).board == Board.parse("!!!")
    assert page.asked == 0, "it may still move"
    assert reader.read(new).board == Board.parse("###")
    assert reader.changed == 3
    for _ in range(5):
        assert reader.read(new).board == Board.parse("###")
    assert (page.asked, reader.changed) == (1, 0)
    other = page.picture(220, 200, 200)
    for _ in range(3):
        assert reader.read(other).board == Board.parse("###")
    assert page.asked == 2, "each look is asked for twice"
    again = LooksReader(page.grid, reader.looks)
    for _ in range(3):
        assert again.read(other).board == Board.parse("###")
    assert page.asked == 2, "what was met before is known"


def test_what_was_recorded_is_read_at_once_where_its_looks_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a replay had no looks of was unread, though it was read while the game was played."""
    page = Page(monkeypatch)
    monkeypatch.setattr(rest, "AT_REST_S", 0.02)
    monkeypatch.setattr(recorded, "AT_REST_S", 0.02)
    reader = RecordedLooksReader(page.grid)
    for grounds in ((200, 200, 220), (210, 200, 220)):
        assert reader.read(page.picture(*grounds)).board != Board.parse("###")
        assert reader.read(page.picture(*grounds), header=True).board == Board.parse("###")
    known, asked = RecordedLooksReader(page.grid, reader._reader.looks), page.asked
    assert known.read(page.picture(200, 200, 200), header=True).board == Board.parse("###")
    assert page.asked == asked, "what is known is not asked for"


def test_the_colours_of_numbers_that_were_read_before_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first 6 of xdemineur was read as a 5 in a colour that no 5 had."""
    page, known, looks = Page(monkeypatch), [], Looks((SIDE, SIDE))

    def read(image: Image, grid: Grid, inks: Inks) -> Codes:
        known.append(sorted(inks))
        return np.full((1, 3), Cell.COVERED, np.int8)

    monkeypatch.setattr(looks_reader, "read_cells", read)
    for code, times in ((5, looks_reader.SURE), (3, looks_reader.SURE - 1), (int(Cell.FLAG), 9)):
        digit = np.full((SIDE, SIDE, 3), 250 - code, np.uint8)
        digit[6:-6, 6:-6] = (214, 112, 218 - 10 * code)
        looks.add(digit.ravel(), [code] * times)
    reader = LooksReader(page.grid, looks)
    for _ in range(2):
        reader.read(page.picture(200, 200, 220))
    assert known == [[5]]


def test_a_picture_rests_for_some_time_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two frames of a page many pictures are the same: in mid-flip a 2 was read as a 1."""
    now, page = 0.0, Page(monkeypatch)
    monkeypatch.setattr(rest, "AT_REST_S", 0.04)
    for module in (looks_reader, rest):
        monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: now))
    reader = LooksReader(page.grid)
    for ground in (200, 210, 220):
        for _ in range(5):
            assert reader.read(page.picture(ground, ground, ground)).board == Board.parse("!!!")
            now += 0.005
    now += 0.02
    assert reader.read(page.picture(220, 220, 220)).board == Board.parse("###")
    assert page.asked == 1


def test_a_covered_cell_that_looks_as_no_other_is_odd() -> None:
    """Two cells that a page had opened without numbers around them were taken for covered: its clicks did
    nothing, and nobody said why."""
    reader = LooksReader(Grid(0, 0, SIDE, SIDE, 30, 1))
    for ground, code in ((60, Cell.COVERED), (200, Cell.COVERED), (120, 1)):
        reader.looks.add(cell(ground), [int(code)] * 2)
    grounds = [200, 200, 120, *[60] * 27]
    image = np.concatenate([cell(ground).reshape(SIDE, SIDE, 3) for ground in grounds], axis=1)
    assert reader.read(image).board.count(Cell.COVERED) == 29
    assert [column for column in range(30) if reader.is_odd((0, column))] == [0, 1]


def test_a_look_of_many_shades_is_read_once_in_each_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """KMines lays a gradient over its cells: what was read wrongly in one picture was known at once."""
    page = Page(monkeypatch)
    reader = LooksReader(page.grid)
    for asked, picture in enumerate((page.picture(200, 201, 202), page.picture(201, 202, 200)), 1):
        for _ in range(3):
            reader.read(picture)
        look = reader.looks.find(cell(200))
        assert (page.asked, len(reader.looks), reader.looks.votes(look)) == (asked, 1, asked)


def test_an_opened_cell_that_has_not_changed_is_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """One reading of many may be wrong: the empty cells of gnome-mines were read as covered ones once."""
    page, first = Page(monkeypatch), Cell.EMPTY

    def read(image: Image, grid: Grid, _: Inks) -> Codes:
        greys = image[SIDE // 2, SIDE // 2 :: SIDE, 0].tolist()
        codes = [first if grey == 220 else 1 if grey == 160 else Cell.COVERED for grey in greys]
        return np.array([codes], np.int8)

    monkeypatch.setattr(looks_reader, "read_cells", read)
    reader = LooksReader(page.grid)

    def read_at_rest(last: int) -> Board:
        return [reader.read(page.picture(220, 160, last)).board for _ in range(5)][-1]

    assert read_at_rest(60) == Board.parse(".1#")
    first = Cell.COVERED
    assert read_at_rest(90) == Board.parse(".1#")


@pytest.mark.parametrize(("text", "kept"), [("1##", True), ("..#", False)])
def test_a_look_that_is_known_as_covered_is_not_opened_by_one_reading(
    monkeypatch: pytest.MonkeyPatch, text: str, kept: bool
) -> None:
    """Unless the board cannot be without it: here a 0 would lie beside what is known as covered."""
    page, said = Page(monkeypatch), Board.parse(text.replace("##", "1#"))
    looks = Looks((SIDE, SIDE))
    for grey, code in ((220, said[0, 0]), (160, int(Cell.COVERED))):
        looks.add(cell(grey), [code] * 5)
    monkeypatch.setattr(looks_reader, "read_cells", lambda *_: said.codes)
    reader = LooksReader(page.grid, looks)
    boards = [reader.read(page.picture(220, 161, 60)).board for _ in range(3)]
    assert (boards[-1][0, 1] == Cell.COVERED) is kept, boards[-1]


@pytest.mark.parametrize("times", [1, 2, 9])
def test_a_cell_that_was_read_while_it_was_pressed_is_read_again(
    monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """A busy KMines drew the cell under the first click as opened long before it opened it."""
    page = Page(monkeypatch)
    looks = Looks((SIDE, SIDE))
    for grey, code in ((220, int(Cell.COVERED)), (230, int(Cell.EMPTY)), (160, int(Cell.COVERED))):
        looks.add(cell(grey), [code] * times)
    opened = np.array([[Cell.EMPTY] * 3], np.int8)
    monkeypatch.setattr(looks_reader, "read_cells", lambda *_: opened)
    reader = LooksReader(page.grid, looks)
    boards = [reader.read(page.picture(220, 230, 230)).board for _ in range(3)]
    assert boards[-1] == Board.parse("...")


def test_a_pressed_cell_that_was_read_as_covered_is_no_look_of_covered_cells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """sgt-mines draws a pressed cell as an opened one, and among covered ones it is read as covered."""
    page, looks = Page(monkeypatch), Looks((SIDE, SIDE))
    reader = LooksReader(page.grid, looks, lambda: [(0, 1)])
    boards = [reader.read(page.picture(220, 160, 220)).board for _ in range(3)]
    assert boards[-1] == Board.parse("###")
    assert looks.find(cell(160)) == -1
    assert looks.label(looks.find(cell(220))) == Cell.COVERED


def test_a_look_that_was_learned_of_a_pressed_cell_is_doubted_once_clicks_do_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of the corner of `#12` nothing tells that it is opened: the board can be one."""
    page, looks = Page(monkeypatch), Looks((SIDE, SIDE))
    for grey, code in ((220, 9), (160, 9), (130, 1)):
        looks.add(cell(grey), [code] * 5)
    said = np.array([[Cell.EMPTY, 1, Cell.COVERED]], np.int8)
    monkeypatch.setattr(looks_reader, "read_cells", lambda *_: said)
    reader = LooksReader(page.grid, looks, lambda: [(0, 0)])
    before, after = page.picture(220, 220, 220), page.picture(160, 130, 220)
    for picture in (before, before, after, after, after):
        read = reader.read(picture).board
    assert read == Board.parse("#1#")
    reader.doubt_covered((0, 2), before)  # it looks as it did before the click
    assert reader.read(after).board == Board.parse("#1#")
    reader.doubt_covered((0, 0), before)
    boards = [reader.read(after).board for _ in range(3)]
    assert boards[-1] == Board.parse(".1#")


def test_what_looks_flagged_is_no_flag_once_clicks_do_not_take_it_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Swing draws a frame around the number that was clicked last."""
    page, looks = Page(monkeypatch), Looks((SIDE, SIDE))
    for grey, code in ((220, 9), (160, 1), (90, 10)):
        looks.add(cell(grey), [code] * 5)
    said = np.array([[Cell.COVERED, 1, Cell.FLAG]], np.int8)
    monkeypatch.setattr(looks_reader, "read_cells", lambda *_: said)
    reader = LooksReader(page.grid, looks, list)
    picture = page.picture(220, 160, 90)
    for _ in range(3):
        read = reader.read(picture).board
    assert read == Board.parse("#1F")
    reader.doubt_flag((0, 1))
    assert reader.read(picture).board == Board.parse("#1F"), "a number is none in any case"
    reader.doubt_flag((0, 2))
    boards = [reader.read(picture).board for _ in range(4)]
    assert boards[-1] == Board.parse("#1!"), "whatever is read there again"


def test_an_opened_cell_is_covered_again_only_by_what_looks_as_covered_cells_did(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The Google page floods a board that is won with blue, and a plain cell is read as a covered one."""
    page, looks = Page(monkeypatch), Looks((SIDE, SIDE))
    codes = {120: int(Cell.COVERED), 60: int(Cell.COVERED), 230: 0, 160: 1}

    def read(image: Image, grid: Grid, _: Inks) -> Codes:
        return np.array([[codes[grey] for grey in image[SIDE // 2, SIDE // 2 :: SIDE, 0].tolist()]], np.int8)

    monkeypatch.setattr(looks_reader, "read_cells", read)
    reader = LooksReader(page.grid, looks)

    def at_rest(*greys: int) -> Board:
        return [reader.read(page.picture(*greys)).board for _ in range(4)][-1]

    assert at_rest(120, 120, 120) == Board.parse("###")
    assert at_rest(230, 160, 120) == Board.parse(".1#")
    for _ in range(3):
        assert at_rest(60, 60, 60) == Board.parse("!!!")
    assert at_rest(230, 160, 120) == Board.parse(".1#")
    assert at_rest(120, 120, 120) == Board.parse("###"), "another game"
    assert at_rest(60, 120, 120) == Board.parse("###"), "no cell of it is opened"


def test_a_cell_that_never_rests_keeps_no_other_from_being_read(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(monkeypatch)
    reader = LooksReader(page.grid)
    boards = [reader.read(page.picture(200, 200, 10 * (step % 9))).board for step in range(60)]
    assert boards[-1] == Board.parse("##!")
    assert reader.changed == 0


class Field:
    """Pictures of a board of covered (dark) and opened (pale) cells, read by their grey."""

    TEXT = "......\n......\n...###\n######"

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.board = Board.parse(self.TEXT)
        self.grid = Grid(0, 0, SIDE, SIDE, 6, 4)
        monkeypatch.setattr(looks_reader, "read_cells", lambda *_: self.board.codes)
        clock = iter(np.arange(0.0, 100.0, 0.05).tolist())
        for module in (looks_reader, backdrop):
            monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
        # A 0 beside a covered cell is no fault here: these cells have no numbers.
        monkeypatch.setattr(looks_reader, "without_faults", lambda codes, **_: codes)

    def picture(self) -> Image:
        greys = np.where(self.board.codes == Cell.COVERED, 120, 230).astype(np.uint8)
        plain = np.kron(greys, np.ones((SIDE, SIDE), np.uint8))
        return np.repeat(plain[..., None], 3, axis=2)

    def falling(self, step: int) -> Image:
        """The board with a piece in each column, which falls."""
        picture = self.picture()
        for column in range(6):
            top = (7 * step + 13 * column) % (4 * SIDE)
            picture[top : top + 9, column * SIDE + 4 : column * SIDE + 13] = (20, 30, 200)
        return picture

    def reader(self) -> LooksReader:
        reader = LooksReader(self.grid)
        for _ in range(4):
            assert reader.read(self.picture()).board in (self.board, Board(np.full((4, 6), Cell.UNREAD)))
        assert reader.read(self.picture()).board == self.board
        return reader


@pytest.mark.parametrize(("kept", "added"), [(0.4, 0), (0.5, 10), (0.6, 80)])
def test_cells_are_read_through_a_sheet_and_not_under_a_card(
    monkeypatch: pytest.MonkeyPatch, kept: float, added: int
) -> None:
    field = Field(monkeypatch)
    reader = field.reader()
    dim = (kept * field.picture() + added).astype(np.uint8)
    dim[:SIDE, : 2 * SIDE] = (40, 200, 90)
    seen = [reader.read(dim).board for _ in range(4)][-1]
    assert reader.is_dimmed
    assert seen.codes[0, :2].tolist() == [Cell.UNREAD] * 2
    assert (seen.codes == field.board.codes).sum() == field.board.codes.size - 2
    reader.read(field.picture())
    assert reader.read(field.picture()).board == field.board
    assert not reader.is_dimmed


def test_a_sheet_is_told_though_the_looks_under_it_were_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field(monkeypatch)
    reader, dim = field.reader(), (0.4 * field.picture()).astype(np.uint8)
    learner = LooksReader(field.grid, reader.looks)
    for _ in range(4):
        learner.read(dim)
    assert learner.read(dim).board == field.board
    reader.read(dim)
    assert reader.is_dimmed


def test_another_board_is_no_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field(monkeypatch)
    reader = field.reader()
    noise = np.random.default_rng(1).integers(0, 255, field.picture().shape).astype(np.uint8)
    reader.read(noise)
    assert not reader.is_dimmed


def test_what_falls_over_the_cells_for_ever_hides_none(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field(monkeypatch)
    reader = field.reader()
    seen = [reader.read(field.falling(step)).board for step in range(120)]
    assert any(board.count(Cell.UNREAD) for board in seen[:10])
    assert all(board == field.board for board in seen[60:])
    reader.forget_motion()
    assert reader.read(field.falling(120)).board.count(Cell.UNREAD), (
        "after a click nothing is known of what lies behind"
    )


def test_a_piece_that_was_seen_once_is_new() -> None:
    looks = Looks((SIDE, SIDE))
    reader = LooksReader(Grid(0, 0, SIDE, SIDE, 1, 1), looks)
    looks.meet(cell(), 0)
    reader.read(cell().reshape(SIDE, SIDE, 3))
    assert reader.is_new
    looks.meet(cell(), 0)
    assert not reader.is_new


def test_a_grid_whose_edges_lie_inside_pixels_is_read() -> None:
    screen = screen_with(session(seed=3))
    (window,) = screen.windows()
    picture = screen.grab(window.rect)
    grid = find_grids(picture)[0].grid
    small = np.asarray(cv2.resize(picture, None, fx=0.9, fy=0.9, interpolation=cv2.INTER_AREA), np.uint8)
    scaled = replace(
        grid,
        x=0.9 * grid.x,
        y=0.9 * grid.y,
        cell_width=0.9 * grid.cell_width,
        cell_height=0.9 * grid.cell_height,
    )
    reader = LooksReader(scaled)
    for _ in range(4):
        board = reader.read(small).board
    assert board.all_covered
    assert reader.looks.size == look_size(scaled)


@pytest.mark.parametrize(
    ("clicked", "read", "meant"),
    [
        ((0, 0), "####2#\n####2#", "....2#\n....2#"),
        ((0, 5), "####2#\n####2#", "####2#\n####2#"),  # nothing says that it is an opening
        ((0, 0), "####2#\n###12#", "####2#\n###12#"),  # no opening can be: its 1 has no mine beside it
    ],
)
def test_white_cells_that_a_click_opened_are_empty(
    monkeypatch: pytest.MonkeyPatch, clicked: tuple[int, int], read: str, meant: str
) -> None:
    """The first opening of xbomb was read as covered cells, and clicked until the game was given up."""
    before = np.full((2 * SIDE, 6 * SIDE, 3), 120, np.uint8)
    after = before.copy()
    after[:, : 5 * SIDE] = 250
    after[:, 4 * SIDE + 5 : 4 * SIDE + 15] = 60
    if "1" in read:
        after[SIDE:, 3 * SIDE + 9 : 3 * SIDE + 11] = 90
    said = [Board.parse("######\n######").codes, Board.parse(read).codes]
    monkeypatch.setattr(looks_reader, "read_cells", lambda image, *_: said[int((image != before).any())])
    clock = iter(np.arange(0.0, 100.0, 0.05).tolist())
    monkeypatch.setattr(looks_reader, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    under_way: list[tuple[int, int]] = []
    reader = LooksReader(Grid(0, 0, SIDE, SIDE, 6, 2), None, lambda: under_way)
    for _ in range(6):
        reader.read(before)
    under_way.append(clicked)
    seen = [reader.read(after).board for _ in range(6)][-1]
    assert seen == Board.parse(meant)


def test_an_opening_counts_though_what_was_read_is_forgotten_in_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What cannot be read is looked at anew twice a second: an opening without numbers was given up."""
    before = np.full((2 * SIDE, 6 * SIDE, 3), 120, np.uint8)
    after = before.copy()
    after[:, : 4 * SIDE] = 250
    said = [Board.parse("######\n######").codes, Board.parse("!!!!##\n!!!!##").codes]
    monkeypatch.setattr(looks_reader, "read_cells", lambda image, *_: said[int((image != before).any())])
    now = [0.0]
    monkeypatch.setattr(looks_reader, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    under_way: list[tuple[int, int]] = []
    reader = LooksReader(Grid(0, 0, SIDE, SIDE, 6, 2), None, lambda: under_way)
    for number in range(60):
        now[0] += 0.05
        reader.read(before if number < 6 else after)
        if number == 5:
            under_way.append((0, 0))
        if number % 9 == 8:
            reader.forget()
    assert reader.read(after).board == Board.parse("....##\n....##")


def test_an_opening_that_is_read_as_covered_is_no_new_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """White cells that a first click had opened were kept as what covered ones look like, and clicked on."""
    page, said = Page(monkeypatch), Board.parse("###").codes
    monkeypatch.setattr(looks_reader, "read_cells", lambda *_: said)
    clicked: list[tuple[int, int]] = []
    reader = LooksReader(page.grid, None, lambda: clicked)
    for _ in range(3):
        reader.read(page.picture(120, 120, 120))
    clicked.append((0, 0))
    for _ in range(3):
        reader.read(page.picture(250, 120, 120))
    assert reader._covered[0, :, 0].tolist() == [120, 120, 120]
    assert reader._tried.cells.tolist() == [[True, False, False]]
    reader.begin_game()
    clicked.clear()
    for _ in range(3):
        reader.read(page.picture(90, 120, 120))
    assert reader._covered[0, :, 0].tolist() == [90, 120, 120], "another game has its own look"
