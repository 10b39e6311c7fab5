"""A log of one run for people: what was seen, decided and clicked, a line each, beside the recording."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TextIO

from bot.board import Board, Constraint, Fault, Move, Outcome, Phase
from bot.errors import BotError
from bot.files import user_data
from bot.geometry import Point
from bot.recording.record import Record
from bot.strategy.base import Decision
from bot.vision.grid import Grid, Image
from bot.vision.reading import Reading


class RunLog:
    """The log file of a run, open for writing. A disk that fails ends the log and not the run."""

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        """Begin the file. Raises BotError if that cannot be done."""
        self.path = path
        self._warn = warn
        self._start = time.perf_counter()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: TextIO | None = path.open(
                "x", encoding="utf-8", errors="backslashreplace", buffering=1
            )
        except OSError as error:
            why = error.strerror or error
            raise BotError(
                f"{path} cannot be written: {why}: make room there, or leave out --verbose"
            ) from None

    def write(self, text: str) -> None:
        """Write a line with its time. Never raises."""
        if self._file is None:
            return
        try:
            self._file.write(f"{time.perf_counter() - self._start:10.3f}  {text}\n")
        except OSError as error:
            self.close()
            self._warn(f"the log ends here: {self.path}: {error.strerror or error}")

    def close(self) -> None:
        """Let go of the file. Closing again does nothing."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.close()


def new_log_path() -> Path:
    """A name of its own in the user's data folder, by the time."""
    return user_data() / "logs" / f"{datetime.now():%Y%m%d-%H%M%S-%f}.log"


class LoggedRecord:
    """A record of one game that is written to a log as well."""

    def __init__(self, record: Record, log: RunLog) -> None:
        self._record = record
        self._log = log
        self._last: Board | None = None

    @property
    def folder(self) -> Path | None:
        """Where the recording lies."""
        return self._record.folder

    def frame(self, image: Image, x: int, y: int, grid: Grid | None = None) -> int:
        """Pass it on; the readings of frames are logged."""
        return self._record.frame(image, x, y, grid)

    def board(
        self,
        frame: int,
        reading: Reading,
        phase: Phase,
        mines: int | None,
        *,
        faults: Sequence[Fault | str] = (),
        constraints: Sequence[Constraint] = (),
        early: bool = False,
    ) -> None:
        """Log what was read; a board that is the same as before is not written again."""
        self._record.board(frame, reading, phase, mines, faults=faults, constraints=constraints, early=early)
        total = "unknown" if mines is None else mines
        self._log.write(
            f"seen     frame {frame}: {phase.value}{', cells in flight' if early else ''}, mines {total}"
        )
        for fault in faults:
            self._log.write(f"refused  {fault if isinstance(fault, str) else fault.text}")
        if reading.board != self._last:
            self._last = reading.board
            for line in reading.board.lines:
                self._log.write(f"         {line}")

    def decision(self, turn: int, decision: Decision) -> None:
        """Log what was decided."""
        self._record.decision(turn, decision)
        named = [f"open {row},{column}" for row, column in decision.safe]
        named += [f"mine {row},{column}" for row, column in decision.mines]
        self._log.write(
            f"decided  turn {turn}: {decision.kind.value} by {decision.rung}, survival"
            f" {decision.survival:.4f}: {decision.reason}: {'; '.join(named) or 'nothing'}"
        )

    def click(self, move: Move, point: Point, attempt: int = 1) -> None:
        """Log a click."""
        self._record.click(move, point, attempt)
        again = f", attempt {attempt}" if attempt > 1 else ""
        self._log.write(
            f"clicked  {move.action.value} {move.row},{move.column} at {point.x},{point.y}{again}"
        )

    def person(self, move: Move) -> None:
        """Log what a person did."""
        self._record.person(move)
        self._log.write(f"person   {move.action.value} {move.row},{move.column}")

    def note(self, text: str) -> None:
        """Log what else happened."""
        self._record.note(text)
        self._log.write(f"note     {text}")

    def outcome(
        self,
        outcome: Outcome,
        *,
        seconds: float | None,
        clicks: int,
        guesses: int,
        survival: float,
        bbbv: int | None,
    ) -> None:
        """Log how the game ended."""
        self._record.outcome(
            outcome, seconds=seconds, clicks=clicks, guesses=guesses, survival=survival, bbbv=bbbv
        )
        time_taken = "" if seconds is None else f" in {seconds:.2f} s"
        why = f": {outcome.reason}" if outcome.reason else ""
        self._log.write(
            f"ended    {outcome.result.value}{time_taken}, {clicks} clicks, {guesses} guesses{why}"
        )

    def close(self) -> None:
        """Close the recording; the log goes on with the next game."""
        self._record.close()

    def discard(self) -> None:
        """Throw the recording away; the log keeps what it has."""
        self._record.discard()

    def __enter__(self) -> LoggedRecord:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
