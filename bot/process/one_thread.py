"""How many threads the products of matrices take that numpy makes: one.

All that minebot takes are small, and where other programs are busy, as the game is that it plays, threads
wait for each other ten times as long as one takes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, wraps
from threading import Lock
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Given = ParamSpec("Given")
Result = TypeVar("Result")

VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""What the libraries ask that numpy may be built with."""


def take_one_thread() -> None:
    """Have numpy take one thread in this process and those that it starts, where it is not imported yet and
    the user says nothing else."""
    for name in VARIABLES:
        os.environ.setdefault(name, "1")


def in_one_thread(call: Callable[Given, Result]) -> Callable[Given, Result]:
    """`call`, during which numpy takes one thread, also in a program of others that calls it.

    What makes a few products is best called so as a whole: threads wait on for a while after each. The limit
    is one of the whole process. Of calls in several threads the first one sets it and lifts it: were each to
    set back what it found, it could stay set for ever. One that goes on after that may take more threads.
    """

    @wraps(call)
    def limited(*given: Given.args, **named: Given.kwargs) -> Result:
        if not _limiting.acquire(blocking=False):
            return call(*given, **named)
        try:
            with _libraries().limit(limits=1, user_api="blas"):
                return call(*given, **named)
        finally:
            _limiting.release()

    return limited


_limiting = Lock()
"""Held by the call that has set the limit."""


@cache
def _libraries() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
