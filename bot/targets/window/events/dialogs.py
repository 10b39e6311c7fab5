"""The windows that a game opens over its own board: recognised by the theme, answered, closed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from bot.board import Action
from bot.errors import WindowError
from bot.geometry import Point, Rect
from bot.screen.mouse import Mouse
from bot.screen.windows import Window, Windows
from bot.targets.window.pointer import Pointer
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.schema import DialogSpec

LONGEST_NAME = 32
"""So many letters of a name that stands there are rubbed out."""

ANSWERS = 3
"""So often a dialog that stays is answered."""

CORNER = 4
"""So many pixels inside the top left of a dialog nothing is to be pressed."""

CLOSES_S = 1.0
"""How long a dialog may take to go."""


def above(listed: Sequence[Window], own: Window | None, area: Rect) -> list[Window]:
    """The windows that lie over an area, above our own one, from the bottom to the top."""
    ids = [window.id for window in listed]
    start = ids.index(own.id) + 1 if own is not None and own.id in ids else 0
    return [window for window in listed[start:] if window.rect.intersects(area)]


def dialog_of(window: Window, own: Window | None, behaviour: GameBehaviour) -> DialogSpec | None:
    """What is known of a window, if it is a dialog of the game that we play."""
    if own is None or window.id == own.id or window.program != own.program:
        return None
    if window.owner not in (0, own.id):  # another window of the same program opened it
        return None
    for spec in behaviour.dialogs:
        if spec.kind == "confirm" and (window.title != spec.title or window.owner != own.id):
            continue
        if window.title.startswith(spec.title):
            return spec
    return None


def answer_all(
    topmost: Callable[[], tuple[Window, DialogSpec] | None],
    windows: Windows,
    pointer: Pointer,
    say: Callable[[str], None],
    *,
    name: str,
    records: bool,
    start: bool = False,
) -> bool:
    """Answer the dialogs that the game has opened, one after the other; whether there was one.

    `topmost` finds one. Raises WindowError for one that stays: what is typed may go to another window.
    """
    answered = False
    while (dialog := topmost()) is not None:
        pointer.undisturbed()
        done = close(
            *dialog,
            windows,
            pointer.mouse,
            lambda point: pointer.click(point, Action.OPEN),
            name=name,
            records=records,
            start=start,
        )
        say(done)
        answered = True
    return answered


def close(
    dialog: Window,
    spec: DialogSpec,
    windows: Windows,
    mouse: Mouse,
    click: Callable[[Point], object],
    *,
    name: str,
    records: bool,
    start: bool = False,
) -> str:
    """Answer a dialog and see it go. Says what was done.

    One that stays is clicked where nothing is: with no window manager the keyboard is not always where it
    was asked to be. Raises WindowError for one that stays for good.
    """
    for attempt in range(ANSWERS):
        if attempt:
            click(Point(dialog.rect.x + CORNER, dialog.rect.y + CORNER))
        done = answer(dialog, spec, windows, mouse, name=name, records=records, start=start)
        until = time.perf_counter() + CLOSES_S
        while time.perf_counter() < until:
            if all(other.id != dialog.id for other in windows.windows()):
                return done
            time.sleep(0.02)
    raise WindowError(f"{dialog.title!r} does not close: close it and start once more")


def answer(
    dialog: Window,
    spec: DialogSpec,
    windows: Windows,
    mouse: Mouse,
    *,
    name: str,
    records: bool,
    start: bool = False,
) -> str:
    """Close a dialog, entering the name only where records are wanted, and throwing the present game away
    only where another one is to `start`. Says what was done."""
    windows.focus(dialog)
    if spec.kind == "confirm":
        for key in spec.accept.split() if start else (spec.dismiss,):
            mouse.key(key)
        return "threw the half-played game away" if start else "kept the game that is played"
    if spec.kind == "notice":
        for key in spec.accept.split():
            mouse.key(key)
        return f"closed {dialog.title!r}"
    if not records:
        mouse.key(spec.dismiss)
        return f"dismissed {dialog.title!r}, no name entered"
    mouse.key("end")
    for _ in range(LONGEST_NAME):
        mouse.key("backspace")
    mouse.write(name)
    for key in spec.accept.split():
        mouse.key(key)
    return f"entered {name!r} in {dialog.title!r}"
