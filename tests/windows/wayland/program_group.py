"""Programs and all that they start, which end with the process that began them, as the tests' desktops do."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

END_S = 10
"""Time that programs have to end after SIGTERM, in seconds; SIGKILL comes then."""

WATCH = f'read -r word; kill -s TERM -- "-$1"; sleep {END_S}; kill -s KILL -- "-$1"'
"""What a shell beside them runs: the pipe that it reads closes when the process that began them is gone."""


class ProgramGroup:
    """A program in a process group of its own, with all that it starts.

    They end when the process that began them is killed. `prctl` with PR_SET_PDEATHSIG, which ties a single
    program to its parent, would tie neither a program that runs as another user nor what it starts.
    """

    def __init__(self, words: Sequence[str], **more: Any) -> None:
        """Start it, as `subprocess.Popen` does with the words `more`."""
        self.process: subprocess.Popen[bytes] = subprocess.Popen(words, start_new_session=True, **more)
        reading, self._open = os.pipe()
        self._watch = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, "watch", str(self.process.pid)],
            stdin=reading,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(reading)

    @property
    def runs(self) -> bool:
        """Whether the program has not ended."""
        return self.process.poll() is None

    def ask_to_end(self) -> None:
        """Send SIGTERM, without waiting for the end."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)

    def end(self) -> None:
        """End all of them, and wait for that."""
        self.ask_to_end()
        until = time.monotonic() + END_S
        with suppress(ProcessLookupError):
            while time.monotonic() < until:
                self.process.poll()  # else what has ended counts as one of the group
                os.killpg(self.process.pid, 0)
                time.sleep(0.02)
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        # The number of the group may belong to others by now: the shell must send nothing.
        self._watch.kill()
        self._watch.wait()
        os.close(self._open)
