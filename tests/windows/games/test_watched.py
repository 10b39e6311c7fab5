"""What watches the tests of unknown games notices what it is there for."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from beside import Beside, nothing_is_quit_or_started
from conftest import HEIGHT, WIDTH, Desk, with_manager

from bot.screen.programs.started_program import Started

pytestmark = pytest.mark.windows

TK_GAME = Path(__file__).parents[1] / "pages" / "tk_game.py"


@with_manager
def test_clicks_and_keys_that_miss_every_game_are_counted(desk: Desk) -> None:
    with Beside(WIDTH, HEIGHT) as beside:
        until = time.monotonic() + 60
        while not (beside.clicks and beside.keys):
            assert time.monotonic() < until, (beside.clicks, beside.keys)
            desk.pointer("mousemove", "900", "700", "click", "1")
            desk.unfocus()  # the key goes where the pointer is
            desk.pointer("key", "n", "sleep", "0.2")


def game() -> Started:
    """A program whose window is shown."""
    program = Started([sys.executable, str(TK_GAME)])
    program.window(lambda window: window.rect.width > 60)
    return program


@with_manager
def test_a_program_that_comes_or_goes_fails_the_test(desk: Desk) -> None:
    failed = pytest.fail.Exception
    with (
        pytest.raises(failed, match=r"quit: none; started: .*weeper"),
        nothing_is_quit_or_started(desk.display),
    ):
        program = game()
    with nothing_is_quit_or_started(desk.display):
        assert program.runs
    with (
        pytest.raises(failed, match=r"quit: .*weeper.*; started: none"),
        nothing_is_quit_or_started(desk.display),
    ):
        program.end()
