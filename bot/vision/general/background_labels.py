"""Which backgrounds are covered and which are opened: every possibility, with what speaks against it.

The cost of a broken rule (`labelling.RULE`, 4) gives the costs their scale.
"""

from __future__ import annotations

from itertools import combinations, product

from bot.vision.general.backgrounds import COLOUR_TOLERANCE, Background, is_raised
from bot.vision.general.clusters import BoardClusters
from bot.vision.general.evidence import COVERED, OPENED

MAX_LARGE = 4
"""Maximum number of backgrounds, the largest, that are labelled on their own; each other one gets the label
of the one that it looks most like."""

CELL_WEIGHT, MAX_WEIGHT, SUNK_COVERED = 0.5, 4.0, 0.15
"""What a raised background costs that is opened, for each cell and at most; and a sunk one that is covered,
as a part of that."""

FURTHER_COVERED = 3.0
"""What each further large background costs that is covered, beyond the first: skins have one."""

SAME_COLOUR_OTHER_LABEL = 1.5
"""What it costs if one of two backgrounds of one colour is covered and the other is opened."""

NO_OPENED = 12
"""What it costs if there are glyphs and several backgrounds, but none opened: numbers stand on such."""

NO_COVERED = 20
"""What it costs if all backgrounds are opened and nothing is drawn on any cell."""

SUNK_UPPER, SUNK_LOWER = 6, -30
"""A background is sunk if its relief is below these (0 to 255) at the upper left and the lower right edge."""

RELIEF_WEIGHT = 0.7
"""What a difference in relief counts, as a multiple of one in colour, when backgrounds are compared."""

MAX_POINTER_CELLS = 4
"""Maximum number of cells that a mouse pointer can cover."""


def background_labellings(clusters: BoardClusters) -> list[tuple[list[int], float]]:
    """The ways to label the backgrounds COVERED or OPENED, each with its cost; the likeliest first."""
    backgrounds = clusters.backgrounds
    large = range(min(MAX_LARGE, len(backgrounds)))
    # A small background goes with the large one that looks most like it.
    leaders = [index if index in large else _nearest(backgrounds, index) for index in range(len(backgrounds))]
    is_drawn_on = sum(len(cluster.cells) for cluster in clusters.glyphs) > MAX_POINTER_CELLS
    ways: list[tuple[list[int], float]] = []
    for large_labels in product((COVERED, OPENED), repeat=len(large)):
        labels = [large_labels[leader] for leader in leaders]
        cost = 0.0
        for background, label in zip(backgrounds, labels, strict=True):
            cost += _relief_cost(background, label)
        cost += FURTHER_COVERED * max(0, large_labels.count(COVERED) - 1)
        cost += SAME_COLOUR_OTHER_LABEL * sum(
            labels[one] != labels[other] and _same_colour(backgrounds[one], backgrounds[other])
            for one, other in combinations(large, 2)
        )
        if OPENED not in labels and len(labels) > 1 and is_drawn_on:
            cost += NO_OPENED
        if OPENED in labels and COVERED not in labels and not is_drawn_on:
            cost += NO_COVERED
        ways.append((labels, cost))
    return sorted(ways, key=lambda way: way[1])


def _relief_cost(background: Background, label: int) -> float:
    """What a background's relief says against its label."""
    weight = min(MAX_WEIGHT, CELL_WEIGHT * len(background.cells))
    upper, lower = (float(edge) for edge in background.relief)
    if is_raised(background.relief):
        return weight if label == OPENED else 0.0
    is_sunk = upper < SUNK_UPPER and lower < SUNK_LOWER
    return weight * SUNK_COVERED if is_sunk and label == COVERED else 0.0


def _same_colour(one: Background, other: Background) -> bool:
    """Whether two backgrounds have one colour, and no relief distinguishes them."""
    same = one.colour_difference(other) <= COLOUR_TOLERANCE
    return same and is_raised(one.relief) == is_raised(other.relief)


def _nearest(backgrounds: tuple[Background, ...], index: int) -> int:
    """The index of the large background that a small one looks most like."""

    def difference(large: int) -> float:
        own, other = backgrounds[index], backgrounds[large]
        return own.colour_difference(other) + RELIEF_WEIGHT * own.relief_difference(other)

    return min(range(MAX_LARGE), key=difference)
