"""A game that pauses and hides its board when it loses the focus: it is given back, or its button pressed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from bot.board import Action
from bot.errors import WindowLost
from bot.screen.capture import Capture, desktop
from bot.screen.windows import Windows
from bot.targets.window.observer import TOLERANCE, WindowObserver
from bot.targets.window.pointer import Pointer
from bot.vision.themes.theme import Theme

TAKES_S = 0.7
"""How long the board may take to show again."""

COVERS = 0.3
"""The part of a paused game's window that has the colour of what lies over its board."""

POLL_S = 0.01


def resume(observer: WindowObserver, windows: Windows, pointer: Pointer, park: Callable[[], None]) -> str:
    """Let a paused game go on; says what was done. Raises WindowLost where it stays paused."""
    if observer.window is not None:
        windows.focus(observer.window)
    park()
    if _goes_on(observer, pointer):
        return f"{observer.title!r} was paused and has the focus again"
    button = observer.resume_on_screen()
    if button is not None and pointer.click(button, Action.OPEN):
        park()
        if _goes_on(observer, pointer):
            return f"{observer.title!r} was paused and goes on"
    raise WindowLost(f"{observer.title!r} stays paused: let it go on, then start once more with --resume")


def _goes_on(observer: WindowObserver, pointer: Pointer) -> bool:
    until = time.perf_counter() + TAKES_S
    while time.perf_counter() < until:
        if not observer.is_paused(observer.grab()):
            return True
        pointer.undisturbed()
        time.sleep(POLL_S)
    return False


def wake(capture: Capture, windows: Windows, themes: Sequence[Theme]) -> bool:
    """Give the focus to a window that may be a paused game; whether there was one.

    A game that hides its board while another window has the focus is hidden whenever minebot is started
    from a terminal.
    """
    pauses = [theme.behaviour.pause for theme in themes if theme.behaviour.pause is not None]
    if not pauses:
        return False
    area = desktop(capture.monitors())
    picture = capture.grab(area)
    for window in reversed(windows.windows()):
        rect = window.rect.moved(-area.x, -area.y)
        part = picture[max(0, rect.y) : rect.bottom : 3, max(0, rect.x) : rect.right : 3].astype(np.int16)
        for colour in (colour for pause in pauses for colour in pause.colours):
            if part.size and (np.abs(part - np.array(colour.bgr)).max(axis=2) <= TOLERANCE).mean() >= COVERS:
                windows.focus(window)
                time.sleep(TAKES_S)
                return True
    return False
