"""The cells of an unknown skin sorted by their looks: what lies behind, and what is drawn on it.

Cells with something drawn on them are gathered by its shape and colour; what lies behind them is one of the
grounds that plain cells have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from bot.vision.array_statistics import channel_maximum, median, quantile
from bot.vision.cells import shapes
from bot.vision.general.backgrounds import (
    NEAR,
    Background,
    Floats,
    Indices,
    Marks,
    cluster_backgrounds,
    is_raised,
    plain_limit,
)
from bot.vision.general.patches import INNER, Patches

ALIKE, SURELY_ALIKE = 0.86, 0.94
"""Drawings that correlate as well are the same; and the same though something else lies behind."""

ONE_DRAWING = 0.98
"""Drawings that correlate as well with their mean are one: in small cells a 2 and a 3 come to 0.96."""

PALE, STANDS_OUT = 40.0, 1.5
"""Cells of more contrast than this, and than so many times that of plain cells, are drawn on."""

CLEARLY_RAISED = 25.0
"""By so much more than a ground a cell must stand out to have another one behind."""

PUREST = 0.75
"""The colour of a drawing is that of the part of its pixels, above this quantile, that differ most from what
lies behind."""

OTHERWISE = 0.03
"""A member of a group of drawings that is so much more like another meaning is not of that group."""


@dataclass(frozen=True)
class GlyphCluster:
    """Cells on which the same thing is drawn."""

    cells: Indices
    ground: int
    """The index of the ground behind; -1 for one that no plain cell has."""
    shape: Floats
    """The mean shape, (SIDE, SIDE) of `shapes`, 0 to 1."""
    colour: Floats
    """The mean colour of what is drawn, (3,)."""
    behind: Floats
    """The mean colour behind it, (3,)."""
    relief: Floats
    """The mean relief of the cells, (2,)."""
    redness: float
    """The part of what is drawn that is clearly red."""
    darkness: float
    """The part that is nearly black, or without any colour."""
    likeness: Floats = field(repr=False)
    """How like each meaning its shape is, by the codes of `Cell`: (16,)."""
    each: Floats = field(repr=False)
    """The same of every cell alone: (cells, 16)."""


@dataclass(frozen=True)
class BoardClusters:
    """All looks of a board."""

    grounds: tuple[Background, ...]
    drawings: tuple[GlyphCluster, ...]
    columns: int
    rows: int


def cluster_cells(patches: Patches) -> BoardClusters:
    """Sort the cells of a board by their looks."""
    plain = patches.contrast < plain_limit(patches.contrast)
    if plain.any():
        # A pale digit may be nearer to plain cells than to other digits: of those it stands out.
        usual = float(np.quantile(patches.contrast[plain], 0.95))
        plain &= patches.contrast <= max(PALE, STANDS_OUT * usual)
    grounds = cluster_backgrounds(patches, plain)
    return BoardClusters(grounds, _drawings(patches, ~plain, grounds), patches.columns, patches.rows)


def _behind(
    patches: Patches, grounds: tuple[Background, ...], usual: Sequence[int], cell: int, noise: float
) -> tuple[int, Floats]:
    """Which of the `usual` grounds a drawn cell has, -1 where none is seen, and the colour behind it."""
    row, column = divmod(cell, patches.columns)
    part = patches.pixels[cell, 3:29, 3:29]
    best, most = -1, -1.0
    behind = None
    for index in usual:
        ground = grounds[index]
        expected = ground.expected(column, row)
        away = channel_maximum(np.abs(part - expected)) / (24.0 if ground.sloped else max(13.0, 1.5 * noise))
        seen = float(np.minimum(np.maximum(1.5 - away, 0), 1).mean())
        if seen <= 0.2:
            continue
        colour = median(part[away < 1.2])
        relief = patches.edge[cell] - colour.mean()
        more = relief - ground.relief
        raised = is_raised(relief) and min(more[0], -more[1]) > CLEARLY_RAISED
        sunk = is_raised(ground.relief) and min(-more[0], more[1]) > CLEARLY_RAISED
        seen -= 0.5 * min(1.0, float(np.abs(more).max()) / 80)
        if seen > most:
            best, most, behind = -1 if raised or sunk else index, seen, colour
    if behind is None:
        ring = np.ones(part.shape[:2], bool)
        ring[6:-6, 6:-6] = False
        part = part[ring]
        # The commonest colour, give or take a little: dithering makes several of one.
        found, counts = np.unique((part // 12).astype(np.int16), axis=0, return_counts=True)
        near = np.abs(found[:, None] - found).max(axis=2) <= 1
        middle = found[np.argmax((near * counts).sum(axis=1))]
        behind = median(part[np.abs(part // 12 - middle).max(axis=1) <= 1])
    return best, behind.astype(np.float32)


def _is_variation(grounds: tuple[Background, ...], index: int) -> bool:
    """Whether a ground is one cell or two of another one with something around them: an outline, a shadow."""
    own = grounds[index]
    return len(own.cells) <= 2 and any(
        len(other.cells) > 2 * len(own.cells)
        and np.abs(other.colour - own.colour).max() <= NEAR
        and is_raised(other.relief) == is_raised(own.relief)
        for other in grounds[:index]
    )


def _noise(patches: Patches, grounds: tuple[Background, ...]) -> float:
    """How far most pixels of plain cells are from their colour: dithering leaves some."""
    if not grounds:
        return 0.0
    cells = grounds[0].cells[:40]
    part = patches.pixels[cells, 5:27, 5:27]
    away = np.abs(part - patches.background[cells][:, None, None]).max(axis=3)
    return min(24.0, float(np.quantile(away, 0.9)))


def _drawings(patches: Patches, drawn: Marks, grounds: tuple[Background, ...]) -> tuple[GlyphCluster, ...]:
    cells = np.flatnonzero(drawn)
    noise = _noise(patches, grounds)
    usual = [index for index in range(len(grounds)) if not _is_variation(grounds, index)]
    made: list[dict[str, Any]] = []
    for cell in cells:
        ground, behind = _behind(patches, grounds, usual, int(cell), noise)
        look = _look(patches, int(cell), behind)
        if look is None:
            continue
        look["ground"] = ground
        made.append(look)
    groups: list[list[dict[str, Any]]] = []
    for look in sorted(made, key=lambda one: -one["strength"]):
        best, score = None, ALIKE
        for group in groups:
            first = group[0]
            step = float(np.abs(first["behind"] - look["behind"]).max())
            if first["ground"] != look["ground"]:
                # The same on another relief: a cell with an outline around it, or one that is pressed.
                if step > 8 or float(first["vector"] @ look["vector"]) < SURELY_ALIKE:
                    continue
                if is_raised(first["relief"]) != is_raised(look["relief"]):
                    continue  # a flag without its red is much like a 1
            elif first["ground"] < 0 and step > 24:
                continue
            if np.abs(first["colour"] - look["colour"]).max() > 60:
                continue
            alike = float(first["vector"] @ look["vector"])
            if alike > score:
                best, score = group, alike
        if best is None:
            groups.append([look])
        else:
            best.append(look)
    known = shapes.reference_shapes()
    out: list[GlyphCluster] = []
    for group in [part for whole in groups for part in _parted(whole, known)]:
        vectors = np.stack([look["vector"] for look in group])
        mean = np.mean([look["shape"] for look in group], axis=0).astype(np.float32)
        likeness = shapes.similarities(np.concatenate([vectors, shapes.unit_vector(mean)[None]]), known)
        out.append(
            GlyphCluster(
                np.array([look["cell"] for look in group]),
                max((look["ground"] for look in group), key=[look["ground"] for look in group].count),
                mean,
                np.mean([look["colour"] for look in group], axis=0).astype(np.float32),
                np.mean([look["behind"] for look in group], axis=0).astype(np.float32),
                np.median([look["relief"] for look in group], axis=0).astype(np.float32),
                float(np.mean([look["redness"] for look in group])),
                float(np.mean([look["darkness"] for look in group])),
                (0.5 * (np.median(likeness[:-1], axis=0) + likeness[-1])).astype(np.float32),
                likeness[:-1],
            )
        )
    return tuple(sorted(out, key=lambda one: -len(one.cells)))


def _parted(group: list[dict[str, Any]], known: shapes.ReferenceShapes) -> list[list[dict[str, Any]]]:
    """A group, without its members that are clearly something else: in few pixels a 2 is like a 3."""
    if len(group) < 2:
        return [group]
    vectors = np.stack([look["vector"] for look in group])
    mean = vectors.mean(axis=0)
    mean /= np.linalg.norm(mean)
    if float((vectors @ mean).min()) > ONE_DRAWING:
        return [group]
    likeness = shapes.similarities(vectors, known)
    usual = int(np.argmax(np.median(likeness, axis=0)))
    own = np.argmax(likeness, axis=1)
    other = likeness.max(axis=1) - likeness[:, usual] > OTHERWISE
    meant = np.where(other, own, usual)
    return [
        [look for look, code in zip(group, meant, strict=True) if code == one] for one in np.unique(meant)
    ]


def _look(patches: Patches, cell: int, behind: Floats) -> dict[str, Any] | None:
    """What is drawn on a cell: its shape and colours."""
    part = patches.pixels[cell, INNER, INNER]
    apart = channel_maximum(np.abs(part - behind))
    strong = quantile(apart, 0.96)
    mask = np.minimum(np.maximum((apart / max(strong, 1.0) - 0.2) / 0.6, 0), 1).astype(np.float32)
    mask = _central(mask)
    shape = shapes.normalised(mask)
    if shape is None:
        return None
    inked = mask > 0.7
    if inked.sum() < 4:
        return None
    ink = part[inked]
    # Thin strokes hardly anywhere have the colour of their ink: where they are farthest from the ground.
    purest = apart[inked] >= quantile(apart[inked], PUREST)
    blue, green, red = ink[:, 0], ink[:, 1], ink[:, 2]
    top, low = ink.max(axis=1), ink.min(axis=1)
    return {
        "cell": cell,
        "shape": shape,
        "vector": shapes.unit_vector(shape),
        "colour": median(ink[purest]),
        "behind": behind,
        "relief": patches.edge[cell] - behind.mean(),
        "strength": strong * float(inked.sum()),
        "redness": float(((red > 1.6 * blue + 20) & (red > 1.6 * green + 20)).mean()),
        "darkness": float(((top < 70) | (top - low < 26)).mean()),
    }


def _central(mask: Floats) -> Floats:
    """Only the parts that reach the middle: others are borders, or something that lies over the cell."""
    count, labels, stats, middles = cv2.connectedComponentsWithStats(
        (mask > 0.35).astype(np.uint8), connectivity=8, ltype=cv2.CV_32S
    )
    if count <= 2:
        return mask
    size = len(mask)
    low, high = round(0.2 * size), round(0.8 * size)
    central = np.unique(labels[low:high, low:high])
    # The dot of a question mark stands alone below that; borders are long.
    dots = (stats[:, cv2.CC_STAT_WIDTH] < 0.4 * size) & (stats[:, cv2.CC_STAT_HEIGHT] < 0.4 * size)
    dots &= (np.abs(middles[:, 0] / size - 0.5) < 0.25) & (np.abs(middles[:, 1] / size - 0.5) < 0.45)
    central = np.union1d(central, np.flatnonzero(dots))
    kept = np.isin(labels, central[central > 0])
    return np.where(kept, mask, 0).astype(np.float32)
