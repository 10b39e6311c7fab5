"""Scores of guesses against the same by hand: run with NUMBA_DISABLE_JIT=1 (see test_by_hand.py).

Numbers, the safest cells after each and fifty-fifties are counted over the layouts written out. The board has
one front: how safe others will be is taken from before the guess.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from brute_force import Truth
from test_fifty_fifties import by_layouts

from bot.board import Board, Coordinate
from bot.solver.guess.outcomes import prepare_outcomes, work_out_outcomes
from bot.solver.guess.player import load_board, new_player
from bot.solver.guess.score import BEST_EXPONENT, CORRECTED_FROM, SECOND_EXPONENT, VALUE_EXPONENT, best_scored
from bot.solver.guess.settings import BEST_SCORE
from bot.solver.probability.mine_chances import mine_chances
from bot.solver.value.inputs import AROUND_AT, AROUND_RADIUS, CORRECTION_INPUTS, NUMBERS_A_CELL, TERMS_AT
from bot.solver.value.network import network_output, win_value
from bot.solver.value.weights import read_correction, read_net

BOARD, MINES = Board.parse("#####\n##2##\n#####"), 4


def safest(truth: Truth, place: Coordinate, number: int) -> tuple[float, float]:
    """How safe the two safest other cells are once `place` shows `number`."""
    after = [layout for layout in truth.layouts if truth.shows(place, layout) == number]
    mined = Counter(cell for layout in after for cell in layout)
    rest = sorted(mined[cell] / len(after) for cell in truth.cells if cell != place)
    return 1 - rest[0], 1 - rest[1]


def around(truth: Truth, place: Coordinate) -> list[float]:
    """The cells around a candidate as a correction is told of them."""
    told: list[float] = []
    for row in range(place[0] - AROUND_RADIUS, place[0] + AROUND_RADIUS + 1):
        for column in range(place[1] - AROUND_RADIUS, place[1] + AROUND_RADIUS + 1):
            signs = [0.0] * NUMBERS_A_CELL
            if not (0 <= row < BOARD.rows and 0 <= column < BOARD.columns):
                signs[0] = 1
            elif (row, column) in truth.cells:
                beside = [at for at in BOARD.neighbours(row, column) if at not in truth.cells]
                signs[1:4] = [1, float(truth.chance((row, column))), bool(beside)]
            else:
                signs[4] = BOARD[row, column] + 1
            told += signs
    return told


def main() -> None:
    truth = Truth(BOARD, MINES)
    stride = BOARD.columns + 2
    player = new_player(BOARD.rows, BOARD.columns, MINES, net=read_net(), correction=read_correction())
    player.settings.policy, player.settings.margin, player.settings.least_walls = BEST_SCORE, 1.0, 0.0
    load_board(player, BOARD.codes)
    found, _ = mine_chances(player.field, player.ws, 20000, player.chance, player.combined)
    assert found == 0
    scores, values, corrected = {}, {}, {}
    patterns = 0
    for place in truth.cells:
        cell = (place[0] + 1) * stride + place[1] + 1
        safe = 1 - float(truth.chance(place))
        prepare_outcomes(player.outcomes, player.ws, player.combined)
        assert work_out_outcomes(
            player.outcomes, player.field, player.ws, player.trial, player.combined, cell, 2000
        )
        shown = Counter(truth.shows(place, layout) for layout in truth.layouts if place not in layout)
        worth = best = second = 0.0
        seen = np.zeros(CORRECTION_INPUTS)
        for number, count in shown.items():
            share = count / shown.total()
            worth += share * float(
                win_value(player.net, player.outcomes.features[number], player.outcomes.hidden)
            )
            one, other = safest(truth, place, number)
            best, second = best + share * one, second + share * other
            seen[:TERMS_AT] += share * np.concatenate(
                [player.outcomes.features[number], player.outcomes.more[number]]
            )
        real = float(by_layouts(truth, place))
        patterns += real > 0
        values[cell] = safe * worth
        scores[cell] = safe * worth**VALUE_EXPONENT * best**BEST_EXPONENT * second**SECOND_EXPONENT
        fifty = 1 + player.settings.fifty_fifty * real / 2 / safe
        scores[cell] *= fifty
        seen[TERMS_AT:AROUND_AT] = [math.log(term) for term in (safe, worth, best, second, fifty)]
        seen[AROUND_AT:] = around(truth, place)
        corrected[cell] = scores[cell] * math.exp(
            network_output(player.correction, seen, player.outcomes.hidden)
        )
    assert patterns
    assert player.settings.fifty_fifty > 0
    top = max(scores.values())
    assert player.settings.correct == 1
    for told, correct in ((scores, 0), (corrected, 1)):
        player.settings.correct = correct
        choice = best_scored(player)
        near = [cell for cell in told if scores[cell] >= CORRECTED_FROM * top]
        assert choice == max(
            (cell for cell in told if scores[cell] >= CORRECTED_FROM * top), key=lambda cell: told[cell]
        )
        assert player.result.score == pytest.approx(values[choice])
        by_cell = {
            int(player.candidates[k]): float(player.score[k]) for k in range(player.candidate_count[0])
        }
        shown_as = {
            cell: score * told[choice] / values[choice] for cell, score in by_cell.items() if score > 0
        }
        assert len(shown_as) > 3
        for cell, score in shown_as.items():
            # What is far behind the best so far is not corrected.
            if cell in near or score != pytest.approx(scores[cell]):
                assert score == pytest.approx(told[cell]), cell
    assert any(corrected[cell] != pytest.approx(scores[cell], rel=1e-3) for cell in near)
    # A chance that rounds to certain death is no candidate; compiled code raises where it divides by 0.
    with np.errstate(divide="raise", invalid="raise"):
        player.chance[choice] = 1.0
        assert best_scored(player) != choice
        player.chance[list(scores)] = 1.0
        assert best_scored(player) in scores


main()
