"""How different cells are: the mean difference of their bytes, 0 to 255."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

CellBytes = npt.NDArray[np.uint8]
"""The pixels of cells of one size, each cell in a row: shape (cells, bytes)."""

Distances = npt.NDArray[np.float32]


SORTED_AT_ONCE = 32
"""How many others each cell is compared with in one call of OpenCV's."""


def distances(cells: CellBytes, others: CellBytes) -> Distances:
    """The distance of each cell from each of some others: shape (cells, others).

    OpenCV takes a twentieth of the time that numpy takes for the sums, but it sorts them, one by one, into a
    row that grows: of 1,440 others at once the sorting takes sixteen times as long as all else.
    """
    out: Distances = np.empty((len(cells), len(others)), np.float32)
    for first in range(0, len(others), SORTED_AT_ONCE):
        some, columns = others[first : first + SORTED_AT_ONCE], out[:, first : first + SORTED_AT_ONCE]
        sums, order = cv2.batchDistance(cells, some, cv2.CV_32S, normType=cv2.NORM_L1, K=len(some))
        np.put_along_axis(columns, np.asarray(order), np.asarray(sums, np.float32), axis=1)
    out /= np.float32(cells.shape[1])
    return out


def byte_differences(cells: CellBytes, others: CellBytes) -> CellBytes:
    """The absolute difference of each byte from another: unsigned bytes would wrap around below 0."""
    out: CellBytes = np.maximum(cells, others) - np.minimum(cells, others)
    return out
