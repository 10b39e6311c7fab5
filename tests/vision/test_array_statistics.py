"""The quick statistics equal numpy's."""

from __future__ import annotations

import numpy as np
import pytest

from bot.vision.array_statistics import channel_maximum, quantile

RNG = np.random.default_rng(8)


@pytest.mark.parametrize("count", [1, 2, 5, 676])
def test_they_equal_numpys(count: int) -> None:
    colours = RNG.uniform(0, 255, (count, 3)).astype(np.float32)
    assert channel_maximum(colours) == pytest.approx(colours.max(axis=1))
    for fraction in (0.0, 0.25, 0.96, 1.0):
        assert quantile(colours, fraction) == pytest.approx(float(np.quantile(colours, fraction)), rel=1e-5)
