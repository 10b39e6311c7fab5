"""Candidates of one guess in the same layout: over all layouts they add up to what is won."""

from __future__ import annotations

import numpy as np
import pytest
from layouts import every_layout

from bot.solver.field import STRIDE
from bot.solver.paired import FIFTY, SAFE, TERMS, compare
from bot.solver.player import BEST_SCORE, CONTROL, LAYOUTS, POLICY, SOLUTIONS, Player, new_player
from bot.solver.selfplay import play_many
from bot.solver.thinker import read_net
from training.pairs import fit, gained

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def learned(control: int) -> Player:
    player = new_player(5, 5, 4, net=read_net())
    player.settings[POLICY], player.settings[CONTROL] = BEST_SCORE, control
    player.settings[SOLUTIONS], player.settings[LAYOUTS] = 1, 1
    return player


def test_the_best_candidate_wins_what_the_game_does() -> None:
    every = every_layout(5, 5, 4, first=0)
    games = len(every)
    player = learned(control=1)
    first = int(player.field.numbers[STRIDE]) + 1
    terms, results, won = np.zeros((games, 3, TERMS)), np.zeros((games, 3)), np.zeros(games)
    compare(player, learned(control=1), every, first, np.zeros(games, np.int32), terms, results)
    play_many(learned(control=0), None, every, first, won)
    there = np.isfinite(results[:, 0])
    assert 0 < there.sum() < games
    # All layouts of a position are among the games, and the best candidate is what they play.
    assert results[there, 0].sum() == pytest.approx(won[there].sum(), abs=1e-6)
    others = np.isfinite(results[:, 1])
    assert 0 < others.sum() <= there.sum()
    assert results[others, 1].mean() != results[others, 0].mean()
    assert (terms[there][:, 0, SAFE] < 0).all()
    assert (terms[there][:, 0, FIFTY] >= 0).all()


def test_weights_are_found_again() -> None:
    rng = np.random.default_rng(3)
    weights = np.array([1.0, 0.4, 0.3, 0.1, 0.7])
    terms = np.log(rng.uniform(0.5, 0.9, (4000, 3, TERMS)))
    worth = np.exp(terms[:, :1, 0] + terms[:, :1, 1])
    results = (terms @ weights) * worth + rng.normal(0, 0.02, (4000, 1)) + rng.normal(0, 0.01, (4000, 3))
    results[::3, 2] = np.nan
    found, errors = fit(terms, results)
    assert found == pytest.approx(weights, abs=0.02)
    assert (errors < 0.01).all()
    assert gained(terms, results, found).mean() > 0 > gained(terms, results, -found).mean()
