"""Searches the labels of looks that make a likely board: by what the network says and by how games go.

A label costs what the network says against it, and a board what `position_odds` says against the position.
From the likeliest labels the search goes on as long as a change lowers the sum: another label for one look,
or one for all that could be wrong together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes, neighbour_sums
from bot.vision.general.network import LABELS
from bot.vision.general.odds.broken_rules import broken_rules
from bot.vision.general.odds.drawings import Drawings
from bot.vision.general.odds.odd_mine import OddMine
from bot.vision.general.odds.position_odds import coincidences, position_cost

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Looks = npt.NDArray[np.intp]
Labels = npt.NDArray[np.intp]
"""The label of each look: shape (looks,)."""

Bools = npt.NDArray[np.bool_]

# Costs are differences of logarithms of probabilities: 2.3 is one in ten, 4.6 one in a hundred.

MAX_WEIGHT = 3.0
"""A look counts the square root of the number of its cells, at most this: their scores are much alike."""

HARDLY_UNLIKE = 0.18
"""Looks that are about this far from each other, as a part of the length of their features, count as one in
this. Of 2,520 left-out boards (seeds 97 to 137, true grids) six more are read exactly so, and none falsely.
"""

ONE_BY_ONE = [*range(1, 9), int(Cell.EXPLODED)]
"""Labels in which they do not: a 5 is like a 6, and the mine that exploded has the drawing of all others."""

KIND_WEIGHT = 4.0
"""What looks of one kind cost together is at most this many times their mean: what the network mistakes in
one of them it mistakes in all."""

CANDIDATE_RANGE = 7.0
"""Labels that cost more than this are not tried for a look, but those of `RELATED` marks."""

MAX_LABEL_COST = 8.0
"""Maximum cost of a label before it is weighed: the network is never surer than this of a strange skin."""

PLAIN, MARKS = (Cell.EMPTY, Cell.COVERED), (Cell.FLAG, Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG)
"""Labels that are confused with each other, of cells with nothing on them and of those with a drawing."""

RELATED: dict[int, tuple[int, ...]] = {
    Cell.EMPTY: (Cell.COVERED,),
    Cell.COVERED: (Cell.EMPTY, Cell.MINE),
    Cell.FLAG: (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG),
    Cell.QUESTION: (Cell.FLAG, Cell.MINE),
    Cell.MINE: (Cell.FLAG, Cell.EXPLODED, Cell.WRONG_FLAG, Cell.QUESTION, Cell.COVERED),
    Cell.EXPLODED: (Cell.MINE, Cell.WRONG_FLAG, Cell.FLAG),
    Cell.WRONG_FLAG: (Cell.MINE, Cell.EXPLODED, Cell.FLAG),
}
"""Which labels are tried for all looks of one label, or of one kind, together."""

SAME_KIND = 0.5
"""Looks with the same likeliest label are of one kind if a chain of looks joins them that are at most this
far from each other, as a part of the length of their features."""

MAX_SWEEPS, MAX_STEPS, MIN_IMPROVEMENT = 4, 8, 1e-6
"""How often the search goes through all changes of both sorts, how many it makes of one sort before it turns
to the other, and by how much each must lower the cost: less is rounding."""

COINCIDENCE, MOST_COINCIDENCES, FEW_COINCIDENCES = 0.5, 30, 4
"""How much each coincidence (`coincidences`) speaks for covered cells of one kind to be empty or mines, how
many count, and how few say nothing."""

NEARLY = 3.0
"""Where they would have to speak only this much more, the cells stay unread."""

MOST_POSITIONS = 1500
"""Maximum number of positions that one search weighs, in some 0.3 s; what takes more is hardly ever a
board."""


def _most_costs() -> Doubles:
    """What a label can cost all looks of a kind together, by the likeliest label of the kind and the other
    one: the network knows digits, and takes a strange drawing surely for a wrong one."""
    most = np.full((LABELS, LABELS), 20.0)
    marks, plain = list(MARKS), list(PLAIN)
    most[np.ix_(marks, plain)] = most[np.ix_(plain, marks)] = 12.0
    most[np.ix_(plain, plain)] = 15.0
    most[np.ix_([*marks, Cell.QUESTION], [*marks, Cell.QUESTION])] = 6.0
    return most


MOST_COSTS = _most_costs()


class LabelSearch:
    """The labels that the looks of one board can get, what each choice of them costs, and the best choice."""

    def __init__(self, pooled: Doubles, looks: Looks, distances: Doubles, odd_mine: OddMine) -> None:
        """From the scores of the looks, (looks, LABELS), the look of each cell, (rows, columns), how far from
        each other the looks are, (looks, looks), and what their pixels say of the mine that exploded."""
        self._looks, self.count = looks, len(pooled)
        costs = np.minimum(pooled.max(axis=1, keepdims=True) - pooled, MAX_LABEL_COST)
        self._costs_of_cells: Doubles = costs
        """The same for each of its cells."""
        counts = np.bincount(looks.ravel(), minlength=self.count)
        alike = np.maximum(np.exp(-np.square(distances / HARDLY_UNLIKE)) @ counts, counts)
        self.costs: Doubles = costs * _weights(alike)[:, None]
        """What each label costs each look by itself: (looks, LABELS)."""
        self.costs[:, ONE_BY_ONE] = costs[:, ONE_BY_ONE] * _weights(counts)[:, None]
        likeliest = pooled.argmax(axis=1)
        self.candidates = [
            _candidates(look_costs, int(top)) for look_costs, top in zip(costs, likeliest, strict=True)
        ]
        """The labels that are tried for each look, the likeliest first."""
        self._odd_mine = odd_mine
        self._kinds = _kinds(distances, likeliest)
        """The number of the kind of each look, from 0."""
        self._drawings = Drawings(distances, self._kinds, counts)
        _, first = np.unique(self._kinds, return_index=True)
        self._most = MOST_COSTS[likeliest[first]]
        """What each label can cost the looks of each kind: (kinds, LABELS)."""
        self._weighed = 0
        """How many positions were weighed."""
        single, joint = self.single_changes, self.joint_changes
        ends = [self._searched(likeliest, order) for order in ([single, joint], [joint, single])]
        self.least, self.labels = min(ends, key=lambda end: end[0])
        """What the best choice costs, and the best choice."""
        self.doubted: set[int] = set()
        """Covered looks for which hardly less speaks to be empty, or mines."""
        while self._notices_coincidence():
            pass

    def codes(self, labels: Labels) -> Codes:
        """The board that a choice of labels gives: (rows, columns)."""
        board: Codes = labels.astype(np.int8)[self._looks]
        return board

    def cells(self, look: int) -> Bools:
        """Where a look is: (rows, columns)."""
        return np.asarray(self._looks == look, np.bool_)

    def evidence(self, labels: Labels) -> float:
        """What the network says against a choice of labels."""
        every, groups, count = np.arange(self.count), self._kinds * LABELS + labels, self._most.size
        sums = np.bincount(groups, self.costs[every, labels], count)
        looks = np.maximum(np.bincount(groups, minlength=count), 1)
        means = np.bincount(groups, self._costs_of_cells[every, labels], count) / looks
        costs = np.minimum(sums, KIND_WEIGHT * means).reshape(-1, LABELS)
        return float(np.minimum(costs, self._most).sum())

    def cost(self, labels: Labels, limit: float = np.inf) -> float:
        """What a choice of labels costs; infinite once it is known to be `limit` or more, without a look at
        the board where it is by the network alone."""
        evidence = self.evidence(labels)
        if evidence >= limit:
            return np.inf
        self._weighed += 1
        known = evidence + (self._drawings.cost(labels) + self._odd_mine.cost(labels))
        return known + position_cost(self.codes(labels), limit - known)

    def single_changes(self, labels: Labels) -> Iterator[Labels]:
        """Other labels for one look each: of those with a mark, or beside a cell that breaks the rules."""
        codes = self.codes(labels)
        suspect = beside(broken_rules(codes) > 0) | (codes > Cell.COVERED)
        for look in np.unique(self._looks[suspect]).tolist():
            yield from self.changes_of(look, labels)

    def changes_of(self, look: int, labels: Labels) -> Iterator[Labels]:
        """Other labels for a look."""
        for label in self.candidates[look]:
            if label != labels[look]:
                yield _with_label(labels, [look], label)

    def joint_changes(self, labels: Labels) -> Iterator[Labels]:
        """Other labels for all looks of a kind that have one label, for all of a label, and for the plain
        cells of one area; and two labels for each other."""
        together = [*_by_number(self._kinds * LABELS + labels), *_by_number(labels)]
        for members in dict.fromkeys(together):
            label = int(labels[members[0]])
            for other in RELATED.get(label, ()):
                changed = _with_label(labels, members, other)
                yield changed
                swapped = np.flatnonzero(labels == other)
                if len(swapped):
                    yield _with_label(changed, swapped, label)
        codes = self.codes(labels)
        count, areas = cv2.connectedComponents(np.isin(codes, PLAIN).astype(np.uint8), connectivity=8)
        for area in range(1, count):
            members = tuple(np.unique(self._looks[areas == area]).tolist())
            for other in PLAIN:
                if (labels[list(members)] != other).any():
                    yield _with_label(labels, members, other)

    def _notices_coincidence(self) -> bool:
        """Take the covered cells of one kind for empty, or for mines, if there are other covered ones and the
        numbers fit so well that it can hardly be chance; whether any were."""
        covered, codes = self.labels == Cell.COVERED, self.codes(self.labels)
        least, best = self.least, None
        self.doubted = set()
        for members in _by_number(self._kinds):
            if not covered[list(members)].all() or len(members) == np.count_nonzero(covered):
                continue
            cells = np.isin(self._looks, members)
            for label in (Cell.EMPTY, Cell.MINE):
                count = coincidences(codes, cells, label)
                if count < FEW_COINCIDENCES:
                    continue
                tried = _with_label(self.labels, members, label)
                cost = self.cost(tried) - COINCIDENCE * min(count, MOST_COINCIDENCES)
                if cost < least:
                    least, best = cost, tried
                elif cost < self.least + NEARLY:
                    self.doubted.update(members)
        if best is None:
            return False
        self.least, self.labels = least, best
        return True

    def _searched(
        self, labels: Labels, order: Iterable[Callable[[Labels], Iterator[Labels]]]
    ) -> tuple[float, Labels]:
        """The cost and the labels that the best change at a time leads to."""
        least = self.cost(labels)
        for _ in range(MAX_SWEEPS):
            before = least
            for changes in order:
                for _ in range(MAX_STEPS):
                    if least <= self.evidence(labels):
                        return least, labels
                    best = None
                    for tried in changes(labels):
                        cost = self.cost(tried, least)
                        if cost < least - MIN_IMPROVEMENT:
                            best, least = tried, cost
                        if self._weighed > MOST_POSITIONS:
                            break
                    if best is None:
                        break
                    labels = best
            if least == before:
                break
        return least, labels


def _weights(counts: npt.NDArray[np.integer] | Doubles) -> Doubles:
    """How much looks of so many cells each count."""
    return np.asarray(np.minimum(np.sqrt(counts), MAX_WEIGHT), np.float64)


def _candidates(costs: Doubles, likeliest: int) -> list[int]:
    """The labels to try for a look, by what they cost it."""
    marked = likeliest in MARKS
    return [
        label
        for label in np.argsort(costs, kind="stable").tolist()
        if costs[label] < CANDIDATE_RANGE or (marked and label in MARKS)
    ]


def _kinds(distances: Doubles, likeliest: Labels) -> Looks:
    """The kind of each look, numbered from 0, from their distances and likeliest labels: looks of a
    kind are like each other and have one label."""
    near = (distances < SAME_KIND) & (likeliest[:, None] == likeliest)
    np.fill_diagonal(near, True)
    count = len(likeliest)
    kinds = np.arange(count)
    while True:
        lowest = np.where(near, kinds, count).min(axis=1)
        if np.array_equal(lowest, kinds):
            return np.asarray(np.unique(kinds, return_inverse=True)[1], np.intp)
        kinds = lowest


def _by_number(numbers: Looks) -> Iterator[tuple[int, ...]]:
    """The looks that share a number."""
    for number in np.unique(numbers):
        yield tuple(np.flatnonzero(numbers == number).tolist())


def _with_label(labels: Labels, looks: Iterable[int], label: int) -> Labels:
    changed: Labels = labels.copy()
    changed[list(looks)] = label
    return changed


def beside(marked: Bools) -> Bools:
    """The marked cells of a board, (rows, columns), and their neighbours."""
    near: Bools = marked | (neighbour_sums(marked) > 0)
    return near
