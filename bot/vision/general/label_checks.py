"""Second thoughts about the labels of glyph clusters: which are implausible, and which the rules correct.

A choice of labels is a list of codes of `Cell`, one for each glyph cluster of a board.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.board import Cell, Codes
from bot.vision.general.backgrounds import NO_BACKGROUND
from bot.vision.general.clusters import BoardClusters, GlyphCluster
from bot.vision.general.consistency import rule_violations, violation_count
from bot.vision.general.evidence import (
    CLEAR_SIMILARITY,
    COVERED,
    DIGITS,
    OPENED,
    OTHER_COLOUR,
    BoardEvidence,
    is_similar_enough,
)

SHOWN_MINES = (int(Cell.MINE), int(Cell.EXPLODED))

SMALL_CLUSTER = 3
"""Clusters of at most this many cells do not vote on their own: other clusters or the rules decide."""

DISPUTED = 0.12
"""How much better another digit's shape must match before the colour is overruled (correlation, 0 to 1)."""

LESS_A_FLAG, MORE_CROSSED = 0.08, 0.06
"""How much less similar to flags crossed out flags are than plain ones, and more similar to crossed out ones
(correlation, 0 to 1). Chosen on black crosses on dark skins (tests/vision/test_tries.py)."""

NEARLY = 0.05
"""A cell may be another digit than its cluster if its shape correlates with it at most this much less."""


def is_implausible(index: int, labels: Sequence[int], codes: Codes, board: BoardEvidence) -> bool:
    """Whether a glyph cluster is better left unread than given its label.

    `codes` are those of the board with all labels, (rows, columns). Clusters that may be the pointer have to
    pass more checks.
    """
    glyphs = board.clusters.glyphs
    cluster, label = glyphs[index], labels[index]
    if not is_similar_enough(cluster, label, board.background_labels):
        return True
    if not cluster.may_be_pointer:
        return False
    if label == Cell.QUESTION:
        return _is_smeared_flag(index, labels, glyphs)
    if not 1 <= label <= 8:
        return False
    similarity = cluster.similarity[DIGITS]
    return (
        bool(similarity.max() - similarity[label - 1] > DISPUTED)
        or _is_off_colour(index, labels, board)
        or _breaks_rules(cluster, label, codes)
    )


def _is_off_colour(index: int, labels: Sequence[int], board: BoardEvidence) -> bool:
    """Whether larger clusters have the same label, all in another colour: something lies over the digit."""
    same = [
        other
        for other, cluster in enumerate(board.clusters.glyphs)
        if other != index and labels[other] == labels[index] and len(cluster.cells) > SMALL_CLUSTER
    ]
    different = board.colours.different
    return bool(same) and all(different[min(index, other), max(index, other)] for other in same)


def _is_smeared_flag(index: int, labels: Sequence[int], glyphs: Sequence[GlyphCluster]) -> bool:
    """Whether a question mark has about the colour of the flags, but is neither red nor grey."""
    own = glyphs[index]
    if own.redness > 0.3 or np.ptp(own.colour) < OTHER_COLOUR:
        return False
    flags = [cluster.colour for cluster, label in zip(glyphs, labels, strict=True) if label == Cell.FLAG]
    return any(np.abs(flag - own.colour).max() <= OTHER_COLOUR for flag in flags)


def _breaks_rules(cluster: GlyphCluster, label: int, codes: Codes) -> bool:
    """Whether a digit of unclear shape breaks rules on every cell where it is: it is a pointer."""
    if cluster.similarity[label] >= CLEAR_SIMILARITY:
        return False
    without: Codes = codes.copy()
    without.reshape(-1)[cluster.cells] = Cell.UNREAD
    return violation_count(codes) - violation_count(without) >= 2 * len(cluster.cells)


def label_crossed_flags(glyphs: Sequence[GlyphCluster], labels: list[int]) -> list[int]:
    """The labels with WRONG_FLAG for flags that are crossed out.

    Where mines are shown, they are less similar to flags than the other flags are. A dark cross on a dark
    background hides a part of the flag and is hardly seen itself.
    """
    flags = [index for index, label in enumerate(labels) if label == Cell.FLAG]
    if not flags or not any(label in SHOWN_MINES for label in labels):
        return labels
    as_flag = np.array([cluster.similarity[Cell.FLAG] for cluster in glyphs])
    as_crossed = np.array([cluster.similarity[Cell.WRONG_FLAG] for cluster in glyphs])
    clear_flag = float(as_flag[flags].max()) - LESS_A_FLAG
    plain_flags = [index for index in flags if as_flag[index] >= clear_flag]
    clear_cross = float(as_crossed[plain_flags].max()) + MORE_CROSSED
    return [
        int(Cell.WRONG_FLAG)
        if label in (Cell.FLAG, Cell.UNREAD)
        and cluster.redness > 0.15
        and len(cluster.cells) > 1
        and as_flag[index] < clear_flag
        and as_crossed[index] > clear_cross
        else label
        for index, (cluster, label) in enumerate(zip(glyphs, labels, strict=True))
    ]


def label_explosion(glyphs: Sequence[GlyphCluster], labels: list[int]) -> list[int]:
    """The labels with EXPLODED for the one mine, of several, on a reddish background of its own.

    It need not be red: a small palette may have turned the red into another colour.
    """
    mines = [index for index, label in enumerate(labels) if label == Cell.MINE]
    lone = [index for index in mines if glyphs[index].background == NO_BACKGROUND]
    if len(lone) != 1 or len(mines) == 1 or int(Cell.EXPLODED) in labels:
        return labels
    cluster = glyphs[lone[0]]
    blue, green, red = cluster.background_colour.tolist()
    reddish = red == max(blue, green, red) and red - min(blue, green, red) > OTHER_COLOUR
    if not reddish or len(cluster.cells) != 1:
        return labels
    return [int(Cell.EXPLODED) if index == lone[0] else label for index, label in enumerate(labels)]


def with_small_backgrounds(codes: Codes, clusters: BoardClusters, labels: Sequence[int]) -> Codes:
    """A board whose small backgrounds are covered or opened as the rules have it: they look like no other."""
    codes = codes.copy()
    for background in clusters.backgrounds:
        if len(background.cells) > SMALL_CLUSTER:
            continue
        violations = violation_count(with_better_digits(codes, clusters, labels))
        cells = np.unravel_index(background.cells, codes.shape)
        label = int(codes[cells][0])
        codes[cells] = OPENED if label == COVERED else COVERED
        if violation_count(with_better_digits(codes, clusters, labels)) >= violations:
            codes[cells] = label
    return codes


def with_better_digits(codes: Codes, clusters: BoardClusters, labels: Sequence[int]) -> Codes:
    """A board in which digits that break rules are replaced by others that are nearly as similar, where that
    breaks fewer: in few pixels some digits are hardly distinguished."""
    better: Codes = codes.copy()
    violations = rule_violations(codes)
    count = int(violations.sum())
    if not count:
        return better
    for cluster, label in zip(clusters.glyphs, labels, strict=True):
        if not 1 <= label <= 8:
            continue
        similarity = cluster.cell_similarities
        possible = similarity[:, DIGITS] >= similarity[:, [label]] - NEARLY
        for cell, digits in zip(cluster.cells, possible, strict=True):
            place = divmod(int(cell), clusters.columns)
            if digits.sum() < 2 or not violations[place]:
                continue
            for digit in np.flatnonzero(digits) + 1:
                before, better[place] = better[place], digit
                tried = violation_count(better)
                if tried < count:
                    count = tried
                else:
                    better[place] = before
    return better
