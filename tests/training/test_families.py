"""Boards of all families that no training sees, drawn by one command."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

from bot.process import children
from tests.signals import gone
from training.reader import families
from training.reader.families import FAMILIES, RESCALED, main, painter_command


def ran(monkeypatch: pytest.MonkeyPatch, fails: str = "") -> list[str]:
    """The families whose painters are started from now on, in that order; one of them fails."""
    started: list[str] = []

    def start(command: list[str], stderr: IO[bytes], **_: object) -> Painter:
        family = command[command.index("--family") + 1]
        started.append(family)
        if family != fails:
            return Painter(0)
        stderr.write(b"a line\nno screen\n")
        return Painter(1)

    monkeypatch.setattr(children, "start", start)
    monkeypatch.setattr(families, "POLL_S", 0)
    return started


@dataclass
class Painter:
    """A painter that has ended."""

    returncode: int

    def poll(self) -> int:
        return self.returncode


def test_every_family_is_drawn_and_the_rescaled_one_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = ran(monkeypatch)
    monkeypatch.setattr(sys, "argv", ["families", "--seed", "5", "--out", str(tmp_path)])
    assert main() == 0
    assert sorted(started) == sorted(FAMILIES)
    assert started[-1] == RESCALED


def test_a_family_that_cannot_be_drawn_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    started = ran(monkeypatch, fails="tk")
    monkeypatch.setattr(sys, "argv", ["families", "--seed", "5", "--out", str(tmp_path)])
    assert main() == 1
    assert len(started) == len(FAMILIES)
    assert "tk: no screen" in capsys.readouterr().err.splitlines()


def test_what_is_rescaled_are_pages_of_the_same_folder(tmp_path: Path) -> None:
    command = painter_command(RESCALED, 84, 5, tmp_path)
    sources = [command[place + 1] for place, part in enumerate(command) if part == "--source"]
    pages = [name for name, one in FAMILIES.items() if one.painter == "html_pages"]
    assert sources == [str(tmp_path / name) for name in pages]
    assert "--source" not in painter_command(pages[0], 84, 5, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_each_painter_knows_its_command(family: str, tmp_path: Path) -> None:
    command = [*painter_command(family, 0, 5, tmp_path), "--help"]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0


SLOW = """
import sys
from training.reader import families
families.painter_command = lambda *_: [sys.executable, "-c", "import os, time; {there}; time.sleep(99)"]
sys.exit(families.main())
"""
"""The command with painters that only say that they are there, and wait."""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM can be sent on Windows: not tried there")
def test_where_the_command_is_stopped_no_painter_goes_on(tmp_path: Path) -> None:
    there = f"open(f'{tmp_path}/{{os.getpid()}}', 'w').close()"
    words = [sys.executable, "-c", SLOW.replace("{there}", there), "--seed", "5", "--out", str(tmp_path)]
    command = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 60
        while len(painters := [int(one.name) for one in tmp_path.iterdir()]) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        command.send_signal(signal.SIGTERM)
        assert command.communicate(timeout=30)[1].splitlines()[-1] == "stopped; the same command goes on"
        assert command.returncode == 128 + signal.SIGTERM
        assert len(painters) == 2
        assert all(map(gone, painters))
    finally:
        command.kill()
