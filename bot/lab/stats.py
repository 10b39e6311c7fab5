"""Statistics of many games, as pure functions of counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt

NORMAL_95 = 1.959963984540054
"""The standard deviations that hold 95 % of a normal distribution."""


def wilson(won: int, games: int, deviations: float = NORMAL_95) -> tuple[float, float]:
    """The interval of win rates that go with so many games won, 0.0 to 1.0; all of it for no games.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927). Raises ValueError for impossible counts.
    """
    if not 0 <= won <= games:
        raise ValueError(f"{won} of {games} games cannot be won")
    if games == 0:
        return 0.0, 1.0
    rate = won / games
    square = deviations**2 / games
    middle = rate + square / 2
    half = deviations * sqrt(rate * (1 - rate) / games + square / (4 * games))
    # At the ends the exact value is 0 or 1, which rounding would miss by a hair.
    low = 0.0 if won == 0 else (middle - half) / (1 + square)
    high = 1.0 if won == games else (middle + half) / (1 + square)
    return low, high


@dataclass(frozen=True)
class Paired:
    """Two players compared on the very same games."""

    games: int
    only_first: int
    """Games that only the first won."""
    only_second: int
    """Games that only the second won."""
    difference: float
    """The first's win rate less the second's."""
    low: float
    high: float
    """The 95 % interval of the difference."""
    p_value: float
    """The chance of a difference at least this large between two equal players."""


def paired(first: Sequence[bool], second: Sequence[bool]) -> Paired:
    """Compare two players game by game. Raises ValueError where the numbers of games differ or are 0.

    Only games that one of them won say anything. Source: Q. McNemar, "Note on the sampling error of the
    difference between correlated proportions or percentages", Psychometrika 12 (1947), in its normal
    approximation, which is meant for some 25 such games and more; the interval is Wald's for paired
    proportions (A. Agresti, "Categorical Data Analysis", on matched pairs).
    """
    games = len(first)
    if games == 0 or games != len(second):
        raise ValueError(f"{games} games cannot be compared with {len(second)}")
    only_first = sum(a and not b for a, b in zip(first, second, strict=True))
    only_second = sum(b and not a for a, b in zip(first, second, strict=True))
    lead, differ = only_first - only_second, only_first + only_second
    difference = lead / games
    half = NORMAL_95 * sqrt(differ - lead**2 / games) / games
    p_value = erfc(abs(lead) / sqrt(2 * differ)) if differ else 1.0
    return Paired(games, only_first, only_second, difference, difference - half, difference + half, p_value)
