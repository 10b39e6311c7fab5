"""`minebot run --dry-run`, where nothing would be clicked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.board import Board, Observation, Phase, Rules
from bot.cli.parts.dry_run import dry_run
from bot.strategy.registry import strategy


class Finished:
    """A window whose game is over."""

    def observe(self) -> Observation:
        return Observation(Board.parse("1#"), Phase.WON, Rules(2, 1, 1))


@pytest.mark.parametrize("as_json", [True, False])
def test_of_a_finished_game_there_are_no_clicks(as_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    target: Any = Finished()
    dry_run(target, strategy("exact"), flags=False, as_json=as_json)
    out = capsys.readouterr().out
    told = "the game is won: a new one would be started"
    if not as_json:
        assert out == f"{told}\n"
        return
    nothing = json.loads(out)
    assert (nothing["reason"], nothing["kind"], nothing["clicks"]) == (told, None, [])
