"""The windows on the desktop, with their places, titles and order: `Window` and the protocol `Windows`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.geometry import Rect


@dataclass(frozen=True)
class Window:
    """A window that is shown on the desktop."""

    id: int
    """The platform's number of the window. X11 reuses the numbers of closed windows."""
    title: str
    """The title; empty if it has none."""
    rect: Rect
    """Its inside, without the frame and the title bar of the window manager, in points of the desktop."""
    program: str = ""
    """The program's own name for its windows; the dialogs of a game have the same."""
    owner: int = 0
    """The id of the window that it belongs to, as a dialog does; 0 if there is none or it is unknown."""
    process: int = 0
    """The number of the process that shows it; 0 where that is unknown."""
    client: int = 0
    """The number of the connection to X11 by which it is shown, a program's own; 0 on other desktops."""

    @property
    def called(self) -> str:
        """What people are told of it: its title, or its program's name."""
        return repr(self.title or self.program) if self.title or self.program else "a window without a title"

    def belongs_to(self, other: Window) -> bool:
        """Whether the program of another window shows this one. Toolkits may name the dialogs of a program
        otherwise than its windows. A name that both have says little where their processes are known to be
        two: what Python runs has that of Python."""
        same_process = self.process != 0 and self.process == other.process
        same_client = self.client != 0 and self.client == other.client
        same_name = self.program != "" and self.program == other.program
        may_be_one = 0 in (self.process, other.process)
        return (same_name and may_be_one) or self.owner == other.id or same_process or same_client


class Windows(Protocol):
    """The windows of a desktop. Methods raise ScreenError if the desktop has gone."""

    @property
    def known(self) -> bool:
        """Whether this desktop lists its windows."""
        ...

    def windows(self) -> list[Window]:
        """The windows that are shown, from the bottom to the top; empty if they are unknown."""
        ...

    def place(self, window: Window) -> Rect | None:
        """Where the inside of a window lies now; None if it is not shown. Quick enough for every click."""
        ...

    def focus(self, window: Window) -> bool:
        """Ask for the keyboard focus of a window. False if the desktop is known to have refused it: keys
        would reach another window."""
        ...

    def to_front(self, window: Window) -> None:
        """Ask for a window to be shown above all others."""
        ...

    def has_menu(self, window: Window) -> bool:
        """Whether a menu of a window's program is open, which would take its keys; False where nobody can
        tell."""
        ...

    def close(self) -> None:
        """Release the desktop."""
        ...


class NoWindows:
    """A desktop that does not list its windows."""

    known = False

    def windows(self) -> list[Window]:
        """No windows: they are unknown."""
        return []

    def place(self, window: Window) -> Rect | None:
        """The last known place."""
        return window.rect

    def focus(self, window: Window) -> bool:
        """Does nothing: whether the window has the focus is unknown."""
        return True

    def to_front(self, window: Window) -> None:
        """Does nothing."""

    def has_menu(self, window: Window) -> bool:
        """False: it is unknown."""
        return False

    def close(self) -> None:
        """Does nothing."""
