"""`Capture` through mss."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import cv2
import numpy as np

from bot.errors import ScreenError
from bot.geometry import Rect
from bot.vision.grid import Image

LIBRARIES = "libxcb1 libxcb-randr0 libxcb-render0 libxcb-shm0 libxcb-xfixes0"
"""The Debian packages of what mss loads to look at X11; a wheel cannot bring them."""


def _remedy(error: Exception) -> str:
    return f"apt-get install {LIBRARIES}" if "libxcb" in str(error) else "run `minebot doctor`"


class MssCapture:
    """Captures the screen of this machine through mss, on every platform. Raises ScreenError without one."""

    def __init__(self) -> None:
        import mss
        from mss.exception import ScreenShotError

        self._error = ScreenShotError
        try:
            self._mss: Any = mss.MSS()
            self._monitors = [
                Rect(m["left"], m["top"], m["width"], m["height"]) for m in self._mss.monitors[1:]
            ]
        except (ScreenShotError, OSError) as error:
            raise ScreenError(f"the screen cannot be captured ({error}): {_remedy(error)}") from None
        if not self._monitors:
            raise ScreenError("no monitor was found: run `minebot doctor`")

    def monitors(self) -> list[Rect]:
        """The monitors, as mss lists them."""
        return list(self._monitors)

    def grab(self, rect: Rect) -> Image:
        """A picture of a rectangle; 0.1 ms for a small window."""
        area = {"left": rect.x, "top": rect.y, "width": rect.width, "height": rect.height}
        try:
            shot = self._mss.grab(area)
        except (self._error, OSError, AssertionError) as error:  # mss asserts that the server answers
            why = str(error) or "it does not answer"
            raise ScreenError(f"the screen cannot be captured ({why}): {_remedy(error)}") from None
        # `frombuffer` copies nothing, and OpenCV drops the fourth channel 40 times as fast as numpy.
        pixels = np.frombuffer(shot.raw, dtype=np.uint8).reshape(shot.height, shot.width, 4)
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8)

    def close(self) -> None:
        """Close the connection to the screen, which may have gone."""
        with suppress(self._error, OSError):
            self._mss.close()
