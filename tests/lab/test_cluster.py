"""The same study on a real Dask cluster of this machine: a scheduler and two worker processes."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot.board import LEVELS, Rules
from bot.errors import BotError
from bot.lab import workers
from bot.lab.games import Player, Tally, generated
from bot.lab.simulate import simulate
from bot.lab.workers import Cluster

ROOT = Path(__file__).parents[2]

needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None,
    reason="Dask is not installed: pip install '.[cluster]'",
)


def started(folder: Path, *words: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "False"}
    with (folder / f"{words[0]}-{time.monotonic_ns()}.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            stdout=log,
            stderr=log,
            cwd=folder,
            env=environment,
        )


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Its address, and two workers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    words = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
    processes = [started(tmp_path, "scheduler", *words)]
    worker = ("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    processes += [started(tmp_path, *worker, "--name", name) for name in ("a", "b")]
    yield address, processes[1:]
    for process in processes:
        process.kill()
        process.wait()


@needs_dask
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_dies_costs_only_its_unfinished_games(
    scheduler: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, (first, _) = scheduler
    player = Player("exact")
    tasks = list(generated(Rules(*LEVELS["intermediate"]), 1200, seed=6))
    alone = Tally()
    simulate(tasks, player, played=alone.add)
    cluster = Cluster(address)
    tally = Tally()

    def played(some: Tally) -> None:
        tally.add(some)
        if first.poll() is None and len(tally.wins) >= 200:
            first.kill()

    try:
        simulate(tasks, player, workers=cluster, played=played)
    finally:
        cluster.close()
    assert first.poll() is not None
    assert (tally.wins, tally.guesses) == (alone.wins, alone.guesses)


@needs_dask
@pytest.mark.slow
def test_an_unreachable_cluster_is_one_line_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE_S", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1:99999"):
        begun = time.monotonic()
        with pytest.raises(BotError, match=f"no Dask scheduler answers at {re.escape(address)}") as caught:
            Cluster(address)
        assert "\n" not in str(caught.value)
        assert time.monotonic() - begun < 20


def test_without_dask_the_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BotError, match=r"pip install .*\[cluster\]"):
        Cluster("tcp://127.0.0.1:8786")


@needs_dask
def test_an_address_without_a_port_starts_no_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask's client would complain at the end, twenty seconds later."""
    import distributed

    monkeypatch.setattr(distributed, "Client", lambda *_, **__: pytest.fail("a client was started"))
    with pytest.raises(BotError, match=r"no Dask scheduler answers at somewhere \(missing port number"):
        Cluster("somewhere")
