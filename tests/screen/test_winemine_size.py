"""WineMine is started again where it comes up with the size of a game before, or ends at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.errors import BotError, WindowError
from bot.geometry import Rect
from bot.screen.programs import games
from bot.screen.programs.games import WineMine
from bot.screen.windows import Window


class Sized(WineMine):
    """Comes up so many pixels wide, one width a start; 0: ends at once, below: shows nothing."""

    runs = False

    def __init__(self, widths: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(Path("prefix"))
        self.widths = widths
        monkeypatch.setattr(games, "Started", lambda *_: self)

    def set_up(self) -> None:
        pass

    def _write_registry(self, *_: Any) -> None:
        pass

    def window(self, _: object) -> Window:
        width = self.widths.pop(0)
        self.runs = width < 0
        if width <= 0:
            raise WindowError("no window")
        return Window(1, "WineMine", Rect(100, 81, width, 313))

    def end(self) -> None:
        pass


@pytest.mark.parametrize(
    "widths", [[490], [154, 490], [0, 490], [671]], ids=["at once", "again", "ended", "scaled"]
)
def test_it_has_the_size_that_was_asked(widths: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    last = widths[-1]
    game = Sized(widths, monkeypatch)
    assert game.start(30, 16, 99).rect.width == last
    assert not game.widths


def test_a_size_that_stays_another_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BotError, match="shows 9 columns where 30 were asked: end what runs in prefix"):
        Sized([154, 154], monkeypatch).start(30, 16, 99)


@pytest.mark.parametrize("widths", [[0, 0], [-1]], ids=["ended twice", "showed nothing"])
def test_what_shows_no_window_is_told(widths: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    game = Sized(widths, monkeypatch)
    with pytest.raises(WindowError, match="no window"):
        game.start(30, 16, 99)
    assert not game.widths
