"""Starting the next game: in the way that its window has for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from bot.board import Action, Cell
from bot.errors import WindowError, WindowLost
from bot.geometry import Point
from bot.screen.windows import Windows
from bot.targets.window.events import face_button
from bot.targets.window.observer import WindowObserver
from bot.targets.window.pointer import Pointer
from bot.vision.grid import same_pixels
from bot.vision.header.button import find_any_button, find_button
from bot.vision.themes.palette import Ending

LOOK_S = 0.05
"""Between two looks for the button."""

STILL_S = 0.25
"""The button must be in its place for so long: it may fade in or fly in."""

PLAYED_S = 2.0
"""Once nothing has moved for so long, the end has been played, and a button of another colour is one too."""

TAKEN_S = 3.0
"""How long the new board may take to show after the button was clicked."""

DIALOG_S = 20.0
"""How long a dialog may take to come with the end of a game: mines go off one after the other before it."""

ATTEMPTS = 4


class AnswerDialogs(Protocol):
    """Answers the dialogs that the game has opened, and says whether there was one."""

    def __call__(self, *, start: bool = False) -> bool:
        """With `start` also one that asks whether to begin another game, or tells the end of this one."""
        ...


def start(
    observer: WindowObserver,
    pointer: Pointer,
    windows: Windows,
    park: Callable[[], None],
    answer: AnswerDialogs,
    look_for_window: Callable[[], bool],
    *,
    look_limit_s: float,
) -> None:
    """Start another game and see its board.

    `park` leaves the pointer beside the board; `look_for_window` looks whether the window has moved, and
    says whether it was followed; for `look_limit_s` seconds the face is looked for. Raises WindowLost and
    WindowError where no game can be started.
    """

    def answered() -> bool:
        return answer(start=True)

    ending = observer.behaviour.ending
    if ending is not None:
        by_button(observer, pointer, ending, park, look_for_window)
    elif observer.calibration is not None:
        as_learned(observer, pointer, windows, park, answer)
    elif observer.behaviour.dialog_tells_end:
        park()
        by_dialog(observer, pointer, answered)
    else:
        face_button.start_game(observer, pointer, park, answered, look_for_window, look_limit_s=look_limit_s)


def by_button(
    observer: WindowObserver,
    pointer: Pointer,
    ending: Ending,
    park: Callable[[], None],
    look_for_window: Callable[[], bool],
) -> None:
    """Wait for the button, click it, and see the board covered; nothing is done where it already is.

    `look_for_window` looks whether the window has moved, and says whether it was followed. Raises WindowLost
    where no button appears, WindowError where clicking it starts no game.
    """
    for _ in range(ATTEMPTS):
        park()
        if not _wait_for_button(observer, pointer, ending, park, look_for_window):
            return
        until = time.perf_counter() + TAKEN_S
        while time.perf_counter() < until:
            if _covered(observer):
                return
            pointer.undisturbed()
            time.sleep(LOOK_S)
        # The page may have been zoomed meanwhile: the new board is there, but of another size.
        if look_for_window() and _covered(observer):
            return
    raise WindowError(f"{ATTEMPTS} clicks on the button for another game in {observer.title!r} started none")


def _wait_for_button(
    observer: WindowObserver,
    pointer: Pointer,
    ending: Ending,
    park: Callable[[], None],
    look_for_window: Callable[[], bool],
) -> bool:
    """Click the button once it rests; False where no click is needed, for the board is covered."""
    until = time.perf_counter() + ending.within_s
    place, since = None, 0.0
    before, rest_since = None, time.perf_counter()
    while (now := time.perf_counter()) < until:
        frame = observer.grab()
        if before is None or not same_pixels(frame, before):
            before, rest_since = frame, now
        button = find_button(frame, observer.view.grid.rect, ending.button)
        if button is None and now - rest_since > PLAYED_S:
            button = find_any_button(frame, observer.view.grid.rect)
        if button is None and _covered(observer):
            return False
        if button != place:
            place, since = button, now
        elif button is not None and now - since >= STILL_S:
            clicked = pointer.click(observer.view.on_screen(button.center), Action.OPEN)
            park()
            if clicked:
                return True
            place = None
        if observer.has_moved() and not look_for_window():
            observer.move_along()  # the end of the game may hide the board
        pointer.undisturbed()
        time.sleep(LOOK_S)
    raise WindowLost(
        f"the button that starts another game in {observer.title!r} did not appear within"
        f" {ending.within_s:g} s: start a new game yourself, then start once more"
    )


def by_dialog(observer: WindowObserver, pointer: Pointer, answer: Callable[[], bool]) -> None:
    """Wait for the dialog that comes with the end of a game, answer it, and see the board covered.

    `answer` answers it, and says whether there was one. Raises WindowLost where no new board appears.
    """
    until = time.perf_counter() + DIALOG_S
    while time.perf_counter() < until:
        if answer():
            until = time.perf_counter() + TAKEN_S
        elif _covered(observer):
            return
        pointer.undisturbed()
        time.sleep(LOOK_S)
    raise WindowLost(
        f"no dialog of {observer.title!r} that starts another game was seen: start a new game yourself, then"
        " start once more"
    )


def as_learned(
    observer: WindowObserver,
    pointer: Pointer,
    windows: Windows,
    park: Callable[[], None],
    answer: Callable[[], object],
) -> None:
    """Start a game in the way that the window's calibration says, and see a new board.

    `answer` answers what the game has opened over its board. Raises WindowError where no game was started.
    """
    assert observer.calibration is not None
    way = observer.calibration.new_game
    for attempt in range(2 * ATTEMPTS):
        answer()
        if way.kind == "button" and attempt % 2 == 0:
            _wait_for_change(observer, pointer, way.wait_s if attempt else 0.0)
        if observer.has_moved() and not observer.move_along():
            raise WindowLost(
                f"the window {observer.title!r} has another size than its calibration is for, or lies partly"
                " off the screen: put it back and start once more"
            )
        if way.kind == "key":
            pointer.undisturbed()
            if observer.window is not None:
                windows.focus(observer.window)
            pointer.mouse.key(way.key)
        else:
            pointer.click(observer.view.on_screen(Point(way.x, way.y)), Action.OPEN, slow=bool(attempt))
            park()
        until = time.perf_counter() + (way.wait_s if way.kind == "button" else 1.0)
        while time.perf_counter() < until:
            if _begun(observer):
                return
            pointer.undisturbed()
            time.sleep(LOOK_S)
    raise WindowError(
        f"{2 * ATTEMPTS} tries to start a new game in {observer.title!r} started none: start one yourself, or"
        " run `minebot calibrate` again"
    )


def _wait_for_change(observer: WindowObserver, pointer: Pointer, limit_s: float) -> None:
    """Wait while a button that comes with the end of a game may still be on its way."""
    until = time.perf_counter() + limit_s
    while time.perf_counter() < until:
        pointer.undisturbed()
        time.sleep(LOOK_S)


def _begun(observer: WindowObserver) -> bool:
    """Whether a new board is seen: covered, or half open as some windows begin, and nothing unread."""
    board = observer.reader.read(observer.grab()).board
    if board.finished or board.count(Cell.UNREAD, Cell.FLAG):
        return False
    return board.count(Cell.COVERED) > 0.5 * board.codes.size and not observer.faults(board)


def _covered(observer: WindowObserver) -> bool:
    """Whether a board with nothing opened is seen."""
    board = observer.reader.read(observer.grab()).board
    return board.count(Cell.COVERED) == board.codes.size
