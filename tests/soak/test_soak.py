"""The plan of a soak, and what counts as wrong in it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.soak import __main__ as soak
from tests.soak import faults, judge, plan


def line(outcome: str, reason: str = "") -> dict[str, Any]:
    return {"outcome": outcome, "reason": reason, "recording": "there"}


def wrong(fault: str, *lines: dict[str, Any], status: int | None = 0, **more: Any) -> list[str]:
    part = plan.Part(0, "winmine", "x11", len(lines), fault)
    return judge.faults_of(part, faults.FAULTS[fault], judge.Played(list(lines), status, **more))


def test_a_plan_has_its_games_and_every_fault_often_enough() -> None:
    parts = plan.plan(1000)
    assert 1000 <= sum(part.expected for part in parts) < 1010
    assert [part.number for part in parts] == list(range(len(parts)))
    counts = Counter(part.fault for part in parts)
    assert len(plan.FAULTS) == 14
    assert all(counts[fault] == plan.EACH for fault in plan.FAULTS)
    assert not [part for part in parts if part.fault and part.desktop == "windows"]
    assert counts["memory"] == 1
    for part in parts:
        assert part.desktop in plan.WINDOWS[part.window]
    assert {(part.window, part.desktop) for part in parts if not part.fault} == {
        (window, desktop) for window, desktops in plan.WINDOWS.items() for desktop in desktops
    }
    assert plan.plan(1000) == parts
    assert plan.plan(1000, seed=1) != parts


def test_what_was_wrong_is_played_again_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def play(part: plan.Part, folder: Path) -> dict[str, Any]:
        played.append(part.number)
        return part.words() | {"outcomes": ["won"], "wrong": ["something"] if len(played) == 1 else []}

    monkeypatch.setattr(soak, "_play", play)
    words = ["--folder", str(tmp_path), "--window", "practice", "--desktop", "openbox"]
    assert CliRunner().invoke(soak.command, words).exit_code == 1
    first, parts = played[0], len(played)
    assert parts > 2
    done = CliRunner().invoke(soak.command, [*words, "--again"])
    assert done.exit_code == 0, done.output
    # The plan has other parts of its kind; the wrong one is played, and nothing else.
    assert played[parts:] == [first]
    assert f"{parts} of " in done.output


def test_every_fault_says_how_it_may_end() -> None:
    assert set(faults.FAULTS) == {*plan.FAULTS, "memory", ""}


@pytest.mark.parametrize("outcome", ["failed", "stopped"])
def test_a_game_to_which_nothing_happens_is_played_to_its_end(outcome: str) -> None:
    assert not wrong("", line("won"), line("lost"))
    assert wrong("", line("won"), line(outcome, "why"), status=1)


def test_a_fault_excuses_what_it_causes_and_nothing_else() -> None:
    gone = "the window 'Mines' was closed or minimised: open it again and start once more"
    assert not wrong("closed", line("failed", gone), status=1)
    assert wrong("closed", line("failed", "8 clicks did nothing"), status=1)
    assert wrong("moved", line("failed", gone), status=1)
    assert wrong("closed", line("failed", gone), status=2)
    assert not wrong("level", line("stopped", "somebody began another game"), line("won"))
    assert wrong("moved", line("stopped", "somebody began another game"), line("won"))


def test_what_is_wrong_in_any_part() -> None:
    assert wrong("closed", line("won"), told="Traceback (most recent call last):\nKeyError")
    assert wrong("", line("lost"), without_guess=["there"])
    assert wrong("", line("won"), left=["7 Xvfb"])
    assert wrong("level", line("won"), not_done="the menu chose no other level")
    assert wrong("", line("won"), status=None)
    part = plan.Part(0, "winmine", "x11", 3)
    assert judge.faults_of(part, faults.FAULTS[""], judge.Played([line("won")], 0)) == ["1 games of 3"]


def test_memory_that_grows_is_seen() -> None:
    lines = [line("won")] * 200
    assert not wrong("memory", *lines, memory_mb=[200.0 + i % 20 for i in range(200)])
    assert wrong("memory", *lines, memory_mb=[200.0 + i / 2 for i in range(200)])
