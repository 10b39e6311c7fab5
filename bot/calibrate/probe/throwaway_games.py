"""Throw-away games: covered cells are clicked until nothing reacts any more, and the pictures are kept."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from bot.board import Action, Coordinate
from bot.calibrate.infer.cell_clusters import ALIKE, INSET, CellClusters
from bot.calibrate.infer.grid_refinement import Step, refined, sharpened
from bot.calibrate.probe.live_window import LiveWindow, SettledWindow
from bot.vision.grid import Image

Mask = npt.NDArray[np.bool_]

SHARE = 0.1
"""A look that takes this part of a new board may be that of a covered cell."""

MOST_SPLIT = 1.5
"""So many times as many looks with the rims of cells as without them say that rims depend on neighbours."""

LEAST_COVERED = 0.5
"""The part of a new board that is covered."""

COVERED_AGAIN = 0.4
"""The part of the opened cells that a new board covers again."""

STEPS = 16
"""So many clicks are kept to see where cells end."""

PROBES = 2
"""Clicks that do nothing, on different cells, before a game counts as over."""

IN_VAIN = 8
"""The same while it is not known yet what a covered cell looks like: one may click on opened ones."""

Choose = Callable[[Image, Mask], "Coordinate | None"]
"""Given the window's picture and which cells are covered, the next cell to click; None to leave the game."""


@dataclass(frozen=True)
class PlayedGame:
    """One game, in pictures of the window at rest."""

    start: Image
    """Before the first click."""
    before: Image
    """Before the last click that did something."""
    after: tuple[Image, ...]
    """The different pictures from that click until all was at rest."""
    last: Coordinate
    """The cell of that click."""
    clicks: int
    """Clicks that did something."""
    first: Coordinate
    """The cell of the first click."""
    opened_first: Image
    """What the first click led to."""
    over: bool
    """Whether nothing reacted after the last click; else the game was left."""
    covered: bool
    """Whether a dialog lay over it at its end."""
    new: bool
    """Whether it began with a new board; else with one that had been played on already."""


@dataclass
class ClickTimes:
    """What clicks took, in seconds."""

    latencies: list[float] = field(default_factory=list)
    lasted: list[float] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)

    def add(self, rest: SettledWindow) -> None:
        """Count a click that did something."""
        self.latencies.append(rest.latency_s)
        self.lasted.append(rest.lasted_s)
        self.pauses.append(rest.pause_s)


class ThrowawayGames:
    """Plays throw-away games in a window and remembers their looks."""

    def __init__(self, live: LiveWindow, rng: random.Random) -> None:
        self.live = live
        self.rng = rng
        self.looks = CellClusters(live.view.grid)
        self.covered: set[int] = set()
        """The looks that were there before the first click and react to clicks."""
        self.deaf: set[int] = set()
        """Looks of a new board that do not react: opened cells, of windows that start half open."""
        self.usual: set[int] = set()
        """Looks seen in the middle of a game: after them the game went on."""
        self.marks: set[int] = set()
        """Looks that right clicks make."""
        self.ends: set[int] = set()
        """Looks that only the end of a game shows, once that is known."""
        self.games: list[PlayedGame] = []
        self.timed = ClickTimes()
        self.steps: list[tuple[Step, Coordinate]] = []
        """The window before and after some clicks, and the cell of each."""
        self.first_lost = 0
        """Games that were over with their first click, before any other cell was opened."""

    # What a board shows

    def hidden(self, frame: Image) -> Mask:
        """Which cells look covered."""
        return np.isin(self.looks.of(frame), list(self.covered))

    def candidates(self, frame: Image) -> list[int]:
        """Looks of a new board that may be those of covered cells, the most frequent first."""
        counts = Counter(self.looks.of(frame).ravel().tolist())
        least = SHARE * frame_cells(self.looks)
        return [look for look, count in counts.most_common() if count >= least]

    def fresh(self, frame: Image, than: Image | None = None) -> bool:
        """Whether a picture shows a new board; `than` is that of the game before it."""
        maps = self.looks.of(frame)
        hidden = np.isin(maps, list(self.covered))
        if hidden.mean() >= 0.97:
            return True
        if than is None or hidden.mean() < LEAST_COVERED or np.isin(maps, list(self.ends)).any():
            return False
        # A window may start half open, or with a picture of help over its middle: in a game that goes on no
        # cell is ever covered again.
        opened = ~self.hidden(than)
        return bool((hidden & opened).sum() >= max(1, COVERED_AGAIN * opened.sum()))

    # Playing

    def play(self, choose: Choose, start: Image, *, new: bool = True) -> PlayedGame | None:
        """Play the game that is open until it ends or is left; None where nothing reacted at all.

        `start` is the window's picture now; `new` says whether nothing has been clicked in it yet.
        """
        frame = start
        before, last = start, (-1, -1)
        after: tuple[Image, ...] = (start,)
        first, opened_first = (-1, -1), start
        clicks = silent = 0
        over = False
        tried: set[Coordinate] = set()
        while True:
            frame, late = self._at_rest(frame) if clicks else (frame, ())
            after += late
            hidden = self._open_to_clicks(frame, tried)
            cell = self._untested(frame) if clicks == 0 else None
            cell = cell or choose(frame, hidden)
            if cell is None:
                # A veil over the whole board leaves nothing that looks covered.
                over = clicks > 0 and not self.hidden(frame).any() and not tried - {last}
                break
            tried.add(cell)
            rest = self._click(cell, frame)
            if rest is None:
                silent += 1
                look = int(self.looks.of(frame)[cell])
                if clicks == 0 and look not in self.covered and len(tried) < IN_VAIN:
                    self.deaf.add(look)
                    silent = 0
                elif silent >= PROBES or self.live.dialogs():
                    over = clicks > 0
                    break
                continue
            self._learn_covered(frame, cell)
            if clicks:
                self.usual |= set(self.looks.of(frame).ravel().tolist()) - self.ends - self.marks
            silent = 0
            clicks += 1
            before, after, last, frame = frame, rest.moving, cell, rest.frame
            if len(self.steps) < STEPS:
                self.steps.append(((before, frame), cell))
            if clicks == 1:
                first, opened_first = cell, rest.frame
            tried = {cell}
            if np.isin(self.looks.of(frame), list(self.ends)).any() or self.live.dialogs():
                over = True
                break
        if not clicks:
            return None
        after += self._at_rest(frame)[1]
        game = PlayedGame(
            start, before, after, last, clicks, first, opened_first, over, bool(self.live.dialogs()), new
        )
        self.games.append(game)
        return game

    def _at_rest(self, frame: Image) -> tuple[Image, tuple[Image, ...]]:
        """The window's picture now, and the different ones that have led to it since `frame`, which was
        taken for one at rest: a busy window pauses in the middle of its end."""
        now = self.live.grab()
        if (cell_differences(self.looks, frame, now) <= ALIKE).all() or not self.live.was_no_rest():
            return frame, ()
        rest = self.live.rest(end=True)
        return rest.frame, (now, *rest.moving)

    def _open_to_clicks(self, frame: Image, tried: set[Coordinate]) -> Mask:
        hidden = self.hidden(frame)
        if not self.covered:  # nothing is known yet: whatever there is most of
            maps = self.looks.of(frame)
            hidden = maps == Counter(maps.ravel().tolist()).most_common(1)[0][0]
        for cell in tried:
            hidden[cell] = False
        return hidden

    def _untested(self, frame: Image) -> Coordinate | None:
        """A cell of a new board whose look may be covered and has not been clicked yet."""
        maps = self.looks.of(frame)
        for look in self.candidates(frame):
            if look not in self.covered and look not in self.deaf and self.covered:
                row, column = self.rng.choice(np.argwhere(maps == look).tolist())
                return row, column
        return None

    def _learn_covered(self, frame: Image, cell: Coordinate) -> None:
        look = int(self.looks.of(frame)[cell])
        self.deaf.discard(look)
        self.covered.add(look)

    def _click(self, cell: Coordinate, frame: Image) -> SettledWindow | None:
        """Click a cell; None where that changed nothing there, slowly and twice."""
        for slow in (False, True):
            self.live.click(cell, slow=slow)
            rest = self.live.rest(frame)
            if self._reacted(cell, frame, rest.frame):
                novel = set(self.looks.of(rest.frame).ravel().tolist()) - self._known()
                if novel:  # it may be the end, which takes its time
                    longer = self.live.rest(end=True)
                    rest = SettledWindow(
                        longer.frame,
                        rest.moving + longer.moving,
                        True,
                        rest.latency_s,
                        rest.lasted_s,
                        rest.pause_s,
                    )
                self.timed.add(rest)
                self._pace()
                return rest
            if self.live.dialogs():
                return None
        return None

    def _known(self) -> set[int]:
        return self.usual | self.covered | self.marks

    def _reacted(self, cell: Coordinate, before: Image, after: Image) -> bool:
        return bool(cell_differences(self.looks, before, after)[cell] > ALIKE)

    def _pace(self) -> None:
        """Wait for reactions and for rest as long as this window needs, and no longer."""
        if len(self.timed.latencies) >= 5:
            self.live.reaction_s = min(0.5, max(0.12, 5 * max(self.timed.latencies[-30:])))
        self.live.quiet_s = min(0.4, max(0.05, 1.5 * max(self.timed.pauses[-30:], default=0.0)))

    # Where cells end, and rims

    def settle_grid(self) -> bool:
        """Put the grid where the cells end, by what the first clicks changed. Everything is then forgotten.

        True where the grid was off.
        """
        view = self.live.view
        grid = refined(view.grid, [step for step, _ in self.steps])
        if self.steps:
            grid = sharpened(grid, self.steps[0][0][0])
        if grid == view.grid:
            return False
        self.live.view = replace(view, grid=grid)
        self.looks = CellClusters(grid)
        self.covered = {int(self.looks.of(before)[cell]) for (before, _), cell in self.steps}
        self.deaf, self.usual, self.marks, self.ends = set(), set(), set(), set()
        self.games.clear()
        return True

    def settle_rims(self) -> bool:
        """Compare only the inside of cells from now on where their rims depend on their neighbours.

        True where that was decided now; all that was learned is then worked out again.
        """
        if self.looks.inset or not self.games:
            return False
        inner = CellClusters(self.looks.grid, INSET)
        outer = CellClusters(self.looks.grid)
        covered: set[int] = set()
        opened: set[int] = set()
        for game in self.games:
            maps = inner.of(game.before)
            outer.of(game.before)
            hidden = self.hidden(game.before)
            covered |= set(maps[hidden & self.hidden(game.start)].tolist())
            opened |= set(maps[~hidden].tolist())
        covered = {
            look
            for look in covered
            if any((inner.of(game.start) == look).mean() >= SHARE for game in self.games)
        }
        if len(outer) <= MOST_SPLIT * len(inner) + 2 or not opened - covered:
            return False
        starts = [inner.of(game.start) for game in self.games]
        if any(np.isin(maps, list(covered)).mean() < 0.5 for maps in starts):
            return False
        changed_inside = [inner.of(game.opened_first)[game.first] not in covered for game in self.games]
        if not all(changed_inside):
            return False
        self.looks, self.covered = inner, covered
        self.deaf, self.ends = set(), set()
        self.usual = {look for game in self.games for look in inner.of(game.before).ravel().tolist()}
        return True


def frame_cells(looks: CellClusters) -> int:
    """The number of cells of the grid."""
    return looks.grid.columns * looks.grid.rows


def cell_differences(looks: CellClusters, one: Image, other: Image) -> npt.NDArray[np.float32]:
    """The mean difference of colour (0 to 255) of each cell in two pictures, shape (rows, columns)."""
    first, second = looks.cells(one), looks.cells(other)
    difference = np.maximum(first, second) - np.minimum(first, second)
    return np.asarray(difference.mean(axis=2, dtype=np.float32))


def anywhere(rng: random.Random, clicks: int = 10_000) -> Choose:
    """Click covered cells in no order, so many of them."""
    left = iter(range(clicks))

    def choose(_: Image, hidden: Mask) -> Coordinate | None:
        places = np.argwhere(hidden)
        if not len(places) or next(left, None) is None:
            return None
        row, column = places[rng.randrange(len(places))].tolist()
        return row, column

    return choose


def right_click(live: LiveWindow, cell: Coordinate, frame: Image) -> SettledWindow:
    """Click a cell with the right button and wait for what comes of it."""
    live.click(cell, Action.FLAG)
    return live.rest(frame)
