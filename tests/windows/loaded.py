"""minebot as a copy of a process that has loaded it: to load the solver takes over a second of each new one.

A run is a process like any other, with its own number, signals, pipes and end. What the process that it is
copied from has done is to import, and to play a small game in memory.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[2]

MESSAGE_BYTES = 200_000
"""Room for the words and the environment of a run."""

OF_THE_TESTS = dict(os.environ)
"""The environment in which the tests were started: what is compiled is kept in the user's own folder."""


class Run(subprocess.Popen[str]):
    """A run of minebot with the methods of a `Popen` whose pipes are text."""

    _child_created = False  # for Popen: there is nothing that it would have to wait for

    def __init__(self, pid: int, words: Sequence[str], ended: socket.socket, out: int, told: int) -> None:
        """`ended` says the exit status, as `os.waitstatus_to_exitcode` gives it."""
        self.pid, self.args, self.returncode = pid, ["minebot", *words], None
        self._ended = ended
        self.stdin = None
        self.stdout, self.stderr = os.fdopen(out), os.fdopen(told)
        self._readers: list[_Reader] = []

    def poll(self) -> int | None:
        """The exit status once it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, waited for."""
        if self.returncode is None:
            self._ended.settimeout(timeout)
            try:
                status = self._ended.recv(16)
            except (TimeoutError, BlockingIOError):
                assert timeout is not None
                raise subprocess.TimeoutExpired(self.args, timeout) from None
            assert status, "the process that minebot is copied from has ended"
            self._ended.close()
            self.returncode = int(status)
        assert self.returncode is not None
        return self.returncode

    def communicate(self, input: Any = None, timeout: float | None = None) -> tuple[str, str]:
        """All that it writes until it has ended."""
        assert input is None
        if not self._readers:
            self._readers = [_Reader(stream) for stream in (self.stdout, self.stderr)]
        self.wait(timeout)
        out, told = (reader.all() for reader in self._readers)
        return out, told

    def send_signal(self, sig: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, sig)

    def close(self) -> None:
        """Kill it if it runs, and close its pipes."""
        self.kill()
        self.wait()
        for stream in (self.stdout, self.stderr):
            assert stream is not None
            stream.close()


class _Reader(threading.Thread):
    """Reads a pipe to its end, so that it is never full."""

    def __init__(self, stream: IO[str] | None) -> None:
        super().__init__(daemon=True)
        assert stream is not None
        self._stream, self._text = stream, ""
        self.start()

    def run(self) -> None:
        self._text = self._stream.read()

    def all(self) -> str:
        """All of it, once it has ended."""
        self.join()
        return self._text


class Loader:
    """The process that has loaded minebot."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._asked = ours
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__)), str(theirs.fileno())],
                cwd=ROOT,
                env=OF_THE_TESTS | {"PYTHONPATH": str(ROOT)},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )

    def run(self, words: Sequence[str], env: Mapping[str, str], stdin: int = subprocess.DEVNULL) -> Run:
        """Start minebot with these words and this environment, in the folder of the project."""
        ours, theirs = socket.socketpair()
        out, to_out = os.pipe()
        told, to_told = os.pipe()
        given = os.open(os.devnull, os.O_RDONLY) if stdin == subprocess.DEVNULL else os.dup(stdin)
        message = json.dumps({"words": words, "env": dict(env)}).encode()
        socket.send_fds(self._asked, [message], [given, to_out, to_told, theirs.fileno()])
        for each in (given, to_out, to_told):
            os.close(each)
        theirs.close()
        pid = ours.recv(16)
        assert pid, "the process that minebot is copied from has ended"
        return Run(int(pid), words, ours, out, told)

    def close(self) -> None:
        """End it; runs that go on are not ended."""
        self._asked.close()
        self._process.wait(20)


@functools.cache
def loader() -> Loader:
    """The one of this process, which ends with it."""
    one = Loader()
    atexit.register(one.close)
    return one


def load() -> None:
    """Import what `minebot run` does, and fetch what was compiled for it."""
    for name in (
        "cli.run",
        "cli.parts.live_report",
        "recording.write",
        "session",
        "targets.window.window_target",
    ):
        import_module(f"bot.{name}")
    from bot.board import Rules
    from bot.lab.games import Player, Task, play_loop

    play_loop(Task(Rules(9, 9, 10), seed=0), Player("best").made())


def copies(asked: socket.socket) -> bool:
    """Make a copy of this process for each run that is asked for.

    True in each copy, which has become that run but for its main program; False where nobody is left to ask.
    """
    running: dict[int, socket.socket] = {}
    woken, waking = socket.socketpair()
    with asked, woken, waking, selectors.DefaultSelector() as selector:
        for each in (woken, waking):
            each.setblocking(False)
        signal.set_wakeup_fd(waking.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)  # so that its coming is written there
        selector.register(asked, selectors.EVENT_READ)
        selector.register(woken, selectors.EVENT_READ)
        while True:
            ready = [key.fileobj for key, _ in selector.select()]
            if woken in ready:
                woken.recv(4096)
                report(running)
            if asked in ready:
                message, files, _, _ = socket.recv_fds(asked, MESSAGE_BYTES, 4)
                if not message:
                    return False
                pid = os.fork()
                if pid == 0:
                    become(json.loads(message), files)
                    return True
                for file in files[:3]:
                    os.close(file)
                running[pid] = socket.socket(fileno=files[3])
                running[pid].send(str(pid).encode())


def report(running: dict[int, socket.socket]) -> None:
    """Tell of each run that has ended what its exit status is."""
    for pid in list(running):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            with running.pop(pid) as listener, contextlib.suppress(BrokenPipeError):
                listener.send(str(os.waitstatus_to_exitcode(status)).encode())


def become(asked: dict[str, Any], files: Sequence[int]) -> None:
    """Take over the words, the environment and the standard streams of a run."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.argv = ["minebot", *asked["words"]]
    for number, file in enumerate(files):
        if number < 3:
            os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout = open(0), open(1, "w")  # noqa: SIM115 (as long as the process)
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace")  # noqa: SIM115


def main() -> None:
    """Load, and be copied."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests
    load()
    if copies(socket.socket(fileno=int(sys.argv[1]))):
        from bot.cli.main import main as minebot

        minebot()


if __name__ == "__main__":
    main()
