"""Makes examples for the cell reader of pictures whose boards are known, each time a little otherwise.

An example is a part of a picture, cut as the reader will cut it, by a grid that fits the board, is a little
off, reaches beyond it, or does not fit at all; now and then with a pointer over it, or with other marks,
faces and digits. `recolouring` gives it other colours.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Codes
from bot.vision.general.cell_reader import extended
from bot.vision.general.cell_windows import CELL_SIDE, INNER, MARGIN, Looks, Windows
from bot.vision.general.network import NOT_A_CELL
from bot.vision.general.same_looks import joined_looks, middles_of
from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import grid_batches
from training.reader.learning.canvas import cell_canvas, distinct, windows_of
from training.reader.learning.negatives import beside_board, drawn_grid
from training.reader.learning.redrawn import redrawn
from training.reader.no_boards import picture_without_board
from training.reader.samples import LabelledBoard, read_sample

Rng = np.random.Generator
Labels = npt.NDArray[np.int64]
Cells = npt.NDArray[np.uint8]
"""Cells of CELL_SIDE by CELL_SIDE pixels: (cells, CELL_SIDE, CELL_SIDE, 3)."""
Pixel = TypeVar("Pixel", bound=np.generic)

MAX_FOUND = 4
"""At most this many grids are taken of a picture without a board."""

BESIDE = 0.12
"""Part of the pictures of which a grid beside their boards is taken too."""

AROUND = 3
"""Number of rows and columns around a board that are kept with it."""

SHIFTED, STRETCHED = 0.07, 0.10
"""Part of the examples whose grid lies between the cells, and of those whose grid has another pitch."""

SHIFTS = (7, 17)
"""Range of the pixels, of CELL_SIDE, by which a grid that lies between the cells is off."""

FACTORS = (0.5, 2.0, 1.5, 0.75, 2 / 3, 4 / 3, 3.0, 1 / 3)
"""By how much too large the cells of a grid with another pitch are."""

JITTER = 0.8
"""Standard deviation of how far a grid that fits is off, in pixels of CELL_SIDE."""

MAX_JITTER = 2

MAX_LOOKS, MAX_CELLS = 150, 420
"""Maximum number of looks with other pixels and of cells in an example: larger boards are cut."""

ALONE = 0.5
"""Part of the examples without anything around the board: so the reader reads it once it knows how far it
reaches."""

JOINED_ALONE, JOINED_AROUND = 0.95, 0.15
"""Part of these, and of the others, in which the looks of a board are joined that are the same but for noise,
as the reader does then."""

RESCALED, SCALES, OTHER_SCALE, MOST_OTHER = 0.18, (0.55, 1.7), 0.25, 0.06
"""Part of the examples that are scaled as a whole, by how much, and part of those that are scaled down the
page by up to the last part more, or less, than across."""

FILTERS = (cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_LANCZOS4, cv2.INTER_AREA, cv2.INTER_NEAREST)
"""How examples are scaled; the last but one only to smaller ones, the last one only to larger ones."""

PHOTOGRAPHED, QUALITIES = 0.3, (50, 96)
"""Part of the scaled examples that are kept as photographs are (JPEG), and range of the quality of these."""

POINTER, HIDDEN_PART, TOUCHED_PART = 0.2, 0.07, 0.01
"""Part of the examples with a mouse pointer on them; a cell of whose middle it hides more than the second
part cannot be read, and one of which it hides more than the third is not asked for."""

CROPPED, CUTS, SLIGHT_CUT, MAX_CUT = 0.25, (-0.4, 0.45), 0.05, 0.25
"""Part of the examples that the edge of the picture crops; range of what it takes of the outer cells, and the
standard deviation of that where it is about nothing; and the most that it may take of a cell that is asked
for."""

SIDES = ("top", "bottom", "left", "right")

IGNORED = -1
"""The label of cells that are not asked for."""


@dataclass(frozen=True)
class KnownBoard:
    """A board and AROUND cells on each side, as examples are cut from it: each look is kept once."""

    cells: Cells
    """Its different looks."""
    looks: npt.NDArray[np.int16]
    """Which of them each cell has, (rows + 2 * AROUND, columns + 2 * AROUND)."""
    labels: Labels
    """What each cell is, of the same shape."""

    @property
    def canvas(self) -> Image:
        """Its pixels, see `cell_canvas`."""
        rows, columns = self.looks.shape
        inside = self.cells[self.looks].swapaxes(1, 2).reshape(rows * CELL_SIDE, columns * CELL_SIDE, 3)
        edges = (MARGIN,) * 4
        return np.asarray(cv2.copyMakeBorder(inside, *edges, cv2.BORDER_REPLICATE), np.uint8)


@dataclass(frozen=True)
class Example:
    """A part of a picture, as the network takes it."""

    windows: Windows
    """The different looks of its cells, (looks, WINDOW_SIDE, WINDOW_SIDE, 3)."""
    looks: Looks
    """Which of them each cell has, (rows, columns)."""
    labels: Labels
    """What each cell is: a code of `Cell`, NOT_A_CELL or IGNORED; (rows, columns)."""


def known_boards(path: Path) -> list[KnownBoard]:
    """The boards of the labelled picture at a path, and now and then a grid beside them that is none."""
    sample = read_sample(path)
    boards = [known_board(sample.image, one) for one in sample.boards]
    rng = np.random.default_rng(zlib.crc32(path.stem.encode()))
    beside = beside_board(rng, sample) if rng.random() < BESIDE else None
    return boards if beside is None else [*boards, no_board(sample.image, beside)]


def drawn_no_boards(count: int, seed: int) -> list[KnownBoard]:
    """Drawn grids that are no boards."""
    rng = np.random.default_rng([seed, 77])
    return [no_board(*drawn_grid(rng)) for _ in range(count)]


def is_learned(kind: str) -> bool:
    """Whether the network may learn from a kind of pictures without a board; the others only judge it."""
    return zlib.crc32(kind.encode()) % 2 == 0


def found_no_boards(kind: str, seed: int) -> list[KnownBoard]:
    """What the search for grids finds in a picture without a board."""
    image = picture_without_board(kind, seed).image
    found = {one.grid: None for batch in grid_batches(image) for one in batch}
    return [no_board(image, grid) for grid in [*found][:MAX_FOUND]]


def no_board(image: Image, grid: Grid) -> KnownBoard:
    """A grid that is no board."""
    wider = extended(grid, AROUND)
    return _kept(cell_canvas(image, wider), np.full(wider.shape, NOT_A_CELL, np.int64))


def known_board(image: Image, one: LabelledBoard) -> KnownBoard:
    """One board of a picture."""
    labels = np.full((one.board.rows + 2 * AROUND, one.board.columns + 2 * AROUND), NOT_A_CELL, np.int64)
    labels[AROUND:-AROUND, AROUND:-AROUND] = one.board.codes
    return _kept(cell_canvas(image, extended(one.grid, AROUND)), labels)


def _kept(canvas: Image, labels: Labels) -> KnownBoard:
    windows = windows_of(canvas)
    looks, first = distinct(windows)
    cells = windows.reshape(-1, *windows.shape[2:])[first][:, INNER, INNER]
    return KnownBoard(np.ascontiguousarray(cells), looks.astype(np.int16), labels)


def example_of(rng: Rng, known: KnownBoard) -> Example:
    """A random example of a board."""
    labels = known.labels
    canvas = redrawn(rng, known.canvas, labels)
    if rng.random() < POINTER:
        canvas, labels = _with_pointer(rng, canvas, labels)
    cropped: frozenset[str] = frozenset()
    if rng.random() < CROPPED:
        canvas, labels, cropped = _cropped(rng, canvas, labels)
    if rng.random() < RESCALED:
        canvas = _rescaled(rng, canvas, labels.shape)
    kind = rng.random()
    if kind < STRETCHED:
        canvas, labels = _stretched(rng, canvas)
        dx, dy = (int(one) for one in rng.integers(0, CELL_SIDE, 2))
    elif kind < STRETCHED + SHIFTED:
        dx, dy = _shift(rng)
        labels = np.full_like(labels, NOT_A_CELL)
    else:
        dx, dy = (int(np.clip(round(rng.normal(0, JITTER)), -MAX_JITTER, MAX_JITTER)) for _ in range(2))
    is_alone = rng.random() < ALONE
    rows, columns = _part(rng, labels.shape, frozenset(SIDES) if is_alone else cropped)
    example = _cut(rng, canvas, labels, (dx, dy), rows, columns)
    if rng.random() >= (JOINED_ALONE if is_alone else JOINED_AROUND):
        return example
    return Example(*_joined(example.windows, example.looks, example.labels != NOT_A_CELL), example.labels)


def _rescaled(rng: Rng, canvas: Image, shape: tuple[int, ...]) -> Image:
    """The canvas of the same board in a picture that was scaled: hardly two cells keep the same pixels."""
    across = rng.uniform(*SCALES)
    down = across * (rng.uniform(1 - MOST_OTHER, 1 + MOST_OTHER) if rng.random() < OTHER_SCALE else 1)
    ways = FILTERS[:-1] if across < 1 else (*FILTERS[:-2], FILTERS[-1])
    scaled = cv2.resize(canvas, None, fx=across, fy=down, interpolation=ways[rng.integers(len(ways))])
    if rng.random() < PHOTOGRAPHED:
        kept = cv2.imencode(".jpg", scaled, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*QUALITIES))])[1]
        scaled = np.asarray(cv2.imdecode(kept, cv2.IMREAD_COLOR))
    place, side = (MARGIN * across, MARGIN * down), (CELL_SIDE * across, CELL_SIDE * down)
    rows, columns = shape
    return cell_canvas(np.asarray(scaled, np.uint8), Grid(*place, *side, columns, rows))


def _cropped(rng: Rng, canvas: Image, labels: Labels) -> tuple[Image, Labels, frozenset[str]]:
    """The canvas as if the picture ended at the edge of the board, or a little inside or outside it; and the
    sides on which it does."""
    canvas, labels = canvas.copy(), labels.copy()
    sides = frozenset(side for side in SIDES if rng.random() < 0.5)
    for side in sides:
        # The lines of pixels and of cells, the outermost first.
        lines, cells = _from_side(canvas, side), _from_side(labels, side)
        inside = rng.normal(0, SLIGHT_CUT) if rng.random() < 0.5 else rng.uniform(*CUTS)
        cut = round(MARGIN + (AROUND + inside) * CELL_SIDE)
        lines[:cut] = lines[cut]
        if inside > MAX_CUT:
            cells[AROUND][cells[AROUND] != NOT_A_CELL] = IGNORED
    return canvas, labels, sides


def _from_side(values: npt.NDArray[Pixel], side: str) -> npt.NDArray[Pixel]:
    """A view of rows and columns whose first line is the outermost one of a side."""
    lines = values if side in ("top", "bottom") else values.swapaxes(0, 1)
    return lines if side in ("top", "left") else lines[::-1]


def _shift(rng: Rng) -> tuple[int, int]:
    """How far a grid is off that lies between the cells, in at least one direction."""
    dx, dy = (int(one) for one in rng.integers(SHIFTS[0], SHIFTS[1] + 1, 2))
    direction = rng.random()
    return (dx, 0) if direction < 0.3 else (0, dy) if direction < 0.6 else (dx, dy)


def _stretched(rng: Rng, canvas: Image) -> tuple[Image, Labels]:
    """The canvas for a grid of another pitch, in one direction or in both."""
    factor = 1 / float(rng.choice(FACTORS))
    other = factor if rng.random() < 0.5 else 1.0
    across, down = (factor, other) if rng.random() < 0.5 else (other, factor)
    method = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    scaled = np.asarray(cv2.resize(canvas, None, fx=across, fy=down, interpolation=method), np.uint8)
    rows, columns = ((side - 2 * MARGIN) // CELL_SIDE for side in scaled.shape[:2])
    if min(rows, columns) < 4:
        scaled = np.tile(scaled, (3, 3, 1))
        rows, columns = ((side - 2 * MARGIN) // CELL_SIDE for side in scaled.shape[:2])
    return scaled, np.full((rows, columns), NOT_A_CELL, np.int64)


def _part(rng: Rng, shape: tuple[int, ...], bare: frozenset[str]) -> tuple[slice, slice]:
    """Which rows and columns of a board with AROUND are in an example, none beyond its `bare` sides, as where
    the picture ends; the last ones are kept for shifts."""
    sides = []
    for count, (first_side, last_side) in zip(shape, (("top", "bottom"), ("left", "right")), strict=True):
        before, after = (
            0 if side in bare or rng.random() < 0.3 else int(rng.integers(1, AROUND + 1))
            for side in (first_side, last_side)
        )
        last = count - AROUND + after - (after == AROUND)
        sides.append([min(AROUND - before, count - 5), max(last, 4)])
    while np.prod([last - first for first, last in sides]) > MAX_CELLS:
        side = max(sides, key=lambda one: one[1] - one[0])
        shorter = int(rng.integers(1, 6))
        if rng.random() < 0.5:
            side[0] += shorter
        else:
            side[1] -= shorter
    (top, bottom), (left, right) = sides
    return slice(top, bottom), slice(left, right)


def _cut(
    rng: Rng, canvas: Image, labels: Labels, offset: tuple[int, int], rows: slice, columns: slice
) -> Example:
    """The example of some rows and columns, with a grid that is off to the right and down by an offset."""
    dx, dy = offset
    height, width = canvas.shape[:2]
    y = np.clip(np.arange(height) + dy, 0, height - 1) if dy else slice(None)
    x = np.clip(np.arange(width) + dx, 0, width - 1) if dx else slice(None)
    windows = windows_of(canvas[y][:, x])[rows, columns]
    labels = labels[rows, columns]
    looks, first = distinct(windows)
    while len(first) > MAX_LOOKS:
        # Noise makes all cells different: a smaller part is as good.
        axis = int(np.argmax(labels.shape))
        middle = labels.shape[axis] * 2 // 3
        half = slice(None, middle) if rng.random() < 0.5 else slice(-middle, None)
        chosen = (half, slice(None)) if axis == 0 else (slice(None), half)
        windows, labels = windows[chosen], labels[chosen]
        looks, first = distinct(windows)
    return Example(windows.reshape(-1, *windows.shape[2:])[first], looks, labels)


def _joined(windows: Windows, looks: Looks, is_cell: npt.NDArray[np.bool_]) -> tuple[Windows, Looks]:
    """The windows of looks, (looks, side, side, 3), and which each cell has, (rows, columns), with those that
    are the same but for noise joined, where the cells are cells of a board."""
    left, looks = joined_looks(looks, is_cell, lambda own: middles_of(windows[own]))
    return windows[left], looks


def _with_pointer(rng: Rng, canvas: Image, labels: Labels) -> tuple[Image, Labels]:
    """The canvas with an arrow on it, and the labels without the cells that it hides."""
    height, width = canvas.shape[:2]
    size = rng.uniform(0.5, 1.6) * CELL_SIDE
    arrow = (
        np.array([(0, 0), (0, 1), (0.23, 0.78), (0.4, 1.15), (0.55, 1.08), (0.38, 0.72), (0.7, 0.7)]) * size
    )
    at = rng.uniform((0, 0), (width, height))
    points = np.round((arrow + at) * 16).astype(np.int32)
    canvas = canvas.copy()
    dark, light = (int(rng.integers(0, 40)), int(rng.integers(215, 256)))
    fill, line = (light, dark) if rng.random() < 0.7 else (dark, light)
    cv2.fillPoly(canvas, [points], (fill,) * 3, cv2.LINE_AA, 4)
    cv2.polylines(canvas, [points], True, (line,) * 3, 1, cv2.LINE_AA, 4)
    hidden = np.zeros((height, width), np.uint8)
    cv2.fillPoly(hidden, [points], 1, cv2.LINE_8, 4)
    inner = hidden[MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(len(labels), CELL_SIDE, -1, CELL_SIDE)
    middle = slice(3, CELL_SIDE - 3)
    part = inner[:, middle, :, middle].mean(axis=(1, 3))
    touched = inner.mean(axis=(1, 3)) > TOUCHED_PART
    return canvas, np.where(part > HIDDEN_PART, NOT_A_CELL, np.where(touched, IGNORED, labels))


def plain_example(known: KnownBoard) -> tuple[Windows, Looks, Codes]:
    """The board alone, unchanged: windows of its looks, which look each cell has, and its codes."""
    inside = slice(AROUND, -AROUND)
    windows = windows_of(known.canvas)[inside, inside]
    looks, first = distinct(windows)
    codes = known.labels[inside, inside].astype(np.int8)
    pixels, looks = _joined(windows.reshape(-1, *windows.shape[2:])[first], looks, codes >= 0)
    return pixels, looks, codes
