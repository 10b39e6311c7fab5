"""The windows that a game opens over its own board: recognised by its behaviour, answered, closed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

import cv2
import numpy as np

from bot.board import Cell
from bot.errors import WindowError
from bot.geometry import Point, Rect
from bot.screen.capture import desktop
from bot.screen.windows import Window
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.events.buttons import read_boxes, seen_buttons
from bot.targets.window.events.hidden_win import HIDDEN
from bot.vision.grid import Image
from bot.vision.themes.schema import DialogKind, DialogSpec
from bot.vision.words import Meaning

LONGEST_NAME = 32
"""How many letters of a name that already stands in a dialog are rubbed out."""

ANSWERS = 3
"""How often a dialog that stays is answered."""

CORNER = 4
"""Pixels inside the top left corner of a dialog: a place where nothing can be pressed."""

CLOSES_S = 1.0
"""How long a dialog may take to go, in seconds."""

UNCOVERED_S = 4.0
"""How long the board may take to be seen again below a dialog that was answered, in seconds: desktops let
windows fade."""

POLL_S = 0.02

NOT_ANSWERED = "score|record|best|fastest|name|reset|undo"
"""In the title of a window that keeps records, or offers the same minefield once more: it is dismissed."""

MOST_DIALOGS = 4
"""How many windows of a game without a theme are answered one after the other."""

PALE, ENTRY_HEIGHT, ENTRY_RATIO, ENTRY_FILLED = 245, (14, 44), 4.0, 0.8
"""A box to write in is at least this pale (0 to 255), of such a height in pixels, so many times as wide as
high, and filled to this part."""


def answer_all(controls: WindowControls, *, start: bool = False) -> bool:
    """Answer the dialogs that the game has opened, one after the other; whether there was one.

    A dialog that asks whether to throw the present game away, or that reports its end, is answered so only
    where another game is to `start`. Raises WindowError for a dialog that stays: what is typed may go to
    another window.
    """
    answered = answer_unknown(controls) if controls.observer.is_unknown else False
    while (dialog := controls.observer.dialog(reporting_end=start)) is not None:
        controls.pointer.undisturbed()
        controls.say(close(controls, *dialog, start=start))
        answered = True
    return answered


def answer_unknown(controls: WindowControls) -> bool:
    """Answer the windows that a game without a theme has opened, by the answer that they offer; one that asks
    for a text, as a name after a record time, and one with a button that quits, is dismissed. Whether there
    was one."""
    answered = False
    for _ in range(MOST_DIALOGS):
        opened = controls.observer.opened_windows()
        if not opened:
            break
        dialog = opened[-1]
        picture = controls.observer.capture.grab(_on_screen(controls, dialog.rect))
        asks = re.search(NOT_ANSWERED, dialog.title.lower()) is not None or has_entry(picture)
        asks = asks or any(meaning is Meaning.QUIT for _, meaning in read_boxes(picture))
        wanted = (Meaning.CLOSE,) if asks else (Meaning.NEW, Meaning.CONFIRM)
        if not _press(controls, picture, dialog, wanted):
            dismiss(controls, [dialog], keys=("escape", "escape") if asks else ("enter", "escape"))
        controls.say(f"{'dismissed' if asks else 'answered'} {dialog.title or 'a window of the game'!r}")
        answered = True
    return answered


def answer_unlisted(controls: WindowControls, kind: DialogKind, *, start: bool = False) -> bool:
    """Answer the dialog of this kind that must lie over the board, on a desktop that lists no windows.
    Whether the board was seen again.

    It is answered once: without its dialog the game itself would get the keys.
    """
    spec = next((spec for spec in controls.observer.behaviour.dialogs if spec.kind == kind), None)
    if controls.windows.known or spec is None:
        return False
    controls.pointer.undisturbed()
    dialog = Window(0, spec.title or "a question of the game", controls.observer.view.grid_on_screen())
    done = _answer(controls, dialog, spec, start=start)
    for _ in controls.pointer.looks(UNCOVERED_S, POLL_S):
        board = controls.seen()[1].board
        if board.count(Cell.UNREAD) < HIDDEN * board.codes.size:
            controls.say(done)
            return True
    return False


def answer_in_page(controls: WindowControls, in_play: Image) -> None:
    """Answer what lies over the whole page at the end of a game, as a browser's own message or a card, if
    something does; `in_play` shows the middle of the game. Nothing is done where one of its buttons quits."""
    observer = controls.observer
    for key in ("enter", "escape"):
        if not observer.is_dimmed:
            return
        picture = observer.grab()
        said = [one for one in seen_buttons(picture, in_play, observer.view.grid) if one.changed]
        if any(one.meaning in (Meaning.NEW, Meaning.CONFIRM, Meaning.QUIT) for one in said):
            return  # it is clicked, and no key may press another one
        controls.strike([key], observer.window)
        for _ in controls.pointer.looks(CLOSES_S, POLL_S):
            controls.seen()
            if not observer.is_dimmed:
                controls.say("answered what lay over the page")
                return


def _press(controls: WindowControls, picture: Image, dialog: Window, wanted: Sequence[Meaning]) -> bool:
    """Click the button in a picture of a dialog that says one of `wanted`, the first of these first; whether
    there is one and the dialog went."""
    found, scale = read_boxes(picture), controls.observer.view.scale
    for meaning, (box, said) in product(wanted, found):
        if said is meaning:
            x, y = (int(place / scale) for place in (box.center.x, box.center.y))
            controls.click(Point(dialog.rect.x + x, dialog.rect.y + y), slow=True)
            controls.park()
            return _goes(controls, dialog)
    return False


def dismiss(
    controls: WindowControls, opened: Sequence[Window], keys: Sequence[str] = ("escape", "escape", "enter")
) -> None:
    """Close windows by these keys, one after the other. Raises WindowError for one that stays."""
    for window in reversed(opened):
        for key in keys:
            controls.pointer.undisturbed()
            controls.strike([key], window)
            if _goes(controls, window):
                break
        else:
            raise WindowError(f"{window.title!r} does not close: close it and start once more")


def _goes(controls: WindowControls, window: Window) -> bool:
    return any(
        all(other.id != window.id for other in controls.windows.windows())
        for _ in controls.pointer.looks(CLOSES_S, POLL_S)
    )


def _on_screen(controls: WindowControls, rect: Rect) -> Rect:
    return rect.clipped(desktop(controls.observer.capture.monitors()))


def has_entry(picture: Image) -> bool:
    """Whether a picture (height, width, 3) of a dialog shows a box to write in: a wide, pale, empty one."""
    pale = np.asarray((picture.min(axis=2) >= PALE), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(pale, connectivity=4)
    low, high = ENTRY_HEIGHT
    return any(
        low <= h <= high and w >= ENTRY_RATIO * h and area >= ENTRY_FILLED * w * h
        for _, _, w, h, area in stats[1:].tolist()
    )


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
