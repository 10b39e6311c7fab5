"""Starting the next game by the face above the board, or by a button beside it."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bot.board import Action, Board, Cell
from bot.errors import WindowError, WindowLost
from bot.geometry import Point
from bot.targets.window.observer import WindowObserver
from bot.targets.window.pointer import Pointer

ATTEMPTS = 8
"""So often a face that does nothing is clicked."""

TAKEN_S = 0.5
"""How long the new board may take to show after a click."""

SUSPECT_S = 0.25
"""Neither face nor board are seen for so long before the board is looked for elsewhere."""

UNREAD = 0.5
"""The part of the cells that may be unreadable at the end of a game whose board is where it was."""

POLL_S = 0.001


def start_game(
    observer: WindowObserver,
    pointer: Pointer,
    park: Callable[[], None],
    answer_dialogs: Callable[[], bool],
    follow: Callable[[], bool],
    *,
    look_limit_s: float,
) -> None:
    """Click the face and wait until a board is seen on which nothing has been played.

    `answer_dialogs` says whether there was one; `follow` looks for the board elsewhere and says whether it
    was found. Raises WindowLost where no face is seen for `look_limit_s`, WindowError where clicks on it
    start nothing.
    """
    for _ in range(ATTEMPTS):
        answer_dialogs()
        place = _find_face(observer, pointer, answer_dialogs, follow, look_limit_s)
        before = observer.reader.read(observer.grab()).board
        pointer.click(place, Action.OPEN)
        park()
        if _started(observer, pointer, before) or (answer_dialogs() and _started(observer, pointer, before)):
            return
    raise WindowError(f"{ATTEMPTS} clicks on the face of {observer.title!r} started no new game")


def _find_face(
    observer: WindowObserver,
    pointer: Pointer,
    answer_dialogs: Callable[[], bool],
    follow: Callable[[], bool],
    look_limit_s: float,
) -> Point:
    """The point to click for a new game, once a face is seen there.

    Between two games a person may have moved the window or chosen another level: it is looked for, in a
    window that has not moved once, after a while.
    """
    begin = time.perf_counter()
    searched = False
    while True:
        face = observer.face_on_screen()
        if face is None:
            raise WindowError(f"the theme {observer.name} does not say how a new game is started")
        moved = observer.has_moved()
        # Not every face has looks that are known: where the board is not, something else lies there.
        if not moved and observer.face_is_seen() and _is_there(observer):
            return face
        waited = time.perf_counter() - begin
        if waited > look_limit_s:
            raise WindowLost(
                f"the face of {observer.title!r}, which starts a new game, cannot be seen:"
                " show the whole window and start once more"
            )
        if not answer_dialogs() and (moved or (waited > SUSPECT_S and not searched)):
            searched = not moved
            follow()
        pointer.undisturbed()
        time.sleep(10 * POLL_S)


def _is_there(observer: WindowObserver) -> bool:
    """Whether cells are read where the board should be: most of them, for something may lie over it."""
    board = observer.reader.read(observer.grab()).board
    return board.count(Cell.UNREAD) < UNREAD * board.codes.size


def _started(observer: WindowObserver, pointer: Pointer, before: Board) -> bool:
    """Whether a board on which nothing has been played is seen soon."""
    until = time.perf_counter() + TAKEN_S
    while time.perf_counter() < until and pointer.undisturbed():
        board = observer.reader.read(observer.grab()).board
        if not observer.reader.changed and observer.is_fresh(board):
            # A board that the game itself has opened looks like none other: the same one is the old one.
            covered = board.count(Cell.COVERED) == board.codes.size
            if covered or not np.array_equal(board.codes, before.codes):
                return True
        time.sleep(POLL_S)
    return False
