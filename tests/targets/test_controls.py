"""What is done in a window beside its cells: keys that no menu takes."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from misbehaving import Plain, window_of
from playing import INTERVAL_S

from bot.geometry import Point, Rect
from bot.screen.mouse import Button
from bot.screen.virtual import VirtualScreen, VirtualWindow
from bot.screen.windows import Window
from bot.targets.window.act import controls as module
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.act.pointer import Pointer


class WithMenu(VirtualScreen):
    """A screen whose topmost window has a menu open, which goes after so many times Escape."""

    def __init__(self, escapes: int) -> None:
        super().__init__()
        self.escapes = escapes

    def has_menu(self, window: Window) -> bool:
        return self.escapes > 0

    def key(self, name: str) -> None:
        if self.escapes:
            assert name == "escape", "the menu takes the key for a choice"
            self.escapes -= 1
        else:
            super().key(name)


class Blind(VirtualScreen):
    """A screen whose mouse does not know which window a click is meant for."""

    def click(self, point: Point, button: Button, hold_s: float = 0.0, **meant: Any) -> bool:
        return super().click(point, button, hold_s)


def controls_of(screen: VirtualScreen, said: list[str]) -> WindowControls:
    nothing: Any = SimpleNamespace()
    return WindowControls(nothing, Pointer(screen, INTERVAL_S), screen, nothing, nothing, said.append)


@pytest.mark.parametrize(
    ("at", "size", "is_clicked"),
    [((40, 40), (300, 200), True), ((40, 40), (300, 260), True), ((41, 40), (300, 200), False)],
    ids=["as it was", "larger", "moved"],
)
def test_a_button_of_a_window_that_has_only_grown_is_clicked(
    at: tuple[int, int], size: tuple[int, int], is_clicked: bool
) -> None:
    """A game grows when it tells its end: what starts the next one lies where it was."""
    screen, game = VirtualScreen(), Plain(*size)
    window = screen.open(window_of(game))
    own = replace(screen.windows()[0], rect=Rect(40, 40, 300, 200))
    window.at = Point(*at)
    observer: Any = SimpleNamespace(window=own, window_now=lambda: screen.windows()[0])
    nothing: Any = SimpleNamespace()
    controls = WindowControls(observer, Pointer(screen, INTERVAL_S), screen, nothing, nothing, print)
    assert controls.click(Point(100, 100)) is is_clicked
    assert game.clicks == is_clicked


@pytest.mark.parametrize("what", ["as it was", "moved", "closed"])
def test_a_dialog_is_clicked_where_it_lies_or_not_at_all(what: str) -> None:
    """A click went to the window below one that a person had just closed."""
    screen, game, dialog = Blind(), Plain(300, 200), Plain(100, 60)
    screen.open(window_of(game))
    opened = screen.open(VirtualWindow(dialog, "won", Point(60, 60)))
    seen = screen.windows()[-1]
    if what == "moved":
        opened.at = Point(80, 60)
    if what == "closed":
        screen.stack.remove(opened)
    assert controls_of(screen, []).click_in(seen, Point(40, 40)) is (what == "as it was")
    assert (dialog.clicks, game.clicks) == (what == "as it was", 0)


@pytest.mark.parametrize(
    ("escapes", "keys", "left"), [(0, "escape n", "escape n"), (1, "escape n", "n"), (1, "escape", "")]
)
def test_escape_closes_a_menu_and_is_not_struck_again(escapes: int, keys: str, left: str) -> None:
    screen, game, said = WithMenu(escapes), Plain(300, 200), list[str]()
    screen.open(window_of(game))
    assert controls_of(screen, said).strike(keys.split(), screen.windows()[0])
    assert game.keys == left.split()


@pytest.mark.parametrize(("escapes", "takes"), [(0, True), (1, True), (2, False)])
def test_a_key_is_struck_once_no_menu_would_take_it(
    escapes: int, takes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser's menu came late after a right click, and N chose what shows the source of the page."""
    monkeypatch.setattr(module, "MENU_CLOSES_S", 0.05)
    screen, game, said = WithMenu(escapes), Plain(300, 200), list[str]()
    screen.open(window_of(game))
    assert controls_of(screen, said).strike(["n"], screen.windows()[0]) is takes
    assert game.keys == (["n"] if takes else [])
    assert said == [[], ["a menu was open, and is closed by Escape"], ["a menu stays open"]][escapes]
