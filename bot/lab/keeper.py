"""Keeps games in the results while they are played, without ever stopping the play."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from bot.errors import BotError
from bot.lab.results import WAIT_S, Busy, GameResult, Results
from bot.process.interrupts import uninterrupted

if TYPE_CHECKING:
    from bot.lab.games import Tally
    from bot.lab.study import ResultsStream, StudyFiles

HOLD_S = 2.0
"""How long a game is held back before it is written: so much is lost where the program is killed."""

MOST_HELD = 5000
"""How many games are held back at most."""

PATIENCE_S = 0.5
"""How long play waits for another program's write; what is not written then is written later."""

AGAIN_S = 10.0
"""How long after that the next try is made."""


class Keeper:
    """Takes games and writes them some at a time; where they cannot be kept it says so, once."""

    def __init__(self, path: Path, tell: Callable[[str], None], *, hold_s: float = HOLD_S) -> None:
        """`path`: the results file. `tell` is given the line for the user. `hold_s` 0 writes each game.

        Raises what opening the file raises.
        """
        self._results = Results(path, wait_s=WAIT_S)
        self._results.wait(PATIENCE_S)
        self._tell = tell
        self._hold_s = hold_s
        self._held: list[GameResult] = []
        self._next = time.monotonic() + hold_s
        self._open = True

    def of_study(self, study: str) -> int:
        """How many games of a study are kept, from its first one on. Raises what reading raises."""
        return self._results.of_study(study)

    def add(self, games: Iterable[GameResult]) -> None:
        """Keep these games, now or a little later. Never raises."""
        if not self._open:
            return
        self._held += games
        # Many games at once need not wait, except for a file that is in use.
        soon = self._next - self._hold_s if len(self._held) >= MOST_HELD else self._next
        if self._held and time.monotonic() >= soon:
            self._write()

    def close(self) -> None:
        """Write what is held back, waiting for other programs if it must: raises KeyboardInterrupt where that
        is cut short, and nothing else. Twice is once."""
        if not self._open:
            return
        if self._held:
            try:
                self._results.wait(WAIT_S)
                self._results.add(self._held)
            except BotError as error:
                self._give_up(error)
            except KeyboardInterrupt:  # while it waited
                self._give_up(BotError(f"the wait for {self._results.path} was cut short"))
                raise
        self._results.close()
        self._open = False

    def _write(self) -> None:
        try:
            # A Ctrl-C between the two would have the same games written again by `close`.
            with uninterrupted():
                self._results.add(self._held)
                self._held = []
        except Busy:
            self._next = time.monotonic() + AGAIN_S + self._hold_s
            return
        except BotError as error:
            self._give_up(error)
            return
        self._next = time.monotonic() + self._hold_s

    def _give_up(self, error: BotError) -> None:
        games = "1 game is" if len(self._held) == 1 else f"{len(self._held)} games are"
        self._tell(f"{games} not in the results, nor any that follow: {error}")
        self._held = []
        self._results.close()
        self._open = False

    def __enter__(self) -> Keeper:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass
class Intake:
    """Counts, keeps and writes games, which come in their order."""

    results: Path | None
    """The file of the results, for what is said of it."""
    study: str
    """The name of the study."""
    tally: Tally
    keeper: Keeper | None
    files: StudyFiles | ResultsStream | None
    advance: Callable[[], None]
    """Called once new games are taken in."""
    number: int = 0
    """Of the game that comes next, in its study."""

    def played(self, some: Tally) -> None:
        """Take in some new games."""
        # A Ctrl-C in between would leave games that are kept and not counted.
        with uninterrupted():
            self._keep(some)
            self.tally.add(some)
            if self.files is not None:
                self.files.add(some.wins, some.guesses)
        self.advance()

    def played_again(self, some: Tally) -> None:
        """Keep some games that were counted and written before. Raises BotError where they come out
        otherwise."""
        if some.wins != self.tally.wins[self.number : self.number + len(some.wins)]:
            raise BotError(f"games of {self.results} come out otherwise than before: leave out --resume")
        self._keep(some)

    def _keep(self, some: Tally) -> None:
        if self.keeper is not None:
            self.keeper.add(
                replace(game, study=self.study, game=self.number + at) for at, game in enumerate(some.played)
            )
        self.number += len(some.wins)
