"""Starting the next game where the button for it appears over the board, once the end has been played."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bot.board import Action, Cell
from bot.errors import WindowError, WindowLost
from bot.target.hands import Hands
from bot.target.sight import Sight
from bot.vision.button import find_any_button, find_button
from bot.vision.palette import Ending

LOOK_S = 0.05
"""Between two looks for the button."""

STILL_S = 0.25
"""The button must be in its place for so long: it may fade in or fly in."""

PLAYED_S = 2.0
"""Once nothing has moved for so long, the end has been played, and a button of another colour is one too."""

TAKEN_S = 3.0
"""How long the new board may take to show after the button was clicked."""

ATTEMPTS = 4


def by_button(
    sight: Sight, hands: Hands, ending: Ending, park: Callable[[], None], look_for_window: Callable[[], bool]
) -> None:
    """Wait for the button, click it, and see the board covered; nothing is done where it already is.

    `look_for_window` looks whether the window has moved, and says whether it was followed. Raises WindowLost
    where no button appears, WindowError where clicking it starts no game.
    """
    for _ in range(ATTEMPTS):
        park()
        if not _wait_for_button(sight, hands, ending, park, look_for_window):
            return
        until = time.perf_counter() + TAKEN_S
        while time.perf_counter() < until:
            if _covered(sight):
                return
            hands.undisturbed()
            time.sleep(LOOK_S)
    raise WindowError(f"{ATTEMPTS} clicks on the button for another game in {sight.title!r} started none")


def _wait_for_button(
    sight: Sight, hands: Hands, ending: Ending, park: Callable[[], None], look_for_window: Callable[[], bool]
) -> bool:
    """Click the button once it rests; False where no click is needed, for the board is covered."""
    until = time.perf_counter() + ending.within_s
    place, since = None, 0.0
    before, rest_since = None, time.perf_counter()
    while (now := time.perf_counter()) < until:
        frame = sight.grab()
        if before is None or not np.array_equal(frame, before):
            before, rest_since = frame, now
        button = find_button(frame, sight.view.grid.rect, ending.button)
        if button is None and now - rest_since > PLAYED_S:
            button = find_any_button(frame, sight.view.grid.rect)
        if button is None and _covered(sight):
            return False
        if button != place:
            place, since = button, now
        elif button is not None and now - since >= STILL_S:
            clicked = hands.click(sight.view.on_screen(button.center), Action.OPEN)
            park()
            if clicked:
                return True
            place = None
        if sight.has_moved():
            look_for_window()
        hands.undisturbed()
        time.sleep(LOOK_S)
    raise WindowLost(
        f"the button that starts another game in {sight.title!r} did not appear within {ending.within_s:g} s:"
        " start a new game yourself, then start once more"
    )


def _covered(sight: Sight) -> bool:
    """Whether a board with nothing opened is seen."""
    board = sight.reader.read(sight.grab()).board
    return board.count(Cell.COVERED) == board.codes.size
