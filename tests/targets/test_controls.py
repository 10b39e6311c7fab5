"""What is done in a window beside its cells: keys that no menu takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from misbehaving import Plain, window_of
from playing import INTERVAL_S

from bot.screen.virtual import VirtualScreen
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


def controls_of(screen: VirtualScreen, said: list[str]) -> WindowControls:
    nothing: Any = SimpleNamespace()
    return WindowControls(nothing, Pointer(screen, INTERVAL_S), screen, nothing, nothing, said.append)


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
