"""Finds boards whose cells are flat, in two shades like a chess board: no line tells them apart.

Where the picture has the colours of the ground, a rectangle of them is a board if one number of columns and
rows explains its light and dark places.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.geometry import Rect
from bot.vision.cells.colour_reader import ColourReader, Floats, grounds
from bot.vision.grid import Grid, Image
from bot.vision.grids.hidden_sides import hidden_sides
from bot.vision.reading import Reading
from bot.vision.themes.palette import Palette
from bot.vision.themes.skin import Skin

TOLERANCE = 10
"""How far each part of a pixel's colour (0 to 255) may be from that of the ground."""

SMALLEST_CELL, LARGEST_CELL = 12, 160
"""Pixels."""

FEWEST = 4
"""Columns and rows."""

MOST = 60

COARSE = 3
"""Every so manyth pixel is looked at first."""

SQUARE = 0.03
"""The part by which the height of a cell may differ from its width."""

AGREE = 0.85
"""The part of the light and dark pixels that must be where the grid says."""

GAP = 3
"""Light and dark are compared at so many pixels' distance: where a page is scaled, edges are blurred."""

FLUSH = 1.2
"""So many pixels the rim of the board may be off where the edges between cells say that it is."""

KEPT = 0.66
"""A cell at the rim of which so much is seen counts as one."""

READABLE = 0.5
"""The part of the cells that must be readable; the rest may be covered by something."""

UNSURE = 0.2
"""So far from the middle between light and dark a pixel must be to count; light is at 0.5, dark at -0.5."""

Mask = np.ndarray[Any, np.dtype[np.uint8]]
Shades = npt.NDArray[np.int8]


def boards(image: Image, skin: Skin) -> Iterator[tuple[Grid, Reading, tuple[str, ...]]]:
    """The boards of a skin in a picture: their grids, what they show, and the sides (`top`, …) on which
    what should lie there is not seen."""
    palette = skin.palette
    assert palette is not None, "the skin tells its cells by pictures"
    least = FEWEST * SMALLEST_CELL
    # Grounds are large: every third pixel says whether and where there are any.
    coarse = _on_ground(np.ascontiguousarray(image[::COARSE, ::COARSE]), palette)
    if cv2.countNonZero(coarse) < least * least // 2 // COARSE**2:
        return
    left, top, width, height = (COARSE * value for value in cv2.boundingRect(coarse))
    edge = 3 * COARSE  # what is closed below reaches beyond the ground
    at = slice(max(0, top - edge), top + height + edge), slice(max(0, left - edge), left + width + edge)
    both = np.zeros(image.shape[:2], np.uint8)
    both[at] = _on_ground(image[at], palette)
    if cv2.countNonZero(both) < least * least // 2:
        return
    # Digits and flags are holes, and the line around opened ground parts it from the rest.
    joined = cv2.morphologyEx(both[at], cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(joined, np.uint8), connectivity=4)
    for left, top, width, height, area in stats[1:]:
        if width < least or height < least or area < 0.4 * width * height:
            continue
        place = int(left) + at[1].start, int(top) + at[0].start
        box = _trimmed(both, Rect(*place, int(width), int(height)))
        grid = _grid(_shades(image, palette, box), box)
        if grid is None:
            continue
        reading = ColourReader(skin, grid).read(image)
        if (reading.board.codes == Cell.UNREAD).mean() > 1 - READABLE:
            continue
        yield grid, reading, hidden_sides(image, skin, grid)


def _on_ground(image: Image, palette: Palette) -> Mask:
    """Where a picture has the colour of any ground."""
    both = np.zeros(image.shape[:2], np.uint8)
    for ground in grounds(palette):
        cv2.bitwise_or(both, _near(image, ground.colour, TOLERANCE), both)
    return both


def _trimmed(both: Mask, box: Rect) -> Rect:
    """The box without lines at its rim that are hardly of the ground: closing holes makes it too large."""
    part = both[box.y : box.bottom, box.x : box.right] > 0
    rows = np.flatnonzero(part.mean(axis=1) > 0.25)
    columns = np.flatnonzero(part.mean(axis=0) > 0.25)
    if not len(rows) or not len(columns):
        return box
    left, right, top, bottom = int(columns[0]), int(columns[-1]), int(rows[0]), int(rows[-1])
    return Rect(box.x + left, box.y + top, right + 1 - left, bottom + 1 - top)


def _near(image: Image, colour: Floats, tolerance: float) -> Mask:
    """Where a picture has a colour (blue, green, red), as a mask."""
    low, high = np.clip(colour - tolerance, 0, 255), np.clip(colour + tolerance, 0, 255)
    return np.asarray(cv2.inRange(image, low, high), np.uint8)


def _shades(image: Image, palette: Palette, box: Rect) -> Shades:
    """Where a box has light ground (1), dark ground (-1) or none (0); what lies just between is none."""
    part = image[box.y : box.bottom, box.x : box.right]
    shades: Shades = np.zeros(part.shape[:2], np.int8)
    for ground in (palette.covered, palette.opened):
        light, dark = (np.array(colour.bgr, np.float32) for colour in (ground.light, ground.dark))
        across = light - dark
        middle = (light + dark) / np.float32(2)
        # 0.5 for the light colour and -0.5 for the dark one.
        along = part.astype(np.float32) @ across / (across @ across)
        along -= middle @ across / (across @ across)
        near = _near(part, middle, TOLERANCE + float(np.abs(across).max()) / 2) > 0
        shades[near & (along > UNSURE)] = 1
        shades[near & (along < -UNSURE)] = -1
    return shades


def _grid(shade: Shades, box: Rect) -> Grid | None:
    """The grid that explains where a box is light and where it is dark; None where none does."""
    across, down = _spacing(shade), _spacing(shade.T)
    if across is None or down is None or abs(down[1] / across[1] - 1) > SQUARE:
        return None
    left, columns, width = _cells(*across, box.width)
    top, rows, height = _cells(*down, box.height)
    if not (FEWEST <= columns <= MOST and FEWEST <= rows <= MOST):
        return None
    grid = Grid(box.x + left, box.y + top, width, height, columns, rows)
    place_x = np.floor((np.arange(box.width) + 0.5 - left) / width).astype(int) % 2
    place_y = np.floor((np.arange(box.height) + 0.5 - top) / height).astype(int) % 2
    expected = (1 - 2 * (place_x[None, :] ^ place_y[:, None])).astype(np.int8)
    agreeing = float((shade * expected > 0).sum()) / max(1, int(np.count_nonzero(shade)))
    return grid if agreeing >= AGREE else None


def _spacing(shade: Shades) -> tuple[float, float] | None:
    """Where light and dark change places along the rows of a box: the first such edge and the distance of
    two, in pixels, fractions and all; None where the edges are not evenly spaced."""
    changes = (shade[:, :-GAP] * shade[:, GAP:] < 0).sum(axis=0)
    if not len(changes) or changes.max() < GAP:
        return None
    strong = np.flatnonzero(changes > 0.3 * changes.max())
    groups = np.split(strong, np.flatnonzero(np.diff(strong) > GAP) + 1)
    if len(groups) < FEWEST - 1:
        return None
    # Of the pixels that are GAP apart, GAP pairs have an edge between them.
    edges = np.array([np.average(group, weights=changes[group]) for group in groups]) + (GAP + 1) / 2
    pitch = float(np.median(np.diff(edges)))
    if not SMALLEST_CELL <= pitch <= LARGEST_CELL:
        return None
    numbers = np.round((edges - edges[0]) / pitch)
    for _ in range(2):  # the first fit may count a cell too few far off
        pitch, first = (float(value) for value in np.polyfit(numbers, edges, 1))
        numbers = np.round((edges - first) / pitch)
    if np.abs(edges - first - pitch * numbers).max() > max(1.5, 0.05 * pitch):
        return None
    return first, pitch


def _cells(edge: float, pitch: float, length: int) -> tuple[float, int, float]:
    """From one edge between cells, their distance and the length of the box: where the first cell begins
    (before the box where it is cut), how many cells there are, those cut by less than a third included, and
    their size."""
    before = edge / pitch
    first = edge - (np.floor(before) + (before % 1 >= KEPT)) * pitch
    cells = (length - first) / pitch
    count = int(np.floor(cells) + (cells % 1 >= KEPT))
    if abs(first) <= FLUSH and abs(first + count * pitch - length) <= FLUSH:
        return 0.0, count, length / count  # nothing is cut: the rim is the best measure
    return float(first), count, pitch
