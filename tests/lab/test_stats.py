"""Intervals and comparisons, against published values and against what must hold."""

from __future__ import annotations

import pytest

from bot.lab.stats import paired, wilson


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        # R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine
        # 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_as_published(won: int, games: int, low: float, high: float) -> None:
    assert wilson(won, games) == pytest.approx((low, high), abs=5e-5)


def test_wilson_at_the_ends() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 7)[0] == 0.0
    assert wilson(7, 7)[1] == 1.0
    low, high = wilson(3, 10)
    assert wilson(7, 10) == pytest.approx((1 - high, 1 - low))
    with pytest.raises(ValueError, match="8 of 7"):
        wilson(8, 7)


def test_paired_counts_only_games_that_one_of_them_won() -> None:
    first = [True] * 40 + [True] * 30 + [False] * 10 + [False] * 20
    second = [True] * 40 + [False] * 30 + [True] * 10 + [False] * 20
    result = paired(first, second)
    assert (result.games, result.only_first, result.only_second) == (100, 30, 10)
    assert result.difference == pytest.approx(0.2)
    # z = 20 / sqrt(40); the interval is 0.2 plus and minus 1.96 sqrt(40 - 4) / 100
    assert result.p_value == pytest.approx(0.001565, abs=1e-6)
    assert (result.low, result.high) == pytest.approx((0.2 - 0.117598, 0.2 + 0.117598), abs=1e-5)


def test_paired_of_equals_and_of_other_games() -> None:
    assert paired([True, False], [True, False]).p_value == 1.0
    with pytest.raises(ValueError, match="2 games cannot be compared with 1"):
        paired([True, False], [True])
    with pytest.raises(ValueError, match="0 games"):
        paired([], [])
