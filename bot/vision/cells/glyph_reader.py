"""Reads the cells of a known grid from pictures, quickly where little has changed.

A cell that was seen before, pixel for pixel, is looked up; only a new look is compared with the glyphs.
The nearest glyph is taken only within a limit and only where it is clearly nearer than the next one:
nearest with no limit reads a missing digit as another one and says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell
from bot.vision.cells.distance import CellBytes, Distances, byte_differences, distances
from bot.vision.cells.exemplars import Exemplars
from bot.vision.cells.sampling import Cells, Chosen, Sampling, inside, spread
from bot.vision.grid import Grid, Image
from bot.vision.header.counter import counter_reader
from bot.vision.header.face import FaceReader
from bot.vision.reading import Reading
from bot.vision.themes.skin import Skin

CLEARLY_NEARER = 0.6
"""How much nearer than the next meaning the nearest one must be."""

BLURRED, MUCH_NEARER = 1.5, 0.45
"""Scaling may move cells so many times the skin's limit away from what they show, where they are so much
nearer to it than to all else: fine lines lose their colour between pixels."""

OTHERWISE = 30
"""Where two glyphs differ by so much in a colour (0 to 255), a cell must decide between them."""

DECIDED = 0.15
"""How much nearer it must be to the one than to the other there."""

FAINT = 0.01
"""The part of the middle of an empty cell that may differ so much from its glyph: where it is more, a digit
in a pale colour stands there, which a learned skin may not know yet."""

RIM = 0.2
"""The part of a cell's side that is no middle, at each end."""

PALER, CLEARLY_PALER = (0.5, 1.1), 0.35
"""From and to: how strongly a glyph may be drawn in a scaled cell; how much smaller than with any other
meaning the squares of what is left must then be."""

FINE_ENOUGH = 18
"""Scaled cells are compared at so many pixels in width and height at most: more take time and say no more."""

LOOKED_AT = 8
"""So many rows and columns of cells, spread over the grid, tell which of them it is."""

ROUNDED = (0, -1, 1, 2)
"""Pixels by which the frame around the picture in a tile may be thicker: toolkits round as they like."""

FARTHEST = 2.0
"""So many times the skin's limit a cell may be from every glyph to be read by the examples of others."""

FEW, MOST_DOUBTFUL = 12, 0.5
"""Where more new looks than these, and than this part of them, are unread, something else is seen than cells
of the skin."""

MOST_REMEMBERED = 250
"""So many looks at most wait for examples that tell what they are."""

BACKGROUND_TOLERANCE = 8
"""How far a pixel's colours (0 to 255) may be from those of the gaps between tiles."""

_MEMORY = 20_000
"""So many different looks are remembered; a skin has about 20, noise must not fill the memory."""


@dataclass(frozen=True)
class _Nearest:
    """The glyphs that are nearest to some cells: each of shape (cells,)."""

    glyphs: npt.NDArray[np.intp]
    distances: Distances
    most: Distances
    """How far they may be at most, to be what the cells show."""


class GlyphReader:
    """Reads one grid with one skin. Pictures are (height, width, 3); the grid's pixels are theirs."""

    def __init__(self, skin: Skin, grid: Grid) -> None:
        self.skin = skin
        self.grid = grid
        self._cut = skin.glyph_set_for(grid.cell_width)
        self.face = FaceReader(skin, grid)
        self._counter = counter_reader(skin, grid)
        self._known: dict[bytes, tuple[int, float, bool]] = {}
        tiles = skin.tiles
        frame = 0 if tiles is None else tiles.frame
        snapped = tiles is None or grid.pixel_aligned
        self._sampling = Sampling(grid, self._cut.cell, frame=frame, snapped=snapped, most=FINE_ENOUGH)
        as_cut = grid.pixel_aligned and self._sampling.size == self._cut.cell
        self._is_chosen = as_cut or tiles is not None or skin.shaded
        """Whether it is settled how cells are taken from pictures; else the first one tells."""
        self._has_scaled_tiles = tiles is not None and self._sampling.size != self._cut.cell
        ways = [self._sampling]
        if tiles is not None and self._has_scaled_tiles:
            ways = [
                Sampling(
                    grid,
                    self._cut.cell,
                    frame=tiles.frame + more,
                    snapped=snapped,
                    soft=soft,
                    most=FINE_ENOUGH,
                )
                for more in ROUNDED
                for soft in ((False,) if snapped else (False, True))
            ]
        self._compare_with(self._glyphs(ways))
        self._middle = self._middle_of(self._sampling.size)
        """Which of the values that are compared lie in the middle of a cell."""
        self._examples = Exemplars()
        """Cells that were read, where cells are scaled."""
        self._doubtful: dict[bytes, dict[int, float]] = {}
        """Looks that no glyph is clearly near enough to, and how far they are from those of each meaning."""
        self._cells: Cells | None = None
        self._codes = np.full((grid.rows, grid.columns), Cell.UNREAD, dtype=np.int8)
        self._distances = np.zeros((grid.rows, grid.columns), dtype=np.float32)
        self._hovered = np.zeros((grid.rows, grid.columns), dtype=bool)
        """Which cells look like a covered one under the pointer, and at the end of a game like another."""
        self.changed = 0
        """How many cells differed from the picture before, in the last `read`."""

    def read(self, image: Image, *, header: bool = False) -> Reading:
        """Read every cell; with `header`, the face and the counter too."""
        if not self._is_chosen:
            self._choose(image)
        cells = self._inside(self._sampling.cells(image))
        if self._cells is None:
            changed = np.ones(self._codes.shape, dtype=bool)
        else:
            # Eight bytes at a time: a cell of 16x16 pixels is 96 such words.
            changed = np.any(_words(cells) != _words(self._cells), axis=2)
        self._cells = cells
        self.changed = int(np.count_nonzero(changed))
        # What was not read may be by examples that were not there yet.
        where = np.argwhere(changed | (self._codes == Cell.UNREAD) if self._doubtful else changed)
        looks = [cells[row, column].tobytes() for row, column in where]
        self._learn(looks)
        for (row, column), look in zip(where, looks, strict=True):
            told = self._known[look]
            self._codes[row, column], self._distances[row, column], self._hovered[row, column] = told
        board = Board(self._uncovered(image))
        if not header:
            return Reading(board, self._distances.copy())
        counter = self._counter.read(image, board)
        return Reading(board, self._distances.copy(), self.face.mood(image), counter)

    def _uncovered(self, image: Image) -> npt.NDArray[np.int8]:
        """The codes; where the gaps between tiles do not show the background, something lies over them."""
        told = self._codes
        if self._hovered.any() and not np.isin(told, (Cell.MINE, Cell.EXPLODED)).any():
            told = np.where(self._hovered, np.int8(Cell.COVERED), told)
        tiles = self.skin.tiles
        if tiles is None:
            return told
        rows = np.clip(self.grid.row_edges[:-1], 0, image.shape[0] - 1)
        columns = np.clip(self.grid.column_edges[:-1], 0, image.shape[1] - 1)
        corners = image[rows[:, None], columns[None, :]].astype(np.int16)
        bare = (np.abs(corners - np.array(tiles.background.bgr)) <= BACKGROUND_TOLERANCE).all(axis=2)
        codes: npt.NDArray[np.int8] = np.where(bare, told, np.int8(Cell.UNREAD))
        return codes

    def look(self, picture: Image) -> int:
        """The code of the one cell that a picture shows, UNREAD where it is none that is known."""
        glyph = self._sampling.glyph(picture)
        look = self._inside(np.ascontiguousarray(glyph).reshape(1, 1, -1)).tobytes()
        self._learn([look])
        return self._known[look][0]

    def _inside(self, cells: Cells) -> Cells:
        """The part of cells, shape (rows, columns, bytes), that is compared."""
        return inside(cells, self._sampling.size, self.skin.inset)

    def _glyphs(self, ways: Sequence[Sampling]) -> Cells:
        """The part of each glyph that is compared with cells that come out in some ways: (glyphs, bytes)."""
        glyphs = np.stack([way.glyph(glyph) for way in ways for glyph in self._cut.glyphs])
        return inside(glyphs.reshape(len(glyphs), 1, -1), ways[0].size, self.skin.inset)[:, 0]

    def _compare_with(self, glyphs: CellBytes) -> None:
        """Compare cells with all glyphs of the skin, once or several times in turn."""
        times = len(glyphs) // len(self._cut.codes)
        self._flat = glyphs
        self._meant = np.tile(self._cut.codes, times)
        """The code of each glyph that cells are compared with."""
        self._ambiguous = np.tile(self._cut.hovered, times)

    def _choose(self, image: Image) -> None:
        """Settle how cells are taken from pictures: the way in which they are the most clearly glyphs."""
        only = spread(self.grid.rows, LOOKED_AT), spread(self.grid.columns, LOOKED_AT)
        tables: dict[bool, CellBytes] = {}

        def doubt(snapped: bool) -> float:
            """How far cells are from their glyphs, as a part of how far they may be. Those that are too far
            count the most: a wrong way suits many cells and misses others."""
            some = self._scaled(snapped=snapped, only=only)
            cells = inside(some.cells(image), some.size, self.skin.inset)
            # Where lines fall between pixels some cells are sharper than others.
            sharp = (False,) if some.size == self._cut.cell else (False, True)
            tables[snapped] = self._glyphs([self._scaled(snapped=snapped, soft=soft) for soft in sharp])
            self._compare_with(tables[snapped])
            nearest = self._nearest(distances(cells.reshape(-1, cells.shape[2]), self._flat))
            return float(((nearest.distances / nearest.most) ** 4).mean())

        snapped = min((True, False), key=doubt)
        self._sampling = self._scaled(snapped=snapped)
        self._compare_with(tables[snapped])
        self._middle = self._middle_of(self._sampling.size)
        self._is_chosen = True

    def _scaled(
        self, *, snapped: bool, soft: bool = False, only: tuple[Chosen, Chosen] | None = None
    ) -> Sampling:
        """Some of the cells, or all, where their edges lie inside pixels: each may be `snapped` to whole
        ones, and the picture blurred as a whole."""
        cell = self._cut.cell
        return Sampling(self.grid, cell, snapped=snapped, soft=soft, only=only, most=FINE_ENOUGH)

    @property
    def _by_examples(self) -> bool:
        """Whether what no glyph is clear for is told by other cells: tiles on whole pixels have other ways,
        and cells as they were cut need none."""
        other_ways = self.skin.tiles is not None and self.grid.pixel_aligned
        return not other_ways and self._sampling.size != self._cut.cell

    def _nearest(self, distances: Distances) -> _Nearest:
        """The nearest glyphs of cells that are so far from each: (cells, glyphs)."""
        best = distances.argmin(axis=1)
        nearest = distances[np.arange(len(distances)), best]
        rivals = np.where(self._meant == self._meant[best][:, None], np.inf, distances).min(axis=1)
        limit = self.skin.limit
        most = np.minimum(limit, CLEARLY_NEARER * rivals)
        if self._by_examples:
            most = np.maximum(most, np.minimum(BLURRED * limit, MUCH_NEARER * rivals))
        return _Nearest(best, nearest, most)

    def _learn(self, looks: list[bytes]) -> None:
        """Work out the code and the distance of each look that was not seen before."""
        new = [look for look in dict.fromkeys(looks) if look not in self._known]
        if len(self._known) + len(new) > _MEMORY:
            self._known.clear()
            new = list(dict.fromkeys(looks))
        if new:
            self._known.update(zip(new, self._classify(new), strict=True))
        if self._by_examples:
            self._learn_by_examples(new)

    def _by_meaning(self, look: bytes) -> dict[int, float]:
        """How far a cell is from the nearest glyph of each meaning."""
        away = distances(np.frombuffer(look, np.uint8)[None], self._flat)[0]
        return {int(code): float(away[self._meant == code].min()) for code in np.unique(self._meant)}

    def _learn_by_examples(self, new: list[bytes]) -> None:
        """Work out the looks that no glyph was clear for, as far as they are clearly like one of the cells
        that were read: each that is makes one more example."""
        unread = [look for look in new if self._known[look][0] == Cell.UNREAD]
        if len(unread) > max(FEW, MOST_DOUBTFUL * len(new)):
            return
        for look in new:
            if self._known[look][0] != Cell.UNREAD:
                self._examples.add(look, self._known[look][0])
        for look in unread:
            if len(self._doubtful) < MOST_REMEMBERED:
                by_meaning = self._by_meaning(look)
                if min(by_meaning.values()) <= FARTHEST * self.skin.limit:
                    self._doubtful[look] = by_meaning
        more = bool(new)
        while more:
            more = False
            for look, by_glyphs in list(self._doubtful.items()):
                by_examples = self._examples.distances(look)
                if not by_examples:
                    return
                code, own = min(by_examples.items(), key=lambda one: one[1])
                told = [*by_examples.items(), *by_glyphs.items()]
                rival = min((distance for other, distance in told if other != code), default=np.inf)
                if own <= min(self.skin.limit, CLEARLY_NEARER * rival):
                    self._known[look] = code, own, False
                    self._examples.add(look, code)
                    del self._doubtful[look]
                    more = True

    def forget(self) -> None:
        """Read the next picture from scratch."""
        self._cells = None
        self._known.clear()
        self._doubtful.clear()
        self._examples.forget()

    def _classify(self, looks: list[bytes]) -> list[tuple[int, float, bool]]:
        """The code of each cell, or UNREAD, its distance from the nearest glyph, and whether that glyph is
        also a covered cell under the pointer."""
        cells = np.frombuffer(b"".join(looks), np.uint8).reshape(len(looks), -1)
        away = distances(cells, self._flat)
        found = self._nearest(away)
        best, nearest, codes = found.glyphs, found.distances, self._meant[found.glyphs]
        readable = nearest <= found.most
        if self._has_scaled_tiles:
            for index in np.flatnonzero(~readable & (nearest <= self.skin.limit / 2)):
                near = (away[index] * CLEARLY_NEARER < nearest[index]) & (self._meant != codes[index])
                cell = cells[index]
                readable[index] = self._is_decided(cell, best[index], np.flatnonzero(near)) or (
                    self._is_paler(cell, int(codes[index]))
                )
        if self.skin.learned:
            readable &= ~self._holds_more(cells, best)
        told = np.where(readable, codes, int(Cell.UNREAD)).tolist()
        hovered = (readable & self._ambiguous[best]).tolist()
        return list(zip(told, nearest.tolist(), hovered, strict=True))

    def _middle_of(self, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
        width, height = size
        middle = np.zeros((height, width, 3), np.uint8)
        left, top = round(RIM * width), round(RIM * height)
        middle[top : height - top, left : width - left] = 1
        chosen: npt.NDArray[np.bool_] = self._inside(middle.reshape(1, 1, -1))[0, 0].astype(bool)
        return chosen

    def _holds_more(self, cells: CellBytes, best: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
        """Which cells, given their nearest glyphs, are nearest to one that is plain, and have something in
        their middle that it has not: on average a pale digit is as good as nothing."""
        plain = np.isin(self._meant[best], (Cell.EMPTY, Cell.COVERED))
        more: npt.NDArray[np.bool_] = np.zeros(len(best), bool)
        for index in np.flatnonzero(plain):
            away = byte_differences(cells[index], self._flat[best[index]])[self._middle]
            more[index] = (away > OTHERWISE).mean() > FAINT
        return more

    def _is_decided(self, cell: Cells, best: int, rivals: npt.NDArray[np.intp]) -> bool:
        """Whether a scaled cell is clearly the one glyph where that one and a rival differ, for every rival.

        Glyphs that differ in a small part only, as flags and questioned flags do, are about equally far
        from a cell that the scaling has blurred all over.
        """
        flat = self._flat.astype(np.int16)
        for rival in rivals:
            where = np.abs(flat[best] - flat[rival]) > OTHERWISE
            own, other = (np.abs(flat[glyph][where] - cell[where]).sum() for glyph in (best, rival))
            if not where.any() or own > DECIDED * other:
                return False
        return True

    def _is_paler(self, cell: Cells, code: int) -> bool:
        """Whether a scaled cell is clearly that one drawn paler: thin lines lose their colour when shrunk."""
        drawn, ground = self._drawn
        own = cell - ground
        strength = np.einsum("ij,ij->i", own, drawn) / np.maximum(1, np.einsum("ij,ij->i", drawn, drawn))
        left = own - np.clip(strength, *PALER)[:, None] * drawn
        misfits = np.einsum("ij,ij->i", left, left)
        rivals = misfits[self._meant != code]
        return bool(misfits[self._meant == code].min() <= CLEARLY_PALER * rivals.min())

    @cached_property
    def _drawn(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """What is drawn on each glyph, as differences from its usual colour; and that colour."""
        colours = self._flat.reshape(len(self._flat), -1, 3).astype(np.float32)
        ground = np.broadcast_to(np.median(colours, axis=1, keepdims=True), colours.shape)
        flat = self._flat.shape
        return (colours - ground).reshape(flat), ground.reshape(flat)


def _words(cells: Cells) -> np.ndarray[Any, Any]:
    """The same bytes, eight at a time where that divides evenly."""
    return cells.view(np.uint64) if cells.shape[2] % 8 == 0 else cells
