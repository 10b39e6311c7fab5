"""Joins what the network says of each cell with the rules of the game, and leaves unread what is not sure.

Cells with equal pixels get one label. `LabelSearch` finds the labels that make the likeliest board; what
hardly beats another label stays unread.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bot.board import Cell, Codes
from bot.vision.general.broken_rules import broken_count, broken_rules
from bot.vision.general.label_search import Doubles, Floats, LabelSearch, Looks, beside
from bot.vision.general.network import NOT_A_CELL

# Costs are differences of logarithms of probabilities: 2.3 is one in ten, 4.6 one in a hundred.

AMBIGUITY, BROKEN_AMBIGUITY = 2.0, 6.0
"""A look whose next best label costs less than the first more stays unread; less than the second, where it is
next to a violation of the rules."""

ALIKE = 0.25
"""Looks count as alike within about this distance, as a part of the length of their features. Of noisy cells
nine in ten have one with the same label within twice this, one in a hundred one with another label."""

SURE = 4.0
"""A look whose next best label costs at least this more is judged alone."""


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
    count = int(looks.max()) + 1
    sums = np.zeros((count, scores.shape[2]))
    np.add.at(sums, looks.ravel(), scores.reshape(-1, scores.shape[2]))
    pooled = sums / np.bincount(looks.ravel(), minlength=count)[:, None]
    search = LabelSearch(_judged_with_alike(pooled, features), looks, features)
    labels = search.labels.copy()
    labels[_unsure(search)] = int(Cell.UNREAD)
    codes = search.codes(labels)
    cost = float(-scores.max(axis=2).mean())
    return Labelling(codes, cost, broken_count(codes))


def _unsure(search: LabelSearch) -> list[int]:
    """The looks that are no cells, or whose label another board that is hardly less likely does not have."""
    labels = search.labels
    broken = beside(broken_rules(search.codes(labels)) > 0)
    unsure = {
        look
        for look in range(search.count)
        if _is_unsure(search, look, is_broken=bool(broken[search.cells(look)].any()))
    }
    limit = search.least + AMBIGUITY
    for other in search.joint_changes(labels):
        if search.cost(other, limit) < limit:
            unsure.update(np.flatnonzero(other != labels).tolist())
    return sorted(unsure | search.doubted)


def _is_unsure(search: LabelSearch, look: int, *, is_broken: bool) -> bool:
    """Whether a look is no cell, or another label of it hardly costs more; `is_broken`: whether any of its
    cells is next to a violation of the rules."""
    label = search.labels[look]
    if label == NOT_A_CELL:
        return True
    more = BROKEN_AMBIGUITY if is_broken else AMBIGUITY
    if search.costs[look, NOT_A_CELL] < more:
        return True
    limit = search.least + more
    return any(
        search.cost(other, limit) < limit
        for other in search.changes_of(look, search.labels)
        if other[look] != NOT_A_CELL
    )


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
