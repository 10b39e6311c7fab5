"""The mine counter: read where there is one, and checked against the usual counts of that size."""

from __future__ import annotations

from dataclasses import replace

import cv2
import msgspec
import numpy as np
import pytest
from playing import run, screen_with

from bot.board import Board, Cell, Rules
from bot.practice.session import PracticeSession
from bot.session import Play
from bot.targets.window.locate.board_finder import look_around
from bot.targets.window.observe.observer import WindowObserver
from bot.vision.grid import Grid, Image
from bot.vision.header.seven_segment import SEGMENTS, read_seven_segment
from bot.vision.picture_reader import read_picture
from bot.vision.themes.theme import load_theme
from training.reader.paint.digits import SEGMENT_BARS
from training.reader.variety.skins import drawn, skins
from training.reader.variety.varied import position


def line(segment: str, wide: float, high: float, short: float) -> tuple[float, float, float, float]:
    """The middle line of a segment of a digit, whose middle lines lie so far apart: x and y of its ends, each
    by `short` nearer to the other one than where two segments meet."""
    x, y, last_x, last_y = SEGMENT_BARS[segment]
    along = (short, 0.0) if y == last_y else (0.0, short)
    return x * wide + along[0], y * high + along[1], last_x * wide - along[0], last_y * high - along[1]


def panel(text: str, scale: float) -> Image:
    """A dark panel with a number of seven segments a digit, drawn finely and shrunk."""
    fine = 4
    picture = np.zeros((26 * fine, (13 * len(text) + 2) * fine, 3), np.uint8)
    for index, one in enumerate(text):
        for segment in SEGMENT_BARS:
            colour = (0, 0, 255) if segment in SEGMENTS[one] else (0, 0, 90)
            x, y, last_x, last_y = line(segment, 9, 19, 1)
            places = (x, y), (last_x, last_y)
            ends = [(int((3 + 13 * index + x) * fine), int((3 + y) * fine)) for x, y in places]
            cv2.line(picture, ends[0], ends[1], colour, 2 * fine)
    size = round(picture.shape[1] / fine * scale), round(picture.shape[0] / fine * scale)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def window(board: Board, text: str, clock: str = "123", scale: float = 1.0) -> tuple[Image, Grid]:
    """A board of a skin that no theme knows, with a counter and a clock above it."""
    picture, grid = drawn(skins()["classic pale"], board, 18 * scale, 12)
    header = round(44 * scale)
    whole = np.full((picture.shape[0] + header, picture.shape[1], 3), (206, 211, 214), np.uint8)
    whole[header:] = picture
    for shown, place in ((text, 14), (clock, -14)):
        one = panel(shown, scale)
        left = place if place > 0 else whole.shape[1] + place - one.shape[1]
        whole[10 : 10 + one.shape[0], left : left + one.shape[1]] = one
    return whole, grid.moved(0, header)


def board_of(columns: int, rows: int, mines: int) -> Board:
    return position(np.random.default_rng(5), columns, rows, mines, "flagged")


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
@pytest.mark.parametrize("text", ["012", "345", "678", "999", "000", "-05", "099"])
def test_a_counter_of_bars_is_read(text: str, scale: float) -> None:
    picture, grid = window(board_of(16, 16, 40), text, scale=scale)
    assert read_seven_segment(picture, grid) == int(text)


@pytest.mark.parametrize("text", ["0000", "0003", "0040", "0060", "0100", "0183", "0999", "080", "183"])
def test_four_digits_of_bars_are_not_read_as_three(text: str) -> None:
    """Cut into three, 0003 was 88."""
    whole, grid = window(board_of(16, 16, 40), "000")
    whole[:44, :150] = 190
    whole[10:37, 14 : 18 + 13 * len(text)] = 0
    for index, one in enumerate(text):
        for segment in SEGMENTS[one]:
            x, y, last_x, last_y = line(segment, 8, 20, 2)
            # Bars of three pixels, with one between two that meet.
            left, top, right, bottom = (int(end) for end in (x - 1, y - 1, last_x + 2, last_y + 2))
            place = 18 + 13 * index
            whole[13 + top : 13 + bottom, place + left : place + right] = 0, 0, 255
    assert read_seven_segment(whole, grid) == (int(text) if len(text) == 3 else None)


def test_a_counter_that_is_smeared_or_not_there_is_not_read() -> None:
    picture, grid = window(board_of(16, 16, 40), "088")
    assert read_seven_segment(picture, grid) == 88
    for part in (slice(10, 22), slice(22, 36)):
        covered = picture.copy()
        covered[part, 14:60] = 190
        assert read_seven_segment(covered, grid) is None
    picture[:44, :150] = 190
    assert read_seven_segment(picture, grid) is None  # the clock is no counter


@pytest.mark.parametrize(
    ("columns", "rows", "mines", "total"), [(16, 16, 40, 40), (16, 16, 41, None), (17, 15, 41, 41)]
)
def test_what_a_counter_says_is_checked_against_the_usual_count(
    columns: int, rows: int, mines: int, total: int | None
) -> None:
    """With no theme a number that no game of this size has is rather misread; other sizes have any number."""
    board = board_of(columns, rows, mines)
    picture, _ = window(board, f"{mines - board.count(Cell.FLAG):03}")
    seen = read_picture(picture, [])
    assert seen.board == board
    assert seen.mines == total


def test_mines_wins_over_the_counter_for_the_size_it_was_said_of() -> None:
    screen = screen_with(PracticeSession(Rules(9, 9, 13), 1.0, 1))
    (sighting,) = look_around(screen, screen, [load_theme("practice")])
    assert WindowObserver(sighting, screen, screen).rules.mines == 13
    told = WindowObserver(sighting, screen, screen, mines=20)
    assert told.rules.mines == 20
    other = replace(told.view, grid=replace(told.view.grid, rows=8))
    told.view = other
    assert told.rules_of(sighting.reading).mines == 13


def test_the_flags_are_counted_with_what_is_left() -> None:
    content = PracticeSession(Rules(9, 9, 13), 1.0, 1)
    content.game.open(4, 4)
    for cell in content.game.board.where(Cell.COVERED)[:3]:
        content.game.flag(*cell)
    screen = screen_with(content)
    (sighting,) = look_around(screen, screen, [load_theme("practice")])
    assert sighting.reading.counter == 10
    assert WindowObserver(sighting, screen, screen).rules.mines == 13


def test_an_unknown_total_is_said_once_and_none_is_taken_for_granted() -> None:
    theme = load_theme("practice")
    counter = theme.skin.counter
    assert counter is not None
    away = replace(theme.skin, counter=msgspec.structs.replace(counter, x=counter.x + 30))
    screen = screen_with(PracticeSession(Rules(9, 9, 7), 1.0, 3))
    told = run(screen, replace(theme, skin=away), how=Play(games=2))
    assert [line.mines for line in told.lines] == [None, None]
    said = [text for text in told.texts if "mine counter cannot be read" in text]
    assert len(said) == 1
    assert "--mines N (often 10 at this size)" in said[0]
