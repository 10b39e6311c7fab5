"""Statistics of small arrays of colours: what numpy's own functions give, in a tenth of their time.

Those spend it on what they do not need here: other types, other axes, values that are no numbers. Sorting
short rows that lie side by side is quick.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def median(values: npt.NDArray[Any]) -> Floats:
    """The median of every column: of (n, columns), shape (columns,); of nothing it is no number."""
    if not len(values):
        return np.full(values.shape[1], np.nan, np.float32)
    ordered = np.sort(np.ascontiguousarray(values.T, np.float32), axis=1)
    count = len(values)
    out: Floats = (ordered[:, (count - 1) // 2] + ordered[:, count // 2]) / np.float32(2)
    return out


def quantile(values: npt.NDArray[Any], part: float) -> float:
    """The value below which a part (0 to 1) of all lies, linear between two of them."""
    ordered = np.sort(values, axis=None)
    place = part * (len(ordered) - 1)
    before = int(place)
    low, high = float(ordered[before]), float(ordered[min(before + 1, len(ordered) - 1)])
    return low + (high - low) * (place - before)


def largest(colours: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The largest of the three parts of each colour: of (..., 3), shape (...)."""
    out: npt.NDArray[Any] = np.maximum(np.maximum(colours[..., 0], colours[..., 1]), colours[..., 2])
    return out
