"""Reads cells that are told by their colours: flat ground in two shades, and digits of any font.

A cell is its ground and, at most, one ink on it. Pixels at the rim of a digit are mixtures of the two, so
each pixel off the ground is held against the straight line between the ground and each ink: a digit is read
where one line explains them all. Anything else that lies over the cell, a falling tile for instance, leaves
pixels that no line explains, and the cell counts as unread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell
from bot.geometry import Rect
from bot.vision.cells import shapes
from bot.vision.grid import Grid, Image, same_pixels
from bot.vision.header.face import FaceReader
from bot.vision.reading import Reading
from bot.vision.themes.palette import Colour, Palette
from bot.vision.themes.skin import Skin

ACROSS = 20
"""So many pixels of a cell are looked at in each direction."""

INSET = 0.16
"""The part of a cell's width on each side that is not looked at: lines and outlines lie there."""

FLAT = 16.0
"""How far a pixel of the ground may be from its colour, as a distance in red, green and blue."""

OFF_LINE = 45.0
"""How far a pixel of a digit may be from the line between ground and ink."""

SMEARED = 0.3
"""Where so many of the ground's pixels around digits are not quite of its colour, the picture is a JPEG or
the like and not as a screen shows it."""

AWAY = 2
"""So many of the pixels at the rim are not part of that mean: the lines around opened ground smear too."""

BEYOND = 1.2
"""By so much the pixels of a digit may lie beyond its ink."""

QUITE = 2.5
"""How far a pixel that is quite of a colour may be from it."""

ASKEW, ASKEW_NEARER = 0.16, 0.6
"""In such a picture the mean of a cell still lies on its line: the sine of the angle by which it may be off,
and how much smaller that must be than for the next ink."""

STRAY = 0.025
"""The part of a cell's pixels that nothing needs to explain."""

LEAST_INK, MOST_INK = 0.025, 0.6
"""The part of a cell that a digit or a flag covers."""

FULL_INK = 0.6
"""From so far along the line on a pixel is ink, not rim; a digit has some of those."""

NEARER = 0.75
"""How much nearer than the next ink's line the best one must run."""

COVERED_RING = 0.9
"""Under a tutorial picture so much of the rim of the board must be seen to be covered."""

QUESTION_LIKE, QUESTION_MORE = 0.75, 0.1
"""How like a question mark, and by how much more than like a flag, something in the flags' colour is one."""

SATURATED = 60
"""The least difference of a colour's largest and smallest part where a mine is shown on it."""

_MEMORY = 20_000

Samples = np.ndarray[Any, np.dtype[np.uint8]]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class _Ground:
    code: Cell
    colour: Floats
    """Blue, green, red."""
    parity: int
    """0 where row and column together are even."""
    under: bool
    """Whether it is that of the cell under the mouse."""
    inks: tuple[tuple[int, Floats], ...]
    """What may lie on it: the code of `Cell` and the colour."""


class ColourReader:
    """Reads one grid by the colours of a skin. Pictures are (height, width, 3)."""

    def __init__(self, skin: Skin, grid: Grid) -> None:
        palette = skin.palette
        assert palette is not None, "the skin tells its cells by pictures"
        self.skin = skin
        self.grid = grid
        self.face = FaceReader(skin, grid)
        self._palette: Palette = palette
        self._grounds = grounds(palette)
        self._rows = _places(grid, across=False)
        self._columns = _places(grid, across=True)
        parity = np.add.outer(np.arange(grid.rows), np.arange(grid.columns)) % 2
        self._parity: npt.NDArray[np.int_] = parity
        """0 for a light cell, 1 for a dark one; the first cell is light unless the board is cut there."""
        self._known: dict[tuple[int, bytes], tuple[int, float, bool]] = {}
        self._samples: Samples | None = None
        self._part: Image | None = None
        self._last: Reading | None = None
        """What the picture before showed, and the pixels of its grid."""
        self._smeared = False
        self._codes = np.full((grid.rows, grid.columns), Cell.UNREAD, dtype=np.int8)
        self._under = np.zeros((grid.rows, grid.columns), dtype=bool)
        self._distances = np.zeros((grid.rows, grid.columns), dtype=np.float32)
        self.changed = 0
        """How many cells differed from the picture before, in the last `read`."""

    def read(self, image: Image, *, header: bool = False) -> Reading:
        """Read every cell. There is neither face nor counter, so `header` asks for nothing more."""
        rect = self.grid.rect.clipped(Rect(0, 0, image.shape[1], image.shape[0]))
        part = image[rect.y : rect.bottom, rect.x : rect.right]
        if self._last is not None and self._part is not None and same_pixels(part, self._part):
            self.changed = 0
            return self._last
        self._part = part.copy()
        samples = self.samples(image)
        if self._samples is None:
            changed = np.ones(self._codes.shape, dtype=bool)
        else:
            changed = np.any(samples != self._samples, axis=(2, 3))
        if self._samples is None:
            self._smeared = _is_smeared(samples)
        self._samples = samples
        where = np.argwhere(changed)
        self.changed = len(where)
        if len(self._known) > _MEMORY:
            self._known.clear()
        for row, column in where:
            parity = int(self._parity[row, column])
            key = parity, samples[row, column].tobytes()
            if key not in self._known:
                self._known[key] = self._classify(samples[row, column], parity)
            told = self._known[key]
            self._codes[row, column], self._distances[row, column], self._under[row, column] = told
        self._last = Reading(Board(self._settled(samples)), self._distances.copy())
        return self._last

    def forget(self) -> None:
        """Read the next picture from scratch."""
        self._samples = self._part = self._last = None
        self._known.clear()

    def samples(self, image: Image) -> Samples:
        """Pixels spread evenly over each cell's inside: shape (rows, columns, ACROSS², 3)."""
        height, width = image.shape[:2]
        inside_y = (self._rows >= 0) & (self._rows < height)
        inside_x = (self._columns >= 0) & (self._columns < width)
        picked = image[np.clip(self._rows, 0, height - 1)[:, None], np.clip(self._columns, 0, width - 1)]
        if not (inside_y.all() and inside_x.all()):
            picked[~inside_y] = (255, 0, 255)
            picked[:, ~inside_x] = (255, 0, 255)
        rows, columns = self.grid.rows, self.grid.columns
        tiled = picked.reshape(rows, ACROSS, columns, ACROSS, 3).transpose(0, 2, 1, 3, 4)
        return np.ascontiguousarray(tiled).reshape(rows, columns, ACROSS * ACROSS, 3)

    def _classify(self, pixels: Samples, parity: int) -> tuple[int, float, bool]:
        """The code of one cell or UNREAD, the mean distance of its pixels, whether the mouse is over it."""
        unread = int(Cell.UNREAD), 255.0, False
        values = pixels.astype(np.float32)
        possible = [ground for ground in self._grounds if ground.parity == parity]
        apart = [np.linalg.norm(values - ground.colour, axis=1) for ground in possible]
        flat = [distance <= FLAT for distance in apart]
        best = int(np.argmax([near.mean() for near in flat]))
        ground, on_ground = possible[best], flat[best]
        told = (
            _by_mean(values, ground, on_ground)
            if self._smeared
            else self._by_lines(values, ground, on_ground, apart[best])
        )
        return unread if told[0] == Cell.FLAG and _is_question(~on_ground) else told

    def _by_lines(
        self, values: Floats, ground: _Ground, on_ground: npt.NDArray[np.bool_], apart: Floats
    ) -> tuple[int, float, bool]:
        """Read a cell whose colours are those of a screen; `apart`: how far each pixel is from the ground."""
        unread = int(Cell.UNREAD), 255.0, False
        others = values[~on_ground]
        distance = float(apart[on_ground].mean()) if on_ground.any() else 255.0
        if len(others) <= STRAY * len(values):
            return int(ground.code), distance, ground.under
        if len(others) > MOST_INK * len(values):
            return unread
        ranked: list[tuple[float, int]] = []
        for code, ink in ground.inks:
            line = ink - ground.colour
            length = float(line @ line)
            along = (others - ground.colour) @ line / length
            off = np.linalg.norm(others - ground.colour - np.clip(along, 0, 1.0)[:, None] * line, axis=1)
            full = (along >= FULL_INK) & (off <= OFF_LINE)
            if (off > OFF_LINE).sum() <= STRAY * len(values) and full.sum() >= LEAST_INK * len(values):
                ranked.append((float(off.mean()), code))
        ranked.sort()
        if not ranked or (len(ranked) > 1 and ranked[0][0] > NEARER * ranked[1][0]):
            return unread
        return ranked[0][1], ranked[0][0], ground.under

    def _settled(self, samples: Samples) -> npt.NDArray[np.int8]:
        """The codes, once the cells are held against each other."""
        codes: npt.NDArray[np.int8] = self._codes.copy()
        # The mouse is over one cell. More of them in that colour are something else: tiles that fall.
        if np.count_nonzero(self._under) > 1:
            codes[self._under] = Cell.UNREAD
        unread = codes == Cell.UNREAD
        if not unread.any():
            return codes
        if self._palette.tutorial and _under_tutorial(codes):
            codes[unread] = Cell.COVERED
            return codes
        mines, washed = self._shown(samples, unread)
        # Once a game is won every cell changes its colour. Mines are shown on cells of their own colours.
        if len(mines) > len(washed):
            for cell in mines:
                codes[cell] = Cell.MINE
        return codes

    def _shown(
        self, samples: Samples, unread: npt.NDArray[np.bool_]
    ) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Of the unread cells, those of one strong colour that is no ground: with a darker disc in the
        middle, which are mines, and without."""
        known = np.stack([ground.colour for ground in self._grounds])
        corner, middle = ACROSS // 6, ACROSS // 5
        mines: list[tuple[int, int]] = []
        washed: list[tuple[int, int]] = []
        for row, column in np.argwhere(unread):
            pixels = samples[row, column].reshape(ACROSS, ACROSS, 3).astype(np.float32)
            corners = np.stack(
                [
                    np.median(part.reshape(-1, 3), axis=0)
                    for part in (
                        pixels[:corner, :corner],
                        pixels[:corner, -corner:],
                        pixels[-corner:, :corner],
                        pixels[-corner:, -corner:],
                    )
                ]
            )
            colour = np.median(corners, axis=0)
            if np.abs(corners - colour).max() > FLAT or np.ptp(colour) < SATURATED:
                continue
            if np.linalg.norm(known - colour, axis=1).min() < 2.5 * FLAT:
                continue
            half = ACROSS // 2
            inside = pixels[half - middle : half + middle, half - middle : half + middle].reshape(-1, 3)
            disc = np.median(inside, axis=0)
            darker = disc.sum() < 0.9 * colour.sum() and np.linalg.norm(disc - colour) > 2 * FLAT
            (mines if darker else washed).append((int(row), int(column)))
        return mines, washed


def grounds(palette: Palette) -> list[_Ground]:
    """Every colour that a cell's ground may have."""
    digits = tuple((int(digit), _bgr(colour)) for digit, colour in sorted(palette.digits.items()))
    found: list[_Ground] = []
    for code, ground, inks in (
        (Cell.COVERED, palette.covered, ((int(Cell.FLAG), _bgr(palette.flag)),)),
        (Cell.EMPTY, palette.opened, digits),
    ):
        for parity, under, colour in (
            (0, False, ground.light),
            (1, False, ground.dark),
            (0, True, ground.under_light),
            (1, True, ground.under_dark),
        ):
            found.append(_Ground(code, _bgr(colour), parity, under, inks))
    return found


def _is_smeared(samples: Samples) -> bool:
    """Whether the ground around digits is not flat, as it is on every screen."""
    cells = samples.reshape(-1, ACROSS * ACROSS, 3).astype(np.float32)
    cells = cells[cells.std(axis=1).max(axis=1) > 2 * QUITE]
    if not len(cells):
        return False
    apart = np.linalg.norm(cells - np.median(cells, axis=1)[:, None], axis=2)
    ground = apart <= FLAT
    return bool((ground & (apart > QUITE)).sum() > SMEARED * ground.sum())


def _by_mean(values: Floats, ground: _Ground, on_ground: npt.NDArray[np.bool_]) -> tuple[int, float, bool]:
    """Read a cell of a picture whose colours are smeared.

    Smearing moves colour from pixel to pixel and leaves the mean as it is, which lies between ground and ink.
    """
    unread = int(Cell.UNREAD), 255.0, False
    share = 1 - float(on_ground.mean())
    if share > MOST_INK:
        return unread
    flat = np.median(values[on_ground], axis=0)
    middle = values.reshape(ACROSS, ACROSS, 3)[AWAY:-AWAY, AWAY:-AWAY].reshape(-1, 3)
    mean = (middle - flat).mean(axis=0)
    length = float(np.linalg.norm(mean))
    if share <= STRAY:
        return int(ground.code), length, ground.under
    if not length:
        return unread
    farthest = np.quantile(np.linalg.norm(values[~on_ground] - flat, axis=1), 0.9)
    ranked = sorted(
        (float(np.linalg.norm(mean / length - (ink - flat) / np.linalg.norm(ink - flat))), code)
        for code, ink in ground.inks
        if np.linalg.norm(ink - flat) * BEYOND >= farthest
    )
    if not ranked:
        return unread
    off, code = ranked[0]
    if off > ASKEW or (len(ranked) > 1 and off > ASKEW_NEARER * ranked[1][0]):
        return unread
    return code, length * off, ground.under


def _is_question(drawn: npt.NDArray[np.bool_]) -> bool:
    """Whether the pixels of a cell that are not ground, (ACROSS²,), are a question mark: these games have
    none, so it is the board of another one, whose marks have the colour of its flags."""
    shape = shapes.normalised(drawn.reshape(ACROSS, ACROSS).astype(np.float32))
    if shape is None:
        return False
    like = shapes.similarities(shapes.unit_vector(shape)[None], shapes.reference_shapes())[0]
    return bool(like[Cell.QUESTION] > max(QUESTION_LIKE, like[Cell.FLAG] + QUESTION_MORE))


def _bgr(colour: Colour) -> Floats:
    return np.array(colour.bgr, dtype=np.float32)


def _places(grid: Grid, *, across: bool) -> npt.NDArray[np.intp]:
    """The pixels of the picture that are looked at, in one direction: ACROSS for each cell."""
    start, pitch, count = (
        (grid.x, grid.cell_width, grid.columns) if across else (grid.y, grid.cell_height, grid.rows)
    )
    inside = INSET + (1 - 2 * INSET) * (np.arange(ACROSS) + 0.5) / ACROSS
    places: npt.NDArray[np.intp] = (
        np.floor(start + pitch * (np.arange(count)[:, None] + inside)).ravel().astype(np.intp)
    )
    return places


def _under_tutorial(codes: npt.NDArray[np.int8]) -> bool:
    """Whether what cannot be read may lie under the picture that explains the game: nothing is opened,
    the rim is covered, and less than half is hidden."""
    known = codes[codes != Cell.UNREAD]
    if not len(known) or (known != Cell.COVERED).any() or len(known) < codes.size / 2:
        return False
    rim = np.concatenate([codes[0], codes[-1], codes[:, 0], codes[:, -1]])
    return bool((rim == Cell.COVERED).mean() >= COVERED_RING)
