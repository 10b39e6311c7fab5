"""The end of a game that changes its whole board: seen while it happens, because soon nothing can be read."""

from __future__ import annotations

from abc import ABC, abstractmethod

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Phase, Rules
from bot.geometry import Point, Rect
from bot.targets.board_changes import filled_from
from bot.vision.grid import Grid, Image, same_pixels
from bot.vision.header.button import find_any_button, find_button
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.palette import Colour, Ending, Palette
from bot.vision.themes.skin import Skin

MINES_S = 0.25
"""Mines must be seen for so long, in seconds: what flies about may look like one for a moment, and on a busy
machine it stops in mid-air."""

HIDDEN = 0.6
"""The part of the cells that cannot be read before the colours of the board as a whole are asked."""

TAKEN_ON = 0.5
"""The part of a won board's pixels that have its new colours."""

VIVID = 60
"""The least saturation and value, of 255, at which a pixel has a hue."""


COLOURED = 0.25
"""The part of a covered cell that is of another hue where a mine has gone off in it, however it is drawn."""

OTHER_HUE = 25
"""Degrees by which a hue differs from that of covered ground."""

GROUND = 12
"""How far the colours of a pixel, 0 to 255, may be from those of opened ground. On a busy machine pieces fly
for as long as mines go off, over cells that were never seen before: they are opened, and no mines."""

GONE_OFF, GONE_OFF_S = 2, 0.9
"""So many covered cells must stay coloured for so long, in seconds."""

GONE_OFF_LONG_S = 1.5
"""The same where nothing is known of how mines look, and how a won game hides its board. No piece flies for
so long by the clock of the game, but a busy machine stands still: a picture must be drawn after it."""

STILL_S = 2.2
"""So long, in seconds, a picture that does not change at all must last to be an end, and no piece that is
stopped in mid-air."""

LITTLE = 0.3
"""While more of the cells cannot be read, those that can may be a part of what hides the others."""

UNSEEN = 2
"""So many cells may have been opened in the last clicks without having been seen."""

SHOWN_S = 1.0
"""For so long, in seconds, the board must be hidden behind a button before the game is thought to be lost."""


class GameEnd(ABC):
    """Follows one game and says when it is won or lost; what it has said holds until the next game."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Another game begins."""
        self.phase: Phase | None = None
        """WON or LOST once that is known."""
        self.seen: Board | None = None
        """Everything that was read of this game, each cell as it showed last."""
        self._since: dict[str, float] = {}
        """Since when each sign of an end has been seen without a break."""

    def take_back(self) -> None:
        """What was said last was wrong: something lies over the board."""
        self.phase = None
        self._since.clear()

    def watch(self, board: Board, rules: Rules, frame: Image, grid: Rect, now: float) -> Phase | None:
        """Take in what was read of a frame at a time in seconds; gives WON or LOST once that is known."""
        if self.phase is None:
            hidden = bool((board.codes == Cell.UNREAD).mean() > HIDDEN)
            if self.seen is None or board.all_covered or self.seen.codes.shape != board.codes.shape:
                self.seen = board
            elif self._adds(board, hidden):
                self.seen = filled_from(self.seen, board)
            self.phase = self._judged(board, self.seen, rules, frame, grid, hidden, now)
        return self.phase

    def _lasts(self, sign: str, seen: bool, now: float) -> float:
        """For how long a sign has been seen without a break, in seconds; below 0 where it is not seen now."""
        if not seen:
            self._since.pop(sign, None)
            return -1.0
        return now - self._since.setdefault(sign, now)

    @abstractmethod
    def _adds(self, board: Board, hidden: bool) -> bool:
        """Whether what is read of a frame says more of the game, though its board may be `hidden`."""

    @abstractmethod
    def _judged(
        self, board: Board, seen: Board, rules: Rules, frame: Image, grid: Rect, hidden: bool, now: float
    ) -> Phase | None:
        """How the game ended, by a frame and all that was `seen` of it; None where it goes on."""


class ThemeGameEnd(GameEnd):
    """The end of a game whose theme says how it shows."""

    def __init__(self, ending: Ending, palette: Palette) -> None:
        """Know a theme's end and the colours of its ground."""
        super().__init__()
        self._ending = ending
        self._covered_hue = _hue(palette.covered.light)
        ground = palette.opened
        self._opened = [ground.light, ground.dark, ground.under_light, ground.under_dark]

    def _adds(self, board: Board, hidden: bool) -> bool:
        return True

    def _judged(
        self, board: Board, seen: Board, rules: Rules, frame: Image, grid: Rect, hidden: bool, now: float
    ) -> Phase | None:
        opened = int(np.count_nonzero(seen.codes <= 8))
        gone_off = self._lasts("gone off", not hidden and self._gone_off(board, seen, frame, grid), now)
        behind_button = self._lasts("button", hidden and self._button(frame, grid), now)
        if rules.mines is not None and opened == rules.cells - rules.mines and not board.finished:
            return Phase.WON
        if self._lasts("mines", board.finished, now) >= MINES_S:
            return Phase.LOST
        if hidden and self._has_won_hues(frame, grid):
            return Phase.WON
        return Phase.LOST if gone_off >= GONE_OFF_S or behind_button >= SHOWN_S else None

    def _has_won_hues(self, frame: Image, grid: Rect) -> bool:
        hue, vivid = _hues(frame[grid.y : grid.bottom, grid.x : grid.right])
        low, high = self._ending.won_hues
        return bool((vivid & (hue >= low) & (hue <= high)).mean() >= TAKEN_ON)

    def _gone_off(self, board: Board, seen: Board, frame: Image, grid: Rect) -> bool:
        """Whether several covered cells have another colour, and hardly an opened one has."""
        unread = board.codes == Cell.UNREAD
        covered = unread & (seen.codes == Cell.COVERED)
        if np.count_nonzero(covered) < GONE_OFF or np.count_nonzero(covered) * 2 < np.count_nonzero(unread):
            return False
        rows, columns = board.codes.shape
        picture = frame[grid.y : grid.bottom, grid.x : grid.right]
        coloured = 0
        for row, column in np.argwhere(covered):
            top, left = row * grid.height // rows, column * grid.width // columns
            bottom, right = (row + 1) * grid.height // rows, (column + 1) * grid.width // columns
            cell = picture[top:bottom, left:right]
            hue, vivid = _hues(cell)
            vivid &= ~self._ground(cell)
            apart = np.abs((hue - self._covered_hue + 180) % 360 - 180)
            coloured += bool((vivid & (apart > OTHER_HUE)).mean() >= COLOURED)
        return coloured >= GONE_OFF

    def _ground(self, picture: Image) -> npt.NDArray[np.bool_]:
        """Which pixels have a colour of opened ground."""
        pixels, found = picture.astype(np.int16), np.zeros(picture.shape[:2], bool)
        for colour in self._opened:
            found |= (np.abs(pixels - np.array(colour.bgr)) <= GROUND).all(axis=2)
        return found

    def _button(self, frame: Image, grid: Rect) -> bool:
        return (
            find_button(frame, grid, self._ending.button) is not None
            or find_any_button(frame, grid) is not None
        )


class LearnedGameEnd(GameEnd):
    """The end of a game in a learned window that starts its next game by a button that comes over its board.

    What this end looks like is not known, only that it hides the board, and how many mines there are.
    """

    def forget(self) -> None:
        """Another game begins."""
        super().forget()
        self._frame: Image | None = None
        self._drawn = 0.0
        """When the picture was seen to change last."""

    def _adds(self, board: Board, hidden: bool) -> bool:
        return not hidden and bool((board.codes == Cell.UNREAD).mean() < LITTLE)

    def _judged(
        self, board: Board, seen: Board, rules: Rules, frame: Image, grid: Rect, hidden: bool, now: float
    ) -> Phase | None:
        if self._frame is None or not same_pixels(frame, self._frame):
            self._frame, self._drawn = frame, now
        unread, covered = board.codes == Cell.UNREAD, seen.codes > 8
        left = None if rules.mines is None else int(np.count_nonzero(covered)) - rules.mines
        changed = np.count_nonzero(unread & covered) >= max(GONE_OFF, unread.sum() / 2)
        mines_s = self._lasts("mines", board.finished and not hidden, now)
        gone_off_s = self._lasts("gone off", not hidden and bool(changed), now)
        hidden_s = self._lasts("hidden", hidden, now)
        if left == 0 and not board.finished:
            return Phase.WON
        if mines_s >= MINES_S or self._outlasts(gone_off_s, GONE_OFF_LONG_S, now):
            return Phase.LOST
        if self._outlasts(hidden_s, SHOWN_S, now):
            # The last cells may have been opened and hidden between two looks.
            return Phase.WON if left is not None and left <= UNSEEN else Phase.LOST
        return None

    def _outlasts(self, lasts: float, least: float, now: float) -> bool:
        """Whether a sign was there for so long in pictures that were drawn, or longer in one that stands."""
        return lasts - (now - self._drawn) >= least or lasts >= STILL_S


def _hues(picture: Image) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_]]:
    """The hue of each pixel in degrees, and whether it has one."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    hue: npt.NDArray[np.int16] = hsv[..., 0].astype(np.int16) * 2
    vivid: npt.NDArray[np.bool_] = (hsv[..., 1] >= VIVID) & (hsv[..., 2] >= VIVID)
    return hue, vivid


def _hue(colour: Colour) -> int:
    return int(_hues(np.array([[colour.bgr]], np.uint8))[0][0, 0])


def game_end_for(skin: Skin | None, behaviour: GameBehaviour, grid: Grid) -> GameEnd | None:
    """What recognises the end of the games of a window with its cells in this grid; None where their end
    leaves the board readable."""
    way, ending = behaviour.new_game, behaviour.ending
    if way is not None and way.kind == "end place":
        return LearnedGameEnd() if grid.rect.contains(Point(way.x, way.y)) else None
    if ending is None or skin is None or skin.palette is None:
        return None
    return ThemeGameEnd(ending, skin.palette)
