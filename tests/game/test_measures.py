from __future__ import annotations

import random

import pytest

from bot.board import Cell, Phase, Rules
from bot.game.game import Game
from bot.game.measures import bbbv, islands, openings
from bot.game.minefield import Minefield


@pytest.mark.parametrize(
    ("text", "opens", "groups", "clicks"),
    [
        ("...", 1, 0, 1),
        ("*.*", 0, 1, 1),
        ("..*..", 2, 0, 2),
        ("*..*....", 1, 1, 3),
        ("*...\n....\n....\n...*", 1, 0, 1),
        ("..*\n.*.\n*..", 0, 1, 6),
        ("***\n***", 0, 0, 0),
    ],
)
def test_measures_of_small_fields(text: str, opens: int, groups: int, clicks: int) -> None:
    field = Minefield.parse(text)
    assert (openings(field), islands(field), bbbv(field)) == (opens, groups, clicks)


@pytest.mark.parametrize("seed", range(20))
def test_the_3bv_is_the_clicks_that_win(seed: int) -> None:
    """Zeros first, then what is left: the engine itself counts the clicks."""
    rules = Rules(16, 16, 40)
    field = Minefield.generate(rules, (0, 0), random.Random(seed))
    game, clicks = Game(rules, minefield=field), 0
    cells = [(r, c) for r in range(16) for c in range(16) if not field.mines[r, c]]
    for cell in sorted(cells, key=lambda cell: int(field.counts[cell]) > 0):
        if game.board[cell] == Cell.COVERED:
            game.open(*cell)
            clicks += 1
    assert game.phase is Phase.WON
    assert bbbv(field) == clicks
