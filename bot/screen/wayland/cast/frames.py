"""The pictures of one monitor, as PipeWire brings them: one for each change of what it shows."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any, Protocol

import cv2
import numpy as np

from bot.errors import ScreenError
from bot.vision.grid import Image

FIRST_S = 5.0
"""Time limit for the first picture of a connection, in seconds."""

CONNECTIONS = 2
"""How often a connection is made for the first picture: one of about 40 never gives one."""

FRESH_S = 0.004
"""Time in which the same picture is given again, in seconds: each is a copy of the whole monitor, and no new
one comes for 16 ms."""

LOOK_S = 0.005
"""Time between two looks for the first picture, in seconds."""

EVERY_FRAME = 0.0
"""The interval of pipewire-capture that drops no picture: with its own, 0.25 s, the last one before a pause
is dropped, and what is seen stays behind what is shown."""

ENDED = (
    "the desktop no longer shows its screen to minebot: unlock it, or allow it again, and run minebot again"
)


NO_FRAME = (
    "the desktop gives no picture of its screen: run minebot again, and if that does not help, restart"
    " PipeWire (systemctl --user restart pipewire wireplumber)"
)


class NoFirstFrame(ScreenError):
    """A desktop promised pictures, and none came."""


class Frames(Protocol):
    """The latest picture of one monitor."""

    width: int
    """That of the pictures, in pixels."""

    def latest(self) -> Image:
        """The latest picture: shape (height, width, 4), blue, green, red and one more, in pixels. Raises
        ScreenError if there are no more."""
        ...

    def close(self) -> None:
        """Ask for no more pictures."""
        ...


class PipeWireFrames:
    """The pictures of a PipeWire node, read in a thread of pipewire-capture's own."""

    def __init__(self, fd: int, node: int, width: int, height: int) -> None:
        """`fd` is a connection to PipeWire, which is duplicated; width and height are those promised, in
        pixels."""
        from pipewire_capture import CaptureStream

        self._stream: Any = CaptureStream(fd, node, width, height, EVERY_FRAME)
        self._stream.start()
        self.width = width
        self._last: Image | None = None
        self._asked = 0.0

    def begun(self) -> bool:
        """Wait for the first picture; False if none comes within `FIRST_S` seconds."""
        until = time.monotonic() + FIRST_S
        while (frame := self._stream.get_frame()) is None:
            if self._stream.window_invalid or time.monotonic() > until:
                return False
            time.sleep(LOOK_S)
        self.width = int(frame.shape[1])
        return True

    def latest(self) -> Image:
        """The latest picture. Raises ScreenError if there are no more."""
        now = time.monotonic()
        if self._last is not None and now - self._asked < FRESH_S:
            return self._last
        frame = None if self._stream.window_invalid else self._stream.get_frame()
        if frame is None:
            raise ScreenError(ENDED)
        self._last, self._asked = np.asarray(frame, np.uint8), now
        self.width = self._last.shape[1]
        return self._last

    def close(self) -> None:
        """Ask for no more pictures."""
        self._stream.stop()


def pipewire_frames(connect: Callable[[], int], node: int, size: tuple[int, int]) -> PipeWireFrames:
    """The pictures of a node of PipeWire, the first of which has come. `connect` gives the descriptor of a
    new connection to PipeWire, which is closed here; `size`: width and height as promised, in pixels.

    Raises NoFirstFrame if no picture comes.
    """
    for _ in range(CONNECTIONS):
        fd = connect()
        try:
            frames = PipeWireFrames(fd, node, *size)
        finally:
            os.close(fd)
        if frames.begun():
            return frames
        frames.close()
    raise NoFirstFrame(NO_FRAME)


def without_fourth(picture: Image) -> Image:
    """Blue, green and red of a picture that has a fourth value, as a picture of its own."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGRA2BGR), np.uint8)
