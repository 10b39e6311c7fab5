"""What a person did between two boards."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Action, Board, Cell, Move, Rules
from bot.game.game import Game
from bot.targets.window.inferred_moves import inferred_moves


def told(before: str, after: str, *sent: Move, over: bool = False) -> list[str]:
    return [str(move) for move in inferred_moves(Board.parse(before), Board.parse(after), sent, over=over)]


@pytest.mark.parametrize(
    ("before", "after", "moves"),
    [
        ("1#/##", "1#/##", []),
        ("1#/##", "12/##", ["open 0,1"]),
        ("1#/##", "1F/##", ["flag 0,1"]),
        ("1F/##", "1?/##", ["flag 0,1"]),
        ("1?/##", "1#/##", ["flag 0,1"]),
        ("1#/##", "1X/##", ["open 0,1"]),
        ("1#/##", "1F/1#", ["flag 0,1", "open 1,0"]),
        # An opening is one click, on one of its zeros.
        ("#####/#####/#####", "..1##/..1##/111##", ["open 0,0"]),
        # With no flag beside a number two cells are two clicks.
        ("##/1#/##", "#1/11/##", ["open 0,1", "open 1,1"]),
    ],
)
def test_the_fewest_clicks_that_explain_a_change(before: str, after: str, moves: list[str]) -> None:
    assert told(before.replace("/", "\n"), after.replace("/", "\n")) == moves


def test_a_chord_opens_all_that_it_can() -> None:
    assert told("F##\n11#\n..1", "F1#\n11#\n..1") == ["open 0,1"]
    assert told("F##\n111\n...", "F11\n111\n...") == ["chord 1,1"]


def test_a_mine_that_a_chord_hits() -> None:
    assert told("F##\n111\n...", "xX1\n111\n...", over=True) == ["chord 1,1"]


def test_what_exploded_was_clicked_last() -> None:
    before = "#####\n#####\n#####"
    assert told(before, "..1#X\n..1##\n111##", over=True) == ["open 0,0", "open 0,4"]


def test_what_the_end_shows_by_itself_is_nobody_s_click() -> None:
    assert told("1#\n##", "12\nFF", over=True) == ["open 0,1"]
    assert told("1##\n###", "1X*\n#x#", over=True) == ["open 0,1"]


def test_our_own_clicks_are_left_out() -> None:
    assert told("1#\n##", "12\n##", Move(Action.OPEN, 0, 1)) == []
    assert told("1#\n##", "12\nF#", Move(Action.OPEN, 0, 1)) == ["flag 1,0"]
    assert told("1#\n##", "1F\n2#", Move(Action.FLAG, 0, 1)) == ["open 1,0"]
    assert told("F##\n111\n...", "F11\n111\n...", Move(Action.CHORD, 1, 1)) == []
    assert told("#####\n#####\n#####", "..1##\n..1##\n1112#", Move(Action.OPEN, 1, 1)) == ["open 2,3"]


def test_of_an_opening_the_likeliest_cell_is_taken() -> None:
    before, after = Board.covered(4, 1), Board.parse("..1#")
    assert inferred_moves(before, after, chances={(0, 0): 0.5, (0, 1): 0.2}) == (Move(Action.OPEN, 0, 1),)


@pytest.mark.parametrize("seed", range(20))
def test_single_clicks_of_whole_games_are_found_again(seed: int) -> None:
    """Every click is explained by one move of its kind that has the same effect."""
    rng = np.random.default_rng(seed)
    game = Game(Rules(9, 9, 10), seed)
    for _ in range(60):
        before = game.board
        cell = tuple(int(at) for at in rng.integers(0, 9, 2))
        action = list(Action)[int(rng.integers(0, 3))]
        game.act(Move(action, cell[0], cell[1]))
        found = inferred_moves(before, game.board, over=game.phase.over)
        if game.phase.over:
            return
        again = Board(before.codes)
        changed = {(int(r), int(c)) for r, c in np.argwhere(again.codes != game.board.codes)}
        if not changed:
            assert found == ()
        elif action is Action.CHORD:
            assert 1 <= len(found) <= len(changed)
        else:
            assert len(found) == 1
            assert found[0].action is action
            if game.board[found[0].cell] != Cell.EMPTY:
                assert found[0].cell == cell
