"""A clock by which waiting takes no time: it goes on by what is slept. That of tests/pin stands still
besides."""

from __future__ import annotations

import time

import pytest


class SkippingClock:
    """The clock of the machine, and what was slept besides without waiting."""

    def __init__(self) -> None:
        self._slept_s = 0.0
        self._perf_counter, self._monotonic, self._sleep = time.perf_counter, time.monotonic, time.sleep

    def take_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Be the clock of this process until the test has ended."""
        for own in (self.sleep, self.perf_counter, self.monotonic):
            monkeypatch.setattr(time, own.__name__, own)

    def sleep(self, seconds: float) -> None:
        self._sleep(min(seconds, 0))  # other threads go on; less than nothing is refused as ever
        self._slept_s += seconds

    def perf_counter(self) -> float:
        return self._perf_counter() + self._slept_s

    def monotonic(self) -> float:
        return self._monotonic() + self._slept_s
