"""Finds out how a window starts a new game, by trying: a face above the board, F2, a button, keys."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.calibrate.probe.live_window import LiveWindow
from bot.errors import WindowError
from bot.targets.window.events.buttons import does_something_else
from bot.targets.window.events.new_game_places import (
    MAX_CANDIDATES,
    NewGameCandidate,
    changed_pixels,
    new_game_candidates,
)
from bot.vision.grid import Image

WAIT_S = 2.5
"""How long a new game may take to show, once something changes."""

ANSWER_S = 1.0
"""How long a button, or a key, may take to change anything: a whole new board takes longer than a cell does,
and what comes late would be put down to the button that is tried next."""

CLOSED_S, POLL_S = 1.0, 0.03
"""How long a dialog may take to close, and the time between two looks at the dialogs."""

MAX_TRIES = 3 * MAX_CANDIDATES
"""Maximum number of tries in one window."""

LED_AWAY = 0.6
"""The part of the board's pixels, at least, that another page of the game changes."""

DIALOG_KEYS = ("escape", "enter")


class NewGameSearch:
    """Starts new games in one window, by the way that worked last."""

    def __init__(self, live: LiveWindow, is_new_board: Callable[[Image, Image], bool]) -> None:
        """`is_new_board` says of a picture whether it shows a new board, given one of the game before it."""
        self._live = live
        self._is_new_board = is_new_board
        self.found: NewGameCandidate | None = None
        """What has started a new game; None where nothing has yet."""
        self.dialogs: dict[str, str] = {}
        """The titles of dialogs that came up, and the key that closed each."""
        self._tried: list[NewGameCandidate] = []

    def start(self, at_end: Image, in_play: Image) -> Image:
        """Start a new game and give its picture; raises WindowError where nothing that was tried starts one.

        `at_end` is the window now, `in_play` the window in the middle of a game.
        """
        self._live.check_place()
        self.close_dialogs()
        for known in [self.found] * 2 if self.found is not None else []:
            frame = self._try(known, at_end)
            if frame is not None:
                return frame
            self.close_dialogs()
        for candidate in new_game_candidates(at_end, in_play, self._live.view.grid):
            place = candidate.place
            if place is not None and not self._live.may_click(place):
                continue
            if place is not None and does_something_else(at_end, self._live.view.grid, place):
                continue
            if len(self._tried) >= MAX_TRIES:
                break
            self._tried.append(candidate)
            frame = self._try(candidate, at_end)
            self.close_dialogs()
            if frame is not None:
                self.found = candidate
                return frame
            now, before = (self._live.view.cells_of(each) for each in (self._live.rest().frame, at_end))
            if changed_pixels(now, before).mean() > LED_AWAY:
                raise WindowError(
                    f"{candidate} led away from the board: start a new game and calibrate once more"
                )
        names = ", ".join(dict.fromkeys(map(str, self._tried)))
        raise WindowError(f"no new game could be started; tried in vain: {names}")

    def close_dialogs(self) -> None:
        """Close what the game has opened over its board. Raises WindowError where a dialog does not close."""
        for _ in range(4):
            dialogs = self._live.dialogs()
            if not dialogs:
                return
            dialog = dialogs[-1]
            for attempt, key in enumerate(DIALOG_KEYS * 2):
                # With no window manager the keyboard is not always where it was asked to be.
                self._live.press_key_in(dialog, key, click=attempt >= len(DIALOG_KEYS))
                if self._has_closed(dialog.id):
                    self.dialogs[dialog.title] = key
                    break
            else:
                raise WindowError(f"the dialog {dialog.title!r} does not close: close it and start once more")

    def _has_closed(self, dialog: int) -> bool:
        until = time.perf_counter() + CLOSED_S
        while time.perf_counter() < until:
            if all(one.id != dialog for one in self._live.dialogs()):
                return True
            time.sleep(POLL_S)
        return False

    def _try(self, candidate: NewGameCandidate, at_end: Image) -> Image | None:
        """The picture of the new game; None where this starts none."""
        if candidate.place is not None:
            self._live.click_pixel(candidate.place)
        else:
            self._live.press_key(candidate.way.key)
        rest = self._live.rest(at_end, answer_s=ANSWER_S)
        waited_s = 0.0
        while not self._is_new_board(rest.frame, at_end):
            if not rest.changed or waited_s > WAIT_S:
                return None
            rest = self._live.rest(rest.frame)  # it may fade in
            waited_s += self._live.reaction_s
        return rest.frame
