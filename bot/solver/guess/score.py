"""Guesses one move deep: by the learned value of what follows, and by how safe the next guesses will be."""

from __future__ import annotations

import numpy as np

from bot.solver.constraints.workspace import CELL_DEGREE, Ints
from bot.solver.deduction.compiled_board import UNKNOWN
from bot.solver.guess.fifty_fifties import fifty_fifty_chance
from bot.solver.guess.outcomes import Outcomes, prepare_outcomes, work_out_outcomes
from bot.solver.guess.player import Player
from bot.solver.guess.safest import safest_cell
from bot.solver.guess.score_correction import describe_candidate, describe_terms, score_correction
from bot.solver.jit.compiler import part
from bot.solver.value.inputs import BEST_NEXT, SECOND_NEXT
from bot.solver.value.network import win_value

VALUE_EXPONENT, BEST_EXPONENT, SECOND_EXPONENT = 0.33, 0.62, 0.27
"""Exponents of the learned value of what follows and of those two in a score; the chance to survive has 1.
(By least squares, as training/correct.py tells them, over two to four candidates of each of 39,551 positions
of Expert, each played on in 16 layouts.)"""

CORRECTED_FROM = 0.93
"""Scores that are corrected: those of at least this part of the best so far."""


@part
def collect_candidates(player: Player) -> int:
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
        if field.state[cell] != UNKNOWN or chance[cell] > lowest + player.settings.margin:
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
def weigh_candidate(player: Player, cell: int) -> tuple[float, bool]:
    """The chance to survive opening a cell times the value of what follows, and whether the cell is dead.

    Expects `prepare_outcomes`. Fills `outcomes`. The chance is -1 where that is too much work.
    """
    outcomes = player.outcomes
    if not work_out_outcomes(outcomes, player.field, player.ws, player.trial, player.combined, cell, 2000):
        return -1.0, False
    total = 0.0
    most = 0.0
    for shown in range(9):
        if outcomes.number[shown] > 0:
            outcomes.follows[shown] = win_value(player.net, outcomes.features[shown], outcomes.hidden)
            total += outcomes.number[shown] * outcomes.follows[shown]
            most = max(most, outcomes.number[shown])
    # A dead cell shows one number in every layout: it teaches nothing.
    return total * (1 - player.chance[cell]), most > 1 - 1e-9


@part
def safety_of_next_guesses(outcomes: Outcomes) -> tuple[float, float]:
    """How safe the safest and the second safest cell will be on average, after the candidate of
    `outcomes`."""
    best = 0.0
    second = 0.0
    for shown in range(9):
        if outcomes.number[shown] > 0:
            best += outcomes.number[shown] * outcomes.features[shown, BEST_NEXT]
            second += outcomes.number[shown] * outcomes.features[shown, SECOND_NEXT]
    return best, second


@part
def fifty_fifty_factor(player: Player, cell: int) -> float:
    """How much more a cell is worth, once it is opened and found to be safe, for the fifty-fifties that it
    may lie in: half of the games would be lost for them later."""
    weight = player.settings.fifty_fifty
    if weight == 0:
        return 1.0
    real = fifty_fifty_chance(player, cell, player.settings.least_walls)
    return float(1 + weight * real / 2 / (1 - player.chance[cell]))


@part
def blend_score(player: Player, cell: int, value: float) -> float:
    """The score of a candidate that `weigh_candidate` has just weighed, `value` its chance to survive
    times the value of what follows: in a product with how safe the next two guesses will be and with what
    fifty-fifties cost.

    The learned value errs, and the highest of several is too high on average. How safe the best and the
    second best cell will be then is told exactly, and errs in other ways, so that both together err less.
    A correction, which `describe_candidate` prepares, is told these terms too.
    """
    best, second = safety_of_next_guesses(player.outcomes)
    safe = 1 - player.chance[cell]
    fifty = fifty_fifty_factor(player, cell)
    describe_terms(player, safe, value / safe, best, second, fifty)
    return float(
        safe * (value / safe) ** VALUE_EXPONENT * best**BEST_EXPONENT * second**SECOND_EXPONENT * fifty
    )


@part
def best_scored(player: Player) -> int:
    """The candidate with the highest score. All scores are left in `score`, as chances to win."""
    count = collect_candidates(player)
    player.candidate_count[0] = count
    prepare_outcomes(player.outcomes, player.ws, player.combined)
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
        if safe <= 0.0 or safe + player.settings.fifty_fifty * (1 - safe) <= CORRECTED_FROM * plain:
            continue
        value, dead = weigh_candidate(player, cell)
        if value < 0:
            continue
        if dead:
            if value > spare_value:
                spare, spare_value = cell, value
            continue
        score = blend_score(player, cell, value)
        plain = max(plain, score)
        near = score >= CORRECTED_FROM * plain
        if near and player.settings.correct > 0:
            describe_candidate(player, cell)
            score *= score_correction(player)
        player.score[k] = score
        if near and score > best:
            best, best_value, choice = score, value, cell
    if choice < 0:
        player.result.score = spare_value
        return spare if spare >= 0 else safest_cell(player.field, player.chance)
    # Only how the scores compare counts: the best is told as the chance to win that it is taken for. What was
    # too far behind to be corrected stays behind.
    for k in range(count):
        player.score[k] = min(player.score[k], best) * best_value / best
    player.result.score = best_value
    return choice


@part
def closest_candidates(player: Player, choice: int, margin: float, picked: Ints) -> int:
    """Of the candidates that `best_scored` has left, the places of `choice` and of the best others whose
    score is within `margin` of the best, the best first, as many as `picked` holds. Returns how many."""
    score = player.score
    lowest = max(player.result.score - margin, 1e-9)
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
