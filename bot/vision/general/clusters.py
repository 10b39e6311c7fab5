"""Clusters the cells of an unknown skin: plain ones by background, others by what is drawn on them.

A glyph is what is drawn on a cell. Cells whose glyphs have one shape and one colour, on one background, form
a cluster; the cells of a cluster get one label.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from bot.vision.array_statistics import channel_maximum, median, quantile
from bot.vision.cells.shapes import ReferenceShapes, normalised, reference_shapes, similarities, unit_vector
from bot.vision.general.backgrounds import (
    NO_BACKGROUND,
    Background,
    BackgroundMatcher,
    Mask,
    cluster_backgrounds,
    is_raised,
    plain_contrast_limit,
)
from bot.vision.general.patches import GLYPH_SPAN, Floats, Indices, Patches

PALE, PALE_FACTOR, PLAIN_QUANTILE = 40.0, 1.5, 0.95
"""Cells of more contrast than this (0 to 255) are drawn on if it is also more than this multiple of that
quantile of the contrasts of plain cells: a pale digit may differ less from plain cells than from other digits
(xdemineur at 21.92 pixels a cell, tests/vision/test_tries.py)."""

SAME_GLYPH, SAME_GLYPH_OTHER_BACKGROUND = 0.86, 0.94
"""Minimum correlation of two glyphs of one cluster, and the same if their backgrounds are different."""

SAME_INK = 60.0
"""Maximum difference of the colours of two glyphs of one cluster (0 to 255)."""

SAME_BACKGROUND_COLOUR, SAME_UNKNOWN_BACKGROUND_COLOUR = 8, 24
"""Maximum difference of the colours behind two glyphs of one cluster (0 to 255): if their backgrounds are
different, and if no plain cell has them."""

UNIFORM = 0.98
"""A cluster whose glyphs correlate better with their mean is never split: a small 2 and 3 come to 0.96."""

OTHER_LABEL = 0.03
"""A glyph leaves its cluster if its shape correlates better, by more than this, with another label."""

MAX_POINTER_GLYPHS = 2
"""Clusters of at most this many cells may be the mouse pointer, which looks different in each cell."""

FULL_STRENGTH, FAINT, FADE = 0.96, 0.2, 0.6
"""This quantile of the differences from the background counts as fully drawn. Pixels below the second part of
it are not drawn; those that are above by the third part or more are fully drawn."""

INKED, MIN_INKED = 0.7, 4
"""Pixels drawn more than this (0 to 1) are ink; a glyph has at least this many of them."""

PUREST = 0.75
"""The ink above this quantile of the differences from the background is its colour: thin strokes are pale."""

RED_FACTOR, RED_MARGIN = 1.6, 20
"""A pixel is red if its red exceeds this multiple of its blue and of its green by the second (0 to 255)."""

DARK, GREY = 70, 26
"""A pixel is dark if its channels are below the first, grey if they differ by less than the second."""

CENTRAL = 0.2, 0.8
"""Connected parts of a glyph reach into this middle part of the cell; others are borders, or something that
lies over the cell. Dots are an exception: that of a question mark stands alone below the middle."""

CONNECTED = 0.35
"""Pixels drawn more than this (0 to 1) connect."""

MAX_DOT, MAX_DOT_OFFSET = 0.4, (0.25, 0.45)
"""A dot is narrower and lower than the first; from the middle of the cell it is at most the second away,
across and down (parts of the side of a cell)."""


@dataclass(frozen=True)
class GlyphCluster:
    """Cells on which the same glyph is drawn."""

    cells: Indices
    background: int
    """The index of the background; NO_BACKGROUND for one that no plain cell has."""
    colour: Floats
    """The mean colour of the ink, (3,)."""
    background_colour: Floats
    """The mean colour behind it, (3,)."""
    relief: Floats
    """The median relief of the cells, (2,)."""
    redness: float
    """The part of the ink (0 to 1) that is clearly red."""
    darkness: float
    """The part of the ink (0 to 1) that is dark or grey."""
    similarity: Floats = field(repr=False)
    """How similar its shape is to each label, by the codes of `Cell`: (LABELS,), -1 to 1."""
    cell_similarities: Floats = field(repr=False)
    """The same of each cell alone: (cells, LABELS)."""

    @property
    def may_be_pointer(self) -> bool:
        """Whether it is on so few cells that it may be the mouse pointer."""
        return len(self.cells) <= MAX_POINTER_GLYPHS


@dataclass(frozen=True)
class BoardClusters:
    """All cells of a board by what they look like, but those whose glyph could not be made out."""

    backgrounds: tuple[Background, ...]
    """The plain cells, the largest background first."""
    glyphs: tuple[GlyphCluster, ...]
    """The cells that are drawn on, the largest cluster first."""
    columns: int
    rows: int


@dataclass(frozen=True)
class _Glyph:
    """What is drawn on one cell; the fields are those of `GlyphCluster`."""

    cell: int
    background: int
    shape: Floats
    """Normalised: (SHAPE_SIDE, SHAPE_SIDE)."""
    vector: Floats
    """The shape as a unit vector."""
    colour: Floats
    background_colour: Floats
    relief: Floats
    strength: float
    """How much is drawn, and how clearly: the clearest glyphs found clusters."""
    redness: float
    darkness: float


def cluster_cells(patches: Patches) -> BoardClusters:
    """Cluster the cells of a board."""
    plain = patches.contrasts < plain_contrast_limit(patches.contrasts)
    if plain.any():
        most = float(np.quantile(patches.contrasts[plain], PLAIN_QUANTILE))
        plain &= patches.contrasts <= max(PALE, PALE_FACTOR * most)
    backgrounds = cluster_backgrounds(patches, plain)
    glyphs = _cluster_glyphs(patches, ~plain, backgrounds)
    return BoardClusters(backgrounds, glyphs, patches.columns, patches.rows)


def _cluster_glyphs(
    patches: Patches, drawn: Mask, backgrounds: tuple[Background, ...]
) -> tuple[GlyphCluster, ...]:
    """The clusters of the cells that are drawn on (marked in (cells,)), the largest first."""
    matcher = BackgroundMatcher(patches, backgrounds)
    glyphs = [_glyph(patches, int(cell), *matcher.match(int(cell))) for cell in np.flatnonzero(drawn)]
    references = reference_shapes()
    clusters = [
        _summary(part, references)
        for group in _grouped([glyph for glyph in glyphs if glyph is not None])
        for part in _split_by_label(group, references)
    ]
    return tuple(sorted(clusters, key=lambda cluster: -len(cluster.cells)))


def _grouped(glyphs: list[_Glyph]) -> list[list[_Glyph]]:
    """Each glyph with the group whose first glyph it correlates best with, the strongest glyphs first."""
    groups: list[list[_Glyph]] = []
    for glyph in sorted(glyphs, key=lambda one: -one.strength):
        best, best_correlation = None, SAME_GLYPH
        for group in groups:
            correlation = float(group[0].vector @ glyph.vector)
            if correlation > best_correlation and _can_be_one(group[0], glyph):
                best, best_correlation = group, correlation
        if best is None:
            groups.append([glyph])
        else:
            best.append(glyph)
    return groups


def _can_be_one(one: _Glyph, other: _Glyph) -> bool:
    """Whether the colours and backgrounds of two glyphs allow that they are the same."""
    difference = float(np.abs(one.background_colour - other.background_colour).max())
    if one.background != other.background:
        # One background with another relief: a cell with an outline around it, or one that is pressed.
        like = float(one.vector @ other.vector) >= SAME_GLYPH_OTHER_BACKGROUND
        # If one is raised and the other is not, a flag without its red is similar to a 1.
        if (
            difference > SAME_BACKGROUND_COLOUR
            or not like
            or is_raised(one.relief) != is_raised(other.relief)
        ):
            return False
    elif one.background == NO_BACKGROUND and difference > SAME_UNKNOWN_BACKGROUND_COLOUR:
        return False
    return bool(np.abs(one.colour - other.colour).max() <= SAME_INK)


def _split_by_label(group: list[_Glyph], references: ReferenceShapes) -> list[list[_Glyph]]:
    """A group, split where glyphs are clearly similar to another label: in few pixels a 2 is like a 3."""
    if len(group) < 2:
        return [group]
    vectors = np.stack([glyph.vector for glyph in group])
    mean = vectors.mean(axis=0)
    mean /= np.linalg.norm(mean)
    if float((vectors @ mean).min()) > UNIFORM:
        return [group]
    similarity = similarities(vectors, references)
    usual = int(np.argmax(np.median(similarity, axis=0)))
    leaves = similarity.max(axis=1) - similarity[:, usual] > OTHER_LABEL
    labels = np.where(leaves, np.argmax(similarity, axis=1), usual)
    return [
        [glyph for glyph, label in zip(group, labels, strict=True) if label == one]
        for one in np.unique(labels)
    ]


def _summary(group: list[_Glyph], references: ReferenceShapes) -> GlyphCluster:
    mean_shape = np.mean([glyph.shape for glyph in group], axis=0).astype(np.float32)
    vectors = np.stack([*(glyph.vector for glyph in group), unit_vector(mean_shape)])
    similarity = similarities(vectors, references)
    indices = [glyph.background for glyph in group]
    return GlyphCluster(
        cells=np.array([glyph.cell for glyph in group]),
        background=max(indices, key=indices.count),
        colour=np.mean([glyph.colour for glyph in group], axis=0).astype(np.float32),
        background_colour=np.mean([glyph.background_colour for glyph in group], axis=0).astype(np.float32),
        relief=np.median([glyph.relief for glyph in group], axis=0).astype(np.float32),
        redness=float(np.mean([glyph.redness for glyph in group])),
        darkness=float(np.mean([glyph.darkness for glyph in group])),
        similarity=(0.5 * (np.median(similarity[:-1], axis=0) + similarity[-1])).astype(np.float32),
        cell_similarities=similarity[:-1],
    )


def _glyph(patches: Patches, cell: int, background: int, background_colour: Floats) -> _Glyph | None:
    """What is drawn on a cell; None where that is hardly anything."""
    pixels = patches.pixels[cell, GLYPH_SPAN, GLYPH_SPAN]
    differences = channel_maximum(np.abs(pixels - background_colour))
    full = quantile(differences, FULL_STRENGTH)
    parts = (differences / max(full, 1.0) - FAINT) / FADE
    mask = _central_parts(np.minimum(np.maximum(parts, 0), 1).astype(np.float32))
    shape = normalised(mask)
    inked = mask > INKED
    if shape is None or inked.sum() < MIN_INKED:
        return None
    ink = pixels[inked]
    purest = differences[inked] >= quantile(differences[inked], PUREST)
    blue, green, red = ink[:, 0], ink[:, 1], ink[:, 2]
    is_red = (red > RED_FACTOR * blue + RED_MARGIN) & (red > RED_FACTOR * green + RED_MARGIN)
    lightest, darkest = ink.max(axis=1), ink.min(axis=1)
    return _Glyph(
        cell=cell,
        background=background,
        shape=shape,
        vector=unit_vector(shape),
        colour=median(ink[purest]),
        background_colour=background_colour,
        relief=patches.edges[cell] - background_colour.mean(),
        strength=full * float(inked.sum()),
        redness=float(is_red.mean()),
        darkness=float(((lightest < DARK) | (lightest - darkest < GREY)).mean()),
    )


def _central_parts(mask: Floats) -> Floats:
    """A mask, (side, side), 0 to 1, of only the connected parts that reach its middle or are dots."""
    count, parts, stats, centroids = cv2.connectedComponentsWithStats(
        (mask > CONNECTED).astype(np.uint8), connectivity=8, ltype=cv2.CV_32S
    )
    if count <= 2:
        return mask
    side = len(mask)
    low, high = (round(part * side) for part in CENTRAL)
    central = np.unique(parts[low:high, low:high])
    small = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]] < MAX_DOT * side
    near = np.abs(centroids / side - 0.5) < MAX_DOT_OFFSET
    central = np.union1d(central, np.flatnonzero(small.all(axis=1) & near.all(axis=1)))
    kept = np.isin(parts, central[central > 0])
    return np.where(kept, mask, 0).astype(np.float32)
