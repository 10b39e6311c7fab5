"""What holds for every test: no unexpected warning, no real display, nothing in the user's own folders."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.files import user_cache
from bot.process.interrupts import SIGNALS
from bot.process.one_thread import take_one_thread
from tests.clock import SkippingClock
from tests.signals import as_from_a_terminal

take_one_thread()  # as minebot's command does; numpy asks when it is first imported

NO_DISPLAY = ":64999"
"""No X server listens there, so a test that opens a display by mistake fails instead of using yours."""

COMPILED = user_cache() / "solver"
"""The compiled solver of the user who runs the tests: compiling it anew for each test would take minutes."""

WAITING = tuple(
    Path(__file__).with_name(name) for name in ("targets", "calibrate", "theming", "test_assist.py")
)
"""Tests that mostly wait, for windows that are drawn in memory and move by the clock."""


def pytest_configure(config: pytest.Config) -> None:
    """Turn every warning into an error; a test that expects one says so with `pytest.warns`."""
    # Each process of the tests would spend ten seconds on what pytest makes of their files, also where the
    # environment asks Python to keep nothing.
    sys.dont_write_bytecode = False
    config.addinivalue_line("filterwarnings", "error")
    # python3-xlib leaves the file open that it reads first.
    config.addinivalue_line("filterwarnings", "ignore:unclosed file.*Xauthority:ResourceWarning")
    # Another run of the tests is removing the same old temporary folders.
    config.addinivalue_line("filterwarnings", r"ignore:\(rm_rf\) error removing:pytest.PytestWarning")
    # pytest-benchmark says that it does not measure beside other processes: that is as it should be.
    config.addinivalue_line("filterwarnings", "ignore::pytest_benchmark.logger.PytestBenchmarkWarning")
    # A shell that starts the tests in the background has Ctrl-C ignored, and so would all that they start.
    with contextlib.suppress(ValueError):  # only the main thread may say so
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What may take longest, by its own time limit, begins first: else all wait for it in the end."""

    def limit_s(item: pytest.Item) -> float:
        own = item.get_closest_marker("timeout")
        return float(own.args[0]) if own is not None and own.args else 0.0

    items.sort(key=limit_s, reverse=True)


@pytest.fixture(autouse=True)
def _no_real_display(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only tests marked `windows` may open a display; the others could not, even by mistake."""
    if request.node.get_closest_marker("windows") is None:
        monkeypatch.setenv("DISPLAY", NO_DISPLAY)
        for variable in ("WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "XAUTHORITY"):
            monkeypatch.delenv(variable, raising=False)


@pytest.fixture(autouse=True)
def _clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if any(request.path.is_relative_to(one) for one in WAITING):
        SkippingClock().take_over(monkeypatch)


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A folder of the test's own for settings and recordings; the compiled solver is shared."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("MINEBOT_HOME", str(home))
    place = home / "cache" / "solver"
    place.parent.mkdir()
    COMPILED.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # Windows lets not everybody make links
        place.symlink_to(COMPILED, target_is_directory=True)
    if not place.exists():  # nor does Wine, which says that it made one
        monkeypatch.setenv("MINEBOT_CACHE", str(COMPILED.parent))


@pytest.fixture(autouse=True)
def _not_silenced() -> Iterator[None]:
    """What a game of the terminal silences in the process of the tests, it silences for one test."""
    yield
    for name in ("bot.solver.jit.compiler", "bot.process.progress"):
        if name in sys.modules:
            sys.modules[name].__dict__["_silent"] = False


@pytest.fixture(autouse=True)
def _no_signal_handler_stays() -> Iterator[None]:
    """What minebot does with signals in the process of the tests, it does for one test: at its end it leaves
    them to end the process at once, and the next test's Ctrl-C would."""
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in handlers.items():
        if signal.getsignal(number) is not handler:
            signal.signal(number, handler)


@pytest.fixture(autouse=True)
def _no_log_lines(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test in which something was logged as a warning or worse."""
    yield
    lines = [
        record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.WARNING
    ]
    assert not lines, f"unexpected log lines: {lines}"


class Done(NamedTuple):
    """What a run of minebot left: its exit status and all that it wrote."""

    returncode: int
    out: bytes
    err: bytes

    @property
    def stdout(self) -> str:
        return self.out.decode()

    @property
    def stderr(self) -> str:
        return self.err.decode()


@pytest.fixture
def minebot(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Done]:
    """Runs minebot with these words to its end, in this process: a new one takes seconds to load the solver.

    What libraries write past Python is caught too. Where signals, the end of a process or what it imports is
    tested, `start_minebot` starts a real one.
    """
    from bot.cli.main import main

    def run(*words: str | Path, given: str = "") -> Done:
        monkeypatch.setattr(sys, "argv", ["minebot", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfdbinary.readouterr()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, out, err)

    return run


@pytest.fixture
def start_minebot() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts minebot with these words, in a session of its own and in the folder of the project. `signals` is
    called in the new process and says what becomes of them there.

    What of it still runs after the test, its workers included, is killed: a test that gave up waiting leaves
    nothing behind.
    """
    started: list[subprocess.Popen[str]] = []

    def start(
        *words: str | Path,
        output: int = subprocess.PIPE,
        signals: Callable[[], None] = as_from_a_terminal,
    ) -> subprocess.Popen[str]:
        # Windows has no sessions.
        apart: dict[str, Any] = {"start_new_session": True, "preexec_fn": signals}
        process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli.main", *map(str, words)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            text=True,
            cwd=Path(__file__).parents[1],
            **({} if sys.platform == "win32" else apart),
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if sys.platform == "win32":
            process.kill()
        else:
            # The group outlives its first process as long as a worker runs.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
