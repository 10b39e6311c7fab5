"""The rules that every board keeps, and how many of them one breaks."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from bot.board import Cell

Codes = npt.NDArray[np.int8]


def violation_count(codes: Codes) -> int:
    """How many rules a board breaks."""
    return int(rule_violations(codes).sum())


def rule_violations(codes: Codes) -> npt.NDArray[np.int_]:
    """How many rules are broken at each cell."""
    # Looked up, not compared: this is asked for some hundred times for each board.
    numbers = (codes >= 1) & (codes <= 8)
    around, surely = _beside(_ROOM[codes]), _beside(_SURE[codes])
    few = np.maximum(codes - around, 0)
    many = np.maximum(surely - codes, 0)
    zeros = (codes == 0) & (_beside(_FILLED[codes]) > 0)
    faults: npt.NDArray[np.int_] = (few + many) * numbers + zeros.astype(np.int_)
    return faults


def _marked(*cells: Cell) -> npt.NDArray[np.uint8]:
    """1 at the codes of some cells, 0 at those of others."""
    return np.isin(np.arange(16), cells).astype(np.uint8)


_UNOPENED = Cell.COVERED, Cell.FLAG, Cell.QUESTION
_SURE = _marked(Cell.FLAG, Cell.MINE, Cell.EXPLODED)
_ROOM = _marked(*_UNOPENED, Cell.MINE, Cell.EXPLODED, Cell.UNREAD)
_FILLED = _marked(*_UNOPENED, Cell.MINE, Cell.EXPLODED)


def _beside(marks: npt.NDArray[np.uint8]) -> npt.NDArray[np.int16]:
    """How many of the cells around each are marked: as `neighbour_sums`, which is slow for so many calls."""
    sums = cv2.boxFilter(marks, cv2.CV_16S, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(sums, np.int16) - marks
