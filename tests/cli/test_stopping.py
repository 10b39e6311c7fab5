"""What a run keeps and says that is asked to stop, by Ctrl-C, SIGTERM or a closed terminal."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.signals import as_from_a_terminal

pty = pytest.importorskip("pty", reason="kills with the signals of a Unix terminal")

RUN = ("run", "--practice", "--virtual", "--games", "100000", "--no-record")
SIMULATE = ("simulate", "--games", "10000000")

PROJECT = Path(__file__).parents[2]

Start = Callable[..., "subprocess.Popen[str]"]


def begun(db: Path, process: subprocess.Popen[str]) -> None:
    """Wait until games are kept."""
    until = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < until:
        if db.exists() and kept(db):
            return
        time.sleep(0.05)
    pytest.fail("no game was kept")


def kept(db: Path) -> int:
    with closing(sqlite3.connect(db)) as connection:
        try:
            (games,) = connection.execute("SELECT count(*) FROM games").fetchone()
        except sqlite3.OperationalError:  # it is being made
            return 0
    return int(games)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
@pytest.mark.parametrize("words", [RUN, SIMULATE, (*SIMULATE, "--jobs", "2")])
def test_a_signal_ends_it_with_its_table_and_its_own_status(
    words: tuple[str, ...], number: signal.Signals, status: int, tmp_path: Path, start_minebot: Start
) -> None:
    db = tmp_path / "db.sqlite"
    process = start_minebot(*words, "--db", db)
    begun(db, process)
    if number == signal.SIGTERM:  # `kill` names one process, a terminal signals all that runs in it
        process.send_signal(number)
    else:
        os.killpg(process.pid, number)
    out, told = process.communicate(timeout=240)
    assert process.returncode == status
    assert "Traceback" not in told
    assert "stopped" in told
    assert "won" in out
    assert all_gone(process.pid)
    # What is told was kept.
    if words[0] == "simulate":
        assert f" of {kept(db)} games" in out


ENDS_LONG = """\
import time

from bot.lab.workers import Processes
from bot.process.interrupts import stop_like_ctrl_c

stop_like_ctrl_c()
with Processes(2).executor() as pool:
    shutdown = pool.shutdown

    def told(**words: bool) -> None:
        print("ends", flush=True)
        shutdown(**words)

    pool.shutdown = told
    games = pool.submit(time.sleep, 600)
    print("plays", flush=True)
    games.result()
"""
"""Plays a batch for longer than anyone waits, and says when it is interrupted in its games and at its end."""

WAITS_S = 1.0
"""After such a word the process begins to wait. Python does not see a signal that comes just before a thread
begins to wait for another until the next one."""


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_the_games_in_hand_too(second: signal.Signals) -> None:
    """The processes that play were never told to end, and waited for without end."""
    process = subprocess.Popen(
        [sys.executable, "-c", ENDS_LONG],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=as_from_a_terminal,
    )
    with process:
        try:
            assert process.stdout is not None
            for line, number in (("plays\n", signal.SIGINT), ("ends\n", second)):
                assert process.stdout.readline() == line
                time.sleep(WAITS_S)
                process.send_signal(number)
            _, told = process.communicate(timeout=60)
            assert told.splitlines()[-1].endswith("Interrupt")
            assert all_gone(process.pid)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


STARTED = 24
"""Processes that are interrupted while they start."""

HOLDS_BACK = subprocess.run(["env", "--block-signal=INT", "true"], capture_output=True).returncode == 0


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The command that install.sh puts in the place of pip's."""
    if not HOLDS_BACK:
        pytest.skip("this env cannot hold signals back: pip's minebot stays")
    minebot = tmp_path / "minebot"
    shutil.copy(PROJECT / "executable" / "minebot.sh", minebot)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{PROJECT}" exec "{sys.executable}" "$@"\n')
    for program in (minebot, python):
        program.chmod(0o755)
    return minebot


@pytest.mark.slow
def test_the_installed_command_plays_in_several_processes(installed: Path) -> None:
    """Each of them began with the command once more, and none played."""
    words = [str(installed), "simulate", "--level", "beginner", "--games", "40", "--jobs", "2", "--no-db"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stderr) == (0, "")
    assert "40" in done.stdout


@pytest.mark.slow
def test_a_ctrl_c_while_python_starts_is_no_traceback(installed: Path) -> None:
    """Of real ones within the first tenth of a second, pip's own minebot tells half as a traceback."""
    moments = Random(1)
    for _ in range(STARTED):
        process = subprocess.Popen(
            [installed, *SIMULATE, "--strategy", "local", "--no-db"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=as_from_a_terminal,
        )
        time.sleep(moments.uniform(0, 0.1))
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=240)
        # Before the shell has handed over, the signal ends it. Once click is at work, it adds an empty line.
        assert (process.returncode, told.lstrip("\n")) in ((130, "minebot: stopped\n"), (-signal.SIGINT, ""))


def as_from_nohup() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


@pytest.mark.slow
def test_a_hangup_that_is_ignored_stays_ignored(tmp_path: Path, start_minebot: Start) -> None:
    db = tmp_path / "db.sqlite"
    process = start_minebot(*SIMULATE, "--db", db, signals=as_from_nohup)
    begun(db, process)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=240)
    assert process.returncode == 143


def in_its_terminal() -> None:
    """Makes its stdin the terminal of a new session, whatever signals the tests were told to ignore."""
    os.close(os.open(os.ttyname(0), os.O_RDWR))
    as_from_a_terminal()


@pytest.mark.slow
def test_a_terminal_that_was_closed_takes_no_words_and_harms_nothing(tmp_path: Path) -> None:
    db = tmp_path / "db.sqlite"
    terminal, inside = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot.cli.main", *RUN, "--db", str(db)],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
        preexec_fn=in_its_terminal,
        cwd=PROJECT,
        text=True,
    )
    os.close(inside)
    try:
        os.set_blocking(terminal, False)
        begun(db, process)
        os.close(terminal)
        assert process.wait(60) == 129
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_workers_end_with_a_killed_simulate(tmp_path: Path, start_minebot: Start) -> None:
    db = tmp_path / "db.sqlite"
    process = start_minebot(*SIMULATE, "--jobs", "2", "--db", db, output=subprocess.DEVNULL)
    begun(db, process)
    assert len(session(process.pid)) >= 3
    process.kill()
    process.wait()
    assert all_gone(process.pid)


def all_gone(leader: int) -> bool:
    """Whether all that runs in a session ends within 20 s."""
    until = time.monotonic() + 20
    while session(leader) and time.monotonic() < until:
        time.sleep(0.05)
    return not session(leader)


def session(leader: int) -> list[int]:
    """The processes that run in a session."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, number = (folder / "stat").read_text().rsplit(")")[-1].split()[:4]
        except OSError:
            continue
        if int(number) == leader and state != "Z":
            found.append(int(folder.name))
    return found


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_a_make_that_is_killed_passes_it_on(tmp_path: Path) -> None:
    """It signals its shell alone: minebot has to be that one."""
    minebot = tmp_path / "minebot"
    minebot.write_text(
        '#!/bin/sh\n[ "$1" = run ] || exit 0\ntrap "echo stopped; exit 143" TERM\n'
        "echo plays\nwhile true; do sleep 0.1; done\n"
    )
    minebot.chmod(0o755)
    words = ["make", "--no-print-directory", "--old-file=install", "run", f"MINEBOT={minebot}"]
    with subprocess.Popen(
        words, cwd=PROJECT, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as make:
        assert make.stdout is not None
        try:
            assert make.stdout.readline() == "plays\n"
            make.terminate()
            assert make.stdout.readline() == "stopped\n"
        finally:
            os.killpg(make.pid, signal.SIGKILL)
