"""The practice window on a real screen: Tk shows the parts of a session's view that changed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.errors import ScreenError
from bot.practice.draw import frame
from bot.practice.session import LEFT, MIDDLE, RIGHT, PracticeSession
from bot.practice.sketch import Image
from bot.practice.view import PartPicture, WindowState
from bot.process.dpi import claim_dpi_awareness

if TYPE_CHECKING:
    import tkinter

TITLE = "minebot practice"
TICK_MS = 50
"""Time between two updates of the timer, in milliseconds."""


class PracticeWindow:
    """A window of fixed size around a session.

    Events only change the session, and drawing waits until no event is left. So no click is lost, however
    fast they come, and the newest state is drawn.
    """

    def __init__(self, session: PracticeSession, position: tuple[int, int] | None = None) -> None:
        """Open the window, with its top left corner at `position` (x, y in screen pixels) if one is given.

        Raises ScreenError if tkinter is missing or there is no display.
        """
        self._session = session
        try:
            import tkinter
        except ImportError:
            raise ScreenError(
                "this Python has no tkinter, which draws the window: install it"
                " (Debian and Ubuntu: apt-get install python3-tk), or let `minebot doctor` say more"
            ) from None
        claim_dpi_awareness()
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
        self._images: dict[PartPicture, tkinter.PhotoImage] = {}
        self._items: dict[tuple[int, int], int] = {}
        self._shown: WindowState | None = None
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
        """Handle events until the window is closed. Raises the exception of an event handler, if there was
        one."""
        self._root.after(TICK_MS, self._tick)
        try:
            self._root.mainloop()
        except BaseException:
            self.close()
            raise
        if self._failure is not None:
            raise self._failure

    def update(self) -> None:
        """Handle the waiting events and draw: for tests, which do not call `run`."""
        self._root.update()

    def close(self) -> None:
        """Close the window, if it is open."""
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
        """Draw the background of the session's layout; the parts follow with the next redraw."""
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
        self._root.after(TICK_MS, self._tick)

    def _redraw_soon(self) -> None:
        if not self._waiting:
            self._waiting = True
            self._root.after_idle(self.redraw)

    def redraw(self) -> None:
        """Show the parts that changed since the last time, each with one call to Tk."""
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
        """Keep the exception of an event handler, Ctrl-C included, for `run`: Tk would print it and go on."""
        self._failure = failure
        self.close()
