"""How many pixels a picture has for one point of the mouse."""

from __future__ import annotations

import numpy as np
import pytest

from bot.geometry import Rect
from bot.screen.scale import Scale, pixels_per_point, scale_at
from bot.vision.grid import Image


class Monitors:
    """A capture of monitors beside each other, each of its own scale, whose pictures have whole pixels."""

    def __init__(self, scales: dict[Rect, float]) -> None:
        self.scales = scales

    def monitors(self) -> list[Rect]:
        return list(self.scales)

    def grab(self, rect: Rect) -> Image:
        (scale,) = (scale for monitor, scale in self.scales.items() if monitor.encloses(rect))
        return np.zeros((round(rect.height * scale), round(rect.width * scale), 3), np.uint8)

    def close(self) -> None:
        pass


class Rounded:
    """A capture of one monitor of so many points, and so many pixels."""

    def __init__(self, monitor: Rect, width: int, height: int) -> None:
        self.monitor, self.width, self.height = monitor, width, height
        self.looks = 0

    def monitors(self) -> list[Rect]:
        return [self.monitor]

    def grab(self, rect: Rect) -> Image:
        self.looks += 1
        across, down = self.width / self.monitor.width, self.height / self.monitor.height
        return np.zeros((round(rect.height * down), round(rect.width * across), 3), np.uint8)

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("points", "pixels"), [(1920, 1920), (960, 1920), (1745, 1920), (1600, 1920), (1371, 1920), (1712, 2560)]
)
@pytest.mark.parametrize("place", [Rect(0, 0, 800, 400), Rect(500, 300, 150, 100)])
def test_the_scale_of_a_desktop_is_told_exactly(place: Rect, points: int, pixels: int) -> None:
    """At 110, 120, 140 and 160 % boards were found, and not read: the scale was told in sixteenths."""
    capture = Monitors({Rect(0, 0, points, 900): pixels / points})
    assert pixels_per_point(capture, place) == pixels / points


def test_points_may_have_other_pixels_across_than_down() -> None:
    monitor = Rect(-1707, 0, 1707, 960)
    capture = Rounded(monitor, 2560, 1440)
    scale = scale_at(capture, Rect(-800, 100, 50, 50))
    assert (scale.monitor, scale.across, scale.down) == (monitor, 2560 / 1707, 1.5)
    assert scale == Scale.of_picture(monitor, capture.grab(monitor))
    place, other = Rect(-407, 51, 10, 10), Rect(-400, 60, 10, 10)
    assert scale.offset(place, other) == (1950 - 1960, 76 - 90)


def test_where_points_have_whole_pixels_one_look_is_enough() -> None:
    capture = Rounded(Rect(0, 0, 960, 540), 1920, 1080)
    assert scale_at(capture, Rect(0, 0, 10, 10)).down == 2.0
    assert capture.looks == 1


def test_each_monitor_has_its_own_scale() -> None:
    capture = Monitors({Rect(-1600, 0, 1600, 900): 1.2, Rect(0, 0, 1280, 10): 1.5})
    for monitor, scale in capture.scales.items():
        assert pixels_per_point(capture, monitor) == scale
    assert pixels_per_point(capture, Rect(-50, 0, 200, 10)) == 1.5
    assert pixels_per_point(capture, Rect(-150, 0, 200, 10)) == 1.2
