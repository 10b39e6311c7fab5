"""The correction is fitted to what candidates won more than others, and to nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import training.correct as correct
from bot.solver.correction import AROUND_AT, TERMS_AT
from bot.solver.player import AROUND, SEEN, SIGNS, TERMS
from training.correct import OF_SCORE, Pairs, exponents, fit, gained, joined, left, off, said, slopes, turned
from training.fit import Network


def pairs(positions: int, rule: float, seed: int, spread: float = 0.01) -> Pairs:
    """Candidates whose results are their score and `rule` times a number of the cell itself."""
    rng = np.random.default_rng(seed)
    seen = rng.normal(0, 1, (positions, 4, SEEN)).astype(np.float32)
    seen[..., TERMS_AT:AROUND_AT] = np.log(rng.uniform(0.7, 0.9, (positions, 4, TERMS)))
    there = np.ones((positions, 4))
    there[::3, 3] = 0
    seen[there == 0] = 0
    score = seen[..., TERMS_AT:AROUND_AT].astype(float) @ correct.EXPONENTS
    worth = np.exp(seen[:, :1, TERMS_AT] + seen[:, :1, TERMS_AT + 1]).astype(float)
    own = seen[..., AROUND_AT + AROUND // 2 * SIGNS]
    won = worth * (OF_SCORE * score + rule * own)
    halves = won[..., None] + rng.normal(0, spread * 2**0.5, (*there.shape, 2))
    return Pairs(seen, there, correct.halved(halves, there), score, worth)


def test_exponents_are_found_again() -> None:
    found, errors = exponents(pairs(4000, 0.0, seed=3))
    assert found == pytest.approx(OF_SCORE * correct.EXPONENTS, abs=0.01)
    assert (errors < 0.005).all()
    assert errors.max() > 0.0001


def test_slopes_are_those_of_what_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correct, "DROPPED", 0.0)
    some = pairs(30, 0.1, seed=1)
    some.seen = some.seen.astype(np.float64)
    network = Network.fresh(SEEN, 5, 4, seed=2)

    def loss() -> float:
        return float((off(some, said(network, some)) ** 2).sum() / len(some.seen))

    found = slopes(network, some, np.random.default_rng(0))
    rng = np.random.default_rng(1)
    for value, slope in zip(network.weights + network.offsets, found, strict=True):
        place = tuple(int(rng.integers(size)) for size in value.shape)
        kept = value[place]
        value[place] = kept + 1e-4
        above = loss()
        value[place] = kept - 1e-4
        below = loss()
        value[place] = kept
        assert slope[place] == pytest.approx((above - below) / 2e-4, rel=1e-4, abs=1e-12)


def test_what_the_score_leaves_out_is_learned() -> None:
    network = fit(
        pairs(2000, 0.02, seed=4), held := pairs(400, 0.02, seed=5), 20, hidden=[8, 4], rate=5e-3, seed=1
    )
    answers = said(network, held)
    assert (off(held, answers) ** 2).sum() < 0.75 * (off(held, 0 * answers) ** 2).sum()
    assert gained(held, answers).mean() > 0.001 > gained(held, -answers).mean()
    # What is left to be told: without the network the rule's own variance, scaled by what a game is worth.
    before = (0.02 * held.worth).var() + (0.02 * held.worth.mean()) ** 2
    assert left(held, 0 * answers) == pytest.approx(before, rel=0.15)
    assert left(held, answers) < 0.6 * before


def test_cells_around_are_turned_with_all_their_numbers() -> None:
    every = turned(3)
    around = np.arange(9 * SIGNS)
    assert len({tuple(around[each]) for each in every}) == 8
    for each in every:
        cells = around[each].reshape(9, SIGNS)
        assert sorted(cells[:, 0]) == list(range(0, 9 * SIGNS, SIGNS))
        assert (cells - cells[:, :1] == np.arange(SIGNS)).all()  # the numbers of a cell stay together
        assert cells[4, 0] == 4 * SIGNS  # and the candidate in the middle


def test_joined_networks_say_what_they_say_on_average() -> None:
    some = pairs(50, 0.02, seed=4)
    networks = [Network.fresh(SEEN, first, second, seed=first) for first, second in ((5, 4), (7, 3), (2, 2))]
    mean = np.mean([said(network, some) for network in networks], axis=0)
    one = joined(networks, [1 / 3] * 3)
    assert said(Network.unpack(one.pack(), SEEN), some) == pytest.approx(mean)
    assert np.abs(mean - said(networks[0], some)).max() > 0.01
