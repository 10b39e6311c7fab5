"""Recognises a board of which nothing is opened by the two tones of its cells, also under a card.

Some games draw their covered cells as a faint checkerboard, without lines, and explain the mouse by a card
over its middle. Hardly anything of that can be told of a single cell, but the whole can: every cell that is
seen is plain and has the tone of its place, and beyond the outermost cells no other goes on.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.geometry import Rect
from bot.vision.grid import Grid, Image, part

MIN_CONTRAST, MAX_CONTRAST = 4.0, 24.0
"""Minimum and maximum difference of the tones in the channel (0 to 255) where they differ most: less may be
noise, and the fields of a chess board differ by 50 and more."""

MIN_COLOUR = 24.0
"""Minimum difference of the strongest channel of a tone from its weakest one (0 to 255): picture editors show
by a grey checkerboard what is transparent."""

TOLERANCE = 3.0
"""Maximum difference (0 to 255) of the pixels of a plain cell from its tone."""

INSET = 0.12
"""The part of a cell that is left out at each side: pages are scaled, and edges blurred."""

MIN_SIDE = 6
"""Minimum number of columns and of rows."""

MAX_HIDDEN = 0.35
"""Maximum part of the cells, 0 to 1, that the card hides."""

MOST_POINTED = 4
"""Maximum number of cells that a mouse pointer can cover, or light up."""

MIN_PLAIN = 0.5
"""Minimum part of the cells of the first and the last row, 0 to 1, that are plain: others are not looked at
where fewer are."""

MAX_NEXT = 0.5
"""Maximum part of the places beyond a side of the grid, 0 to 1, that look like cells: the board goes on there
if more do."""

Mask = npt.NDArray[np.bool_]


def untouched_in_two_tones(image: Image, grid: Grid) -> Codes | None:
    """The cells (rows, columns) of such a board in a picture (height, width, 3), those under its card unread;
    None where the grid is none, or a part of one."""
    picture = Rect(0, 0, image.shape[1], image.shape[0])
    if min(grid.shape) < MIN_SIDE or not picture.encloses(grid.rect):
        return None
    colours = np.full((grid.rows + 2, grid.columns + 2, 3), np.nan)
    for row in (1, grid.rows, 0, *range(2, grid.rows), grid.rows + 1):
        if row == 0 and np.isnan(colours[[1, -2], 1:-1, 0]).mean() > 1 - MIN_PLAIN:
            return None
        for column in range(grid.columns + 2):
            box = grid.cell_rect(row - 1, column - 1)
            if picture.encloses(box):
                colours[row, column] = _plain_colour(part(image, box))
    parity = np.indices(colours.shape[:2]).sum(axis=0) % 2
    inner = colours[1:-1, 1:-1]
    tones = np.stack([_tone(inner[parity[1:-1, 1:-1] == half]) for half in (0, 1)])
    contrast = np.abs(tones[0] - tones[1]).max()
    # Comparisons with NaN are false: there is no tone where no cell is plain.
    if not (MIN_CONTRAST <= contrast <= MAX_CONTRAST and np.ptp(tones, axis=1).min() >= MIN_COLOUR):
        return None
    fits: Mask = np.abs(colours - tones[parity]).max(axis=2) <= min(TOLERANCE, contrast / 2)
    covered = fits[1:-1, 1:-1]
    if not is_under_card(~covered):
        return None
    beyond = fits[0, 1:-1], fits[-1, 1:-1], fits[1:-1, 0], fits[1:-1, -1]
    if max(side.mean() for side in beyond) > MAX_NEXT:
        return None
    codes: Codes = np.where(covered, Cell.COVERED, Cell.UNREAD).astype(np.int8)
    return codes


def _plain_colour(cell: Image) -> npt.NDArray[np.float64]:
    """The colour of a plain cell, (height, width, 3); NaN where it is not plain."""
    down, across = (max(1, round(INSET * side)) for side in cell.shape[:2])
    inner = cell[down:-down, across:-across].reshape(-1, 3).astype(np.float64)
    colour: npt.NDArray[np.float64] = np.median(inner, axis=0)
    return colour if np.abs(inner - colour).max() <= TOLERANCE else np.full(3, np.nan)


def _tone(colours: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The colour of most plain cells, of those of some places, shape (cells, 3); NaN where none is plain."""
    plain = colours[~np.isnan(colours[:, 0])]
    tone: npt.NDArray[np.float64] = np.median(plain, axis=0) if len(plain) else np.full(3, np.nan)
    return tone


def is_under_card(hidden: Mask) -> bool:
    """Whether the cells (rows, columns) that are hidden, if any are, lie under a card amid the others, which
    is not too large, and a mouse pointer."""
    count, groups, stats, _ = cv2.connectedComponentsWithStats(hidden.astype(np.uint8), connectivity=8)
    cards = [one for one in range(1, count) if stats[one, cv2.CC_STAT_AREA] > MOST_POINTED]
    rim = np.concatenate([groups[0], groups[-1], groups[:, 0], groups[:, -1]])
    amid = not np.isin(rim, cards).any()
    return amid and len(cards) <= 1 and count - 1 - len(cards) <= 1 and bool(hidden.mean() <= MAX_HIDDEN)
