"""How a game was played, counted by hand and beside ms_toollib."""

from __future__ import annotations

import json
import random

import pytest

from bot.board import Action, Move, Rules
from bot.game.minefield import Minefield
from bot.game.play_measures import measure_play

FIELD = Minefield.parse("...*\n....\n*...")


def opened(*cells: tuple[int, int]) -> list[Move]:
    return [Move(Action.OPEN, *cell) for cell in cells]


def test_a_won_game_by_hand() -> None:
    moves = opened((0, 0), (2, 3), (1, 3), (0, 3))
    found = measure_play(FIELD, moves[:2], 2.0)
    assert (found.bbbv, found.openings, found.solved) == (2, 2, 2)
    assert (found.left, found.effective, found.clicks) == (2, 2, 2)
    table = found.table()
    assert (table["3BV/s"], table["IOE"], table["corr"], table["ThrP"], table["RQP"]) == (1, 1, 1, 1, 2)


def test_measures_of_a_game_with_chords_are_plain_numbers() -> None:
    field = Minefield.parse("..*\n...\n*..")
    moves = [*opened((1, 1)), Move(Action.FLAG, 0, 2), Move(Action.FLAG, 2, 0), Move(Action.CHORD, 1, 1)]
    found = measure_play(field, moves, 1.0)
    assert (found.bbbv, found.solved, found.chords) == (2, 2, 1)
    assert json.loads(json.dumps(found.table()))["3BV solved"] == 2


def test_clicks_without_effect_count_as_clicks_alone() -> None:
    moves = [
        *opened((0, 0), (0, 0)),
        Move(Action.FLAG, 0, 3),
        Move(Action.FLAG, 0, 3),
        Move(Action.FLAG, 0, 3),
    ]
    found = measure_play(FIELD, moves, None)
    assert (found.left, found.right, found.effective) == (2, 3, 2)
    assert found.table()["3BV/s"] is None


def test_a_mine_ends_the_count() -> None:
    found = measure_play(FIELD, opened((0, 3), (0, 0)), 1.0)
    assert (found.left, found.solved, found.effective) == (1, 0, 0)


def test_stnb_has_no_value_for_other_sizes() -> None:
    found = measure_play(FIELD, opened((0, 0)), 1.0)
    assert found.stnb(4, 3, 2) is None
    assert found.stnb(8, 8, 10) == pytest.approx(36.0 * 1 * 0.5**0.5)


@pytest.mark.parametrize("seed", range(12))
def test_it_counts_as_ms_toollib_does(seed: int) -> None:
    ms_toollib = pytest.importorskip("ms_toollib", reason="pip install '.[review]'")
    rng = random.Random(seed)
    rules = Rules(12, 9, 14)
    field = Minefield.generate(rules, (4, 4), rng)
    numbers = [
        [-1 if field.mines[row, column] else int(field.counts[row, column]) for column in range(12)]
        for row in range(9)
    ]
    theirs = ms_toollib.MinesweeperBoard(numbers)
    moves = [Move(Action.OPEN, 4, 4)]
    for _ in range(150):
        row, column = rng.randrange(9), rng.randrange(12)
        action = rng.choice([Action.OPEN, Action.FLAG, Action.CHORD])
        mine = bool(field.mines[row, column])
        if (action is Action.OPEN and mine) or (action is Action.FLAG and not mine and rng.random() < 0.9):
            continue
        moves.append(Move(action, row, column))
    presses = {
        Action.OPEN: ("lc", "lr"),
        Action.FLAG: ("rc", "rr"),
        Action.CHORD: ("lc", "rc", "rr", "lr"),
    }
    done = []
    for move in moves:
        if theirs.game_board_state in (3, 4):  # lost or won
            break
        if move.action is Action.CHORD and theirs.game_board[move.row][move.column] in (10, 11):
            continue  # there the buttons flag as well
        for press in presses[move.action]:
            theirs.step(press, move.cell)
        done.append(move)
    ours = measure_play(field, done, 1.0)
    assert (ours.left, ours.right, ours.chords) == (theirs.left, theirs.right, theirs.double)
    assert (ours.solved, ours.effective) == (theirs.bbbv_solved, theirs.ce)
    assert (ours.bbbv, ours.openings) == (ms_toollib.cal_bbbv(numbers), ms_toollib.cal_op(numbers))
