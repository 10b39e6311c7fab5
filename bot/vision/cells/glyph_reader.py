"""Reads the cells of a known grid by the glyphs of a skin, quickly where little has changed.

A cell that was seen before, pixel for pixel, is looked up; only new cells are compared with the glyphs
(`GlyphClassifier`), and in scaled windows with other cells of their board (`Exemplars`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell
from bot.vision.cells.cell_label import CellLabel
from bot.vision.cells.distance import CellBytes
from bot.vision.cells.exemplars import Exemplars
from bot.vision.cells.glyph_classifier import INK, SHADED_INK, GlyphClassifier, GlyphTable
from bot.vision.cells.sampling import Cells, Indices, Sampling, evenly_spaced, rim_widths, without_rims
from bot.vision.grid import Grid, Image
from bot.vision.header.counter import counter_reader
from bot.vision.header.face import FaceReader
from bot.vision.reading import Reading
from bot.vision.themes.skin import Skin

MAX_SIDE = 18
"""The largest side, in pixels, at which scaled cells are compared: more takes time and adds nothing."""

SAMPLE_SIDE = 8
"""How many rows and columns of cells, evenly spaced over the grid, settle how its cells are sampled."""

FRAME_ROUNDING = (0, -1, 1, 2)
"""Pixels that are added to the frame of a tile: toolkits round its width in several ways."""

OBLONG = 0.98
"""The largest part of the longer side of a tile that its shorter side is, where what is drawn on it, as wide
as high, looks otherwise than on a square one."""

RIM = 0.2
"""The part of a cell's side, at each end, that does not belong to its middle."""

BACKGROUND_TOLERANCE = 8
"""The largest difference (0 to 255) in any channel between a pixel of a gap between tiles and its colour."""

MAX_REMEMBERED = 20_000
"""The largest number of different cells that are remembered: a skin has about 20, but noise has no end."""


class GlyphReader:
    """Reads one grid in one skin; `image` is always a picture (height, width, 3) in whose pixels it lies."""

    def __init__(self, skin: Skin, grid: Grid) -> None:
        self.skin = skin
        self.grid = grid
        self.face = FaceReader(skin, grid)
        self._counter = counter_reader(skin, grid)
        self._glyph_set = skin.glyph_set_for(grid.cell_width)
        tiles = skin.tiles
        self._snapped = tiles is None or grid.pixel_aligned
        self._sampling = self._make_sampling(snapped=self._snapped)
        is_scaled = self._sampling.size != self._glyph_set.cell
        self._is_settled = (grid.pixel_aligned and not is_scaled) or tiles is not None or skin.shaded
        """Whether it is known how cells are sampled; if not, the first picture settles it."""
        self._has_scaled_tiles = tiles is not None and is_scaled
        samplings = [self._sampling]
        if self._has_scaled_tiles:
            samplings = [
                self._make_sampling(snapped=self._snapped, blurred=blurred, rounding=rounding)
                for rounding in FRAME_ROUNDING
                for blurred in ((False,) if self._snapped else (False, True))
            ]
        self._classifier = self._make_classifier(samplings)
        self._exemplars = Exemplars(skin.limit)
        self._known: dict[bytes, CellLabel] = {}
        """The label of every cell that was met, by its bytes."""
        self._image: Image | None = None
        """The last picture, if nobody can draw in it."""
        self._reading: Reading | None = None
        """What was read in it, without the header; None where that has to be read again."""
        self._cells: Cells | None = None
        """The cells of the last picture."""
        self._codes = np.full(grid.shape, Cell.UNREAD, dtype=np.int8)
        self._distances = np.zeros(grid.shape, dtype=np.float32)
        self._hovered = np.zeros(grid.shape, dtype=bool)
        """Which cells show a glyph that means a covered cell under the pointer until the game is lost."""
        self.changed = 0
        """How many cells the last `read` found different from the picture before."""

    def read(self, image: Image, *, header: bool = False) -> Reading:
        """Read every cell; with `header`, the face and the counter too."""
        if image is self._image and self._reading is not None and not header:
            self.changed = 0
            return self._reading
        reading = self._read(image, header=header)
        # What is unread for now may be cleared up in the same picture.
        self._image = None if image.flags.writeable else image
        self._reading = None if header or self._exemplars.pending else reading
        return reading

    def _read(self, image: Image, *, header: bool) -> Reading:
        if not self._is_settled:
            self._settle(image)
        cells = self._compared(self._sampling.cells(image), self._sampling)
        if self._cells is None:
            changed = np.ones(self._codes.shape, dtype=bool)
        else:
            # Eight bytes at a time: a cell of 16x16 pixels is 96 such words.
            changed = np.any(_words(cells) != _words(self._cells), axis=2)
        self._cells = cells
        self.changed = int(np.count_nonzero(changed))
        if self._exemplars.pending:  # new exemplars may clear up cells that were unread before
            changed |= self._codes == Cell.UNREAD
        where = np.argwhere(changed)
        contents = [cells[row, column].tobytes() for row, column in where]
        self._learn(contents)
        for (row, column), content in zip(where, contents, strict=True):
            label = self._known[content]
            self._codes[row, column], self._distances[row, column], self._hovered[row, column] = label
        board = Board(self._visible_codes(image))
        if not header:
            return Reading(board, self._distances.copy())
        counter = self._counter.read(image, board)
        return Reading(board, self._distances.copy(), self.face.mood(image), counter)

    def read_cell(self, picture: Image) -> int:
        """The code of the one cell that a picture, of any size, shows; UNREAD if it is not clear."""
        glyph = self._sampling.glyph(picture)
        cell = self._compared(np.ascontiguousarray(glyph).reshape(1, 1, -1), self._sampling).tobytes()
        self._learn([cell])
        return self._known[cell][0]

    def forget(self) -> None:
        """Read the next picture from scratch."""
        self._cells = self._image = self._reading = None
        self._known.clear()
        self._exemplars.forget()

    def _learn(self, contents: list[bytes]) -> None:
        """Label the cells that were not met before."""
        new = [content for content in dict.fromkeys(contents) if content not in self._known]
        if len(self._known) + len(new) > MAX_REMEMBERED:
            self._known.clear()
            new = list(dict.fromkeys(contents))
        if not new:
            return
        cells = np.frombuffer(b"".join(new), np.uint8).reshape(len(new), -1)
        labels = dict(zip(new, self._classifier.classify(cells), strict=True))
        self._known.update(labels)
        if self.by_likeness:
            self._known.update(self._exemplars.learn(labels, self._classifier))

    @property
    def by_likeness(self) -> bool:
        """Whether cells may be unclear by their glyph, not at its size nor tiles on whole pixels; other cells
        explain them then."""
        is_tile = self.skin.tiles is not None and self.grid.pixel_aligned
        return not is_tile and self._sampling.size != self._glyph_set.cell

    def _visible_codes(self, image: Image) -> npt.NDArray[np.int8]:
        """The codes of the cells; UNREAD for a tile whose gap does not show the background: it is hidden."""
        codes = self._codes
        if self._hovered.any() and not np.isin(codes, (Cell.MINE, Cell.EXPLODED)).any():
            codes = np.where(self._hovered, np.int8(Cell.COVERED), codes)
        tiles = self.skin.tiles
        if tiles is None:
            return codes
        rows = np.clip(self.grid.row_edges[:-1], 0, image.shape[0] - 1)
        columns = np.clip(self.grid.column_edges[:-1], 0, image.shape[1] - 1)
        corners = image[rows[:, None], columns[None, :]].astype(np.int16)
        bare = (np.abs(corners - np.array(tiles.background.bgr)) <= BACKGROUND_TOLERANCE).all(axis=2)
        visible: npt.NDArray[np.int8] = np.where(bare, codes, np.int8(Cell.UNREAD))
        return visible

    def _settle(self, image: Image) -> None:
        """Settle how cells are sampled: by the sampling in which some of them are most clearly glyphs."""
        only = evenly_spaced(self.grid.rows, SAMPLE_SIDE), evenly_spaced(self.grid.columns, SAMPLE_SIDE)
        classifiers: dict[bool, GlyphClassifier] = {}

        def misfit(snapped: bool) -> float:
            some = self._make_sampling(snapped=snapped, only=only)
            cells = self._compared(some.cells(image), some)
            # Where lines fall between pixels some cells are sharper than others.
            variants = (False,) if some.size == self._glyph_set.cell else (False, True)
            samplings = [self._make_sampling(snapped=snapped, blurred=blurred) for blurred in variants]
            classifiers[snapped] = self._make_classifier(samplings)
            return classifiers[snapped].misfit(cells.reshape(-1, cells.shape[2]))

        snapped = min((True, False), key=misfit)
        self._sampling = self._make_sampling(snapped=snapped)
        self._classifier = replace(classifiers[snapped], blurred=self.by_likeness)
        self._is_settled = True

    def _make_sampling(
        self,
        *,
        snapped: bool,
        blurred: bool = False,
        rounding: int = 0,
        only: tuple[Indices, Indices] | None = None,
    ) -> Sampling:
        """One way of sampling the cells, as `Sampling` has it; `rounding` is added to the frame of tiles."""
        frame = 0 if self.skin.tiles is None else self.skin.tiles.frame + rounding
        glyph = self._glyph_set.cell
        return Sampling(
            self.grid, glyph, snapped=snapped, frame=frame, only=only, max_side=MAX_SIDE, blurred=blurred
        )

    def _make_classifier(self, samplings: Sequence[Sampling]) -> GlyphClassifier:
        """Compares cells with all glyphs as they come out of some samplings of one size."""
        glyph_set, first = self._glyph_set, samplings[0]
        shapes = [(1.0, 1.0), *(oblong_tiles(self.grid) if self._has_scaled_tiles else [])]
        drawn = [self._on_tile(glyph, *shape) for shape in shapes for glyph in glyph_set.glyphs]
        glyphs = np.stack([sampling.glyph(glyph) for sampling in samplings for glyph in drawn])
        cells: CellBytes = self._compared(glyphs.reshape(len(glyphs), 1, -1), first)[:, 0]
        times = len(samplings) * len(shapes)
        table = GlyphTable(cells, np.tile(glyph_set.codes, times), np.tile(glyph_set.hovered, times))
        left, top = rim_widths(first.size, self.skin.inset)
        is_scaled = self.by_likeness or self._has_scaled_tiles or not self.grid.pixel_aligned
        return GlyphClassifier(
            table,
            self.skin.limit,
            self.by_likeness,
            self._has_scaled_tiles,
            self._middle(first),
            SHADED_INK if self.skin.shaded else INK,
            None if is_scaled else (first.size[0] - 2 * left, first.size[1] - 2 * top),
        )

    def _on_tile(self, glyph: Image, across: float, down: float) -> Image:
        """A glyph whose drawing, inside the frame of its tile, takes these parts of width and height."""
        frame = 0 if self.skin.tiles is None else self.skin.tiles.frame
        height, width = glyph.shape[:2]
        if (across, down) == (1, 1) or min(height, width) <= 2 * frame:
            return glyph
        inside = slice(frame, height - frame), slice(frame, width - frame)
        middle = (1 - across) * (width - 1) / 2, (1 - down) * (height - 1) / 2
        move = np.array([[across, 0, middle[0]], [0, down, middle[1]]], np.float32)
        drawn: Image = glyph.copy()
        edge = cv2.BORDER_REPLICATE
        drawn[inside] = cv2.warpAffine(glyph, move, (width, height), borderMode=edge)[inside]
        return drawn

    def _compared(self, cells: Cells, sampling: Sampling) -> Cells:
        """The part of cells, shape (rows, columns, bytes), that is compared."""
        return without_rims(cells, sampling.size, self.skin.inset)

    def _middle(self, sampling: Sampling) -> npt.NDArray[np.bool_]:
        """Which of the bytes that are compared lie in the middle of a cell: shape (bytes,)."""
        width, height = sampling.size
        middle = np.zeros((height, width, 3), np.uint8)
        left, top = round(RIM * width), round(RIM * height)
        middle[top : height - top, left : width - left] = 1
        chosen: npt.NDArray[np.bool_] = self._compared(middle.reshape(1, 1, -1), sampling)[0, 0].astype(bool)
        return chosen


def oblong_tiles(grid: Grid) -> list[tuple[float, float]]:
    """The parts of the width and the height of a tile that a drawing as wide as high takes, for those tiles
    of a grid that are clearly no squares: a toolkit gives the pixels that remain to its first columns and
    rows."""
    widths, heights = (
        sorted({round(float(length / grid.magnification)) for length in np.diff(edges)})
        for edges in (grid.exact_columns, grid.exact_rows)
    )
    shapes = {(min(w, h) / w, min(w, h) / h) for w in widths for h in heights}
    return sorted(shape for shape in shapes if min(shape) < OBLONG)


def _words(cells: Cells) -> np.ndarray[Any, Any]:
    """The same bytes, eight at a time if that divides evenly."""
    return cells.view(np.uint64) if cells.shape[2] % 8 == 0 else cells
