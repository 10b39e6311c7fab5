"""The loop: look, decide, act, until the game is over. The same one for windows and for simulated games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Protocol

from bot.board import Action, Board, Cell, Coordinate, Move, Observation, Outcome, Phase, Result
from bot.errors import ContradictionError
from bot.strategy.base import Decision, Kind, Strategy
from bot.strategy.certain import early_decision
from bot.targets.base import Target
from bot.targets.board_changes import continues

ANOTHER_GAME = "somebody began another game"
"""Why a game ended that was not played to its end."""


class Listener(Protocol):
    """Somebody who wants to know what the loop does: the recorder, the live line."""

    def decided(self, observation: Observation, decision: Decision, moves: Sequence[Move], turn: int) -> None:
        """Called before the moves are made."""
        ...


@dataclass
class GameReport:
    """What the loop saw of one game."""

    outcome: Outcome
    observation: Observation
    """The last one."""
    guesses: list[float] = field(default_factory=list)
    """The chance that the strategy gave each of its guesses, in order; protected first clicks are none."""
    decisions: int = 0
    abandoned: bool = False
    """Whether somebody else began another game in its place, which is there to be played now."""
    person_moves: int = 0
    """How many moves a person made, where that was looked at."""

    @property
    def survival(self) -> float:
        """The product of the chances of the guesses: 1.0 where there was none."""
        return prod(self.guesses, start=1.0)


def play(
    target: Target,
    strategy: Strategy,
    *,
    listener: Listener | None = None,
    flags: bool = False,
    chords: bool = True,
    eager: bool = False,
    openings_first: bool = False,
    guesses: list[float] | None = None,
) -> GameReport:
    """Play the present game of the target to its end.

    `flags` marks the mines that are certain; `chords` opens several cells with one click where the flags
    that stand there are certain; `eager` opens what is certain already while other cells are still in flight
    (`Observation.early`); `openings_first` is for windows, which draw late (`moves_for`). The chance of each
    guess is added to `guesses` once it was made: a game that is interrupted has no report.

    Raises what the target raises; a strategy without a move ends the game as stopped, and so does somebody
    who begins another game.
    """
    guesses = [] if guesses is None else guesses
    turn = 0
    before: Observation | None = None
    moves: Sequence[Move] = ()
    ready: Decision | None = None
    hindered = False

    def wanted(early: Observation) -> bool:
        nonlocal ready
        ready = early_decision(early)
        return ready is not None

    while True:
        # Where nothing could be done, the target finds out why before anything else is tried.
        observation = target.observe(wanted) if eager and not hindered else target.observe()
        if before is not None and not continues(before.board, observation.board):
            stopped = Outcome(Result.STOPPED, ANOTHER_GAME)
            return GameReport(stopped, before, guesses, turn, abandoned=True)
        if observation.phase.over:
            won = observation.phase is Phase.WON
            last = "" if won else _last_words(guesses, observation.board, moves)
            outcome = Outcome(Result.WON if won else Result.LOST, last)
            return GameReport(outcome, observation, guesses, turn)
        try:
            early = ready if observation.early else None
            decision = early or strategy.decide(observation, turn)
        except ContradictionError as error:
            target.reject(str(error))
            before = None  # some of what was read is wrong, and what is read next may say otherwise
            continue
        before = observation
        # Flags are set once the board is at rest: they open nothing.
        moves = moves_for(
            decision,
            observation.board,
            flags=flags and early is None,
            chords=chords,
            openings_first=openings_first,
        )
        if listener is not None:
            listener.decided(observation, decision, moves, turn)
        if not moves and _all_are_mines(decision, observation.board) and target.complete(decision.mines):
            continue
        if not moves:
            reason = decision.reason or f"the strategy {strategy.name} has no certain move and does not guess"
            return GameReport(Outcome(Result.STOPPED, reason), observation, guesses, turn)
        made = target.act(moves, certain=decision.kind is not Kind.GUESS)
        hindered = made == 0
        if hindered:
            continue
        # A guess under a flag only takes the flag away in this round; the next one opens the cell. Flags come
        # first, and what is seen of them may keep the guess from being sent.
        flagged = sum(move.action is Action.FLAG for move in moves)
        if decision.kind is Kind.GUESS and made > flagged:
            guesses.append(decision.survival)
        turn += 1


def _all_are_mines(decision: Decision, board: Board) -> bool:
    """Whether every cell that is not opened is certainly a mine."""
    left = board.where(Cell.COVERED, Cell.FLAG, Cell.QUESTION)
    return bool(left) and set(left) <= set(decision.mines)


def _last_words(guesses: Sequence[float], board: Board, moves: Sequence[Move]) -> str:
    """Why a game was lost; `moves` are those that were made last."""
    exploded = board.where(Cell.EXPLODED)
    opened = {move.cell for move in moves}
    opened |= {near for move in moves if move.action is Action.CHORD for near in board.neighbours(*move.cell)}
    # Of mines that go off one after the other another one may be taken for the one that was hit.
    hit = any(board[cell] == Cell.MINE for cell in opened)
    if exploded and opened.isdisjoint(exploded) and not hit:
        row, column = exploded[0]
        return f"lost by somebody else's click on row {row}, column {column}"
    if not guesses:
        return "lost without a guess"
    return f"the last guess had a chance of {guesses[-1]:.0%}"


def moves_for(
    decision: Decision, board: Board, *, flags: bool, chords: bool, openings_first: bool = False
) -> tuple[Move, ...]:
    """The clicks that carry a decision out, in the order in which they are made.

    Safe cells under a flag lose the flag first and are opened in the next round. Chords are made only on
    numbers whose flags are all certain mines, and only where one saves a click. With `openings_first` cells
    that may be an opening are opened first, and those around them last: a click on a cell that an opening
    opens anyway, made before the window has drawn it, is in vain.
    """
    if decision.ask is not None:
        return (decision.ask,)
    mines = set(decision.mines)
    covered = [cell for cell in decision.safe if board[cell] != Cell.FLAG]
    moves = [Move(Action.FLAG, *cell) for cell in decision.safe if board[cell] == Cell.FLAG]
    if flags:
        # A question mark is taken away by one click and becomes a flag by another, in the next round.
        unflagged = (Cell.COVERED, Cell.QUESTION)
        moves += [Move(Action.FLAG, *cell) for cell in decision.mines if board[cell] in unflagged]
    if chords and decision.kind is Kind.CERTAIN:
        chord_cells, covered = _chords(covered, mines, board)
        moves += [Move(Action.CHORD, *cell) for cell in chord_cells]
    if openings_first:
        covered = _openings_first(covered, mines, board)
    moves += [Move(Action.OPEN, *cell) for cell in covered]
    return tuple(moves)


def _openings_first(covered: Sequence[Coordinate], mines: set[Coordinate], board: Board) -> list[Coordinate]:
    """Safe cells without a certain mine beside them, then those that touch none of these, then the others."""
    if len(covered) < 2:
        return list(covered)
    around = {cell: set(board.neighbours(*cell)) for cell in covered}
    may_open = {cell for cell, near in around.items() if near.isdisjoint(mines)}
    return sorted(covered, key=lambda cell: 0 if cell in may_open else 2 - around[cell].isdisjoint(may_open))


def _chords(
    covered: Sequence[Coordinate], mines: set[Coordinate], board: Board
) -> tuple[list[Coordinate], list[Coordinate]]:
    """Choose numbers to chord on, the one that opens most first; and the cells that are left to open."""
    left = dict.fromkeys(covered)
    if not board.count(Cell.FLAG):
        return [], list(left)
    opens: dict[Coordinate, set[Coordinate]] = {}
    for cell in {near for target in covered for near in board.neighbours(*target) if 1 <= board[near] <= 8}:
        around = list(board.neighbours(*cell))
        flagged = [near for near in around if board[near] == Cell.FLAG]
        unopened = {near for near in around if board[near] in (Cell.COVERED, Cell.QUESTION)}
        if len(flagged) == board[cell] and mines.issuperset(flagged) and left.keys() >= unopened:
            opens[cell] = unopened
    chosen: list[Coordinate] = []
    while opens:
        best = max(opens, key=lambda cell: (len(opens[cell] & left.keys()), -cell[0], -cell[1]))
        gained = opens.pop(best) & left.keys()
        if len(gained) < 2:
            break
        chosen.append(best)
        for cell in gained:
            del left[cell]
    return chosen, list(left)
