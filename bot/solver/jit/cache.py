"""Where compiled functions are kept: in a folder that is named by what they are compiled from.

numba keys a cached function by its own file alone: it does not notice that a function which it calls, in
another file, has changed. And it takes what it kept for old where the file lies elsewhere: in another
checkout, or in the one-file program, which unpacks itself to another place at each start. So the folder is
named by the text of all of the solver's sources, and a function in it by its place in the project.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import numba

from bot.files import user_cache

STALE_AFTER = 7 * 24 * 3600.0
"""Seconds after its last use at which the folder of other sources is removed. Not at once: two versions
of minebot may be in use side by side, and a folder must not vanish under a process that compiles."""

ROOT = Path(__file__).resolve().parents[3]
"""The folder that the package `bot` lies in."""


def sources_hash(folder: Path) -> str:
    """A name for what is compiled: 16 hexadecimal digits that change with any source in the package's
    `solver` folder, and with the codes of cells, which are compiled in."""
    digest = hashlib.sha256()
    for source in (folder / "board" / "cells.py", *sorted((folder / "solver").rglob("*.py"))):
        name = source.relative_to(folder).as_posix()
        digest.update(name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_name(sources: str) -> str:
    """A name for the cache folder of these sources: 16 hexadecimal digits. What another Python or another
    numba compiled is of no use, and would be overwritten."""
    return hashlib.sha256(f"{sources} {sys.version} {numba.__version__}".encode()).hexdigest()[:16]


def prepare(root: Path, name: str, now: float) -> Path | None:
    """Make the cache folder `root/name`, mark it as used, and remove its siblings that are stale.

    `now` is in seconds since the epoch. Returns None where the folder cannot be written.
    """
    folder = root / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder, (now, now))
    except OSError:
        return None
    if not os.access(folder, os.W_OK):
        return None
    for sibling in root.iterdir():
        with contextlib.suppress(OSError):
            if sibling != folder and sibling.is_dir() and now - sibling.stat().st_mtime > STALE_AFTER:
                shutil.rmtree(sibling, ignore_errors=True)
    return folder


SOURCES = sources_hash(ROOT / "bot")
"""The name of what is compiled here."""

FOLDER = prepare(user_cache() / "solver", cache_name(SOURCES), time.time())
"""What is compiled here is kept there; None where that cannot be."""


def place(file: Path, root: Path) -> str:
    """The folder, in the cache, of what is compiled from a file: one name a folder of the project, wherever
    the project lies."""
    try:
        return "_".join(file.parent.relative_to(root).parts) or "root"
    except ValueError:
        return f"{file.parent.name}_{hashlib.sha256(str(file.parent).encode()).hexdigest()[:16]}"


@functools.cache
def cache_of_functions(folder: Path, root: Path = ROOT) -> Any:
    """A class of numba's: made with a function, it keeps the compiled forms of that one in `folder`, or
    raises RuntimeError where it cannot.

    None where numba is not as it was (0.60 to 0.68): it keys what it keeps as it likes then.
    """
    try:
        caching: Any = importlib.import_module("numba.core.caching")
        implementation, cache = caching.CompileResultCacheImpl, caching.FunctionCache
        locator = caching._CacheLocator
    except (ImportError, AttributeError):
        return None

    def made(_: Any, function: Any, file: str) -> Any:
        one = by_content()
        one._py_file = file  # numba names it where it warns
        one._line = function.__code__.co_firstlineno
        one._folder = folder / place(Path(file).resolve(), root)
        try:
            one.ensure_cache_path()
        except OSError:
            return None
        return one

    by_content: Any = type(
        "ByContent",
        (locator,),
        {
            "get_cache_path": lambda one: str(one._folder),
            "get_source_stamp": lambda one: hashlib.sha256(Path(one._py_file).read_bytes()).hexdigest(),
            "get_disambiguator": lambda one: str(one._line),
            "from_function": classmethod(made),
        },
    )
    kept_by_content = type("KeptByContent", (implementation,), {"_locator_classes": [by_content]})
    return type("CacheByContent", (cache,), {"_impl_class": kept_by_content})
