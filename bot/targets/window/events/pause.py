"""Games that pause and hide their board when they lose the keyboard focus.

`resume` lets the game that is being played go on, `follow` looks for it where its window was moved to, and
`wake` gives the focus to a paused game before any board was found.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from bot.errors import WindowLost
from bot.screen.capture import Capture, desktop
from bot.screen.windows import Windows
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.observe.observer import TOLERANCE
from bot.vision.themes.theme import Theme

RESUME_S = 0.7
"""Maximum time for the board to show again, in seconds."""

COVERED_SHARE = 0.3
"""Minimum share of a paused game's window, 0 to 1, that has the colour of the cover over its board."""

SAMPLING_STEP = 3
"""Step between the pixels of a window that are compared with the colour of a cover: it saves time."""

POLL_S = 0.01
"""Time between two looks at the window, in seconds."""


def resume(controls: WindowControls) -> str:
    """Let a paused game go on: give it the focus, then click its button.

    Returns what was done, a line for people. Raises WindowLost if the game stays paused.
    """
    observer = controls.observer
    if observer.window is not None:
        controls.windows.focus(observer.window)
    controls.park()
    if _goes_on(controls):
        return f"{observer.title!r} was paused and has the focus again"
    button = observer.resume_on_screen()
    if button is not None and controls.click(button):
        controls.park()
        if _goes_on(controls):
            return f"{observer.title!r} was paused and goes on"
    raise WindowLost(f"{observer.title!r} stays paused: let it go on, then start once more with --resume")


def follow(controls: WindowControls) -> bool:
    """Look at a paused game whose window has only moved at its new place; whether it is one.

    Its board is not to be seen anywhere before it goes on. Raises WindowLost if the window is gone.
    """
    observer = controls.observer
    before = observer.view, observer.window
    if observer.behaviour.pause is not None and observer.move_along():
        if observer.is_paused(observer.grab()):
            return True
        observer.view, observer.window = before
    return False


def _goes_on(controls: WindowControls) -> bool:
    """Whether the board shows again within `RESUME_S`."""
    observer = controls.observer
    return any(not observer.is_paused(observer.grab()) for _ in controls.pointer.looks(RESUME_S, POLL_S))


def wake(capture: Capture, windows: Windows, themes: Sequence[Theme]) -> bool:
    """Give the focus to the topmost window that may be a paused game of these themes; whether there was one.

    A game that hides its board without the focus is hidden whenever minebot is started from a terminal.
    """
    pauses = [theme.behaviour.pause for theme in themes if theme.behaviour.pause is not None]
    colours = [np.array(colour.bgr) for pause in pauses for colour in pause.colours]
    if not colours:
        return False
    area = desktop(capture.monitors())
    picture = capture.grab(area)
    for window in reversed(windows.windows()):
        rect = window.rect.moved(-area.x, -area.y)
        rows = slice(max(0, rect.y), rect.bottom, SAMPLING_STEP)
        columns = slice(max(0, rect.x), rect.right, SAMPLING_STEP)
        inside = picture[rows, columns].astype(np.int16)
        if not inside.size:
            continue
        for colour in colours:
            if (np.abs(inside - colour).max(axis=2) <= TOLERANCE).mean() >= COVERED_SHARE:
                windows.focus(window)
                time.sleep(RESUME_S)
                return True
    return False
