"""Candidates of one guess in the same layouts: over all layouts they add up to what is won."""

from __future__ import annotations

import numpy as np
import pytest
from layouts import every_layout

from bot.solver.guess.player import Player, new_player
from bot.solver.guess.settings import BEST_SCORE
from bot.solver.simulate.paired_candidates import compare_candidates
from bot.solver.simulate.self_play import play_many
from bot.solver.value.inputs import AROUND_AT, CORRECTION_INPUTS, TERMS_AT
from bot.solver.value.weights import read_correction, read_net
from training.boards import seed_compiled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def learned(control: int) -> Player:
    player = new_player(5, 5, 4, net=read_net(), correction=read_correction())
    player.settings.policy, player.settings.control = BEST_SCORE, control
    player.settings.solutions, player.settings.layouts = 1, 1
    return player


def test_the_best_candidate_wins_what_the_game_does() -> None:
    every = every_layout(5, 5, 4, first=0)
    games = len(every)
    player = learned(control=1)
    first = player.field.counts.stride + 1
    stops = np.zeros(games, np.int32)
    seen, both, won = np.zeros((games, 3, CORRECTION_INPUTS)), np.zeros((games, 3, 2)), np.zeros(games)
    compare_candidates(player, learned(control=1), every, first, stops, 1, seen, both)
    assert np.isnan(both[..., 1]).all()
    results = both[..., 0]
    play_many(learned(control=0), None, every, first, won)
    there = np.isfinite(results[:, 0])
    assert 0 < there.sum() < games
    # All layouts of a position are among the games, and the best candidate is what they play.
    assert results[there, 0].sum() == pytest.approx(won[there].sum(), abs=1e-6)
    # So are those where another candidate is played: it wins whole games too, and fewer of them.
    for place in (1, 2):
        others = np.isfinite(results[:, place])
        assert 0 < others.sum() <= there.sum()
        games_won = results[others, place].sum()
        assert games_won == pytest.approx(round(games_won), abs=1e-6)
        assert games_won < results[others, 0].sum() - 0.5
    terms = seen[there][:, 0, TERMS_AT:AROUND_AT]
    assert (terms[:, :4] <= 0).all()
    assert (terms[:, 4] >= 0).all()

    # With layouts drawn besides, results vary less, and the best candidate still wins as much.
    seed_compiled(5)
    halves = np.zeros((games, 3, 2))
    compare_candidates(player, learned(control=1), every, first, stops, 12, seen, halves)
    again = halves.mean(axis=2)
    assert (np.isfinite(again) == np.isfinite(results)).all()
    assert again[there, 0].std() < results[there, 0].std()
    error = (again[there, 0] - results[there, 0]).std() / there.sum() ** 0.5
    assert again[there, 0].mean() == pytest.approx(results[there, 0].mean(), abs=4 * error)
