"""What lies behind what moves over a board for ever."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from bot.geometry import Rect
from bot.targets.window.looks import backdrop
from bot.targets.window.looks.backdrop import Backdrop
from bot.vision.grid import Image

AREA = Rect(10, 20, 60, 60)
LOOKS = 4
"""How often each picture is looked at before it changes."""


class Clock:
    """A time of its own, in seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(backdrop, "time", SimpleNamespace(perf_counter=lambda: self.now))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def board(seed: int = 1) -> Image:
    """A picture with something in each pixel of its board."""
    picture: Image = np.random.default_rng(seed).integers(0, 255, (100, 80, 3), np.uint8)
    return picture


def falling(picture: Image, step: int) -> Image:
    """The same with two stripes over all columns of its board that fall: each cell of 30 pixels always lies
    under one of them in part."""
    covered: Image = picture.copy()
    for top in (0, 30):
        row = AREA.y + (2 * step + top) % 60
        covered[row : row + 6, AREA.x : AREA.right] = 250
    return covered


def look(seen: Backdrop, clock: Clock, picture: Image) -> Image:
    """What is seen behind a picture that is looked at several times, for a 60th of a second."""
    for _ in range(LOOKS):
        clock.now += 1 / 60 / LOOKS
        behind = seen.behind(picture)
    return behind


def test_cells_that_are_never_seen_whole_are_told(clock: Clock) -> None:
    seen, picture = Backdrop(AREA), board()
    shown = [look(seen, clock, falling(picture, step)) for step in range(120)]
    assert seen.is_known
    assert all((one != picture).any() for one in shown[:60]), "one second is too short to tell"
    assert all((one[20:80] == picture[20:80]).all() for one in shown[-30:])


def test_a_board_that_is_uncovered_at_last_is_shown_as_it_is(clock: Clock) -> None:
    seen, picture = Backdrop(AREA), board()
    for step in range(120):
        look(seen, clock, falling(picture, step))
    other = board(seed=2)
    for _ in range(20):
        shown = look(seen, clock, other)
    assert shown is other
    assert not seen.is_known


def test_after_a_click_nothing_is_known_of_what_lies_behind(clock: Clock) -> None:
    seen, picture = Backdrop(AREA), board()
    for step in range(120):
        look(seen, clock, falling(picture, step))
    seen.forget()
    covered = falling(picture, 121)
    assert look(seen, clock, covered) is covered


def test_a_board_that_changes_now_and_then_is_shown_as_it_is(clock: Clock) -> None:
    """As one that is played does."""
    seen = Backdrop(AREA)
    for move in range(12):
        picture = board(seed=move)
        for _ in range(18):
            assert look(seen, clock, picture) is picture


def test_a_picture_of_another_size_is_another_one(clock: Clock) -> None:
    seen, picture = Backdrop(AREA), board()
    for step in range(120):
        look(seen, clock, falling(picture, step))
    larger = np.pad(picture, ((0, 9), (0, 9), (0, 0)))
    assert look(seen, clock, larger[:60]) is not None
    assert not seen.is_known
