"""The cells of an unknown skin sorted by their looks: what lies behind, and what is drawn on it.

Plain cells are gathered by colour and relief. Over a gradient neighbours are gathered step by step, and a
plane through the colours of each group says what is to be expected elsewhere. The two shades of a
checkerboard become one ground. Cells with something drawn on them are gathered by its shape and colour.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.vision import shapes
from bot.vision.patches import INNER, Patches, reliefs

Floats = npt.NDArray[np.float32]
Marks = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]

PLAIN = (13.0, 75.0)
"""The contrast below which a cell is plain lies between these: in the widest gap of all contrasts."""

CLEAR_GAP = 1.7
"""Where no cell has much contrast, the widest gap must be as wide, as a ratio: else all cells are plain."""

NEAR = 7.0
"""Colours of neighbours that differ less (0 to 255) are of one ground."""

ALIKE, SURELY_ALIKE = 0.86, 0.94
"""Drawings that correlate as well are the same; and the same though something else lies behind."""


@dataclass(frozen=True)
class Ground:
    """What lies behind: a set of plain cells that look alike."""

    cells: Indices
    places: Floats
    """Column and row of each cell: (cells, 2)."""
    colours: Floats
    """The colour of each cell: (cells, 3)."""
    plane: Floats
    """Colour = plane[0] + plane[1] * column + plane[2] * row: shape (3, 3)."""
    relief: Floats
    """Shape (2,), as `reliefs` gives it."""
    checkered: bool = False
    """Whether it has two shades in turn, like a chess board."""

    @property
    def colour(self) -> Floats:
        """The usual colour: (3,)."""
        out: Floats = np.median(self.colours, axis=0)
        return out

    @property
    def sloped(self) -> bool:
        """Whether its colour changes over the board."""
        return bool(np.abs(self.plane[1:]).max() > 0.2)

    def expected(self, column: int, row: int) -> Floats:
        """The colour to be expected at a cell: that of the nearest ones, else what the plane says."""
        away = np.abs(self.places - (column, row)).max(axis=1)
        colours = self.colours
        if self.checkered:
            same = (self.places.sum(axis=1) + column + row) % 2 == 0
            away, colours = away[same], colours[same]
        near = away <= max(float(away.min()), 2.0)
        if self.sloped and away.min() > 4:
            return np.asarray(self.plane[0] + self.plane[1] * column + self.plane[2] * row, np.float32)
        out: Floats = np.median(colours[near if self.sloped else away < np.inf], axis=0)
        return out


@dataclass(frozen=True)
class Drawing:
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


@dataclass(frozen=True)
class Looks:
    """All looks of a board."""

    grounds: tuple[Ground, ...]
    drawings: tuple[Drawing, ...]
    columns: int
    rows: int


def looks_of(patches: Patches) -> Looks:
    """Sort the cells of a board by their looks."""
    plain = patches.contrast < _plain_limit(patches.contrast)
    grounds = _grounds(patches, plain)
    return Looks(grounds, _drawings(patches, ~plain, grounds), patches.columns, patches.rows)


def _plain_limit(contrast: Floats) -> float:
    """Where plain cells end: the widest gap between contrasts, as a ratio, in the range it may lie in."""
    low, high = PLAIN
    values = np.sort(contrast)
    beyond = values[values >= high]
    inside = np.concatenate([[low], values[(values > low) & (values < high)], beyond[:1]])
    if len(inside) == 1:
        return high
    ratios = inside[1:] / inside[:-1]
    widest = int(np.argmax(ratios))
    if not len(beyond) and ratios[widest] < CLEAR_GAP:
        return high
    return float(np.sqrt(inside[widest] * inside[widest + 1]))


def _grounds(patches: Patches, plain: Marks) -> tuple[Ground, ...]:
    """Plain cells, gathered."""
    where = np.flatnonzero(plain)
    if not len(where):
        return ()
    colours = patches.background[where]
    relief = reliefs(patches, where, colours)
    rows, columns = where // patches.columns, where % patches.columns
    labels = np.arange(len(where))
    near = (np.abs(rows[:, None] - rows) <= 2) & (np.abs(columns[:, None] - columns) <= 2)
    near &= np.abs(colours[:, None] - colours).max(axis=2) <= NEAR
    near &= np.abs(relief[:, None] - relief).max(axis=2) <= 28
    labels = _components(near)
    groups = [where[labels == label] for label in np.unique(labels)]
    groups.sort(key=len, reverse=True)
    made: list[Ground] = []
    for cells in groups:
        ground = _ground(patches, cells)
        merged = False
        for index, other in enumerate(made):
            if _same(other, ground):
                made[index] = _ground(patches, np.concatenate([other.cells, ground.cells]))
                merged = True
                break
        if not merged:
            made.append(ground)
    return _checkered(patches, sorted(made, key=lambda one: -len(one.cells)))


def _components(near: Marks) -> Indices:
    labels = np.full(len(near), -1, np.intp)
    count = 0
    for start in range(len(near)):
        if labels[start] >= 0:
            continue
        front = np.zeros(len(near), bool)
        front[start] = True
        inside = front.copy()
        while front.any():
            front = near[front].any(axis=0) & ~inside
            inside |= front
        labels[inside] = count
        count += 1
    return labels


def _ground(patches: Patches, cells: Indices, checkered: bool = False) -> Ground:
    places = np.stack([cells % patches.columns, cells // patches.columns], axis=1).astype(np.float32)
    colours = patches.background[cells]
    plane = np.zeros((3, 3), np.float32)
    spread = np.ptp(colours, axis=0).max()
    if len(cells) >= 8 and spread > 6 and not checkered and np.ptp(places, axis=0).min() >= 2:
        matrix = np.concatenate([np.ones((len(cells), 1)), places], axis=1)
        plane = np.linalg.lstsq(matrix, colours, rcond=None)[0].astype(np.float32)
    else:
        plane[0] = np.median(colours, axis=0)
    relief = np.median(reliefs(patches, cells, colours), axis=0).astype(np.float32)
    return Ground(cells, places, colours, plane, relief, checkered)


def _same(one: Ground, other: Ground) -> bool:
    """Whether the cells of a smaller group look as the larger one would there."""
    if np.abs(one.relief - other.relief).max() > 30:
        return False
    expected = np.stack([one.expected(int(column), int(row)) for column, row in other.places[:20]])
    away = np.abs(other.colours[:20] - expected).max(axis=1)
    return float(np.median(away)) <= (22.0 if one.sloped else 9.0)


def _checkered(patches: Patches, grounds: list[Ground]) -> tuple[Ground, ...]:
    """Pairs of grounds that lie on cells of one shade of a checkerboard each become one."""
    shades = [_shade(patches, ground.cells) for ground in grounds]
    out: list[Ground] = []
    used: set[int] = set()
    for index, ground in enumerate(grounds):
        if index in used:
            continue
        partners = [
            other
            for other in range(index + 1, len(grounds))
            if other not in used
            and shades[index] is not None
            and shades[other] == 1 - (shades[index] or 0)
            and np.abs(grounds[other].colour - ground.colour).max() <= 36
            and np.abs(grounds[other].relief - ground.relief).max() <= 24
        ]
        if not partners:
            out.append(ground)
            continue
        partner = min(partners, key=lambda other: _apart(grounds[other], ground))
        used.add(partner)
        out.append(_ground(patches, np.concatenate([ground.cells, grounds[partner].cells]), checkered=True))
    return tuple(sorted(out, key=lambda one: -len(one.cells)))


def _apart(one: Ground, other: Ground) -> float:
    return float(np.abs(one.colour - other.colour).max())


def _shade(patches: Patches, cells: Indices) -> int | None:
    parity = (cells // patches.columns + cells % patches.columns) % 2
    return int(parity[0]) if len(np.unique(parity)) == 1 else None


def _behind(patches: Patches, grounds: tuple[Ground, ...], cell: int, noise: float) -> tuple[int, Floats]:
    """The ground that a drawn cell has, -1 where none is seen, and the colour behind its drawing."""
    row, column = divmod(cell, patches.columns)
    part = patches.pixels[cell, 3:29, 3:29]
    best, most = -1, -1.0
    behind = None
    for index, ground in enumerate(grounds):
        expected = ground.expected(column, row)
        away = np.abs(part - expected).max(axis=2) / (24.0 if ground.sloped else max(13.0, 1.5 * noise))
        seen = float(np.clip(1.5 - away, 0, 1).mean())
        if seen <= 0.2:
            continue
        colour = np.median(part[away < 1.2], axis=0)
        relief = patches.edge[cell] - colour.mean()
        seen -= 0.5 * min(1.0, float(np.abs(relief - ground.relief).max()) / 80)
        if seen > most:
            best, most, behind = index, seen, colour
    if behind is None:
        ring = np.ones(part.shape[:2], bool)
        ring[6:-6, 6:-6] = False
        part = part[ring]
        coarse = (part // 12).astype(np.int32)
        keys = coarse[..., 0] * 10000 + coarse[..., 1] * 100 + coarse[..., 2]
        found, counts = np.unique(keys, return_counts=True)
        behind = np.median(part[keys == found[np.argmax(counts)]], axis=0)
    return best, behind.astype(np.float32)


def _noise(patches: Patches, grounds: tuple[Ground, ...]) -> float:
    """How far most pixels of plain cells are from their colour: dithering leaves some."""
    if not grounds:
        return 0.0
    cells = grounds[0].cells[:40]
    part = patches.pixels[cells, 5:27, 5:27]
    away = np.abs(part - patches.background[cells][:, None, None]).max(axis=3)
    return min(24.0, float(np.quantile(away, 0.9)))


def _drawings(patches: Patches, drawn: Marks, grounds: tuple[Ground, ...]) -> tuple[Drawing, ...]:
    cells = np.flatnonzero(drawn)
    noise = _noise(patches, grounds)
    made: list[dict[str, Any]] = []
    for cell in cells:
        ground, behind = _behind(patches, grounds, int(cell), noise)
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
    known = shapes.references()
    out: list[Drawing] = []
    for group in groups:
        vectors = np.stack([look["vector"] for look in group[:40]])
        mean = np.mean([look["shape"] for look in group], axis=0).astype(np.float32)
        likeness = shapes.likeness(np.concatenate([vectors, shapes.vector(mean)[None]]), known)
        out.append(
            Drawing(
                np.array([look["cell"] for look in group]),
                max((look["ground"] for look in group), key=[look["ground"] for look in group].count),
                mean,
                np.mean([look["colour"] for look in group], axis=0).astype(np.float32),
                np.mean([look["behind"] for look in group], axis=0).astype(np.float32),
                np.median([look["relief"] for look in group], axis=0).astype(np.float32),
                float(np.mean([look["redness"] for look in group])),
                float(np.mean([look["darkness"] for look in group])),
                (0.5 * (np.median(likeness[:-1], axis=0) + likeness[-1])).astype(np.float32),
            )
        )
    return tuple(sorted(out, key=lambda one: -len(one.cells)))


def _look(patches: Patches, cell: int, behind: Floats) -> dict[str, Any] | None:
    """What is drawn on a cell: its shape and colours."""
    part = patches.pixels[cell, INNER, INNER]
    apart = np.abs(part - behind).max(axis=2)
    strong = float(np.quantile(apart, 0.96))
    mask = np.clip((apart / max(strong, 1.0) - 0.2) / 0.6, 0, 1).astype(np.float32)
    mask = _central(mask)
    shape = shapes.normal(mask)
    if shape is None:
        return None
    inked = mask > 0.7
    if inked.sum() < 4:
        return None
    ink = part[inked]
    blue, green, red = ink[:, 0], ink[:, 1], ink[:, 2]
    top, low = ink.max(axis=1), ink.min(axis=1)
    return {
        "cell": cell,
        "shape": shape,
        "vector": shapes.vector(shape),
        "colour": np.median(ink, axis=0),
        "behind": behind,
        "relief": patches.edge[cell] - behind.mean(),
        "strength": strong * float(inked.sum()),
        "redness": float(((red > 1.6 * blue + 20) & (red > 1.6 * green + 20)).mean()),
        "darkness": float(((top < 70) | (top - low < 26)).mean()),
    }


def _central(mask: Floats) -> Floats:
    """Only the parts that reach the middle: others are borders, or something that lies over the cell."""
    count, labels = cv2.connectedComponents((mask > 0.35).astype(np.uint8), connectivity=8)
    if count <= 2:
        return mask
    size = len(mask)
    low, high = round(0.2 * size), round(0.8 * size)
    central = np.unique(labels[low:high, low:high])
    kept = np.isin(labels, central[central > 0])
    return np.where(kept, mask, 0).astype(np.float32)
