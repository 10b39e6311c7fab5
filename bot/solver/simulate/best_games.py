"""The learned player as the strategy `best` uses it: compiled decisions, on one board or in whole games.

`choose_guess` of `bot.solver.guess.policy` decides in both.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from bot.solver.constraints.workspace import Bytes
from bot.solver.guess.player import Player, load_board, new_player
from bot.solver.guess.playing_on import LOST, finding_guess, playing_on
from bot.solver.guess.policy import choose_guess
from bot.solver.guess.settings import BEST_SCORE
from bot.solver.jit import compiler
from bot.solver.jit.compiler import jit
from bot.solver.simulate.recorded_games import (
    GAME_LAYER_STATES,
    RECORDED,
    GameRecord,
    RecordedGame,
    open_first,
    set_total,
)
from bot.solver.value.weights import read_correction, read_net

MOST_SOLUTIONS = 4000
"""Layouts that are searched to the end with any budget of thought."""

MOST_WORK = 8
"""The look ahead over written-out layouts gets so many times its usual work at most: 2 s."""

MORE_ROLLS = 200
"""Games that are played on from one guess for each unit of thought after the first."""

_NO_BOARD = np.zeros((1, 1), np.int8)


def best_player(rows: int, columns: int, mines: int, think: int) -> Player:
    """A player of boards of this kind; whoever asks for it next gets the same arrays.

    `think` multiplies the nodes of the exact search and the work of the look ahead, and the layouts from
    which on the exact search begins; from 2 on, games are played on from guesses that are close.
    """
    player = _best_player(rows, columns, think)
    if player.field.counts.total != mines:
        set_total(player.field, mines)
        player.memory[:] = 0  # its decisions are of another total
    return player


@lru_cache(maxsize=4)
def _best_player(rows: int, columns: int, think: int) -> Player:
    solutions = min(400 * think, MOST_SOLUTIONS)
    player = new_player(rows, columns, None, solutions, read_net(), read_correction())
    player.settings.policy = BEST_SCORE
    player.settings.node_budget *= think
    player.settings.layout_work *= min(think, MOST_WORK)
    player.settings.rolls = MORE_ROLLS * (think - 1)
    return player


@lru_cache(maxsize=4)
def _rollout_player(rows: int, columns: int) -> Player:
    """The player that looks at what follows a guess."""
    return new_player(rows, columns, None, net=read_net())


def rollout_player(rows: int, columns: int, mines: int, think: int) -> Player | None:
    """As `best_player`, for the positions after a guess; None where the usual thought does not look at them,
    so that it is not even compiled."""
    if think == 1:
        return None
    player = _rollout_player(rows, columns)
    set_total(player.field, mines)
    return player


find_best = finding_guess(choose_guess, RECORDED)
"""One position, decided by the learned player."""

play_on_best = playing_on(find_best, RECORDED)
"""The loop of that player."""


@jit
def decide_or_play(
    player: Player,
    deeper: Player | None,
    codes: Bytes,
    minefield: Bytes,
    first: int,
    survival: float,
    game_record: GameRecord,
) -> tuple[int, int]:
    """Decide on one board, or play a whole game: one function, since each takes its time to compile.

    With `first` from 0 it plays as `bot.solver.simulate.recorded_games.play_safest` does, and says how it
    ended. Else it takes up the board of `codes`, shape (rows, columns), and says what it found and the cell
    to guess (-1: none).
    """
    game = RecordedGame(minefield, game_record)
    if first < 0:
        load_board(player, codes)
        return find_best(player, deeper, game, GAME_LAYER_STATES, True)
    if not open_first(player.field, minefield, first, survival, game_record):
        return LOST, -1
    return play_on_best(player, deeper, game, -1, GAME_LAYER_STATES)


def play_best(
    player: Player,
    deeper: Player | None,
    minefield: Bytes,
    first: int,
    survival: float,
    game_record: GameRecord,
) -> int:
    """Play one game, as `bot.solver.simulate.recorded_games.play_safest` does."""
    return decide_or_play(player, deeper, _NO_BOARD, minefield, first, survival, game_record)[0]


def announce() -> None:
    """Say that the player will be compiled, if it will."""
    compiler.announce("best_games.decide_or_play", "about a minute")
