"""Statistics that are quicker than numpy's give what numpy's give."""

from __future__ import annotations

import numpy as np
import pytest

from bot.vision.array_statistics import largest, median, quantile

RNG = np.random.default_rng(8)


@pytest.mark.parametrize("count", [1, 2, 5, 676])
def test_they_are_what_numpy_says(count: int) -> None:
    colours = RNG.uniform(0, 255, (count, 3)).astype(np.float32)
    assert median(colours) == pytest.approx(np.median(colours, axis=0))
    assert largest(colours) == pytest.approx(colours.max(axis=1))
    for part in (0.0, 0.25, 0.96, 1.0):
        assert quantile(colours, part) == pytest.approx(float(np.quantile(colours, part)), rel=1e-5)


def test_of_nothing_there_is_no_median() -> None:
    assert np.isnan(median(np.zeros((0, 3), np.float32))).all()
