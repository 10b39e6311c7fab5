"""Compiling the solver with numba, once: what was compiled is kept (cache.py).

Import `jit` and `part` from here and never from numba. `NUMBA_DISABLE_JIT=1` runs the same source uncompiled.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numba

from bot.process import progress
from bot.solver.jit.cache import FOLDER, cache_of_functions
from bot.solver.jit.late_optimisation import optimised_late

Function = TypeVar("Function", bound=Callable[..., Any])

_config: Any = numba.config  # its settings are made at import, where a type checker does not see them
_folder = FOLDER
if _folder is not None:
    _config.CACHE_DIR = str(_folder)  # for a numba that `cache_of_functions` does not know

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
    if _folder is None or _config.DISABLE_JIT:
        return _njit(nogil=True)(function)
    cache_of = cache_of_functions(_folder)
    try:
        dispatcher = _njit(cache=cache_of is None, nogil=True)(function)
        if cache_of is not None:
            dispatcher._cache = cache_of(function)
    except RuntimeError:  # there is no place for the cache
        return _njit(nogil=True)(function)
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
