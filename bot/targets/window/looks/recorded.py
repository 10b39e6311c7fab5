"""Reads the recorded pictures of a window whose game no theme knows."""

from __future__ import annotations

import time

from bot.board import Cell
from bot.targets.window.looks.memory import Looks
from bot.targets.window.looks.reader import LooksReader
from bot.targets.window.looks.rest import AT_REST_S
from bot.vision.grid import Grid, Image
from bot.vision.reading import Reading


class RecordedLooksReader:
    """Reads picture after picture, (height, width, 3), of one grid.

    What was recorded was at rest, mostly: a look that is not kept with the recording, as of cells that were
    larger before a page was zoomed, is read as it was then, by the general reader.
    """

    by_likeness = False
    """The looks that were met are in the recording."""

    def __init__(self, grid: Grid, looks: Looks | None = None) -> None:
        """`looks`: those that are in the recording."""
        self._reader = LooksReader(grid, looks)

    def read(self, image: Image, *, header: bool = False) -> Reading:
        """Read every cell; with `header`, also those whose looks are new, `AT_REST_S` later."""
        reading = self._reader.read(image, header=header)
        if header and reading.board.count(Cell.UNREAD):
            time.sleep(AT_REST_S)
            reading = self._reader.read(image, header=True)
        return reading
