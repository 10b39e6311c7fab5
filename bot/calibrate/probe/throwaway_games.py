"""Throw-away games: covered cells are clicked until nothing reacts any more, and the pictures are kept."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from bot.board import Action, Coordinate
from bot.calibrate.infer.cell_clusters import Mask, cells_in
from bot.calibrate.infer.grid_refinement import Step, fit_to_changes, fit_to_likeness
from bot.calibrate.infer.knowledge import MIN_SHARE, Knowledge
from bot.calibrate.infer.played_game import PlayedGame
from bot.calibrate.probe.live_window import LiveWindow, SettledWindow
from bot.vision.grid import Image

MAX_SILENT, MAX_UNKNOWN = 2, 8
"""Clicks in a row that do nothing, on different cells, after which a game counts as over; the second while
it is not known yet what a covered cell looks like: opened ones may have been clicked."""

TIMED_CLICKS = 30
"""Last clicks by which the waiting times are set."""

Choose = Callable[[Image, Mask], "Coordinate | None"]
"""Given the window's picture and which cells are covered, the next cell to click; None to leave the game."""


class ThrowawayGames:
    """Plays throw-away games in a window and adds what they show to what is known."""

    def __init__(self, live: LiveWindow, knowledge: Knowledge, rng: random.Random) -> None:
        self.live = live
        self.latencies_s: list[float] = []
        """One for each click that did something, as in `SettledWindow`; the next two likewise."""
        self.lasted_s: list[float] = []
        self._pauses_s: list[float] = []
        self._knowledge = knowledge
        self._rng = rng
        self._steps: list[tuple[Step, Coordinate]] = []
        """The window before and after the first clicks, and the cell of each: they show where cells end."""

    def play(self, choose: Choose, start: Image, *, from_start: bool = True) -> PlayedGame | None:
        """Play the game that is open until it ends or is left; None where nothing reacted at all.

        `start` is the window's picture now; `from_start` says whether nothing has been clicked in it yet.
        """
        known, roles = self._knowledge, self._knowledge.roles
        frame = before = after_first = start
        after: tuple[Image, ...] = (start,)
        first = last = (-1, -1)
        clicks = silent = 0
        over = False
        tried: set[Coordinate] = set()
        while True:
            frame, late = self._at_rest(frame) if clicks else (frame, ())
            after += late
            covered = self._covered_except(tried, frame)
            cell = self._untested(frame) if clicks == 0 else None
            cell = cell or choose(frame, covered)
            if cell is None:
                # A veil over the whole board leaves nothing that looks covered.
                over = clicks > 0 and not known.covered(frame).any() and not tried - {last}
                break
            tried.add(cell)
            rest = self._click(cell, frame)
            if rest is None:
                silent += 1
                cluster = int(known.clusters.map_of(frame)[cell])
                if clicks == 0 and cluster not in roles.covered and len(tried) < MAX_UNKNOWN:
                    roles.inert.add(cluster)
                    silent = 0
                elif silent >= MAX_SILENT or self.live.dialogs():
                    over = clicks > 0
                    break
                continue
            cluster_map = known.clusters.map_of(frame)
            roles.inert.discard(int(cluster_map[cell]))
            roles.covered.add(int(cluster_map[cell]))
            if clicks:
                roles.midgame |= set(cluster_map.ravel().tolist()) - roles.lost - roles.marks
            silent = 0
            clicks += 1
            before, after, last, frame = frame, rest.moving, cell, rest.frame
            if len(self._steps) < 16:
                self._steps.append(((before, frame), cell))
            if clicks == 1:
                first, after_first = cell, rest.frame
            tried = {cell}
            if known.shows_loss(frame) or self.live.dialogs():
                over = True
                break
        if not clicks:
            return None
        after += self._at_rest(frame)[1]
        dialog = bool(self.live.dialogs())
        game = PlayedGame(start, before, after, last, clicks, first, after_first, over, dialog, from_start)
        known.games.append(game)
        return game

    def _at_rest(self, frame: Image) -> tuple[Image, tuple[Image, ...]]:
        """The window's picture now, and the different ones that have led to it since `frame`.

        `frame` was thought to be at rest, but a busy window pauses in the middle of its end.
        """
        now = self.live.grab()
        if not self._knowledge.clusters.changed(frame, now).any() or not self.live.rest_longer():
            return frame, ()
        rest = self.live.rest(end=True)
        return rest.frame, (now, *rest.moving)

    def _covered_except(self, tried: set[Coordinate], frame: Image) -> Mask:
        """Which cells look covered, those that were tried excepted."""
        covered = self._knowledge.covered(frame)
        if not self._knowledge.roles.covered:  # nothing is known yet: the most frequent cluster is taken
            cluster_map = self._knowledge.clusters.map_of(frame)
            covered = cluster_map == Counter(cluster_map.ravel().tolist()).most_common(1)[0][0]
        for cell in tried:
            covered[cell] = False
        return covered

    def _untested(self, frame: Image) -> Coordinate | None:
        """A cell of a new board whose cluster may be covered and has not been clicked yet."""
        roles = self._knowledge.roles
        if not roles.covered:
            return None
        cluster_map = self._knowledge.clusters.map_of(frame)
        for cluster, count in Counter(cluster_map.ravel().tolist()).most_common():
            if count >= MIN_SHARE * cluster_map.size and cluster not in roles.covered | roles.inert:
                return self._rng.choice(cells_in(cluster_map == cluster))
        return None

    def _click(self, cell: Coordinate, frame: Image) -> SettledWindow | None:
        """Click a cell; None where that changed nothing there, slowly and twice."""
        clusters, roles = self._knowledge.clusters, self._knowledge.roles
        for slow in (False, True):
            self.live.click(cell, slow=slow)
            rest = self.live.rest(frame)
            if clusters.changed(frame, rest.frame)[cell]:
                if set(clusters.map_of(rest.frame).ravel().tolist()) - roles.before_end:
                    # It may be the end, which takes its time.
                    longer = self.live.rest(end=True)
                    rest = replace(rest, frame=longer.frame, moving=rest.moving + longer.moving, changed=True)
                self._add_times(rest)
                return rest
            if self.live.dialogs():
                return None
        return None

    def _add_times(self, rest: SettledWindow) -> None:
        """Wait for reactions and for rest as long as this window needs, and no longer."""
        self.latencies_s.append(rest.latency_s)
        self.lasted_s.append(rest.lasted_s)
        self._pauses_s.append(rest.pause_s)
        if len(self.latencies_s) >= 5:
            self.live.reaction_s = min(0.5, max(0.12, 5 * max(self.latencies_s[-TIMED_CLICKS:])))
        self.live.quiet_s = min(0.4, max(0.05, 1.5 * max(self._pauses_s[-TIMED_CLICKS:])))

    def align_grid(self) -> None:
        """Put the grid where cells end, by what the first clicks changed; if it moves, forget clusters."""
        view = self.live.view
        grid = fit_to_changes(view.grid, [step for step, _ in self._steps])
        if self._steps:
            grid = fit_to_likeness(grid, self._steps[0][0][0])
        if grid != view.grid:
            self.live.view = replace(view, grid=grid)
            self._knowledge.move_grid(grid, [(before, cell) for (before, _), cell in self._steps])


def anywhere(rng: random.Random, clicks: int = 10_000) -> Choose:
    """Click covered cells at random, at most this many."""
    left = iter(range(clicks))

    def choose(_: Image, covered: Mask) -> Coordinate | None:
        places = cells_in(covered)
        return None if not places or next(left, None) is None else places[rng.randrange(len(places))]

    return choose


def right_click(live: LiveWindow, cell: Coordinate, frame: Image) -> SettledWindow:
    """Click a cell with the right button and wait for what comes of it; `frame` is the window before."""
    live.click(cell, Action.FLAG)
    return live.rest(frame)
