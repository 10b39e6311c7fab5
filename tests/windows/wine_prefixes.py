"""A wine prefix for each of the processes that tests run in: one prefix draws on one screen alone."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.screen.programs.games import WineMine, default_prefix


def linked(prefix: Path, new: Path) -> None:
    """Copy a prefix. Windows' programs, nearly all of its 700 MB, are linked: wine writes into none."""

    def copied(source: str, to: str) -> str:
        if {"system32", "winsxs"} & set(Path(source).relative_to(prefix).parts):
            os.link(source, to, follow_symlinks=False)
            return to
        return str(shutil.copy2(source, to, follow_symlinks=False))

    shutil.copytree(prefix, new, symlinks=True, copy_function=copied, dirs_exist_ok=True)


@contextmanager
def own_prefix() -> Iterator[Path]:
    """A prefix that is gone after the body, made from the user's own, which is set up where it is missing."""
    prefix = default_prefix()
    prefix.parent.mkdir(parents=True, exist_ok=True)
    # Beside it: links do not reach into another file system.
    with tempfile.TemporaryDirectory(prefix="wine-", dir=prefix.parent, ignore_cleanup_errors=True) as folder:
        # The first of several processes sets it up, and the others wait.
        with (prefix.parent / "wine.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            WineMine().set_up()
            linked(prefix, Path(folder))
        try:
            yield Path(folder)
        finally:
            WineMine(Path(folder)).shut_down()
