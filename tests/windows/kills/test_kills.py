"""What is left of minebot when it is killed; `python -m tests.kills 100` kills it more often."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Desk, without_manager

from tests.kills.killing import kill_once
from tests.kills.linux import Linux

pytestmark = [pytest.mark.windows, pytest.mark.filterwarnings("ignore::ResourceWarning")]


@without_manager
@pytest.mark.parametrize("number", [2, 3])
def test_a_kill_leaves_nothing_behind(desk: Desk, number: int, tmp_path: Path) -> None:
    what, wrong = kill_once(number, tmp_path, Linux())
    assert wrong == [], what
