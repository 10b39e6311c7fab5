"""The end of a game that changes its whole board: recognised early, because soon nothing can be read."""

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
"""How long mines must be seen, in seconds: a piece that flies about may look like one for a moment, and on a
busy machine it stops in mid-air."""

HIDDEN_SHARE = 0.6
"""Share of unreadable cells above which the board counts as hidden."""

WON_SHARE = 0.5
"""Minimum share of a won board's pixels that have its new hues."""

MIN_VIVID = 60
"""Minimum saturation and value, 0 to 255, of a pixel that has a hue."""

COLOURED_SHARE = 0.25
"""Minimum share of a covered cell's pixels that have another hue once a mine has gone off in it."""

MIN_HUE_DIFFERENCE = 25
"""Minimum difference from the hue of covered cells, in degrees."""

OPENED_TOLERANCE = 12
"""Maximum difference from a colour of opened cells, 0 to 255. On a busy machine pieces fly for as long as
mines go off, over cells that were opened in between without having been seen."""

EXPLOSIONS, EXPLOSIONS_S = 2, 0.9
"""Minimum number of covered cells that stay coloured, and for how many seconds."""

UNKNOWN_EXPLOSIONS_S = 1.5
"""The same where nobody knows what a mine looks like, in seconds of a window that goes on drawing: no piece
flies for that long."""

STANDSTILL_S = 2.2
"""How long a picture that does not change at all must last, in seconds, to be an end and not a piece that
stopped in mid-air."""

READABLE_SHARE = 0.3
"""Share of unreadable cells above which the readable ones may belong to what hides the others."""

UNSEEN_CELLS = 2
"""Maximum number of cells that the last clicks opened and nobody saw open."""

HIDDEN_S = 1.0
"""How long the board must be hidden, in seconds, before the game counts as over."""


class GameEnd(ABC):
    """Follows one game and says when it is won or lost; its verdict holds until the next game."""

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
        """Withdraw the last verdict: something lies over the board."""
        self.phase = None
        self._since.clear()

    def counted(self, board: Board) -> None:
        """A board of the game counts, that goes on: what its cells were taken for in flight was misread."""
        if self.phase is None and self.seen is not None:
            self.seen = filled_from(self.seen, board)

    def is_open(self, board: Board) -> bool:
        """Whether a board that shows all but its mines opened may be lost nevertheless."""
        return False

    def shows_hit_as_flag(self, board: Board) -> bool:
        """Whether a board that shows all but its mines opened has lost: it shows the mine that was hit as a
        flag."""
        return False

    def watch(self, board: Board, rules: Rules, frame: Image, grid: Rect, now: float) -> Phase | None:
        """Take in a frame and its board at a time in seconds; returns WON or LOST once that is known."""
        if self.phase is None:
            hidden = bool((board.codes == Cell.UNREAD).mean() > HIDDEN_SHARE)
            if self.seen is None or self._begins(board) or self.seen.codes.shape != board.codes.shape:
                self.seen = board
            elif self._adds(board, hidden):
                self.seen = filled_from(self.seen, board)
            self.phase = self._judged(board, self.seen, rules, frame, grid, hidden, now)
        return self.phase

    def _lasts(self, sign: str, seen: bool, now: float) -> float:
        """How long a sign has been seen without a break, in seconds; below 0 if it is not seen now."""
        if not seen:
            self._since.pop(sign, None)
            return -1.0
        return now - self._since.setdefault(sign, now)

    def _begins(self, board: Board) -> bool:
        """Whether what is seen now is the beginning of a game."""
        return board.all_covered

    @property
    def lost_on_guess(self) -> bool:
        """Whether the game is known to be lost by the last clicks, which were a guess."""
        return False

    @abstractmethod
    def _adds(self, board: Board, hidden: bool) -> bool:
        """Whether a reading adds to what is known of the game, although its board may be `hidden`."""

    @abstractmethod
    def _judged(
        self, board: Board, seen: Board, rules: Rules, frame: Image, grid: Rect, hidden: bool, now: float
    ) -> Phase | None:
        """How the game ended, by a frame and all that was `seen` of the game; None while it goes on."""


class ThemeGameEnd(GameEnd):
    """The end of a game whose theme says how it shows."""

    def __init__(self, ending: Ending, palette: Palette) -> None:
        """Recognise an end as a theme describes it, by the colours of its cells."""
        super().__init__()
        self._ending = ending
        self._covered_hue = _hue(palette.covered.light)
        self._opened = palette.opened.shades

    def _adds(self, board: Board, hidden: bool) -> bool:
        return True

    def _judged(
        self, board: Board, seen: Board, rules: Rules, frame: Image, grid: Rect, hidden: bool, now: float
    ) -> Phase | None:
        opened = int(np.count_nonzero(seen.codes <= 8))
        explosions_s = self._lasts(
            "explosions", not hidden and self._explosions_seen(board, seen, frame, grid), now
        )
        button_s = self._lasts("button", hidden and self._button(frame, grid), now)
        if rules.mines is not None and opened == rules.cells - rules.mines and not board.finished:
            return Phase.WON
        if self._lasts("mines", board.finished, now) >= MINES_S:
            return Phase.LOST
        if hidden and self._has_won_hues(frame, grid):
            return Phase.WON
        return Phase.LOST if explosions_s >= EXPLOSIONS_S or button_s >= HIDDEN_S else None

    def _has_won_hues(self, frame: Image, grid: Rect) -> bool:
        hue, vivid = _hues(frame[grid.y : grid.bottom, grid.x : grid.right])
        low, high = self._ending.won_hues
        return bool((vivid & (hue >= low) & (hue <= high)).mean() >= WON_SHARE)

    def _explosions_seen(self, board: Board, seen: Board, frame: Image, grid: Rect) -> bool:
        """Whether several covered cells have another hue, and hardly an opened one has."""
        unread = board.codes == Cell.UNREAD
        covered = unread & (seen.codes == Cell.COVERED)
        if np.count_nonzero(covered) < EXPLOSIONS or np.count_nonzero(covered) * 2 < np.count_nonzero(unread):
            return False
        rows, columns = board.codes.shape
        picture = frame[grid.y : grid.bottom, grid.x : grid.right]
        coloured = 0
        for row, column in np.argwhere(covered):
            top, left = row * grid.height // rows, column * grid.width // columns
            bottom, right = (row + 1) * grid.height // rows, (column + 1) * grid.width // columns
            cell = picture[top:bottom, left:right]
            hue, vivid = _hues(cell)
            vivid &= ~self._is_opened_ground(cell)
            difference = np.abs((hue - self._covered_hue + 180) % 360 - 180)
            coloured += bool((vivid & (difference > MIN_HUE_DIFFERENCE)).mean() >= COLOURED_SHARE)
        return coloured >= EXPLOSIONS

    def _is_opened_ground(self, picture: Image) -> npt.NDArray[np.bool_]:
        """Which pixels have a colour of opened ground."""
        pixels, found = picture.astype(np.int16), np.zeros(picture.shape[:2], bool)
        for colour in self._opened:
            found |= (np.abs(pixels - np.array(colour.bgr)) <= OPENED_TOLERANCE).all(axis=2)
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
        return not hidden and bool((board.codes == Cell.UNREAD).mean() < READABLE_SHARE)

    def _judged(
        self, board: Board, seen: Board, rules: Rules, frame: Image, grid: Rect, hidden: bool, now: float
    ) -> Phase | None:
        if self._frame is None or not same_pixels(frame, self._frame):
            self._frame, self._drawn = frame, now
        unread, covered = board.codes == Cell.UNREAD, seen.codes > 8
        left = None if rules.mines is None else int(np.count_nonzero(covered)) - rules.mines
        changed = np.count_nonzero(unread & covered) >= max(EXPLOSIONS, unread.sum() / 2)
        mines_s = self._lasts("mines", board.finished and not hidden, now)
        explosions_s = self._lasts("explosions", not hidden and bool(changed), now)
        hidden_s = self._lasts("hidden", hidden, now)
        if left == 0 and not board.finished:
            return Phase.WON
        if mines_s >= MINES_S or self._outlasts(explosions_s, UNKNOWN_EXPLOSIONS_S, now):
            return Phase.LOST
        if self._outlasts(hidden_s, HIDDEN_S, now):
            # The last cells may have been opened and hidden between two looks.
            return Phase.WON if left is not None and left <= UNSEEN_CELLS else Phase.LOST
        return None

    def _outlasts(self, lasts: float, least: float, now: float) -> bool:
        """Whether a sign has lasted long enough in drawn pictures, or longer in one that stands still."""
        return lasts - (now - self._drawn) >= least or lasts >= STANDSTILL_S


def _hues(picture: Image) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_]]:
    """The hue of each pixel in degrees, and whether it has one."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    hue: npt.NDArray[np.int16] = hsv[..., 0].astype(np.int16) * 2
    vivid: npt.NDArray[np.bool_] = (hsv[..., 1] >= MIN_VIVID) & (hsv[..., 2] >= MIN_VIVID)
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
