"""Who plays the games of a study: processes of this machine, or the workers of a Dask cluster.

Both are executors of `concurrent.futures`, so that what plays is the same code for both.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Protocol

from bot.errors import BotError, UsageError

PATIENCE_S = 10
"""How long a scheduler, and then its first worker, has to answer."""


class Workers(Protocol):
    """Where batches are played."""

    @property
    def size(self) -> int:
        """How many batches can be played at a time."""
        ...

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """What takes the batches; at the end those that have not begun are taken back."""
        ...


class Processes:
    """Processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self.size = jobs

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """A pool of them, which start at its first batch."""
        # Spawned, not forked: the same everywhere, and no thread of ours is copied in the middle of its work.
        pool = ProcessPoolExecutor(
            self.size, multiprocessing.get_context("spawn"), initializer=_ignore_ctrl_c
        )
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)


class Cluster:
    """The workers of a Dask cluster."""

    def __init__(self, address: str) -> None:
        """Find the scheduler at an address such as `tcp://10.0.0.1:8786`.

        Raises UsageError where Dask is missing, BotError where nothing answers or there is no worker.
        """
        try:
            distributed: Any = import_module("distributed")
        except ImportError as error:
            raise UsageError(
                f"--cluster needs Dask, which is missing ({error}): python -m pip install 'minebot[cluster]'"
            ) from None
        # What it says of lost connections would stand between our lines; what matters comes out as errors.
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] == "distributed":
                logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._client: Any = distributed.Client(address, timeout=PATIENCE_S, set_as_default=False)
        except Exception as error:  # its errors for a wrong address are of many kinds
            raise BotError(
                f"no Dask scheduler answers at {address} ({_line(error)}): start one with `dask scheduler`,"
                " or check the address"
            ) from None
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE_S)
        except Exception:
            self.close()
            raise BotError(
                f"the scheduler at {address} has no worker: start one with `dask worker {address}`"
            ) from None
        self.size = max(1, sum(self._client.nthreads().values()))

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """The cluster; where a worker dies, what it had in hand is played by another one."""
        executor: Executor = self._client.get_executor(pure=False, retries=2)
        try:
            yield executor
        finally:
            with suppress(Exception):
                executor.shutdown(wait=False)
            self.close()

    def close(self) -> None:
        """Let go of the scheduler."""
        with suppress(Exception):
            self._client.close(timeout=2)


def _line(error: Exception) -> str:
    words = str(error).split("\n")[0].strip()
    return words or type(error).__name__


def _ignore_ctrl_c() -> None:
    """In a process of the pool: Ctrl-C reaches every process of the terminal, and only ours answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def ctrl_c_ignored() -> Iterator[None]:
    """Have the processes that start meanwhile ignore Ctrl-C, before they can say so themselves."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
