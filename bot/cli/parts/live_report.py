"""Reports what `minebot run` does: one live line in a terminal, lines elsewhere, and JSON lines if asked
for."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import Protocol, TypeVar

from rich.live import Live
from rich.text import Text

from bot.board import Cell, Observation, Result
from bot.cli.parts.outputs import print_json
from bot.cli.parts.tables import PlainConsole, print_table
from bot.cli.parts.words.how_long import ENDLESS
from bot.errors import Stopped
from bot.game_line import GameLine
from bot.lab.stats import wilson
from bot.process.terminal import somebody_answers
from bot.screen.mouse import CORNER
from bot.strategy.base import Decision, Kind

UPDATE_S = 0.1
"""Minimum time between two updates of the live line, in seconds."""

Reporter = TypeVar("Reporter", bound="LiveReporter")


class Viewer(Protocol):
    """Somebody who is shown a run, as `bot.show.live.LiveView` is."""

    def game_starts(self, number: int) -> None:
        """Game `number`, from 1, is about to be played."""
        ...

    def shown(self, seen: Observation, decision: Decision, clicks: int = 0, seconds: float = 0.0) -> None:
        """A position was seen and decided on."""
        ...

    def game_over(self, outcome: str, seconds: float | None, guesses: int, survival: float) -> None:
        """A game ended."""
        ...


class LiveReporter:
    """Reports to people on stderr and to programs on stdout."""

    def __init__(self, games: int, *, as_json: bool) -> None:
        self._games = games
        self._json = as_json
        self._console = PlainConsole(stderr=True)
        self._live = Live(console=self._console, refresh_per_second=8, transient=True)
        self._number = 0
        self._won = 0
        self._shown = 0.0
        self._told: set[str] = set()
        self.lines: list[GameLine] = []
        self.listeners: list[Callable[[str], None]] = []
        """Whoever else is given the lines for people."""
        self.viewers: list[Viewer] = []
        """Whoever else is shown what goes on."""

    def __enter__(self: Reporter) -> Reporter:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end_live_line()

    def end_live_line(self) -> None:
        """Take the live line away, so that what follows is not printed above it. Again does nothing."""
        self._live.stop()

    @property
    def _count(self) -> str:
        """Which game it is, of how many."""
        return f"{self._number}" if self._games >= ENDLESS else f"{self._number}/{self._games}"

    def tell(self, text: str) -> None:
        """Print a line for people, above the live one."""
        self._console.print(f"minebot: {text}", markup=False, soft_wrap=True)
        for listener in self.listeners:
            listener(text)

    def tell_once(self, what: str, why: str) -> None:
        """Print `what` with its reason, unless it was told before."""
        if what not in self._told:
            self._told.add(what)
            self.tell(f"{what}: {why}")

    def game_starts(self, number: int) -> None:
        """Remember the number for the live line."""
        self._number = number
        for viewer in self.viewers:
            viewer.game_starts(number)

    def decided(self, observation: Observation, decision: Decision, clicks: int, seconds: float) -> None:
        """Update the live line, at most every `UPDATE_S` seconds, and for every guess.

        `clicks` and `seconds` are those of the game so far.
        """
        for viewer in self.viewers:
            viewer.shown(observation, decision, clicks, seconds)
        now = time.perf_counter()
        if not self._live.is_started or (now - self._shown < UPDATE_S and decision.kind is not Kind.GUESS):
            return
        self._shown = now
        left = observation.board.count(Cell.COVERED, Cell.QUESTION)
        pace = f"{clicks / seconds:.0f} clicks/s" if seconds > 0.05 else ""
        parts = [
            f"game {self._count}",
            f"{left} cells left",
            f"{decision.rung}: {decision.reason}" if decision.reason else decision.rung,
            pace,
            f"{self._won} won",
        ]
        line = " · ".join(part for part in parts if part)
        self._live.update(Text(line, no_wrap=True, overflow="ellipsis"))

    def game_over(self, line: GameLine) -> None:
        """Print the JSON line, or a short one for people."""
        self.lines.append(line)
        for viewer in self.viewers:
            viewer.game_over(line.outcome.value, line.seconds, line.guesses, line.survival)
        self._won += line.outcome is Result.WON
        if self._json:
            print_json(line)
            return
        seconds = "" if line.seconds is None else f" in {line.seconds:.2f} s"
        # Why it failed is the last line of the run.
        reason = f": {line.reason}" if line.reason and line.outcome is not Result.FAILED else ""
        self.tell(f"game {self._count} {line.outcome.value}{seconds}{reason}")

    def has_reported(self, reason: str) -> bool:
        """Whether `reason` was printed for people as the end of the last game."""
        return bool(self.lines) and not self._json and self.lines[-1].reason == reason

    def summary(self) -> None:
        """Print the table and the win rate of all games; nothing with JSON."""
        if self._json or not self.lines:
            return
        rows = [{"game": str(number)} | self.table_row(line) for number, line in enumerate(self.lines, 1)]
        print_table(list(rows[0]), [tuple(row.values()) for row in rows])
        out = PlainConsole(markup=False, soft_wrap=True)
        played = [line for line in self.lines if line.outcome in (Result.WON, Result.LOST)]
        if played:
            won = sum(line.outcome is Result.WON for line in played)
            low, high = wilson(won, len(played))
            rate = won / len(played)
            out.print(f"won {won} of {len(played)} games: {rate:.1%} (95 % interval {low:.1%} to {high:.1%})")
        recordings = [line.recording for line in self.lines if line.recording is not None]
        if recordings:
            out.print(f"recorded: {recordings[-1]}")
            if len(recordings) > 1:
                out.print(f"and {len(recordings) - 1} more beside it")
            # Quoted for any shell, that of Windows too.
            named = f'"{recordings[-1]}"' if " " in recordings[-1] else recordings[-1]
            out.print(f"see it again: minebot replay {named}")

    def table_row(self, line: GameLine) -> dict[str, str]:
        """The row of the table for a game: texts by the titles of their columns."""
        return {
            "outcome": line.outcome.value,
            "seconds": "" if line.seconds is None else f"{line.seconds:.2f}",
            "clicks": str(line.clicks),
            "guesses": str(line.guesses),
            "survival": f"{line.survival:.0%}",
            "size": f"{line.columns}x{line.rows}",
            "mines": "?" if line.mines is None else str(line.mines),
            "3BV": "" if line.bbbv is None else str(line.bbbv),
        }

    def pause(self, in_corner: Callable[[], bool]) -> None:
        """The takeover of a person who moved the mouse: wait until they let the bot go on.

        Raises Stopped if they stop it, and if there is no terminal to ask on.
        """
        if not somebody_answers():
            raise Stopped("somebody moved the mouse, and there is no terminal to ask on whether to go on")
        running = self._live.is_started
        self._live.stop()
        self.tell("paused: the mouse is yours. Press Enter to let the bot go on, q and Enter to stop it")
        answer = ask(in_corner)
        if answer.lower().startswith("q"):
            raise Stopped("stopped by the user")
        if running:
            self._live.start()


def ask(in_corner: Callable[[], bool] = lambda: False) -> str:
    """Read a line from the terminal. Raises Stopped if the pointer is in the fail-safe corner meanwhile, and
    if the terminal is closed."""
    answers: queue.Queue[str] = queue.Queue()
    threading.Thread(target=lambda: answers.put(sys.stdin.readline()), daemon=True).start()
    while True:
        try:
            answer = answers.get(timeout=0.05)
        except queue.Empty:
            if in_corner():
                raise Stopped(CORNER) from None
            continue
        if not answer:
            raise Stopped("the terminal was closed")
        return answer.strip()
