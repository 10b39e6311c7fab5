"""The strategy `best`: what it opens, why, and that a decision hangs on the board alone."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from brute_force import Truth
from positions import Position, read_positions

from bot.board import LEVELS, Board, Cell, Constraint, FirstClick, Observation, Phase, Rules
from bot.errors import ContradictionError, FormatError, UsageError
from bot.game_loop import moves_for
from bot.lab.games import generated
from bot.solver.position.solve import solve_board
from bot.solver.value.inputs import CORRECTION_INPUTS, FEATURES
from bot.solver.value.weights import NET, read_correction, read_net
from bot.strategy.base import CUT_SHORT, Decision, Kind
from bot.strategy.best import Best
from bot.strategy.exact import Exact
from bot.strategy.registry import strategy
from bot.targets.in_process import InProcessTarget

POSITIONS = read_positions("chances")


def decide(
    text: str,
    mines: int | None,
    *constraints: Constraint,
    think: int = 1,
    first_click: FirstClick = FirstClick.ANY,
) -> Decision:
    board = Board.parse(text)
    rules = Rules(board.columns, board.rows, mines, first_click)
    phase = Phase.PLAYING if (board.codes <= 8).any() else Phase.READY
    return Best(think=think).decide(Observation(board, phase, rules, constraints), 1)


def named(position: Position) -> str:
    return position.name


@pytest.mark.parametrize("position", POSITIONS, ids=named)
def test_it_opens_what_perfect_play_may_open(position: Position) -> None:
    decision = Best().decide(Observation(position.board, Phase.PLAYING, position.rules), 1)
    solved = solve_board(position.board, position.rules)
    if decision.kind is Kind.NONE:
        assert not solved.safe
        return
    if decision.kind is Kind.CERTAIN:
        assert decision.safe == tuple(cell for cell in solved.safe if position.board[cell] != Cell.UNREAD)
        assert decision.mines == tuple(cell for cell in solved.mines if position.board[cell] != Cell.UNREAD)
        return
    (cell,) = decision.safe
    assert decision.survival == pytest.approx(1 - solved.chance[cell], abs=1e-12)
    if "best" in position.words and not position.board.count(Cell.UNREAD):
        assert cell in position.cells("best")
        assert decision.candidates[0].win is not None
        assert decision.candidates[0].win == pytest.approx(_fraction(position.words["win"]), abs=1e-12)


def _fraction(text: str) -> float:
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)


def test_a_guess_says_what_it_was_chosen_from() -> None:
    # After a first click in the corner of a beginner's board: too many layouts to search.
    decision = decide("2########\n" + "#########\n" * 8, 10)
    first, second = decision.candidates[:2]
    assert decision.safe == (first.cell,)
    assert first.win is None
    assert first.score is not None
    assert second.score is not None
    assert first.score >= second.score
    assert first.survival == decision.survival
    assert f"{first.score:.1%}" in decision.reason
    assert f"{second.cell[0]},{second.cell[1]}" in decision.reason


def test_exact_search_says_what_wins_and_what_cannot_win_more() -> None:
    decision = decide("####\n####\n###1", 4)
    assert (decision.kind, decision.rung, decision.safe) == (Kind.GUESS, "exact search", ((0, 1),))
    first, *others = decision.candidates
    assert first.win == pytest.approx(5 / 12)
    assert first.survival == pytest.approx(5 / 8)
    assert others
    assert all(each.win is None and each.most is not None and each.most <= 5 / 12 for each in others)
    assert decision.nodes > 100


def test_a_closed_front_is_played_by_itself() -> None:
    # The two cells in the corner touch no other covered cell; the far columns have too many layouts.
    board = Board.parse("#1xxxxx##\n#1xxxxx##\n" + "xxxxxxx##\n" * 7)
    decision = Best().decide(Observation(board, Phase.PLAYING, Rules(9, 9, 6)), 1)
    assert (decision.kind, decision.rung, decision.survival) == (Kind.GUESS, "closed front", 0.5)
    assert decision.safe[0] in ((0, 0), (1, 0))
    assert decision.candidates[0].win is None


def test_what_is_not_for_it_is_decided_by_exact() -> None:
    text, cells = "2####\n#####\n#####", frozenset({(0, 1), (1, 1)})
    board = Board.parse(text)
    for mines, constraints, shown in (
        (None, (), board),
        (4, (Constraint(cells, 2),), board),
        (4, (), board.replaced([(2, 4)], Cell.UNREAD)),
    ):
        observation = Observation(shown, Phase.PLAYING, Rules(5, 3, mines), constraints)
        assert Best().decide(observation, 3) == Exact().decide(observation, 3)


def test_a_flag_is_no_mine_for_it() -> None:
    decision = decide("#1xF#", 1)
    assert (decision.kind, decision.safe, decision.mines) == (Kind.CERTAIN, ((0, 3), (0, 4)), ((0, 0),))


SETTLED_OTHERWISE = (("#1.1#", 3), ("#1.1#", 1), ("#1.#", 2), ("#2#", 3))
"""Single numbers settle all cells, and the total is another one."""


@pytest.mark.parametrize(
    ("text", "mines"), [("#3\n##\n1#", 3), ("1###\n1###", 0), ("1###", 4), *SETTLED_OTHERWISE]
)
def test_a_board_that_cannot_be_is_told(text: str, mines: int) -> None:
    with pytest.raises(ContradictionError, match="cannot"):
        decide(text, mines)


def test_the_first_click() -> None:
    covered = "#########\n" * 9
    corner = decide(covered, 10, first_click=FirstClick.ANY)
    assert (corner.kind, corner.safe) == (Kind.GUESS, ((0, 0),))
    assert corner.survival == pytest.approx(71 / 81)
    assert decide(covered, 10, first_click=FirstClick.SAFE).safe == ((0, 0),)
    zero = decide(covered, 10, first_click=FirstClick.ZERO)
    assert (zero.kind, zero.safe, zero.survival) == (Kind.FIRST, ((2, 2),), 1.0)
    # Small enough to be searched: the very value of perfect play on 4x4 with 4 mines.
    searched = decide("####\n" * 4, 4, first_click=FirstClick.SAFE)
    assert searched.kind is Kind.FIRST
    assert searched.candidates[0].win == pytest.approx(0.70403, abs=1e-5)
    assert decide("####\n" * 4, None, first_click=FirstClick.SAFE).safe == ((0, 0),)


@pytest.mark.parametrize("first_click", [FirstClick.ANY, FirstClick.SAFE])
def test_a_mine_that_is_shown_before_anything_is_opened_counts(first_click: FirstClick) -> None:
    for text, mines in (("*##\n###", 2), ("###\n#*#\n###", 3), ("####\n###*", 3)):
        board = Board.parse(text)
        decision = decide(text, mines, first_click=first_click)
        covered = board.where(Cell.COVERED)
        assert decision.safe[0] in covered
        safe = 1 - (mines - 1) / len(covered) if first_click is FirstClick.ANY else 1.0
        assert decision.survival == pytest.approx(safe)
        truth = Truth(board, mines)
        wins = {cell: float(win) for cell, win in truth.wins().items()}
        if first_click is FirstClick.SAFE:
            # Of a cell that is never a mine, those layouts are left in which it is none.
            wins = {cell: win / (1 - float(truth.chance(cell))) for cell, win in wins.items()}
        assert decision.candidates[0].win == pytest.approx(max(wins.values()))
        assert wins[decision.safe[0]] == pytest.approx(max(wins.values()))
    # A total that cannot be is told, not searched.
    with pytest.raises(ContradictionError):
        decide("**##", 1, first_click=FirstClick.ANY)


def test_a_decision_hangs_on_the_board_alone() -> None:
    """Boards of games, decided on in their order, then backwards with boards of another size between."""
    boards = []
    for task in generated(Rules(*LEVELS["intermediate"]), 9, seed=4):
        target = InProcessTarget(task.game())
        turn = 0
        while not (seen := target.observe()).phase.over:
            decision = Best().decide(seen, turn)
            boards.append((seen, decision))

            target.act(moves_for(decision, seen.board, flags=False, chords=False))
            turn += 1
    guesses = [(seen, before) for seen, before in boards if before.kind is Kind.GUESS]
    assert len(guesses) > 5
    for seen, before in reversed(guesses):
        decide("####\n#1##\n####", 3)
        assert Best().decide(seen, 0) == before


def test_more_thought_searches_more() -> None:
    text = "####\n####\n1###\n####"
    little, much = decide(text, 4), decide(text, 4, think=4)
    assert little.rung == "value"
    assert much.rung == "exact search"
    assert much.nodes > 0  # what the look ahead counts is other work


def test_only_best_takes_thought() -> None:
    assert strategy("best", 3) == Best(think=3)
    with pytest.raises(UsageError, match="--think goes with the strategy best: exact decides at once"):
        strategy("exact", 3)


def test_weights_that_are_of_other_features_are_refused(tmp_path: Path) -> None:
    assert read_net().shape == np.load(NET).shape
    with pytest.raises(
        FormatError, match=f"no weights for {CORRECTION_INPUTS} inputs: install minebot again"
    ):
        read_correction(NET)
    other = tmp_path / "value.npy"
    for wrong in (np.load(NET)[:-1], np.zeros((2, 2)), np.zeros(0)):
        np.save(other, wrong)
        with pytest.raises(FormatError, match=f"no weights for {FEATURES} inputs: install minebot again"):
            read_net(other)
    other.write_text("none")
    with pytest.raises(FormatError, match="no weights"):
        read_net(other)
    with pytest.raises(FormatError, match="cannot be read"):
        read_net(tmp_path / "missing.npy")


OPENING = "\n".join(shown + "#" * (30 - len(shown)) for shown in (".1", "12", "##2", *[""] * 13))
"""An expert board with little open but a zero: nothing can be searched or written out."""


def test_more_thought_plays_on_from_close_guesses() -> None:
    little, much = decide(OPENING, 99), decide(OPENING, 99, think=3)
    assert little.kind is much.kind is Kind.GUESS
    assert much == decide(OPENING, 99, think=3)
    scores = [{each.cell: each.score for each in told.candidates} for told in (little, much)]
    shared = scores[0].keys() & scores[1].keys()
    assert any(scores[0][cell] != scores[1][cell] for cell in shared)
    # Before the first zero nothing is: by the safest cell games go on too badly then to say anything.
    closed = "\n".join(["1" + "#" * 29] + ["#" * 30] * 15)
    assert decide(closed, 99).candidates == decide(closed, 99, think=3).candidates


def test_the_clock_cuts_more_thought_short_and_says_so() -> None:
    observation = Observation(Board.parse(OPENING), Phase.PLAYING, Rules(30, 16, 99))
    hurried = Best(think=100_000, limit_s=0.3)
    begun = time.perf_counter()
    cut = hurried.decide(observation, 1)
    assert time.perf_counter() - begun < 20
    assert cut.kind is Kind.GUESS
    assert cut.reason.endswith("; cut short after 0.3 s")
    assert cut.rung == CUT_SHORT
    # What the clock decided is not remembered as what the board decides.
    assert "cut short" not in Best(think=2, limit_s=60).decide(observation, 1).reason
