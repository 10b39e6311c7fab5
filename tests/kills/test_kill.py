"""Two kills of games on a screen of their own; `make fuzz` has a hundred, of all kinds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bot.screen.display import ensure_display
from tests.kills.killing import buttons_down, kill_once
from tests.kills.linux import Linux

pytestmark = [
    pytest.mark.windows,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc"),
]


class BesideOthers(Linux):
    """Other tests leave locks of screens meanwhile: they do not count."""

    def left_over(self) -> list[str]:
        return buttons_down()


@pytest.mark.parametrize(("number", "name"), [(8, "SIGKILL"), (3, "SIGHUP")])
def test_nothing_is_left_of_a_run_and_what_it_kept_is_whole(number: int, name: str, tmp_path: Path) -> None:
    with ensure_display(headless=True):
        what, wrong = kill_once(number, tmp_path, BesideOthers())
    assert what.startswith(name)
    assert what.endswith("after the first game began, on its own screen")
    assert wrong == []
