"""Compiling the solver with numba, once, into a folder of its own.

numba keys a cached function by its own file alone: it does not notice that a function which it calls,
in another file, has changed. So the cache folder is named by a hash of all of the solver's sources, of
where they lie and of when they were written.
Import `jit` from here and never from numba, so that the folder is settled before numba is imported.

`NUMBA_DISABLE_JIT=1` runs the same source uncompiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from bot.files import user_cache
from bot.process import progress

Function = TypeVar("Function", bound=Callable[..., Any])

STALE_AFTER = 7 * 24 * 3600.0
"""Seconds after its last use at which the folder of other sources is removed. Not at once: two versions
of minebot may be in use side by side, and a folder must not vanish under a process that compiles."""


def sources_hash(folder: Path) -> str:
    """A name for what is compiled: 16 hexadecimal digits that change with any source in the package's
    `solver` folder, and with the codes of `board.py`, which are compiled in."""
    digest = hashlib.sha256()
    for source in _sources(folder):
        name = source.relative_to(folder).as_posix()
        digest.update(name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _sources(folder: Path) -> list[Path]:
    return [folder / "board.py", *sorted((folder / "solver").rglob("*.py"))]


def cache_name(folder: Path) -> str:
    """A name for the cache folder of the package in `folder`: 16 hexadecimal digits.

    numba takes what it cached for old where the file lies elsewhere or was written again, though the text is
    the same, and where Python is another. With all that in the name, what lies in the folder is good: else
    nobody would be told of the compiling that comes.
    """
    digest = hashlib.sha256(f"{sources_hash(folder)} {folder.resolve()} {sys.version}".encode())
    for source in _sources(folder):
        digest.update(f" {source.stat().st_mtime_ns}".encode())
    return digest.hexdigest()[:16]


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


SOURCES = sources_hash(Path(__file__).parents[2])
"""The name of what is compiled here."""

_folder = prepare(user_cache() / "solver", cache_name(Path(__file__).parents[2]), time.time())
if _folder is not None:
    os.environ["NUMBA_CACHE_DIR"] = str(_folder)

import numba  # noqa: E402  the folder must be settled before

from bot.solver.jit.late_optimisation import optimised_late  # noqa: E402

_config: Any = numba.config  # its settings are made at import, where a type checker does not see them
if _folder is not None:
    # Where something else has imported numba before us, the variable came too late.
    _config.CACHE_DIR = str(_folder)

_njit: Any = numba.njit

_WITHIN = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_announced: set[str] = set()
_silent = False


def interrupted(error: BaseException) -> bool:
    """Whether an error of compiled code was a Ctrl-C: where that falls into numba's own Python, it comes out
    as a SystemError ("returned a result with an exception set")."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    return cause is not None


def jit(function: Function) -> Function:
    """Compile a function at its first call, from the cache where it lies there; it runs without the GIL."""
    compiled: Function = _of_one_kind(_kept(function), part=False)
    return compiled


def _kept(function: Function) -> Any:
    """A function that is compiled, and kept in the cache if that can be. numba itself gives up where the disk
    is full."""
    if _folder is None:
        return _njit(nogil=True)(function)
    try:
        dispatcher = _njit(cache=True, nogil=True)(function)
    except RuntimeError:  # there is no place for the cache
        return _njit(nogil=True)(function)
    if _config.DISABLE_JIT:
        return dispatcher
    cache = dispatcher._cache
    save = cache.save_overload

    def save_overload(signature: Any, data: Any) -> None:
        try:
            save(signature, data)
        except OSError as error:
            _tell_unkept(error)

    cache.save_overload = save_overload
    return dispatcher


def _tell_unkept(error: OSError) -> None:
    """Say once in a process that the next one compiles again."""
    if _silent or "unkept" in _announced:
        return
    _announced.add("unkept")
    why = error.strerror or error
    print(  # noqa: T201
        f"minebot: the compiled solver cannot be kept ({why}): every run compiles it again until there is"
        f" room in {_folder}",
        file=sys.stderr,
        flush=True,
    )


def part(function: Function) -> Function:
    """Compile a function that only compiled ones call. Python cannot call it.

    The way in from Python, and the machine code by itself, take as long as the rest: a function with a
    player's arrays takes seconds, and each one that calls it takes them again.
    """
    compiled: Function = _of_one_kind(_shut(_njit(**_WITHIN)(function)), part=True)
    return compiled


def written_in(function: Function) -> Function:
    """As `part`, for one that is called in one place: it is compiled there, as if it were written there."""
    compiled: Function = _of_one_kind(_shut(_njit(inline="always", **_WITHIN)(function)), part=True)
    return compiled


def _shut(dispatcher: Any) -> Any:
    """Have a call from Python raise a TypeError: numba would call what is not there."""
    if _config.DISABLE_JIT:
        return dispatcher

    def refuse(*_: Any, **__: Any) -> Any:
        raise TypeError(f"{dispatcher.py_func.__name__} is for compiled callers only: call what calls it")

    dispatcher._insert = _no_way_in
    dispatcher._compile_for_args = refuse
    return dispatcher


def _no_way_in(*_: Any, **__: Any) -> None:
    """Replaces the table of entry points."""


def _of_one_kind(dispatcher: Any, *, part: bool) -> Any:
    """Have a function compiled once and not for each kind of whole number that compiled callers give it."""
    if _config.DISABLE_JIT:
        return dispatcher
    dispatcher = optimised_late(dispatcher, part=part)
    template = dispatcher.get_call_template
    types: Any = numba.types

    def plain(kind: Any) -> Any:
        kind = types.unliteral(kind)
        return types.int64 if isinstance(kind, types.Integer) else kind

    def get_call_template(args: Any, kws: Any) -> Any:
        return template(tuple(map(plain, args)), {name: plain(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


def quiet() -> None:
    """Say nothing of compiling from now on: for pictures that a line on stderr would fall into."""
    global _silent
    _silent = True
    progress.quiet()


_SAID = "said"
"""Among what was announced: that something was printed."""


def announce(
    entry: str = "", takes: str = "some ten seconds, with the strategy best a minute or two"
) -> None:
    """Say on stderr, once in a process, that what comes next is compiled first, if it will be.

    `entry` is what is compiled, as `module.function` of the solver; empty for the solver as a whole. `takes`
    is how long that takes on one core of a common machine.
    """
    if _silent or entry in _announced or _SAID in _announced or _config.DISABLE_JIT:
        return
    _announced.add(entry)
    if _folder is None:
        said = f"{takes}; every time, for the cache folder cannot be written"
    elif next(_folder.rglob(f"{entry}*.nbi"), None) is None:
        said = f"once, {takes}"
    else:
        return
    _announced.add(_SAID)
    print(f"minebot: compiling the solver ({said})", file=sys.stderr, flush=True)  # noqa: T201
