"""Learns a window by playing it: from pictures whose meaning is unknown to a theme."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np

from bot.board import Cell, Rules, Spread
from bot.calibrate.infer.findings import ClusterLabel, Findings
from bot.calibrate.infer.number_inference import InferredNumbers, infer_numbers
from bot.calibrate.probe.behaviour_probe import BehaviourProbe
from bot.calibrate.probe.live_window import LiveWindow
from bot.calibrate.probe.new_game_search import NewGameSearch
from bot.calibrate.probe.probe_player import KnownLabels, ProbePlayer
from bot.calibrate.probe.throwaway_games import PlayedGame, ThrowawayGames, anywhere
from bot.errors import WindowError
from bot.vision.grid import Image

BUDGET_S = 100.0
"""So long a window is played at the most; what was not seen by then is learned when it turns up."""

BLIND_PART = 0.6
"""The part of that in which the numbers must have shown what they mean."""

ENOUGH = {0: 3, 1: 6, 2: 4, 3: 2}
"""How often each number must have been seen before games are played by logic."""

Tell = Callable[[str], None]


class Lesson:
    """One window, learned from scratch."""

    def __init__(
        self,
        live: LiveWindow,
        *,
        rng: random.Random | None = None,
        budget_s: float = BUDGET_S,
        mines: int | None = None,
        tell: Tell = lambda text: None,
    ) -> None:
        """`mines` is the total where the user gave it. `tell` is given a line for people now and then."""
        self.live = live
        self.rng = rng or random.Random()
        self.thrower = ThrowawayGames(live, self.rng)
        self.restart = NewGameSearch(live, self._is_fresh)
        self.meanings = KnownLabels()
        self.disclosed: InferredNumbers | None = None
        self.customs = BehaviourProbe(self)
        self._given_mines = mines
        self._budget_s = budget_s
        self._tell = tell
        self._begun = time.perf_counter()
        self.certain = 0
        self.won = 0
        self.notes: list[str] = []

    def learn(self) -> Findings:
        """Play until the window is understood.

        Raises WindowError, which says what was understood, where that does not come about.
        """
        frame = self._first_board()
        frame = self._play_blind(frame)
        self._tell(f"understood: {self.disclosed.way if self.disclosed else ''}; {self._numbers()} are known")
        self._play_by_logic(self.customs.marks(frame))
        return self._result()

    # Time and words

    def left_s(self) -> float:
        """Seconds of the budget that are left."""
        return self._budget_s - (time.perf_counter() - self._begun)

    def used_s(self) -> float:
        """Seconds since it began."""
        return time.perf_counter() - self._begun

    def _numbers(self) -> str:
        known = sorted({code for code in self.meanings.codes.values() if code <= 8})
        return ", ".join(str(code) for code in known) or "no numbers"

    def understood(self) -> str:
        """What is known so far, for the line that says that it is not enough."""
        grid = self.live.view.grid
        parts = [f"a grid of {grid.columns}x{grid.rows} cells"]
        covered = len(self.thrower.covered)
        parts.append(
            f"{covered} look{'s' if covered != 1 else ''} of covered cells" if covered else "no covered cells"
        )
        if self.thrower.games:
            parts.append(f"{len(self.thrower.games)} games")
        if self.restart.way is not None:
            parts.append(f"a new game by {self.restart.way}")
        if self.meanings.codes:
            parts.append(f"the numbers {self._numbers()}")
        return ", ".join(parts)

    # Playing

    def _is_fresh(self, frame: Image, than: Image) -> bool:
        if not self.thrower.covered:
            cells, before = self.live.cells_of(frame), self.live.cells_of(than)
            return bool((cells != before).any(axis=2).mean() > 0.1)
        return self.thrower.fresh(frame, than)

    def _first_board(self) -> Image:
        """A board that reacts to clicks; a game that is over or half played is thrown away."""
        frame = self.live.rest().frame
        game = self.thrower.play(anywhere(self.rng), frame)
        if game is None:
            frame = self.restart.again(frame, frame)
            game = self.thrower.play(anywhere(self.rng), frame)
        if game is None:
            raise WindowError(
                f"{self.live.clicks} clicks on the grid changed nothing in its cells: is this a game?"
                " Name another one with --window"
            )
        # Nobody knows how long it had been played: it teaches what reacts and where cells end, and no more.
        self.thrower.games.clear()
        self.thrower.settle_grid()
        return self._again(game)

    def _again(self, game: PlayedGame) -> Image:
        return self.restart.again(self.live.grab(), game.before)

    def _play_blind(self, frame: Image) -> Image:
        """Click at random until the numbers are known."""
        limit = BLIND_PART * self._budget_s
        while True:
            game = self.thrower.play(anywhere(self.rng), frame)
            if game is None:
                raise WindowError(f"the window does not react any more; understood: {self.understood()}")
            self.thrower.settle_rims()
            self._work_out()
            frame = self._again(game)
            self._tell(f"game {len(self.thrower.games)}: {self._progress()}")
            if self._enough():
                return frame
            if self.used_s() > limit:
                raise WindowError(
                    f"after {len(self.thrower.games)} games in {self.used_s():.0f} s the looks still make no"
                    f" sense; understood: {self.understood()}"
                )

    def _progress(self) -> str:
        looks = len(self.thrower.usual | self.thrower.covered)
        return f"{looks} looks, {self._numbers()}"

    def _enough(self) -> bool:
        found = self.disclosed
        if found is None or len(found.mines) < 3:
            return False
        seen = dict.fromkeys(range(9), 0)
        for look, number in found.labels.items():
            seen[number] += found.seen[look]
        crowded = (found.total or 0) > 0.3 * self.live.view.grid.columns * self.live.view.grid.rows
        wanted = {number: count for number, count in ENOUGH.items() if number or not crowded}
        return all(seen[number] >= count for number, count in wanted.items())

    def _work_out(self) -> None:
        thrower = self.thrower
        found = infer_numbers(thrower.games, thrower.looks, thrower.covered, thrower.usual)
        if found is None:
            return
        self.disclosed = found
        self.meanings = KnownLabels(dict(found.labels), dict(found.seen))
        for look in thrower.covered:
            self.meanings.codes[look] = int(Cell.COVERED)
        self.customs.add_meanings(self.meanings)

    @property
    def mines(self) -> int | None:
        """The mine total, where it is known."""
        if self._given_mines is not None:
            return self._given_mines
        return None if self.disclosed is None else self.disclosed.total

    @property
    def rules(self) -> Rules:
        """What is known of the game."""
        grid = self.live.view.grid
        return Rules(grid.columns, grid.rows, self.mines, spread=Spread.EIGHT)

    def _play_by_logic(self, frame: Image) -> None:
        """Play as well as can be: it checks what is known, and the higher numbers turn up."""
        new = False  # one cell was opened to try the marks
        while self.left_s() > 0.12 * self._budget_s:
            thinker = ProbePlayer(self.thrower.looks, self.meanings, self.rules)
            game = self.thrower.play(thinker.choose, frame, new=new)
            new = True
            if game is None:
                raise WindowError(f"the window does not react any more; understood: {self.understood()}")
            lost = self.customs.is_lost(game)
            promised = len(thinker.certain)
            if thinker.last_certain and lost and game.last == thinker.last:
                raise WindowError(
                    "a cell that had to be safe was a mine: what was learned does not hold"
                    f" (understood: {self.understood()}); start once more"
                )
            self.certain += promised
            if game.over and not lost:
                self.won += 1
                self.customs.won_at_once(game)
                frame = self._again(game)
            elif thinker.done:
                frame = self.customs.all_opened(game)
                self.won += 1
            else:
                self._work_out()
                frame = self._again(game)
            if self.customs.satisfied():
                break
            frame = self.customs.practise(frame)
        self.customs.probe_first_clicks(frame)

    # The result

    def _result(self) -> Findings:
        self._work_out()
        thrower, found = self.thrower, self.disclosed
        assert found is not None
        learned = Findings(thrower.looks)
        for look, number in found.labels.items():
            learned.meanings[look] = ClusterLabel(
                number, found.seen[look], "the mines around it were counted"
            )
        for look in thrower.covered:
            seen = sum(int((thrower.looks.of(game.start) == look).sum()) for game in thrower.games)
            learned.meanings[look] = ClusterLabel(int(Cell.COVERED), seen, "there before the first click")
        learned.mines = self.mines
        learned.way = self.restart.way
        learned.dialogs = dict(self.restart.dialogs)
        learned.games, learned.clicks = len(thrower.games), self.live.clicks
        learned.seconds = self.used_s()
        learned.latency_s = max(thrower.timed.latencies, default=0.0)
        learned.lasted_s = float(np.percentile(thrower.timed.lasted, 90)) if thrower.timed.lasted else 0.0
        learned.certain, learned.won = self.certain, self.won
        learned.notes = self.notes
        self.customs.tell(learned)
        return learned
