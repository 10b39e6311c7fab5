"""A key of X11 that stops the bot whichever window has the keyboard."""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Callable, Iterator
from select import select
from typing import Any

from bot.screen.x11.gone import until_gone

POLL_S = 0.2
"""How long the thread that listens may take to end, in seconds."""


@contextlib.contextmanager
def listening(key: str, pressed: Callable[[], None]) -> Iterator[bool]:
    """Call `pressed`, in another thread, when a key is pressed anywhere on the display, while the body runs.

    Yields False where another program has that key, or the keyboard has none.
    """
    from Xlib import XK, X, display, error

    try:
        with contextlib.redirect_stdout(io.StringIO()):  # Xlib warns there about missing authority
            connection: Any = display.Display()
    except Exception:  # Xlib raises whatever it meets
        yield False
        return
    refused = error.CatchError(error.BadAccess)
    root, code = connection.screen().root, connection.keysym_to_keycode(XK.string_to_keysym(key))
    if code != 0:  # 0, where the keyboard's layout has no such key, stands for all keys
        # With any lock on: Num Lock is on on most keyboards.
        root.grab_key(code, X.AnyModifier, False, X.GrabModeAsync, X.GrabModeAsync, onerror=refused)
        connection.sync()
    if code == 0 or refused.get_error() is not None:
        with contextlib.suppress(Exception):
            connection.close()
        yield False
        return
    done = threading.Event()

    def listen() -> None:
        with until_gone():  # whoever plays on the display says that it has gone
            while not done.is_set():
                if not select([connection], [], [], POLL_S)[0] and not connection.pending_events():
                    continue
                while not done.is_set() and connection.pending_events():
                    if connection.next_event().type == X.KeyPress:
                        pressed()

    thread = threading.Thread(target=listen, name="stop key", daemon=True)
    thread.start()
    try:
        yield True
    finally:
        done.set()
        thread.join(2 * POLL_S)
        with contextlib.suppress(Exception):
            connection.close()
