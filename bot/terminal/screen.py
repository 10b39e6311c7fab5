"""The whole terminal as a picture of text: what a game paints, and the keys, clicks and sizes it is told.

prompt_toolkit does the terminal's part. It has mouse and resize events on Windows, macOS and Linux, is well
kept, needs one small package, and loads in 0.10 s of CPU; textual, the other candidate, takes 0.15 to 0.23 s
for widgets that a board has no use for, and blessed has no events of its own (measured with
`python -c "import …"`, October 2026, Python 3.11).
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Protocol

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from bot.errors import BotError
from bot.process.interrupts import ENDING, note_stop
from bot.process.terminal import somebody_answers
from bot.terminal.paint import STYLES, Line

KEYS = {
    Keys.Up: "up",
    Keys.Down: "down",
    Keys.Left: "left",
    Keys.Right: "right",
    Keys.Enter: "enter",
    " ": "space",
}
"""The names of keys; another one is named by its letter."""

BUTTONS = {MouseButton.LEFT: "left", MouseButton.RIGHT: "right", MouseButton.MIDDLE: "middle"}

FRAME_S = 0.02
"""The shortest time between two pictures, in seconds: a terminal shows no more."""


class Act(Protocol):
    """A game as the terminal sees it. Places are columns and lines of text from 0, top left first."""

    def paint(self, columns: int, lines: int) -> list[Line]:
        """The picture, for a terminal of this size; it may be smaller, and is cut where it is larger."""
        ...

    def key(self, name: str) -> bool:
        """A key was pressed; False ends the game."""
        ...

    def click(self, column: int, line: int, button: str) -> bool:
        """The mouse was pressed: `left`, `right` or `middle`; False ends the game."""
        ...

    def tick(self) -> float | None:
        """Do what goes on by itself. Returns the seconds until the next time; None where nothing does."""
        ...


def show(act: Act, *, plain: bool = False) -> None:
    """Show a game on the whole terminal until it ends, and leave the terminal as it was.

    `plain` is a look without colours. Raises BotError where there is no terminal, KeyboardInterrupt for
    Ctrl-C and what the game raises; the terminal is left in order all the same.
    """
    if not (somebody_answers() and sys.stdout is not None and sys.stdout.isatty()):
        raise BotError("this is played in a terminal, and here is none: start it in one")
    _Stage(act, plain).run()


class _Stage:
    """One game on one terminal."""

    def __init__(self, act: Act, plain: bool) -> None:
        self._act = act
        self._awake = asyncio.Event()
        self._over = False
        self._app: Application[None] = Application(
            layout=Layout(Window(_Picture(self))),
            key_bindings=self._bindings(),
            style=Style([] if plain else STYLES),
            color_depth=ColorDepth.DEPTH_1_BIT if plain else None,
            full_screen=True,
            mouse_support=True,
            min_redraw_interval=FRAME_S,
        )
        # An arrow key begins as the escape key does: the shorter the wait, the sooner it is told apart.
        self._app.ttimeoutlen = 0.05

    def run(self) -> None:
        """Until the game ends."""
        with _terminated(lambda: self._end(KeyboardInterrupt())):
            self._app.run(pre_run=self._begin)

    def _begin(self) -> None:
        self._app.create_background_task(self._time())

    def _end(self, error: BaseException | None = None) -> None:
        self._over = True
        if self._app.is_running and not (self._app.future is not None and self._app.future.done()):
            if error is None:
                self._app.exit()
            else:
                self._app.exit(exception=error)

    def guarded(self, deed: Callable[[], bool]) -> None:
        """Do something of the game's; an error of it ends the game and comes out of `show`."""
        try:
            goes_on = deed()
        except BaseException as error:
            self._end(error)
            return
        if not goes_on:
            self._end()
        self._awake.set()
        self._app.invalidate()

    async def _time(self) -> None:
        # The application waits for this to end. It cancels it, but Python 3.11's wait_for loses that where
        # what it waits for happens at the same moment.
        while not self._over:
            pause: float | None = None

            def tick() -> bool:
                nonlocal pause
                pause = self._act.tick()
                return True

            self.guarded(tick)
            self._awake.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._awake.wait(), pause)

    def picture(self, columns: int, lines: int) -> list[Line]:
        """The picture, cut and filled to the size of the terminal."""
        try:
            painted = self._act.paint(columns, lines)
        except BaseException as error:
            self._end(error)
            painted = []
        fitted = [_fit(line, columns) for line in painted[:lines]]
        return fitted + [[("", " " * columns)]] * (lines - len(fitted))

    def clicked(self, event: MouseEvent) -> None:
        """A mouse event of any kind: only presses count."""
        button = BUTTONS.get(event.button)
        if event.event_type is MouseEventType.MOUSE_DOWN and button is not None:
            self.guarded(lambda: self._act.click(event.position.x, event.position.y, button))

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        @bindings.add("c-c")
        @bindings.add("<sigint>")
        def _stop(_event: KeyPressEvent) -> None:
            self._end(KeyboardInterrupt())

        @bindings.add(Keys.Any)
        @bindings.add(Keys.Up)
        @bindings.add(Keys.Down)
        @bindings.add(Keys.Left)
        @bindings.add(Keys.Right)
        @bindings.add(Keys.Enter)
        def _key(event: KeyPressEvent) -> None:
            key = event.key_sequence[0].key
            name = KEYS.get(key) or (key.value if isinstance(key, Keys) else key)
            self.guarded(lambda: self._act.key(name))

        return bindings


class _Picture(UIControl):
    """The picture, as large as the terminal."""

    def __init__(self, stage: _Stage) -> None:
        self._stage = stage

    def create_content(self, width: int, height: int) -> UIContent:
        """Paint it."""
        lines = self._stage.picture(width, height)

        def line(number: int) -> StyleAndTextTuples:
            return [(style and f"class:{style}", text) for style, text in lines[number]]

        return UIContent(line, len(lines), Point(0, 0), show_cursor=False)

    def is_focusable(self) -> bool:
        """It has the keyboard."""
        return True

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """Hand a click on."""
        self._stage.clicked(mouse_event)


def _fit(line: Line, columns: int) -> Line:
    """A line cut or filled to a width."""
    fitted: Line = []
    left = columns
    for style, text in line:
        fitted.append((style, text[:left]))
        left -= len(text[:left])
    fitted.append(("", " " * left))
    return fitted


@contextlib.contextmanager
def _terminated(end: Callable[[], None]) -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the game as Ctrl-C does, so that the terminal is left in order."""

    def handle(number: int, _frame: object) -> None:
        note_stop(number)
        end()

    before = {number: signal.getsignal(number) for number in ENDING}
    before = {number: handler for number, handler in before.items() if handler is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
