"""Ends of games that hide their board: what is seen of them, and the button for the next game."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import msgspec
import numpy as np
import pytest
from meadow import google, meadow

from bot.board import Action, Board, Cell, Phase, Rules
from bot.errors import WindowError, WindowLost
from bot.geometry import Point, Rect
from bot.targets.board_changes import continues, filled_from, with_numbers_kept
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.events import new_game
from bot.targets.window.locate.relocate import SearchResult
from bot.targets.window.play_settings import PlaySettings
from bot.targets.window.track.game_end import (
    EXPLOSIONS_S,
    HIDDEN_S,
    MINES_S,
    STANDSTILL_S,
    UNKNOWN_EXPLOSIONS_S,
    LearnedGameEnd,
    ThemeGameEnd,
    game_end_for,
)
from bot.vision.cells.colour_reader import ColourReader
from bot.vision.grid import Grid, Image
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.palette import Ending
from bot.vision.themes.theme import load_theme

RULES = Rules(5, 4, 2)

GOING = Board.parse("1###1/1###1/12221/.....".replace("/", "\n"))
LAST = Board.parse("1#2#1/112#1/12221/.....".replace("/", "\n"))

GRASS = np.full((200, 200, 3), (81, 215, 170), np.uint8)
WATER = np.full((200, 200, 3), (249, 193, 77), np.uint8)
NIGHT = np.full((200, 200, 3), (20, 40, 30), np.uint8)
PLACE = Rect(0, 0, 200, 200)


def ending() -> Ending:
    found = load_theme("google").behaviour.ending
    assert found is not None
    return found


def watching() -> ThemeGameEnd:
    watch = game_end_for(google(), load_theme("google").behaviour, Grid(0, 0, 20, 20, 10, 10))
    assert isinstance(watch, ThemeGameEnd)
    return watch


def unread(board: Board) -> Board:
    return Board(np.full_like(board.codes, Cell.UNREAD))


def test_a_game_is_won_once_every_safe_cell_was_seen_open() -> None:
    watch = watching()
    assert watch.watch(GOING, RULES, GRASS, PLACE, 0.0) is None
    # Cells are seen one after the other: something flies over the others each time.
    first = Board.parse("1!211/11!#1/12221/.....".replace("/", "\n"))
    assert watch.watch(first, RULES, GRASS, PLACE, 0.1) is None
    second = Board.parse("1#!#1/1121!/12221/.....".replace("/", "\n"))
    assert watch.watch(second, RULES, GRASS, PLACE, 0.2) is Phase.WON
    assert watch.seen is not None
    assert watch.watch(unread(GOING), RULES, NIGHT, PLACE, 9.0) is Phase.WON


def test_with_the_total_unknown_an_open_board_is_not_won() -> None:
    watch = watching()
    assert watch.watch(LAST, Rules(5, 4, None), GRASS, PLACE, 0.0) is None


def test_mines_that_are_seen_for_a_moment_are_none() -> None:
    watch = watching()
    lost = GOING.replaced([(0, 1)], Cell.MINE)
    assert watch.watch(lost, RULES, GRASS, PLACE, 0.0) is None
    assert watch.watch(GOING, RULES, GRASS, PLACE, MINES_S * 0.9) is None
    assert watch.watch(lost, RULES, GRASS, PLACE, MINES_S * 1.5) is None
    assert watch.watch(lost, RULES, GRASS, PLACE, MINES_S * 3) is Phase.LOST


@pytest.mark.parametrize(("frame", "phase"), [(WATER, Phase.WON), (NIGHT, None), (GRASS, None)])
def test_a_board_that_turns_to_water_is_won(frame: Image, phase: Phase | None) -> None:
    watch = watching()
    watch.watch(GOING, RULES, GRASS, PLACE, 0.0)
    assert watch.watch(unread(GOING), RULES, frame, PLACE, 1.0) is phase


def test_water_behind_a_board_that_can_be_read_says_nothing() -> None:
    watch = watching()
    assert watch.watch(GOING, RULES, WATER, PLACE, 1.0) is None


def learned(*steps: tuple[float, Board], rules: Rules = RULES, still: bool = False) -> Phase | None:
    """What is made of a learned window's end, from boards at times in seconds; where it is `still` the
    picture is the same for each board."""
    watch = LearnedGameEnd()
    phase = None
    for number, (now, board) in enumerate(steps):
        frame = NIGHT if still else NIGHT + np.uint8(number)
        phase = watch.watch(board, rules, frame, PLACE, now)
    return phase


def test_a_learned_window_is_won_once_only_mines_are_left() -> None:
    last = Board.parse("1!211/112!1/12221/.....".replace("/", "\n"))
    assert learned((0.0, GOING)) is None
    assert learned((0.0, GOING), (0.1, last)) is Phase.WON
    assert learned((0.0, GOING), (0.1, last), rules=Rules(5, 4, None)) is None


def test_a_learned_window_that_hides_its_board_is_over() -> None:
    hidden = unread(GOING)
    nearly = Board.parse("1!2#1/1121!/12221/.....".replace("/", "\n"))
    middle = Board.parse("1####/1####/12###/...##".replace("/", "\n"))
    assert learned((0.0, GOING), (0.1, hidden), (0.1 + 0.9 * HIDDEN_S, hidden)) is None
    assert learned((0.0, nearly), (0.1, hidden), (0.2 + HIDDEN_S, hidden)) is Phase.WON
    assert learned((0.0, middle), (0.1, hidden), (0.2 + HIDDEN_S, hidden)) is Phase.LOST


def test_a_learned_window_whose_covered_cells_change_for_long_is_lost() -> None:
    gone_off = Board.parse("1!##1/1##!1/12221/.....".replace("/", "\n"))
    start = (0.0, GOING)
    assert learned(start, (0.1, gone_off), (0.1 + 0.9 * UNKNOWN_EXPLOSIONS_S, gone_off)) is None
    assert learned(start, (0.1, gone_off), (0.2 + UNKNOWN_EXPLOSIONS_S, gone_off)) is Phase.LOST
    one = GOING.replaced([(0, 1)], Cell.UNREAD)
    assert learned(start, (0.1, one), (0.2 + UNKNOWN_EXPLOSIONS_S, one)) is None


@pytest.mark.parametrize("signs", ["1!##1/1##!1/12221/.....", "!!!!!/!!!!!/!!!!!/!!!!!"])
def test_a_picture_that_stands_may_be_a_busy_machine_s(signs: str) -> None:
    """Pieces that are stopped in mid-air fly on; what was drawn after they can fly is an end."""
    sign = Board.parse(signs.replace("/", "\n"))
    start = [(0.0, sign), (0.1, sign)]
    assert learned(*start, (0.9 * STANDSTILL_S, sign), still=True) is None
    assert learned(*start, (1.1 * STANDSTILL_S, sign), still=True) is Phase.LOST
    assert learned(*start, (1.1 * UNKNOWN_EXPLOSIONS_S, sign)) is Phase.LOST


def lost_otherwise(colour: tuple[int, int, int], count: int) -> tuple[Board, Image]:
    """A lost game whose mines are drawn as no reader knows them: as discs on covered ground."""
    cells = [(0, 1), (1, 3)][:count]
    picture, grid = meadow(GOING, 40)
    for cell in cells:
        middle = grid.center(cell)
        cv2.circle(picture, (middle.x, middle.y), 15, colour, -1)
    rect = grid.rect
    part = np.ascontiguousarray(picture[rect.y : rect.bottom, rect.x : rect.right])
    return GOING.replaced(cells, Cell.UNREAD), part


@pytest.mark.parametrize(
    ("colour", "count", "phase"),
    [
        ((60, 60, 220), 2, Phase.LOST),
        ((60, 60, 220), 1, None),
        ((98, 229, 187), 2, None),  # tiles that fall
    ],
)
def test_mines_may_be_drawn_in_any_way(colour: tuple[int, int, int], count: int, phase: Phase | None) -> None:
    watch = watching()
    watch.watch(GOING, RULES, GRASS, PLACE, 0.0)
    board, frame = lost_otherwise(colour, count)
    place = Rect(0, 0, frame.shape[1], frame.shape[0])
    for look in (1.0, 1.5, 1.0 + 0.9 * EXPLOSIONS_S):
        assert watch.watch(board, RULES, frame, place, look) is None
    assert watch.watch(board, RULES, frame, place, 1.1 + EXPLOSIONS_S) is phase


def test_opened_cells_that_were_never_seen_behind_what_flies_are_no_mines() -> None:
    """On a busy machine the pieces stop in mid-air, for longer than mines are waited for."""
    watch = watching()
    watch.watch(GOING, RULES, GRASS, PLACE, 0.0)
    opened = GOING.replaced([(0, 1), (0, 2), (1, 1), (1, 3)], Cell.EMPTY)
    picture, grid = meadow(opened, 40)
    hidden = opened
    for cell in opened.where(Cell.EMPTY)[:4]:
        middle = grid.center(cell)
        cv2.circle(picture, (middle.x + 9, middle.y), 5, (98, 229, 187), -1)
        hidden = hidden.replaced([cell], Cell.UNREAD)
    rect = grid.rect
    frame = np.ascontiguousarray(picture[rect.y : rect.bottom, rect.x : rect.right])
    place = Rect(0, 0, frame.shape[1], frame.shape[0])
    for look in (1.0, 2.0, 3.0, 4.0):
        assert watch.watch(hidden, RULES, frame, place, look) is None


@pytest.mark.parametrize("colour", [(44, 117, 74), (200, 120, 30)])
def test_a_board_hidden_behind_a_button_is_lost(colour: tuple[int, int, int]) -> None:
    watch = watching()
    watch.watch(GOING, RULES, GRASS, PLACE, 0.0)
    frame = NIGHT.copy()
    cv2.rectangle(frame, (40, 120), (159, 149), colour, -1)
    cv2.putText(frame, "again", (60, 142), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (255, 255, 255), 2)
    assert watch.watch(unread(GOING), RULES, frame, PLACE, 1.0) is None
    assert watch.watch(unread(GOING), RULES, NIGHT, PLACE, 1.5) is None
    assert watch.watch(unread(GOING), RULES, frame, PLACE, 2.0) is None
    assert watch.watch(unread(GOING), RULES, frame, PLACE, 2.1 + HIDDEN_S) is Phase.LOST


def test_the_next_game_is_watched_afresh() -> None:
    watch = watching()
    watch.watch(GOING.replaced([(0, 1)], Cell.MINE), RULES, GRASS, PLACE, 0.0)
    assert watch.watch(GOING.replaced([(0, 1)], Cell.MINE), RULES, GRASS, PLACE, 1.0) is Phase.LOST
    watch.forget()
    assert watch.watch(Board.covered(5, 4), RULES, GRASS, PLACE, 2.0) is None
    # What was opened in the game before does not count in this one.
    only = Board.covered(5, 4).replaced([(0, 0)], Cell.EMPTY)
    assert watch.watch(only, RULES, GRASS, PLACE, 2.1) is None


def test_behind_what_flies_over_it_a_cell_shows_what_it_showed() -> None:
    hidden = GOING.replaced([(0, 0), (0, 1)], Cell.UNREAD)
    assert filled_from(GOING, hidden) == GOING
    assert filled_from(GOING, hidden.replaced([(2, 0)], Cell.FLAG))[2, 0] == Cell.FLAG


def test_numbers_that_were_taken_stay_where_the_end_wipes_them_away() -> None:
    wiped = Board(np.where(LAST.codes <= 8, np.int8(Cell.EMPTY), LAST.codes))
    assert not continues(GOING, wiped)
    assert continues(GOING, with_numbers_kept(GOING, wiped))
    # Another number is another game.
    other = Board.parse("2#2#1/112#1/12221/.....".replace("/", "\n"))
    assert not continues(GOING, with_numbers_kept(GOING, other))


@dataclass
class Page:
    """A window whose pictures are given: each look shows the next one, the last one for good."""

    pictures: list[Image]
    grid: Grid
    after_click: list[Image] = field(default_factory=list)
    """The pictures that follow the click."""
    clicks: list[Point] = field(default_factory=list)
    title: str = "a page"
    window: None = None
    rules: ClassVar = Rules(10, 8, 10)
    looks: ClassVar[Any] = Pointer.looks
    takeovers: ClassVar = 0
    _taken_s: ClassVar = 0.0

    def __post_init__(self) -> None:
        self.reader = ColourReader(google(), self.grid)
        self.view = self
        self.behaviour = GameBehaviour(ending=ending())

    def grab(self) -> Image:
        return self.pictures.pop(0) if len(self.pictures) > 1 else self.pictures[0]

    def on_screen(self, point: Point) -> Point:
        return point

    def has_moved(self) -> bool:
        return False

    def window_now(self) -> None:
        """It is unknown."""

    def cells_of(self, picture: Image) -> Image:
        return picture

    def beside_board(self) -> Point:
        return Point(0, 0)

    def park(self, point: Point) -> None:
        """The pointer hides nothing here."""

    def click(self, point: Point, action: Action, **_: object) -> bool:
        self.clicks.append(point)
        self.pictures = list(self.after_click) or self.pictures
        return True

    def undisturbed(self) -> bool:
        return True


def night(button: tuple[int, int] | None) -> Image:
    picture, grid = meadow(Board.covered(10, 8), 30)
    rect = grid.rect
    picture[rect.y : rect.bottom, rect.x : rect.right] = (20, 40, 30)
    if button is not None:
        cv2.rectangle(picture, button, (button[0] + 159, button[1] + 35), (44, 117, 74), -1)
    return picture


COVERED, GRID = meadow(Board.covered(10, 8), 30)
PLACED = GRID.rect.x + 70, GRID.rect.y + 120


def press(page: Page, within_s: float = 5.0) -> None:
    page.behaviour = GameBehaviour(ending=msgspec.structs.replace(ending(), within_s=within_s))
    relocator: Any = SimpleNamespace(search=lambda last, **_: SearchResult.NOTHING)
    window: Any = page
    controls = WindowControls(window, window, window, relocator, PlaySettings(), lambda text: None)
    tracker: Any = None
    new_game.by_end_button(controls, tracker, 0.0)


def test_the_button_is_clicked_once_it_rests() -> None:
    moving = [night((PLACED[0], PLACED[1] - 8 * step)) for step in (3, 2, 1)]
    page = Page([night(None), *moving, night(PLACED)], GRID, [night(PLACED), night(None), COVERED])
    press(page)
    (click,) = page.clicks
    assert Rect(*PLACED, 160, 36).contains(click)


def test_a_button_of_another_colour_is_found_once_nothing_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_game, "PLAYED_S", 0.2)
    other = night(None)
    cv2.rectangle(other, PLACED, (PLACED[0] + 159, PLACED[1] + 35), (230, 120, 60), -1)
    cv2.putText(other, "Retry", (PLACED[0] + 40, PLACED[1] + 26), 0, 0.8, (255, 255, 255), 2)
    page = Page([night(None), other], GRID, [COVERED])
    press(page)
    (click,) = page.clicks
    assert Rect(*PLACED, 160, 36).contains(click)


def test_a_click_that_is_lost_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_game, "TAKEN_S", 0.2)
    page = Page([night(PLACED)], GRID)
    with pytest.raises(WindowError, match=r"4 clicks on the button"):
        press(page)
    assert len(page.clicks) == new_game.ATTEMPTS


def test_a_click_that_comes_twice_opens_a_cell_of_the_next_game() -> None:
    """It was waited for a button that would start it, for 90 s, and the run ended."""
    opened = np.zeros((8, 10), np.int8)
    opened[0], opened[1], opened[5, 5] = Cell.COVERED, 3, Cell.COVERED
    opened[4:7, 4:7] = np.where(opened[4:7, 4:7] == 0, 1, Cell.COVERED)
    opened[1, [0, 9]] = 2
    page = Page([night(PLACED)], GRID, [night(PLACED), night(None), meadow(Board(opened), 30)[0]])
    press(page)
    assert len(page.clicks) == 1


def test_a_board_that_is_covered_needs_no_click() -> None:
    page = Page([COVERED], GRID)
    press(page)
    assert page.clicks == []


def test_with_no_button_it_is_said_so() -> None:
    with pytest.raises(WindowLost, match=r"did not appear within 0\.3 s: start a new game yourself"):
        press(Page([night(None)], GRID), within_s=0.3)
