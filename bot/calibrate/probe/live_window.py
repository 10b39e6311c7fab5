"""A window that is being learned: it is looked at until it rests, and clicked; nothing else is touched.

Whatever the person does with the mouse stops it (`Pointer`). Every click lies inside the window's own
rectangle, away from the corners where windows that draw their own title keep their close button.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from bot.board import Action, Coordinate
from bot.errors import WindowError, WindowLost
from bot.geometry import Point
from bot.screen.capture import Capture
from bot.screen.windows import Window, Windows
from bot.targets.window.act.pointer import Pointer
from bot.targets.window.sighting import View
from bot.targets.window.track.motion import Motion
from bot.vision.grid import Image, same_pixels

POLL_S = 0.004
"""Between two looks."""

QUIET_S = 0.07
"""A picture that has stayed the same for this long is at rest, until the window has shown that it pauses."""

END_QUIET_S = 0.6
"""The same at the end of a game, to begin with: mines go off one by one, up to 0.4 s apart. The time doubles
whenever a picture moves on that was thought to be at rest."""

MAX_END_QUIET_S = 2.0
"""Longest such time: cells that never rest would take the whole budget."""

REACTION_S = 0.5
"""A click that has changed nothing for this long has done nothing."""

REST_LIMIT_S, END_LIMIT_S = 4.0, 12.0
"""A picture that moves on for ever is taken as it is after this long: in a game, and at its end."""

TITLE_CORNERS, MAX_CORNER_SHARE = (150, 56), 0.38
"""Width and height, in points, of the top corners of a window that are never clicked, and the largest part of
a narrow window's width that one takes: its middle may be clicked."""


@dataclass(frozen=True)
class SettledWindow:
    """What a click led to. Times in seconds."""

    frame: Image
    """The window once its cells were at rest."""
    moving: tuple[Image, ...]
    """The different pictures on the way there, `frame` last."""
    changed: bool
    """Whether any cell changed at all."""
    latency_s: float
    """From the click to the first change; 0 where there was none."""
    lasted_s: float
    """From the first change to the last."""
    pause_s: float
    """The longest time in between without a change."""


class LiveWindow:
    """One window on the screen, with a grid in it."""

    def __init__(
        self, capture: Capture, windows: Windows, pointer: Pointer, window: Window, view: View
    ) -> None:
        """`view` is the inside of the window that can be seen, with the grid in its pixels."""
        self.view = view
        self.window = window
        self._capture = capture
        self._windows = windows
        self._pointer = pointer
        self._there_before = {one.id for one in windows.windows()}
        self.quiet_s = QUIET_S
        self.reaction_s = REACTION_S
        self.end_quiet_s = END_QUIET_S
        self.clicks = 0
        """Clicks that were sent."""

    def grab(self) -> Image:
        """The window's picture now, shape (height, width, 3)."""
        return self._capture.grab(self.view.rect)

    def rest(self, before: Image | None = None, *, end: bool = False, answer_s: float = 0.0) -> SettledWindow:
        """Wait until the cells stay the same. `before` is what they must differ from first, if they will.

        With `end` it waits for longer: the game may be over. For a first change it waits as long as the
        window has shown to need, and `answer_s` at least.
        """
        reaction = max(answer_s, self.reaction_s)
        quiet = self.end_quiet_s if end else self.quiet_s
        limit = END_LIMIT_S if end else REST_LIMIT_S
        begin = time.perf_counter()
        motion = Motion(self.view.cells_of, begin)
        motion.update(self.grab() if before is None else before, begin)
        moving: list[Image] = []
        for now in self._pointer.looks(limit, POLL_S):
            frame = self.grab()
            motion.update(frame, now)
            if motion.cells_changed and len(moving) < 400:
                moving.append(frame)
            awaited = motion.first_change_at is None and before is not None
            if motion.at_rest_for(now, only_cells=True) >= (reaction if awaited else quiet):
                break
        cells_of = self.view.cells_of
        changed = before is not None and not same_pixels(cells_of(frame), cells_of(before))
        latency_s = 0.0 if motion.first_change_at is None else motion.first_change_at - begin
        lasted_s, pause_s = motion.lasted_s(), motion.longest_pause_s
        return SettledWindow(frame, (*moving, frame), changed, latency_s, lasted_s, pause_s)

    def rest_longer(self) -> bool:
        """Wait for longer at the ends of games from now on; False where the limit is reached already."""
        if self.end_quiet_s >= MAX_END_QUIET_S:
            return False
        self.end_quiet_s = min(MAX_END_QUIET_S, 2 * self.end_quiet_s)
        return True

    def click(self, cell: Coordinate, action: Action = Action.OPEN, *, slow: bool = False) -> None:
        """Click a cell and leave the pointer beside the board.

        Raises WindowLost where the window has gone or moved, WindowError where another one covers the cell.
        """
        self._click(self.view.cell_on_screen(cell), action, slow=slow)

    def click_pixel(self, pixel: Point) -> None:
        """Click a pixel of the window's picture, one that `may_click` allows; raises as `click` does."""
        assert self.may_click(pixel), "only the inside of the window is clicked, away from its top corners"
        self._click(self.view.on_screen(pixel), Action.OPEN, slow=True)

    def may_click(self, pixel: Point) -> bool:
        """Whether a pixel of the picture lies where a new game may be looked for."""
        at, area = self.view.on_screen(pixel), self.view.rect
        width, height = min(TITLE_CORNERS[0], round(MAX_CORNER_SHARE * area.width)), TITLE_CORNERS[1]
        at_side = at.x < area.x + width or at.x >= area.right - width
        return area.contains(at) and not (at_side and at.y < area.y + height)

    def press_key(self, name: str) -> None:
        """Press a key in this window; no key is pressed if the window does not get the focus."""
        self._pointer.undisturbed()
        self.check_place()
        if self._windows.focus(self.window):
            self._pointer.mouse.key(name)

    @property
    def parking_pixel(self) -> Point:
        """A pixel beside the cells: in the widest margin except the top one, where the buttons are."""
        cells = self.view.grid.rect
        width, height = self.picture_size
        margins = {
            Point((width + cells.right) // 2, cells.center.y): width - cells.right,
            Point(cells.x // 2, cells.center.y): cells.x,
            Point(cells.center.x, (height + cells.bottom) // 2): height - cells.bottom,
        }
        widest = max(margins, key=lambda point: margins[point])
        above = Point(cells.x + cells.width // 3, max(0, cells.y - 2))
        return widest if margins[widest] >= 3 else above

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of the window's pictures in pixels."""
        rect, scale = self.view.rect, self.view.scale
        return round(rect.width * scale), round(rect.height * scale)

    def check_place(self) -> None:
        """Raise WindowLost where the window was closed, moved or resized."""
        if not self._windows.known:
            return
        rect, title = self._windows.place(self.window), self.window.title
        if rect is None:
            raise WindowLost(f"the window {title!r} was closed: open it and start once more")
        if rect != self.window.rect:
            raise WindowLost(f"the window {title!r} was moved or resized: leave it alone and start once more")

    def dialogs(self) -> list[Window]:
        """The windows that belong to the game's, or came while it was played; the topmost last."""
        own = self.window
        others = [one for one in self._windows.windows() if one.id != own.id and one.program == own.program]
        return [
            one
            for one in others
            if one.owner == own.id or (not one.owner and one.id not in self._there_before)
        ]

    def press_key_in(self, dialog: Window, name: str, *, click: bool = False) -> None:
        """Press a key in a dialog; with `click`, after a click into its corner, where nothing is. No key is
        pressed if the dialog gets the focus in neither way."""
        self._pointer.undisturbed()
        has_focus = self._windows.focus(dialog)
        if click:
            corner = Point(dialog.rect.x + 4, dialog.rect.y + 4)
            self._pointer.click(corner, Action.OPEN, slow=True)
        if has_focus or click:
            self._pointer.mouse.key(name)

    def _click(self, at: Point, action: Action, *, slow: bool) -> None:
        self.check_place()
        own = self.window
        over = next((one for one in reversed(self._windows.windows()) if one.rect.contains(at)), None)
        if over is not None and over.id != own.id and over.program != own.program:
            name = over.title or over.program
            raise WindowError(f"{name!r} has come over {own.title!r}: move it away and start once more")
        self._pointer.click(at, action, slow=slow)
        self.clicks += 1
        self._pointer.park(self.view.on_screen(self.parking_pixel))
