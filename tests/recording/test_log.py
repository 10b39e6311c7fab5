"""The log of a run, for people."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import make_header, record_game

from bot.board import Action, Move, Outcome, Result
from bot.errors import BotError
from bot.geometry import Point
from bot.recording.log import LoggedRecord, RunLog
from bot.recording.read import load
from bot.recording.record import NullRecorder
from bot.recording.write import Recorder
from bot.strategy.base import Decision, Kind

TOLD: list[str] = []


def test_what_was_seen_decided_and_clicked_is_there(tmp_path: Path) -> None:
    log = RunLog(tmp_path / "logs" / "run.log", TOLD.append)
    with LoggedRecord(NullRecorder(), log) as record:
        record.decision(0, Decision(Kind.CERTAIN, "single", ((1, 2),), reason="a 1 with its mine"))
        record.click(Move(Action.OPEN, 1, 2), Point(40, 50), attempt=2)
        record.person(Move(Action.FLAG, 3, 4))
        record.note("the window moved")
        record.outcome(Outcome(Result.WON, ""), seconds=1.5, clicks=7, guesses=1, survival=0.9, bbbv=None)
    log.close()
    log.close()
    lines = (tmp_path / "logs" / "run.log").read_text(encoding="utf-8").splitlines()
    assert [line.split()[1] for line in lines] == ["decided", "clicked", "person", "note", "ended"]
    assert "open 1,2" in lines[0]
    assert "at 40,50, attempt 2" in lines[1]
    assert "won in 1.50 s, 7 clicks, 1 guesses" in lines[4]
    assert record.folder is None


def test_the_recording_beside_it_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = record_game(tmp_path / "plain")
    log = RunLog(tmp_path / "run.log", TOLD.append)
    monkeypatch.setattr("games.Recorder", lambda *words: LoggedRecord(Recorder(*words), log))
    logged = record_game(tmp_path / "logged")
    log.close()
    one, other = load(plain), load(logged)
    assert [type(event) for event in one.events] == [type(event) for event in other.events]
    text = (tmp_path / "run.log").read_text(encoding="utf-8")
    assert text.count("seen     frame") == sum(type(event).__name__ == "BoardEvent" for event in one.events)
    assert make_header().target == one.header.target


def test_a_disk_that_fails_ends_the_log_once(tmp_path: Path) -> None:
    warned: list[str] = []
    if Path("/dev/full").exists():
        log = RunLog(tmp_path / "run.log", warned.append)
        log.close()
        with Path("/dev/full").open("w", buffering=1) as full:
            log._file = full
            log.write("something")
            log.write("something")
        assert len(warned) == 1
        assert "No space left" in warned[0]


def test_a_log_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BotError, match="cannot be written"):
        RunLog(tmp_path / "file" / "run.log", TOLD.append)
