"""What is told of the best candidates of a guess lies about what they are worth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.solver.constraints.workspace import Floats
from training.ceiling import CANDIDATES, GUESSES, gains, keep, tell

GUESSED = 2000
FOUR = 4


def guesses(differ: float, spread: float, seed: int) -> tuple[Floats, Floats, Floats, Floats, float]:
    """Guesses with four candidates that differ by so much, each told with so much error; and what the best is
    worth more than the first on average."""
    rng = np.random.default_rng(seed)
    scores = np.zeros((GUESSED, CANDIDATES))
    scores[:, :FOUR] = np.sort(rng.normal(0.4, differ, (GUESSED, FOUR)))[:, ::-1]
    worth = rng.normal(0.5 * scores[:, :FOUR], differ)
    halves = np.full((GUESSED, CANDIDATES, 2), np.nan)
    halves[:, :FOUR] = worth[..., None] + rng.normal(0, spread * 2**0.5, (GUESSED, FOUR, 2))
    spreads = np.zeros((GUESSED, CANDIDATES, CANDIDATES))
    spreads[:, range(FOUR), range(FOUR)] = spread**2
    return scores, halves.mean(2), halves, spreads, float((worth.max(1) - worth[:, 0]).mean())


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.003, 0.01, 0.02])
def test_what_is_lost_lies_between_what_is_found_and_what_is_seen(spread: float) -> None:
    *told, lost = guesses(0.01, spread, seed=1)
    found, likely, seen = (float(each.mean()) for each in gains(*told))
    assert found < lost < seen
    assert likely == pytest.approx(lost, rel=0.15)


def test_where_nothing_differs_nothing_is_lost() -> None:
    *told, _ = guesses(0.0, 0.01, seed=2)
    found, likely, seen = (float(each.mean()) for each in gains(*told))
    assert abs(found) < 0.0005
    assert likely < 0.002
    assert seen > 0.008


def test_a_guess_without_another_candidate_loses_nothing() -> None:
    scores, means, halves, spreads, _ = guesses(0.01, 0.001, seed=3)
    means[:, 1:], halves[:, 1:] = np.nan, np.nan
    assert [each.any() for each in gains(scores, means, halves, spreads)] == [False, False, False]


def test_games_without_such_a_guess_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A guess of one number out of GUESSES was played on: each stands for so many."""
    scores, means, halves, spreads, lost = guesses(0.01, 0.0001, seed=4)
    kinds = np.where(np.arange(GUESSED) % 2 == 0, 3, -1)
    played = kinds == 3
    played[::4] = False
    none = ~played
    means[none], halves[none], spreads[none] = np.nan, np.nan, 0.0
    keep(tmp_path / "told.npz", kinds, played, (scores, means, halves, spreads))
    tell([tmp_path / "told.npz"])
    games, kind, all_kinds = capsys.readouterr().out.splitlines()
    assert games == f"{GUESSED} games"
    assert kind.startswith(f"20,000 to e^50: {GUESSES / 2:.2f} a game, {GUESSED // 4} played on; found ")
    assert float(all_kinds.split("likely ")[1].split(" ")[0]) == pytest.approx(
        100 * lost * GUESSES / 2, rel=0.1
    )
