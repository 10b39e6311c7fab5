"""Monitors that come, go, and take another size while the screen is captured."""

from __future__ import annotations

from contextlib import closing
from typing import Any, ClassVar

import mss
import pytest
from mss.exception import ScreenShotError
from x_server import another_program, resize, x_server

from bot.errors import ScreenError
from bot.geometry import Rect
from bot.screen import mss_capture
from bot.screen.mss_capture import MssCapture

LEFT, RIGHT = Rect(0, 0, 800, 600), Rect(800, 0, 640, 480)


class Monitors:
    """A connection of mss, which lists the monitors that there are when it is opened."""

    there: ClassVar[list[Rect]] = []
    changing = False

    def __init__(self) -> None:
        whole = Rect(0, 0, max(one.right for one in [LEFT, *self.there]), 600)
        self.monitors = [self._told(one) for one in (whole, *self.there)]
        if self.changing:
            raise ScreenShotError("Display configuration changed while detecting monitors.")

    def _told(self, rect: Rect) -> dict[str, int]:
        return {"left": rect.x, "top": rect.y, "width": rect.width, "height": rect.height}

    def grab(self, area: dict[str, int]) -> Any:
        raise ScreenShotError("X11 Protocol Error\nX Error of failed request:  8")

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mss_capture, "LISTED_S", 0.0)


@pytest.fixture
def monitors(monkeypatch: pytest.MonkeyPatch) -> type[Monitors]:
    monkeypatch.setattr(mss, "MSS", Monitors)
    monkeypatch.setattr(Monitors, "there", [LEFT])
    return Monitors


def test_a_monitor_that_is_plugged_in_later_is_known(monitors: type[Monitors]) -> None:
    capture = MssCapture()
    assert capture.monitors() == [LEFT]
    monitors.there = [LEFT, RIGHT]
    assert capture.monitors() == [LEFT, RIGHT]


def test_monitors_that_are_off_or_just_changed_stay_those_that_were(
    monitors: type[Monitors], monkeypatch: pytest.MonkeyPatch
) -> None:
    capture = MssCapture()
    monitors.there = []
    assert capture.monitors() == [LEFT]
    monkeypatch.setattr(monitors, "changing", True)
    assert capture.monitors() == [LEFT]


def test_what_mss_says_in_several_lines_is_told_in_one(monitors: type[Monitors]) -> None:
    with pytest.raises(ScreenError, match=r"^[^\n]*Protocol Error X Error[^\n]*$"):
        MssCapture().grab(LEFT)


def test_what_lies_off_a_screen_that_became_smaller_is_black() -> None:
    with x_server(), closing(MssCapture()) as capture, another_program() as program:
        program.screen().root.change_attributes(background_pixel=0xFFFFFF)
        before = capture.monitors()[0]
        resize(program, 800, 600)
        program.screen().root.clear_area(0, 0, 800, 600)
        program.sync()
        picture = capture.grab(before)
        assert picture.shape == (before.height, before.width, 3)
        assert (picture[:600, :800] == 255).all()
        assert not picture[600:].any()
        assert not picture[:, 800:].any()
        assert not capture.grab(Rect(900, 100, 50, 50)).any()
