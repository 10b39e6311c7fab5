"""Parts of compiled functions, optimised where they end up and nowhere else.

numba optimises each function with all that it calls, and writes machine code for it, before its callers link
it in and optimise it again. For parts that nothing but compiled functions call, that is a third of the time
that the solver takes to compile. Here a part is left as it was lowered; the function that Python calls is
optimised as a whole.

This reaches into numba's own classes. Where they are not as they were (numba 0.60 to 0.68), parts are
compiled as numba does it: slower, with the same results.
"""

from __future__ import annotations

import threading
import time
from contextlib import nullcontext
from typing import Any

from numba.core import codegen as _codegen

from bot.process.progress import told


class _Stack(threading.local):
    """For each function whose compiling is under way in this thread, whether it is a part."""

    def __init__(self) -> None:
        self.parts: list[bool] = []


_stack = _Stack()


def _patch() -> None:
    """Have numba's libraries leave parts alone, where that can be done."""
    library: Any = getattr(_codegen, "JITCodeLibrary", None)
    target: Any = getattr(_codegen, "JITCPUCodegen", None)
    steps = ("_optimize_final_module", "_finalize_dynamic_globals", "_verify_declare_only_symbols")
    if not all(hasattr(library, name) for name in (*steps, "_finalize_final_module")):
        return
    if not hasattr(target, "set_env"):
        return
    optimize, finalize, set_env = (
        library._optimize_final_module,
        library._finalize_final_module,
        target.set_env,
    )

    def in_part() -> bool:
        return bool(_stack.parts) and _stack.parts[-1]

    def optimize_final_module(self: Any) -> None:
        if not in_part():
            optimize(self)

    def finalize_final_module(self: Any) -> None:
        if not in_part():
            finalize(self)
            return
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def set_environment(self: Any, name: str, environment: Any) -> None:
        # It is found by its address in the machine code, and a part has none.
        if not in_part():
            set_env(self, name, environment)

    library._optimize_final_module = optimize_final_module
    library._finalize_final_module = finalize_final_module
    target.set_env = set_environment


_patch()


class _Progress:
    """What was compiled in this process, or taken from the cache."""

    def __init__(self) -> None:
        self.functions = 0
        self.begun: float | None = None
        """When the first compiling began, on the clock of `time.monotonic`."""

    def begin(self) -> None:
        """A function is about to be compiled."""
        if self.begun is None:
            self.begun = time.monotonic()

    def text(self) -> str:
        """What is told."""
        return f"compiling the solver, {self.functions} functions are done"


_progress = _Progress()


def optimised_late(dispatcher: Any, *, part: bool) -> Any:
    """The dispatcher, which says of its function while it is compiled whether it is a part. While functions
    are compiled, `bot.process.progress` tells how many."""
    compile_ = dispatcher.compile

    def compile_told(signature: Any) -> Any:
        outermost = not _stack.parts
        _stack.parts.append(part)
        _progress.begin()
        try:
            with told(_progress.text, since=_progress.begun) if outermost else nullcontext():
                return compile_(signature)
        finally:
            _stack.parts.pop()
            _progress.functions += 1

    dispatcher.compile = compile_told
    return dispatcher
