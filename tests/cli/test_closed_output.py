"""Output that nobody reads to its end, as with `| head`: the command ends in silence, as by SIGPIPE."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there a pipe breaks in another way")

SIGPIPE = 141
"""The status of a shell for a program that this signal has ended."""

RECORDING = "practice-beginner"


def head(
    words: str, lines: int = 1, *, error_too: bool = False, folder: Path | None = None
) -> tuple[int, str]:
    """The status of a command of whose output only so many lines are read, and what it says on stderr."""
    read, write = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "bot.cli.main", *words.split()],
        stdout=write,
        stderr=write if error_too else subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=folder,
        text=True,
    ) as run:
        os.close(write)
        with os.fdopen(read, "rb", buffering=0) as output:
            for _ in range(lines):
                output.readline()
        told = "" if run.stderr is None else run.stderr.read()
        return run.wait(timeout=280), told


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("--help", 0),
        ("simulate --help", 0),
        ("completion bash", 0),
        ("solve 1##/###/###", 0),
        ("replay", 0),
        ("simulate --size 4x4 --mines 3 --games 20000 --strategy local --no-db --results -", 1),
    ],
)
def test_what_nobody_reads_to_its_end_ends_in_silence(words: str, lines: int) -> None:
    assert head(words, lines) == (SIGPIPE, "")


def test_an_error_that_nobody_reads() -> None:
    assert head("nosuch", 0, error_too=True)[0] == SIGPIPE


def test_a_file_that_was_asked_for_is_written_before_the_table(tmp_path: Path) -> None:
    words = f"review {RECORDING} --rawvf a.rawvf --html a.html"
    status, told = head(words, 0, folder=tmp_path)
    assert status == SIGPIPE
    assert "Broken" not in told
    assert {one.name for one in tmp_path.iterdir()} == {"a.rawvf", "a.html"}


def test_all_files_of_a_recording_are_written_before_they_are_told(tmp_path: Path) -> None:
    words = f"replay {RECORDING} --gif a.gif --html a.html --json"
    assert head(words, 0, folder=tmp_path) == (SIGPIPE, "")
    assert {one.name for one in tmp_path.iterdir()} == {"a.gif", "a.html"}


@pytest.mark.slow
def test_a_run_whose_table_nobody_reads(tmp_path: Path) -> None:
    words = "run --practice --virtual --seed 1 --strategy local --no-db --no-record"
    status, told = head(words, 0)
    assert status == SIGPIPE
    assert "Broken" not in told
    assert "Traceback" not in told
