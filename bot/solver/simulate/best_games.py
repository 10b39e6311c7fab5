"""The learned player as the strategy `best` uses it: compiled decisions, on one board or in whole games.

`choose_guess` of `bot.solver.guess.policy` decides in both.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

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


Players = tuple[Player, Player | None]
"""The player that decides, and the one that it looks further with: None where the usual thought does not look
at the positions after a guess, so that it is not even compiled."""

_Kind = tuple[int, int, int]
"""Rows, columns and thought: what the arrays are made for."""

KINDS = 4
"""Kinds of which players are kept. One has 66 MB on an Expert board, though most of that is never touched."""

AT_ONCE = os.cpu_count() or 1
"""Players of one kind that are kept: one is lent to each thread that thinks, and so many can at once."""

_free: dict[_Kind, list[Players]] = {}
"""The players that nobody has, by their kind, the last kind that was asked for at the end."""

_lock = threading.Lock()
"""Held while `_free` is looked at or changed, and never while somebody thinks."""


@contextmanager
def lent_players(rows: int, columns: int, mines: int, think: int) -> Iterator[Players]:
    """The players of boards of this kind, which nobody else has until the body ends.

    `think` multiplies the nodes of the exact search and the work of the look ahead, and the layouts from
    which on the exact search begins; from 2 on, games are played on from guesses that are close. Whoever asks
    next gets the same ones, unless the body raised something: they may be in the midst of a thought.
    """
    kind = rows, columns, think
    players = _taken(kind) or _new_players(kind)
    player, deeper = players
    if player.field.counts.total != mines:
        set_total(player.field, mines)
        player.memory[:] = 0  # its decisions are of another total
    if deeper is not None:
        set_total(deeper.field, mines)
    yield players
    with _lock:
        free = _free.get(kind)
        if free is not None and len(free) < AT_ONCE:
            free.append(players)


def _taken(kind: _Kind) -> Players | None:
    """Players that were given back; None where there are none."""
    with _lock:
        free = _free[kind] = _free.pop(kind, [])
        if len(_free) > KINDS:
            del _free[next(iter(_free))]
        return free.pop() if free else None


def _new_players(kind: _Kind) -> Players:
    rows, columns, think = kind
    solutions = min(400 * think, MOST_SOLUTIONS)
    player = new_player(rows, columns, None, solutions, read_net(), read_correction())
    player.settings.policy = BEST_SCORE
    player.settings.node_budget *= think
    player.settings.layout_work *= min(think, MOST_WORK)
    player.settings.rolls = MORE_ROLLS * (think - 1)
    return player, None if think == 1 else new_player(rows, columns, None, net=read_net())


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
