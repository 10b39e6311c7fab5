"""Starting the next game by the face above the board, or by a button beside it."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bot.board import Action, Board, Cell
from bot.errors import WindowError, WindowLost
from bot.geometry import Point
from bot.target.hands import Hands
from bot.target.sight import Sight

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
    sight: Sight,
    hands: Hands,
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
        place = _find_face(sight, hands, answer_dialogs, follow, look_limit_s)
        before = sight.reader.read(sight.grab()).board
        hands.click(place, Action.OPEN)
        park()
        if _started(sight, hands, before) or (answer_dialogs() and _started(sight, hands, before)):
            return
    raise WindowError(f"{ATTEMPTS} clicks on the face of {sight.title!r} started no new game")


def _find_face(
    sight: Sight,
    hands: Hands,
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
        face = sight.face_on_screen()
        if face is None:
            raise WindowError(f"the theme {sight.theme.name} does not say how a new game is started")
        moved = sight.has_moved()
        # Not every face has looks that are known: where the board is not, something else lies there.
        if not moved and sight.face_is_seen() and _is_there(sight):
            return face
        waited = time.perf_counter() - begin
        if waited > look_limit_s:
            raise WindowLost(
                f"the face of {sight.title!r}, which starts a new game, cannot be seen:"
                " show the whole window and start once more"
            )
        if not answer_dialogs() and (moved or (waited > SUSPECT_S and not searched)):
            searched = not moved
            follow()
        hands.undisturbed()
        time.sleep(10 * POLL_S)


def _is_there(sight: Sight) -> bool:
    """Whether cells are read where the board should be: most of them, for something may lie over it."""
    board = sight.reader.read(sight.grab()).board
    return board.count(Cell.UNREAD) < UNREAD * board.codes.size


def _started(sight: Sight, hands: Hands, before: Board) -> bool:
    """Whether a board on which nothing has been played is seen soon."""
    until = time.perf_counter() + TAKEN_S
    while time.perf_counter() < until and hands.undisturbed():
        board = sight.reader.read(sight.grab()).board
        if not sight.reader.changed and sight.is_fresh(board):
            # A board that the game itself has opened looks like none other: the same one is the old one.
            covered = board.count(Cell.COVERED) == board.codes.size
            if covered or not np.array_equal(board.codes, before.codes):
                return True
        time.sleep(POLL_S)
    return False
