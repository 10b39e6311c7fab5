"""From the pixels of a picture to the points of the mouse, and whose dialogs are answered."""

from __future__ import annotations

import os
import re
from dataclasses import replace

import numpy as np
import pytest
from misbehaving import window_of as opened

from bot.board import Board, Rules
from bot.cli.parts.board_search import with_unknown
from bot.errors import ScreenError, WindowError
from bot.geometry import Point, Rect
from bot.practice.session import PracticeSession
from bot.screen.scale import Scale
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.screen.windows import Window
from bot.targets.window.calibration import calibration_path
from bot.targets.window.locate import unknown_boards
from bot.targets.window.locate.board_finder import choose, look_around, window_of, without_doubles
from bot.targets.window.locate.unknown_boards import (
    NAMES,
    ReadBefore,
    _reaches_beyond_window,
    _view,
    look_for_unknown,
)
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.observe.own_windows import above, dialog_of
from bot.targets.window.sighting import Sighting, View
from bot.vision.general import general_reader
from bot.vision.general.general_reader import GeneralReading
from bot.vision.grid import Grid, Image
from bot.vision.grid_readers import reader_for
from bot.vision.reading import Reading
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.schema import DialogSpec
from bot.vision.themes.theme import load_theme

COVERED, CUT = "####\n" * 4, "####\n" * 3 + "###!\n"
"""A board of 4x4 cells, and the same with one that is not read."""

GAME = Window(7, "game", Rect(0, 0, 200, 200), "mines")


@pytest.mark.parametrize(
    ("scale", "origin", "point"),
    [
        (1.0, Point(0, 0), Point(48, 36)),
        (2.0, Point(0, 0), Point(24, 18)),
        (1.0, Point(-300, -50), Point(-252, -14)),
    ],
)
def test_the_point_of_a_cell(scale: float, origin: Point, point: Point) -> None:
    view = View(Rect(origin.x, origin.y, 100, 100), Grid(8, 12, 16, 16, 4, 4), scale)
    assert view.cell_on_screen((1, 2)) == point
    assert view.grid_on_screen().contains(point)


def test_the_window_of_a_board_is_the_topmost_one_around_all_of_it() -> None:
    listed = [GAME, Window(8, "over", Rect(50, 50, 40, 40))]
    assert window_of(listed, Rect(10, 10, 130, 130)) == GAME
    assert window_of(listed, Rect(55, 55, 20, 20)) == listed[1]
    assert window_of(listed, Rect(150, 150, 80, 80)) == GAME  # a part of the board lies off the screen
    assert window_of(listed, Rect(500, 5, 50, 50)) is None


def test_no_board_at_all_is_told_with_what_was_looked_for() -> None:
    with pytest.raises(WindowError, match="open a game in full view"):
        choose([], None)
    with pytest.raises(WindowError, match="no board of 'winmine' was found on the screen: open that game"):
        choose([], "Mines", "winmine")


def test_a_whole_title_chooses_its_window_among_others_that_have_it_in_theirs() -> None:
    view = View(GAME.rect, Grid(8, 12, 16, 16, 4, 4))
    reading = Reading(Board.parse(COVERED), np.zeros((4, 4), np.float32))
    mines, kmines, other = (
        Sighting(view, reading, replace(GAME, title=title)) for title in ("Mines", "KMines", "Notes")
    )
    assert choose([kmines, mines, other], "mines") is mines
    with pytest.raises(WindowError, match="2 boards were found"):
        choose([kmines, mines, other], "mine")


def test_two_calibrations_of_one_window_are_one_board() -> None:
    """The one that reads more is taken, of equal ones the newest; and one that does not fit is no other."""
    view = View(GAME.rect, Grid(8, 12, 16, 16, 4, 4))
    whole, hidden = (Reading(Board.parse(text), np.zeros((4, 4), np.float32)) for text in (COVERED, CUT))

    def seen(name: str, reading: Reading, problem: str = "") -> Sighting:
        return Sighting(view, reading, GAME, problem=problem, calibration_name=name)

    for name, age_s in (("old", 200), ("new", 100)):
        path = calibration_path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        os.utime(path, (1e9 - age_s, 1e9 - age_s))
    sightings = [
        seen("worse", hidden),
        seen("old", whole),
        seen("new", whole),
        seen("other", whole, "too small"),
    ]
    chosen = choose(without_doubles(sightings, []), None)
    assert (chosen.calibration_name, chosen.other_calibrations) == ("new", ("old", "worse"))
    elsewhere = replace(seen("old", whole), view=view.moved(90, 90))
    assert len(without_doubles([sightings[2], elsewhere], [])) == 2, "two boards in a window are two"


def test_windows_above_are_those_over_the_area_only() -> None:
    below, over, beside = (Window(n, "", Rect(x, 0, 50, 50)) for n, x in ((1, 0), (2, 0), (3, 400)))
    assert above([below, GAME, over, beside], GAME, Rect(0, 0, 100, 100)) == [over]


def test_only_the_dialogs_of_our_own_window_are_answered() -> None:
    spec = DialogSpec(title="Well done", kind="name")
    behaviour = GameBehaviour(dialogs=(spec,))
    dialog = Window(9, "Well done!", Rect(5, 5, 50, 50), "mines", owner=7)
    assert dialog_of(dialog, GAME, behaviour) == spec
    assert dialog_of(replace(dialog, owner=0), GAME, behaviour) == spec
    assert dialog_of(replace(dialog, owner=11), GAME, behaviour) is None
    assert dialog_of(replace(dialog, program="shop"), GAME, behaviour) is None
    assert dialog_of(replace(dialog, title="Else"), GAME, behaviour) is None
    assert dialog_of(GAME, GAME, behaviour) is None
    assert dialog_of(dialog, None, behaviour) is None


@pytest.mark.parametrize("scale", [1.5, 1.8, 2.3])
def test_a_scaled_window_in_the_corner_of_the_screen_is_played(scale: float) -> None:
    content = PracticeSession(Rules(9, 9, 10), scale, 1)
    screen = VirtualScreen(1280, 1280)
    window = opened(content)
    window.at = Point(0, 0)
    screen.open(window)
    (sighting,) = look_around(screen, screen, [load_theme("practice")])
    assert sighting.problem == ""
    window.at = Point(-2, 0)
    assert [one.problem for one in look_around(screen, screen, [load_theme("practice")])] != [""]


class Fractional(VirtualScreen):
    """A monitor with 1.25 pixels a point, or other `pixels`, whose last point may have fewer, and no list of
    windows."""

    pixels = 1.25

    def monitors(self) -> list[Rect]:
        whole = super().monitors()[0]
        return [Rect(0, 0, int(whole.width / self.pixels), int(whole.height / self.pixels))]

    def grab(self, rect: Rect) -> Image:
        if not self.monitors()[0].encloses(rect):
            raise ScreenError(f"{rect} is not on the screen")
        left, top, right, bottom = (
            round(one * self.pixels) for one in (rect.x, rect.y, rect.right, rect.bottom)
        )
        return super().grab(Rect(left, top, right - left, bottom - top).clipped(super().monitors()[0]))

    def windows(self) -> list[Window]:
        return []


def test_a_board_at_the_edge_of_a_screen_scaled_by_a_fraction_is_captured() -> None:
    content = PracticeSession(Rules(9, 9, 10), 1.0, 1)
    window = opened(content)
    # 5k + 4 pixels are 4k + 3.2 points: the desktop has 4k + 3, and 4k + 4 cannot be captured.
    window.at = Point(*(100 + (4 - size) % 5 for size in (window.rect.width, window.rect.height)))
    screen = Fractional(window.rect.right, window.rect.bottom)
    screen.open(window)
    (sighting,) = look_around(screen, screen, [load_theme("practice")])
    assert screen.monitors()[0].encloses(sighting.view.rect)
    assert WindowObserver(sighting, screen, screen).grab().shape[0] > 200


@pytest.mark.parametrize("pixels", [1.1, 1.2])
def test_a_board_far_from_the_corner_of_a_screen_scaled_by_a_tenth_is_read_again(pixels: float) -> None:
    """It was looked at some points beside where it had been found."""
    window = opened(PracticeSession(Rules(9, 9, 10), 1.0, 1))
    window.at = Point(1693, 800)
    screen = Fractional(1920, 1080)
    screen.pixels = pixels
    screen.open(window)
    (sighting,) = look_around(screen, screen, [load_theme("practice")])
    view = sighting.view
    assert abs(view.rect.x * pixels - window.at.x) < 20
    read = reader_for(sighting.skin, view.grid).read(screen.grab(view.rect))
    assert read.board == sighting.reading.board


class Rounded(Fractional):
    """A monitor with a whole number of points each way, and so with other factors across than down."""

    def monitors(self) -> list[Rect]:
        whole = VirtualScreen.monitors(self)[0]
        return [Rect(0, 0, round(whole.width / self.pixels), round(whole.height / self.pixels))]

    def grab(self, rect: Rect) -> Image:
        whole, points = VirtualScreen.monitors(self)[0], self.monitors()[0]
        across, down = whole.width / points.width, whole.height / points.height
        left, right = round(rect.x * across), round(rect.right * across)
        top, bottom = round(rect.y * down), round(rect.bottom * down)
        return VirtualScreen.grab(self, Rect(left, top, right - left, bottom - top))


@pytest.mark.parametrize(
    ("size", "pixels", "at"),
    [((2560, 1440), 1.5, (1300, 62)), ((2560, 1440), 1.5, (409, 380)), ((3840, 2160), 1.75, (937, 1210))],
)
def test_a_board_is_read_where_a_point_has_other_pixels_across_than_down(
    size: tuple[int, int], pixels: float, at: tuple[int, int]
) -> None:
    """It was looked at a pixel beside where it had been found."""
    content = PracticeSession(Rules(9, 9, 10), 1.0, 1)
    content.game.open(4, 4)
    screen = Rounded(*size)
    screen.pixels = pixels
    screen.open(VirtualWindow(content, "a game", Point(*at)))
    (sighting,) = look_around(screen, screen, [load_theme("practice")])
    read = reader_for(sighting.skin, sighting.view.grid).read(screen.grab(sighting.view.rect))
    assert read.board == content.game.board


def test_a_counter_of_four_digits_is_not_read_as_one_of_three() -> None:
    content = PracticeSession(Rules(60, 60, 1200), 1.0, 1)
    screen = VirtualScreen(1280, 1280)
    screen.open(opened(content))
    (sighting,) = look_around(screen, screen, [load_theme("practice")])
    assert sighting.reading.counter is None
    assert WindowObserver(sighting, screen, screen).rules.mines is None
    assert WindowObserver(sighting, screen, screen, mines=1200).rules.mines == 1200


def test_a_counter_that_cannot_be_read_leaves_the_total_unknown() -> None:
    """The usual total of the size would be a guess, and what follows from it would be called certain."""
    content = PracticeSession(Rules(9, 9, 13), 1.0, 1)
    screen = VirtualScreen()
    screen.open(opened(content))
    (sighting,) = look_around(screen, screen, [load_theme("practice")])
    assert WindowObserver(sighting, screen, screen).rules.mines == 13
    unread = replace(sighting, reading=replace(sighting.reading, counter=None))
    assert WindowObserver(unread, screen, screen).rules.mines is None


class Reframed(PracticeSession):
    """Our own cells in a window that is laid out otherwise, as many games draw those of the oldest ones."""

    cells: Rect | None = None
    """Where the cells lie in the window; all else is dark."""

    def image(self) -> Image:
        drawn = super().image()
        if self.cells is None:
            return drawn
        picture, cells = np.full_like(drawn, 70), self.cells
        inside = slice(cells.y, cells.bottom), slice(cells.x, cells.right)
        picture[inside] = drawn[inside]
        return picture


def test_the_cells_of_a_theme_in_another_window_are_a_game_that_no_theme_knows() -> None:
    content = Reframed(Rules(9, 9, 10), 2.0, 1)
    place = content.layout.cell(4, 4).center
    content.press(place.x, place.y, 1)
    content.release(place.x, place.y, 1)
    screen = VirtualScreen()
    window = screen.open(opened(content))
    theme = load_theme("practice")
    (known,) = look_around(screen, screen, [theme])
    content.cells = known.view.grid_on_screen().moved(-window.rect.x, -window.rect.y)
    found = with_unknown(look_around(screen, screen, [theme]), screen, screen, None)
    assert [(one.skin, one.problem, one.view.grid.shape) for one in found] == [(None, "", (9, 9))]


class FlatCells(PracticeSession):
    """Flat framed squares on a light ground, on which nothing is written yet."""

    def image(self) -> Image:
        picture = np.full((224, 180, 3), 250, np.uint8)
        for row, column in np.ndindex(self.game.board.codes.shape):
            x, y = 5 + 22 * column, 33 + 22 * row
            for inset, grey in enumerate((188, 156, 172)):
                picture[y + inset : y + 16 - inset, x + inset : x + 16 - inset] = grey
        return picture


@pytest.mark.parametrize("side", [8, 5])
@pytest.mark.parametrize(
    ("title", "is_game"),
    [
        ("PyMines", True),
        ("Mine Sweeper", True),
        ("Campo Minado - Chromium", True),
        ("Aknakereső", True),
        ("Plan", False),
    ],
)
def test_flat_squares_are_a_board_where_the_title_says_so(
    monkeypatch: pytest.MonkeyPatch, title: str, is_game: bool, side: int
) -> None:
    """Elsewhere they are squared paper, or a table, as soon as the reader is not quite sure, or they are
    few."""
    monkeypatch.setattr(general_reader, "MAX_UNTOUCHED_COST", -1.0)
    screen = VirtualScreen()
    screen.open(VirtualWindow(FlatCells(Rules(side, side, 4), 1.0, 1), title, Point(300, 200)))
    found = look_for_unknown(screen, screen)
    assert [(one.title, one.problem, one.view.grid.shape) for one in found] == [
        (title, "", (side, side))
    ] * is_game


def test_flat_squares_are_a_board_in_a_window_that_the_user_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page with the title `Hello p5.js` was not found, though its window was named."""
    monkeypatch.setattr(general_reader, "MAX_UNTOUCHED_COST", -1.0)
    screen = VirtualScreen()
    screen.open(VirtualWindow(FlatCells(Rules(8, 8, 10), 1.0, 1), "Hello p5.js (1)", Point(300, 200)))
    found = [with_unknown([], screen, screen, wanted) for wanted in ("p5.JS (", "other", "1", None)]
    assert [len(sightings) for sightings in found] == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("grid", "fitted"),
    [
        (Grid(-0.5, -2.0, 20.1, 20, 10, 5), Grid(0, 0, 20.05, 19.6, 10, 5)),
        (Grid(102.0, 52.0, 20, 20, 10, 5), Grid(102.0, 50.0 + 2, 19.8, 19.6, 10, 5)),
        (Grid(20.0, 10.0, 20, 20, 10, 5), Grid(20.0, 10.0, 20, 20, 10, 5)),
        (Grid(-9.0, 10.0, 20, 20, 10, 5), Grid(-9.0, 10.0, 20, 20, 10, 5)),
        (Grid(-1.5, 10.0, 20, 20, 10, 5, wide_columns=2), Grid(-1.5, 10.0, 20, 20, 10, 5, wide_columns=2)),
    ],
    ids=["left and above", "right and below", "inside", "far beyond", "cells of two widths"],
)
def test_a_board_that_is_measured_a_pixel_beyond_its_window_lies_in_it(grid: Grid, fitted: Grid) -> None:
    """Else not all of the window is looked at, and a button at its other end is not seen."""
    area, whole = Rect(0, 0, 800, 600), Rect(0, 0, 800, 600)
    window = Window(1, "Mines", Rect(200, 100, 300, 150), "mines")
    moved = grid.moved(200, 100)
    view = _view(moved, area, Scale(whole, 1.0, 1.0), whole, window)
    is_inside = grid.x > -9 and not grid.wide_columns
    assert (view.rect == window.rect) is is_inside
    seen = view.grid.moved(view.rect.x - 200, view.rect.y - 100)
    assert [round(value, 6) for value in (seen.x, seen.y, seen.cell_width, seen.cell_height)] == [
        fitted.x,
        fitted.y,
        fitted.cell_width,
        fitted.cell_height,
    ]


def test_what_a_picture_shows_is_read_once_while_it_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[tuple[int, bool]] = []

    def reading(picture: Image, *, is_game: bool, **_: object) -> list[GeneralReading]:
        read.append((int(picture[0, 0, 0]), is_game))
        return []

    monkeypatch.setattr(unknown_boards, "read_any_boards", reading)
    before, shades = ReadBefore(), [np.full((9, 9, 3), shade, np.uint8) for shade in range(5)]
    for shade, is_game in ((0, False), (0, True), (0, False), (1, False), (0, True)):
        before.boards(shades[shade].copy(), is_game=is_game)
    assert read == [(0, False), (0, True), (1, False)]
    for shade in (2, 3, 0, 1):
        before.boards(shades[shade], is_game=False)
    assert read[3:] == [(2, False), (3, False), (1, False)], "the one that was asked for last is kept longest"


@pytest.mark.parametrize("title", ["Minecraft", "Mineral water", "Paper - Mozilla Firefox", "Ministry"])
def test_what_other_programs_are_called_is_no_minesweeper(title: str) -> None:
    assert re.search(NAMES, title, re.IGNORECASE) is None


@pytest.mark.parametrize(
    "title",
    ["Minesweeper", "mine sweeper", "PyMines", "KMines", "Démineur", "Buscaminas", "Minensuchspiel", "Сапёр"],
)
def test_what_minesweepers_are_called(title: str) -> None:
    assert re.search(NAMES, title, re.IGNORECASE) is not None


def test_the_cells_of_a_theme_with_one_side_of_its_border_are_a_game_that_no_theme_knows() -> None:
    """A game in Tk had the blue of Windows 7's and an edge at its left: it was refused, for its other edges
    could not be seen."""
    content = Reframed(Rules(9, 9, 10), 2.0, 1)
    screen = VirtualScreen()
    window = screen.open(opened(content))
    theme = load_theme("practice")
    (known,) = look_around(screen, screen, [theme])
    cells = known.view.grid_on_screen().moved(-window.rect.x, -window.rect.y)
    content.cells = Rect(0, cells.y, cells.right, cells.height)
    assert look_around(screen, screen, [theme]) == []


@pytest.mark.parametrize(
    ("x", "area", "hardly"),
    [
        (-2.0, Rect(100, 100, 300, 300), True),
        (-9.0, Rect(100, 100, 300, 300), False),  # the window cuts its own board
        (-2.0, Rect(0, 100, 300, 300), False),  # the edge of the screen does
    ],
)
def test_a_grid_may_reach_a_pixel_beyond_its_window_but_not_beyond_the_screen(
    x: float, area: Rect, hardly: bool
) -> None:
    """A board of Tk at the very edge of its window was measured two pixels beside its place."""
    grid, screen = Grid(x, 10, 20, 20, 9, 9), Rect(0, 0, 1000, 800)
    window, scale = Window(1, "Mines", area, "mines"), Scale(screen, 1.0, 1.0)
    assert _reaches_beyond_window(grid, area, scale, screen, window) is hardly
    assert not _reaches_beyond_window(grid, screen, scale, screen, window), "it is the picture of a monitor"
    assert not _reaches_beyond_window(grid, area, scale, screen, None)
