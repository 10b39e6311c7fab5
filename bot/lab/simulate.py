"""Playing many games with no window: the same strategies as on a screen, on one process or many."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from itertools import islice
from typing import TypeVar

from bot.errors import BotError
from bot.lab.games import Batch, Player, Tally, Task, play_batch, warm_up
from bot.lab.workers import Processes, Workers, terminal_ignored

BATCH = 20
"""Games that a process plays before it reports, with the usual budget of thought."""

DEATHS = 3
"""How often all processes may die before the study is given up."""

Item = TypeVar("Item")


def simulate(
    tasks: Iterable[Task],
    player: Player,
    *,
    jobs: int = 1,
    workers: Workers | None = None,
    keep: bool = False,
    played: Callable[[Tally], None],
) -> None:
    """Play the games in as many processes, or by other workers; the results are the same for any.

    `played` is called with the games in their order, some at a time, and with what the results keep of each
    where `keep` is set. Ctrl-C comes out as KeyboardInterrupt once the games in hand are over; what was
    played until then was handed over. A process that dies costs the games that it had in hand, which are
    played again. Raises UsageError for a strategy that does not exist, what reading the tasks raises, and
    BotError where processes keep dying.
    """
    player.made()
    size = max(1, BATCH // player.think)
    batches = (Batch(tuple(some), player, keep) for some in _batched(tasks, size))
    if workers is None and jobs == 1:
        for batch in batches:
            played(play_batch(batch))
        return
    if workers is None:
        # Where the solver is not compiled yet, each process would compile it, beside the others.
        warm_up(player)
        workers = Processes(jobs)
    waiting: deque[Batch] = deque()
    """Batches that were handed out and whose games have not come back, in their order."""
    deaths = 0
    while True:
        with workers.executor() as executor:
            try:
                _play(executor, batches, waiting, 2 * workers.size, played)
                return
            except BrokenExecutor as error:
                deaths += 1
                if deaths == DEATHS:
                    raise BotError(
                        "the processes that play keep dying: is there enough memory? Try fewer --jobs"
                    ) from error
            except ModuleNotFoundError as error:
                raise BotError(f"a worker lacks {error.name}: install minebot on every machine") from error
            except Exception as error:
                if not isinstance(error, CancelledError) and not _of_dask(error):
                    raise
                raise BotError(
                    f"the cluster has gone away ({_line(error)}): with --results, --resume plays on"
                ) from error


def _play(
    executor: Executor,
    batches: Iterator[Batch],
    waiting: deque[Batch],
    ahead: int,
    played: Callable[[Tally], None],
) -> None:
    """Play what is waiting, and then the batches, with so many handed out at a time."""
    with terminal_ignored():
        waiting.extend(islice(batches, ahead - len(waiting)))
        futures: deque[Future[Tally]] = deque(executor.submit(play_batch, batch) for batch in waiting)
    while futures:
        tally = futures[0].result()
        futures.popleft()
        waiting.popleft()
        played(tally)
        for batch in islice(batches, 1):
            waiting.append(batch)
            futures.append(executor.submit(play_batch, batch))


def _of_dask(error: Exception) -> bool:
    return type(error).__module__.partition(".")[0] in ("distributed", "dask")


def _line(error: Exception) -> str:
    return str(error).split("\n")[0] or type(error).__name__


def _batched(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
