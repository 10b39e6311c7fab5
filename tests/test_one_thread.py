"""The products of matrices that a reading takes are made in one thread."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from bot.process.one_thread import VARIABLES, in_one_thread, take_one_thread
from bot.vision.general.cell_reader import CellReader
from bot.vision.general.cell_windows import Floats, Looks
from bot.vision.general.network import Networks, networks
from training.reader.variety.varied import sample

SEVERAL = 2


def threads() -> set[int]:
    """Of all libraries that numpy and OpenCV make products with."""
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_a_call_takes_one_thread_and_leaves_what_was() -> None:
    with threadpool_limits(SEVERAL, user_api="blas"):
        before = threads()
        assert in_one_thread(threads)() == {1}
        assert threads() == before


def set_for_all(number: int) -> None:
    """By a thread that ends: while one lives that has set it, threadpoolctl heeds no other."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(threadpool_limits, number, user_api="blas").result(60)


@pytest.fixture
def several() -> Iterator[None]:
    before = max(threads())
    set_for_all(SEVERAL)
    yield
    set_for_all(before)


@pytest.mark.usefixtures("several")
def test_calls_in_several_threads_leave_what_was() -> None:
    begun, ended = Event(), Event()

    def first() -> None:
        assert begun.wait(60)

    def second() -> None:
        begun.set()
        assert ended.wait(60)  # until the first call is over

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.submit(in_one_thread(first)), pool.submit(in_one_thread(second))
        one.result(60)
        ended.set()
        other.result(60)
    assert threads() == {SEVERAL}


def test_all_of_a_grid_is_read_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[int]] = []
    opinions = Networks.opinions

    def watched(judges: Networks, features: Floats, looks: Looks) -> Floats:
        seen.append(threads())
        return opinions(judges, features, looks)

    monkeypatch.setattr(Networks, "opinions", watched)
    one = sample(0)
    with threadpool_limits(SEVERAL, user_api="blas"):
        reader = CellReader(networks())
        told = reader.read(one.image, one.grid)
        reader.read_anew(one.image, one.grid, told, told.is_cell > 0)
    assert seen == [{1}, {1}]


def test_what_the_user_says_of_threads_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    take_one_thread()
    assert [os.environ[name] for name in VARIABLES] == ["7", "1", "1"]


@pytest.mark.skipif((os.cpu_count() or 1) < SEVERAL, reason="one processor, one thread")
def test_the_command_takes_one_thread(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['minebot', 'solve', '#1']\n"
        "from bot.cli.main import main\n"
        "from threadpoolctl import threadpool_info\n"
        "try: main()\n"
        "except SystemExit as ended: assert ended.code == 0\n"
        "libraries = [one for one in threadpool_info() if one['user_api'] == 'blas']\n"
        "print(*(one['num_threads'] for one in libraries), file=sys.stderr)"
    )
    free = {name: value for name, value in os.environ.items() if name not in (*VARIABLES, "OMP_NUM_THREADS")}
    run = subprocess.run([sys.executable, "-c", code], env=free, capture_output=True, text=True, timeout=240)
    assert (run.returncode, set(run.stderr.split())) == (0, {"1"})
