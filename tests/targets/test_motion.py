"""How long a window has rested, and how soon it is looked at again."""

from __future__ import annotations

import numpy as np
import pytest

from bot.targets.window.track.motion import LATE, MAX_POLL_S, POLL_S, Motion
from bot.vision.grid import Image


def shade(value: int) -> Image:
    return np.full((4, 4, 3), value, np.uint8)


def test_the_longer_a_window_rests_the_less_often_it_is_looked_at() -> None:
    motion = Motion(lambda frame: frame, 0.0)
    motion.update(shade(1), 0.0)
    assert motion.until_next_look(0.001) == POLL_S
    motion.update(shade(1), 0.05)
    assert motion.until_next_look(0.05) == pytest.approx(LATE * 0.05)
    assert motion.until_next_look(9.0) == MAX_POLL_S


def test_a_window_that_moves_again_is_looked_at_at_once() -> None:
    motion = Motion(lambda frame: frame, 0.0)
    for now, value in ((0.0, 1), (0.5, 1), (0.6, 2)):
        motion.update(shade(value), now)
    assert motion.until_next_look(0.6) == POLL_S
    assert motion.at_rest_for(0.6) == 0.0
