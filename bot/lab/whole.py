"""Whole games of the strategies that are compiled, click by click as `bot.game_loop` plays them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bot.board import Coordinate, Rules, Spread
from bot.game.minefield import Minefield
from bot.solver.guess.playing_on import UNDECIDED, WON
from bot.solver.jit import compiler
from bot.solver.simulate.recorded_games import (
    EXPLOSION,
    PROTECTED,
    GameRecord,
    SafestPlayer,
    new_record,
    new_safest_player,
    play_safest,
    set_total,
)
from bot.strategy.base import Strategy
from bot.strategy.best import Best
from bot.strategy.exact import Exact


@dataclass(frozen=True)
class WholeGame:
    """A game that was played to its end."""

    won: bool
    clicks: tuple[Coordinate, ...]
    """The cells that were clicked, in order; those that an opening opens are not."""
    guesses: tuple[float, ...]
    """The chance to survive that was given to each guess, in order."""


PlayWhole = Callable[[Minefield, Coordinate, float | None], WholeGame | None]
"""Plays a game from a first click, and the chance that it was given (None: it is no guess). None for a game
with a position that compiled games leave to the loop."""

_Compiled = Callable[[npt.NDArray[np.int8], int, float, GameRecord], int]
"""A minefield with a border, the first cell, its chance, and what is written down; returns how it ended."""


def whole_games(strategy: Strategy, rules: Rules) -> PlayWhole | None:
    """What plays the games of these rules compiled; None where only the loop can.

    It serves one game at a time: the arrays that it works in are shared.
    """
    if rules.mines is None or rules.spread is not Spread.EIGHT:
        return None
    if isinstance(strategy, Exact):
        player = _safest(rules.rows, rules.columns)
        set_total(player.field, rules.mines)
        return _whole(
            lambda *game: play_safest(player, *game), _sheet(rules.rows, rules.columns), compiler.announce
        )
    if isinstance(strategy, Best):
        from bot.solver.simulate.best_games import announce, lent_players, play_best

        kind = rules.rows, rules.columns, rules.mines, strategy.think

        def play(numbers: npt.NDArray[np.int8], first: int, survival: float, sheet: GameRecord) -> int:
            with lent_players(*kind) as players:
                return play_best(*players, numbers, first, survival, sheet)

        return _whole(play, _sheet(rules.rows, rules.columns), announce)
    return None


@lru_cache(maxsize=4)
def _safest(rows: int, columns: int) -> SafestPlayer:
    return new_safest_player(rows, columns)


@lru_cache(maxsize=4)
def _sheet(rows: int, columns: int) -> GameRecord:
    return new_record((rows + 2) * (columns + 2))


def _whole(compiled_game: _Compiled, sheet: GameRecord, announce: Callable[[], None]) -> PlayWhole:
    def play(minefield: Minefield, first: Coordinate, survival: float | None) -> WholeGame | None:
        announce()
        numbers = np.where(minefield.mines, np.int8(EXPLOSION), minefield.counts)
        width = minefield.columns + 2
        cell = (first[0] + 1) * width + first[1] + 1
        try:
            ended = compiled_game(
                np.pad(numbers, 1).ravel(), cell, PROTECTED if survival is None else survival, sheet
            )
        except SystemError as error:
            if compiler.interrupted(error):
                raise KeyboardInterrupt from None
            raise
        if ended == UNDECIDED:
            return None
        rows, columns = np.divmod(sheet.clicks[: sheet.counts.clicks], width)
        return WholeGame(
            won=ended == WON,
            clicks=tuple(zip((rows - 1).tolist(), (columns - 1).tolist(), strict=True)),
            guesses=tuple(sheet.guesses[: sheet.counts.guesses].tolist()),
        )

    return play
