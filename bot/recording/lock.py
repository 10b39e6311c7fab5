"""Whether a recording is being written, in this process or another; ends with the process that held it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO


def lock(file: BinaryIO) -> None:
    """Mark an open file as being written until it is closed. Where a disk knows no locks, nothing happens.

    On Windows nothing is needed: a file that is open there cannot be renamed.
    """
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return


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
