"""Whole games of simulated minefields, compiled, with every click written down.

Each round opens all that is certain, row by row, or one cell that is guessed, exactly as `bot.game_loop` does
with the decisions of a strategy: the same clicks in the same order, with no loop in Python.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bot.solver.constraints.workspace import Bytes, Floats, Ints, Workspace, new_workspace
from bot.solver.deduction.compiled_board import OPENED, SAFE, CompiledBoard, cover_all, new_board, open_cell
from bot.solver.guess.player import Player
from bot.solver.guess.playing_on import LOST, Manner, finding_guess, playing_on
from bot.solver.guess.safest import safest_cell
from bot.solver.jit.compiler import jit, part
from bot.solver.jit.records import Record, new
from bot.solver.probability.combination import Combination
from bot.solver.probability.examination import UNCERTAIN

GAME_STATES = 1 << 18
"""Partial solutions that a workspace for games holds."""

GAME_LAYER_STATES = 20000
"""The most states of a layer, in games."""

PROTECTED = -1.0
"""The survival of a first click that is no guess."""

EXPLOSION = 9
"""Stands for a mine in the numbers of a minefield."""


class GameCounts(Record):
    """How many clicks and guesses were written down."""

    clicks: int
    guesses: int


class GameRecord(NamedTuple):
    """What is written down of one game, for a board of K cells with its border."""

    clicks: Ints
    """The cells that were clicked, in order."""
    guesses: Floats
    """The chance to survive that was given to each guess, in order."""
    counts: GameCounts
    stack: Ints
    """Cells that an opening still has to spread from."""


class RecordedGame(NamedTuple):
    """A game, as the loop plays it."""

    minefield: Bytes
    written: GameRecord


class SafestPlayer(NamedTuple):
    """The arrays of a player that guesses the safest cell."""

    field: CompiledBoard
    ws: Workspace
    chance: Floats
    combined: Combination


def new_record(cells: int) -> GameRecord:
    """A record for a bordered board of so many cells."""
    return GameRecord(
        clicks=np.zeros(cells, np.int32),
        guesses=np.zeros(cells),
        counts=new(GameCounts),
        stack=np.zeros(cells, np.int32),
    )


def set_total(field: CompiledBoard, mines: int) -> None:
    """From now on, so many mines are in all cells together."""
    field.counts.total = mines


def new_safest_player(rows: int, columns: int) -> SafestPlayer:
    """A player that guesses the safest cell, for boards of one size; its total is still to be set."""
    size = (rows + 2) * (columns + 2)
    return SafestPlayer(
        field=new_board(rows, columns, None),
        ws=new_workspace(size, GAME_STATES),
        chance=np.zeros(size),
        combined=new(Combination),
    )


@part
def open_and_spread(field: CompiledBoard, minefield: Bytes, cell: int, game_record: GameRecord) -> None:
    """Click a covered cell that is no mine; a zero opens its neighbours."""
    game_record.clicks[game_record.counts.clicks] = cell
    game_record.counts.clicks += 1
    stack = game_record.stack
    open_cell(field, cell, minefield[cell])
    stack[0] = cell
    height = 1
    while height > 0:
        height -= 1
        here = stack[height]
        if minefield[here] != 0:
            continue
        for step in field.around:
            other = here + step
            if field.state[other] < OPENED:
                open_cell(field, other, minefield[other])
                stack[height] = other
                height += 1


@part
def open_first(
    field: CompiledBoard, minefield: Bytes, first: int, survival: float, game_record: GameRecord
) -> bool:
    """Make the first click of a game. Returns False where it hits a mine."""
    cover_all(field)
    game_record.counts.clicks = 0
    game_record.counts.guesses = 0
    return open_guess(field, minefield, first, survival, game_record)


@part
def open_guess(
    field: CompiledBoard, minefield: Bytes, cell: int, survival: float, game_record: GameRecord
) -> bool:
    """Open a cell that may be a mine; a survival of PROTECTED is no guess. Returns False where it is one."""
    if survival != PROTECTED:
        game_record.guesses[game_record.counts.guesses] = survival
        game_record.counts.guesses += 1
    if minefield[cell] == EXPLOSION:
        game_record.clicks[game_record.counts.clicks] = cell
        game_record.counts.clicks += 1
        return False
    open_and_spread(field, minefield, cell, game_record)
    return True


@part
def open_guessed(player: Any, game: RecordedGame, cell: int) -> bool:
    """Open a guess with the chance that the position gives it. Returns False where it is a mine."""
    return open_guess(player.field, game.minefield, cell, 1 - player.chance[cell], game.written)


@part
def open_row_by_row(player: Any, game: RecordedGame) -> None:
    """Open the cells that are known to be safe, row by row; those that an opening opens get no click."""
    field = player.field
    field.counts.safe = 0
    for cell in range(field.state.shape[0]):
        if field.state[cell] == SAFE:
            open_and_spread(field, game.minefield, cell, game.written)


@part
def as_it_is(player: Any, game: RecordedGame, cell: int) -> tuple[int, int]:
    """Nothing is made of a guess: it is opened."""
    return UNCERTAIN, cell


RECORDED = Manner(open_guessed, open_row_by_row, as_it_is, quick=False)
"""Games of which every click is written down."""


@part
def choose_safest_cell(player: SafestPlayer, deeper: Player | None, afresh: bool) -> int:
    """The safest cell."""
    return safest_cell(player.field, player.chance)


play_on_safest = playing_on(finding_guess(choose_safest_cell, RECORDED), RECORDED)
"""The loop of the player that guesses the safest cell."""


@jit
def play_safest(
    player: SafestPlayer, minefield: Bytes, first: int, survival: float, game_record: GameRecord
) -> int:
    """Play one game by the safest cell: `minefield` is what `bot.solver.simulate.minefield.lay_mines` writes.

    `survival` is the chance that was given to the first click, or PROTECTED.
    """
    if not open_first(player.field, minefield, first, survival, game_record):
        return LOST
    return play_on_safest(player, None, RecordedGame(minefield, game_record), -1, GAME_LAYER_STATES)[0]
