"""A game that cannot be recorded is played all the same."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.cli.main import main

WORDS = (
    *("run", "--practice", "--virtual", "--size", "5x5", "--mines", "3"),
    *("--games", "2", "--seed", "1", "--strategy", "local", "--no-db"),
)


def minebot(words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["minebot", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.slow
def test_a_folder_that_takes_no_recording_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert minebot([*WORDS, "--record", str(tmp_path / "file" / "recordings"), "--keep"], monkeypatch) == 0
    out, told = capsys.readouterr()
    assert out.count("5x5") == 2
    assert told.count("played without being recorded") == 1
    assert "recorded:" not in out


@pytest.mark.slow
def test_a_full_disk_is_told_and_the_games_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("bot.recording.write.Recorder._write", full)
    assert minebot([*WORDS, "--record", str(tmp_path)], monkeypatch) == 0
    out, told = capsys.readouterr()
    assert out.count("5x5") == 2
    assert told.count("No space left on device") == 1
    assert list(tmp_path.iterdir()) == []
    assert "Traceback" not in told
