"""The mine counter beside a board: which reader reads it is chosen here."""

from __future__ import annotations

from typing import Protocol

from bot.board import Board
from bot.vision.grid import Grid, Image
from bot.vision.header.digit_counter import DigitCounterReader
from bot.vision.header.seven_segment import SevenSegmentReader
from bot.vision.header.text_counter import TextCounterReader
from bot.vision.themes.skin import Skin


class CounterReader(Protocol):
    """Reads the mine counter of one grid."""

    def read(self, image: Image, board: Board) -> int | None:
        """The mines left that an image (height, width, 3) shows beside this board; None if not recognised."""
        ...


class NoCounter:
    """The reader of a game that shows no counter."""

    def read(self, image: Image, board: Board) -> int | None:
        """Nothing to read."""
        return None


def counter_reader(skin: Skin | None, grid: Grid) -> CounterReader:
    """The reader of the counter beside a grid. A skin that is not known may have a seven-segment display."""
    if skin is None:
        return SevenSegmentReader(grid)
    if skin.text_counter is not None:
        return TextCounterReader(skin, grid, skin.text_counter)
    if skin.counter is None:
        return NoCounter()
    if not skin.glyph_set_for(grid.cell_width).digits:
        return SevenSegmentReader(grid)
    return DigitCounterReader(skin, grid, skin.counter)
