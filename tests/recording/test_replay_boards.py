"""What recordings tell of their boards, the mines and the first click: `minebot replay` and its --boards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from games import RULES, make_header, picture

from bot.board import Action, Board, Move, Outcome, Phase, Result, Rules
from bot.cli import replay as cli
from bot.geometry import Point
from bot.recording.write import Recorder
from bot.strategy.base import Decision, Kind
from bot.vision.reading import Reading

FIRST, LAST = Move(Action.OPEN, 1, 0), Move(Action.OPEN, 1, 2)
BOARDS = ("###/###", ".1#/.1#", ".1*/.11")
"""Before the first click, after it, and after the last one, which wins."""


def record(
    folder: Path, events: Sequence[str | Move | Decision], *, clicks: bool = False, rules: Rules = RULES
) -> Path:
    """A recording of boards, and of moves of a person, or `clicks` of the bot."""
    header = make_header(options={} if clicks else {"watch": True}, rules=rules)
    with Recorder(folder, header) as recorder:
        for event in events:
            if isinstance(event, Decision):
                recorder.decision(0, event)
            elif isinstance(event, str):
                board = Board.parse(event.replace("/", "\n"))
                frame = recorder.frame(picture(board), 0, 0)
                phase = Phase.WON if "*" in event else Phase.PLAYING if "1" in event else Phase.READY
                recorder.board(
                    frame,
                    Reading(board, np.zeros((2, 3), np.float32)),
                    phase,
                    None if phase is Phase.READY else 1,
                )
            elif clicks:
                recorder.click(event, Point(3, 4))
            else:
                recorder.person(event)
        recorder.outcome(Outcome(Result.WON), seconds=1.0, clicks=0, guesses=0, survival=1.0, bbbv=2)
    return folder


DECIDED = Decision(Kind.FIRST, "first click", ((0, 0),))


@pytest.mark.parametrize(
    "events",
    [
        (BOARDS[0], DECIDED, BOARDS[1], FIRST, BOARDS[2], LAST),
        (BOARDS[0], FIRST, BOARDS[1], LAST, BOARDS[2]),
        (DECIDED, BOARDS[1], FIRST, BOARDS[2], LAST),
        ("###/##F", Move(Action.FLAG, 1, 2), BOARDS[0], BOARDS[1], FIRST, BOARDS[2], LAST),
    ],
    ids=["after the board", "before it", "untouched before the record", "flags first"],
)
def test_the_first_click_of_a_person_is_told(events: Sequence[str | Move | Decision], tmp_path: Path) -> None:
    out = tmp_path / "boards.txt"
    done = CliRunner().invoke(cli.command, [str(record(tmp_path / "game", events)), "--boards", str(out)])
    assert done.exit_code == 0, done.output
    assert done.stdout == f"wrote 1 board to {out}; the first click is 1,0\n"
    assert out.read_text() == "3 2 1 2\n"


@pytest.mark.parametrize("clicks", [False, True])
def test_a_game_that_was_begun_before_does_not_tell_its_first_click(clicks: bool, tmp_path: Path) -> None:
    untold = record(tmp_path / "game", (BOARDS[1], LAST, BOARDS[2]), clicks=clicks)
    whole = record(tmp_path / "whole", (BOARDS[0], FIRST, BOARDS[1], LAST, BOARDS[2]), clicks=clicks)
    out = tmp_path / "boards.txt"
    done = CliRunner().invoke(cli.command, [str(untold), str(whole), "--boards", str(out)])
    assert (done.exit_code, out.read_text()) == (0, "3 2 1 2\n")
    assert f"{untold}: it does not tell the first click and every mine: left out" in done.stderr


def test_the_list_tells_mines_that_were_known_only_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.files.shipped", lambda name: tmp_path / name)
    monkeypatch.setattr("bot.recording.store.recordings_folder", lambda folder: tmp_path / "own")
    rules = replace(RULES, mines=None)
    record(tmp_path / "recordings" / "a", BOARDS, rules=rules)
    record(tmp_path / "recordings" / "b", BOARDS[:1], rules=rules)
    done = CliRunner().invoke(cli.command, ["--json"])
    assert [json.loads(line)["mines"] for line in done.stdout.splitlines()] == [1, None]
