"""Whether the pictures of a board have come to rest."""

from __future__ import annotations

import time

AT_REST, AT_REST_S = 1, 0.04
"""A picture rests once so many more are the same, and it has been for so long, in seconds: more than two
frames of a page. In the middle of its flip a 2 may look like a 1."""

MOVING = 40
"""After so many pictures in which some cells have always moved, those at rest are read."""


class PictureRest:
    """Counts the pictures in a row that are the same, and those that are not."""

    def __init__(self) -> None:
        self._same_since = 0.0
        """Since when the pictures have been the same, on `time.perf_counter`."""
        self.forget()

    def forget(self) -> None:
        """The next picture is compared with none."""
        self._same = self._moving = 0

    def add(self, moved: bool, now: float) -> None:
        """Count a picture at a time on `time.perf_counter`; whether a cell looks otherwise than in the last
        one."""
        if moved:
            self._same, self._moving = 0, self._moving + 1
            self._same_since = now
        else:
            self._same += 1
            self._moving = 0

    @property
    def rests(self) -> bool:
        """Whether the picture has come to rest."""
        return self._same >= AT_REST and time.perf_counter() - self._same_since >= AT_REST_S

    @property
    def is_restless(self) -> bool:
        """Whether some cells have moved for so long that none of them should be waited for."""
        return self._moving >= MOVING

    def wait_again(self) -> None:
        """The cells that rest were read: others may come to rest until they are again."""
        self._moving = 0
