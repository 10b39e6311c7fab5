"""Looking for boards on the screen before a run."""

from __future__ import annotations

from typing import Any

import pytest

from bot.cli.parts.board_search import find_all_boards
from bot.screen.virtual import VirtualScreen
from bot.targets.window.locate import board_finder


@pytest.mark.parametrize(("limit_s", "looks"), [(20.0, 3), (0.0, 1)])
def test_a_window_that_is_not_drawn_yet_is_looked_for_again(
    monkeypatch: pytest.MonkeyPatch, limit_s: float, looks: int
) -> None:
    made: list[int] = []

    def drawn_late(*_: Any) -> list[Any]:
        made.append(1)
        return ["the board"] if len(made) == 3 else []

    monkeypatch.setattr(board_finder, "look_around", drawn_late)
    monkeypatch.setattr(board_finder, "without_doubles", lambda _, others: others)
    screen = VirtualScreen(64, 64)
    found: list[Any] = find_all_boards(screen, screen, [], {}, limit_s=limit_s)
    assert len(made) == looks
    assert found == (["the board"] if limit_s else [])
