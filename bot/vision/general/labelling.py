"""Joins what the network says of each cell with the rules of the game, and leaves unread what is not sure.

Cells with equal pixels get one label. Where the likeliest labels break the rules, less likely ones that break
fewer are searched by coordinate descent, a look at a time. What hardly beats another label stays unread.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.vision.general.broken_rules import broken_count, broken_rules, unlikely_end
from bot.vision.general.network import NOT_A_CELL

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Looks = npt.NDArray[np.intp]

# Costs are differences of logarithms of probabilities: 2.3 is one in ten, 4.6 one in a hundred.

RULE = 3.0
"""What each violation of the rules costs."""

MAX_WEIGHT = 3.0
"""A look counts the square root of the number of its cells, at most this: their scores are much alike."""

CANDIDATE_RANGE = 7.0
"""Labels that cost more than this are not tried."""

AMBIGUITY, BROKEN_AMBIGUITY = 2.0, 4.0
"""A look whose next best label costs less than the first more stays unread; less than the second, where it is
next to a violation of the rules."""

ALIKE = 0.25
"""Looks count as alike within about this distance, as a part of the length of their features. Of noisy cells
nine in ten have one with the same label within twice this, one in a hundred one with another label."""

SURE = 4.0
"""A look whose next best label costs at least this more is judged alone."""

MAX_SWEEPS, MIN_IMPROVEMENT = 3, 1e-6
"""How often coordinate descent goes through all looks; costs that differ by less differ by rounding."""


@dataclass(frozen=True)
class Labelling:
    """A board as the network and the rules have it."""

    codes: Codes
    """Shape (rows, columns)."""
    cost: float
    """How unlikely its labels are, for each cell; 0 is certain."""
    violations: int
    """By how much it breaks the rules, as `broken_count` gives it."""


def label_looks(scores: Floats, looks: Looks, features: Floats) -> Labelling:
    """The likeliest board.

    From the logarithms of the probabilities, (rows, columns, LABELS), the look of each cell, (rows, columns),
    numbered from 0, and the features of the looks, (looks, features).
    """
    problem = _Problem(scores, looks, features)
    labels = problem.best_labels()
    codes = problem.codes(labels)
    broken = _beside(broken_rules(codes) > 0)
    unread = [look for look in range(problem.count) if problem.is_unsure(look, labels, broken)]
    for look in unread:
        labels[look] = int(Cell.UNREAD)
    codes = problem.codes(labels)
    cost = float(-scores.max(axis=2).mean())
    return Labelling(codes, cost, broken_count(codes))


class _Problem:
    """The labels that the looks can get, and what each choice of them costs."""

    def __init__(self, scores: Floats, looks: Looks, features: Floats) -> None:
        self.looks, self.count = looks, int(looks.max()) + 1
        cells = np.bincount(looks.ravel(), minlength=self.count)
        sums = np.zeros((self.count, scores.shape[2]))
        np.add.at(sums, looks.ravel(), scores.reshape(-1, scores.shape[2]))
        self.pooled = _judged_with_alike(sums / cells[:, None], features)
        """The mean scores of each look, (looks, LABELS)."""
        self._weights = np.minimum(np.sqrt(cells), MAX_WEIGHT)
        costs = self.pooled.max(axis=1, keepdims=True) - self.pooled
        self._costs = costs * self._weights[:, None]
        order = np.argsort(costs, axis=1)
        self._candidates = [
            [int(label) for label in order[look] if costs[look, label] < CANDIDATE_RANGE]
            for look in range(self.count)
        ]

    def codes(self, labels: list[int]) -> Codes:
        """The board that a choice of labels gives: (rows, columns)."""
        return np.array(labels, np.int8)[self.looks]

    def best_labels(self) -> list[int]:
        """The labels that coordinate descent finds from the likeliest ones."""
        labels = [candidates[0] for candidates in self._candidates]
        broken = self._broken(labels)
        for _ in range(MAX_SWEEPS):
            before = [*labels]
            if not broken:
                break
            for look, candidates in enumerate(self._candidates):
                for label in candidates:
                    if label == labels[look]:
                        continue
                    tried = [*labels[:look], label, *labels[look + 1 :]]
                    tried_broken = self._broken(tried)
                    gain = RULE * (broken - tried_broken)
                    if gain > self._costs[look, label] - self._costs[look, labels[look]] + MIN_IMPROVEMENT:
                        labels, broken = tried, tried_broken
            if labels == before:
                break
        return labels

    def is_unsure(self, look: int, labels: list[int], broken: npt.NDArray[np.bool_]) -> bool:
        """Whether a look is no cell, or another label hardly costs more; `broken` are the cells next to
        violations."""
        label = labels[look]
        if label == NOT_A_CELL:
            return True
        least = BROKEN_AMBIGUITY if broken[self.looks == look].any() else AMBIGUITY
        return any(
            self._costs[look, other] - self._costs[look, label] + self._rules_against(look, other, labels)
            < least
            for other in self._candidates[look]
            if other != label
        )

    def _rules_against(self, look: int, other: int, labels: list[int]) -> float:
        """How much more the violations cost if a look has another label."""
        if other == NOT_A_CELL:
            return 0.0
        with_other = [*labels[:look], other, *labels[look + 1 :]]
        return RULE * (self._broken(with_other) - self._broken(labels))

    def _broken(self, labels: list[int]) -> int:
        """By how much the board that labels give breaks the rules and is unlike the end of a game."""
        codes = self.codes(labels)
        return broken_count(codes) + unlikely_end(codes)


def _judged_with_alike(pooled: Doubles, features: Floats) -> Doubles:
    """The scores of looks, (looks, LABELS), those that are unsure with the mean of what looks alike.

    Noise and gradients give each cell a look of its own: what is sure of many of them holds for all.
    """
    ordered = np.sort(pooled, axis=1)
    unsure = ordered[:, -1] - ordered[:, -2] < SURE
    squares = np.square(features).sum(axis=1)
    distances = np.maximum(squares[unsure, None] + squares - 2 * features[unsure] @ features.T, 0)
    weights = np.exp(-distances / (ALIKE**2 * max(float(squares.mean()), 1e-9)))
    judged: Doubles = pooled.copy()
    judged[unsure] = weights @ pooled / weights.sum(axis=1, keepdims=True)
    return judged


def _beside(marked: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The marked cells of a board and their neighbours."""
    padded = np.pad(marked, 1)
    rows, columns = marked.shape
    parts = [padded[y : y + rows, x : x + columns] for y in range(3) for x in range(3)]
    return np.asarray(np.any(parts, axis=0), np.bool_)
