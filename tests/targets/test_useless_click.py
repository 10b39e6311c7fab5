"""What is said of clicks that were sent again and again and did nothing."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bot.board import Action, Move
from bot.targets.window.observe.trouble import useless_click


@pytest.mark.parametrize(
    ("contradicts", "contradicted", "opened", "odd", "said"),
    [
        (True, False, False, False, "did nothing on what cannot be a board; .* has other rules"),
        (False, True, False, False, "did nothing on what cannot be a board; .* has other rules"),
        (False, False, True, False, "opened what cannot be a board; .* has other rules"),
        (False, False, False, True, "opened what cannot be a board; .* has other rules"),
        (False, False, False, False, "did nothing: does the window"),
    ],
)
def test_clicks_that_do_nothing_on_what_cannot_be_a_board_are_told_as_other_rules(
    contradicts: bool, contradicted: bool, opened: bool, odd: bool, said: str
) -> None:
    before = np.zeros((9, 9, 3), np.uint8)
    observer: Any = SimpleNamespace(
        view=SimpleNamespace(cells_of=lambda picture: picture),
        grab=lambda: before + np.uint8(opened),
        calibration=None,
        is_unknown=True,
        contradicts=lambda _: contradicts,
        contradicted=contradicted,
        is_odd=lambda _: odd,
    )
    error = useless_click(observer, Move(Action.OPEN, 4, 2), 8, before)
    assert re.match(f"8 clicks on row 4, column 2 {said}", str(error))
