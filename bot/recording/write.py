"""Writing a recording while the game goes on: the playing thread hands over, another one writes."""

from __future__ import annotations

import contextlib
import queue
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import msgspec

from bot.board import Constraint, Fault, Move, Outcome, Phase
from bot.errors import BotError
from bot.files import write_output
from bot.geometry import Point
from bot.lock import lock
from bot.recording.format import (
    CHANCE_DIGITS,
    FRAMES,
    LOG,
    AnyEvent,
    BoardEvent,
    CandidateRecord,
    ClickEvent,
    ConstraintRecord,
    DecisionEvent,
    FrameEvent,
    GridRecord,
    Header,
    NoteEvent,
    OutcomeEvent,
    PersonEvent,
    encode,
)
from bot.recording.pictures import encode_png, frame_hash
from bot.strategy.base import Candidate, Decision
from bot.vision.grid import Grid, Image
from bot.vision.reading import Reading

MAX_WAITING = 256 * 2**20
"""Bytes of pictures that may wait for the disk; with more the recording ends rather than the memory."""

QUIET_S = 0.04
"""What happened is written once nothing more has happened for this long, in seconds: encoding its pictures
takes a third of the processor's time of a quick game."""

LINGER_S, LINGERING = 2.0, 64 * 2**20
"""How long it may wait for that, in seconds, and with how many bytes of pictures it does not."""

CLOSE_LIMIT_S = 30.0
"""How long `close` waits for a disk that does not answer."""


class Recorder:
    """Writes one game into a folder of its own.

    The header is on the disk when the constructor returns. Each picture lies whole in its place before the
    line that names it is written, and each line is one write: killed at any moment, the recording replays
    up to its last whole line. When the disk fails during the game, `warn` is called once, from whichever
    thread met it, the recording ends there, and the game goes on.
    """

    def __init__(self, folder: Path, header: Header, warn: Callable[[str], None] | None = None) -> None:
        """Make the folder and write the header; raises BotError where that cannot be done."""
        self._folder = folder
        self._warn = warn
        self._grid = header.grid
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:  # Windows says of a folder inside a file that it exists
            raise BotError(_cannot(folder, error)) from None
        try:
            self._file: BinaryIO = (folder / LOG).open("xb", buffering=0)
        except FileExistsError:
            raise BotError(f"{folder}: a recording lies there already: name another folder") from None
        except OSError as error:
            raise BotError(_cannot(folder, error)) from None
        try:
            # Locked before the header makes it a recording: pruning may run in another process.
            lock(self._file)
            content = encode(header)
            self._write(content)
        except OSError as error:
            self._file.close()
            raise BotError(_cannot(folder, error)) from None
        self._start = time.perf_counter()
        self._whole = len(content)
        self._next_line = 2
        self._frames = 0
        self._hashes: dict[int, str] = {}
        self._stored: set[str] = set()
        self._waiting = 0
        self._lock = threading.Lock()
        self._ended = False
        self._closed = self._discarded = False
        self._queue: queue.SimpleQueue[tuple[float, Callable[[], AnyEvent]] | None] = queue.SimpleQueue()
        """When each event came, on `time.perf_counter`, and what makes it."""
        self._last_put = 0.0
        """When the last event came."""
        self._hurry = threading.Event()
        """Set while nothing lingers."""
        self._thread = threading.Thread(target=self._run, name=f"recorder {folder.name}", daemon=True)
        self._thread.start()

    @property
    def folder(self) -> Path | None:
        """Where the recording lies."""
        return self._folder

    @property
    def ended(self) -> bool:
        """Whether the disk failed and nothing more is recorded."""
        return self._ended

    def frame(self, image: Image, x: int, y: int, grid: Grid | None = None) -> int:
        """A picture was taken; one that can still be written to is copied, another one is only kept."""
        t, number = self._now(), self._frames
        self._frames += 1
        if self._ended or self._closed:
            return number
        picture = image.copy() if image.flags.writeable else image
        own = self._grid if grid is None else GridRecord.of(grid)
        place = msgspec.UNSET if own == self._grid else own
        with self._lock:
            self._waiting += picture.nbytes
            full, many = self._waiting > MAX_WAITING, self._waiting > LINGERING
        if many:
            self._hurry.set()
        if full:
            self._end("the disk is too slow for the pictures")
            return number

        def store() -> AnyEvent:
            with self._lock:
                self._waiting -= picture.nbytes
                if self._waiting <= LINGERING and not self._closed:
                    self._hurry.clear()
            name = frame_hash(picture)
            if not self._stored:
                (self._folder / FRAMES).mkdir(exist_ok=True)
            if name not in self._stored:
                # Makes no folder: one that is gone since would hold pictures without their log, which nobody
                # lists or deletes.
                write_output(self._folder / FRAMES / f"{name}.png", encode_png(picture))
                self._stored.add(name)
            self._hashes[number] = name
            return FrameEvent(t=t, frame=name, x=int(x), y=int(y), grid=place)

        self._put(store)
        return number

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
        """The frame of that number was read; `early`: some of its cells were in flight."""
        t = self._now()
        told = [fault if isinstance(fault, str) else fault.text for fault in faults]
        facts = tuple(constraints)
        self._put(
            lambda: BoardEvent(
                t=t,
                frame=self._hashes[frame],
                cells=reading.board.lines,
                phase=phase,
                mines=mines,
                face=reading.face,
                counter=reading.counter,
                faults=told,
                constraints=[
                    ConstraintRecord(cells=_plain(sorted(fact.cells)), mines=fact.mines) for fact in facts
                ],
                early=early,
            )
        )

    def decision(self, turn: int, decision: Decision) -> None:
        """The strategy decided on the last board that was taken."""
        t = self._now()
        self._put(
            lambda: DecisionEvent(
                t=t,
                turn=turn,
                kind=decision.kind,
                rung=decision.rung,
                safe=_plain(decision.safe),
                mines=_plain(decision.mines),
                survival=float(decision.survival),
                reason=decision.reason,
                chances=[
                    (int(row), int(column), round(float(chance), CHANCE_DIGITS))
                    for (row, column), chance in decision.chances.items()
                ],
                candidates=[_candidate(each) for each in decision.candidates],
                nodes=int(decision.nodes),
            )
        )

    def click(self, move: Move, point: Point, attempt: int = 1) -> None:
        """A click was sent to a pixel of the screen."""
        t = self._now()
        self._put(
            lambda: ClickEvent(
                t=t,
                action=move.action,
                row=int(move.row),
                column=int(move.column),
                x=int(point.x),
                y=int(point.y),
                attempt=attempt,
            )
        )

    def person(self, move: Move) -> None:
        """A person made a move."""
        t = self._now()
        self._put(lambda: PersonEvent(t=t, action=move.action, row=int(move.row), column=int(move.column)))

    def note(self, text: str) -> None:
        """Something else happened."""
        t = self._now()
        self._put(lambda: NoteEvent(t=t, text=text))

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
        t = self._now()
        self._put(
            lambda: OutcomeEvent(
                t=t,
                result=outcome.result,
                reason=outcome.reason,
                seconds=seconds,
                clicks=clicks,
                guesses=guesses,
                survival=float(survival),
                bbbv=bbbv,
            )
        )

    def close(self) -> None:
        """Write what still waits, and let go of the file."""
        if self._closed:
            return
        with self._lock:
            self._closed = True
            self._hurry.set()
        self._queue.put(None)
        self._thread.join(CLOSE_LIMIT_S)
        if self._thread.is_alive():
            self._end("the disk does not answer")

    def discard(self) -> None:
        """Close it and remove its folder, soon; what cannot be removed stays."""
        self._discarded = True
        with self._lock:
            self._closed = True
            self._hurry.set()
        self._queue.put(None)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _now(self) -> float:
        return round(time.perf_counter() - self._start, 6)

    def _put(self, event: Callable[[], AnyEvent]) -> None:
        if not (self._ended or self._closed):
            self._last_put = time.perf_counter()
            self._queue.put((self._last_put, event))

    def _run(self) -> None:
        """The writer's thread: make each event and write it, in order, until `close` or a failure."""
        with self._file:
            while (waiting := self._queue.get()) is not None:
                if self._ended or self._discarded:
                    continue
                came, event = waiting
                self._linger(came)
                try:
                    content = encode(msgspec.structs.replace(event(), line=self._next_line))
                    self._write(content)
                    self._whole += len(content)
                    self._next_line += 1
                except OSError as error:
                    self._end(error.strerror or str(error))
                except Exception as error:  # a fault of ours must not stop the game either
                    self._end(f"{type(error).__name__}: {error}")
        if self._discarded:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _linger(self, came: float) -> None:
        """Let what came then wait while more comes."""
        until = came + LINGER_S
        while (wait := min(self._last_put + QUIET_S, until) - time.perf_counter()) > 0:
            if self._hurry.wait(wait):
                return

    def _write(self, content: bytes) -> None:
        """One line in one write: what is in the system's hands outlives this process."""
        written = self._file.write(content)
        if written != len(content):
            raise OSError(None, "the disk is full")

    def _end(self, why: str) -> None:
        """Record nothing more, leave whole lines, and say so once."""
        with self._lock:
            if self._ended:
                return
            self._ended = True
        if threading.current_thread() is self._thread:
            # Where even that fails, the reader takes a cut last line for what it is.
            with contextlib.suppress(OSError):
                self._file.truncate(self._whole)
        if self._warn is not None:
            self._warn(
                f"recording ended, the game goes on: {why} ({self._folder}): make room, or use --no-record"
            )


def _candidate(each: Candidate) -> CandidateRecord:
    row, column = each.cell

    def rounded(chance: float | None) -> float | None:
        return None if chance is None else min(max(round(float(chance), CHANCE_DIGITS), 0.0), 1.0)

    return CandidateRecord(
        cell=(int(row), int(column)),
        survival=rounded(each.survival) or 0.0,
        win=rounded(each.win),
        most=rounded(each.most),
        score=rounded(each.score),
    )


def _plain(cells: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Coordinates as plain integers: numpy's own are no JSON."""
    return [(int(row), int(column)) for row, column in cells]


def _cannot(folder: Path, error: OSError) -> str:
    return (
        f"{folder}: cannot record there ({error.strerror or error}): name another folder with --record,"
        " or use --no-record"
    )
