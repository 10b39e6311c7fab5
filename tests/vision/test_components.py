"""The connected parts of masks are those that OpenCV finds, in its order."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.vision.components import MANY, components
from bot.vision.grid import Plane


def speckled(seed: int, part: float) -> Plane:
    """A mask of which a part (0 to 1) is set, in spots."""
    noise = np.random.default_rng(seed).random((50, 90)).astype(np.float32)
    smooth = cv2.GaussianBlur(noise, (0, 0), 4)
    mask: Plane = np.where(smooth > np.quantile(smooth, 1 - part), 255, 0).astype(np.uint8)
    return mask


NOISE: Plane = np.random.default_rng(0).integers(0, 2, (40, 70), np.uint8)
FULL, NOTHING = (np.full((7, 9), value, np.uint8) for value in (1, 0))


@pytest.mark.parametrize("connectivity", [4, 8])
@pytest.mark.parametrize("mask", [speckled(1, 0.2), speckled(2, 0.5), speckled(3, 0.9), NOISE])
def test_components_are_those_of_opencv(mask: Plane, connectivity: int) -> None:
    found = components(mask, connectivity)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity)
    np.testing.assert_array_equal(found.labels, labels)
    np.testing.assert_array_equal(found.boxes, stats[:, :4])
    np.testing.assert_array_equal(found.areas, stats[:, cv2.CC_STAT_AREA])


def test_noise_has_so_many_parts_that_its_runs_are_not_counted() -> None:
    assert len(components(NOISE, 4).areas) > MANY * NOISE.size > len(components(speckled(1, 0.2), 4).areas)


def test_a_mask_may_be_full_or_empty() -> None:
    full, nothing = components(FULL, 4), components(NOTHING, 4)
    assert full.boxes[1:].tolist() == [[0, 0, 9, 7]]
    assert full.areas.tolist() == [0, 63]
    assert nothing.boxes[1:].tolist() == []
    assert nothing.areas.tolist() == [63]
