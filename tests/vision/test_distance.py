"""The distances of cells from others."""

from __future__ import annotations

import numpy as np
import pytest

from bot.vision.cells.distance import SORTED_AT_ONCE, byte_differences, distances


@pytest.mark.parametrize("count", [1, 5, SORTED_AT_ONCE, SORTED_AT_ONCE + 1, 3 * SORTED_AT_ONCE - 1])
def test_distances_are_mean_differences_in_the_order_of_what_was_asked_for(count: int) -> None:
    rng = np.random.default_rng(1)
    cells, others = (rng.integers(0, 256, (some, 75), dtype=np.uint8) for some in (9, count))
    expected = np.abs(cells[:, None].astype(int) - others).mean(axis=2)
    assert np.allclose(distances(cells, others), expected, atol=1e-4)


def test_bytes_that_are_smaller_are_no_farther_apart() -> None:
    one, other = np.array([[3, 250]], np.uint8), np.array([[250, 3]], np.uint8)
    assert byte_differences(one, other).tolist() == byte_differences(other, one).tolist() == [[247, 247]]
