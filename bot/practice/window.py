"""The practice window on a real screen: Tk shows the parts that a session says have changed."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.errors import ScreenError
from bot.practice.draw import frame
from bot.practice.session import LEFT, MIDDLE, RIGHT, PracticeSession
from bot.practice.sketch import Image
from bot.practice.view import Picture, View

if TYPE_CHECKING:
    import tkinter

TITLE = "minebot practice"
TICK = 50
"""How often the timer is looked at, in milliseconds."""


class PracticeWindow:
    """A window of fixed size around a session. Events only change the session; drawing waits for idle.

    So no click is lost however fast they come, and what is drawn is always the newest state.
    """

    def __init__(self, session: PracticeSession, position: tuple[int, int] | None = None) -> None:
        """Open the window, its top left corner at `position` (x, y in screen pixels) where one is given.

        Raises ScreenError where tkinter is missing or no display can be had.
        """
        self._session = session
        try:
            import tkinter
        except ImportError:
            raise ScreenError(
                "this Python has no tkinter, which draws the window: install it"
                " (Debian and Ubuntu: apt-get install python3-tk), or let `minebot doctor` say more"
            ) from None
        _scale_ourselves()
        try:
            self._root = tkinter.Tk(className="Minebot")
        except tkinter.TclError as error:
            raise ScreenError(
                f"no window can be opened ({error}): start it in a desktop, or let `minebot doctor` say more"
            ) from None
        self._failure: BaseException | None = None
        self._root.report_callback_exception = self._fail
        self._root.title(TITLE)
        self._root.resizable(False, False)
        self._canvas = tkinter.Canvas(self._root, borderwidth=0, highlightthickness=0)
        self._canvas.pack()
        self._images: dict[Picture, tkinter.PhotoImage] = {}
        self._items: dict[tuple[int, int], int] = {}
        self._shown: View | None = None
        self._layout = session.layout
        self._background: tkinter.PhotoImage | None = None
        self._waiting = False
        self._build()
        if position is not None:
            x, y = position
            # Tk takes "+-5" for 5 pixels off the left of the screen; "-5" would count from the right.
            self._root.geometry(f"+{x}+{y}")
        self._bind()
        self.redraw()
        self._root.update()
        self._root.focus_force()

    def run(self) -> None:
        """Handle events until the window is closed; raises what went wrong in an event, if anything did."""
        self._root.after(TICK, self._tick)
        try:
            self._root.mainloop()
        except BaseException:
            self.close()
            raise
        if self._failure is not None:
            raise self._failure

    def update(self) -> None:
        """Handle the events that are waiting and draw: for tests that run without `run`."""
        self._root.update()

    def close(self) -> None:
        """Close the window; one that is closed already stays so."""
        import tkinter

        with contextlib.suppress(tkinter.TclError):
            self._root.destroy()

    @property
    def place(self) -> tuple[int, int, int, int]:
        """The client area on the screen: x, y, width, height in pixels."""
        return (
            self._canvas.winfo_rootx(),
            self._canvas.winfo_rooty(),
            self._layout.width,
            self._layout.height,
        )

    @property
    def fits_the_screen(self) -> bool:
        """Whether the window is no larger than the screen."""
        screen = self._root.winfo_screenwidth(), self._root.winfo_screenheight()
        return self._layout.width <= screen[0] and self._layout.height <= screen[1]

    def _build(self) -> None:
        """Draw the background of the session's layout afresh; the parts follow with the next redraw."""
        self._layout = self._session.layout
        self._canvas.delete("all")
        self._canvas.configure(width=self._layout.width, height=self._layout.height)
        self._images.clear()
        self._items.clear()
        self._background = self._photo(frame(self._layout))
        self._canvas.create_image(0, 0, image=self._background, anchor="nw")
        self._shown = None

    def _bind(self) -> None:
        buttons = {1: LEFT, 2: MIDDLE, 3: RIGHT}
        if self._root.tk.call("tk", "windowingsystem") == "aqua":
            # macOS numbers the right button 2.
            buttons = {1: LEFT, 2: RIGHT, 3: MIDDLE}
        for number, button in buttons.items():
            self._canvas.bind(f"<ButtonPress-{number}>", self._pointer(self._session.press, button))
            self._canvas.bind(f"<ButtonRelease-{number}>", self._pointer(self._session.release, button))
            self._canvas.bind(f"<B{number}-Motion>", self._moved)
        self._root.bind("<Key>", self._key)
        self._root.protocol("WM_DELETE_WINDOW", self._root.destroy)

    def _pointer(
        self, act: Callable[[int, int, int], None], button: int
    ) -> Callable[[tkinter.Event[tkinter.Canvas]], None]:
        def handle(event: tkinter.Event[tkinter.Canvas]) -> None:
            act(event.x, event.y, button)
            self._redraw_soon()

        return handle

    def _moved(self, event: tkinter.Event[tkinter.Canvas]) -> None:
        self._session.move(event.x, event.y)
        self._redraw_soon()

    def _key(self, event: tkinter.Event[tkinter.Misc]) -> None:
        if event.keysym in ("q", "Q"):
            self._root.destroy()
            return
        self._session.key(event.keysym)
        self._redraw_soon()

    def _tick(self) -> None:
        self._redraw_soon()
        self._root.after(TICK, self._tick)

    def _redraw_soon(self) -> None:
        if not self._waiting:
            self._waiting = True
            self._root.after_idle(self.redraw)

    def redraw(self) -> None:
        """Show what has changed since the last time: one call to Tk for each part."""
        self._waiting = False
        if self._session.layout is not self._layout:
            self._build()
        view = self._session.view()
        for part in view.changed(self._shown, self._layout):
            image = self._images.get(part.picture)
            if image is None:
                image = self._images[part.picture] = self._photo(part.picture.image())
            where = (part.place.x, part.place.y)
            item = self._items.get(where)
            if item is None:
                self._items[where] = self._canvas.create_image(*where, image=image, anchor="nw")
            else:
                self._canvas.itemconfigure(item, image=image)
        self._shown = view

    def _photo(self, image: Image) -> tkinter.PhotoImage:
        import tkinter

        height, width = image.shape[:2]
        data = b"P6 %d %d 255\n" % (width, height) + image[:, :, ::-1].tobytes()
        return tkinter.PhotoImage(master=self._root, data=data, format="PPM")

    def _fail(self, kind: type[BaseException], failure: BaseException, trace: object) -> None:
        """Keep what an event handler raised (Ctrl-C too) for `run`: Tk would print it and go on."""
        self._failure = failure
        self.close()


def _scale_ourselves() -> None:
    """On Windows, say that we know about scaled screens, so that our pixels are the screen's pixels."""
    if sys.platform == "win32":
        import ctypes

        try:
            ctypes.windll.shcore.SetProcessDpiAwareness(2)
        except (AttributeError, OSError):
            # Before Windows 8.1, or settled already.
            return
