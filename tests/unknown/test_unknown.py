"""What counts as wrong in the games of unknown windows."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from bot.board import Phase
from bot.recording.format import BoardEvent
from tests.unknown import __main__ as unknown
from tests.unknown import play
from tests.unknown.games import Missing
from tests.unknown.misread import left_by
from tests.unknown.play import Ran, Row


def line(outcome: str, reason: str = "") -> dict[str, Any]:
    return {"outcome": outcome, "reason": reason, "recording": "there"}


@pytest.fixture(autouse=True)
def guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every lost game was lost on a guess."""
    monkeypatch.setattr(play, "lost_without_guess", lambda folder: False)


def wrong(games: int, told: list[str] | None, *lines: dict[str, Any]) -> list[str]:
    ran = Ran(0, "\n".join(json.dumps(one) for one in lines), "what it said")
    return play._row(ran, games, told, []).wrong


def test_games_that_are_played_to_their_end_are_well() -> None:
    assert wrong(2, None, line("won"), line("lost")) == []
    assert wrong(2, ["won", "lost"], line("won"), line("lost")) == []


def test_what_must_not_happen_is_said() -> None:
    assert wrong(1, None, line("failed", "8 clicks did nothing")) == ["failed: 8 clicks did nothing"]
    assert wrong(2, None, line("won")) == ["1 of 2 games: what it said"]
    assert wrong(1, ["lost"], line("won"))
    assert wrong(1, ["won", "quit"], line("won"))


def test_a_game_that_was_lost_without_a_guess_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "lost_without_guess", lambda folder: True)
    assert wrong(2, None, line("won"), line("lost")) == ["lost without a guess: there"]


def test_both_tables_are_printed_and_anything_wrong_is_the_exit_status(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str, *_: object) -> Row:
        raise Missing("there is no xbomb")

    monkeypatch.setattr(unknown, "play", lambda *_: Row(["won", "lost"], [], "1.2 s", "F2"))
    monkeypatch.setattr(unknown, "learn", missing)
    done = CliRunner().invoke(unknown.command, ["xbomb 1"])
    assert "| xbomb 1 | 1 | 1 | 1.2 s | F2 |" in done.output
    assert "| xbomb 1 | not tried: there is no xbomb | | | | |" in done.output
    assert done.exit_code == 0
    cells = Row(["won"], ["1 cells of 40 were misread"], learned="9 s", lessons=3, cells=(40, 1))
    monkeypatch.setattr(unknown, "learn", lambda *_: cells)
    done = CliRunner().invoke(unknown.command, ["xbomb 1", "--only", "calibrate"])
    assert "| xbomb 1 | 9 s | 3 | 1 | 0 | 1 of 40 |" in done.output
    assert "WRONG xbomb 1: 1 cells of 40 were misread" in done.output
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("played", "over", "mines"),
    [
        # The last click has opened one more cell.
        (["1##", "111", "..."], ["1#1", "!11", "..."], [[0, 1]]),
        # A message lies over numbers that were read before.
        (["1##", "122", "..."], ["!!.", "!.!", "!.!"], [[0, 1], [0, 2]]),
    ],
)
def test_what_lies_over_a_won_board_is_no_opened_cell(
    played: list[str], over: list[str], mines: list[list[int]]
) -> None:
    def seen(cells: list[str], phase: Phase) -> BoardEvent:
        return BoardEvent(t=0.0, line=1, frame="0" * 16, cells=cells, phase=phase, mines=1)

    left = left_by([seen(played, Phase.PLAYING), seen(over, Phase.WON)])
    assert left is not None
    assert np.argwhere(left).tolist() == mines
