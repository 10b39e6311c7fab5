"""What the desktop says of one window: where it lies, what lies over it, which dialogs it has opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.board import Phase
from bot.errors import WindowLost
from bot.geometry import Point, Rect
from bot.screen.capture import Capture, desktop
from bot.screen.windows import Window, Windows
from bot.targets.window.observe.own_windows import above, dialog_of
from bot.targets.window.sighting import Sighting, View
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.schema import DialogSpec


class ObservedWindow:
    """One window on the desktop, with the board that was found in it."""

    def __init__(self, sighting: Sighting, capture: Capture, windows: Windows) -> None:
        """The window of a sighting."""
        self.behaviour: GameBehaviour = sighting.behaviour
        self.view: View = sighting.view
        self.window: Window | None = sighting.window
        self.title = sighting.title
        self.capture = capture
        self.windows = windows
        there = windows.windows()
        self._there_before = frozenset(window.id for window in there)
        own = sighting.window
        self._has_own_process = own is not None and not any(
            one.process == own.process and one.program != own.program for one in there
        )
        """Whether the number of its process tells its windows: programs in containers may all have one."""

    def dialog(self, *, reporting_end: bool = True) -> tuple[Window, DialogSpec] | None:
        """The topmost dialog that the game has opened, and what is known of it; without `reporting_end` none
        that reports the end of a game."""
        for window in reversed(self.windows.windows()):
            spec = dialog_of(window, self.window, self.behaviour)
            if spec is not None and (reporting_end or spec.tells is None):
                return window, spec
        return None

    def reported_by_dialog(self) -> Phase | None:
        """WON or LOST, where a dialog that is open says so."""
        dialog = self.dialog() if self.behaviour.dialog_tells_end else None
        if dialog is None or dialog[1].tells is None:
            return None
        return Phase.WON if dialog[1].tells == "won" else Phase.LOST

    def opened_windows(self) -> list[Window]:
        """The windows that a game without a theme has opened since it was found, from the bottom to the
        top."""
        own = self.window
        return [
            window
            for window in self.windows.windows()
            if own is not None
            and window.id not in self._there_before
            and window.id != own.id
            and self._is_of_program(window, own)
            and window.rect.intersects(own.rect)
        ]

    def _is_of_program(self, window: Window, own: Window) -> bool:
        """Whether the program of our own window shows another one."""
        return window.belongs_to(own if self._has_own_process else replace(own, process=0))

    def covering(self) -> list[Window]:
        """The windows that lie over the board, from the bottom to the top."""
        return above(self.windows.windows(), self.window, self.view.grid_on_screen())

    def are_its_own(self, others: Sequence[Window]) -> bool:
        """Whether there are such windows, and the game has opened all of them since it was found."""
        own = self.window
        return bool(others) and all(
            own is not None and one.id not in self._there_before and self._is_of_program(one, own)
            for one in others
        )

    def foreign_over(self, point: Point) -> list[Window]:
        """The windows over a point of our own that are no part of the game, from the bottom to the top: those
        of other programs, and those of its own that were there when it was found."""
        own = self.window
        return [
            one
            for one in above(self.windows.windows(), own, Rect(point.x, point.y, 1, 1))
            if own is not None and (one.id in self._there_before or not self._is_of_program(one, own))
        ]

    def has_moved(self) -> bool:
        """Whether the window lies elsewhere now. Raises WindowLost where it is gone."""
        now = self.window_now()
        return now is not None and self.window is not None and now.rect != self.window.rect

    def move_along(self) -> bool:
        """Follow a window that has only moved; its board need not be seen.

        False if the window has another size, or is not wholly on the screen.
        """
        now, old = self.window_now(), self.window
        if now is None or old is None:
            return True
        same_size = (now.rect.width, now.rect.height) == (old.rect.width, old.rect.height)
        if not same_size or not desktop(self.capture.monitors()).encloses(now.rect):
            return False
        self.view, self.window = self.view.moved(now.rect.x - old.rect.x, now.rect.y - old.rect.y), now
        return True

    def window_now(self) -> Window | None:
        """The window as it is now; None where nothing is known of windows. WindowLost where it is gone."""
        if self.window is None or not self.windows.known:
            return None
        rect = self.windows.place(self.window)
        if rect is None:
            raise WindowLost(
                f"the window {self.title!r} was closed or minimised: open it again and start once more"
            )
        return replace(self.window, rect=rect)
