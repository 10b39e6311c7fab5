"""A lock for each screen, so that only one minebot uses its mouse.

Two bots on one mouse would move it back and forth, and each would take the other for a person. The system
holds the lock as long as the process that took it lives, so none is left behind, however the process ends.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from bot.errors import ScreenError
from bot.files import user_runtime

LOCKED = 1024
"""Offset of the byte that is locked on Windows. A locked byte cannot be read there, so it lies after the
text."""

HELD = (0, errno.EACCES, errno.EDEADLK)
"""The errors by which Windows says that a byte is locked already. Wine says it without a number."""


@contextmanager
def only_bot(name: str) -> Iterator[None]:
    """Hold the lock of a screen's mouse while the body runs. `name` is the value of `DISPLAY`.

    Raises ScreenError if another process holds it. If the file system has no locks, nothing is held.
    """
    file = _taken(user_runtime() / f"mouse-{_key(name)}.lock")
    try:
        yield
    finally:
        if file is not None:
            file.close()


def _taken(path: Path) -> FileIO | None:
    """The lock file with our process id in it, locked until it is closed; None if files cannot be locked."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)
    except OSError:
        return None
    try:
        _lock(file)
    except (BlockingIOError, PermissionError):
        file.close()
        raise ScreenError(
            f"another minebot ({_holder(path)}) plays on this screen, which has one mouse: let it end,"
            " or stop it with Ctrl-C"
        ) from None
    except OSError:
        file.close()
        return None
    with suppress(OSError):  # the disk is full: the lock holds, and says "another process"
        file.write(f"{os.getpid()}\n".encode())
        file.truncate()
    return file


def _key(name: str) -> str:
    """The part of a display's name that identifies its mouse, for a file name: `:0` and `:0.0` are one."""
    display = re.sub(r"\.\d+$", "", name.removeprefix("unix"))
    return re.sub(r"[^\w.-]", "_", display) or "desktop"


def _holder(path: Path) -> str:
    """The process that holds the lock, in words for people."""
    try:
        number = int(path.read_text(encoding="ascii"))
        return f"process {number}"
    except (OSError, ValueError):
        return "another process"


def _lock(file: FileIO) -> None:
    """Lock a file until it is closed. Raises BlockingIOError or PermissionError if it is locked already, and
    another OSError if the file system has no locks."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(LOCKED)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in HELD:
                raise BlockingIOError(error.errno, "another process holds it") from None
            raise
        file.seek(0)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
