"""The windows on the desktop: where they lie, what they are called, which one is on top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.geometry import Rect


@dataclass(frozen=True)
class Window:
    """A window that can be seen. Windows are listed from the bottom to the top."""

    id: int
    title: str
    rect: Rect
    """Its inside, without the frame and the title bar that the window manager draws."""
    program: str = ""
    """The program's own name for its windows; dialogs of a game share it with the game."""
    owner: int = 0
    """The id of the window that it belongs to, as a dialog does; 0 where there is none or none is known."""


class Windows(Protocol):
    """The list of windows."""

    @property
    def known(self) -> bool:
        """Whether this desktop tells which windows there are."""
        ...

    def windows(self) -> list[Window]:
        """The windows that are shown, from the bottom to the top; empty where that cannot be known."""
        ...

    def place(self, window: Window) -> Rect | None:
        """Where the inside of a window lies now; None where it is not shown. Quick enough for every click."""
        ...

    def focus(self, window: Window) -> None:
        """Give a window the keyboard; nothing where that cannot be done."""
        ...

    def close(self) -> None:
        """Let the desktop go."""
        ...


class NoWindows:
    """A desktop that tells nothing about its windows."""

    known = False

    def windows(self) -> list[Window]:
        """Nothing is known."""
        return []

    def place(self, window: Window) -> Rect | None:
        """Where it was: nothing more is known."""
        return window.rect

    def focus(self, window: Window) -> None:
        """Nothing can be done."""

    def close(self) -> None:
        """Nothing is held."""
