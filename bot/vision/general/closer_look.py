"""Looks closer at small drawings: digits of ten pixels in cells of fifty are four pixels high in a window.

The networks have hardly seen drawings that are smaller than three tenths of their cells, and cannot tell a 3
from a 2 there. Cut out around the drawing alone, it is as large as those that they know.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bot.vision.general.cell_windows import CELL_SIDE, INNER, CellLooks, Floats, Windows

USUAL = 0.28
"""Up to this size of the middle one of the drawings of a board, as a part of a cell, they are small.

Of 200 drawn boards whose letters are 16 to 34 % of their cells (`python -m training.reader.checks.small`) 198
are read exactly, 118 without a closer look. Of 1,008 left-out boards (seeds 97 and 131, true grids) all are
read as before; with 0.34 one is not read any more.
"""

AIM = 0.45
"""The size of that drawing, as a part of what is cut out in place of its cell."""

LEAST_PART, LEAST_SIDE = 0.3, 6
"""The least part of a cell that is cut out, in height and in width, and the least pixels."""

LONG = 1.65
"""Cells that are more than so many times as wide as high, or as high as wide, are long: digits in them are
squeezed in their windows. Of 200 drawn boards of cells up to four times as long 199 are read exactly, 158
without a closer look (the same command). With 1.6 one left-out board more is read falsely, and with 2 a grey
2 in buttons of 65 x 39 pixels is a 1 where their grid lies a pixel beside."""

FITS = 0.85
"""A drawing is looked at closer if it is at most this part of what would be cut out, in both directions."""

EDGE, DRAWN, CONTRAST = 3, 0.35, 20
"""How many pixels of CELL_SIDE at each side of a cell belong to its border; how much a pixel of a drawing
differs from its ground, as a part of the most that any does, and the least of that, 0 to 255."""


@dataclass(frozen=True)
class _Drawings:
    """What is drawn on looks, by their windows."""

    are_inside: npt.NDArray[np.bool_]
    """On which looks there is something that lies inside of its cell: (looks,)."""
    sizes: Floats
    """Its width and height, as parts of the cell: (looks, 2)."""
    middles: Floats
    """Where its middle is, across and down, as parts of the cell: (looks, 2)."""


def looked_closer(cells: CellLooks, windows: Windows) -> CellLooks:
    """The looks of a board, of which these are the windows, (looks, side, side, 3); where their drawings are
    small, or their cells long, they lie closer around what is drawn."""
    drawings = _drawings(windows)
    looks = np.flatnonzero(drawings.are_inside).tolist()
    if not looks:
        return cells
    sizes = drawings.sizes * [place[2:] for place in cells.places]
    whole = {look: _without_length(*cells.places[look][2:]) for look in looks}
    usual = float(np.median([max(sizes[look] / whole[look]) for look in looks]))
    share = 1.0 if usual > USUAL else max(LEAST_PART, usual / AIM)
    places, keys = list(cells.places), list(cells.keys)
    for look in looks:
        x, y, width, height = places[look]
        wide, high = (min(side, max(LEAST_SIDE, round(share * side))) for side in whole[look])
        if (wide, high) == (width, height) or (sizes[look] > (FITS * wide, FITS * high)).any():
            continue
        across, down = drawings.middles[look].tolist()
        inner_x, inner_y = _start(width, wide, across), _start(height, high, down)
        places[look] = x + inner_x, y + inner_y, wide, high
        pixels, left, top, _ = keys[look]
        keys[look] = pixels, left + inner_x, top + inner_y, wide
    return replace(cells, places=places, keys=keys)


def is_long(width: float, height: float) -> bool:
    """Whether a cell of a width and height is long."""
    return max(width, height) > LONG * min(width, height)


def _without_length(width: int, height: int) -> tuple[int, int]:
    """The width and height of a cell, in pixels; of a long one the shorter of them for both."""
    short = min(width, height)
    return (short, short) if is_long(width, height) else (width, height)


def _start(length: int, part: int, middle: float) -> int:
    """Where a part of a side of a cell begins, in pixels, if its middle is as near as can be to a place, 0 to
    1."""
    return min(max(0, round(middle * length - part / 2)), length - part)


def _drawings(windows: Windows) -> _Drawings:
    inner = windows[:, INNER, INNER][:, EDGE:-EDGE, EDGE:-EDGE].astype(np.int16)
    count, side = inner.shape[:2]
    # Every fourth pixel tells as much, in a third of the time.
    grounds = np.median(inner[:, ::2, ::2].reshape(count, -1, 3), axis=1).astype(np.int16)[:, None, None]
    differs = np.abs(inner - grounds).max(axis=3)
    most = differs.max(axis=(1, 2))
    is_drawn = differs > DRAWN * np.maximum(most, 1)[:, None, None]
    (top, bottom), (left, right) = (_first_and_after(is_drawn.any(axis=axis)) for axis in (2, 1))
    are_inside = (most >= CONTRAST) & (top > 0) & (left > 0) & (bottom < side) & (right < side)
    sizes = np.stack([right - left, bottom - top], axis=1) / CELL_SIDE
    middles = (np.stack([left + right, top + bottom], axis=1) / 2 + EDGE) / CELL_SIDE
    return _Drawings(are_inside, sizes.astype(np.float32), middles.astype(np.float32))


def _first_and_after(lines: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The first line of each look that has something drawn on it, and the one after the last, from which
    lines do: (looks, lines)."""
    return lines.argmax(axis=1), lines.shape[1] - lines[:, ::-1].argmax(axis=1)
