"""Where a window lies, without a question to the X server for each look.

The server tells whoever wants to know of each change of a window (StructureNotify) as it makes it. So the
place is asked for once, and again after it has told of something: what was told is read in a tenth of the
time that an answer takes.
"""

from __future__ import annotations

import contextlib
from typing import Any

from bot.geometry import Rect


class PlaceWatch:
    """The place of one window of an X11 display, read through a `Display` of python-xlib.

    The frames that a window manager puts around the window are watched too: a window lies elsewhere when its
    frame is moved, and is not shown when that is hidden.
    """

    def __init__(self, connection: Any, window: int) -> None:
        """`window` is its number; it need not exist any more."""
        from Xlib import X, error

        self.window = window
        self._connection = connection
        self._x = X
        self._error = error.XError
        self._ignored = error.CatchError()
        self._watched: list[int] = []
        """The window and its frames, of which the server tells us."""
        self._is_known = False
        self._rect: Rect | None = None

    def place(self) -> Rect | None:
        """Where the inside of the window lies; None if it is not shown."""
        if self._was_told() or not self._is_known:
            self._watch()
            self._rect = self._asked()
            # A number whose window is gone may be that of another one soon.
            self._is_known = self._rect is not None
        return self._rect

    def end(self) -> None:
        """Be told no more."""
        for number in self._watched:
            self._select(number, 0)
        self._watched.clear()

    def _was_told(self) -> bool:
        """Whether the server has told of any change since this was asked last."""
        told = 0
        while self._connection.pending_events():
            self._connection.next_event()
            told += 1
        return told > 0

    def _watch(self) -> None:
        """Be told of the window and of all that it lies in but the root."""
        number, root = self.window, self._connection.screen().root.id
        with contextlib.suppress(self._error):  # it is gone
            while number not in (0, root):
                if number not in self._watched:
                    self._select(number, self._x.StructureNotifyMask)
                    self._watched.append(number)
                parent = self._connection.create_resource_object("window", number).query_tree().parent
                number = 0 if not parent else parent.id

    def _select(self, number: int, mask: int) -> None:
        window = self._connection.create_resource_object("window", number)
        window.change_attributes(event_mask=mask, onerror=self._ignored)

    def _asked(self) -> Rect | None:
        """Where the server says that it lies; three requests at once, for python-xlib's own methods wait for
        each answer before they send the next one."""
        from Xlib.protocol import request

        display, root = self._connection.display, self._connection.screen().root
        shown = request.GetWindowAttributes(display=display, defer=1, window=self.window)
        size = request.GetGeometry(display=display, defer=1, drawable=self.window)
        corner = request.TranslateCoords(
            display=display, defer=1, src_wid=self.window, dst_wid=root, src_x=0, src_y=0
        )
        try:
            for asked in (shown, size, corner):
                asked.reply()
        except self._error:  # it is gone
            return None
        if shown.map_state != self._x.IsViewable:
            return None
        return Rect(corner.x, corner.y, size.width, size.height)
