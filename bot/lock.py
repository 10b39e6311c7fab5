"""Whether a file is being written, in this process or another; ends with the process that held it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO


def lock(file: IO[bytes] | IO[str]) -> bool:
    """Mark an open file as being written until it is closed; False where someone else has. Where a disk knows
    no locks, nothing happens.

    On Windows nothing is needed: a file that is open there cannot be renamed.
    """
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
    return True


def opened_alone(path: Path) -> IO[str] | None:
    """A text file that is there, open to read and write, and locked until it is closed; None where someone
    else has it. Raises OSError as opening does."""
    if sys.platform == "win32":
        try:
            path.rename(path)
        except PermissionError:
            return None
    file = path.open("r+", encoding="utf-8", newline="\n")
    if lock(file):
        return file
    file.close()
    return None


def being_written(path: Path) -> bool:
    """Whether someone has the file locked; also true where that cannot be told."""
    try:
        if sys.platform == "win32":
            path.rename(path)
        else:
            import fcntl

            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    return False
