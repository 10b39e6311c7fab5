"""Learns a window: has it played as `minebot run` plays a game that no theme knows, until enough was seen."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.board import SYMBOLS, Action, Cell, FirstClick, Move, Observation, Phase, Result
from bot.calibrate.losing import LosesOnPurpose
from bot.calibrate.save.glyph_sheet import KnownLook
from bot.calibrate.save.played_window import PlayedWindow
from bot.errors import UnreadableBoard, WindowError
from bot.game_line import Ended, GameLine
from bot.recording.record import NullRecorder
from bot.session import Play, run_games
from bot.strategy.base import Decision, Strategy
from bot.targets.window.events.new_game_places import described
from bot.targets.window.window_target import WindowTarget
from bot.vision.themes.behaviour import NewGameWay

BUDGET_S = 100.0
"""For how long games are begun, in seconds; what was not seen by then is learned when it turns up."""

PLAY_SHARE, RARE_SHARE = 0.7, 0.35
"""Parts of the budget, 0 to 1: in the first one games are begun to be won, the rest is for marks, for a loss
and for first clicks; in the second one, numbers that are rare are waited for."""

MIN_GAMES, MOST_GAMES = 3, 40
"""Least and largest number of games that are played to be won."""

FREQUENT, RARE = frozenset(range(4)), frozenset(range(6))
"""Numbers that must have been seen, and those that are waited for while there is time."""

LEAST = frozenset({1, 2, int(Cell.COVERED)})
"""Looks without which a window is not learned."""

SAVING_S = 3.0
"""Seconds of the budget in which no other first click is tried."""

MOST_FIRST_CLICKS = 40
"""Largest number of games of which only the first cell is opened."""


@dataclass
class Learned:
    """What is known of a window once it was learned."""

    columns: int
    rows: int
    mines: int | None
    """The mines of every game of this size; None where that is not known."""
    first_click: FirstClick
    first_clicks: int
    """How many were tried."""
    first_lost: int
    """How many of them hit a mine."""
    flags_to_win: bool | None
    """Whether the mines must be flagged to win; None where no game was won."""
    new_game: NewGameWay | None
    """How a new game is started; None where that is not known."""
    games: int
    clicks: int
    seconds: float
    looks: list[KnownLook]
    notes: list[str] = field(default_factory=list)
    """What could not be found out, for people."""

    def seen(self) -> dict[str, int]:
        """For each letter of the board that is known, how many cells are evidence for it."""
        counts: dict[str, int] = {}
        for look in self.looks:
            counts[SYMBOLS[look.code]] = counts.get(SYMBOLS[look.code], 0) + look.seen
        return counts


@dataclass(frozen=True)
class _Lessons(Play):
    """Games that are played until something is known."""

    known: Callable[[], bool] = lambda: False

    def goes_on(self, lines: Sequence[GameLine], since_s: float) -> bool:
        return not self.known() and super().goes_on(lines, since_s)


class Lesson:
    """One window, learned by playing it."""

    def __init__(
        self,
        target: WindowTarget,
        player: Strategy,
        kept: PlayedWindow,
        *,
        budget_s: float = BUDGET_S,
        tell: Callable[[str], None] = lambda text: None,
        rng: random.Random | None = None,
    ) -> None:
        """`kept` takes in what the games show. `tell` is given a line for people now and then."""
        self._target, self._player, self._kept = target, player, kept
        self._budget_s, self._tell = budget_s, tell
        self._rng = rng or random.Random()
        self._begun = time.perf_counter()
        self._games = self._clicks = self._won = 0
        self._stuck = False
        """Whether no other game can be played."""
        self._notes: list[str] = []

    def learn(self) -> Learned:
        """Play until the window is understood; nothing is written.

        Raises WindowError where it cannot be played, which says what was understood; Stopped as any play.
        """
        games = _Lessons(MOST_GAMES, new=True, time_s=PLAY_SHARE * self._budget_s, known=self._is_known)
        self._play(self._player, games)
        if self._goes_on():
            self._play(self._player, Play(flags=True))
        if self._goes_on():
            flags = int(Cell.FLAG) in self._codes()
            self._play(LosesOnPurpose(self._player, wrong_flag=flags), Play())
        self._try_first_clicks()
        if not self._codes() >= LEAST:
            raise WindowError(
                f"after {self._games} games in {self._used_s():.0f} s the looks still make no sense;"
                f" understood: {self._understood()}: give it more time with --seconds"
            )
        self._leave_new_game()
        return self._learned()

    def _play(self, player: Strategy, how: Play) -> None:
        """Play games; note why one failed where the window is known well enough without it."""
        lines = run_games(self._target, player, how, lambda _: NullRecorder(), self, self._take_in)
        if not lines or lines[-1].outcome is not Result.FAILED:
            return
        if not self._games or not self._codes() >= LEAST:
            raise WindowError(f"{lines[-1].reason} (understood: {self._understood()})")
        self._stuck = True
        self._notes.append(f"not all of it was learned: {lines[-1].reason}")

    def _goes_on(self) -> bool:
        """Start another game, if there is time and a way to do it; whether it was started."""
        if self._stuck or self._left_s() <= SAVING_S:
            return False
        self._target.new_game()
        return True

    def _leave_new_game(self) -> None:
        """Leave a new board behind: some games hide a finished one, and it could not be told again; nor could
        one that failed."""
        if self._target.behaviour.new_game is None:
            return
        try:
            self._target.new_game()
        except (WindowError, UnreadableBoard) as error:
            self._notes.append(str(error))

    def _is_known(self) -> bool:
        """Whether enough games were played to be won."""
        wanted = RARE if self._used_s() < RARE_SHARE * self._budget_s else FREQUENT
        return self._games >= MIN_GAMES and self._won > 0 and self._codes() >= wanted

    def _try_first_clicks(self) -> None:
        """Open the first cell of game after game, until it is plain what protects it or time is up."""
        way, clicks = self._target.behaviour.new_game, self._kept.first_clicks
        if self._stuck or way is None or way.kind == "end place":
            return
        for _ in range(MOST_FIRST_CLICKS):
            plain = clicks.lost or self._kept.first_click is not FirstClick.ANY
            if plain or self._left_s() <= SAVING_S:
                return
            self._target.new_game()
            board = self._target.observe().board
            if not board.all_covered:
                return  # the game opens the first cells itself
            cell = self._rng.choice(board.where(Cell.COVERED))
            self._target.act([Move(Action.OPEN, *cell)], certain=False)
            self._clicks += 1
            after = self._target.observe()
            if after.phase is Phase.LOST:
                clicks.opened.append(int(Cell.MINE))
            elif after.board[cell] <= 8:
                clicks.opened.append(after.board[cell])

    def _used_s(self) -> float:
        return time.perf_counter() - self._begun

    def _left_s(self) -> float:
        return self._budget_s - self._used_s()

    def _codes(self) -> frozenset[int]:
        """The codes of `Cell` of which looks are known."""
        return frozenset(look.code for look in self._kept.looks())

    def _understood(self) -> str:
        """What is known so far, in words."""
        grid = self._target.view.grid
        letters = " ".join(SYMBOLS[code] for code in sorted(self._codes())) or "none"
        parts = [f"a grid of {grid.columns}x{grid.rows} cells", f"{self._games} games", f"looks: {letters}"]
        if self._target.behaviour.new_game is not None:
            parts.append(f"a new game by {described(self._target.behaviour.new_game)}")
        return ", ".join(parts)

    def _learned(self) -> Learned:
        target, clicks = self._target, self._kept.first_clicks
        knows, grid = target.observer.knows_wins, target.view.grid
        return Learned(
            grid.columns,
            grid.rows,
            self._kept.mines,
            self._kept.first_click,
            len(clicks.opened),
            clicks.lost,
            target.behaviour.wins == "flagged" if knows else False if self._won else None,
            target.behaviour.new_game,
            self._games,
            self._clicks,
            self._used_s(),
            self._kept.looks(),
            self._notes,
        )

    # What `run_games` tells

    def game_starts(self, number: int) -> None:
        """A game is about to be played."""

    def decided(self, observation: Observation, decision: Decision, clicks: int, seconds: float) -> None:
        """A decision was made."""

    def game_over(self, line: GameLine) -> None:
        """A game ended."""
        self._clicks += line.clicks

    def _take_in(self, game: Ended) -> None:
        """Count a game that ended, and take in what it has shown."""
        outcome = game.line.outcome
        if outcome not in (Result.WON, Result.LOST):
            return
        self._games += 1
        self._won += outcome is Result.WON
        self._kept.add(game)
        letters = " ".join(SYMBOLS[code] for code in sorted(self._codes()))
        self._tell(f"game {self._games}: {outcome.value}; known by now: {letters}")
