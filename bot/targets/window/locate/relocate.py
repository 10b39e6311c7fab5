"""Whether a board still lies at its place and has its size, and where it lies if not.

The corner of a larger board looks like a board of the old size, and so does its middle: if another level is
chosen in the middle of a game, the cells alone do not show it.
"""

from __future__ import annotations

from enum import Enum

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell
from bot.screen.capture import desktop
from bot.screen.windows import Window
from bot.targets.board_changes import continues, filled_from, is_one_opening
from bot.targets.window.locate.board_finder import look_around
from bot.targets.window.locate.calibrated import find_calibrated
from bot.targets.window.locate.shifted import shifted
from bot.targets.window.locate.stretched import (
    FEW_OPENED,
    MAX_UNREAD,
    ZOOMED,
    Shown,
    has_lines_of,
    plays_on,
    stretched,
)
from bot.targets.window.locate.unknown_boards import ReadBefore, look_for_unknown
from bot.targets.window.observe.observer import WindowObserver
from bot.targets.window.sighting import Sighting
from bot.vision.grid import Grid, Image, same_pixels
from bot.vision.grids.uneven import uneven
from bot.vision.themes.theme import KnownGame

REACH = 0.25
"""Width of the ring around a board that is compared, as a share of a cell."""

HERE = 0.2
"""A grid that is measured anew lies where it was if it is off by less than this part of a cell."""


MAX_VAIN_LINES = 2
"""So often may lines be measured in vain: where none are seen, as between mere characters, they come out
otherwise each time."""

MAX_UNCOUNTED = 3
"""So often lines are measured until a board counts on them: what blinks over a board moves them each time."""

PARTS = 5
"""How many searches in a row must find some rows or columns of the present board to take them for another
one. They begin half a second apart, and a dialog that was answered fades away in less."""


DRIFT = 4.0
"""Lines of a table that are at least so many pixels off have moved."""

SAME_GAME = 0.5
"""Of the numbers of the present game more than this part, 0 to 1, is seen again on a part of its board:
another game has few of them there."""


class SearchResult(Enum):
    """What a search has found; the value is the line for people."""

    NOTHING = "the board is not to be seen"
    HERE = "the board lies where it was"
    MOVED = "the window moved"
    STRETCHED = "its cells have other widths now"
    ANOTHER = "the window shows another board now"

    @property
    def elsewhere(self) -> bool:
        """Whether the observer looks somewhere else now."""
        return self in (SearchResult.MOVED, SearchResult.STRETCHED, SearchResult.ANOTHER)


class Relocator:
    """Watches the place and the size of the board of one window."""

    def __init__(self, observer: WindowObserver) -> None:
        """The board of the observer has just been found, whole."""
        self._observer = observer
        self._parts = 0
        """How many searches in a row have found a part of the present board."""
        self._uncounted = 0
        """How often lines were measured since a board counted on them."""
        self._vain_lines = 0
        """How often no board has counted on them, and it was found on an even grid after that."""
        self._measured: tuple[Image, Grid] | None = None
        """The picture on which the lines of the present grid were measured, and these; None where they are
        even."""
        self._drift: tuple[Image, bool] | None = None
        """The picture in which lines were compared last, and whether they had moved by then."""
        self._before = ReadBefore()
        self.is_cut = False
        """Whether the last search saw cells of another size where the board lay, though not all of it, as on
        a page that was zoomed."""
        self._remember()

    def _look(self) -> Image:
        view = self._observer.view
        return self._observer.grab_around(max(2, round(REACH * max(view.grid.pitch) / view.scale)))

    def _remember(self) -> None:
        """Remember the ring around the board, which has just been seen whole."""
        self._around = self._now = self._look()
        self._blinks = np.zeros(self._around.shape[:2], bool)
        """Pixels of the ring that changed although the board had not: they are not compared."""

    def is_partial(self, *, new: bool) -> bool:
        """Whether the board that is seen may be a part of another one, or be gone from its place.

        The desktop knows whether a window was moved or resized. A page that shows another level keeps its
        window, but then cells lie where the ring around the board was: the ring is compared if the game may
        be a `new` one. Raises WindowLost if the window is gone.
        """
        return self._observer.has_moved() or (new and self.has_grown()) or self._has_drifted()

    def _has_drifted(self) -> bool:
        """Whether columns or rows of a table have other widths than when they were measured: its cells may
        still be read, and lines that are measured by these would be wrong."""
        if self._measured is None or self._observer.view.grid != self._measured[1]:
            return False
        now = self._observer.grab()
        if self._drift is None or not same_pixels(now, self._drift[0]):
            lines = uneven(*self._measured, now)
            self._drift = now, lines is not None and not has_lines_of(lines, self._measured[1], DRIFT)
        return self._drift[1]

    def has_grown(self) -> bool:
        """Whether the ring around the board looks otherwise: a larger board may lie there."""
        self._now = self._look()
        if same_pixels(self._now, self._around):
            return False
        return self._now.shape != self._around.shape or bool(self._changed().any())

    def _changed(self) -> npt.NDArray[np.bool_]:
        changed: npt.NDArray[np.bool_] = (self._now != self._around).any(axis=2) & ~self._blinks
        return changed

    def _trust(self) -> None:
        """The board was seen at its place, with its size: what changed around it is not part of it."""
        if self._now.shape != self._around.shape:
            self._remember()
        else:
            self._blinks |= self._changed()

    def search(self, last: Board | None, *, played: bool, shown: Shown | None = None) -> SearchResult:
        """Search the whole screen for the board: for the game that showed `last`, and was `shown` so when it
        counted, or for another game of the same window, also of another size. If it is found elsewhere the
        observer looks there from now on.

        Without `played`, in a window that has not moved, only a larger board and one on which nothing has
        been played count as another one: something that lies over a board may look like its end.
        """
        if self._drift is not None:
            self._drift = self._drift[0], False  # once it was looked for, it counts as it is seen
        found = self._stretched(shown) or self._gone_along(last) or self._shifted(shown)
        if found is None:
            found = self._searched(last, played=played)
            if found is SearchResult.NOTHING:
                found = self._stretched(shown, evenly=True) or found
            if last is not None and found is SearchResult.MOVED:
                self._vain_lines += self._uncounted > 0
                self._uncounted = 0
        self.is_cut = found is SearchResult.NOTHING and self._observer.is_unknown and self._seen_zoomed()
        return found

    def look_into(self, window: Window) -> bool:
        """Whether a board of the present size that no theme knows is seen in another window of the game, all
        of it covered or but one opening: the observer looks there from now on."""
        observer = self._observer
        if not observer.is_unknown:
            return False
        there = look_for_unknown(observer.capture, observer.windows, window.rect)
        new = [one for one in there if one.window is not None and one.window.id == window.id]
        if len(new) != 1 or new[0].problem:
            return False
        board = new[0].reading.board
        if board.codes.shape != observer.view.grid.shape or not (board.all_covered or is_one_opening(board)):
            return False
        observer.look_there(new[0], new_rules=True)
        self._remember()
        return True

    def _gone_along(self, last: Board | None) -> SearchResult | None:
        """Whether the game without a theme that showed `last` goes on in its window, which was moved or
        resized, at the same distance from its top left corner; None where it is not seen there.

        What cannot be read where nothing is known yet, as marks of a strange skin, is known in its own game.
        """
        observer, now = self._observer, self._observer.window_now()
        if last is None or now is None or observer.window is None or not observer.is_unknown:
            return None
        if now.rect == observer.window.rect or np.count_nonzero(last.codes <= 8) < FEW_OPENED:
            return None
        across, down = now.rect.x - observer.window.rect.x, now.rect.y - observer.window.rect.y
        view = observer.view.moved(across, down)
        if not desktop(observer.capture.monitors()).encloses(view.rect):
            return None
        board = observer.reader.read(observer.capture.grab(view.rect)).board
        if not plays_on(last, board):
            return None
        observer.view, observer.window = view, now
        self._remember()
        return SearchResult.MOVED if across or down else SearchResult.HERE

    def _stretched(self, last: Shown | None, *, evenly: bool = False) -> SearchResult | None:
        """Whether the game without a theme that was `last` seen so goes on where it was, with columns or rows
        of other widths; None where it does not. `evenly` as `stretched` has it."""
        if last is None:
            return None
        if last.grid == self._observer.view.grid:
            self._uncounted = 0
        if self._vain_lines >= MAX_VAIN_LINES or self._uncounted >= MAX_UNCOUNTED:
            return None
        found = stretched(self._observer, last, evenly=evenly)
        if found is None:
            return None
        self._uncounted += 1
        self._observer.lie_on(*found)
        self._remember()
        self._measured = self._observer.grab(), self._observer.view.grid
        return SearchResult.STRETCHED

    def _shifted(self, last: Shown | None) -> SearchResult | None:
        """Whether the game without a theme that was `last` seen so lies elsewhere in its window; None where
        that is not seen."""
        view = None if last is None else shifted(self._observer, last)
        if view is None or self._observer.window is None:
            return None
        self._observer.lie_on(view, self._observer.window)
        self._remember()
        return SearchResult.MOVED

    def _searched(self, last: Board | None, *, played: bool) -> SearchResult:
        observer, seen = self._observer, self._find()
        parts, self._parts = self._parts, 0
        if seen is None or (seen.problem and observer.calibration is not None):
            return SearchResult.NOTHING
        if seen.view.is_near(observer.view) or self._is_here(seen):
            observer.window = seen.window  # it may have another size
            self._trust()
            return SearchResult.HERE
        if seen.problem:
            return SearchResult.NOTHING
        board, grid = seen.reading.board, observer.view.grid
        # What cannot be read there either is no other game: the end may show looks that were never met.
        goes_on = last is not None and continues(last, filled_from(last, board))
        if not goes_on and last is not None:
            larger = seen.view.grid.columns * seen.view.grid.rows > grid.columns * grid.rows
            if not (played or larger or observer.has_moved() or observer.is_fresh(board)):
                return SearchResult.NOTHING
        if not goes_on and self._is_part(seen):
            if last is not None and self._shows_part_of(last, seen):
                return SearchResult.NOTHING
            self._parts = parts + 1
            if self._parts < PARTS:
                return SearchResult.NOTHING
        same_size = goes_on or (last is None and board.codes.shape == grid.shape)
        observer.look_there(seen, new_rules=not goes_on)
        self._remember()
        return SearchResult.MOVED if same_size else SearchResult.ANOTHER

    def _seen_zoomed(self) -> bool:
        """Whether cells of another size are seen where the board lay."""
        observer = self._observer
        now, ours = observer.window_now(), observer.view.grid_on_screen()
        pitch = max(observer.view.grid.pitch) / observer.view.scale
        within = None if now is None else now.rect
        for seen in look_for_unknown(observer.capture, observer.windows, within, before=self._before):
            other = max(seen.view.grid.pitch) / seen.view.scale
            read = seen.reading.board.count(Cell.UNREAD) <= MAX_UNREAD * seen.reading.board.codes.size
            if read and abs(other / pitch - 1) > ZOOMED and seen.view.grid_on_screen().intersects(ours):
                return True
        return False

    def _find(self) -> Sighting | None:
        """The board of this window, of any size, as the whole screen shows it now; of several the one of the
        present size. None where none is seen, or several are."""
        ours = [sighting for sighting in self._sightings() if self._is_ours(sighting)]
        if len(ours) > 1:
            ours = [one for one in ours if one.view.grid.shape == self._observer.view.grid.shape]
        return ours[0] if len(ours) == 1 else None

    def _sightings(self) -> list[Sighting]:
        """Every board of this game on the screen; of one that no theme knows those in its window."""
        observer = self._observer
        capture, windows, calibration = observer.capture, observer.windows, observer.calibration
        if calibration is not None:
            return find_calibrated(capture, windows, {observer.calibration_name: calibration})
        if observer.skin is None:
            now = observer.window_now()
            within, named = (None, None) if now is None else (now.rect, now.title)
            return look_for_unknown(capture, windows, within, named=named, before=self._before)
        return look_around(capture, windows, [KnownGame(observer.skin, observer.behaviour)])

    def _is_here(self, seen: Sighting) -> bool:
        """Whether a board without a theme lies where it was: its grid is measured anew from other cells, and
        may come out otherwise by a pixel or two."""
        observer = self._observer
        if not observer.is_unknown or observer.has_moved():
            return False
        grid, there = observer.view.grid, seen.view.grid
        one, other = observer.view.grid_on_screen(), seen.view.grid_on_screen()
        off = max(abs(one.x - other.x), abs(one.y - other.y), abs(one.right - other.right))
        has_lines = not grid.column_offsets or grid.same_cells(there)
        return has_lines and grid.shape == there.shape and off * observer.view.scale < HERE * min(grid.pitch)

    def _is_part(self, seen: Sighting) -> bool:
        """Whether a board without a theme is some rows or columns of the present one: what a dialog that lies
        over the rest leaves of the next game, or a smaller level that was chosen."""
        view, there = self._observer.view, seen.view
        if not self._observer.is_unknown or there.grid.shape == view.grid.shape:
            return False
        pitch, cells = max(view.grid.pitch) / view.scale, self._cells_from_ours(seen)
        same_pitch = abs(max(there.grid.pitch) / there.scale / pitch - 1) <= ZOOMED
        # By its cells, for its edge may be seen a pixel beside that of the whole board.
        column, row = map(round, cells)
        inside = 0 <= column <= view.grid.columns - there.grid.columns
        inside = inside and 0 <= row <= view.grid.rows - there.grid.rows
        return same_pitch and inside and all(abs(cell - round(cell)) < HERE for cell in cells)

    def _cells_from_ours(self, seen: Sighting) -> tuple[float, float]:
        """How many cells of the present board another one begins to the right of it, and below."""
        view = self._observer.view
        ours, other = view.grid_on_screen(), seen.view.grid_on_screen()
        pitch = max(view.grid.pitch) / view.scale
        return (other.x - ours.x) / pitch, (other.y - ours.y) / pitch

    def _shows_part_of(self, last: Board, seen: Sighting) -> bool:
        """Whether a part of the present board shows what that game showed there: it goes on, and of the rest
        the cells have other sizes now."""
        codes = seen.reading.board.codes
        column, row = map(round, self._cells_from_ours(seen))
        was = last.codes[row : row + codes.shape[0], column : column + codes.shape[1]]
        if was.shape != codes.shape:
            return False  # another level was chosen since that board counted, and it lies elsewhere
        known = (was >= 1) & (was <= 8) & (codes != Cell.UNREAD)
        same = np.count_nonzero((was == codes) & known)
        return bool(same >= FEW_OPENED and same > SAME_GAME * np.count_nonzero(known))

    def _is_ours(self, sighting: Sighting) -> bool:
        """Whether a board is that of the window that is observed."""
        window, view, skin = self._observer.window, self._observer.view, self._observer.skin
        if window is not None and sighting.window is not None:
            ours = window.id == sighting.window.id
        else:
            overlaps = sighting.view.grid_on_screen().intersects(view.grid_on_screen())
            ours = overlaps or sighting.view.grid.shape == view.grid.shape
        # Pages are zoomed, and a toolkit makes its tiles as large as the window allows.
        zooms = skin is None or skin.palette is not None or skin.tiles is not None
        scales = zooms and (window is not None or not self._observer.windows.known)
        return ours and (scales or view.grid.same_cells(sighting.view.grid))
