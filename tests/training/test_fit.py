"""The network that is fitted is the one that the player reads, and its slopes are those of its loss."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bot.board import FirstClick
from bot.solver.value.inputs import FEATURES
from bot.solver.value.weights import read_net
from training.boards import minefields
from training.fit import Network, fit


def test_the_shipped_value_is_packed_as_it_was() -> None:
    net = read_net()
    assert np.array_equal(Network.unpack(net, FEATURES).pack(), net)


def test_it_says_what_the_player_makes_of_it() -> None:
    code = (
        "import numpy as np; from bot.solver.value.network import win_value;"
        "from bot.solver.value.weights import read_net;"
        "rows = np.random.default_rng(4).random((5, 28)); room = np.zeros((2, 256));"
        "print([float(win_value(read_net(), x, room)) for x in rows])"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = np.random.default_rng(4).random((5, FEATURES))
    _, odds = Network.unpack(read_net(), FEATURES).forward(rows)
    assert [float(each) for each in done.stdout.strip("[]\n").split(",")] == pytest.approx(
        1 / (1 + np.exp(-odds))
    )


def test_slopes_are_those_of_the_loss() -> None:
    rng = np.random.default_rng(1)
    rows, won = rng.random((40, 6)), rng.integers(0, 2, 40).astype(float)
    network = Network.fresh(6, 5, 4, seed=2)
    slopes = network.slopes(rows, won)
    for value, slope in zip(network.weights + network.offsets, slopes, strict=True):
        place = tuple(int(rng.integers(size)) for size in value.shape)
        kept = value[place]
        value[place] = kept + 1e-6
        above = network.loss(rows, won)
        value[place] = kept - 1e-6
        below = network.loss(rows, won)
        value[place] = kept
        assert slope[place] == pytest.approx((above - below) / 2e-6, abs=1e-7)


def test_it_learns(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(1)
    rows = rng.random((4000, 3))
    won = (rng.random(4000) < np.where(rows[:, 1] > 0.5, 0.9, 0.2)).astype(float)
    before = Network.fresh(3, 8, 4, seed=3)
    first = before.loss(rows, won)
    after = fit(before, rows, won, epochs=15, rate=1e-2, seed=4)
    assert after.loss(rows, won) < 0.48 < 0.6 < first
    assert "epoch 15" in capsys.readouterr().out


@pytest.mark.parametrize(("first_click", "kept"), [("any", 0), ("safe", 1), ("zero", 9)])
def test_minefields_are_those_of_the_rule(first_click: str, kept: int) -> None:
    fields = minefields(6, 7, 10, FirstClick(first_click), 3000, seed=5)
    assert fields.shape == (3000, 10)
    assert all(len(set(field)) == 10 for field in fields.tolist())
    counts = np.bincount(fields.ravel(), minlength=42)
    assert (counts == 0).sum() == kept
    expected = 3000 * 10 / (42 - kept)
    assert np.abs(counts[counts > 0] - expected).max() < 5 * expected**0.5
    assert np.array_equal(fields, minefields(6, 7, 10, FirstClick(first_click), 3000, seed=5))
