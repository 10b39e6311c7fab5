"""Reading a recording back, up to its last whole line."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import msgspec

from bot.board import Board
from bot.errors import FormatError
from bot.recording.format import (
    FRAMES,
    LOG,
    NUMBERED_FROM,
    AnyEvent,
    BoardEvent,
    ClickEvent,
    CutLine,
    DecisionEvent,
    FrameEvent,
    GridRecord,
    Header,
    OutcomeEvent,
    PersonEvent,
    decode_event,
    decode_header,
)
from bot.recording.pictures import read_frame
from bot.vision.grid import Image

LEAST_CELL = 4
"""Pixels: a cell that is smaller has nothing to compare, and none is found on a screen."""


@dataclass(frozen=True)
class Recording:
    """One recorded game. Its pictures are read when they are asked for."""

    folder: Path
    header: Header
    events: tuple[AnyEvent, ...]
    truncated: bool
    """Whether the last line was cut, as in a run that was killed; that line is left out."""

    @property
    def frames(self) -> list[FrameEvent]:
        """The frames in the order in which they were taken; frame N is the Nth of these, from 0."""
        return [event for event in self.events if isinstance(event, FrameEvent)]

    @property
    def outcome(self) -> OutcomeEvent | None:
        """How the game ended; None where the record ends before it."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, OutcomeEvent) else self._earlier_outcome()

    def _earlier_outcome(self) -> OutcomeEvent | None:
        outcomes = [event for event in self.events if isinstance(event, OutcomeEvent)]
        return outcomes[-1] if outcomes else None

    def frame(self, event: FrameEvent) -> Image:
        """The picture of a frame.

        Raises FormatError where it is missing, cut or damaged, or smaller than the grid.
        """
        path = self.folder / FRAMES / f"{event.frame}.png"
        image = read_frame(path)
        cells = self.header.frame_grid(event).rect
        height, width = image.shape[:2]
        if cells.x < 0 or cells.y < 0 or cells.right > width or cells.bottom > height:
            raise FormatError(
                f"{path}: the grid ({cells}) does not lie in the picture ({width}x{height}):"
                " restore game.jsonl as minebot wrote it"
            )
        return image


def load(folder: Path) -> Recording:
    """Read `game.jsonl`. Only its last line may be cut; every other flaw raises FormatError, in one line."""
    path = folder / LOG
    if not folder.is_dir():
        raise FormatError(f"{folder}: there is no such recording: `minebot replay` lists those there are")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise FormatError(f"{folder}: this is no recording, it holds no {LOG}: name another folder") from None
    except OSError as error:
        raise FormatError(f"{path}: cannot be read ({error.strerror}): mend its permissions") from None
    lines = content.split(b"\n")
    header = decode_header(lines[0], f"{path}, line 1")
    _check_grid(header.grid, header, f"{path}, line 1")
    events: list[AnyEvent] = []
    taken: set[str] = set()
    truncated = False
    for number, line in enumerate(lines[1:], start=2):
        place = f"{path}, line {number}"
        last = number == len(lines)
        if last and not line:
            break
        try:
            event = decode_event(line, place)
        except CutLine:
            if not last:
                raise
            truncated = True
            break
        if header.schema >= NUMBERED_FROM and event.line != number:
            raise FormatError(f"{place}: {_misplaced(event)}: restore the file as minebot wrote it")
        _check(event, header, taken, place)
        events.append(event)
    return Recording(folder, header, tuple(events), truncated)


def _misplaced(event: AnyEvent) -> str:
    if event.line is msgspec.UNSET:
        return "this line has no number"
    return f"this was line {event.line}, so lines were taken out or put in before it"


def read_header(folder: Path) -> Header:
    """Only the first line; raises FormatError as `load` does, OSError where it cannot be read."""
    path = folder / LOG
    with path.open("rb") as file:
        return decode_header(file.readline(2**20).rstrip(b"\n"), f"{path}, line 1")


def _check(event: AnyEvent, header: Header, taken: set[str], place: str) -> None:
    """What the types alone cannot say: frames that were taken before, boards of the right size, cells
    on the board."""
    rules = header.rules
    if isinstance(event, FrameEvent):
        taken.add(event.frame)
        if event.grid is not msgspec.UNSET:
            _check_grid(event.grid, header, place)
    elif isinstance(event, BoardEvent):
        if event.frame not in taken:
            raise FormatError(f"{place}: frame {event.frame} was not taken before: restore the file")
        try:
            board = Board.parse("\n".join(event.cells))
        except FormatError as error:
            raise FormatError(f"{place}: {error}") from None
        if (board.columns, board.rows) != (rules.columns, rules.rows):
            raise FormatError(
                f"{place}: a board of {board.columns}x{board.rows} in a game of"
                f" {rules.columns}x{rules.rows}: restore the file"
            )
        if event.mines is not None and not 0 <= event.mines <= rules.columns * rules.rows:
            raise FormatError(f"{place}: {event.mines} mines do not fit the board: restore the file")
        cells = [cell for fact in event.constraints for cell in fact.cells]
        _check_cells(cells, header, place)
    elif isinstance(event, DecisionEvent):
        cells = [*event.safe, *event.mines, *((row, column) for row, column, _ in event.chances)]
        _check_cells([*cells, *(each.cell for each in event.candidates)], header, place)
    elif isinstance(event, ClickEvent | PersonEvent):
        _check_cells([(event.row, event.column)], header, place)


def _check_grid(grid: GridRecord, header: Header, place: str) -> None:
    for name, length, offsets, count in (
        ("columns", grid.cell_width, grid.columns, header.rules.columns),
        ("rows", grid.cell_height, grid.rows, header.rules.rows),
    ):
        if length < LEAST_CELL or not (offsets is msgspec.UNSET or _are_places(offsets, count)):
            raise FormatError(f"{place}: these are no places of {count} {name}: restore the file")


def _are_places(offsets: tuple[float, ...], count: int) -> bool:
    """Whether so many columns or rows begin there, from the first on, none of them too small."""
    widths = [end - begin for begin, end in pairwise(offsets)]
    return len(widths) == count and offsets[0] == 0 and min(widths) >= LEAST_CELL


def _check_cells(cells: list[tuple[int, int]], header: Header, place: str) -> None:
    for row, column in cells:
        if not (0 <= row < header.rules.rows and 0 <= column < header.rules.columns):
            raise FormatError(f"{place}: row {row}, column {column} is not on the board: restore the file")
