from __future__ import annotations

import random

import pytest

from bot.board import Board, Cell, FirstClick, Phase, Rules
from bot.game.game import Game
from bot.game.measures import bbbv, bbbv_per_second, efficiency, islands, minefield_of_board, openings
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


def plain_groups(cells: set[tuple[int, int]]) -> int:
    """Groups of touching cells, cell by cell."""
    groups = 0
    while cells:
        groups += 1
        stack = [cells.pop()]
        while stack:
            row, column = stack.pop()
            near = {(row + r, column + c) for r in (-1, 0, 1) for c in (-1, 0, 1)} & cells
            cells -= near
            stack += near
    return groups


@pytest.mark.parametrize("seed", range(60))
def test_openings_and_islands_are_those_of_a_slow_count(seed: int) -> None:
    rng = random.Random(seed)
    columns, rows = rng.randint(1, 17), rng.randint(1, 17)
    rules = Rules(columns, rows, int(columns * rows * rng.random()), FirstClick.ANY)
    field = Minefield.generate(rules, (0, 0), rng)
    safe = {(r, c) for r in range(rows) for c in range(columns) if not field.mines[r, c]}
    zeros = {cell for cell in safe if field.counts[cell] == 0}
    opened = {(r + dr, c + dc) for r, c in zeros for dr in (-1, 0, 1) for dc in (-1, 0, 1)}
    assert openings(field) == plain_groups(set(zeros))
    assert islands(field) == plain_groups(safe - opened)


def test_efficiency_and_speed() -> None:
    assert efficiency(30, 40) == 0.75
    assert efficiency(None, 40) is None
    assert efficiency(0, 0) is None
    assert bbbv_per_second(30, 60.0) == 0.5
    assert bbbv_per_second(None, 60.0) is None
    assert bbbv_per_second(30, None) is None
    assert bbbv_per_second(30, 0.0) is None


@pytest.mark.parametrize(
    ("board", "mines", "told"),
    [
        ("1F/11", 1, ".*/.."),  # won
        ("1#/11", 1, ".*/.."),
        ("1#/11", None, ".*/.."),
        ("1?/11", 1, ".*/.."),
        ("X#/*#", 2, "*./*."),  # lost
        ("XF/*3", 3, "**/*."),
        ("Xx/#2", 2, None),  # a mine that is not shown
        ("X#/##", 1, "*./.."),
        ("X#/##", None, None),
        ("X#/2#", 1, None),  # no board of the rules
        ("1F/21", 1, None),
        ("1!/#1", None, None),
        ("1!/#1", 1, "../*."),
        ("1!/11", 1, None),
        ("../..", 0, None),
    ],
)
def test_where_the_mines_of_a_finished_game_were(board: str, mines: int | None, told: str | None) -> None:
    shown = Board.parse(board.replace("/", "\n"))
    found = minefield_of_board(shown, Rules(2, 2, mines))
    assert found == (None if told is None else Minefield.parse(told.replace("/", "\n")))
