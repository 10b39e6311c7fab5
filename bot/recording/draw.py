"""A frame with what was read and decided drawn over it, for people."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from bot.board import Board, Cell, Coordinate
from bot.errors import UsageError
from bot.recording.format import BoardEvent, DecisionEvent, FrameEvent
from bot.recording.read import Recording
from bot.vision.grid import Grid, Image

Colour = tuple[int, int, int]
"""Blue, green, red."""

_SAFE: Colour = (40, 170, 40)
_MINE: Colour = (40, 40, 220)
_GUESS: Colour = (0, 140, 255)
_UNREAD: Colour = (220, 0, 220)
_TEXT: Colour = (245, 245, 245)
_PAPER: Colour = (45, 40, 36)
_FONT = cv2.FONT_HERSHEY_SIMPLEX

_CELL = 44
"""Pixels that a cell is enlarged to at least, so that `100` fits in it twice."""

_MARK: Colour = (200, 80, 0)

_LARGEST = 8
"""Times that a frame is enlarged at most."""


@dataclass(frozen=True)
class Shown:
    """All that is recorded about one frame."""

    number: int
    frame: FrameEvent
    board: BoardEvent | None
    """Its reading, the last before the decision; None where it was not read."""
    decision: DecisionEvent | None
    """What was decided on that reading; None where nothing was."""


def shown(recording: Recording, number: int) -> Shown:
    """Frame `number`, from 0, with its reading and decision; raises UsageError where there is none."""
    frames = [place for place, event in enumerate(recording.events) if isinstance(event, FrameEvent)]
    if not 0 <= number < len(frames):
        there = f"use 0 to {len(frames) - 1}" if frames else "it has none"
        raise UsageError(f"{recording.folder}: there is no frame {number}: {there}")
    frame = recording.events[frames[number]]
    assert isinstance(frame, FrameEvent)
    board: BoardEvent | None = None
    for event in recording.events[frames[number] + 1 :]:
        if isinstance(event, BoardEvent):
            if event.frame != frame.frame:
                break
            board = event
        elif isinstance(event, DecisionEvent) and board is not None:
            return Shown(number, frame, board, event)
        elif isinstance(event, FrameEvent) and event.shown != frame.shown:
            break
    return Shown(number, frame, board, None)


def draw(
    image: Image,
    grid: Grid,
    board: Board | None,
    *,
    safe: tuple[Coordinate, ...] = (),
    mines: tuple[Coordinate, ...] = (),
    guess: bool = False,
    chances: Mapping[Coordinate, float] | None = None,
    clicked: Sequence[Coordinate] = (),
    caption: tuple[str, ...] = (),
    scale: float | None = None,
    caption_lines: int | None = None,
) -> Image:
    """A picture with a board drawn over it.

    It is enlarged `scale` times, by default by a whole number where its cells are small. Each opened cell has
    its reading in its corner; cells to open have a green frame (orange for a guess), mines a red one, and
    covered cells the chance of a mine in percent. Cells in `clicked` have a blue ring. The caption stands
    below, on so many lines as it takes or, if that is given, on `caption_lines`.
    """
    factor = _factor(grid) if scale is None else scale
    canvas = enlarged(image, factor)
    if board is not None:
        _draw_board(canvas, grid, factor, board)
    for cells, colour in ((mines, _MINE), (safe, _GUESS if guess else _SAFE)):
        for cell in cells:
            _outline(canvas, grid, factor, cell, colour)
    for cell, chance in (chances or {}).items():
        if board is None or board[cell] > 8:
            _draw_chance(canvas, grid, factor, cell, chance)
    for cell in clicked:
        left, top, right, bottom = _corners(grid, factor, cell)
        radius = max(3, (bottom - top) // 4)
        cv2.circle(canvas, ((left + right) // 2, (top + bottom) // 2), radius, _MARK, 2, cv2.LINE_AA)
    return _with_caption(canvas, caption, caption_lines)


def draw_boards(image: Image, boards: Sequence[tuple[Grid, Board]], caption: tuple[str, ...]) -> Image:
    """A picture with the readings of all of its boards drawn over it as `draw` does, the caption below."""
    factor = max(_factor(grid) for grid, _ in boards)
    canvas = enlarged(image, factor)
    for grid, board in boards:
        _draw_board(canvas, grid, factor, board)
    return _with_caption(canvas, caption)


def _factor(grid: Grid) -> int:
    """How many times a picture with cells of this size is enlarged."""
    return int(min(_LARGEST, max(1, np.ceil(_CELL / min(grid.cell_width, grid.cell_height)))))


def enlarged(image: Image, factor: float) -> Image:
    """A picture that is `factor` times as wide and high; where that is a whole number, each pixel stays a
    sharp square."""
    if float(factor).is_integer():
        larger: Image = np.repeat(np.repeat(image, int(factor), axis=0), int(factor), axis=1)
        return larger
    size = max(1, round(image.shape[1] * factor)), max(1, round(image.shape[0] * factor))
    smoothed = cv2.resize(image, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
    return np.asarray(smoothed, np.uint8)


def _draw_board(canvas: Image, grid: Grid, factor: float, board: Board) -> None:
    for row in range(board.rows):
        for column in range(board.columns):
            _draw_reading(canvas, grid, factor, (row, column), board)


def _corners(grid: Grid, factor: float, cell: Coordinate) -> tuple[int, int, int, int]:
    rect = grid.cell_rect(*cell)
    left, top, right, bottom = (round(edge * factor) for edge in (rect.x, rect.y, rect.right, rect.bottom))
    return left, top, right - 1, bottom - 1


def _draw_reading(canvas: Image, grid: Grid, factor: float, cell: Coordinate, board: Board) -> None:
    """The letter of the cell in its top left corner; nothing where it is covered, which is most of them."""
    code = board[cell]
    if code == Cell.COVERED:
        return
    left, top, right, bottom = _corners(grid, factor, cell)
    if code == Cell.UNREAD:
        cv2.rectangle(canvas, (left + 1, top + 1), (right - 1, bottom - 1), _UNREAD, 3)
    size = (bottom - top) / 90
    text = board.lines[cell[0]][cell[1]]
    _write(canvas, text, (left + 3, top + 4 + int(22 * size)), size, _UNREAD if code > 8 else _PAPER)


def _outline(canvas: Image, grid: Grid, factor: float, cell: Coordinate, colour: Colour) -> None:
    left, top, right, bottom = _corners(grid, factor, cell)
    width = max(2, (bottom - top) // 16)
    inset = width // 2 + 1
    cv2.rectangle(canvas, (left + inset, top + inset), (right - inset, bottom - inset), colour, width)


def _draw_chance(canvas: Image, grid: Grid, factor: float, cell: Coordinate, chance: float) -> None:
    """The chance in percent, in the middle, on a plate from green to red."""
    left, top, right, bottom = _corners(grid, factor, cell)
    text = f"{100 * chance:.0f}"
    size = (bottom - top) / 85
    (width, height), _ = cv2.getTextSize(text, _FONT, size, 1)
    x, y = (left + right - width) // 2, (top + bottom + height) // 2
    plate = (0, int(150 * (1 - chance)), int(60 + 160 * chance))
    cv2.rectangle(canvas, (x - 3, y - height - 4), (x + width + 3, y + 4), plate, cv2.FILLED)
    _write(canvas, text, (x, y), size, _TEXT, halo=False)


def _write(
    canvas: Image, text: str, at: tuple[int, int], size: float, colour: Colour, *, halo: bool = True
) -> None:
    if halo:
        cv2.putText(canvas, text, at, _FONT, size, _TEXT, 3, cv2.LINE_AA)
    cv2.putText(canvas, text, at, _FONT, size, colour, 1, cv2.LINE_AA)


def _with_caption(canvas: Image, caption: tuple[str, ...], count: int | None = None) -> Image:
    """The lines below the picture, wrapped to its width; with `count`, on so many lines, what does not fit is
    left out. OpenCV draws ASCII only."""
    if not caption:
        return canvas
    size, pitch, margin = 0.5, 20, 8
    letter = cv2.getTextSize("n" * 50, _FONT, size, 1)[0][0] / 50
    letters = max(12, int((canvas.shape[1] - 2 * margin) / letter))
    plain = [text.encode("ascii", "replace").decode() for text in caption]
    lines = [line for text in plain for line in textwrap.wrap(text, letters)]
    if count is not None:
        lines = lines[:count] + [""] * (count - len(lines))
    strip = np.full((pitch * len(lines) + 2 * margin, canvas.shape[1], 3), _PAPER, dtype=np.uint8)
    for number, line in enumerate(lines):
        _write(strip, line, (margin, margin + pitch * number + 14), size, _TEXT, halo=False)
    return np.concatenate([canvas, strip])
