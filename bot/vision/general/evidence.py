"""The evidence of shape, colour and background for each label that a glyph cluster can get."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.board import Cell
from bot.vision.general.backgrounds import NO_BACKGROUND, Mask, is_raised
from bot.vision.general.clusters import BoardClusters, GlyphCluster
from bot.vision.general.digit_colours import digit_colour_scores
from bot.vision.general.patches import Floats

COVERED, OPENED = int(Cell.COVERED), int(Cell.EMPTY)
"""The labels of backgrounds."""

BackgroundLabels = Sequence[int]
"""COVERED or OPENED for each background of a board."""

DIGITS = slice(1, 9)
"""The labels 1 to 8."""

# Scores have no unit; the weight of the shape gives their scale. A violation of the rules costs 4.

SHAPE_WEIGHT, COLOUR_WEIGHT = 14.0, 2.2
"""What similarity of shape (-1 to 1) and agreement with the colour of a digit (0 down to -1.5) count."""

RED_FLAG, PALE_FLAG, FLAG_SHAPE, FLAG_SHAPE_RANGE = 3.0, -2.0, 0.4, 0.4
"""What counts for a flag that something shaped like one is red (somewhat above the third similarity, fully
where it is greater by the fourth), and against it that it is neither red nor dark."""

QUESTION_BONUS = -0.5
"""What counts against question marks: they are rare."""

DARK_MINE, PALE_MINE = 1.0, -2.0
"""What counts for a mine that is dark, and against one that is not."""

EXPLODED_BONUS, MIN_EXPLODED_SIMILARITY = 3.0, 0.6
"""What counts for an exploded mine that it is dark on red, and the least similarity that all such have."""

CROSSED_BONUS = 0.5
"""What counts for a wrong flag that it is like a mine, not on red, with red and dark in it."""

DIGIT_ON_COVERED, EXPLODED_ON_COVERED = -8.0, -6.0
"""What counts against digits and exploded mines on a covered background."""

FLAG_ON_OPENED, QUESTION_ON_OPENED = -5.0, -8.0
"""What counts against flags and question marks on an opened background."""

MIN_SIMILARITY, MIN_POINTER_SIMILARITY = 0.52, 0.7
"""Minimum similarity of a cluster to its label to be read, and of one that may be the pointer."""

OTHER_COLOUR, SAME_COLOUR = 60.0, 12.0
"""Glyph clusters are of different colours if these differ by more than the first, of one colour if they
differ by at most the second (0 to 255)."""

OTHER_BACKGROUND_COLOUR = 14
"""Glyph clusters on unknown backgrounds are different if those differ by more than this (0 to 255)."""

AGREEING_COLOUR = -0.25
"""A cluster has the colour of a digit if its colour scores more than this for that digit."""

SHARED_COLOUR, SHARED_GREY = 40, 26
"""All digits have one colour if theirs differ by less than the first, or the channels of each by less than
the second (0 to 255): the black of mines and the grey of digits are one colour too."""

# Colours of digits are ignored if no known game has them. The next were chosen on winmine at 20.5 pixels a
# cell, whose 5 has the colour of a 6 in other games (tests/vision/test_tries.py).

CLEAR_CELLS, CLEAR_SIMILARITY, CLEAR_LEAD = 3, 0.85, 0.1
"""A cluster is clearly a digit if it has at least this many cells, at least this similarity to the digit, and
the third more than to any other digit."""

AGREES = 0.3
"""A colour agrees with a digit if it scores at most this much less for it than for the best digit."""


@dataclass(frozen=True)
class ColourEvidence:
    """What the colours of all glyph clusters of a board say together.

    Pairs are marked in arrays of shape (clusters, clusters), each once, above the diagonal.
    """

    of_digits: bool
    """Whether colours speak for digits: they are several, and those of a game that is known."""
    different: Mask
    """Which pairs of clusters differ in colour, or in that of a background that no plain cell has."""
    same: Mask
    """Which pairs have one colour, where not all digits have: in most games they are the same digit."""


def colour_evidence(clusters: BoardClusters) -> ColourEvidence:
    """Compare the colours of all glyph clusters of a board."""
    glyphs = clusters.glyphs
    one_colour = _digits_share_colour(glyphs)
    colours = _differences([cluster.colour for cluster in glyphs])
    background_colours = _differences([cluster.background_colour for cluster in glyphs])
    unknown = np.array([cluster.background == NO_BACKGROUND for cluster in glyphs], bool)
    other_background = (background_colours > OTHER_BACKGROUND_COLOUR) & unknown[:, None] & unknown
    return ColourEvidence(
        of_digits=not one_colour and _colours_are_known(glyphs),
        different=np.triu((colours > OTHER_COLOUR) | other_background, 1),
        same=np.triu((colours <= SAME_COLOUR) & (not one_colour), 1),
    )


def _differences(colours: list[Floats]) -> Floats:
    """How far the colours of each pair lie apart in the channel that differs most: (clusters, clusters)."""
    stacked = np.array(colours, np.float32).reshape(-1, 3)
    differences: Floats = np.abs(stacked[:, None] - stacked).max(axis=2)
    return differences


def _digits_share_colour(glyphs: Sequence[GlyphCluster]) -> bool:
    digits = [cluster for cluster in glyphs if cluster.redness < 0.3]
    repeated = [cluster for cluster in digits if len(cluster.cells) >= 2]
    if len(repeated) < 2:
        repeated = digits  # hardly any cell is opened
    if len(repeated) < 2:
        return False
    colours = np.stack([cluster.colour for cluster in repeated])
    same = np.ptp(colours, axis=0).max() < SHARED_COLOUR
    return bool(same or np.ptp(colours, axis=1).max() < SHARED_GREY)


def _colours_are_known(glyphs: Sequence[GlyphCluster]) -> bool:
    """Whether at least half of the digits with a clear shape have the colours of a game that is known."""
    clear = agreeing = 0
    for cluster in glyphs:
        similarity = cluster.similarity[DIGITS]
        best, second = (int(index) for index in np.argsort(-similarity)[:2])
        if (
            len(cluster.cells) < CLEAR_CELLS
            or similarity[best] < CLEAR_SIMILARITY
            or similarity[best] - similarity[second] < CLEAR_LEAD
        ):
            continue
        scores = digit_colour_scores(cluster.colour)
        clear += 1
        agreeing += bool(scores[best] >= scores.max() - AGREES)
    return clear < 2 or 2 * agreeing >= clear


@dataclass(frozen=True)
class BoardEvidence:
    """What is settled before the glyphs of a board get labels."""

    clusters: BoardClusters
    colours: ColourEvidence
    background_labels: BackgroundLabels


def label_scores(cluster: GlyphCluster, board: BoardEvidence) -> tuple[Floats, np.float32]:
    """How well each label fits a glyph cluster, by the codes of `Cell` without UNREAD: (15,), -inf for
    impossible labels; and the best score before the label of the background was considered."""
    scores = np.full(Cell.UNREAD, -np.inf, np.float32)
    shape = SHAPE_WEIGHT * cluster.similarity
    scores[DIGITS] = shape[DIGITS]
    if board.colours.of_digits:
        scores[DIGITS] += COLOUR_WEIGHT * digit_colour_scores(cluster.colour)
    flag_shape = float(np.clip((cluster.similarity[Cell.FLAG] - FLAG_SHAPE) / FLAG_SHAPE_RANGE, 0, 1))
    scores[Cell.FLAG] = shape[Cell.FLAG] + (RED_FLAG * flag_shape if cluster.redness > 0.2 else 0.0)
    if cluster.redness < 0.05 and cluster.darkness < 0.5:
        scores[Cell.FLAG] += PALE_FLAG
    scores[Cell.QUESTION] = shape[Cell.QUESTION] + QUESTION_BONUS
    scores[Cell.MINE] = shape[Cell.MINE] + (DARK_MINE if cluster.darkness > 0.6 else PALE_MINE)
    on_red = _is_red(cluster.background_colour)
    if on_red and cluster.darkness > 0.4:
        scores[Cell.EXPLODED] = max(shape[Cell.MINE], SHAPE_WEIGHT * MIN_EXPLODED_SIMILARITY) + EXPLODED_BONUS
    if cluster.redness > 0.15 and cluster.darkness > 0.2 and not on_red:
        scores[Cell.WRONG_FLAG] = shape[Cell.MINE] + CROSSED_BONUS
    least = max(MIN_POINTER_SIMILARITY, float(cluster.similarity[Cell.MINE]))
    if cluster.similarity[Cell.WRONG_FLAG] > least:
        scores[Cell.WRONG_FLAG] = max(float(scores[Cell.WRONG_FLAG]), float(shape[Cell.WRONG_FLAG]))
    best = scores.max()
    on = background_label(cluster, board.background_labels)
    if on == COVERED or (on is None and is_raised(cluster.relief)):
        scores[DIGITS] += DIGIT_ON_COVERED
        scores[Cell.EXPLODED] += EXPLODED_ON_COVERED
    elif on == OPENED:
        scores[Cell.FLAG] += FLAG_ON_OPENED
        scores[Cell.QUESTION] += QUESTION_ON_OPENED
    return scores, best


def background_label(cluster: GlyphCluster, background_labels: BackgroundLabels) -> int | None:
    """The label of the background of a glyph cluster; None for a background that no plain cell has."""
    return background_labels[cluster.background] if cluster.background != NO_BACKGROUND else None


def is_similar_enough(cluster: GlyphCluster, label: int, background_labels: BackgroundLabels) -> bool:
    """Whether a glyph cluster is similar enough to its label to be read.

    Colours and backgrounds help where shapes differ from game to game.
    """
    rare = cluster.may_be_pointer
    similarity = float(cluster.similarity[label])
    if label == Cell.EXPLODED:
        similarity = max(float(cluster.similarity[Cell.MINE]), MIN_POINTER_SIMILARITY)
    elif label == Cell.WRONG_FLAG:
        similarity = max(float(cluster.similarity[Cell.MINE]) + 0.1, similarity)
    elif label == Cell.MINE and rare:
        similarity -= 0.15
    elif label == Cell.FLAG:
        # The arrow of a pointer is similar to a flag, but hardly red.
        similarity += 0.2 if cluster.redness > 0.25 else -0.2 if rare else 0.0
    elif label == Cell.QUESTION and background_label(cluster, background_labels) == COVERED and not rare:
        similarity += 0.1  # no digit can be there
    elif 1 <= label <= 8 and digit_colour_scores(cluster.colour)[label - 1] > AGREEING_COLOUR:
        similarity += 0.06 if rare else 0.12
    return similarity >= (MIN_POINTER_SIMILARITY if rare else MIN_SIMILARITY)


def _is_red(colour: Floats) -> bool:
    """Whether a colour (blue, green, red) is clearly red, like the background of an exploded mine."""
    blue, green, red = (float(channel) for channel in colour)
    return red > 90 and red > 1.7 * green and red > 1.7 * blue
