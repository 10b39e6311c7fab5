"""The end of a game that changes its whole board: seen while it happens, because soon nothing can be read."""

from __future__ import annotations

import cv2
import numpy as np

from bot.board import Board, Cell, Phase, Rules
from bot.geometry import Rect
from bot.target.effects import behind
from bot.vision.grid import Image
from bot.vision.palette import Ending
from bot.vision.theme import Theme

MINES_S = 0.08
"""Mines must be seen for so long, in seconds: what flies about may look like one for a moment."""

HIDDEN = 0.6
"""The part of the cells that cannot be read before the colours of the board as a whole are asked."""

TAKEN_ON = 0.5
"""The part of a won board's pixels that have its new colours."""

VIVID = 60
"""The least saturation and value, of 255, at which a pixel has a hue."""


class EndingWatch:
    """Follows one game and says when it is won or lost; what it has said holds until the next game."""

    def __init__(self, ending: Ending) -> None:
        self._ending = ending
        self.forget()

    def forget(self) -> None:
        """Another game begins."""
        self.phase: Phase | None = None
        """WON or LOST once that is known."""
        self._seen: Board | None = None
        self._mines_since: float | None = None

    @property
    def seen(self) -> Board | None:
        """Everything that was read of this game, each cell as it showed last."""
        return self._seen

    def watch(self, board: Board, rules: Rules, frame: Image, grid: Rect, now: float) -> Phase | None:
        """Take in what was read of a frame at a time in seconds; gives WON or LOST once that is known."""
        if self.phase is not None:
            return self.phase
        fresh = board.count(Cell.COVERED) == board.codes.size
        if self._seen is None or fresh or self._seen.codes.shape != board.codes.shape:
            self._seen = board
        else:
            self._seen = behind(self._seen, board)
        if board.finished:
            self._mines_since = now if self._mines_since is None else self._mines_since
            if now - self._mines_since >= MINES_S:
                self.phase = Phase.LOST
        else:
            self._mines_since = None
            opened = int(np.count_nonzero(self._seen.codes <= 8))
            all_opened = rules.mines is not None and opened == rules.cells - rules.mines
            hidden = board.count(Cell.UNREAD) > HIDDEN * board.codes.size
            if all_opened or (hidden and self._has_won_hues(frame, grid)):
                self.phase = Phase.WON
        return self.phase

    def _has_won_hues(self, frame: Image, grid: Rect) -> bool:
        part = frame[grid.y : grid.bottom, grid.x : grid.right]
        hsv = cv2.cvtColor(part, cv2.COLOR_BGR2HSV)
        low, high = self._ending.won_hues
        hue = hsv[..., 0].astype(np.int16) * 2
        taken_on = (hue >= low) & (hue <= high) & (hsv[..., 1] >= VIVID) & (hsv[..., 2] >= VIVID)
        return bool(taken_on.mean() >= TAKEN_ON)


def watch_for(theme: Theme) -> EndingWatch | None:
    """What follows the games of a theme; None where their end leaves the board readable."""
    ending = theme.spec.ending
    return EndingWatch(ending) if ending is not None else None
