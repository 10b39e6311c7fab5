"""The learned player as the strategy `best` uses it: one position at a time, with what it found on the way.

Whole games of it are compiled too; `choose` of `bot.solver.choice` decides in both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Timer

import numpy as np

from bot.board import Board, Cell, Coordinate
from bot.errors import FormatError
from bot.solver import compiled
from bot.solver.analysis import OUT_LOG
from bot.solver.choice import choose
from bot.solver.compiled import jit
from bot.solver.endgame import NODES
from bot.solver.features import FEATURES
from bot.solver.field import MINE, SAFE, STRIDE, TOTAL, UNKNOWN, UNKNOWNS
from bot.solver.fronts import forget
from bot.solver.outlook import NEURONS
from bot.solver.player import (
    BEST_SCORE,
    CUT,
    ENDGAMES,
    GROUPS,
    HURRY,
    LAYOUT_WORK,
    NODE_BUDGET,
    POLICY,
    ROLLS,
    SEEN,
    WIN,
    Player,
    load_board,
    new_player,
)
from bot.solver.rounds import (
    CERTAIN,
    IMPOSSIBLE,
    LIMIT,
    LIMITED,
    LOST,
    NOTHING,
    UNCERTAIN,
    UNDECIDED,
    WON,
    Sheet,
    guess,
    look,
    new_sheet,
    open_safe,
    over,
    set_total,
    start,
)
from bot.solver.workspace import Bytes, Floats

NET = Path(__file__).with_name("value.npy")
"""The learned value of a position: a network over the numbers of `bot.solver.features`."""

CORRECTION = Path(__file__).with_name("correction.npy")
"""What scores leave out: a network over what `bot.solver.correction` sees."""

MOST_SOLUTIONS = 4000
"""Layouts that are searched to the end with any budget of thought."""

MOST_WORK = 8
"""The look ahead over written-out layouts gets so many times its usual work at most: 2 s."""

MORE_ROLLS = 200
"""Games that are played on from one guess for each unit of thought after the first."""


_NO_BOARD = np.zeros((1, 1), np.int8)
_NO_MINEFIELD = np.zeros(1, np.int8)
_NO_SHEET = new_sheet(1)


@dataclass(frozen=True)
class Weighed:
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
    """CERTAIN, UNCERTAIN, NOTHING, IMPOSSIBLE or LIMITED, as `bot.solver.rounds` says them."""
    safe: tuple[Coordinate, ...] = ()
    mines: tuple[Coordinate, ...] = ()
    """Covered cells that are certainly mines."""
    chance: Mapping[Coordinate, float] = field(default_factory=dict)
    """The chance of a mine in each covered cell, 0 and 1 for the certain ones."""
    cell: Coordinate | None = None
    """What to guess."""
    kind: int = 0
    """How it was chosen: ENDGAMES, GROUPS or SCORED of `bot.solver.player`."""
    weighed: tuple[Weighed, ...] = ()
    """The cells that came into question, the best first."""
    nodes: int = 0
    """Sets of layouts that exact search looked at."""
    cut: bool = False
    """Whether the clock cut the thought short."""


def read_net(path: Path = NET, inputs: int = FEATURES) -> Floats:
    """The weights of a network, the value if not said otherwise. Raises FormatError where they are none for
    so many inputs."""
    try:
        net = np.load(path)
    except (OSError, ValueError) as error:
        raise FormatError(f"{path} cannot be read ({error}): install minebot again") from None
    if net.ndim == 1 and net.shape[0] > 2:
        first, second = int(net[0]), int(net[1])
        size = 2 + first * (inputs + 1) + second * (first + 1) + second + 1
        if net.shape[0] == size and max(first, second) <= NEURONS:
            return np.ascontiguousarray(net, np.float64)
    raise FormatError(f"{path} holds no weights for {inputs} inputs: install minebot again")


def read_correction(path: Path = CORRECTION) -> Floats:
    """The weights of the correction of scores, as `read_net` reads them."""
    return read_net(path, SEEN)


def thinker(rows: int, columns: int, mines: int, think: int) -> Player:
    """A player of boards of this kind; whoever asks for it next gets the same arrays.

    `think` multiplies the nodes of the exact search and the work of the look ahead, and the layouts from
    which on the exact search begins; from 2 on, games are played on from guesses that are close.
    """
    player = _player(rows, columns, think)
    if player.field.numbers[TOTAL] != mines:
        set_total(player.field, mines)
        player.memory[:] = 0  # its decisions are of another total
    return player


@lru_cache(maxsize=4)
def _player(rows: int, columns: int, think: int) -> Player:
    solutions = min(400 * think, MOST_SOLUTIONS)
    player = new_player(rows, columns, None, solutions, read_net(), read_correction())
    player.settings[POLICY] = BEST_SCORE
    player.settings[NODE_BUDGET] *= think
    player.settings[LAYOUT_WORK] *= min(think, MOST_WORK)
    player.settings[ROLLS] = MORE_ROLLS * (think - 1)
    return player


@lru_cache(maxsize=4)
def _scout(rows: int, columns: int) -> Player:
    """The player that looks at what follows a guess."""
    return new_player(rows, columns, None, net=read_net())


def scout(rows: int, columns: int, mines: int, think: int) -> Player | None:
    """As `thinker`, for the positions after a guess; None where the usual thought does not look at them, so
    that it is not even compiled."""
    if think == 1:
        return None
    player = _scout(rows, columns)
    set_total(player.field, mines)
    return player


@jit
def serve(
    player: Player,
    deeper: Player | None,
    codes: Bytes,
    minefield: Bytes,
    first: int,
    survival: float,
    sheet: Sheet,
) -> tuple[int, int]:
    """Decide on one board, or play a whole game: one function, since each takes its time to compile.

    With `first` from 0 it plays as `bot.solver.rounds.play_safest` does, and says how it ended. Else it takes
    up the board of `codes`, shape (rows, columns), and says what it found and the cell to guess (-1: none).
    """
    field, ws = player.field, player.ws
    alone = first < 0
    if alone:
        load_board(player, codes)
    elif not start(field, minefield, first, survival, sheet):
        return LOST, -1
    while alone or not over(field):
        found, cons = look(field, ws, player.chance, player.out, LIMIT)
        if found == CERTAIN and not alone:
            open_safe(field, minefield, sheet)
            continue
        if found != UNCERTAIN:
            return found if alone else UNDECIDED, -1
        cell = choose(player, deeper, alone)
        forget(ws, cons)
        if alone:
            return found, cell
        if not guess(field, minefield, cell, 1 - player.chance[cell], sheet):
            return LOST, -1
    return WON, -1


def play_best(
    player: Player, deeper: Player | None, minefield: Bytes, first: int, survival: float, sheet: Sheet
) -> int:
    """Play one game, as `bot.solver.rounds.play_safest` does."""
    return serve(player, deeper, _NO_BOARD, minefield, first, survival, sheet)[0]


def announce() -> None:
    """Say that the player will be compiled, if it will."""
    compiled.announce("thinker.serve", "about a minute")


def ponder(board: Board, mines: int, think: int = 1, limit_s: float | None = None) -> Thought:
    """Decide on a board with so many mines in all; flags count as covered cells.

    After `limit_s` seconds, the games that are played on from close guesses end, and the best so far stands.
    """
    announce()
    player = thinker(board.rows, board.columns, mines, think)
    deeper = scout(board.rows, board.columns, mines, think)
    codes = np.array(board.codes, order="C")
    player.game.numbers[NODES] = 0
    clock = None if limit_s is None or think == 1 else Timer(limit_s, _hurry, [player])
    player.settings[HURRY] = 0
    if clock is not None:
        clock.start()
    try:
        found, cell = serve(player, deeper, codes, _NO_MINEFIELD, -1, 0.0, _NO_SHEET)
    except SystemError as error:
        if compiled.interrupted(error):
            raise KeyboardInterrupt from None
        raise
    finally:
        if clock is not None:
            clock.cancel()
            clock.join()
        player.settings[HURRY] = 0
    cut = bool(player.result[CUT]) and found == UNCERTAIN
    if cut:
        player.memory[:] = 0  # what the clock decided is no decision of the board alone
    if found in (IMPOSSIBLE, LIMITED):
        return Thought(found)
    stride = int(player.field.numbers[STRIDE])
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
        int(player.result[3]),
        tuple(_weighed(player, int(cell), stride)),
        int(player.game.numbers[NODES]),
        cut,
    )


def _hurry(player: Player) -> None:
    player.settings[HURRY] = 1


def _weighed(player: Player, chosen: int, stride: int) -> list[Weighed]:
    """The chosen cell, and the others that were looked at, by their score."""
    game = player.game
    if player.result[3] == ENDGAMES:
        layouts = round(math.exp(player.out[OUT_LOG]))
        columns = int(player.field.numbers[UNKNOWNS])
        bound = {int(game.cells[column]): float(game.chance[column]) / layouts for column in range(columns)}
        others = sorted((cell for cell in bound if bound[cell] >= 0), key=lambda cell: (-bound[cell], cell))
        return [
            Weighed(_place(chosen, stride), float(player.result[WIN]), None),
            *(Weighed(_place(cell, stride), None, None, bound[cell]) for cell in others if cell != chosen),
        ]
    if player.result[3] == GROUPS:
        return [Weighed(_place(chosen, stride), None, None)]
    count = int(player.candidate_count[0])
    scores = {int(player.candidates[k]): float(player.score[k]) for k in range(count)}
    others = sorted((cell for cell in scores if scores[cell] > 0), key=lambda cell: (-scores[cell], cell))
    score = float(player.result[2])
    first = Weighed(_place(chosen, stride), None, score if score >= 0 else None)
    return [first, *(Weighed(_place(cell, stride), None, scores[cell]) for cell in others if cell != chosen)]


def _place(cell: int, stride: int) -> Coordinate:
    return int(cell) // stride - 1, int(cell) % stride - 1


def _cells(chosen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[Coordinate, ...]:
    rows, columns = np.nonzero(chosen)
    return tuple(zip(rows.tolist(), columns.tolist(), strict=True))
