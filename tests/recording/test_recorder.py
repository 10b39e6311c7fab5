from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from games import BOARDS, CodeReader, LeftToRight, make_header, picture, record_game

from bot.board import Action, Move, Outcome, Phase, Result
from bot.errors import BotError
from bot.geometry import Point
from bot.recording import write
from bot.recording.format import DecisionEvent, NoteEvent
from bot.recording.read import load
from bot.recording.record import NullRecorder, Record
from bot.recording.replay import replay
from bot.recording.write import Recorder
from bot.strategy.base import Candidate, Decision, Kind

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def test_a_recording_is_never_written_over(tmp_path: Path) -> None:
    folder = record_game(tmp_path / "game")
    before = (folder / "game.jsonl").read_bytes()
    with pytest.raises(BotError, match="a recording lies there already"):
        Recorder(folder, make_header())
    assert (folder / "game.jsonl").read_bytes() == before


@pytest.mark.parametrize("folder", ["file", "file/game"])
def test_a_folder_that_cannot_be_made_says_what_to_do(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BotError, match=r"cannot record there .*--no-record"):
        Recorder(tmp_path / folder, make_header())


def test_a_picture_that_is_changed_later_was_copied(tmp_path: Path) -> None:
    image = picture(BOARDS[0])
    with Recorder(tmp_path / "game", make_header()) as record:
        record.frame(image, 0, 0)
        image[:] = 0
    recording = load(tmp_path / "game")
    assert (recording.frame(recording.frames[0]) == picture(BOARDS[0])).all()


def test_the_pixels_of_a_capture_are_kept_exactly(tmp_path: Path) -> None:
    bgra = np.random.default_rng(1).integers(0, 256, (56, 56, 4), dtype=np.uint8)
    shot = np.frombuffer(bgra.tobytes(), dtype=np.uint8).reshape(bgra.shape)[:, :, :3]
    with Recorder(tmp_path / "game", make_header()) as record:
        record.frame(shot, 0, 0)
    recording = load(tmp_path / "game")
    assert (recording.frame(recording.frames[0]) == bgra[:, :, :3]).all()


def test_a_disk_that_fails_ends_the_recording_with_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    with Recorder(tmp_path / "game", make_header(), told.append) as record:
        record.note("before")
        record.frame(picture(BOARDS[0]), 0, 0)
        while lines_of(tmp_path / "game") < 3:
            time.sleep(0.001)

        def full(path: Path, content: bytes) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(write, "write_output", full)
        record.frame(picture(BOARDS[1]), 0, 0)
        record.frame(picture(BOARDS[2]), 0, 0)
        record.note("after")
    assert len(told) == 1
    assert "No space left on device" in told[0]
    assert "the game goes on" in told[0]
    assert record.ended
    recording = load(tmp_path / "game")
    assert [type(event).__name__ for event in recording.events] == ["NoteEvent", "FrameEvent"]
    assert not recording.truncated


@pytest.mark.skipif(sys.platform == "win32", reason="no folder with an open file can be removed there")
def test_a_folder_that_vanishes_ends_the_recording_with_one_warning(tmp_path: Path) -> None:
    told: list[str] = []
    with Recorder(tmp_path / "game", make_header(), told.append) as record:
        record.frame(picture(BOARDS[0]), 0, 0)
        while lines_of(tmp_path / "game") < 2:
            time.sleep(0.001)
        shutil.rmtree(tmp_path / "game")
        record.frame(picture(BOARDS[1]), 0, 0)
        record.frame(picture(BOARDS[2]), 0, 0)
    assert len(told) == 1
    assert "the game goes on" in told[0]
    assert record.ended
    assert list(tmp_path.iterdir()) == [], "pictures without their log are found by nobody"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_line_that_no_longer_fits_is_taken_back(tmp_path: Path) -> None:
    script = f"""
import resource, sys
sys.path[:0] = [{str(HERE)!r}, {str(ROOT)!r}]
from pathlib import Path
from games import make_header
from bot.recording.write import Recorder
told = []
with Recorder(Path({str(tmp_path / "game")!r}), make_header(), told.append) as record:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))
    for number in range(100):
        record.note(f"note {{number}}")
assert len(told) == 1, told
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    recording = load(tmp_path / "game")
    assert not recording.truncated
    lines = (tmp_path / "game" / "game.jsonl").read_bytes().splitlines(keepends=True)
    notes = [event.text for event in recording.events if isinstance(event, NoteEvent)]
    assert len(notes) == len(recording.events) == len(lines) - 1
    assert notes == [f"note {number}" for number in range(len(notes))]
    size = sum(map(len, lines))
    assert size <= 1500 < size + len(lines[-1]) + 1, "the next line would have fitted"


def lines_of(folder: Path) -> int:
    return len((folder / "game.jsonl").read_bytes().splitlines())


def test_what_happens_is_written_once_nothing_more_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "LINGER_S", 60.0)
    monkeypatch.setattr(write, "QUIET_S", 60.0)
    with Recorder(tmp_path / "game", make_header()) as record:
        record.frame(picture(BOARDS[0]), 0, 0)
        record.note("soon")
        time.sleep(0.05)
        assert lines_of(tmp_path / "game") == 1
        monkeypatch.setattr(write, "LINGERING", 100)
        record.frame(picture(BOARDS[1]), 0, 0)  # many pictures do not wait
        while lines_of(tmp_path / "game") < 4:
            time.sleep(0.001)
        record.note("later")
        time.sleep(0.05)
        assert lines_of(tmp_path / "game") == 4
    assert lines_of(tmp_path / "game") == 5


@pytest.mark.parametrize("short", ["LINGER_S", "QUIET_S"])
def test_what_happens_does_not_wait_for_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: str
) -> None:
    monkeypatch.setattr(write, "LINGER_S", 60.0)
    monkeypatch.setattr(write, "QUIET_S", 60.0)
    monkeypatch.setattr(write, short, 0.01)
    with Recorder(tmp_path / "game", make_header()) as record:
        record.note("soon")
        while lines_of(tmp_path / "game") < 2:
            time.sleep(0.001)


def test_pictures_that_wait_too_long_end_the_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "MAX_WAITING", 100)
    told: list[str] = []
    with Recorder(tmp_path / "game", make_header(), told.append) as record:
        record.frame(picture(BOARDS[0]), 0, 0)
        record.frame(picture(BOARDS[1]), 0, 0)
    assert ["too slow" in text for text in told] == [True]


def test_a_mistake_of_the_caller_does_not_stop_the_game(tmp_path: Path) -> None:
    told: list[str] = []
    with Recorder(tmp_path / "game", make_header(), told.append) as record:
        record.board(7, CodeReader().read(picture(BOARDS[0])), Phase.PLAYING, 1)
        record.note("after")
    assert len(told) == 1
    assert load(tmp_path / "game").events == ()


def test_numbers_of_numpy_are_written(tmp_path: Path) -> None:
    told: list[str] = []
    one = np.int64(1)
    with Recorder(tmp_path / "game", make_header(), told.append) as record:
        decision = Decision(
            Kind.GUESS,
            "x",
            safe=((one, one),),
            survival=np.float32(0.5),
            chances={(one, one): np.float64(0.5)},
        )
        record.decision(0, decision)
        record.click(Move(Action.OPEN, one, one), Point(one, one))
    assert told == []
    assert len(load(tmp_path / "game").events) == 2


def test_nothing_after_close(tmp_path: Path) -> None:
    record = Recorder(tmp_path / "game", make_header())
    record.close()
    record.note("late")
    record.close()
    assert load(tmp_path / "game").events == ()


def test_the_null_recorder_takes_the_same_calls(tmp_path: Path) -> None:
    image = picture(BOARDS[0])
    reading = CodeReader().read(image)
    null = NullRecorder()
    records: list[Record] = [null, Recorder(tmp_path / "game", make_header())]
    for record in records:
        with record as same:
            assert same is record
            record.board(record.frame(image, 0, 0), reading, Phase.READY, None, faults=["why"])
            record.decision(0, Decision(Kind.NONE, "none"))
            record.click(Move(Action.FLAG, 0, 0), Point(0, 0), attempt=2)
            record.note("x")
            record.outcome(Outcome(Result.STOPPED), seconds=None, clicks=0, guesses=0, survival=1, bbbv=None)
    assert null.folder is None
    assert len(load(tmp_path / "game").events) == 6


KILLED = f"""
import sys
sys.path[:0] = [{str(HERE)!r}, {str(ROOT)!r}]
from pathlib import Path
import numpy as np
from games import *
record = Recorder(Path(sys.argv[1]), make_header())
reader, number = CodeReader(), 0
while True:
    image = picture(BOARDS[number % 3])
    image[0, :3, 0] = [number % 256, number // 256 % 256, number // 65536]
    phase = Phase.WON if number % 3 == 2 else Phase.PLAYING
    record.board(record.frame(image, 0, 0), reader.read(image, header=True), phase, 1)
    if number % 3 < 2:
        record.decision(1, LeftToRight().decide(Observation(BOARDS[number % 3], Phase.PLAYING, RULES), 1))
    number += 1
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize("lines", [2, 30, 200])
def test_a_killed_process_leaves_what_replays(tmp_path: Path, lines: int) -> None:
    folder = tmp_path / "game"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(folder)])
    try:
        log = folder / "game.jsonl"
        deadline = time.monotonic() + 60
        while not log.exists() or log.read_bytes().count(b"\n") < lines:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.001)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    recording = load(folder)
    assert len(recording.events) >= lines - 1
    assert recording.outcome is None
    result = replay(recording, CodeReader().on, LeftToRight())
    assert result.differences == []
    assert result.frames == len(recording.frames)


def test_what_a_guess_was_chosen_from_is_kept(tmp_path: Path) -> None:
    decision = Decision(
        Kind.GUESS,
        "value",
        ((0, 1),),
        survival=0.75,
        candidates=(
            Candidate((0, 1), 0.75, score=1 / 3),
            Candidate((1, 2), 0.5, most=0.25),
            Candidate((1, 1), 1.0, 1.0),
        ),
        nodes=7,
    )
    with Recorder(tmp_path / "game", make_header(), print) as recorder:
        recorder.decision(3, decision)
    (event,) = load(tmp_path / "game").events
    assert isinstance(event, DecisionEvent)
    assert [(each.cell, each.survival, each.win, each.most, each.score) for each in event.candidates] == [
        ((0, 1), 0.75, None, None, 0.333333),
        ((1, 2), 0.5, None, 0.25, None),
        ((1, 1), 1.0, 1.0, None, None),
    ]
    assert event.nodes == 7
