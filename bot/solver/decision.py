"""What the learned player finds on one position, in the words of Python: the strategy `best` decides by
it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Timer

import numpy as np

from bot.board import Board, Cell, Coordinate
from bot.solver.deduction.compiled_board import MINE, SAFE, UNKNOWN
from bot.solver.guess.player import ENDGAMES, GROUPS, Player
from bot.solver.jit import compiler
from bot.solver.probability.examination import CERTAIN, IMPOSSIBLE, LIMITED, NOTHING, UNCERTAIN
from bot.solver.simulate.best_games import Players, announce, decide_or_play, lent_players
from bot.solver.simulate.recorded_games import new_record

_NO_MINEFIELD = np.zeros(1, np.int8)

_NO_RECORD = new_record(1)


@dataclass(frozen=True)
class WeighedCell:
    """A cell that was weighed for a guess."""

    cell: Coordinate
    win: float | None
    """The chance to win after it, where that is exact."""
    score: float | None
    """What the chance to win is taken for, where it is not."""
    most: float | None = None
    """What the chance to win is at most, where exact search has shown no more."""


@dataclass(frozen=True, eq=False)
class Thought:
    """What was found on a position."""

    found: int
    """CERTAIN, UNCERTAIN, NOTHING, IMPOSSIBLE or LIMITED, as `bot.solver.probability.examination` says
    them."""
    safe: tuple[Coordinate, ...] = ()
    mines: tuple[Coordinate, ...] = ()
    """Covered cells that are certainly mines."""
    chance: Mapping[Coordinate, float] = field(default_factory=dict)
    """The chance of a mine in each covered cell, 0 and 1 for the certain ones."""
    cell: Coordinate | None = None
    """What to guess."""
    kind: int = 0
    """How it was chosen: ENDGAMES, GROUPS or SCORED of `bot.solver.guess.player`."""
    weighed: tuple[WeighedCell, ...] = ()
    """The cells that came into question, the best first."""
    nodes: int = 0
    """Sets of layouts that exact search looked at."""
    cut: bool = False
    """Whether the clock cut the thought short."""


def decide(board: Board, mines: int, think: int = 1, limit_s: float | None = None) -> Thought:
    """Decide on a board with so many mines in all; flags count as covered cells.

    After `limit_s` seconds, the games that are played on from close guesses end, and the best so far stands.
    """
    announce()
    with lent_players(board.rows, board.columns, mines, think) as players:
        return _decided(players, board, limit_s if think > 1 else None)


def _decided(players: Players, board: Board, limit_s: float | None) -> Thought:
    """What these players find; nobody else has them."""
    player, deeper = players
    codes = np.array(board.codes, order="C")
    player.game.search.nodes = 0
    clock = None if limit_s is None else Timer(limit_s, _hurry, [player])
    player.settings.hurry = 0
    if clock is not None:
        clock.start()
    try:
        found, cell = decide_or_play(player, deeper, codes, _NO_MINEFIELD, -1, 0.0, _NO_RECORD)
    except SystemError as error:
        if compiler.interrupted(error):
            raise KeyboardInterrupt from None
        raise
    finally:
        if clock is not None:
            clock.cancel()
            clock.join()
        player.settings.hurry = 0
    cut = bool(player.result.cut) and found == UNCERTAIN
    if cut:
        player.memory[:] = 0  # what the clock decided is no decision of the board alone
    if found in (IMPOSSIBLE, LIMITED):
        return Thought(found)
    stride = player.field.counts.stride
    state = player.field.state.reshape(-1, stride)[1:-1, 1:-1]
    covered = (codes >= Cell.COVERED) & (codes <= Cell.QUESTION)
    safe, certain = (_cells(covered & (state == each)) for each in (SAFE, MINE))
    chances = player.chance.reshape(-1, stride)[1:-1, 1:-1]
    chance = dict.fromkeys(safe, 0.0) | dict.fromkeys(certain, 1.0)
    chance |= {place: float(chances[place]) for place in _cells(state == UNKNOWN)}
    if found in (CERTAIN, NOTHING):
        return Thought(found, safe, certain, chance)
    return Thought(
        found,
        safe,
        certain,
        chance,
        _place(cell, stride),
        player.result.kind,
        tuple(_weighed(player, int(cell), stride)),
        player.game.search.nodes,
        cut,
    )


def _hurry(player: Player) -> None:
    player.settings.hurry = 1


def _weighed(player: Player, chosen: int, stride: int) -> list[WeighedCell]:
    """The chosen cell, and the others that were looked at, by their score."""
    game = player.game
    if player.result.kind == ENDGAMES:
        layouts = round(math.exp(player.combined.log_solutions))
        columns = player.field.counts.unknown
        bound = {int(game.cells[column]): float(game.chance[column]) / layouts for column in range(columns)}
        others = sorted((cell for cell in bound if bound[cell] >= 0), key=lambda cell: (-bound[cell], cell))
        return [
            WeighedCell(_place(chosen, stride), float(player.result.win), None),
            *(
                WeighedCell(_place(cell, stride), None, None, bound[cell])
                for cell in others
                if cell != chosen
            ),
        ]
    if player.result.kind == GROUPS:
        return [WeighedCell(_place(chosen, stride), None, None)]
    count = int(player.candidate_count[0])
    scores = {int(player.candidates[k]): float(player.score[k]) for k in range(count)}
    others = sorted((cell for cell in scores if scores[cell] > 0), key=lambda cell: (-scores[cell], cell))
    score = float(player.result.score)
    first = WeighedCell(_place(chosen, stride), None, score if score >= 0 else None)
    return [
        first,
        *(WeighedCell(_place(cell, stride), None, scores[cell]) for cell in others if cell != chosen),
    ]


def _place(cell: int, stride: int) -> Coordinate:
    return int(cell) // stride - 1, int(cell) % stride - 1


def _cells(chosen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[Coordinate, ...]:
    rows, columns = np.nonzero(chosen)
    return tuple(zip(rows.tolist(), columns.tolist(), strict=True))
