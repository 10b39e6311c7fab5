"""Playing many games with no window: the same loop and the same strategies as on a screen."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from bot.lab.games import Batch, Player, Tally, Task, play_batch

BATCH = 20
"""Games that a process plays before it reports, with the usual budget of thought."""

Item = TypeVar("Item")


def simulate(
    tasks: Iterable[Task],
    player: Player,
    *,
    jobs: int = 1,
    keep: bool = False,
    played: Callable[[Tally], None],
) -> None:
    """Play the games in as many processes; the results are the same for any number.

    `played` is called with the games in their order, some at a time, and with what the results keep of each
    where `keep` is set. Ctrl-C comes out as
    KeyboardInterrupt once the games in hand are over; what was played until then was handed over. Raises
    UsageError for a strategy that does not exist, and what reading the tasks raises.
    """
    player.made()
    size = max(1, BATCH // player.think)
    batches = (Batch(tuple(some), player, keep) for some in _batched(tasks, size))
    if jobs == 1:
        for batch in batches:
            played(play_batch(batch))
        return
    # Spawned, not forked: the same everywhere, and no thread of ours is copied in the middle of its work.
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_ignore_ctrl_c)
    try:
        with _ctrl_c_ignored():  # by the processes that start here, too, before they can say so themselves
            waiting = [executor.submit(play_batch, batch) for batch in islice(batches, 2 * jobs)]
        while waiting:
            played(waiting.pop(0).result())
            waiting += [executor.submit(play_batch, batch) for batch in islice(batches, 1)]
    finally:
        executor.shutdown(cancel_futures=True)


def _ignore_ctrl_c() -> None:
    """In a process of the pool: Ctrl-C reaches every process of the terminal, and only ours answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _batched(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
