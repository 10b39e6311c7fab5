"""What the loop tells a recorder while it plays, and the one that keeps nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol

from bot.board import Constraint, Fault, Move, Outcome, Phase
from bot.geometry import Point
from bot.strategy.base import Decision
from bot.vision.grid import Grid, Image
from bot.vision.reading import Reading


class Record(Protocol):
    """What the loop tells while it plays. No call waits for the disk, and none raises."""

    @property
    def folder(self) -> Path | None:
        """Where it lies; None where nothing is recorded."""
        ...

    def frame(self, image: Image, x: int, y: int, grid: Grid | None = None) -> int:
        """A picture was taken with its top left at this pixel of the screen. Returns a number for `board`.

        `grid`: where its cells lie in it; without one, where those of the recording do."""
        ...

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
        """The frame of that number was read; with faults, the board was refused. `mines`: the known total.

        `early`: whether cells were in flight, which are unread in the board; what hid others is left out."""
        ...

    def decision(self, turn: int, decision: Decision) -> None:
        """The strategy decided on the last board that was taken."""
        ...

    def click(self, move: Move, point: Point, attempt: int = 1) -> None:
        """A click was sent to a pixel of the screen; `attempt` counts from 1."""
        ...

    def person(self, move: Move) -> None:
        """A person made a move, as far as the board tells."""
        ...

    def note(self, text: str) -> None:
        """Something else happened: the window moved, a pause, a retry."""
        ...

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
        """The game ended."""
        ...

    def close(self) -> None:
        """See to it that everything told so far is on the disk. Closing again does nothing."""
        ...

    def discard(self) -> None:
        """Close it, and keep nothing of it."""
        ...

    def __enter__(self) -> Record: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class NullRecorder:
    """For `--no-record`: listens and keeps nothing."""

    @property
    def folder(self) -> Path | None:
        """Nowhere."""
        return None

    def frame(self, image: Image, x: int, y: int, grid: Grid | None = None) -> int:
        """Keep nothing."""
        return 0

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
        """Keep nothing."""

    def decision(self, turn: int, decision: Decision) -> None:
        """Keep nothing."""

    def click(self, move: Move, point: Point, attempt: int = 1) -> None:
        """Keep nothing."""

    def person(self, move: Move) -> None:
        """Keep nothing."""

    def note(self, text: str) -> None:
        """Keep nothing."""

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
        """Keep nothing."""

    def close(self) -> None:
        """Nothing was opened."""

    def discard(self) -> None:
        """There is nothing to throw away."""

    def __enter__(self) -> NullRecorder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
