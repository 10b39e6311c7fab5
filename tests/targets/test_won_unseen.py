"""Whether clicks whose effect nobody saw can have won a game."""

from __future__ import annotations

import pytest

from bot.board import UNOPENED, Board, Coordinate
from bot.game.game import Game
from bot.targets.window.track.won_unseen import cells_left, may_have_won


@pytest.mark.parametrize(
    ("text", "clicked", "mines", "may"),
    [
        ("1#\n##", [(0, 1), (1, 0)], None, True),  # what is left beside the 1 is its mine
        ("1#\n##", [(0, 1)], None, False),  # two are left
        ("2#\n##", [(0, 1)], None, True),
        ("2#\n##", [(0, 1), (1, 0)], None, False),  # only one is left
        ("1#\n##", [(0, 1), (1, 0)], 2, False),
        ("1#1\n###\n###", [(2, 0)], None, True),  # an opening leaves the mine between the two
        ("2#1\n###\n###", [(2, 0)], None, False),  # beside the 2 there are too few cells for it
        ("1#######\n########\n########", [(0, 7)], 1, True),  # it opens all but the mine of the 1
        ("1#######\n##2#####\n########", [(0, 1)], None, False),  # what was clicked is no empty cell
        ("1F\n11", [], None, True),
        ("!1\n11", [], None, True),  # what was never read may be the mine
    ],
)
def test_in_a_won_game_all_that_is_left_is_mines(
    text: str, clicked: list[Coordinate], mines: int | None, may: bool
) -> None:
    assert may_have_won(Board.parse(text), clicked, mines) is may


def test_the_clicks_that_won_a_game_may_have_won_it_and_hardly_any_before_may() -> None:
    clicks = doubtful = 0
    for seed in range(40):
        game = Game.beginner(seed)
        game.open(4, 4)
        truth = game.truth_for_simulators
        assert truth is not None
        mines = {divmod(cell, truth.columns) for cell in truth.cells}
        while not game.phase.over:
            before = game.board
            safe = [cell for cell in before.where(*UNOPENED) if cell not in mines][:1]
            game.open(*safe[0])
            may = may_have_won(before, safe, 10)
            assert may or not game.phase.over, before
            assert cells_left(before, safe) <= game.board.count(*UNOPENED)
            clicks, doubtful = clicks + 1, doubtful + (may and not game.phase.over)
    assert doubtful < 0.1 * clicks, f"{doubtful} of {clicks}"
