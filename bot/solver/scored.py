"""Guesses one move deep: by the learned value of what follows, and by how safe the next guesses will be."""

from __future__ import annotations

import math

import numpy as np

from bot.solver.compiled import part
from bot.solver.correction import correction, see, see_terms
from bot.solver.field import UNKNOWN
from bot.solver.fifty import fifty_fifty
from bot.solver.games import safest
from bot.solver.network import answer
from bot.solver.outlook import Outlook, look_at, prepare
from bot.solver.player import CORRECT, FIFTY_FIFTY, LEAST, MARGIN, Player
from bot.solver.workspace import CELL_DEGREE, Floats, Ints

BEST_NEXT, SECOND_NEXT = 2, 3
"""Features: how safe the safest cell will be, and the next one."""

VALUE, BEST, SECOND = 0.33, 0.62, 0.27
"""Exponents of the learned value of what follows and of those two in a score; the chance to survive has 1.
(By least squares, as training/correct.py tells them, over two to four candidates of each of 39,551 positions
of Expert, each played on in 16 layouts.)"""

NEAR = 0.93
"""Scores that are corrected: those of at least this part of the best so far."""


@part
def collect(player: Player) -> int:
    """List the cells worth a look: nearly as safe as the safest; of those far from every number, one of a
    kind."""
    field, chance = player.field, player.chance
    lowest = 2.0
    for cell in range(field.state.shape[0]):
        if field.state[cell] == UNKNOWN and chance[cell] < lowest:
            lowest = chance[cell]
    count = 0
    far = np.zeros(100, np.int8)
    for cell in range(field.state.shape[0]):
        if field.state[cell] != UNKNOWN or chance[cell] > lowest + player.settings[MARGIN]:
            continue
        if player.ws.cell[CELL_DEGREE, cell] == 0:
            touches = False
            for step in field.around:
                other = cell + step
                if field.state[other] == UNKNOWN and player.ws.cell[CELL_DEGREE, other] > 0:
                    touches = True
            if not touches:
                kind = field.unknown[cell] * 10 + field.near[cell]
                if far[kind]:
                    continue
                far[kind] = 1
        player.candidates[count] = cell
        count += 1
    return count


@part
def value(net: Floats, x: Floats, hidden: Floats) -> float:
    """The chance to win a position with these features."""
    return 1 / (1 + math.exp(-answer(net, x, hidden)))


@part
def weigh(player: Player, cell: int) -> tuple[float, bool]:
    """The chance to survive opening a cell times the value of what follows, and whether the cell is dead.

    Expects `prepare`. Fills `look`. The chance is -1 where that is too much work.
    """
    look = player.look
    if not look_at(look, player.field, player.ws, player.trial, player.out, cell, 2000):
        return -1.0, False
    total = 0.0
    most = 0.0
    for shown in range(9):
        if look.number[shown] > 0:
            look.follows[shown] = value(player.net, look.features[shown], look.hidden)
            total += look.number[shown] * look.follows[shown]
            most = max(most, look.number[shown])
    # A dead cell shows one number in every layout: it teaches nothing.
    return total * (1 - player.chance[cell]), most > 1 - 1e-9


@part
def next_guesses(look: Outlook) -> tuple[float, float]:
    """How safe the safest and the second safest cell will be on average, after the candidate of `look`."""
    best = 0.0
    second = 0.0
    for shown in range(9):
        if look.number[shown] > 0:
            best += look.number[shown] * look.features[shown, BEST_NEXT]
            second += look.number[shown] * look.features[shown, SECOND_NEXT]
    return best, second


@part
def settled(player: Player, cell: int) -> float:
    """How much more a cell is worth, once it is opened and found to be safe, for the fifty-fifties that it
    may lie in: half of the games would be lost for them later."""
    weight = player.settings[FIFTY_FIFTY]
    if weight == 0:
        return 1.0
    real = fifty_fifty(player, cell, player.settings[LEAST])
    return float(1 + weight * real / 2 / (1 - player.chance[cell]))


@part
def blended(player: Player, cell: int, value: float) -> float:
    """The score of a candidate that `weigh` has just weighed, `value` its chance to survive times the value
    of what follows: in a product with how safe the next two guesses will be and with what fifty-fifties cost.

    The learned value errs, and the highest of several is too high on average. How safe the best and the
    second best cell will be then is told exactly, and errs in other ways, so that both together err less.
    A correction, which `see` prepares, is told these terms too.
    """
    best, second = next_guesses(player.look)
    safe = 1 - player.chance[cell]
    fifty = settled(player, cell)
    see_terms(player, safe, value / safe, best, second, fifty)
    return float(safe * (value / safe) ** VALUE * best**BEST * second**SECOND * fifty)


@part
def scored(player: Player) -> int:
    """The candidate with the highest score. All scores are left in `score`, as chances to win."""
    count = collect(player)
    player.candidate_count[0] = count
    prepare(player.look, player.ws, player.out)
    plain = 0.0
    best = 0.0
    best_value = 0.0
    choice = -1
    spare = -1
    spare_value = -1.0
    for k in range(count):
        cell = player.candidates[k]
        player.score[k] = 0.0
        safe = 1 - player.chance[cell]
        # A fifty-fifty is real at most in as many layouts as the cell is a mine in, and in as many again.
        # On the densest boards a chance to survive can be too small to be told from none.
        if safe <= 0.0 or safe + player.settings[FIFTY_FIFTY] * (1 - safe) <= NEAR * plain:
            continue
        value, dead = weigh(player, cell)
        if value < 0:
            continue
        if dead:
            if value > spare_value:
                spare, spare_value = cell, value
            continue
        score = blended(player, cell, value)
        plain = max(plain, score)
        near = score >= NEAR * plain
        if near and player.settings[CORRECT] > 0:
            see(player, cell)
            score *= correction(player)
        player.score[k] = score
        if near and score > best:
            best, best_value, choice = score, value, cell
    if choice < 0:
        player.result[2] = spare_value
        return spare if spare >= 0 else safest(player.field, player.chance)
    # Only how the scores compare counts: the best is told as the chance to win that it is taken for. What was
    # too far behind to be corrected stays behind.
    for k in range(count):
        player.score[k] = min(player.score[k], best) * best_value / best
    player.result[2] = best_value
    return choice


@part
def closest(player: Player, choice: int, margin: float, picked: Ints) -> int:
    """Of the candidates that `scored` has left, the places of `choice` and of the best others whose score is
    within `margin` of the best, the best first, as many as `picked` holds. Returns how many."""
    score = player.score
    lowest = max(player.result[2] - margin, 1e-9)
    count = 0
    for k in range(player.candidate_count[0]):
        if player.candidates[k] == choice:
            picked[0] = k
            count = 1
    while count < picked.shape[0]:
        best = -1
        for k in range(player.candidate_count[0]):
            if score[k] < lowest or (best >= 0 and score[k] <= score[best]):
                continue
            taken = False
            for at in range(count):
                taken |= picked[at] == k
            if not taken:
                best = k
        if best < 0:
            break
        picked[count] = best
        count += 1
    return count
