"""Candidates of one guess played on in the same layout, to learn what tells them apart.

How candidates differ is hidden by the luck of the rest of the game. With that luck taken out (selfplay.py)
and in the same layout, the difference of two has a standard deviation of 0.16 on Expert, and so a fifth of
the variance that it would have in games of their own.
"""

from __future__ import annotations

import math

import numpy as np

from bot.solver.analysis import FINE
from bot.solver.chances import chances
from bot.solver.compiled import jit
from bot.solver.field import clear
from bot.solver.fronts import forget
from bot.solver.games import lay
from bot.solver.outlook import prepare
from bot.solver.player import LIMIT, Player
from bot.solver.rolled import copy_field
from bot.solver.scored import next_guesses, scored, settled, weigh
from bot.solver.selfplay import begin, play_on
from bot.solver.workspace import Floats, Ints

SAFE, VALUE, BEST, SECOND, FIFTY = range(5)
"""Terms of a candidate, all logarithms: its chance to survive, the learned value of what follows, how safe
the two safest cells will be then, and what it is worth to settle fifty-fifties."""
TERMS = 5

CLOSE = 0.02
"""Candidates whose score is further behind the best are not played on."""


@jit
def compare(
    player: Player, scout: Player, layouts: Ints, first: int, stops: Ints, terms: Floats, results: Floats
) -> None:
    """Play a game for each row of `layouts`, mines as `row * columns + column`, to its scored guess number
    `stops[game]` after the first zero; then from the best candidate and from others drawn at random.

    Fills `terms`, shape (games, candidates, TERMS), and `results`, shape (games, candidates), NaN where there
    are not so many candidates, or none at all.
    """
    field, ws = player.field, player.ws
    minefield = np.zeros(field.state.shape[0], np.int8)
    results[:] = np.nan
    for game in range(layouts.shape[0]):
        lay(field, layouts[game], minefield)
        clear(field)
        begin(player, 0.0, 0.0)
        _, guess = play_on(player, None, minefield, first, stops[game])
        if guess < 0:
            continue
        found, cons = chances(field, ws, int(player.settings[LIMIT]), player.chance, player.out)
        if found == FINE:
            guess = scored(player)
            count = 0
            for k in range(player.candidate_count[0]):
                close = player.score[k] > max(player.result[2] - CLOSE, 0.0)
                if close and player.candidates[k] != guess:
                    player.candidates[count] = player.candidates[k]
                    count += 1
            prepare(player.look, ws, player.out)
            for at in range(results.shape[1]):
                if at > 0:
                    if count == 0:
                        break
                    pick = np.random.randint(0, count)
                    guess = player.candidates[pick]
                    count -= 1
                    player.candidates[pick] = player.candidates[count]
                expected, _ = weigh(player, guess)
                if expected <= 0:
                    break  # too much work to be weighed: nothing is known of it
                safe = 1 - player.chance[guess]
                best, second = next_guesses(player.look)
                terms[game, at, SAFE] = math.log(safe)
                terms[game, at, VALUE] = math.log(expected / safe)
                terms[game, at, BEST] = math.log(max(best, 1e-9))
                terms[game, at, SECOND] = math.log(max(second, 1e-9))
                terms[game, at, FIFTY] = math.log(settled(player, guess))
                copy_field(field, scout.field)
                shown = minefield[guess]
                begin(scout, expected, player.look.follows[shown] if shown != 9 else 0.0)
                results[game, at], _ = play_on(scout, None, minefield, guess, -1)
        forget(ws, cons)
