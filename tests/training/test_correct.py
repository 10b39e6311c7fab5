"""The correction is fitted to what candidates won more than others, and to nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import training.correct as correct
from bot.solver.value.inputs import (
    AROUND_AT,
    CELLS_AROUND,
    CORRECTION_INPUTS,
    NUMBERS_A_CELL,
    SCORE_TERMS,
    TERMS_AT,
)
from bot.solver.value.weights import read_correction
from training.correct import OF_SCORE, Pairs, exponents, fit, gained, joined, left, off, said, slopes, turned
from training.fit import Network


def pairs(positions: int, rule: float, seed: int, spread: float = 0.01) -> Pairs:
    """Candidates whose results are their score and `rule` times a number of the cell itself."""
    rng = np.random.default_rng(seed)
    seen = rng.normal(0, 1, (positions, 4, CORRECTION_INPUTS)).astype(np.float32)
    seen[..., TERMS_AT:AROUND_AT] = np.log(rng.uniform(0.7, 0.9, (positions, 4, SCORE_TERMS)))
    there = np.ones((positions, 4))
    there[::3, 3] = 0
    seen[there == 0] = 0
    score = seen[..., TERMS_AT:AROUND_AT].astype(float) @ correct.EXPONENTS
    worth = np.exp(seen[:, :1, TERMS_AT] + seen[:, :1, TERMS_AT + 1]).astype(float)
    own = seen[..., AROUND_AT + CELLS_AROUND // 2 * NUMBERS_A_CELL]
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
    network = Network.fresh(CORRECTION_INPUTS, 5, 4, seed=2)

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


@pytest.mark.slow
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
    around = np.arange(9 * NUMBERS_A_CELL)
    assert len({tuple(around[each]) for each in every}) == 8
    for each in every:
        cells = around[each].reshape(9, NUMBERS_A_CELL)
        assert sorted(cells[:, 0]) == list(range(0, 9 * NUMBERS_A_CELL, NUMBERS_A_CELL))
        assert (
            cells - cells[:, :1] == np.arange(NUMBERS_A_CELL)
        ).all()  # the numbers of a cell stay together
        assert cells[4, 0] == 4 * NUMBERS_A_CELL  # and the candidate in the middle


def test_joined_networks_say_what_they_say_on_average() -> None:
    some = pairs(50, 0.02, seed=4)
    networks = [
        Network.fresh(CORRECTION_INPUTS, first, second, seed=first)
        for first, second in ((5, 4), (7, 3), (2, 2))
    ]
    mean = np.mean([said(network, some) for network in networks], axis=0)
    one = joined(networks, [1 / 3] * 3)
    assert said(Network.unpack(one.pack(), CORRECTION_INPUTS), some) == pytest.approx(mean)
    assert np.abs(mean - said(networks[0], some)).max() > 0.01


def written(folder: Path) -> Path:
    """Results as training.pairs writes them: of the first of some, and luck."""
    some = pairs(60, 0.02, seed=6)
    path = folder / "pairs.npz"
    results = np.where(some.there[..., None] > 0, 0.4 + some.halves, np.nan)
    np.savez(path, seen=some.seen, results=results)
    return path


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> None:
    monkeypatch.setattr("sys.argv", ["correct", *map(str, words)])
    correct.main()


def test_what_is_fitted_after_an_earlier_correction_is_one_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ("--epochs", 1, "--hidden", 5, 3, "--networks", 2, "--held-out", 0.3)
    first, second, alone = tmp_path / "first.npy", tmp_path / "second.npy", tmp_path / "alone.npy"
    source = written(tmp_path)
    run(monkeypatch, source, "--out", first, *small)
    monkeypatch.setattr(correct, "fit", lambda *_: Network.fresh(CORRECTION_INPUTS, 5, 3, seed=2))
    run(monkeypatch, source, "--out", second, "--after", first, *small)
    told = capsys.readouterr().out
    share = float(told.split("the earlier correction: ")[1].split()[0]) / OF_SCORE
    run(monkeypatch, source, "--out", alone, *small)
    rows = pairs(20, 0.0, seed=8).seen.reshape(-1, CORRECTION_INPUTS).astype(np.float64)
    one, both, rest = (
        Network.unpack(read_correction(path), CORRECTION_INPUTS).forward(rows)[1]
        for path in (first, second, alone)
    )
    assert both == pytest.approx(share * one + rest, abs=2e-3 * np.abs(one).max() + 1e-5)
    assert np.abs(both - rest).max() > 0.01 * np.abs(rest).max()


def test_a_correction_that_would_be_too_large_is_refused_before_it_is_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, written(tmp_path), "--out", tmp_path / "it.npy", "--hidden", 100, 8)
    assert "--networks" in capsys.readouterr().err
