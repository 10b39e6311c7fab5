"""Reads the cells of a known grid from pictures, quickly where little has changed.

A cell that was seen before, pixel for pixel, is looked up; only a new look is compared with the glyphs.
The nearest glyph is taken only within a limit and only where it is clearly nearer than the next one:
nearest with no limit reads a missing digit as another one and says nothing.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from bot.board import Board, Cell
from bot.geometry import Rect
from bot.vision.grid import Grid, Image
from bot.vision.reading import Reading
from bot.vision.theme import Cut, Theme

LIMIT = 12.0
"""The largest mean colour difference (0 to 255) at which a cell is still its nearest glyph."""

CLEARLY_NEARER = 0.6
"""How much nearer than the next meaning the nearest one must be."""

FACE_LIMIT = 14.0

_MEMORY = 20_000
"""So many different looks are remembered; a theme has about 20, noise must not fill the memory."""

Cells = np.ndarray[Any, np.dtype[np.uint8]]


class Reader:
    """Reads one grid with one theme. Pictures are (height, width, 3); the grid's pixels are theirs."""

    def __init__(self, theme: Theme, grid: Grid) -> None:
        self.theme = theme
        self.grid = grid
        self._cut = theme.cut_for(grid.cell_width)
        self._known: dict[bytes, tuple[int, float]] = {}
        self._flat = self._cut.glyphs.reshape(len(self._cut.codes), -1).astype(np.int16)
        self._cells: Cells | None = None
        self._codes = np.full((grid.rows, grid.columns), Cell.UNREAD, dtype=np.int8)
        self._distances = np.zeros((grid.rows, grid.columns), dtype=np.float32)
        self.changed = 0
        """How many cells differed from the picture before, in the last `read`."""

    def read(self, image: Image, *, header: bool = False) -> Reading:
        """Read every cell; with `header`, the face and the counter too."""
        cells = self._split(image)
        if self._cells is None:
            changed = np.ones(self._codes.shape, dtype=bool)
        else:
            # Eight bytes at a time: a cell of 16x16 pixels is 96 such words.
            changed = np.any(_words(cells) != _words(self._cells), axis=2)
        self._cells = cells
        where = np.argwhere(changed)
        self.changed = len(where)
        for row, column in where:
            self._codes[row, column], self._distances[row, column] = self._meaning(cells[row, column])
        board = Board(self._codes)
        if not header:
            return Reading(board, self._distances.copy())
        return Reading(board, self._distances.copy(), self.face(image), self.counter(image))

    def look(self, picture: Image) -> int:
        """The code of the one cell that a picture shows, UNREAD where it is none that is known."""
        width, height = self._cut.cell
        return self._meaning(np.ascontiguousarray(_scaled(picture, width, height)).reshape(-1))[0]

    def _meaning(self, cell: Cells) -> tuple[int, float]:
        """The code of one cell and its distance, looked up where the very same look was seen before."""
        look = cell.tobytes()
        known = self._known.get(look)
        if known is None:
            known = self._classify(cell)
            if len(self._known) < _MEMORY:
                self._known[look] = known
        return known

    def forget(self) -> None:
        """Read the next picture from scratch."""
        self._cells = None
        self._known.clear()

    def _split(self, image: Image) -> Cells:
        """The cells at the size of the glyphs: shape (rows, columns, height * width * 3)."""
        width, height = self._cut.cell
        rows, columns = self.grid.rows, self.grid.columns
        rect = self.grid.rect
        if rect.x < 0 or rect.y < 0 or rect.right > image.shape[1] or rect.bottom > image.shape[0]:
            image, rect = _padded(image, rect)
        board = image[rect.y : rect.bottom, rect.x : rect.right]
        if board.shape[:2] != (rows * height, columns * width):
            board = np.asarray(
                cv2.resize(board, (columns * width, rows * height), interpolation=cv2.INTER_AREA), np.uint8
            )
        tiled = board.reshape(rows, height, columns, width * 3).transpose(0, 2, 1, 3)
        return np.ascontiguousarray(tiled).reshape(rows, columns, height * width * 3)

    def _classify(self, cell: Cells) -> tuple[int, float]:
        """The code of one cell, or UNREAD, and its distance from the nearest glyph."""
        distances = np.abs(self._flat - cell.astype(np.int16)).mean(axis=1)
        best = int(distances.argmin())
        code, distance = int(self._cut.codes[best]), float(distances[best])
        rivals = distances[self._cut.codes != code]
        clear = not len(rivals) or distance <= CLEARLY_NEARER * float(rivals.min())
        return (code if distance <= LIMIT and clear else int(Cell.UNREAD)), distance

    def face_rect(self) -> Rect | None:
        """Where the face lies in the picture; None where the theme has none."""
        face = self.theme.spec.face
        if face is None:
            return None
        scale = self.theme.scale(self.grid.cell_width)
        width, height = round(face.size[0] * scale), round(face.size[1] * scale)
        middle = self.grid.x + self.grid.columns * self.grid.cell_width / 2
        return Rect(round(middle - width / 2), round(self.grid.y - face.above * scale), width, height)

    def face(self, image: Image) -> str | None:
        """The mood of the face, found within two pixels of its place; None where it is not made out."""
        rect = self.face_rect()
        if rect is None or not self._cut.faces:
            return None
        around = Rect(rect.x - 2, rect.y - 2, rect.width + 4, rect.height + 4)
        inside = around.clipped(Rect(0, 0, image.shape[1], image.shape[0]))
        part = image[inside.y : inside.bottom, inside.x : inside.right]
        if part.shape[0] < rect.height or part.shape[1] < rect.width:
            return None
        best, mood = FACE_LIMIT, None
        for name, picture in self._cut.faces.items():
            glyph = _scaled(picture, rect.width, rect.height)
            squares = cv2.matchTemplate(part, glyph, cv2.TM_SQDIFF).min()
            distance = float(np.sqrt(max(0.0, float(squares)) / glyph.size))
            if distance < best:
                best, mood = distance, name
        return mood

    def counter(self, image: Image) -> int | None:
        """The number on the mine counter; None where a digit is not made out."""
        spec = self.theme.spec.counter
        if spec is None or not self._cut.digits:
            return None
        scale = self.theme.scale(self.grid.cell_width)
        edge = self.grid.x + (self.grid.columns * self.grid.cell_width if spec.anchor == "right" else 0)
        text = ""
        for index in range(spec.count):
            x = round(edge + (spec.x + index * spec.pitch) * scale)
            y = round(self.grid.y - spec.above * scale)
            width, height = round(spec.digit[0] * scale), round(spec.digit[1] * scale)
            if x < 0 or y < 0:
                return None
            digit = self._digit(image[y : y + height, x : x + width])
            if digit is None:
                return None
            text += digit
        try:
            return int(text)
        except ValueError:  # "0-1", or a dash alone
            return None

    def _digit(self, picture: Image) -> str | None:
        if 0 in picture.shape:
            return None
        distances: list[tuple[float, str]] = []
        for name, glyph in self._cut.digits.items():
            same_size = _scaled(picture, glyph.shape[1], glyph.shape[0])
            distances.append((float(np.abs(same_size.astype(np.int16) - glyph).mean()), name))
        distances.sort()
        clear = len(distances) < 2 or distances[0][0] <= CLEARLY_NEARER * distances[1][0]
        return distances[0][1] if distances[0][0] <= LIMIT and clear else None

    @property
    def cut(self) -> Cut:
        """The set of glyphs that this grid is read with."""
        return self._cut


def _words(cells: Cells) -> np.ndarray[Any, Any]:
    """The same bytes, eight at a time where that divides evenly."""
    return cells.view(np.uint64) if cells.shape[2] % 8 == 0 else cells


def _scaled(picture: Image, width: int, height: int) -> Image:
    if picture.shape[:2] == (height, width):
        return picture
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _padded(image: Image, rect: Rect) -> tuple[Image, Rect]:
    """The picture with a border that no glyph looks like, so that the grid lies inside it."""
    left, top = max(0, -rect.x), max(0, -rect.y)
    right, bottom = max(0, rect.right - image.shape[1]), max(0, rect.bottom - image.shape[0])
    bordered = cv2.copyMakeBorder(image, top, bottom, left, right, cv2.BORDER_CONSTANT, value=(255, 0, 255))
    return np.asarray(bordered, np.uint8), rect.moved(left, top)
