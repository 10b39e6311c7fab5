from __future__ import annotations

import pytest

from bot.board import FirstClick, Rules
from bot.errors import UsageError
from bot.game.levels import rules_from


def test_levels_and_sizes_give_rules() -> None:
    assert rules_from(None, None, None) == Rules(9, 9, 10)
    assert rules_from("expert", None, None, FirstClick.ZERO) == Rules(30, 16, 99, FirstClick.ZERO)
    assert rules_from(None, "24x20", 99) == Rules(24, 20, 99)
    assert rules_from(None, "2x1", 1) == Rules(2, 1, 1)
    assert rules_from(None, "100x100", 9999) == Rules(100, 100, 9999)


@pytest.mark.parametrize(
    ("level", "size", "mines", "first_click", "says"),
    [
        ("hard", None, None, FirstClick.SAFE, "no level 'hard'"),
        ("expert", "9x9", 10, FirstClick.SAFE, "exclude"),
        ("expert", None, 10, FirstClick.SAFE, "goes with --size"),
        (None, "9x9", None, FirstClick.SAFE, "add --mines"),
        (None, "9*9", 10, FirstClick.SAFE, "no size"),
        (None, "x", 10, FirstClick.SAFE, "no size"),
        (None, "1x1", 0, FirstClick.SAFE, "2 cells or more"),
        (None, "101x9", 10, FirstClick.SAFE, "at most 100x100"),
        (None, "0x9", 10, FirstClick.SAFE, "cannot be played"),
        (None, "9x9", 81, FirstClick.SAFE, "0 to 80"),
        (None, "9x9", -1, FirstClick.SAFE, "0 to 80"),
        (None, "9x9", 73, FirstClick.ZERO, "0 to 72, or --first-click safe"),
        (None, "3x3", 1, FirstClick.ZERO, "a larger --size, or --first-click safe"),
        (None, "3x2", 2, FirstClick.ZERO, "a board of 3x2 where a first click anywhere opens a zero cannot"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(
    level: str | None, size: str | None, mines: int | None, first_click: FirstClick, says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        rules_from(level, size, mines, first_click)
