"""Reads the cells of a known grid by the colours of a skin, quickly where little has changed.

`ColourClassifier` reads each cell that was not met before; then the cells are checked against each other, for
what covers or recolours the whole board shows only in many cells at once.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Coordinate
from bot.geometry import Rect
from bot.vision.cells.cell_label import CellLabel
from bot.vision.cells.colour_classifier import (
    MAX_OFF_BACKGROUND,
    SAMPLE_SIDE,
    ColourClassifier,
    Samples,
    is_smeared,
)
from bot.vision.cells.sampling import OUTSIDE, split_cells
from bot.vision.grid import Grid, Image, same_pixels
from bot.vision.header.face import FaceReader
from bot.vision.reading import Reading
from bot.vision.themes.skin import Skin

INSET = 0.16
"""The part of a cell's side, at each end, from which no pixels are taken: lines and outlines lie there."""

MIN_COVERED_RIM = 0.9
"""The least part of the cells at the rim that must be covered if a tutorial picture is to hide others."""

MIN_TUTORIAL_SIDE, MIN_TUTORIAL_PART = 2, 0.5
"""The fewest rows and columns of cells under a tutorial picture, and the least part of that block that is
unread, 0 to 1."""

MIN_SATURATION, MIN_OFF_BACKGROUNDS = 60, 2.5 * MAX_OFF_BACKGROUND
"""The least difference (0 to 255) between the largest and the smallest channel of a cell that shows a mine,
and the least distance of its colour from every background."""

DISC_DARKER, MIN_DISC_DISTANCE = 0.9, 2 * MAX_OFF_BACKGROUND
"""The disc of a mine has less than this part of its cell's brightness, and is farther than this from its
colour."""

MAX_REMEMBERED = 20_000
"""The largest number of different cells that are remembered: a skin has few, but noise has no end."""


class ColourReader:
    """Reads one grid in one skin with a palette, in pictures (height, width, 3) in whose pixels it lies."""

    by_likeness = False

    def __init__(self, skin: Skin, grid: Grid) -> None:
        palette = skin.palette
        assert palette is not None, "the skin tells its cells by pictures"
        self.skin = skin
        self.grid = grid
        self.face = FaceReader(skin, grid)
        self._has_tutorial = palette.tutorial
        self._classifier = ColourClassifier(palette)
        rows = _sampled_lines(grid.y, grid.cell_height, grid.rows)
        columns = _sampled_lines(grid.x, grid.cell_width, grid.columns)
        self._places = np.stack(np.broadcast_arrays(columns, rows[:, None]), axis=2).astype(np.int16)
        """The pixels, x and y, that are taken: a map for `cv2.remap`, which is faster than indices."""
        self._parity: npt.NDArray[np.int_] = np.add.outer(np.arange(grid.rows), np.arange(grid.columns)) % 2
        """0 for a light cell, 1 for a dark one; the first cell is light unless the board is cropped there."""
        self._known: dict[tuple[int, bytes], CellLabel] = {}
        """The label of every cell that was met, by its parity and bytes."""
        self._samples: Samples | None = None
        self._pixels: Image | None = None
        self._last: Reading | None = None
        """The samples, the pixels of the grid and the reading of the last picture."""
        self._smeared = False
        """Whether the first picture was compressed."""
        self._codes = np.full(grid.shape, Cell.UNREAD, dtype=np.int8)
        self._hovered = np.zeros(grid.shape, dtype=bool)
        self._distances = np.zeros(grid.shape, dtype=np.float32)
        self.changed = 0
        """How many cells the last `read` found different from the picture before."""

    def read(self, image: Image, *, header: bool = False) -> Reading:
        """Read every cell. `header` adds nothing: there is no face, and the counter's font is not known."""
        rect = self.grid.rect.clipped(Rect(0, 0, image.shape[1], image.shape[0]))
        pixels = image[rect.y : rect.bottom, rect.x : rect.right]
        if self._last is not None and self._pixels is not None and same_pixels(pixels, self._pixels):
            self.changed = 0
            return self._last
        self._pixels = pixels.copy()
        samples = self.samples(image)
        if self._samples is None:
            self._smeared = is_smeared(samples)
            where = np.argwhere(np.ones(self._codes.shape, dtype=bool))
        else:
            where = np.argwhere(np.any(samples != self._samples, axis=(2, 3)))
        self._samples = samples
        self.changed = len(where)
        if len(self._known) > MAX_REMEMBERED:
            self._known.clear()
        for row, column in where:
            parity, cell = int(self._parity[row, column]), samples[row, column]
            key = parity, cell.tobytes()
            label = self._known.get(key)
            if label is None:
                label = self._known[key] = self._classifier.classify(cell, parity, smeared=self._smeared)
            self._codes[row, column], self._distances[row, column], self._hovered[row, column] = label
        self._last = Reading(Board(self._checked_codes(samples)), self._distances.copy())
        return self._last

    def half_hidden(self, wanted: npt.NDArray[np.bool_]) -> npt.NDArray[np.int8]:
        """The codes of the cells of the last picture; of those that are unread and `wanted`, shape (rows,
        columns), what is seen of them (`ColourClassifier.half_hidden`)."""
        assert self._last is not None
        assert self._samples is not None
        codes: npt.NDArray[np.int8] = self._last.board.codes.copy()
        hidden = wanted & (codes == Cell.UNREAD)
        if hidden.any():
            codes[hidden] = self._classifier.half_hidden(self._samples[hidden], self._parity[hidden])
        return codes

    def forget(self) -> None:
        """Read the next picture from scratch."""
        self._samples = self._pixels = self._last = None
        self._known.clear()

    def samples(self, image: Image) -> Samples:
        """Pixels evenly spaced over each cell: shape (rows, columns, SAMPLE_SIDE * SAMPLE_SIDE, 3)."""
        edge, whole = cv2.BORDER_CONSTANT, cv2.INTER_NEAREST
        board = cv2.remap(image, self._places, None, whole, borderMode=edge, borderValue=OUTSIDE)  # type: ignore[call-overload]
        cells = split_cells(np.asarray(board, np.uint8), self.grid.rows, self.grid.columns)
        return cells.reshape(*self.grid.shape, SAMPLE_SIDE * SAMPLE_SIDE, 3)

    def _checked_codes(self, samples: Samples) -> npt.NDArray[np.int8]:
        """The codes of all cells after they are checked against each other."""
        codes: npt.NDArray[np.int8] = self._codes.copy()
        # The pointer is over one cell. If more have that colour they are something else: falling tiles.
        if np.count_nonzero(self._hovered) > 1:
            codes[self._hovered] = Cell.UNREAD
        unread = codes == Cell.UNREAD
        if self._has_tutorial and _may_hide_tutorial(codes):
            codes[unread] = Cell.COVERED
            return codes
        mines, others = self._recoloured(samples, unread)
        # Mines are shown on cells of colours of their own; but once a game is won every cell changes colour.
        if len(mines) > len(others):
            for cell in mines:
                codes[cell] = Cell.MINE
        return codes

    def _recoloured(
        self, samples: Samples, unread: npt.NDArray[np.bool_]
    ) -> tuple[list[Coordinate], list[Coordinate]]:
        """The unread cells of one strong colour that is no background: those with a darker disc in the
        middle, which may be mines, and the others."""
        where = np.argwhere(unread)
        if not len(where):
            return [], []
        end, half, radius = SAMPLE_SIDE // 6, SAMPLE_SIDE // 2, SAMPLE_SIDE // 5
        first, last, centre = slice(None, end), slice(-end, None), slice(half - radius, half + radius)
        pixels = samples[unread].reshape(-1, SAMPLE_SIDE, SAMPLE_SIDE, 3)
        corners = np.stack([_medians(pixels[:, y, x]) for y in (first, last) for x in (first, last)], axis=1)
        colours = np.median(corners, axis=1)
        is_flat = np.abs(corners - colours[:, None]).max(axis=(1, 2)) <= MAX_OFF_BACKGROUND
        off = np.linalg.norm(self._classifier.background_colours - colours[:, None], axis=2).min(axis=1)
        recoloured = is_flat & (np.ptp(colours, axis=1) >= MIN_SATURATION) & (off >= MIN_OFF_BACKGROUNDS)
        where, colours = where[recoloured], colours[recoloured]
        discs = _medians(pixels[recoloured, centre, centre])
        is_mine = discs.sum(axis=1) < DISC_DARKER * colours.sum(axis=1)
        is_mine &= np.linalg.norm(discs - colours, axis=1) > MIN_DISC_DISTANCE
        found = [(int(row), int(column)) for row, column in where]
        return (
            [cell for cell, mine in zip(found, is_mine, strict=True) if mine],
            [cell for cell, mine in zip(found, is_mine, strict=True) if not mine],
        )


def _medians(squares: Image) -> npt.NDArray[np.float32]:
    """The median colour of each square of pixels, shape (squares, height, width, 3): shape (squares, 3)."""
    flat = squares.reshape(len(squares), squares.shape[1] * squares.shape[2], 3).astype(np.float32)
    medians: npt.NDArray[np.float32] = np.median(flat, axis=1)
    return medians


def _sampled_lines(start: float, pitch: float, count: int) -> npt.NDArray[np.intp]:
    """The rows or columns of the picture from which pixels are taken: SAMPLE_SIDE for each of the cells."""
    inside = INSET + (1 - 2 * INSET) * (np.arange(SAMPLE_SIDE) + 0.5) / SAMPLE_SIDE
    lines = np.floor(start + pitch * (np.arange(count)[:, None] + inside)).ravel()
    return lines.astype(np.intp)


def _may_hide_tutorial(codes: npt.NDArray[np.int8]) -> bool:
    """Whether the unread cells may lie under the picture that explains the game: all others are covered, the
    rim is seen to be, at least half of the cells are read, and the unread ones are one block in the middle.
    Mines that explode here and there while a lost board darkens are none."""
    unread = codes == Cell.UNREAD
    read = codes[~unread]
    if not len(read) or len(read) == codes.size or (read != Cell.COVERED).any() or len(read) < codes.size / 2:
        return False
    where = np.argwhere(unread)
    (top, left), (bottom, right) = where.min(axis=0), where.max(axis=0)
    block = unread[top : bottom + 1, left : right + 1]
    beside = np.abs([top + bottom + 1 - codes.shape[0], left + right + 1 - codes.shape[1]]).max() / 2
    if min(block.shape) < MIN_TUTORIAL_SIDE or block.mean() < MIN_TUTORIAL_PART or beside > 1:
        return False
    rim = np.concatenate([codes[0], codes[-1], codes[:, 0], codes[:, -1]])
    return bool((rim == Cell.COVERED).mean() >= MIN_COVERED_RIM)
