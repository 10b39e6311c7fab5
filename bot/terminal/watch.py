"""Looking on while the bot plays a rule set: the one loop, slowed down to what an eye can follow.

Space holds it and lets it go on, `r` starts another game, `q` quits.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence

from bot.board import Action, Cell, Coordinate, Move, Observation, Phase, Rules
from bot.errors import Stopped
from bot.game.game import Game
from bot.game.rule_sets import COMP1511, EIBX, ENDOH1, RuleSet
from bot.game_loop import play
from bot.strategy.base import Decision, Strategy
from bot.targets.in_process import InProcessTarget
from bot.terminal import comp1511_screen, eibx, endoh1
from bot.terminal.paint import Line, too_small

LOOK_S = 0.05
"""Seconds between two looks at what the bot has done."""

LINES: dict[str, Callable[[Game, Coordinate | None, bool], list[Line]]] = {
    ENDOH1.name: lambda game, cursor, plain: endoh1.field_lines(game.board, cursor, plain=plain),
    EIBX.name: lambda game, cursor, _plain: eibx.field_lines(game, cursor, game.board.where(Cell.FLAG)),
    COMP1511.name: lambda game, cursor, _plain: comp1511_screen.field_lines(game, cursor),
}
"""The look of each game, its own: of a game with a cursor, plain or in colours."""

NARROWEST = 40
"""Columns that the lines below the field need."""


class Watch:
    """The bot's games on the terminal."""

    def __init__(
        self,
        rule_set: RuleSet,
        rules: Rules,
        strategy: Callable[[], Strategy],
        *,
        pause_s: float = 0.1,
        seed: int | None = None,
        hints: int | None = None,
        plain: bool = False,
    ) -> None:
        """`strategy` is called beside the game, since loading takes its time; a move takes `pause_s`. `plain`
        is a look without colours."""
        self._rule_set = rule_set
        self._rules = rules
        self._strategy = strategy
        self._pause_s = pause_s
        self._seeds = random.Random(seed)
        self._hints = hints
        self._plain = plain
        self._size = (0, 0)
        self._won = self._played = 0
        self._held = False
        self._start()

    def _start(self) -> None:
        game = self._rule_set.game(self._rules, self._seeds.getrandbits(32), hints=self._hints)
        self._target = _Slow(game, self._pause_s)
        self._target.hold(self._held)
        self.error: BaseException | None = None
        target = self._target
        threading.Thread(target=lambda: self._play(target), daemon=True).start()

    def _play(self, target: _Slow) -> None:
        try:
            from bot.solver.jit import compiler

            compiler.quiet()
            outcome = play(target, self._strategy(), listener=target, flags=True, chords=False).outcome
            if outcome.reason:
                target.said = outcome.reason
        except Stopped:
            return
        except BaseException as error:
            self.error = error
            return
        self._played += 1
        self._won += target.game.phase is Phase.WON

    def paint(self, columns: int, lines: int) -> list[Line]:
        """The field in the look of its game, what the bot does and why, and how it went so far."""
        self._size = (columns, lines)
        game = self._target.game
        picture = LINES[self._rule_set.name](game, self._target.cursor, self._plain)
        width = max(sum(len(text) for _, text in line) for line in picture)
        needs = (max(width, NARROWEST), len(picture) + 3)
        if columns < needs[0] or lines < needs[1]:
            return too_small(columns, lines, needs, "; q quits")
        tally = f"{game.phase.value}; won {self._won} of {self._played}; {game.mines_left} mines left"
        if game.hints:
            tally += f"; {game.hints} hints"
        return [
            *picture,
            [("status", tally)],
            [("", self._target.said or "loading the solver")],
            [("note", "space: hold, go on   r: another game   q: quit")],
        ]

    def key(self, name: str) -> bool:
        """Space, `r`, `q`."""
        if name == "space":
            self._held = not self._held
            self._target.hold(self._held)
        elif name in ("q", "r"):
            self._target.stop()
            if name == "q":
                return False
            self._start()
        return True

    def click(self, column: int, line: int, button: str) -> bool:
        """It is the bot that plays."""
        return True

    def tick(self) -> float | None:
        """Look again soon; raises what went wrong in the game."""
        if self.error is not None:
            raise self.error
        return LOOK_S


class _Slow(InProcessTarget):
    """A game in memory at the pace of an eye; it is stopped from another thread."""

    def __init__(self, game: Game, pause_s: float) -> None:
        super().__init__(game)
        self.cursor: Coordinate | None = None
        self.said = ""
        self._pause_s = pause_s
        self._stopped = threading.Event()
        self._going = threading.Event()
        self._going.set()

    def decided(self, observation: Observation, decision: Decision, moves: Sequence[Move], turn: int) -> None:
        """Keep why."""
        self.said = f"{decision.rung}: {decision.reason}"

    def act(self, moves: Sequence[Move], *, certain: bool = True) -> int:
        """One move after the other, each after its pause. Raises Stopped once it is to stop."""
        for move in moves:
            self.cursor = move.cell
            self._stopped.wait(self._pause_s)
            self._going.wait()
            if self._stopped.is_set():
                raise Stopped("the game is not looked at any more")
            if move.action is Action.FLAG and self.game.phase.over:
                continue
            self.game.act(move)
        return len(moves)

    def hold(self, held: bool) -> None:
        """Wait before the next move, or go on."""
        if held:
            self._going.clear()
        else:
            self._going.set()

    def stop(self) -> None:
        """End the game at its next move."""
        self._stopped.set()
        self._going.set()
