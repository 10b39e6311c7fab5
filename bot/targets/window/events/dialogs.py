"""The windows that a game opens over its own board: recognised by its behaviour, answered, closed."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import cv2
import numpy as np

from bot.board import Cell
from bot.errors import WindowError
from bot.geometry import Point
from bot.screen.capture import desktop
from bot.screen.windows import Window
from bot.targets.window.act.controls import WindowControls
from bot.targets.window.events.buttons import read_boxes, seen_buttons
from bot.targets.window.events.hidden_win import HIDDEN
from bot.vision.grid import Image, same_pixels
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

STAYS_S = 8.0
"""How long it is waited for once all answers were given, in seconds: at a load of seven for each core one of
thirty dialogs took more than three seconds to take one."""

DRAWN_S, REST_S = 1.5, 0.1
"""How long a window that was just opened may take to be drawn, and how long its picture must rest, in
seconds."""

UNCOVERED_S = 4.0
"""How long the board may take to be seen again below a dialog that was answered, in seconds: desktops let
windows fade."""

STILL_DRAWN = 0.5
"""The part of what is drawn in a closed window, 0 to 1, that is seen where its picture is still there."""

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
    answered = answer_unknown(controls, start=start) if controls.observer.is_unknown else False
    while (dialog := controls.observer.dialog(reporting_end=start)) is not None:
        controls.pointer.undisturbed()
        controls.say(close(controls, *dialog, start=start))
        answered = True
    return answered


def answer_unknown(controls: WindowControls, *, start: bool = False) -> bool:
    """Answer the windows that a game without a theme has opened, by the answer that they offer; one that asks
    for a text, as a name after a record time, is dismissed, and so is one with a button that quits, but for a
    button beside it that starts a game where one is to `start`. Whether there was one. Where another game is
    to `start`, a window that shows it is followed. Raises WindowLost where the game's own window is gone."""
    answered = False
    for _ in range(MOST_DIALOGS):
        opened = controls.observer.opened_windows()
        if not opened:
            break
        controls.observer.has_moved()  # raises WindowLost: what lies where the game's window was is no dialog
        dialog, picture = drawn_window(controls, opened[-1])
        if start and controls.follow_into(dialog):
            return True
        asks = re.search(NOT_ANSWERED, dialog.title.lower()) is not None or has_entry(picture)
        may_quit = any(meaning is Meaning.QUIT for _, meaning in read_boxes(picture))
        wanted: tuple[Meaning, ...] = (Meaning.NEW, Meaning.CONFIRM)
        if asks or may_quit:
            wanted = (Meaning.NEW, Meaning.CLOSE) if start and not asks else (Meaning.CLOSE,)
        if not _press(controls, picture, dialog, wanted):
            keys = ("escape", "escape") if asks or may_quit else ("enter", "space", "escape")
            dismiss(controls, [dialog], keys=keys)
        controls.say(f"{'dismissed' if asks else 'answered'} {dialog.title or 'a window of the game'!r}")
        answered = True
    if answered:
        # What lies over the board below it may stay for as long as the program takes the pointer to be on it.
        controls.park()
        controls.pointer.stir()
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
            clicked = controls.click_in(dialog, Point(x, y), slow=True)
            controls.park()
            return clicked and _goes(controls, dialog, picture, CLOSES_S)
    return False


def dismiss(
    controls: WindowControls, opened: Sequence[Window], keys: Sequence[str] = ("escape", "escape", "enter")
) -> None:
    """Close windows by these keys, one after the other. Raises WindowError for one that stays."""
    for window in reversed(opened):
        picture = _picture(controls, window)
        for key in keys:
            controls.pointer.undisturbed()
            if not _is_listed(controls, window):
                break  # the key would go to the game
            controls.strike([key], window)
            if _goes(controls, window, picture, CLOSES_S):
                break
        else:
            # Nothing more is pressed: what a busy window takes late may fall on the game.
            if _goes(controls, window, picture, STAYS_S):
                continue
            raise WindowError(f"{window.title!r} does not close: close it and start once more")


def drawn_window(controls: WindowControls, window: Window) -> tuple[Window, Image]:
    """A window that was just opened and a picture of it, once it is drawn and rests: a window manager may put
    it elsewhere at first."""
    last, since = _picture(controls, window), time.perf_counter()
    for now in controls.pointer.looks(DRAWN_S, POLL_S):
        place = controls.windows.place(window)
        if place is not None and place != window.rect:
            window, since = replace(window, rect=place), now
        picture = _picture(controls, window)
        if not same_pixels(picture, last):
            last, since = picture, now
        elif now - since >= REST_S and picture.size and (picture != picture[0, 0]).any():
            break
    return window, last


def _is_listed(controls: WindowControls, window: Window) -> bool:
    return any(other.id == window.id for other in controls.windows.windows())


def _goes(controls: WindowControls, window: Window, picture: Image, limit_s: float) -> bool:
    """Whether a window, of which this is a `picture`, is closed within a time, in seconds.

    A window manager that has little time leaves its frame and its picture on the screen after that: they are
    waited for, since what is read there belongs to no window, and what lies below takes no clicks.
    """
    is_closed = False
    for _ in controls.pointer.looks(limit_s, POLL_S):
        is_closed = is_closed or not _is_listed(controls, window)
        if is_closed and not is_still_drawn(_picture(controls, window), picture):
            break
    return is_closed


def is_still_drawn(now: Image, picture: Image) -> bool:
    """Whether most of what is written or drawn in the `picture` (height, width, 3) of a window is seen in
    what the screen shows there `now`; its ground may be that of what lies below."""
    if not picture.size or now.shape != picture.shape:
        return False
    colours = picture.astype(np.int32) @ np.array([1, 256, 65536], np.int32)
    kinds, counts = np.unique(colours, return_counts=True)
    drawn = colours != kinds[counts.argmax()]
    same = (now == picture).all(axis=2)
    return bool(drawn.any()) and float(same[drawn].mean()) > STILL_DRAWN


def _picture(controls: WindowControls, window: Window) -> Image:
    """What the screen shows where a window lies, as far as it lies on the screen."""
    rect = window.rect.clipped(desktop(controls.observer.capture.monitors()))
    if rect.width <= 0 or rect.height <= 0:
        return np.zeros((0, 0, 3), np.uint8)
    return controls.observer.capture.grab(rect)


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
    done = f"{dialog.title!r} was closed by somebody else"
    for attempt in range(ANSWERS):
        if attempt:
            controls.click_in(dialog, Point(CORNER, CORNER))
        if not _is_listed(controls, dialog):
            return done  # the keys would go to another window
        done = _answer(controls, dialog, spec, start=start)
        if _goes_from_list(controls, dialog, CLOSES_S):
            return done
    # Nothing more is pressed: what a busy window takes late may fall on the game.
    if _goes_from_list(controls, dialog, STAYS_S):
        return done
    raise WindowError(f"{dialog.title!r} does not close: close it and start once more")


def _goes_from_list(controls: WindowControls, dialog: Window, limit_s: float) -> bool:
    """Whether a dialog is closed within a time, in seconds."""
    return any(not _is_listed(controls, dialog) for _ in controls.pointer.looks(limit_s, POLL_S))


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
