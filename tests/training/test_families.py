"""Boards of all families that no training sees, drawn by one command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from training.reader.families import FAMILIES, RESCALED, main, painter_command


def ran(monkeypatch: pytest.MonkeyPatch, fails: str = "") -> list[str]:
    """The families whose painters are started from now on, in that order; one of them fails."""
    started: list[str] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        family = command[command.index("--family") + 1]
        started.append(family)
        is_wrong = family == fails
        return subprocess.CompletedProcess(command, int(is_wrong), "", "a line\nno screen\n" * is_wrong)

    monkeypatch.setattr(subprocess, "run", run)
    return started


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


@pytest.mark.parametrize("family", FAMILIES)
def test_each_painter_knows_its_command(family: str, tmp_path: Path) -> None:
    command = [*painter_command(family, 0, 5, tmp_path), "--help"]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
