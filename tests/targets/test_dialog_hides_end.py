"""A window that the game opens over its last board, while a person plays: when the game ended, and what is
told until it is closed."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from playing import screen_with, session

from bot.board import Observation
from bot.geometry import Point, Rect
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.screen.windows import Window
from bot.targets.window import spectator as spectator_module
from bot.targets.window.locate.board_finder import choose, look_around
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.spectator import Spectator
from bot.vision.grid import Image
from bot.vision.themes.theme import load_theme

ANSWERED_AFTER_S = 1.0
"""How long the person lets the window be, in seconds."""


class Note:
    """A window of one colour in which nobody clicks."""

    def image(self) -> Image:
        return np.full((80, 80, 3), 200, np.uint8)

    def press(self, x: int, y: int, button: int) -> None: ...

    release = press

    def move(self, x: int, y: int) -> None: ...

    def key(self, name: str) -> None: ...


def looked_at(seen: Spectator, until: Callable[[Observation | None], bool]) -> None:
    """Look until it is so; fails where that does not come."""
    end = time.monotonic() + 20
    while not until(seen.look()):
        assert time.monotonic() < end, "it waits, and says nothing"
        time.sleep(0.005)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """It suspects sooner that something lies over the board, for nobody waits here."""
    monkeypatch.setattr(spectator_module, "SUSPECT_S", 0.05)
    monkeypatch.setattr(spectator_module, "TROUBLE_S", 0.2)


@pytest.mark.parametrize(
    ("program", "title", "told"),
    [
        ("", "Well done", "the board is covered by 'Well done': close it"),
        ("notes", "a note", "the board is covered by 'a note': move it away"),
        ("", "", "close it"),
    ],
    ids=["its own", "another program's", "its own, without a title"],
)
@pytest.mark.usefixtures("patient")
def test_a_game_ends_when_its_own_window_hides_the_board(program: str, title: str, told: str) -> None:
    content = session()
    screen: VirtualScreen = screen_with(content)
    (game,) = screen.stack
    sighting = choose(look_around(screen, screen, [load_theme("practice")]), None)
    seen = Spectator(WindowObserver(sighting, screen, screen))
    content.game.open(0, 0)
    looked_at(seen, lambda now: now is not None)
    truth = content.game.truth_for_simulators
    assert truth is not None
    for row, column in np.argwhere(~truth.mines).tolist():
        content.game.open(row, column)
    note = VirtualWindow(Note(), title, Point(game.at.x + 40, game.at.y + 90), program or game.program)
    screen.open(note)
    hidden = time.perf_counter()
    looked_at(seen, lambda now: bool(seen.trouble))
    assert told in seen.trouble
    time.sleep(max(0.0, hidden + ANSWERED_AFTER_S - time.perf_counter()))
    screen.stack.remove(note)
    looked_at(seen, lambda now: now is not None and now.phase.over)
    assert seen.ended is not None
    assert (seen.ended - hidden < ANSWERED_AFTER_S / 2) == (not program)


def test_a_window_without_a_title_is_told_as_such() -> None:
    place = Rect(0, 0, 9, 9)
    assert Window(1, "", place).called == "a window without a title"
    assert Window(1, "", place, "gnome-mines").called == "'gnome-mines'"
    assert Window(1, "Mines", place, "gnome-mines").called == "'Mines'"


@pytest.mark.usefixtures("patient")
def test_a_window_that_goes_while_it_is_looked_for_is_not_told_without_a_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What lies over the board is asked for once: another answer would leave nothing to be named."""
    screen = screen_with(session())
    (game,) = screen.stack
    sighting = choose(look_around(screen, screen, [load_theme("practice")]), None)
    seen = Spectator(WindowObserver(sighting, screen, screen))
    looked_at(seen, lambda now: now is not None)
    screen.open(VirtualWindow(Note(), "a note", Point(game.at.x + 40, game.at.y + 90), "notes"))
    covering, asked = seen.observer.covering, 0

    def every_other_time() -> list[Window]:
        nonlocal asked
        asked += 1
        return covering() if asked % 2 else []

    monkeypatch.setattr(seen.observer, "covering", every_other_time)
    looked_at(seen, lambda now: bool(seen.trouble))
    assert "covered by :" not in seen.trouble
