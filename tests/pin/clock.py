"""A clock that stands still but for sleeping and looking: by it, a game is played the same each time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from bot.practice.session import PracticeSession

LOOK_S = 0.001
"""Seconds that a look at the screen takes."""

SPINS = 200_000
"""So often in a row the clock may be asked while it stands still: something waits that neither looks nor
sleeps, and would wait for ever."""

BEGIN_S = 1000.0


class FixedClock:
    """Seconds that pass by `sleep` and `look` alone."""

    def __init__(self) -> None:
        self._now = BEGIN_S
        self._asked = 0

    def now(self) -> float:
        """The time in seconds."""
        self._asked += 1
        if self._asked > SPINS:
            raise RuntimeError("the fixed clock is asked without end: something waits without a look")
        return self._now

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self._pass(max(0.0, seconds))

    def look(self) -> None:
        """Let the time of one look pass."""
        self._pass(LOOK_S)

    def _pass(self, seconds: float) -> None:
        self._now += seconds
        self._asked = 0


@contextmanager
def fixed_clock() -> Iterator[FixedClock]:
    """Put a fixed clock in the place of the machine's; it is put back at the end."""
    clock = FixedClock()
    with ExitStack() as stack:
        for name in ("perf_counter", "monotonic", "time"):
            stack.enter_context(patch.object(time, name, clock.now))
        stack.enter_context(patch.object(time, "sleep", clock.sleep))
        # The default of an argument was taken when the function was made.
        defaults = PracticeSession.__init__.__kwdefaults__
        assert defaults is not None
        stack.enter_context(patch.dict(defaults, {"clock": clock.now}))
        yield clock
