"""Replay: frames from the disk in place of the screen, read and decided again, held against the record."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Protocol

import numpy as np

from bot.board import SYMBOLS, Board, Cell, FaultKind, Observation, Phase, Rules
from bot.errors import ContradictionError
from bot.recording.format import CHANCE_DIGITS, BoardEvent, DecisionEvent, FrameEvent, Header
from bot.recording.read import Recording
from bot.strategy.base import CUT_SHORT, Decision, Kind, Strategy
from bot.strategy.certain import early_decision
from bot.strategy.partial import Partial
from bot.vision.cells.colour_reader import ColourReader
from bot.vision.grid import Grid, Image
from bot.vision.reading import Reading

TOLERANCE = 1e-6 + 10**-CHANCE_DIGITS
"""How far two chances may lie apart: recorded ones are rounded, and machines add in other orders."""

_LISTED = 6
"""Cells that a difference names before it only counts them."""


class FrameReader(Protocol):
    """What replay needs of a `GridReader`."""

    @property
    def by_likeness(self) -> bool:
        """Whether it reads cells by other cells that it met, maybe in pictures that are not recorded."""
        ...

    def read(self, image: Image, *, header: bool = False) -> Reading:
        """Read every cell; with `header`, the face and the counter too."""
        ...


@dataclass(frozen=True)
class Difference:
    """One thing that came out otherwise than it is recorded."""

    frame: int
    """The number of the frame, as `--show` takes it; -1 before the first."""
    t: float
    """Seconds, of the recorded event."""
    kind: str
    """`reading` or `decision`."""
    text: str


@dataclass
class Replay:
    """What a replay gave."""

    differences: list[Difference] = field(default_factory=list)
    frames: int = 0
    boards: int = 0
    decisions: int = 0
    """How many were decided again and compared."""
    cut_short: int = 0
    """How many were not, because the clock had cut them short: on another clock they come out otherwise."""
    read_s: list[float] = field(default_factory=list)
    """Seconds for the cells of each picture."""
    decide_s: list[float] = field(default_factory=list)

    @property
    def read_ms(self) -> float | None:
        """The median, in milliseconds; None where nothing was read."""
        return round(1000 * median(self.read_s), 3) if self.read_s else None

    @property
    def decide_ms(self) -> float | None:
        """The median, in milliseconds; None where nothing was decided."""
        return round(1000 * median(self.decide_s), 3) if self.decide_s else None


def replay(
    recording: Recording, reader_on: Callable[[Grid], FrameReader], strategy: Strategy | None
) -> Replay:
    """Read every picture again, with the reader that reads the cells of a grid, and, given the strategy of
    the record, decide again on every board.

    A board on which something was decided must also still be a possible one. Raises FormatError for a
    picture that is missing or damaged.
    """
    result = Replay()
    readers: dict[Grid, FrameReader] = {}
    readings: dict[tuple[str, Grid], tuple[Reading, Reading]] = {}
    grids: dict[str, Grid] = {}
    """Where the cells lay in each picture when it was taken last."""
    ahead = _ahead(recording)
    number, board = -1, None
    for place, event in enumerate(recording.events):
        if isinstance(event, FrameEvent):
            number += 1
            result.frames += 1
            grid = grids[event.frame] = recording.header.frame_grid(event)
            if grid not in readers:
                readers[grid] = reader_on(grid)
            if (event.frame, grid) not in readings:
                readings[event.frame, grid] = _read(recording, readers[grid], event, result)
        elif isinstance(event, BoardEvent):
            result.boards += 1
            grid = grids[event.frame]
            reading, by_likeness = readings[event.frame, grid][event.early], readers[grid].by_likeness
            known = ahead.last.get((event.frame, grid))
            found = board_differences(event, reading, recording.header, board, known, by_likeness=by_likeness)
            if not found and place in ahead.decided:
                found = _refusals(event, recording.header)
            result.differences += [Difference(number, event.t, "reading", text) for text in found]
            if not event.faults:
                board = event
        elif isinstance(event, DecisionEvent) and strategy is not None and board is not None:
            if event.rung == CUT_SHORT:
                result.cut_short += 1
                continue
            result.decisions += 1
            seen = observation(board, recording.header)
            start = time.perf_counter()
            try:
                again = _again(seen, strategy, event.turn)
            except ContradictionError as error:
                texts = [f"kind {event.kind.value} -> none: {error}"]
            else:
                result.decide_s.append(time.perf_counter() - start)
                texts = decision_differences(event, again)
            result.differences += [Difference(number, event.t, "decision", text) for text in texts]
    return result


@dataclass(frozen=True)
class _Ahead:
    """What the rest of a record tells of its boards."""

    last: dict[tuple[str, Grid], BoardEvent]
    """The last board of each picture that was taken, by its frame and the grid of its cells."""
    decided: set[int]
    """The places of the boards on which something was decided; of all where a person played."""


def _ahead(recording: Recording) -> _Ahead:
    last: dict[tuple[str, Grid], BoardEvent] = {}
    grids: dict[str, Grid] = {}
    boards: list[int] = []
    decided: set[int] = set()
    for place, event in enumerate(recording.events):
        if isinstance(event, FrameEvent):
            grids[event.frame] = recording.header.frame_grid(event)
        elif isinstance(event, BoardEvent) and not event.faults:
            last[event.frame, grids[event.frame]] = event
            boards.append(place)
        elif isinstance(event, DecisionEvent) and boards:
            decided.add(boards[-1])
    by_person = recording.header.options.get("watch") or recording.header.options.get("hint")
    return _Ahead(last, set(boards) if by_person else decided)


def _again(seen: Observation, strategy: Strategy, turn: int) -> Decision:
    """What is decided on a recorded board now. Raises ContradictionError where it cannot be."""
    if not seen.early:
        return Partial(strategy).decide(seen, turn)
    return early_decision(seen) or Decision(Kind.NONE, "none")


def observation(event: BoardEvent, header: Header) -> Observation:
    """What the strategy was given."""
    return Observation(
        Board.parse("\n".join(event.cells)),
        event.phase,
        rules_at(event, header),
        event.facts(),
        early=event.early,
    )


def rules_at(event: BoardEvent, header: Header) -> Rules:
    """The rules, with the mine total as it was known then."""
    rules = header.rules
    return Rules(rules.columns, rules.rows, event.mines, rules.first_click, rules.spread)


def board_differences(
    event: BoardEvent,
    reading: Reading,
    header: Header,
    before: BoardEvent | None = None,
    known: BoardEvent | None = None,
    *,
    by_likeness: bool = False,
) -> list[str]:
    """In what a reading differs from the recorded one. Face and counter count where they were recorded.

    Of an early board only what was at rest counts: not the cells in flight, nor those that the board `before`
    shows opened, over which something may fly. Of a game whose looks were learned while it was played, cells
    that nobody could read then do not count, nor those that were opened before, for they were known by then,
    nor those of which the last board of the same picture that was taken, if it is `known`, has another
    reading: how the game ended may have told what they are. Of a window whose cells are read `by_likeness`,
    and at the end of a game whose looks were learned, which may lay a message over them, none counts that
    nobody can read now.
    """
    recorded = Board.parse("\n".join(event.cells))
    compared = np.ones(recorded.codes.shape, bool)
    if event.early or header.by_looks:
        compared &= recorded.codes != Cell.UNREAD
        if before is not None:
            earlier = Board.parse("\n".join(before.cells)).codes
            compared &= (earlier > 8) | ((earlier != recorded.codes) & (not event.early))
    if header.by_looks and known is not None:
        last = Board.parse("\n".join(known.cells)).codes
        compared &= (last == recorded.codes) | (last == Cell.UNREAD)
    if by_likeness or (header.by_looks and event.phase.over):
        compared &= reading.board.codes != Cell.UNREAD
    texts = []
    cells = [
        f"{row},{column} {SYMBOLS[recorded[row, column]]} -> {SYMBOLS[reading.board[row, column]]}"
        for row, column in np.argwhere(compared & (recorded.codes != reading.board.codes)).tolist()
    ]
    if cells:
        texts.append(f"cells {_listed(cells)}")
    if event.face is not None and reading.face != event.face:
        texts.append(f"face {event.face} -> {reading.face or 'not made out'}")
    if event.counter is not None and reading.counter != event.counter:
        texts.append(f"counter {event.counter} -> {_or_not(reading.counter)}")
    return texts


def _refusals(event: BoardEvent, header: Header) -> list[str]:
    """Why a board that was taken would be refused now, though its cells are read alike."""
    if event.phase not in (Phase.READY, Phase.PLAYING):
        return []
    faults = Board.parse("\n".join(event.cells)).faults(rules_at(event, header))
    # Whether openings stop beside covered cells is seen while a game without a theme is played.
    taken = {FaultKind.UNREAD} if event.early else set()
    taken |= {FaultKind.UNREAD, FaultKind.ZERO_BESIDE_COVERED} if header.by_looks else set()
    return [f"now refused: {fault.text}" for fault in faults if fault.kind not in taken][:1]


def decision_differences(event: DecisionEvent, again: Decision) -> list[str]:
    """In what a decision differs from the recorded one. The order of cells counts: they are clicked in it."""
    texts = []
    if event.kind is not again.kind:
        texts.append(f"kind {event.kind.value} -> {again.kind.value}")
    if event.rung != again.rung:
        texts.append(f"rung {event.rung} -> {again.rung}")
    for name, before, after in (
        ("safe", event.safe, again.safe),
        ("mines", event.mines, again.mines),
    ):
        if list(before) != [(int(row), int(column)) for row, column in after]:
            texts.append(f"{name} {_cells(before)} -> {_cells(after)}")
    if abs(event.survival - again.survival) > TOLERANCE:
        texts.append(f"survival {event.survival:.6f} -> {again.survival:.6f}")
    recorded = {(row, column): chance for row, column, chance in event.chances}
    chances = [
        f"{cell[0]},{cell[1]} {_or_not(recorded.get(cell))} -> {_or_not(again.chances.get(cell))}"
        for cell in sorted(recorded.keys() | again.chances.keys())
        if abs(recorded.get(cell, -1.0) - again.chances.get(cell, -1.0)) > TOLERANCE
    ]
    if chances:
        texts.append(f"chances {_listed(chances)}")
    return texts


def _read(
    recording: Recording, reader: FrameReader, frame: FrameEvent, result: Replay
) -> tuple[Reading, Reading]:
    """Read one picture, timing the cells alone: in play, the header strip is read only now and then. And the
    same with what is seen of cells that pieces hide in part, as early boards have it."""
    image = recording.frame(frame)
    start = time.perf_counter()
    reader.read(image)
    result.read_s.append(time.perf_counter() - start)
    reading = reader.read(image, header=True)
    if not isinstance(reader, ColourReader):
        return reading, reading
    codes = reader.half_hidden(np.ones(reading.board.codes.shape, bool))
    return reading, replace(reading, board=Board(codes))


def _listed(items: list[str]) -> str:
    more = f" and {len(items) - _LISTED} more" if len(items) > _LISTED else ""
    return ", ".join(items[:_LISTED]) + more


def _cells(cells: object) -> str:
    assert isinstance(cells, (list, tuple))
    return _listed([f"{row},{column}" for row, column in cells]) or "none"


def _or_not(value: float | None) -> str:
    return "none" if value is None else f"{value:.6g}"
