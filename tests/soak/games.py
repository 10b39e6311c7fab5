"""The windows of a soak: real programs and pages, each opened by its name."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Protocol

from bot.board import LEVELS
from bot.screen.programs.games import GnomeMines, Practice, WineMine, Xdemineur
from bot.screen.programs.started_program import Started, find_program
from bot.screen.windows import Window
from tests.soak.desktops import Missing


class Game(Protocol):
    """A game's window."""

    def open(self) -> Window:
        """Open it, and wait until it is drawn. Raises Missing."""
        ...

    def stop(self) -> None:
        """Close it."""
        ...


class _WineMine(WineMine):
    def open(self) -> Window:
        if missing := self.missing():
            raise Missing(f"missing: apt-get install {' '.join(missing)}")
        return self.start(*LEVELS["beginner"])


class _Practice(Practice):
    def open(self) -> Window:
        return self.start(*LEVELS["beginner"])


class _GnomeMines(GnomeMines):
    def open(self) -> Window:
        if missing := self.missing():
            raise Missing(f"missing: apt-get install {' '.join(missing)}")
        return self.start(8, 8, 10, at=(60, 60))


class _Xdemineur(Xdemineur):
    def open(self) -> Window:
        if missing := self.missing():
            raise Missing(f"missing: apt-get install {' '.join(missing)}")
        return self.start(16, 16, 40, at=(60, 60))


class _Program:
    """A program by others that no theme knows."""

    def __init__(self, program: str, package: str, *words: str) -> None:
        self._name, self._package, self._words = program, package, words
        self._program: Started | None = None

    def open(self) -> Window:
        path = find_program(self._name)
        if path is None:
            raise Missing(f"there is no {self._name}: apt-get install {self._package}")
        self._program = Started([path, *self._words], os.environ | {"QT_QPA_PLATFORM": "xcb"})
        return self._program.window(lambda window: window.rect.width > 100)

    def stop(self) -> None:
        if self._program is not None:
            self._program.end()
            self._program = None


class _Page:
    """A page in Chromium, by the way that it is opened."""

    def __init__(self, make: Callable[[], Any], **words: str) -> None:
        self._make, self._words = make, words
        self._page: Any = None

    def open(self) -> Window:
        self._page = self._make()
        if self._page.program() is None:
            raise Missing("there is no Chromium: apt-get install chromium")
        window: Window = self._page.open(**self._words)
        return window

    def stop(self) -> None:
        if self._page is not None:
            self._page.stop()
            self._page = None


def game(name: str) -> Game:
    """The window of that name, not opened yet."""
    from google_page import GooglePage
    from mines_page import MinesPage

    makers: dict[str, Callable[[], Game]] = {
        "winmine": _WineMine,
        "gnome-mines": _GnomeMines,
        "xdemineur": _Xdemineur,
        "practice": _Practice,
        "kmines": lambda: _Program("kmines", "kmines"),
        "sgt-mines": lambda: _Program("sgt-mines", "sgt-puzzles", "9x9n10"),
        "xbomb": lambda: _Program("xbomb", "xbomb"),
        "google": lambda: _Page(GooglePage, level="easy"),
        "page": lambda: _Page(MinesPage, restart="button"),
    }
    return makers[name]()
