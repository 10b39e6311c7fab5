"""What can be done in one window: click, strike keys, leave the pointer, follow the board where it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.board import Action, Board, Cell
from bot.geometry import Point
from bot.screen.windows import Window, Windows
from bot.targets.window.act.pointer import SLOW, Pointer
from bot.targets.window.locate.relocate import Relocator, SearchResult
from bot.targets.window.locate.stretched import Shown
from bot.targets.window.observe.observer import MAX_UNREAD, WindowObserver
from bot.targets.window.play_settings import PlaySettings
from bot.vision.grid import Image
from bot.vision.reading import Reading

MENU_CLOSES_S, POLL_S = 1.0, 0.02
"""How long a menu may take to close, and the time between two looks, in seconds."""


@dataclass(frozen=True)
class WindowControls:
    """Eyes and hands in one window, for whoever plays it or starts its next game."""

    observer: WindowObserver
    pointer: Pointer
    windows: Windows
    relocator: Relocator
    settings: PlaySettings
    say: Callable[[str], None]
    """Takes a line for people and for the recording."""

    def seen(self) -> tuple[Image, Reading]:
        """A picture of the window, and what is read in it."""
        frame = self.observer.grab()
        return frame, self.observer.reader.read(frame)

    def click(self, point: Point, *, slow: bool = False) -> bool:
        """Click a point of the game's window, or of a menu over it; False, and no click, where a person had
        the mouse or the window does not begin there any more: one that has only grown shows its buttons where
        they were. Raises WindowLost where it is gone."""
        return self.pointer.click(
            point,
            Action.OPEN,
            attempt=SLOW if slow else 1,
            last_look=lambda: self._begins_at_same_place(self.observer.window_now()),
            window=self.observer.window_now(),
            popups=True,
        )

    def _begins_at_same_place(self, now: Window | None) -> bool:
        own = self.observer.window
        return now is None or own is None or (now.rect.x, now.rect.y) == (own.rect.x, own.rect.y)

    def covering(self, point: Point) -> list[Window]:
        """The windows that are none of the game's and would get a click at a point of its window. What lies
        over the whole board too, while that is read, is seen through and left out."""
        board = self.observer.view.grid_on_screen()
        over = self.observer.foreign_over(point)
        if any(one.rect.encloses(board) for one in over):
            codes = self.seen()[1].board.codes
            if (codes == Cell.UNREAD).mean() < MAX_UNREAD:
                over = [one for one in over if not one.rect.encloses(board)]
        return over

    def click_in(self, dialog: Window, point: Point, *, slow: bool = False) -> bool:
        """The same for a point of a dialog, which is counted in points from its upper left corner. There is
        no click where it has gone or lies elsewhere: what lies there now would get it."""
        return self.pointer.click(
            Point(dialog.rect.x + point.x, dialog.rect.y + point.y),
            Action.OPEN,
            attempt=SLOW if slow else 1,
            last_look=lambda: self.windows.place(dialog) == dialog.rect,
            window=dialog,
        )

    def park(self) -> None:
        """Leave the pointer where it hides nothing."""
        self.pointer.park(self.observer.beside_board())

    def strike(self, keys: Sequence[str], window: Window | None = None) -> bool:
        """Strike keys, one after the other; in a window that is given the focus first, where one is named.

        False, and no key is struck, if the window does not get the focus: another program would get the keys.
        A menu that its program has open would take them for its own choices. It is closed first, by the first
        of the keys if that is Escape; False for one that stays.
        """
        if window is not None:
            if not self.windows.focus(window):
                return False
            if self.windows.has_menu(window):
                if not self._close_menu(window):
                    return False
                keys = keys[1:] if keys[:1] == ["escape"] else keys
        for key in keys:
            self.pointer.mouse.key(key)
        return True

    def _close_menu(self, window: Window) -> bool:
        """Close the menu that a window's program has open by Escape; False for one that stays."""
        self.pointer.mouse.key("escape")
        gone = any(not self.windows.has_menu(window) for _ in self.pointer.looks(MENU_CLOSES_S, POLL_S))
        self.say("a menu was open, and is closed by Escape" if gone else "a menu stays open")
        return gone

    def follow_into(self, window: Window) -> bool:
        """Whether another window of the game shows a board on which nothing has been played, or that has just
        begun: the next game, which is looked at there from then on."""
        if not self.relocator.look_into(window):
            return False
        self.park()
        self.say(f"the next game is in {window.title or 'another window'!r}: playing on there")
        return True

    def follow(self, last: Board | None, shown: Shown | None = None) -> SearchResult:
        """Look on the whole screen for the board that showed `last`, and was `shown` so when it counted, and
        look there from then on."""
        found = self.relocator.search(last, played=False, shown=shown)
        if found.elsewhere:
            self.park()
        if found.elsewhere and found is not SearchResult.STRETCHED:  # that may be after each click
            self.say(f"{found.value}; playing on with {self.observer.view.described}")
        return found
