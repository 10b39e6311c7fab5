"""The windows of a soak: real programs and pages, each opened by its name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Protocol

from bot.board import LEVELS
from bot.screen.programs.games import GnomeMines, Practice, WineMine, Xdemineur
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
    """In a prefix of its own: one prefix draws on one screen alone, and another part may be played beside."""

    def __init__(self) -> None:
        super().__init__()
        self._stack = ExitStack()

    def open(self) -> Window:
        from wine_prefixes import own_prefix

        if missing := self.missing():
            raise Missing(f"missing: apt-get install {' '.join(missing)}")
        self._prefix = self._stack.enter_context(own_prefix())
        return self.start(*LEVELS["beginner"])

    def stop(self) -> None:
        super().stop()
        self._stack.close()


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


class _Other:
    """A program by others that no theme knows."""

    def __init__(self, program: Any) -> None:
        self._program = program

    def open(self) -> Window:
        from tests.unknown import games

        try:
            self._program.open()
        except games.Missing as error:
            raise Missing(str(error)) from None
        window: Window = self._program.started.window(lambda window: window.rect.width > 60)
        return window

    def stop(self) -> None:
        if hasattr(self._program, "started"):
            self._program.stop()


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
    # The tests' own windows find each other by name.
    from google_page import GooglePage
    from mines_page import MinesPage

    from tests.unknown.games import Program, kmines

    makers: dict[str, Callable[[], Game]] = {
        "winmine": _WineMine,
        "gnome-mines": _GnomeMines,
        "xdemineur": _Xdemineur,
        "practice": _Practice,
        "kmines": lambda: _Other(kmines("Easy")),
        "sgt-mines": lambda: _Other(Program(["sgt-mines", "9x9n10"])),
        "xbomb": lambda: _Other(Program(["xbomb"])),
        "google": lambda: _Page(GooglePage, level="easy"),
        "page": lambda: _Page(MinesPage, restart="button"),
    }
    return makers[name]()
