"""The lines of `game.jsonl`: one header, then what was seen, decided, clicked, and how the game ended.

Every line is one JSON object. Unknown keys are refused, and so is a schema that is newer than ours:
a record that is half understood proves nothing.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Annotated

import msgspec

from bot import __version__
from bot.board import Action, Constraint, Coordinate, FirstClick, Phase, Result, Rules, Spread
from bot.errors import FormatError, UsageError
from bot.geometry import Point
from bot.strategy.base import Kind, Strategy
from bot.vision.grid import Grid

SCHEMA = 5
"""2 added what a person did (`person`), 3 the numbers of the lines, 4 early boards, 5 cells that come to lie
elsewhere in the pictures. Raised when an older minebot could not understand what we write."""

NUMBERED_FROM = 3
"""The first schema whose lines have numbers."""

LOG = "game.jsonl"
"""The name of the file of lines inside a recording's folder."""

THEME = "theme"
"""The folder of a learned game's theme, as it was when the game ended; other games have none."""

BY_LOOKS = "looks"
"""The option of a game whose cells were read by looks that were learned while it was played."""

FRAMES = "frames"
"""The folder of the pictures, `<hash>.png`, inside a recording's folder."""

FrameHash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]
Count = Annotated[int, msgspec.Meta(ge=0)]
Length = Annotated[float, msgspec.Meta(gt=0)]
Chance = Annotated[float, msgspec.Meta(ge=0, le=1)]
Seconds = Annotated[float, msgspec.Meta(ge=0)]
Option = str | int | float | bool | None


class GridRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the cells lie in a frame, in pixels from its top left."""

    x: float
    y: float
    cell_width: Length
    cell_height: Length
    wide_columns: Count = 0
    """So many columns, the first ones, are a pixel wider; as many rows, a pixel higher, in `wide_rows`."""
    wide_rows: Count = 0
    magnified: Length | msgspec.UnsetType = msgspec.UNSET
    """Pixels for each one that the window's toolkit counts, where that is not one."""
    columns: tuple[float, ...] | msgspec.UnsetType = msgspec.UNSET
    """How far from `x` each column begins, and the last one ends, where their widths differ."""
    rows: tuple[float, ...] | msgspec.UnsetType = msgspec.UNSET
    """The same for rows, from `y`."""

    @classmethod
    def of(cls, grid: Grid) -> GridRecord:
        """What is kept of a grid: all but how many columns and rows it has."""
        return cls(
            x=float(grid.x),
            y=float(grid.y),
            cell_width=float(grid.cell_width),
            cell_height=float(grid.cell_height),
            wide_columns=grid.wide_columns,
            wide_rows=grid.wide_rows,
            magnified=grid.magnification if grid.magnification != 1 else msgspec.UNSET,
            columns=grid.column_offsets or msgspec.UNSET,
            rows=grid.row_offsets or msgspec.UNSET,
        )

    def of_size(self, columns: int, rows: int) -> Grid:
        """The grid, with so many columns and rows."""
        return Grid(
            self.x,
            self.y,
            self.cell_width,
            self.cell_height,
            columns=columns,
            rows=rows,
            wide_columns=self.wide_columns,
            wide_rows=self.wide_rows,
            magnification=1 if self.magnified is msgspec.UNSET else self.magnified,
            column_offsets=() if self.columns is msgspec.UNSET else self.columns,
            row_offsets=() if self.rows is msgspec.UNSET else self.rows,
        )


class RulesRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The rules of the game, as `bot.board.Rules` has them."""

    columns: int
    rows: int
    mines: int | None
    first_click: FirstClick
    spread: Spread


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the top left pixel of the first frame lay on the screen."""

    x: int
    y: int


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line: all that does not change during a game."""

    schema: int
    minebot: str
    """The version that wrote it."""
    platform: str
    created: datetime
    """When the clock of the events stood at 0, with its time zone."""
    target: str
    theme: str
    theme_fingerprint: str
    """Of the theme's files: with other files, other readings are no surprise."""
    calibration: str | None = None
    grid: GridRecord
    rules: RulesRecord
    strategy: str
    strategy_version: int
    options: dict[str, Option]
    """The options of the run that change decisions or clicks."""
    origin: Origin

    @classmethod
    def of(
        cls,
        *,
        target: str,
        theme: str,
        theme_fingerprint: str,
        grid: Grid,
        rules: Rules,
        strategy: Strategy,
        options: Mapping[str, Option],
        origin: Point,
        calibration: str | None = None,
    ) -> Header:
        """A header for a game that starts now, on this machine, by this version."""
        return cls(
            schema=SCHEMA,
            minebot=__version__,
            platform=platform.platform(),
            created=datetime.now(timezone.utc).astimezone(),
            target=target,
            theme=theme,
            theme_fingerprint=theme_fingerprint,
            calibration=calibration,
            grid=GridRecord.of(grid),
            rules=RulesRecord(
                columns=rules.columns,
                rows=rules.rows,
                mines=rules.mines,
                first_click=rules.first_click,
                spread=rules.spread,
            ),
            strategy=strategy.name,
            strategy_version=strategy.version,
            options=dict(options),
            origin=Origin(x=int(origin.x), y=int(origin.y)),
        )

    @property
    def by_looks(self) -> bool:
        """Whether the cells were read by looks that were learned while it was played."""
        return bool(self.options.get(BY_LOOKS))

    def game_rules(self) -> Rules:
        """The rules; raises UsageError for a size that cannot be."""
        rules = self.rules
        return Rules(rules.columns, rules.rows, rules.mines, rules.first_click, rules.spread)

    def frame_grid(self, frame: FrameEvent | None = None) -> Grid:
        """The grid of a frame; without one, that of all which do not say that their cells lie elsewhere."""
        own = msgspec.UNSET if frame is None else frame.grid
        grid = self.grid if own is msgspec.UNSET else own
        return grid.of_size(self.rules.columns, self.rules.rows)


class Event(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="event",
):
    """What every line after the header has."""

    t: Seconds
    """Seconds since the header was written, on a clock that is never set."""
    line: int | msgspec.UnsetType = msgspec.UNSET
    """The number of this line in the file; the header is line 1. Lines that were taken out are noticed."""


class FrameEvent(Event, frozen=True, kw_only=True, tag="frame"):
    """A picture of the play area was taken."""

    frame: FrameHash
    """The name of its file, without the `.png`; the same picture seen again is the same file."""
    x: int
    """Where its top left pixel lay on the screen."""
    y: int
    grid: GridRecord | msgspec.UnsetType = msgspec.UNSET
    """Where the cells lie in it, if elsewhere than the header says: a page was zoomed, or a column of a table
    became wider."""

    @property
    def shown(self) -> tuple[FrameHash, GridRecord | msgspec.UnsetType]:
        """The picture, and where the cells lie in it: frames that have both in common are read alike."""
        return self.frame, self.grid


class ConstraintRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fact besides the numbers: these cells hold so many mines."""

    cells: list[Coordinate]
    mines: Count


class BoardEvent(Event, frozen=True, kw_only=True, tag="board"):
    """A frame was read."""

    frame: FrameHash
    cells: list[str]
    """The board text, a string a row."""
    phase: Phase
    mines: int | None
    """The mine total as it was known then."""
    face: str | None = None
    """What the reader saw on the face."""
    counter: int | None = None
    """What the reader saw on the counter."""
    faults: list[str] = []
    """Why the board was refused; empty where it was taken."""
    constraints: list[ConstraintRecord] = []
    early: bool = False
    """Whether cells were in flight: those are `!` here, and what hid other cells that were known is left
    out. Only what is certain was decided on such a board (`bot/strategy/certain.py`)."""

    def facts(self) -> tuple[Constraint, ...]:
        """The constraints in the words of the board."""
        return tuple(Constraint(frozenset(fact.cells), fact.mines) for fact in self.constraints)


class CandidateRecord(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """A cell that a guess was chosen from, as `bot.strategy.base.Candidate` has it."""

    cell: Coordinate
    survival: Chance
    win: Chance | None = None
    most: Chance | None = None
    score: Chance | None = None


class DecisionEvent(Event, frozen=True, kw_only=True, tag="decision"):
    """The strategy decided on the last board that was taken."""

    turn: Count
    kind: Kind
    rung: str
    safe: list[Coordinate]
    mines: list[Coordinate]
    survival: Chance
    reason: str
    chances: list[tuple[int, int, Chance]] = []
    """Row, column and the chance of a mine, rounded to `CHANCE_DIGITS`."""
    candidates: list[CandidateRecord] = []
    """What a guess was chosen from, the chosen cell first; chances rounded likewise."""
    nodes: Count = 0
    """Positions that exact search looked at."""


CHANCE_DIGITS = 6
"""Digits that a recorded chance keeps: a decision over a whole Expert board stays under 10 KB."""


class ClickEvent(Event, frozen=True, kw_only=True, tag="click"):
    """A click was sent, to a cell and to a pixel of the screen."""

    action: Action
    row: Count
    column: Count
    x: int
    y: int
    attempt: Annotated[int, msgspec.Meta(ge=1)] = 1
    """2 and more: the click before did nothing and was sent again."""


class PersonEvent(Event, frozen=True, kw_only=True, tag="person"):
    """A person made a move: what the pixels tell of it, so there is no pixel that was clicked."""

    action: Action
    row: Count
    column: Count


class NoteEvent(Event, frozen=True, kw_only=True, tag="note"):
    """Something else happened: the window moved, a pause, a retry."""

    text: str


class OutcomeEvent(Event, frozen=True, kw_only=True, tag="outcome"):
    """The game ended. The keys are those of a line of `minebot run --json`."""

    result: Result
    reason: str
    seconds: Seconds | None
    """From the first click to the end seen; null where there was no click."""
    clicks: Count
    guesses: Count
    survival: Chance
    bbbv: int | None


AnyEvent = FrameEvent | BoardEvent | DecisionEvent | ClickEvent | PersonEvent | NoteEvent | OutcomeEvent


class _Versioned(msgspec.Struct):
    """As much of a header as any future one will have."""

    schema: int


_encoder = msgspec.json.Encoder()
_versioned = msgspec.json.Decoder(_Versioned)
_headers = msgspec.json.Decoder(Header)
_events: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


class CutLine(FormatError):
    """A line that is no whole JSON object."""


def encode(line: Header | AnyEvent) -> bytes:
    """One line of `game.jsonl`, with its line end."""
    return _encoder.encode(line) + b"\n"


def decode_header(line: bytes, place: str) -> Header:
    """The first line. `place` names the file and line for errors.

    Raises CutLine where it is no whole JSON object, FormatError where it is no header of ours.
    """
    try:
        schema = _versioned.decode(line).schema
    except msgspec.ValidationError:
        raise FormatError(f"{place}: this is no header of a minebot recording: name another one") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise CutLine(f"{place}: there is no whole header: nothing was recorded, it can be deleted") from None
    if schema > SCHEMA:
        raise FormatError(
            f"{place}: schema {schema} is newer than {SCHEMA}, the newest known: update minebot"
        )
    if schema < 1:
        raise FormatError(f"{place}: schema {schema} never was: name another recording")
    try:
        header = _headers.decode(line)
        header.game_rules()
        header.created.timestamp()  # recordings are put in order by it: a year may be too far off
    except (msgspec.DecodeError, ValueError, OverflowError, OSError, RecursionError, UsageError) as error:
        raise FormatError(f"{place}: {_told(error)}: restore the file as minebot wrote it") from None
    return header


def decode_event(line: bytes, place: str) -> AnyEvent:
    """A line after the first. `place` names the file and line for errors.

    Raises CutLine where it is no whole JSON object, FormatError where it is no event of ours.
    """
    try:
        return _events.decode(line)
    except msgspec.ValidationError as error:
        raise FormatError(f"{place}: {_told(error)}: restore the file as minebot wrote it") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CutLine(f"{place}: {_told(error)}: restore the file as minebot wrote it") from None


def _told(error: Exception) -> str:
    """What is wrong, as part of a line."""
    text = str(error).replace("\n", " ").rstrip(".")
    word = text.split(" ", 1)[0]
    return text if word.isupper() else text[:1].lower() + text[1:]
