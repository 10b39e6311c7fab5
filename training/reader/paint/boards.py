"""A whole board of one random look."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell
from training.reader.paint.colours import WHITE, Colour, Rng, digit_colours, mixed
from training.reader.paint.digits import DigitLook, digit_look
from training.reader.paint.layers import Pixels, Stamp
from training.reader.paint.marks import MarkLook, mark_look
from training.reader.paint.tiles import Tile, TileLook, tile_look, tile_pixels

Picture = npt.NDArray[np.uint8]
"""(height, width, 3), red, green, blue."""


@dataclass(frozen=True)
class PaintedBoard:
    """A board without anything around it."""

    picture: Picture
    lattice: float
    """How far right of and below the left upper corner the grid begins, in pixels."""
    tiles: TileLook
    look: dict[str, str]


def paint_board(rng: Rng, board: Board, width: int, height: int) -> PaintedBoard:
    """Draw a board in a random look; `width` and `height` of a cell are in whole pixels."""
    tiles = tile_look(rng, width, height)
    covered, opened = tiles.covered, tiles.opened
    ink_kind, inks = digit_colours(rng, opened.colours[0])
    digits = digit_look(rng, width, height, inks, opened.colours[0])
    marks = mark_look(rng, width, height, covered.colours[0], opened.colours[0], needs_sign=tiles.needs_sign)
    grounds: dict[int, Colour] = {}
    if rng.random() < 0.05:
        part = rng.uniform(0.08, 0.25)
        grounds = {digit: mixed(opened.colours[0], inks[digit - 1], part) for digit in range(1, 9)}
    painter = _Painter(tiles, digits, marks, grounds, width, height)
    rows, columns = board.rows, board.columns
    pixels = np.empty((rows * height, columns * width, 3), np.float32)
    hovered = _hovered(rng, board)
    for row, column in np.ndindex(rows, columns):
        cell = painter.cell(int(board.codes[row, column]), (row + column) % 2)
        if (row, column) == hovered:
            cell = np.clip(cell + np.float32(14), 0, 255)
        pixels[row * height : (row + 1) * height, column * width : (column + 1) * width] = cell
    look = {
        "sign": "no" if marks.sign is None else "yes",
        "font": digits.name,
        "inks": ink_kind,
        **tiles.names,
        **marks.names,
        "size": f"{width}x{height}",
    }
    if rng.random() < 0.12:
        look["gradient"] = "board"
        _shade(rng, pixels, (rows, columns))
    if rng.random() < 0.12:
        look["edges"] = "drawn"
        _draw_edges(rng, pixels, board, width, height, covered)
    picture = np.clip(pixels + 0.5, 0, 255).astype(np.uint8)
    return PaintedBoard(picture, tiles.lattice, tiles, look)


def _hovered(rng: Rng, board: Board) -> tuple[int, int] | None:
    """A covered cell over which the mouse is, at times."""
    covered = np.argwhere(board.codes == Cell.COVERED)
    if rng.random() > 0.06 or not len(covered):
        return None
    row, column = covered[rng.integers(len(covered))]
    return int(row), int(column)


class _Painter:
    """Draws cells of one look; cells that look alike are drawn once."""

    def __init__(
        self,
        tiles: TileLook,
        digits: DigitLook,
        marks: MarkLook,
        grounds: dict[int, Colour],
        width: int,
        height: int,
    ) -> None:
        self._tiles, self._digits, self._marks, self._grounds = tiles, digits, marks, grounds
        self._size = width, height
        self._drawn: dict[tuple[int, int], Pixels] = {}

    def cell(self, code: int, half: int) -> Pixels:
        """A cell of a code, on the first or second half of a checkered board."""
        if (code, half) not in self._drawn:
            tile, colour, stamp = self._parts(code)
            ground = tile_pixels(tile, *self._size, half, colour)
            self._drawn[code, half] = stamp.over(ground) if stamp is not None else ground
        return self._drawn[code, half]

    def _parts(self, code: int) -> tuple[Tile, Colour | None, Stamp | None]:
        """The tile of a code, the colour that replaces that of the tile, and the stamp on it."""
        covered, opened, marks = self._tiles.covered, self._tiles.opened, self._marks
        if code == Cell.EMPTY:
            return opened, None, None
        if code <= 8:
            return opened, self._grounds.get(code), self._digits.stamps[code - 1]
        if code == Cell.FLAG:
            return covered, marks.flag_ground, marks.flag
        if code == Cell.QUESTION:
            return covered, None, marks.question
        grounds = {
            Cell.MINE: (marks.mine_ground, marks.mine),
            Cell.EXPLODED: (marks.exploded_ground, marks.exploded),
            Cell.WRONG_FLAG: (marks.wrong_ground, marks.wrong_flag),
        }
        if Cell(code) not in grounds:
            return covered, None, marks.sign
        ground, stamp = grounds[Cell(code)]
        if isinstance(ground, tuple):
            return opened, ground, stamp
        return (covered if ground == "covered" else opened), None, stamp


def _shade(rng: Rng, pixels: Pixels, shape: tuple[int, int]) -> None:
    """Lay a slope of brightness or colour over the whole board, smooth or a step a cell; changes `pixels`."""
    high, wide = pixels.shape[:2]
    angle, depth = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.35)
    tint = (
        np.array(mixed(WHITE, tuple(rng.integers(0, 256, 3).tolist()), rng.uniform(0, 0.7)), np.float32) / 255
    )
    down, right = np.linspace(-0.5, 0.5, high), np.linspace(-0.5, 0.5, wide)
    if rng.random() < 0.4:
        rows, columns = shape
        down = np.repeat(np.linspace(-0.5, 0.5, rows), high // rows)
        right = np.repeat(np.linspace(-0.5, 0.5, columns), wide // columns)
    slope = (np.sin(angle) * down[:, None] + np.cos(angle) * right[None, :]).astype(np.float32)
    pixels *= 1 + np.float32(depth) * slope[:, :, None] * tint[None, None, :]


def _draw_edges(rng: Rng, pixels: Pixels, board: Board, width: int, height: int, covered: Tile) -> None:
    """Draw a line where opened cells meet unopened ones; changes `pixels`."""
    thick = int(rng.integers(1, max(min(width, height) // 10, 1) + 1))
    colour = np.array(mixed(covered.colours[0], (0, 0, 0), rng.uniform(0.25, 0.6)), np.float32)
    closed = np.isin(board.codes, (Cell.COVERED, Cell.FLAG, Cell.QUESTION))
    for row, column in np.argwhere(closed[:, 1:] != closed[:, :-1]):
        x = (int(column) + 1) * width
        pixels[row * height : (row + 1) * height, x - thick // 2 : x - thick // 2 + thick] = colour
    for row, column in np.argwhere(closed[1:] != closed[:-1]):
        y = (int(row) + 1) * height
        pixels[y - thick // 2 : y - thick // 2 + thick, column * width : (column + 1) * width] = colour
