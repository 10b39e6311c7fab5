"""One bot a mouse: whether another minebot plays on a screen already.

A screen has one mouse. Two bots would pull it to and fro, and each would take the other for a person. The
system holds the lock as long as the process lives that took it: none is left behind, however that one ends.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from bot.errors import ScreenError
from bot.files import user_runtime

LOCKED = 1024
"""The byte that is locked on Windows, where a locked byte cannot be read: it lies behind what is written."""


@contextmanager
def only_bot(name: str) -> Iterator[None]:
    """Be the one bot that uses the mouse of a screen while the body runs. `name` is what `DISPLAY` holds.

    Raises ScreenError where another process is it. Where the disk knows no locks, nothing is held.
    """
    file = _taken(user_runtime() / f"mouse-{_key(name)}.lock")
    try:
        yield
    finally:
        if file is not None:
            file.close()


def _taken(path: Path) -> BinaryIO | None:
    """The file, locked until it is closed, with our number in it; None where files cannot be locked."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
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
    file.write(f"{os.getpid()}\n".encode())
    file.truncate()
    file.flush()
    return file


def _key(name: str) -> str:
    """What two names of one screen have in common, as a part of a file name: `:0` and `:0.0` are one."""
    display = re.sub(r"\.\d+$", "", name.removeprefix("unix"))
    return re.sub(r"[^\w.-]", "_", display) or "desktop"


def _holder(path: Path) -> str:
    """Which process has the lock, for people."""
    try:
        return f"process {int(path.read_text())}"
    except (OSError, ValueError):
        return "another process"


def _lock(file: BinaryIO) -> None:
    """Lock a file until it is closed. Raises BlockingIOError or PermissionError where it is locked, and
    another OSError where the disk knows no locks."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(LOCKED)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
