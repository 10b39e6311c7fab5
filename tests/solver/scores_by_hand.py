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
from test_fifty import by_layouts

from bot.board import Board, Coordinate
from bot.solver.chances import chances
from bot.solver.correction import AROUND_AT, TERMS_AT
from bot.solver.network import answer
from bot.solver.outlook import look_at, prepare
from bot.solver.player import (
    BEST_SCORE,
    CORRECT,
    FIFTY_FIFTY,
    LEAST,
    MARGIN,
    POLICY,
    RADIUS,
    SEEN,
    SIGNS,
    load_board,
    new_player,
)
from bot.solver.scored import BEST, NEAR, SECOND, VALUE, scored, value
from bot.solver.thinker import read_correction, read_net

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
    for row in range(place[0] - RADIUS, place[0] + RADIUS + 1):
        for column in range(place[1] - RADIUS, place[1] + RADIUS + 1):
            signs = [0.0] * SIGNS
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
    player.settings[POLICY], player.settings[MARGIN], player.settings[LEAST] = BEST_SCORE, 1.0, 0.0
    load_board(player, BOARD.codes)
    found, _ = chances(player.field, player.ws, 20000, player.chance, player.out)
    assert found == 0
    scores, values, corrected = {}, {}, {}
    patterns = 0
    for place in truth.cells:
        cell = (place[0] + 1) * stride + place[1] + 1
        safe = 1 - float(truth.chance(place))
        prepare(player.look, player.ws, player.out)
        assert look_at(player.look, player.field, player.ws, player.trial, player.out, cell, 2000)
        shown = Counter(truth.shows(place, layout) for layout in truth.layouts if place not in layout)
        worth = best = second = 0.0
        seen = np.zeros(SEEN)
        for number, count in shown.items():
            share = count / shown.total()
            worth += share * float(value(player.net, player.look.features[number], player.look.hidden))
            one, other = safest(truth, place, number)
            best, second = best + share * one, second + share * other
            seen[:TERMS_AT] += share * np.concatenate(
                [player.look.features[number], player.look.more[number]]
            )
        real = float(by_layouts(truth, place))
        patterns += real > 0
        values[cell] = safe * worth
        scores[cell] = safe * worth**VALUE * best**BEST * second**SECOND
        fifty = 1 + player.settings[FIFTY_FIFTY] * real / 2 / safe
        scores[cell] *= fifty
        seen[TERMS_AT:AROUND_AT] = [math.log(term) for term in (safe, worth, best, second, fifty)]
        seen[AROUND_AT:] = around(truth, place)
        corrected[cell] = scores[cell] * math.exp(answer(player.correction, seen, player.look.hidden))
    assert patterns
    assert player.settings[FIFTY_FIFTY] > 0
    top = max(scores.values())
    assert player.settings[CORRECT] == 1
    for told, correct in ((scores, 0), (corrected, 1)):
        player.settings[CORRECT] = correct
        choice = scored(player)
        near = [cell for cell in told if scores[cell] >= NEAR * top]
        assert choice == max(
            (cell for cell in told if scores[cell] >= NEAR * top), key=lambda cell: told[cell]
        )
        assert player.result[2] == pytest.approx(values[choice])
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
        assert scored(player) != choice
        player.chance[list(scores)] = 1.0
        assert scored(player) in scores


main()
