"""A window that a game has opened counts as closed once it is seen no more."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from misbehaving import Plain
from playing import INTERVAL_S

from bot.errors import WindowLost
from bot.geometry import Point, Rect
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.screen.windows import Window
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.events import dialogs
from bot.targets.window.events.dialogs import close, dismiss, is_still_drawn
from bot.targets.window.events.restart_search import _do
from bot.vision.grid import Image
from bot.vision.themes.behaviour import NewGameWay
from bot.vision.themes.schema import DialogSpec
from bot.vision.words import Meaning

PLACE = Rect(40, 60, 220, 120)


def dialog() -> Image:
    picture = np.full((PLACE.height, PLACE.width, 3), 217, np.uint8)
    cv2.putText(picture, "You have lost", (20, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 1)
    cv2.rectangle(picture, (80, 70), (140, 100), (90, 90, 90))
    return picture


class Dialog(Plain):
    """A window that shows the dialog."""

    def image(self) -> Image:
        return dialog()


class Slow(VirtualScreen):
    """Lists a window no more once a key was struck, and shows its picture for some looks after that."""

    def __init__(self, looks: int, listings: int = 0) -> None:
        """`listings`: so often it is listed after the first key."""
        super().__init__(400, 300)
        self.looks = looks
        self.listings = listings
        self.struck: list[str] = []
        self.closed = False

    def key(self, name: str) -> None:
        self.struck.append(name)

    def windows(self) -> list[Window]:
        if self.struck:
            self.listings -= 1
        if self.struck and self.listings < 0:
            self.closed = True
            self.stack.clear()
        return super().windows()

    def grab(self, rect: Rect) -> Image:
        picture = super().grab(rect)
        if self.closed and self.looks > 0:
            self.looks -= 1
            picture[:] = dialog()
        return picture


def controls_of(screen: Slow) -> Any:
    screen.open(VirtualWindow(Dialog(PLACE.width, PLACE.height), "lost", Point(PLACE.x, PLACE.y)))

    def strike(keys: list[str], window: object) -> bool:
        screen.key(keys[0])
        return True

    return SimpleNamespace(
        observer=SimpleNamespace(capture=screen),
        pointer=Pointer(screen, INTERVAL_S),
        windows=screen,
        strike=strike,
    )


def answering(screen: Slow) -> Any:
    """Controls that answer the windows of a game without a theme, which has not moved."""
    controls = controls_of(screen)
    controls.observer.opened_windows = screen.windows
    controls.observer.view = SimpleNamespace(scale=1.0)
    controls.observer.has_moved = lambda: False
    controls.follow_into = lambda window: False
    controls.say = controls.park = lambda *_: None
    return controls


def test_the_pointer_is_moved_after_a_dialog_also_where_it_lies_already() -> None:
    """kmines' message of a won game stayed where the pointer had left it while the high scores were open."""
    screen = Slow(0)
    controls, beside = answering(screen), Point(5, 5)
    controls.park = lambda: controls.pointer.park(beside)
    controls.park()
    assert dialogs.answer_unknown(controls)
    assert screen.closed
    assert screen.position() == Point(6, 5)


class Placed(Slow):
    """Its window manager puts the window elsewhere right after it was listed."""

    def windows(self) -> list[Window]:
        listed = super().windows()
        for window in self.stack:
            window.at = Point(90, 110)
        return listed


def test_a_dialog_that_is_put_elsewhere_is_answered_there() -> None:
    screen = Placed(0)
    controls, seen = answering(screen), list[tuple[Window, Image]]()

    def press(_: Any, picture: Image, window: Window, wanted: object) -> bool:
        seen.append((window, picture))
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialogs, "_press", press)
        assert dialogs.answer_unknown(controls)
    ((window, picture),) = seen
    assert window.rect == PLACE.moved(50, 50)
    assert np.array_equal(picture, dialog())


def test_where_a_button_could_not_be_clicked_a_key_is_struck_at_once() -> None:
    screen = Slow(0)
    controls = answering(screen)
    controls.click_in = lambda *_, **__: False
    (window,) = screen.windows()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dialogs, "read_boxes", lambda _: [(Rect(80, 70, 61, 31), Meaning.CONFIRM)])
        patch.setattr(dialogs, "_goes", lambda *_: pytest.fail("it is waited for what was not clicked"))
        assert not dialogs._press(controls, dialog(), window, (Meaning.CONFIRM,))


@pytest.mark.parametrize("looks", [0, 5])
def test_a_window_is_closed_once_its_picture_is_gone(looks: int) -> None:
    screen = Slow(looks)
    controls = controls_of(screen)
    dismiss(controls, screen.windows())
    assert screen.looks == 0


def test_a_window_that_takes_its_time_gets_no_key_more_than_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs, "CLOSES_S", 0.0)
    screen = Slow(0, listings=20)
    controls = controls_of(screen)
    dismiss(controls, screen.windows(), keys=("enter", "escape"))
    assert screen.struck == ["enter", "escape"]


def test_a_known_dialog_that_takes_its_time_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """WineMine's dialogs, without a window manager and with 60 processes waiting, took over three seconds."""
    monkeypatch.setattr(dialogs, "CLOSES_S", 0.0)
    screen = Slow(0, listings=40)
    controls = controls_of(screen)
    controls.click_in, controls.settings = lambda *_: True, SimpleNamespace(records=False)
    spec = DialogSpec(title="lost", kind="name")
    done = close(controls, screen.windows()[0], spec, start=False)
    assert done == "dismissed 'lost', no name entered"
    assert screen.struck == ["escape"] * 3


def test_a_window_that_is_gone_gets_no_key() -> None:
    screen = Slow(0)
    controls, there = controls_of(screen), screen.windows()
    screen.stack.clear()
    dismiss(controls, there)
    done = close(controls, there[0], DialogSpec(title="lost", kind="name"), start=False)
    assert done == "'lost' was closed by somebody else"
    assert screen.struck == []


def test_a_known_dialog_that_a_person_closes_meanwhile_gets_nothing_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A desktop may not say that a window has no focus because it is gone: another one would get the keys."""
    monkeypatch.setattr(dialogs, "CLOSES_S", 0.01)
    screen = Slow(0, listings=10**9)
    controls, clicked = controls_of(screen), list[Window]()
    (window,) = screen.windows()
    controls.click_in, controls.settings = lambda *_: clicked.append(window), SimpleNamespace(records=False)

    def take(_: object) -> None:
        screen.stack.clear()

    def strike(keys: list[str], window: object) -> bool:
        screen.key(keys[0])
        screen.pointer = Point(300, 200)
        return True

    controls.pointer, controls.strike = Pointer(screen, INTERVAL_S, take), strike
    controls.pointer.park(Point(5, 5))
    done = close(controls, window, DialogSpec(title="lost", kind="name"), start=False)
    assert done == "dismissed 'lost', no name entered"
    assert screen.struck == ["escape"]
    assert clicked == []


def test_a_window_is_told_by_what_is_drawn_in_it_and_not_by_its_ground() -> None:
    picture = dialog()
    assert is_still_drawn(picture, picture)
    hovered = picture.copy()
    hovered[70:101, 80:141] = 230
    assert is_still_drawn(hovered, picture), "the button below the pointer looks otherwise"
    assert not is_still_drawn(np.full_like(picture, 217), picture)
    assert not is_still_drawn(picture[:50], picture)
    assert not is_still_drawn(picture[:0], picture[:0])


@pytest.mark.parametrize("changed", [False, True])
def test_a_place_that_looks_otherwise_now_is_not_clicked(changed: bool) -> None:
    before = dialog()
    now = before.copy()
    if changed:
        now[60:110, 70:150] = 120
    clicked: list[Point] = []
    over: list[str] = []

    def click(point: Point, *, slow: bool) -> bool:
        clicked.append(point)
        return True

    view = SimpleNamespace(on_screen=lambda point: point)
    controls: Any = SimpleNamespace(
        observer=SimpleNamespace(view=view, grab=lambda: now),
        click=click,
        park=lambda: None,
        covering=lambda _: over,
    )
    way = NewGameWay("place", x=110, y=85)
    assert _do(controls, way, before) is not changed
    assert clicked == ([] if changed else [Point(110, 85)])
    assert _do(controls, way, None), "where things move for ever it is clicked as it is"
    over.append("another window")
    clicked.clear()
    assert not _do(controls, way, None)
    assert clicked == [], "what another window covers is not clicked"


def test_a_window_that_comes_in_place_of_the_games_own_gets_no_key() -> None:
    """A game in pygame opens its menu as another window and closes the one that was played: Escape and Enter
    were struck there."""
    screen = Slow(0)
    controls = controls_of(screen)
    controls.observer.opened_windows = screen.windows

    def gone() -> bool:
        raise WindowLost("the window was closed")

    controls.observer.has_moved = gone
    with pytest.raises(WindowLost):
        dialogs.answer_unknown(controls)
    assert not screen.closed


class SpaceAlone(Slow):
    """Closes its dialog at the space bar, as Swing presses the button that has the keyboard."""

    def windows(self) -> list[Window]:
        if "space" in self.struck:
            self.stack.clear()
        return VirtualScreen.windows(self)


def test_the_button_of_a_dialog_is_pressed_by_the_space_bar_too() -> None:
    """A message in Java, whose one button is as wide as its window, did not close at Enter nor at Escape."""
    screen = SpaceAlone(0)
    assert dialogs.answer_unknown(answering(screen))
    assert screen.struck == ["enter", "space"]


@pytest.mark.parametrize(
    ("boxes", "start", "pressed"),
    [
        ([Meaning.QUIT, Meaning.NEW], True, [(Meaning.NEW, Meaning.CLOSE)]),
        ([Meaning.QUIT, Meaning.NEW], False, [(Meaning.CLOSE,)]),
        ([Meaning.QUIT, Meaning.CONFIRM], True, [(Meaning.NEW, Meaning.CLOSE)]),
        ([Meaning.NEW], True, [(Meaning.NEW, Meaning.CONFIRM)]),
    ],
)
def test_beside_a_button_that_quits_only_what_starts_a_game_is_clicked_and_no_key_but_escape(
    monkeypatch: pytest.MonkeyPatch, boxes: list[Meaning], start: bool, pressed: list[tuple[Meaning, ...]]
) -> None:
    """A dialog of Perl/Tk with the buttons Restart, Play Again and Quit did not close at Escape."""
    screen = Slow(0)
    asked: list[tuple[Meaning, ...]] = []

    def press(_: Any, picture: Image, window: Window, wanted: tuple[Meaning, ...]) -> bool:
        asked.append(wanted)
        return False

    monkeypatch.setattr(dialogs, "read_boxes", lambda _: [(PLACE, meaning) for meaning in boxes])
    monkeypatch.setattr(dialogs, "_press", press)
    assert dialogs.answer_unknown(answering(screen), start=start)
    assert asked == pressed
    assert screen.struck == (["escape"] if Meaning.QUIT in boxes else ["enter"])
