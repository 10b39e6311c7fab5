"""One game as it went: what was seen, decided and done, wherever it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.board import Action, Board, Coordinate, Move, Observation, Phase, Rules
from bot.errors import ContradictionError
from bot.game.measures import minefield_of_board
from bot.game.minefield import Minefield
from bot.game.play_measures import NO_MOUSE, MouseFacts
from bot.recording.format import (
    BoardEvent,
    ClickEvent,
    DecisionEvent,
    FrameEvent,
    Header,
    OutcomeEvent,
    PersonEvent,
)
from bot.recording.read import Recording
from bot.recording.replay import observation
from bot.solver.position.solve import solve_board
from bot.strategy.base import Candidate, Kind

BEFORE_S = 0.001
"""How long before the board that shows it a person's move is taken to have been, in seconds."""


@dataclass(frozen=True)
class Decided:
    """What was decided on a position."""

    kind: Kind
    rung: str
    reason: str
    safe: tuple[Coordinate, ...]
    mines: tuple[Coordinate, ...]
    survival: float
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True)
class Position:
    """A board that was seen."""

    t: float
    """Seconds since the recording began."""
    seen: Observation
    decided: Decided | None = None
    chances: Mapping[Coordinate, float] = field(default_factory=dict)
    """The chance of a mine of covered cells, where it is known."""


@dataclass(frozen=True)
class Deed:
    """A click."""

    t: float
    move: Move
    person: bool = False
    place: tuple[float, float] | None = None
    """Where in the board, in cells from its top left: column, row. None where only the cell is known."""
    attempt: int = 1
    """2 and more: the click before did nothing and was sent again."""


@dataclass(frozen=True)
class Story:
    """A game from its first board to its end."""

    title: str
    source: str
    """Who played: a strategy with its version, or the program and the player of a file."""
    rules: Rules
    positions: tuple[Position, ...]
    deeds: tuple[Deed, ...]
    result: str
    """won, lost, stopped, failed, or cut short."""
    reason: str = ""
    seconds: float | None = None
    """From the first click to the end; None where it is unknown."""
    minefield: Minefield | None = None
    """Where the mines were; None where the end of the game does not tell."""
    created: str = ""
    """When it was played, for people; empty where it is unknown."""
    mouse: MouseFacts = NO_MOUSE
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What a review found, as `bot.show.game_page` passes it on."""


def story_of(recording: Recording, name: str) -> Story:
    """A recorded game. Boards that were refused when they were read are left out."""
    header, outcome = recording.header, recording.outcome
    grid = header.frame_grid()
    rules = header.game_rules()
    positions: list[Position] = []
    deeds: list[Deed] = []
    corner = (0, 0)
    last: BoardEvent | None = None
    for event in recording.events:
        if isinstance(event, FrameEvent):
            corner, grid = (event.x, event.y), header.frame_grid(event)
        elif isinstance(event, BoardEvent) and not event.faults:
            last = event
            seen = observation(event, header)
            if not positions or positions[-1].seen.board != seen.board or event.phase.over:
                positions.append(Position(event.t, seen))
        elif isinstance(event, DecisionEvent):
            if not positions and event.kind is Kind.FIRST:
                # Who looks on has seen the untouched board before the recording began.
                fresh = Observation(Board.covered(rules.columns, rules.rows), Phase.READY, rules)
                positions.append(Position(event.t, fresh))
            if not positions:
                continue
            before = positions[-1]
            chances = {(row, column): chance for row, column, chance in event.chances}
            positions[-1] = Position(before.t, before.seen, _decided(event), chances)
        elif isinstance(event, ClickEvent):
            x, y = event.x - corner[0] - grid.x, event.y - corner[1] - grid.y
            place = x / grid.pitch[0], y / grid.pitch[1]
            inside = -1 <= place[0] <= rules.columns + 1 and -1 <= place[1] <= rules.rows + 1
            move = Move(event.action, event.row, event.column)
            deeds.append(Deed(event.t, move, place=place if inside else None, attempt=event.attempt))
        elif isinstance(event, PersonEvent):
            # What a person did is known only from the board that came of it: it was just before that board.
            since = positions[-2].t if len(positions) > 1 else 0.0
            t = max(since, positions[-1].t - BEFORE_S) if positions else event.t
            deeds.append(Deed(t, Move(event.action, event.row, event.column), person=True))
    mines = rules.mines if last is None else last.mines
    rules = Rules(rules.columns, rules.rows, mines, rules.first_click, rules.spread)
    return Story(
        title=name,
        source=f"{_player(header)}, {header.target}",
        rules=rules,
        positions=tuple(positions),
        deeds=tuple(deeds),
        result=outcome.result.value if isinstance(outcome, OutcomeEvent) else "cut short",
        reason=outcome.reason if outcome else "",
        seconds=outcome.seconds if outcome else None,
        minefield=_minefield(last, rules),
        created=f"{header.created:%Y-%m-%d %H:%M}",
    )


def _player(header: Header) -> str:
    """Who played, for people."""
    if header.options.get("watch") or header.options.get("hint"):
        return "a person"
    return f"{header.strategy} version {header.strategy_version}"


def _minefield(last: BoardEvent | None, rules: Rules) -> Minefield | None:
    if last is None or not last.phase.over:
        return None
    return minefield_of_board(Board.parse("\n".join(last.cells)), rules)


def _decided(event: DecisionEvent) -> Decided:
    return Decided(
        event.kind,
        event.rung,
        event.reason,
        tuple(event.safe),
        tuple(event.mines),
        event.survival,
        tuple(
            Candidate(each.cell, each.survival, each.win, each.most, each.score) for each in event.candidates
        ),
    )


def with_chances(position: Position) -> Position:
    """The position with the exact chances of a mine, where it has none and its board can be."""
    if position.chances or position.seen.phase not in (Phase.READY, Phase.PLAYING):
        return position
    try:
        seen = position.seen
        chances = solve_board(seen.board, seen.rules, seen.constraints, dead=False).chance
    except ContradictionError:
        return position
    return Position(position.t, position.seen, position.decided, chances)


def without_lost_flags(deeds: Sequence[Deed]) -> tuple[Deed, ...]:
    """The clicks as the game took them: where a click on a flag was sent again, the last of these alone.

    Those before it were lost. Were they played too, each would undo the one before, and the flag might be
    gone. Any other click does no more when it is made twice.
    """
    taken: list[Deed] = []
    sent_again: set[Coordinate] = set()
    for deed in reversed(deeds):
        if deed.move.action is Action.FLAG:
            lost = deed.move.cell in sent_again
            if deed.attempt > 1:
                sent_again.add(deed.move.cell)
            else:
                sent_again.discard(deed.move.cell)
            if lost:
                continue
        taken.append(deed)
    return tuple(reversed(taken))


def first_click(story: Story) -> Coordinate | None:
    """The cell of the first opening; None where there was none."""
    return next((deed.move.cell for deed in story.deeds if deed.move.action is Action.OPEN), None)
