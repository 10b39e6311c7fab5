"""A game as it was played, move by move, wherever it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from bot.board import Action, Board, FirstClick, Move, Observation, Phase, Rules
from bot.errors import FormatError
from bot.game.game import Game
from bot.game.minefield import Minefield
from bot.game.play_measures import NO_MOUSE, MouseFacts
from bot.show.story import Deed, Position, Story, without_lost_flags

AFTER_S = 0.001
"""Seconds after a move at which its board is there."""


@dataclass(frozen=True)
class PlayedMove:
    """One move, and what the player saw before it."""

    t: float
    """Seconds from the beginning of the record."""
    move: Move
    before: Observation


@dataclass(frozen=True)
class PlayedGame:
    """The moves of one game. Those that change nothing are left out."""

    name: str
    kind: str
    """Where it comes from: recording, avf, evf, mvf, rmv or rawvf."""
    player: str
    """Who played, for people; may be empty."""
    rules: Rules
    moves: tuple[PlayedMove, ...]
    result: str
    """won, lost, stopped, failed or cut short."""
    seconds: float | None
    """From the first click to the end; None where it is unknown."""
    minefield: Minefield | None
    """Where the mines lay; None where the record does not tell."""
    created: str = ""
    """When it was played, as text that sorts by time; empty where it is unknown."""
    deeds: tuple[Deed, ...] = field(default=())
    """Every click, those without effect included."""
    last: Observation | None = None
    """What was seen at the end."""
    mouse: MouseFacts = NO_MOUSE


def replayed(
    minefield: Minefield, rules: Rules, deeds: Iterable[Deed], *, marks: bool = False
) -> tuple[tuple[PlayedMove, ...], Observation]:
    """The moves that had an effect, each with the board before it, and what was seen at the end.

    Raises FormatError for a move that is not on the board.
    """
    rules = replace(rules, mines=minefield.total)
    game = Game(replace(rules, first_click=FirstClick.ANY), minefield=minefield, marks=marks)

    def seen() -> Observation:
        # The player knew how the first click was protected, though the mines that were laid are what counts.
        return Observation(game.board, game.phase, rules)

    moves = []
    before = seen()
    for deed in deeds:
        move = deed.move
        if not (0 <= move.row < rules.rows and 0 <= move.column < rules.columns):
            raise FormatError(f"row {move.row}, column {move.column} is not on a board of {rules.size}")
        if move.action.asks:
            continue
        game.act(move)
        after = seen()
        if after.board != before.board or after.phase is not before.phase:
            moves.append(PlayedMove(deed.t, move, before))
        before = after
        if game.phase.over:
            break
    return tuple(moves), before


def from_story(story: Story, kind: str = "recording") -> PlayedGame:
    """A recorded game: played again on its minefield where that is known, else as its boards tell."""
    last = story.positions[-1].seen if story.positions else None
    if story.minefield is not None and _from_the_beginning(story):
        moves, last = replayed(story.minefield, story.rules, without_lost_flags(story.deeds))
    else:
        moves = tuple(_seen_moves(story))
    return PlayedGame(
        story.title,
        kind,
        story.source,
        story.rules,
        moves,
        story.result,
        story.seconds,
        story.minefield,
        story.created,
        story.deeds,
        last,
    )


def _from_the_beginning(story: Story) -> bool:
    first = story.positions[0].seen.board if story.positions else None
    return first is not None and first.all_covered


def _seen_moves(story: Story) -> Iterator[PlayedMove]:
    """The moves with the last board that was seen before each; repeats are left out."""
    waiting = list(story.positions)
    current: Position | None = None
    done: set[tuple[Board, Move]] = set()
    for deed in story.deeds:
        while waiting and waiting[0].t <= deed.t:
            current = waiting.pop(0)
        if current is None or current.seen.phase.over or deed.attempt > 1:
            continue
        board = current.seen.board
        covered = board[deed.move.cell] > 8
        if deed.move.action is Action.OPEN and not covered:
            continue
        if (board, deed.move) not in done:
            done.add((board, deed.move))
            yield PlayedMove(deed.t, deed.move, current.seen)


def to_story(game: PlayedGame) -> Story:
    """The game as a page shows it: a position before each move, and the last one.

    A position is there from the move on that made it. Clicks without effect are deeds too.
    """
    deeds = game.deeds or tuple(Deed(each.t, each.move) for each in game.moves)
    boards = [each.before for each in game.moves] + ([] if game.last is None else [game.last])
    times = [each.t for each in game.moves]
    start = deeds[0].t if deeds else 0.0
    positions = [
        Position(times[number - 1] + AFTER_S if number else start, seen) for number, seen in enumerate(boards)
    ]
    if positions and positions[0].seen.board.all_covered:
        phase = Observation(positions[0].seen.board, Phase.READY, positions[0].seen.rules)
        positions[0] = Position(positions[0].t, phase)
    return Story(
        game.name,
        game.player,
        game.rules,
        tuple(positions),
        deeds,
        game.result,
        "",
        game.seconds,
        game.minefield,
        game.created,
        mouse=game.mouse,
    )
