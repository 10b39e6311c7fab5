"""The windows that a game opens over its own board: recognised by its behaviour, answered, closed."""

from __future__ import annotations

from bot.errors import WindowError
from bot.geometry import Point
from bot.screen.windows import Window
from bot.targets.window.act.controls import WindowControls
from bot.vision.themes.schema import DialogSpec

LONGEST_NAME = 32
"""How many letters of a name that already stands in a dialog are rubbed out."""

ANSWERS = 3
"""How often a dialog that stays is answered."""

CORNER = 4
"""Pixels inside the top left corner of a dialog: a place where nothing can be pressed."""

CLOSES_S = 1.0
"""How long a dialog may take to go, in seconds."""

POLL_S = 0.02


def answer_all(controls: WindowControls, *, start: bool = False) -> bool:
    """Answer the dialogs that the game has opened, one after the other; whether there was one.

    A dialog that asks whether to throw the present game away, or that reports its end, is answered so only
    where another game is to `start`. Raises WindowError for a dialog that stays: what is typed may go to
    another window.
    """
    answered = False
    while (dialog := controls.observer.dialog(reporting_end=start)) is not None:
        controls.pointer.undisturbed()
        controls.say(close(controls, *dialog, start=start))
        answered = True
    return answered


def close(controls: WindowControls, dialog: Window, spec: DialogSpec, *, start: bool) -> str:
    """Answer a dialog and see it go. Says what was done.

    A dialog that stays is clicked where nothing is: with no window manager the keyboard is not always where
    it was asked to be, and Windows may refuse to move it. Raises WindowError for one that stays for good.
    """
    for attempt in range(ANSWERS):
        if attempt:
            controls.click(Point(dialog.rect.x + CORNER, dialog.rect.y + CORNER))
        done = _answer(controls, dialog, spec, start=start)
        for _ in controls.pointer.looks(CLOSES_S, POLL_S):
            if all(other.id != dialog.id for other in controls.windows.windows()):
                return done
    raise WindowError(f"{dialog.title!r} does not close: close it and start once more")


def _answer(controls: WindowControls, dialog: Window, spec: DialogSpec, *, start: bool) -> str:
    """Strike the keys that answer a dialog, and say what they do: the player's name is entered only where
    records are wanted, and the present game thrown away only where another one is to `start`."""
    settings, accept = controls.settings, spec.accept.split()
    if spec.kind == "confirm":
        controls.strike(accept if start else [spec.dismiss], dialog)
        return "threw the half-played game away" if start else "kept the game that is played"
    if spec.kind == "notice":
        controls.strike(accept, dialog)
        return f"closed {dialog.title!r}"
    if not settings.records:
        controls.strike([spec.dismiss], dialog)
        return f"dismissed {dialog.title!r}, no name entered"
    if controls.strike(["end", *["backspace"] * LONGEST_NAME], dialog):
        controls.pointer.mouse.write(settings.name)
        controls.strike(accept)
    return f"entered {settings.name!r} in {dialog.title!r}"
