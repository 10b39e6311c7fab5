"""What the score of a guess leaves out, told by a network that saw how such guesses ended.

A score looks one guess ahead. What comes later shows in where a cell lies and in what its certain neighbours
will tell: a cell that makes others certain whose numbers are known beforehand leads nowhere, and the walls of
mines around a cell decide what can still be told there. `correction.npy` was fitted to candidates of one
position that were played on in the same layouts, many times each (paired_candidates.py, training/correct.py):
so small differences are hidden by the luck of single games.
"""

from __future__ import annotations

import math

from bot.solver.constraints.workspace import CELL_DEGREE
from bot.solver.deduction.compiled_board import MINE, OPENED, UNKNOWN
from bot.solver.guess.player import Player
from bot.solver.jit.compiler import part
from bot.solver.value.inputs import (
    AROUND_AT,
    AROUND_RADIUS,
    BESIDE_NUMBER,
    EXTRA_FEATURES,
    FEATURES,
    IS_UNKNOWN,
    MINE_CHANCE,
    MISSING_MINES,
    NUMBERS_A_CELL,
    OFF_BOARD,
    TERMS_AT,
)
from bot.solver.value.network import network_output

LEAST_TERM = -3.0
"""A term that is smaller counts as this."""


@part
def describe_surroundings(player: Player, cell: int) -> None:
    """Fill the last part of `seen`: row by row the cells within AROUND_RADIUS, each with NUMBERS_A_CELL."""
    field, seen = player.field, player.seen
    rows, columns, stride = field.counts.rows, field.counts.columns, field.counts.stride
    row, column = cell // stride, cell % stride
    at = AROUND_AT
    for r in range(row - AROUND_RADIUS, row + AROUND_RADIUS + 1):
        for c in range(column - AROUND_RADIUS, column + AROUND_RADIUS + 1):
            for number in range(NUMBERS_A_CELL):
                seen[at + number] = 0.0
            if r < 1 or c < 1 or r > rows or c > columns:
                seen[at + OFF_BOARD] = 1.0
            else:
                other = r * stride + c
                state = field.state[other]
                if state == UNKNOWN:
                    seen[at + IS_UNKNOWN] = 1.0
                    seen[at + MINE_CHANCE] = player.chance[other]
                    seen[at + BESIDE_NUMBER] = 1.0 if player.ws.cell[CELL_DEGREE, other] > 0 else 0.0
                elif state == OPENED:
                    seen[at + MISSING_MINES] = field.shown[other] - field.near[other] + 1.0
                elif state == MINE:
                    seen[at + MISSING_MINES] = -1.0
            at += NUMBERS_A_CELL


@part
def describe_terms(
    player: Player, safe: float, value: float, best: float, second: float, fifty: float
) -> None:
    """Fill the part of `seen` that tells of the terms of a score."""
    at = TERMS_AT
    for term in (safe, value, best, second, fifty):
        player.seen[at] = max(math.log(max(term, 1e-9)), LEAST_TERM)
        at += 1


@part
def describe_candidate(player: Player, cell: int) -> None:
    """Fill the rest of `seen` for a candidate that `weigh_candidate` has just weighed."""
    outcomes, seen = player.outcomes, player.seen
    for j in range(TERMS_AT):
        seen[j] = 0.0
    for shown in range(9):
        share = outcomes.number[shown]
        if share > 0:
            for j in range(FEATURES):
                seen[j] += share * outcomes.features[shown, j]
            for j in range(EXTRA_FEATURES):
                seen[FEATURES + j] += share * outcomes.more[shown, j]
    describe_surroundings(player, cell)


@part
def score_correction(player: Player) -> float:
    """The factor for the score of the candidate that `describe_candidate` has just seen."""
    return math.exp(network_output(player.correction, player.seen, player.outcomes.hidden))
