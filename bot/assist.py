"""Playing beside a person: the bot plays what is certain and leaves the choices to them, or only advises.

The idea is that of endoh1's "semi-automatic Minesweeper" (IOCCC 2020): the program probes what follows, the
player guesses. Here the player does so in the window itself, and the bot sees it from the pixels.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Protocol

from bot.board import Action, Board, Cell, Coordinate, FirstClick, Move, Observation, Outcome, Phase, Result
from bot.errors import ContradictionError, UnreadableBoard, WindowLost
from bot.game_loop import ANOTHER_GAME, GameReport, Listener, moves_for
from bot.solver.position.solve import solve_board
from bot.strategy.base import Decision, Kind, Strategy
from bot.strategy.first_click import untouched
from bot.targets.board_changes import continues
from bot.targets.window.inferred_moves import inferred_moves, opened_up
from bot.targets.window.spectator import Spectator
from bot.targets.window.window_target import WindowTarget

LOOK_S = 0.02
"""Between two looks while a person plays."""

NEXT_S = 5.0
"""How long the mouse must rest after a game before the bot starts the next one."""


class WaitReason(str, Enum):
    """Why the bot does nothing just now."""

    CHOICE = "choice"
    """Nothing is certain: the person chooses."""
    REST = "rest"
    """Something is certain, but the person has the mouse."""
    TROUBLE = "trouble"
    """The board cannot be seen."""
    NEXT = "next"
    """The game is over, and another one may begin."""


@dataclass(frozen=True)
class Turn:
    """A position as it is shown to a person: what is certain, what would be guessed, and the chances."""

    observation: Observation
    decision: Decision

    @cached_property
    def chances(self) -> Mapping[Coordinate, float]:
        """The exact chance of a mine of each covered cell; empty where the board cannot be."""
        return chances_of(self.observation)

    @cached_property
    def safe(self) -> tuple[Coordinate, ...]:
        """The cells that are certainly no mine, row by row."""
        certain = {cell for cell, risk in self.chances.items() if risk == 0}
        return tuple(sorted(certain.union(self.decision.safe if self.decision.kind is Kind.CERTAIN else ())))

    @cached_property
    def mines(self) -> tuple[Coordinate, ...]:
        """The covered cells that certainly are mines, row by row."""
        certain = {cell for cell, risk in self.chances.items() if risk == 1}
        return tuple(sorted(certain.union(self.decision.mines)))

    @property
    def choice(self) -> Coordinate | None:
        """The cell that the strategy would open where it knows no safe one; None where it has none."""
        guesses = self.decision.kind in (Kind.GUESS, Kind.FIRST)
        return self.decision.safe[0] if guesses and self.decision.safe else None

    @cached_property
    def candidates(self) -> tuple[tuple[float, tuple[Coordinate, ...]], ...]:
        """The cells that can be opened, by their chance of being no mine, the best first."""
        groups: dict[float, list[Coordinate]] = {}
        for cell, risk in sorted(self.chances.items()):
            if risk < 1:
                groups.setdefault(round(1 - risk, 6), []).append(cell)
        return tuple((chance, tuple(groups[chance])) for chance in sorted(groups, reverse=True))


def chances_of(observation: Observation) -> Mapping[Coordinate, float]:
    """The exact chance of a mine of each covered cell; empty where the board cannot be."""
    try:
        return solve_board(observation.board, observation.rules, observation.constraints, dead=False).chance
    except ContradictionError:
        return {}


class Companion(Listener, Protocol):
    """Somebody who tells the person what the bot sees, and keeps what it decides."""

    def shown(self, turn: Turn, number: int) -> None:
        """Another position was seen; `number` counts the decisions of the game from 0."""
        ...

    def waits(self, why: WaitReason, text: str = "") -> None:
        """The bot waits. Called each time when the reason changes."""
        ...

    def person_moved(self, moves: Sequence[Move]) -> None:
        """The person made these moves."""
        ...


@dataclass
class Witness:
    """Sees what became of a board, and tells what of it was the person's doing."""

    game: WindowTarget | Spectator
    companion: Companion
    last: Observation | None = None
    moves: int = 0
    """How many moves the person made."""
    guesses: list[float] = field(default_factory=list)
    """The chance of each guess of theirs: of every opening that was not certain to be safe."""
    blame: str = ""
    """What ended the game, where it was the person's move."""
    untouched_at: float = 0.0
    """When nothing had been opened yet, as far as was seen; in seconds, as `time.perf_counter` gives them."""

    def saw(self, now: Observation, sent: Sequence[Move] = ()) -> bool:
        """Take in a board; `sent` are our clicks since the last one. False where it is of another game."""
        before, self.last = self.last, now
        if before is not None and not continues(before.board, now.board):
            self.last = before
            return False
        self._time(before, now)
        if before is None or before.board == now.board:
            return True
        chances: Mapping[Coordinate, float] = {}
        moves = inferred_moves(before.board, now.board, sent, over=now.phase.over)
        if any(move.action is Action.OPEN for move in moves):
            chances = chances_of(before)
            moves = inferred_moves(before.board, now.board, sent, over=now.phase.over, chances=chances)
        self._judge_all(moves, before, now, chances)
        if moves:
            self.moves += len(moves)
            self.companion.person_moved(moves)
        return True

    def _time(self, before: Observation | None, now: Observation) -> None:
        """Note when the game began: before the look that saw it, which on a busy machine may see its end."""
        if self.game.started is not None:
            return
        begun = now.phase.over or not untouched(now.board)
        if before is not None and before.board != now.board and begun:
            self.game.started = self.untouched_at
        else:
            self.untouched_at = time.perf_counter()

    def _judge_all(
        self,
        moves: Sequence[Move],
        before: Observation,
        now: Observation,
        chances: Mapping[Coordinate, float],
    ) -> None:
        """Judge moves that were made between two boards, each by what the ones before it have opened: nobody
        knows their order, so the safest come first, and what exploded last. `chances` are those `before`."""

        def danger(move: Move) -> tuple[bool, float]:
            return now.board[move.cell] == Cell.EXPLODED, chances.get(move.cell, 0.0)

        left = list(moves)
        while left:
            move = min(left, key=danger)
            left.remove(move)
            self._judge(move, before, now, chances)
            if any(other.action is Action.OPEN for other in left):
                before = replace(before, board=opened_up([move], before.board, now.board))
                chances = chances_of(before)

    def _judge(
        self, move: Move, before: Observation, now: Observation, chances: Mapping[Coordinate, float]
    ) -> None:
        place = f"row {move.row}, column {move.column}"
        if move.action is Action.CHORD and now.phase is Phase.LOST:
            self.blame = f"lost by the person's chord on {place}: a flag beside it was wrong"
        if move.action is not Action.OPEN:
            return
        protected = untouched(before.board) and now.rules.first_click is not FirstClick.ANY
        risk = 0.0 if protected else chances.get(move.cell, 0.0)
        if risk > 0:
            self.guesses.append(1 - risk)
        if now.phase is Phase.LOST and (now.board[move.cell] == Cell.EXPLODED or not self.blame):
            if risk == 1:
                self.blame = f"lost by the person's click on {place}, which was certain to be a mine"
            elif risk > 0:
                self.blame = f"lost by the person's guess on {place}, which had a chance of {1 - risk:.0%}"
            else:
                self.blame = f"lost by the person's click on {place}"

    def report(self, turns: int, *, another: bool = False) -> GameReport:
        """How the game ended, after the last board was seen."""
        assert self.last is not None
        if another:
            outcome = Outcome(Result.STOPPED, ANOTHER_GAME)
        elif self.last.phase is Phase.WON:
            outcome = Outcome(Result.WON)
        else:
            outcome = Outcome(Result.LOST, self.blame or "lost without a guess")
        return GameReport(outcome, self.last, self.guesses, turns, abandoned=another, person_moves=self.moves)


class Assisted:
    """One game that the bot and a person play together in one window."""

    def __init__(
        self,
        target: WindowTarget,
        strategy: Strategy,
        companion: Companion,
        witness: Witness,
        *,
        flags: bool,
        chords: bool,
    ) -> None:
        """Play the present game of a target. `flags` and `chords` are those of `bot.game_loop.play`."""
        self._target = target
        self._strategy = strategy
        self._companion = companion
        self._flags = flags
        self._chords = chords
        self.witness = witness
        self._onlooker = target.spectator()
        self._onlooker.record = target.record
        self._turn = 0

    def play(self) -> GameReport:
        """Play what is certain, and wait for the person where nothing is.

        Raises what the target raises, except where the board cannot be seen or cannot be right: that is
        told and waited for.
        """
        sent: Sequence[Move] = ()
        while True:
            seen = self._observed()
            if seen is not None:
                if not self.witness.saw(seen, sent):
                    return self.witness.report(self._turn, another=True)
                if seen.phase.over:
                    return self.witness.report(self._turn)
                sent = self._act(seen)
            if seen is None or not sent:
                if not self._wait(sent):
                    return self.witness.report(self._turn, another=True)
                sent = ()

    def _observed(self) -> Observation | None:
        """The board at rest; None where it cannot be seen. A window that is gone raises once that is waited
        for."""
        try:
            return self._target.observe()
        except (UnreadableBoard, WindowLost):
            return None

    def _act(self, seen: Observation) -> Sequence[Move]:
        """Make the moves that are certain; gives those that were made."""
        try:
            decision = self._strategy.decide(seen, self._turn)
        except ContradictionError:
            return ()
        if decision.kind is not Kind.CERTAIN:
            return ()
        moves = moves_for(decision, seen.board, flags=self._flags, chords=self._chords, openings_first=True)
        self._companion.decided(seen, decision, moves, self._turn)
        self._turn += 1
        try:
            return moves[: self._target.act(moves)]
        except (UnreadableBoard, WindowLost):
            return ()

    def _wait(self, sent: Sequence[Move]) -> bool:
        """Leave the mouse to the person until something is certain and they let go of it; `sent` are our
        clicks since the last board.

        False where they began another game.
        """
        spectator, rest = self._onlooker, self._target.give_mouse()
        shown: Board | None = None
        told, ready = "", False
        while True:
            seen, rests = spectator.look(), rest.lasts()
            if spectator.another or (seen is not None and not self.witness.saw(seen, sent)):
                return False
            if seen is not None:
                sent = ()
                self._target.others_click()
            if seen is None:
                if spectator.trouble not in ("", told):
                    told = spectator.trouble
                    self._companion.waits(WaitReason.TROUBLE, told)
                if spectator.trouble and rests:
                    self._target.answer_dialogs()
            elif seen.phase.over:
                return True
            else:
                if told or seen.board != shown:
                    told, shown = "", seen.board
                    ready = self._show(seen)
                if ready and rests:
                    return True
            time.sleep(LOOK_S)

    def _show(self, seen: Observation) -> bool:
        """Show a position to the person; whether the bot has something to do there."""
        try:
            decision = self._strategy.decide(seen, self._turn)
        except ContradictionError as error:
            self._onlooker.doubt()
            self._companion.waits(WaitReason.TROUBLE, f"the board cannot be right: {error}")
            return False
        self._companion.shown(Turn(seen, decision), self._turn)
        self._turn += 1
        certain = decision.kind is Kind.CERTAIN
        self._companion.waits(WaitReason.REST if certain else WaitReason.CHOICE)
        return certain


def next_game(target: WindowTarget, companion: Companion) -> None:
    """After a game: wait until the person begins another one, or start it once the mouse has rested."""
    companion.waits(WaitReason.NEXT, f"the next one begins in {NEXT_S:.0f} s; move the mouse to put that off")
    spectator, rest = target.spectator(), target.give_mouse()
    since = time.perf_counter()
    while True:
        seen = spectator.look()
        if seen is not None and not seen.phase.over:
            return
        spectator.forget_end()
        now = time.perf_counter()
        if not rest.lasts():
            since = now
        elif now - since > NEXT_S:
            target.new_game()
            return
        time.sleep(LOOK_S)


def begun(spectator: Spectator, companion: Companion) -> None:
    """Wait until the window shows a game that is not over."""
    told = None
    while (seen := spectator.look()) is None or seen.phase.over:
        why = spectator.trouble if seen is None else "start the next game in the window"
        if why and why != told:
            companion.waits(WaitReason.TROUBLE if seen is None else WaitReason.NEXT, why)
            told = why
        spectator.forget_end()
        time.sleep(LOOK_S)


def follow(spectator: Spectator, strategy: Strategy, companion: Companion, witness: Witness) -> GameReport:
    """Watch a person play one game to its end, and show what is certain in every position.

    Nothing is clicked. Raises what the onlooker raises.
    """
    shown: Observation | None = None
    turn, told = 0, ""
    while True:
        seen = spectator.look()
        if spectator.another:
            return witness.report(turn, another=True)
        if seen is None:
            if spectator.trouble and spectator.trouble != told:
                told = spectator.trouble
                companion.waits(WaitReason.TROUBLE, told)
        elif not witness.saw(seen):
            return witness.report(turn, another=True)
        elif seen.phase.over:
            return witness.report(turn)
        elif shown is None or seen.board != shown.board or told:
            shown, told = seen, ""
            try:
                decision = strategy.decide(seen, turn)
            except ContradictionError as error:
                told = str(error)
                companion.waits(WaitReason.TROUBLE, f"the board cannot be right: {error}")
            else:
                companion.shown(Turn(seen, decision), turn)
                turn += 1
        time.sleep(LOOK_S)
