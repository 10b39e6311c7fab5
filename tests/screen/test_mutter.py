"""Clicks by Mutter's own interfaces, without a Mutter; tests/windows/wayland has a test with a real one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.errors import ScreenError
from bot.screen.wayland.cast import mutter
from bot.screen.wayland.cast.bus import Bus, BusError, Place
from bot.screen.wayland.cast.mutter import MutterControl


class FakeBus(Bus):
    """Notes what is asked, and whether an answer is waited for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[object, ...]]] = []

    def call(
        self, place: Place, member: str, signature: str = "", *arguments: object, limit_s: float = 0
    ) -> tuple[object, ...]:
        self.asked.append(("waits", arguments))
        return ("/session",)

    def send(self, place: Place, member: str, signature: str, *arguments: object) -> None:
        self.asked.append(("goes on", arguments))


def test_clicks_that_come_close_together_are_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("bot.screen.wayland.cast.mutter.time.monotonic", lambda: now[0])
    monkeypatch.setattr(MutterControl, "_begin", lambda self: None)
    bus = FakeBus()
    control = MutterControl(bus)
    bus.asked.clear()
    for step_s in (mutter.UNANSWERED_S / 2, mutter.UNANSWERED_S, 0.0):
        control.button(0x110, True)
        control.button(0x110, False)
        now[0] += step_s
    press, release = (0x110, True), (0x110, False)
    assert bus.asked == [
        *[("goes on", press), ("waits", release)],
        *[("goes on", press), ("goes on", release)],
        *[("goes on", press), ("waits", release)],
    ]


@pytest.mark.parametrize(
    "press", [lambda control: control.key(0x61, True), lambda control: control.button(0x110, False)]
)
def test_a_session_that_the_desktop_has_ended_is_told(
    monkeypatch: pytest.MonkeyPatch, press: Callable[[MutterControl], None]
) -> None:
    """As by GNOME Shell 43 when it locks its screen; the picture stays as it was."""
    monkeypatch.setattr(MutterControl, "_begin", lambda self: None)
    bus = FakeBus()
    control = MutterControl(bus)
    monkeypatch.setattr(mutter, "UNANSWERED_S", 0.0)

    def refused(*_: object) -> tuple[object, ...]:
        raise BusError("the desktop refused it (Object does not exist at path): run `minebot doctor`")

    monkeypatch.setattr(bus, "call", refused)
    with pytest.raises(ScreenError, match="no longer shows its screen to minebot: unlock it"):
        press(control)
