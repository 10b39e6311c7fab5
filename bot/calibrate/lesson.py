"""Learns a window by playing it: from pictures whose meaning is unknown to a theme."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np

from bot.calibrate.infer.findings import Findings
from bot.calibrate.infer.knowledge import Knowledge
from bot.calibrate.probe.behaviour_probe import BehaviourProbe
from bot.calibrate.probe.live_window import LiveWindow
from bot.calibrate.probe.new_game_search import NewGameSearch
from bot.calibrate.probe.probe_player import ProbePlayer
from bot.calibrate.probe.throwaway_games import ThrowawayGames, anywhere
from bot.errors import WindowError
from bot.vision.grid import Image

BUDGET_S = 100.0
"""Longest time for which a window is played; what was not seen by then is learned when it turns up."""

BLIND_SHARE, SPARE_SHARE = 0.6, 0.12
"""Parts of the budget: in the first one the numbers must have shown what they mean, the second one is left by
play by logic for trying first clicks."""

MIN_SEEN, MIN_GAMES = {0: 3, 1: 6, 2: 4, 3: 2}, 3
"""Cells of each number that must have been seen, and games whose mines must be known, before games are played
by logic."""


class Lesson:
    """One window, learned from scratch."""

    def __init__(
        self,
        live: LiveWindow,
        *,
        rng: random.Random | None = None,
        budget_s: float = BUDGET_S,
        mines: int | None = None,
        tell: Callable[[str], None] = lambda text: None,
    ) -> None:
        """`mines` is the total where the user gave it. `tell` is given a line for people now and then."""
        self.live = live
        self._rng = rng or random.Random()
        self._budget_s = budget_s
        self._tell = tell
        self._knowledge = Knowledge(live.view.grid, mines)
        self._games = ThrowawayGames(live, self._knowledge, self._rng)
        self._new_game = NewGameSearch(live, self._is_new_board)
        self._behaviour = BehaviourProbe(
            self._games, self._new_game, self._knowledge, self._rng, self._left_s
        )
        self._begun = time.perf_counter()
        self._won = 0

    def learn(self) -> Findings:
        """Play until the window is understood; else raise WindowError, which says what was understood."""
        frame = self._play_blind(self._first_board())
        numbers = self._knowledge.numbers
        self._tell(f"understood: {numbers.way if numbers else ''}; {self._knowledge.number_names} are known")
        self._play_by_logic(self._behaviour.learn_marks(frame))
        return self._findings()

    def _left_s(self) -> float:
        return self._budget_s - self._used_s()

    def _used_s(self) -> float:
        return time.perf_counter() - self._begun

    def _understood(self) -> str:
        """What is known so far, for the line that says that it is not enough."""
        grid, known = self.live.view.grid, self._knowledge
        covered = len(known.roles.covered)
        parts = [
            f"a grid of {grid.columns}x{grid.rows} cells",
            f"{covered} look{'s' if covered != 1 else ''} of covered cells"
            if covered
            else "no covered cells",
        ]
        if known.games:
            parts.append(f"{len(known.games)} games")
        if self._new_game.found is not None:
            parts.append(f"a new game by {self._new_game.found}")
        if known.codes:
            parts.append(f"the numbers {known.number_names}")
        return ", ".join(parts)

    def _unresponsive(self) -> WindowError:
        return WindowError(f"the window does not react any more; understood: {self._understood()}")

    def _is_new_board(self, frame: Image, previous: Image) -> bool:
        if self._knowledge.roles.covered:
            return self._knowledge.is_new_board(frame, previous)
        cells, before = self.live.view.cells_of(frame), self.live.view.cells_of(previous)
        return bool((cells != before).any(axis=2).mean() > 0.1)  # no covered cell is known yet

    def _first_board(self) -> Image:
        """A board that reacts to clicks; a game that is over or half played is thrown away."""
        frame = self.live.rest().frame
        game = self._games.play(anywhere(self._rng), frame)
        if game is None:
            game = self._games.play(anywhere(self._rng), self._new_game.start(frame, frame))
        if game is None:
            raise WindowError(
                f"{self.live.clicks} clicks on the grid changed nothing in its cells: is this a game?"
                " Name another one with --window"
            )
        # Nobody knows how long it had been played: it teaches what reacts and where cells end, and no more.
        self._knowledge.games.clear()
        self._games.align_grid()
        return self._behaviour.next_game(game)

    def _play_blind(self, frame: Image) -> Image:
        """Click at random until the numbers are known; gives a new board."""
        known = self._knowledge
        while True:
            game = self._games.play(anywhere(self._rng), frame)
            if game is None:
                raise self._unresponsive()
            known.leave_edges_out()
            known.infer()
            frame = self._behaviour.next_game(game)
            looks = len(known.roles.midgame | known.roles.covered)
            self._tell(f"game {len(known.games)}: {looks} looks, {known.number_names}")
            if self._knows_numbers():
                return frame
            if self._used_s() > BLIND_SHARE * self._budget_s:
                raise WindowError(
                    f"after {len(known.games)} games in {self._used_s():.0f} s the looks still make no"
                    f" sense; understood: {self._understood()}"
                )

    def _knows_numbers(self) -> bool:
        """Whether enough is known to play by logic."""
        numbers = self._knowledge.numbers
        if numbers is None or len(numbers.mines) < MIN_GAMES:
            return False
        seen = dict.fromkeys(range(9), 0)
        for cluster, number in numbers.labels.items():
            seen[number] += numbers.seen[cluster]
        grid = self.live.view.grid
        crowded = (numbers.total or 0) > 0.3 * grid.columns * grid.rows  # it may show no 0
        return all(seen[number] >= count for number, count in MIN_SEEN.items() if number or not crowded)

    def _play_by_logic(self, frame: Image) -> None:
        """Play as well as can be: it checks what is known, and the higher numbers turn up."""
        from_start = False  # one cell was opened to try the marks
        while self._left_s() > SPARE_SHARE * self._budget_s:
            player = ProbePlayer(self._knowledge)
            game = self._games.play(player.choose, frame, from_start=from_start)
            from_start = True
            if game is None:
                raise self._unresponsive()
            lost = self._knowledge.is_lost(game)
            if player.last_certain and lost and game.last_cell == player.last:
                raise WindowError(
                    "a cell that had to be safe was a mine: what was learned does not hold"
                    f" (understood: {self._understood()}); start once more"
                )
            if game.over and not lost:
                self._won += 1
                self._behaviour.won_at_once(game)
                frame = self._behaviour.next_game(game)
            elif player.done:
                frame = self._behaviour.all_opened(game)
                self._won += 1
            else:
                self._knowledge.infer()
                frame = self._behaviour.next_game(game)
            if self._behaviour.satisfied:
                break
            frame = self._behaviour.learn_wrong_flag(frame)
        self._behaviour.probe_first_clicks(frame)

    def _findings(self) -> Findings:
        known, latencies, lasted = self._knowledge, self._games.latencies_s, self._games.lasted_s
        known.infer()
        findings = Findings(
            known.clusters,
            labels=known.labels(),
            mines=known.mines,
            new_game=self._new_game.found,
            dialogs=dict(self._new_game.dialogs),
            games=len(known.games),
            clicks=self.live.clicks,
            seconds=self._used_s(),
            latency_s=max(latencies, default=0.0),
            lasted_s=float(np.percentile(lasted, 90)) if lasted else 0.0,
            won=self._won,
        )
        self._behaviour.report(findings)
        return findings
