"""Finds the most plausible label of every cluster of an unknown skin.

Shape, colour and background of a glyph are evidence for its label, relief for that of a background. The rules
of the game decide among the labels that the evidence allows: numbers have to fit the mines around them, and a
zero has no covered neighbour. Each violation adds to the cost of a labelling; the cheapest one is searched by
coordinate descent, a cluster at a time. Labels that are not certain enough are left UNREAD (`label_checks`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from bot.board import Cell, Codes
from bot.vision.general.background_labels import background_labellings
from bot.vision.general.backgrounds import NO_BACKGROUND
from bot.vision.general.clusters import BoardClusters
from bot.vision.general.consistency import violation_count
from bot.vision.general.evidence import COVERED, BoardEvidence, colour_evidence, label_scores
from bot.vision.general.label_checks import (
    SHOWN_MINES,
    is_implausible,
    label_crossed_flags,
    label_explosion,
    with_better_digits,
    with_small_backgrounds,
)

RULE = 4.0
"""What each violation of the rules costs."""

EVIDENCE_CELLS = 9
"""Evidence counts times the square root of the number of cells, as for this many at most."""

AMBIGUITY = 0.6
"""A cluster whose next best label costs less than this more stays unread."""

FLAGS_ELSEWHERE = 6.0
"""What it costs if plain cells are labelled covered, but no flag is on any of their backgrounds."""

UNMOTIVATED = 12.0
"""What it costs if there are flags and no number, or crossed out flags while no mine is shown."""

SPLIT_DIGIT, SHARED_INK = 1.5, 1.5
"""What it costs if one digit has two colours or two backgrounds; and if two digits have one colour and not
all have: Windows 7 has such a pair."""

UNREAD_CELL, MAX_UNREAD = 0.5, 4.0
"""What each cell of a cluster costs that stays unread, and the most that such a cluster costs."""

CANDIDATES, CANDIDATE_RANGE = 4, 9.0
"""At most this many labels are tried for each glyph cluster, all within the second of the best score."""

MAX_SWEEPS, MIN_IMPROVEMENT = 3, 1e-6
"""How often coordinate descent goes through all clusters; costs that differ by less differ by rounding."""

MAX_GLYPHS = 40
"""Maximum number of glyph clusters that are labelled, the largest; the rest is unread. Boards have at most
16, and some more where something lies over them; text has another one in every cell."""


@dataclass(frozen=True)
class Labelling:
    """A board that the clusters can mean."""

    codes: Codes
    """Shape (rows, columns)."""
    cost: float
    """How much speaks against it; 0 is the best."""
    violations: int
    """By how much it breaks the rules, as `violation_count` gives it."""


def label_clusters(clusters: BoardClusters) -> Labelling:
    """The labelling of a board that costs least."""
    clusters = replace(clusters, glyphs=clusters.glyphs[:MAX_GLYPHS])
    colours = colour_evidence(clusters)
    best: Labelling | None = None
    for background_labels, cost in background_labellings(clusters):
        if best is not None and cost >= best.cost:
            break  # glyphs can only add to the cost
        labelling = _labelling(BoardEvidence(clusters, colours, background_labels), cost)
        best = labelling if best is None or labelling.cost < best.cost else best
    assert best is not None
    return best


def _labelling(board: BoardEvidence, prior: float) -> Labelling:
    """The best labelling of the glyphs once the backgrounds have labels, which cost `prior`."""
    problem, clusters = _GlyphLabelling(board), board.clusters
    labels, cost = problem.best_labels()
    labels, cost = _without_uncertain(problem, labels, cost)
    labels = label_explosion(clusters.glyphs, label_crossed_flags(clusters.glyphs, labels))
    codes = with_small_backgrounds(problem.codes(labels), clusters, labels)
    improved = with_better_digits(codes, clusters, labels)
    violations = violation_count(improved)
    cost -= RULE * (violation_count(codes) - violations)
    return Labelling(improved, cost + prior, violations)


class _GlyphLabelling:
    """The labels that the glyph clusters can get, and what each choice of them costs.

    A choice of labels is a list of codes of `Cell`, one for each glyph cluster.
    """

    def __init__(self, board: BoardEvidence) -> None:
        self.board = board
        self.candidates: list[list[int]] = []
        """The labels that are tried for each cluster, the best first."""
        self._label_costs: list[dict[int, float]] = []
        """What the evidence says against each of them."""
        self._plain: Codes = np.full(board.clusters.rows * board.clusters.columns, Cell.UNREAD, np.int8)
        """The board without its glyphs: (rows * columns,)."""
        for cluster in board.clusters.glyphs:
            scores, highest = label_scores(cluster, board)
            best, *others = (int(label) for label in np.argsort(-scores)[:CANDIDATES])
            tried = [best, *(label for label in others if scores[label] > scores[best] - CANDIDATE_RANGE)]
            weight = math.sqrt(min(EVIDENCE_CELLS, len(cluster.cells)))
            self.candidates.append(tried)
            self._label_costs.append({label: float(highest - scores[label]) * weight for label in tried})
        for background, label in zip(board.clusters.backgrounds, board.background_labels, strict=True):
            self._plain[background.cells] = label

    def codes(self, labels: list[int]) -> Codes:
        """The board that a choice of labels gives: (rows, columns)."""
        clusters = self.board.clusters
        codes: Codes = self._plain.copy()
        for cluster, label in zip(clusters.glyphs, labels, strict=True):
            codes[cluster.cells] = label
        return codes.reshape(clusters.rows, clusters.columns)

    def cost(self, labels: list[int]) -> float:
        """What speaks against a choice of labels: the evidence, the rules, and how games use glyphs."""
        evidence = 0.0
        for costs, label in zip(self._label_costs, labels, strict=True):
            evidence += costs[label]
        elsewhere, unmotivated = self._strange_flags(labels)
        split_digits, shared_inks = self._strange_colours(labels)
        return (
            evidence
            + RULE * violation_count(self.codes(labels))
            + FLAGS_ELSEWHERE * elsewhere
            + UNMOTIVATED * unmotivated
            + SPLIT_DIGIT * split_digits
            + SHARED_INK * shared_inks
        )

    def _strange_flags(self, labels: list[int]) -> tuple[bool, int]:
        """Whether FLAGS_ELSEWHERE applies, and how often UNMOTIVATED does."""
        flags = [
            cluster
            for cluster, label in zip(self.board.clusters.glyphs, labels, strict=True)
            if label == Cell.FLAG and not cluster.may_be_pointer
        ]
        # Flags stand on covered cells: where some of these are plain, flags have a known background.
        elsewhere = (
            bool(flags)
            and COVERED in self.board.background_labels
            and all(cluster.background == NO_BACKGROUND for cluster in flags)
        )
        no_numbers = bool(flags) and not any(1 <= label <= 8 for label in labels)
        early = int(Cell.WRONG_FLAG) in labels and not any(label in SHOWN_MINES for label in labels)
        return elsewhere, no_numbers + early

    def _strange_colours(self, labels: list[int]) -> tuple[int, int]:
        """How many pairs of clusters SPLIT_DIGIT and SHARED_INK apply to."""
        colours = self.board.colours
        codes = np.array(labels, np.int8)
        digits = (codes >= 1) & (codes <= 8)
        same = codes[:, None] == codes
        split_digits = colours.different & same & digits
        shared_inks = colours.same & ~same & digits & digits[:, None]
        return int(split_digits.sum()), int(shared_inks.sum())

    def best_labels(self) -> tuple[list[int], float]:
        """The labels that coordinate descent finds, from the best by the evidence alone, and their cost."""
        labels = [candidates[0] for candidates in self.candidates]
        cost = self.cost(labels)
        for _ in range(MAX_SWEEPS):
            before = labels
            for index, candidates in enumerate(self.candidates):
                for label in candidates:
                    if label == labels[index]:
                        continue
                    tried = [*labels[:index], label, *labels[index + 1 :]]
                    tried_cost = self.cost(tried)
                    if tried_cost < cost - MIN_IMPROVEMENT:
                        labels, cost = tried, tried_cost
            if labels is before:
                break
        return labels, cost

    def is_ambiguous(self, index: int, labels: list[int], cost: float) -> bool:
        """Whether another label of a cluster costs hardly more than the chosen one."""
        return any(
            self.cost([*labels[:index], label, *labels[index + 1 :]]) < cost + AMBIGUITY
            for label in self.candidates[index]
            if label != labels[index]
        )


def _without_uncertain(problem: _GlyphLabelling, chosen: list[int], cost: float) -> tuple[list[int], float]:
    """The labels with UNREAD for each cluster that is ambiguous or implausible, and what they cost."""
    ambiguous = [problem.is_ambiguous(index, chosen, cost) for index in range(len(chosen))]
    labels = [*chosen]
    codes = problem.codes(chosen)
    for index, cluster in enumerate(problem.board.clusters.glyphs):
        if not ambiguous[index] and not is_implausible(index, labels, codes, problem.board):
            continue
        labels[index] = int(Cell.UNREAD)
        cost += min(MAX_UNREAD, UNREAD_CELL * len(cluster.cells))
        if cluster.may_be_pointer:  # the rules that it broke with its label do not count
            before = violation_count(codes)
            codes.reshape(-1)[cluster.cells] = Cell.UNREAD
            cost -= RULE * (before - violation_count(codes))
    return labels, cost
