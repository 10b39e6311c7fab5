"""Reads what stands beside the cells of a board: the face and the mine counter."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell
from bot.geometry import Rect
from bot.vision.grid import Grid, Image, round_half_up
from bot.vision.header.seven_segment import read_seven_segment
from bot.vision.header.text_counter import read_text_counter
from bot.vision.themes.skin import GlyphSet, Skin

Floats = npt.NDArray[np.float32]

HEADER_LIMIT = 14.0
"""The largest root mean square difference at which a face or a digit is still that one."""

SCALED_HEADER_LIMIT = 60.0
"""The same where it had to be scaled: half a pixel off, a thin line differs as much."""

HEADER_NEARER = 0.7
"""How much nearer than to each other one a face or a digit must be, where the two differ."""

OTHERWISE = 30
"""Two pictures differ where a colour (0 to 255) is so far apart."""

NO_DIGIT = ""
"""What is said to stand where no digit is lit."""


class HeaderReader:
    """The face and the counter of one grid in one skin. Pictures are (height, width, 3)."""

    def __init__(self, skin: Skin, grid: Grid, cut: GlyphSet) -> None:
        self._skin = skin
        self._grid = grid
        self._cut = cut
        self._digits = _with_none(cut.digits)
        self._brought: dict[tuple[tuple[str, ...], int, int], Floats] = {}
        """Pictures brought to a size, each in a row: by their names, width and height."""

    def face_rect(self) -> Rect | None:
        """Where the face lies in the picture; None where the skin has none."""
        face = self._skin.face
        return None if face is None else face.rect(self._grid, self._skin.scale_of(self._grid))

    def face(self, image: Image) -> str | None:
        """The mood of the face, found near its place; None where it is not made out."""
        rect = self.face_rect()
        return None if rect is None else self._best(image, rect, self._cut.faces)

    def counter(self, image: Image, board: Board) -> int | None:
        """The mines left as the window shows them; None where it does not, or it is not made out. What is
        written there must have the flags of the board."""
        return self._written(image, board) if self._skin.text_counter is not None else self._displayed(image)

    def _displayed(self, image: Image) -> int | None:
        """The number on the mine counter; None where a digit is not made out."""
        spec = self._skin.counter
        if spec is None:
            return None
        if not self._cut.digits:  # seven bars a digit, whatever they look like
            return read_seven_segment(image, self._grid)
        scale = self._skin.scale_of(self._grid)
        edge = self._grid.x + (self._grid.columns * self._grid.cell_width if spec.anchor == "right" else 0)
        width, height = round(spec.digit[0] * scale), round(spec.digit[1] * scale)

        def digit(index: int) -> str | None:
            x = round_half_up(edge + (spec.x + index * spec.pitch) * scale)
            place = Rect(x, round_half_up(self._grid.y - spec.above * scale), width, height)
            return self._best(image, place, self._digits) or None

        # A larger counter, for a thousand mines and more, has one more digit at its free end.
        if digit(spec.count if spec.anchor == "left" else -1) is not None:
            return None
        text = ""
        for index in range(spec.count):
            shown = digit(index)
            if shown is None:
                return None
            text += shown
        try:
            return int(text)
        except ValueError:  # "0-1", or a dash alone
            return None

    def _written(self, image: Image, board: Board) -> int | None:
        """The mines left by a counter that is written: None where its flags are not those of the board, or
        where it is not quite clear and not the usual number."""
        spec = self._skin.text_counter
        assert spec is not None
        place = spec.rect(self._grid, self._skin.scale_of(self._grid))
        told = read_text_counter(image, place, spec.background.bgr)
        if told is None or told.flags != board.count(Cell.FLAG) or not 0 < told.mines < board.codes.size:
            return None
        usual = told.mines == self._skin.usual_mines(board.columns, board.rows)
        return told.mines - told.flags if told.sure or usual else None

    def _best(self, image: Image, rect: Rect, pictures: dict[str, Image]) -> str | None:
        """Which of some pictures lies there, give or take two pixels; None where none clearly does.

        At a size that was cut they fit to the pixel; at others they are scaled, and their places rounded.
        """
        exact = self._cut.cell[0] == self._grid.cell_width
        limit, sizes = (HEADER_LIMIT, (0,)) if exact else (SCALED_HEADER_LIMIT, (-1, 0, 1))
        around = Rect(rect.x - 2, rect.y - 2, rect.width + 4, rect.height + 4)
        inside = around.clipped(Rect(0, 0, image.shape[1], image.shape[0]))
        part = image[inside.y : inside.bottom, inside.x : inside.right]
        if not pictures or part.shape[0] <= rect.height or part.shape[1] <= rect.width:
            return None
        fits = [self._fit(part, rect.width + more, rect.height + more, pictures) for more in sizes]
        fit = min((fit for fit in fits if fit is not None), key=lambda fit: fit.distance)
        return list(pictures)[fit.index] if fit.distance <= limit and fit.is_clear() else None

    def _fit(self, part: Image, width: int, height: int, pictures: dict[str, Image]) -> _Fit | None:
        """Which of some pictures, brought to a size, fits best anywhere in a part of the picture; None where
        that is smaller."""
        if part.shape[0] < height or part.shape[1] < width:
            return None
        key = tuple(pictures), width, height
        if key not in self._brought:
            brought = [_scaled(picture, width, height).ravel() for picture in pictures.values()]
            self._brought[key] = np.stack(brought).astype(np.float32)
        glyphs = self._brought[key]
        places = np.lib.stride_tricks.sliding_window_view(part, (height, width, 3))
        looks = places.reshape(-1, height * width * 3).astype(np.float32)
        # The templates of OpenCV take a tenth of a millisecond each, whatever their size.
        squares, at = cv2.batchDistance(glyphs, looks, cv2.CV_32F, normType=cv2.NORM_L2SQR, K=1)
        index = int(np.argmin(squares[:, 0]))
        distance = float(np.sqrt(squares[index, 0] / looks.shape[1]))
        return _Fit(distance, index, looks[at[index, 0]], glyphs)


@dataclass(frozen=True)
class _Fit:
    """One of some glyphs, where it fits best."""

    distance: float
    """The root mean square difference."""
    index: int
    look: Floats
    """What is seen there: shape (values,)."""
    glyphs: Floats
    """All of them at that size: (glyphs, values)."""

    def is_clear(self) -> bool:
        """Whether what is seen is nearer to this glyph than to each other one where the two differ: elsewhere
        scaling puts both equally wrong."""
        own = self.glyphs[self.index]
        for other in self.glyphs:
            apart = np.abs(own - other) > OTHERWISE
            to_own, to_other = (float(np.square(self.look - glyph)[apart].sum()) for glyph in (own, other))
            if to_own > HEADER_NEARER**2 * to_other:
                return False
        return True


def _scaled(picture: Image, width: int, height: int) -> Image:
    if picture.shape[:2] == (height, width):
        return picture
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _with_none(digits: dict[str, Image]) -> dict[str, Image]:
    """The pictures of digits, and of the plain ground of a display where none is lit."""
    if not digits:
        return digits
    first = next(iter(digits.values()))
    ground = np.median(np.concatenate([picture.reshape(-1, 3) for picture in digits.values()]), axis=0)
    return digits | {NO_DIGIT: np.full_like(first, ground.astype(np.uint8))}
