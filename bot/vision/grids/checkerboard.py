"""Finds boards whose cells are flat, in two shades like a chess board, with no lines between them.

Where the picture has the background colours of the skin, a rectangle of them is a board if some number of
columns and rows explains which of its pixels are light and which are dark.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell
from bot.geometry import Rect
from bot.vision.cells.colour_reader import ColourReader
from bot.vision.grid import MIN_BOARD_SIDE, Grid, Image, Plane
from bot.vision.grids.colour_mask import colour_mask
from bot.vision.grids.hidden_sides import hidden_sides
from bot.vision.reading import Reading
from bot.vision.themes.palette import Palette
from bot.vision.themes.skin import Skin

BACKGROUND_TOLERANCE = 10
"""Maximum difference, in any channel (0 to 255), between a pixel and a background colour."""

MIN_CELL, MAX_CELL = 12, 160
"""Range of the width of a cell, in pixels."""

COARSE_STRIDE = 3
"""Every third pixel of every third row is examined first."""

CLOSING = 9
"""Side, in pixels, of the square that closes holes in the background: digits, flags and outlines."""

MIN_BOX_FILLED, MIN_LINE_FILLED = 0.4, 0.25
"""Minimum background of the rectangle around a board, holes closed, and of its outer lines, as parts of 1."""

MAX_ASPECT_ERROR = 0.03
"""Maximum deviation of the ratio of a cell's height and width from 1."""

MIN_AGREEMENT = 0.85
"""Minimum part of the light and dark pixels that are where the grid expects them."""

EDGE_WIDTH = 3
"""Distance, in pixels, at which light and dark are compared: in a scaled page edges are blurred."""

MIN_EDGE_PART = 0.3
"""Minimum number of changes of shade at an edge between cells, as a part of the strongest edge's."""

MAX_EDGE_ERROR = 1.5, 0.05
"""Maximum distance of an edge from its place on the lattice: in pixels or in pitches, whichever is more."""

MAX_RIM_ERROR = 1.2
"""Maximum distance, in pixels, between the rim of a whole board and the place that its edges predict."""

MIN_VISIBLE_CELL, MIN_READABLE = 0.66, 0.5
"""Minimum visible part of a cell at the rim that counts, and readable part of the cells of a board."""

MIN_SHADE = 0.2
"""How far a pixel that counts must lie from the middle between the dark (-0.5) and the light colour (0.5)."""

Shades = npt.NDArray[np.int8]
"""1 for light background, -1 for dark, 0 for anything else: shape (height, width)."""


def checkerboards(image: Image, skin: Skin) -> Iterator[tuple[Grid, Reading, tuple[str, ...]]]:
    """The boards of a skin in a picture (height, width, 3): grid, reading, and the hidden sides of each."""
    palette = skin.palette
    assert palette is not None, "the skin tells its cells by pictures"
    min_side = MIN_BOARD_SIDE * MIN_CELL
    min_area = min_side * min_side // 2
    coarse = _background_mask(np.ascontiguousarray(image[::COARSE_STRIDE, ::COARSE_STRIDE]), palette)
    if cv2.countNonZero(coarse) < min_area // COARSE_STRIDE**2:
        return
    left, top, width, height = (COARSE_STRIDE * value for value in cv2.boundingRect(coarse))
    margin = 3 * COARSE_STRIDE  # closing reaches beyond the background
    rows = slice(max(0, top - margin), top + height + margin)
    columns = slice(max(0, left - margin), left + width + margin)
    background = np.zeros(image.shape[:2], np.uint8)
    background[rows, columns] = _background_mask(image[rows, columns], palette)
    if cv2.countNonZero(background) < min_area:
        return
    square = np.ones((CLOSING, CLOSING), np.uint8)
    closed = cv2.morphologyEx(background[rows, columns], cv2.MORPH_CLOSE, square)
    _, _, stats, _ = cv2.connectedComponentsWithStats(np.asarray(closed, np.uint8), connectivity=4)
    for left, top, width, height, area in stats[1:].tolist():
        if min(width, height) < min_side or area < MIN_BOX_FILLED * width * height:
            continue
        box = _trimmed(background, Rect(left + columns.start, top + rows.start, width, height))
        grid = _checkerboard_grid(_shades(image, palette, box), box)
        if grid is None:
            continue
        reading = ColourReader(skin, grid).read(image)
        if (reading.board.codes == Cell.UNREAD).mean() <= 1 - MIN_READABLE:
            yield grid, reading, hidden_sides(image, skin, grid)


def _background_mask(image: Image, palette: Palette) -> Plane:
    """The pixels that have a background colour of covered or opened cells: 255 or 0."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for ground in (palette.covered, palette.opened):
        for colour in ground.shades:
            cv2.bitwise_or(mask, colour_mask(image, colour.bgr, BACKGROUND_TOLERANCE), mask)
    return mask


def _trimmed(background: Plane, box: Rect) -> Rect:
    """The box without outer lines of little background: the closing of holes makes it too large."""
    part = background[box.y : box.bottom, box.x : box.right] > 0
    rows = np.flatnonzero(part.mean(axis=1) > MIN_LINE_FILLED)
    columns = np.flatnonzero(part.mean(axis=0) > MIN_LINE_FILLED)
    if not len(rows) or not len(columns):
        return box
    (left, right), (top, bottom) = columns[[0, -1]].tolist(), rows[[0, -1]].tolist()
    return Rect(box.x + left, box.y + top, right + 1 - left, bottom + 1 - top)


def _shades(image: Image, palette: Palette, box: Rect) -> Shades:
    """The shades of the pixels of a box."""
    part = image[box.y : box.bottom, box.x : box.right]
    shades: Shades = np.zeros(part.shape[:2], np.int8)
    for ground in (palette.covered, palette.opened):
        light, dark = (np.array(colour.bgr, np.float32) for colour in (ground.light, ground.dark))
        contrast = light - dark
        middle = (light + dark) / np.float32(2)
        # Projected on the line between both colours, the light one is at 0.5 and the dark one at -0.5.
        shade = part.astype(np.float32) @ contrast / (contrast @ contrast)
        shade -= middle @ contrast / (contrast @ contrast)
        near = colour_mask(part, middle, BACKGROUND_TOLERANCE + float(np.abs(contrast).max()) / 2) > 0
        shades[near & (shade > MIN_SHADE)] = 1
        shades[near & (shade < -MIN_SHADE)] = -1
    return shades


def _checkerboard_grid(shades: Shades, box: Rect) -> Grid | None:
    """The grid that explains where a box is light and where it is dark; None if none does."""
    x_edges, y_edges = _cell_edges(shades), _cell_edges(shades.T)
    if x_edges is None or y_edges is None or abs(y_edges[1] / x_edges[1] - 1) > MAX_ASPECT_ERROR:
        return None
    left, columns, width = _cells(*x_edges, box.width)
    top, rows, height = _cells(*y_edges, box.height)
    if not all(MIN_BOARD_SIDE <= side <= 60 for side in (columns, rows)):
        return None
    column_parity = np.floor((np.arange(box.width) + 0.5 - left) / width).astype(int) % 2
    row_parity = np.floor((np.arange(box.height) + 0.5 - top) / height).astype(int) % 2
    expected = (1 - 2 * (column_parity[None, :] ^ row_parity[:, None])).astype(np.int8)
    agreement = float((shades * expected > 0).sum()) / max(1, int(np.count_nonzero(shades)))
    grid = Grid(box.x + left, box.y + top, width, height, columns, rows)
    return grid if agreement >= MIN_AGREEMENT else None


def _cell_edges(shades: Shades) -> tuple[float, float] | None:
    """The first place where the shade changes along the rows of a box, and the distance to the next.

    Both in pixels, fractions included; None if the changes are not equally spaced.
    """
    changes = (shades[:, :-EDGE_WIDTH] * shades[:, EDGE_WIDTH:] < 0).sum(axis=0)
    if not len(changes) or changes.max() < EDGE_WIDTH:
        return None
    strong = np.flatnonzero(changes > MIN_EDGE_PART * changes.max())
    groups = np.split(strong, np.flatnonzero(np.diff(strong) > EDGE_WIDTH) + 1)
    if len(groups) < MIN_BOARD_SIDE - 1:
        return None
    # An edge lies between as many pairs of pixels as the distance at which they are compared.
    centres = [np.average(group, weights=changes[group]) for group in groups]
    edges = np.array(centres) + (EDGE_WIDTH + 1) / 2
    pitch = float(np.median(np.diff(edges)))
    if not MIN_CELL <= pitch <= MAX_CELL:
        return None
    numbers = np.round((edges - edges[0]) / pitch)
    for _ in range(2):  # the first fit may miscount a distant cell
        pitch, first = (float(value) for value in np.polyfit(numbers, edges, 1))
        numbers = np.round((edges - first) / pitch)
    pixels, part = MAX_EDGE_ERROR
    if np.abs(edges - first - pitch * numbers).max() > max(pixels, part * pitch):
        return None
    return first, pitch


def _cells(edge: float, pitch: float, length: int) -> tuple[float, int, float]:
    """The start of the first cell, the number of cells and their size, in pixels of a box of a length.

    `edge` is the place of one edge between cells. The first cell begins before the box if it is cropped.
    """
    before = edge / pitch
    first = edge - (np.floor(before) + (before % 1 >= MIN_VISIBLE_CELL)) * pitch
    cells = (length - first) / pitch
    count = int(np.floor(cells) + (cells % 1 >= MIN_VISIBLE_CELL))
    if abs(first) <= MAX_RIM_ERROR and abs(first + count * pitch - length) <= MAX_RIM_ERROR:
        return 0.0, count, length / count  # nothing is cropped: the rim is the best measure
    return float(first), count, pitch
