"""Scores of guesses against the same by hand: run with NUMBA_DISABLE_JIT=1 (see test_by_hand.py).

Numbers, the safest cells after each and fifty-fifties are counted over the layouts written out. The board has
one front: how safe others will be is taken from before the guess.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from brute_force import Truth
from test_fifty import by_layouts

from bot.board import Board, Coordinate
from bot.solver.chances import chances
from bot.solver.outlook import look_at, prepare
from bot.solver.player import BEST_SCORE, FIFTY_FIFTY, LEAST, MARGIN, POLICY, load_board, new_player
from bot.solver.scored import BEST, SECOND, VALUE, scored, value
from bot.solver.thinker import read_net

BOARD, MINES = Board.parse("#####\n##2##\n#####"), 4


def safest(truth: Truth, place: Coordinate, number: int) -> tuple[float, float]:
    """How safe the two safest other cells are once `place` shows `number`."""
    after = [layout for layout in truth.layouts if truth.shows(place, layout) == number]
    mined = Counter(cell for layout in after for cell in layout)
    rest = sorted(mined[cell] / len(after) for cell in truth.cells if cell != place)
    return 1 - rest[0], 1 - rest[1]


def main() -> None:
    truth = Truth(BOARD, MINES)
    stride = BOARD.columns + 2
    player = new_player(BOARD.rows, BOARD.columns, MINES, net=read_net())
    player.settings[POLICY], player.settings[MARGIN], player.settings[LEAST] = BEST_SCORE, 1.0, 0.0
    load_board(player, BOARD.codes)
    found, _ = chances(player.field, player.ws, 20000, player.chance, player.out)
    assert found == 0
    scores, values = {}, {}
    patterns = 0
    for place in truth.cells:
        cell = (place[0] + 1) * stride + place[1] + 1
        safe = 1 - float(truth.chance(place))
        prepare(player.look, player.ws, player.out)
        assert look_at(player.look, player.field, player.ws, player.trial, player.out, cell, 2000)
        shown = Counter(truth.shows(place, layout) for layout in truth.layouts if place not in layout)
        worth = best = second = 0.0
        for number, count in shown.items():
            share = count / shown.total()
            worth += share * float(value(player.net, player.look.features[number], player.look.hidden))
            one, other = safest(truth, place, number)
            best, second = best + share * one, second + share * other
        real = float(by_layouts(truth, place))
        patterns += real > 0
        values[cell] = safe * worth
        scores[cell] = safe * worth**VALUE * best**BEST * second**SECOND
        scores[cell] *= 1 + player.settings[FIFTY_FIFTY] * real / 2 / safe
    assert patterns
    assert player.settings[FIFTY_FIFTY] > 0
    choice = scored(player)
    assert choice == max(scores, key=lambda cell: scores[cell])
    assert player.result[2] == pytest.approx(values[choice])
    told = {int(player.candidates[k]): float(player.score[k]) for k in range(player.candidate_count[0])}
    weighed = {cell: score for cell, score in told.items() if score > 0}
    assert len(weighed) > 3
    for cell, score in weighed.items():
        # Those that are not the best may have been left before their fifty-fifties were counted.
        assert score == pytest.approx(scores[cell] * values[choice] / scores[choice]), (cell, score)
    # A chance that rounds to certain death is no candidate; compiled code raises where it divides by 0.
    with np.errstate(divide="raise", invalid="raise"):
        player.chance[choice] = 1.0
        assert scored(player) != choice
        player.chance[list(scores)] = 1.0
        assert scored(player) in scores


main()
