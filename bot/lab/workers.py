"""Who plays the games of a study: processes of this machine, or the workers of a Dask cluster.

Both are executors of `concurrent.futures`, so that what plays is the same code for both.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing.connection import wait
from typing import Any, Protocol

from bot.errors import BotError
from bot.process.extras import how_to_install
from bot.process.windows_version import ask_no_program

_OF_THE_TERMINAL = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""The signals that a terminal sends to every process in it. Windows has no SIGHUP, and alone has SIGBREAK."""

POLL_S = 0.01
"""How often is asked whether a pool has ended, in seconds."""

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
        before = set(multiprocessing.active_children())
        # Spawned, not forked: the same everywhere, and no thread of ours is copied in the middle of its work.
        with terminal_ignored():  # its tracker of semaphores starts here
            pool = ProcessPoolExecutor(self.size, multiprocessing.get_context("spawn"), initializer=_begin)
        try:
            yield pool
        finally:
            # Taken before it is forgotten. To wait for it by `shutdown` cannot be interrupted safely: Python
            # takes it for ended then, and fails on it, or waits without end, when it ends itself.
            manager: threading.Thread | None = getattr(pool, "_executor_manager_thread", None)
            try:
                pool.shutdown(wait=False, cancel_futures=True)
                _wait_for_end(manager)
            except KeyboardInterrupt:
                # Nobody tells them now that there is no more to play: Python would wait for them without end.
                for process in set(multiprocessing.active_children()) - before:
                    process.kill()
                _wait_for_end(manager)
                raise


class Cluster:
    """The workers of a Dask cluster."""

    def __init__(self, address: str) -> None:
        """Find the scheduler at an address such as `tcp://10.0.0.1:8786`.

        Raises BotError where Dask is missing, where nothing answers and where there is no worker.
        """
        try:
            distributed: Any = import_module("distributed")
        except ImportError as error:
            raise BotError(
                f"--cluster needs Dask, which is missing ({error}): {how_to_install('cluster')}"
            ) from None
        # What it says of lost connections would stand between our lines; what matters comes out as errors.
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] == "distributed":
                logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            # Of an address without a port its client would leave threads behind that complain later.
            import_module("distributed.comm").get_address_host_port(address)
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


def _wait_for_end(thread: threading.Thread | None) -> None:
    """Wait for a thread in a way that a signal may interrupt."""
    while thread is not None and thread.is_alive():
        time.sleep(POLL_S)


def _line(error: Exception) -> str:
    words = str(error).split("\n")[0].strip()
    return words or type(error).__name__


def _begin() -> None:
    """In a process of the pool: only ours answers Ctrl-C and a closed terminal, which reach every process of
    the terminal; and when ours has died, however that was, this one ends."""
    for number in _OF_THE_TERMINAL:
        signal.signal(number, signal.SIG_IGN)
    ask_no_program()
    ours = multiprocessing.parent_process()
    assert ours is not None

    def watch() -> None:
        wait([ours.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="watch of the parent", daemon=True).start()


@contextmanager
def terminal_ignored() -> Iterator[None]:
    """Have the processes that start meanwhile ignore Ctrl-C and a closed terminal, before they can say so
    themselves."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in _OF_THE_TERMINAL}
    try:
        with _console_ignored():
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _console_ignored() -> Iterator[None]:
    """On Windows, ignore Ctrl-C in a way that processes inherit: what `signal` sets is our own alone."""
    if sys.platform != "win32":
        yield
        return
    import ctypes

    console: Any = ctypes.windll.kernel32
    console.SetConsoleCtrlHandler(None, True)
    try:
        yield
    finally:
        console.SetConsoleCtrlHandler(None, False)
