"""`Capture` through mss."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import cv2
import numpy as np

from bot.errors import ScreenError
from bot.geometry import Rect
from bot.vision.grid import Image

LIBRARIES = "libxcb1 libxcb-randr0 libxcb-render0 libxcb-shm0 libxcb-xfixes0"
"""The Debian packages of what mss loads to look at X11; a wheel cannot bring them."""

LISTED_S = 0.5
"""For how long the list of monitors counts, in seconds."""


def _remedy(error: Exception) -> str:
    return f"apt-get install {LIBRARIES}" if "libxcb" in str(error) else "run `minebot doctor`"


def _no_picture(error: Exception) -> ScreenError:
    """The error, in one line, for what mss says in several."""
    why = " ".join(str(error).split()) or "it does not answer"
    return ScreenError(f"the screen cannot be captured ({why}): {_remedy(error)}")


class MssCapture:
    """Captures the screen of this machine through mss, on every platform. Raises ScreenError without one."""

    def __init__(self) -> None:
        import mss
        from mss.exception import ScreenShotError

        self._open: Callable[[], Any] = mss.MSS
        self._errors = ScreenShotError, OSError, AssertionError  # mss asserts that the server answers
        self._mss: Any = None
        try:
            self._list()
        except self._errors as error:
            raise _no_picture(error) from None
        if not self._monitors:
            raise ScreenError("no monitor was found: run `minebot doctor`")

    def _list(self) -> None:
        """List the monitors; 0.7 ms. mss lists them once for each connection, so this takes another one."""
        fresh = self._open()
        try:
            self._whole, *self._monitors = (
                Rect(one["left"], one["top"], one["width"], one["height"]) for one in fresh.monitors
            )
        except self._errors:
            fresh.close()
            raise
        self._listed_at = time.perf_counter()
        self.close()
        self._mss = fresh

    def monitors(self) -> list[Rect]:
        """The monitors, as mss lists them. One may be plugged in, and that of a virtual machine follows its
        window; while all are switched off, or are just changed, they are those that were."""
        if time.perf_counter() - self._listed_at > LISTED_S:
            self._list_again()
        return list(self._monitors)

    def _list_again(self) -> None:
        before = self._monitors
        with suppress(*self._errors):
            self._list()
        self._monitors = self._monitors or before

    def grab(self, rect: Rect) -> Image:
        """A picture of a rectangle; 0.1 ms for a small window."""
        try:
            return self._pixels(rect)
        except self._errors as error:
            # X11 refuses what is not wholly on the screen.
            self._list_again()
            seen = rect.clipped(self._whole)
            if seen == rect:
                raise _no_picture(error) from None
        picture = np.zeros((rect.height, rect.width, 3), np.uint8)
        if seen.width and seen.height:
            left, top = seen.x - rect.x, seen.y - rect.y
            try:
                picture[top : top + seen.height, left : left + seen.width] = self._pixels(seen)
            except self._errors as error:
                raise _no_picture(error) from None
        return picture

    def _pixels(self, rect: Rect) -> Image:
        """What mss gives of a rectangle."""
        area = {"left": rect.x, "top": rect.y, "width": rect.width, "height": rect.height}
        shot = self._mss.grab(area)
        # `frombuffer` copies nothing, and OpenCV drops the fourth channel 40 times as fast as numpy.
        pixels = np.frombuffer(shot.raw, dtype=np.uint8).reshape(shot.height, shot.width, 4)
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8)

    def close(self) -> None:
        """Close the connection to the screen, which may have gone."""
        if self._mss is not None:
            with suppress(*self._errors):
                self._mss.close()
