"""Verdicts beside an oracle that plays every layout to its end."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from bot.board import (
    Action,
    Board,
    Cell,
    Constraint,
    Coordinate,
    FirstClick,
    Move,
    Observation,
    Phase,
    Rules,
    neighbours,
)
from bot.game.game import Game
from bot.game.minefield import Minefield
from bot.review.judge import ERRORS, Judge, error_of
from bot.review.played_game import PlayedGame, PlayedMove, replayed
from bot.review.report import review_page
from bot.review.verdicts import Judged, Sure, Verdict
from bot.show.story import Deed
from bot.solver.endgame.perfect_play import play_perfectly
from bot.solver.position.solve import solve_board
from bot.strategy.best import Best

Layout = frozenset[Coordinate]

BOARDS = (
    ("1##", 1), ("#1#", 1), ("1#1##", 2), ("1#1##", 1), ("#1###", 1), ("##1##", 1), ("###1##", 1),
    ("1#/##", 1), ("2#/##", 2), ("#1####", 2), ("#1###/1####", 3), ("1###/####", 2), ("#2##/####", 3),
    ("##1#/####", 2), ("1#2##/12###/#####", 4), ("###/#2#/###", 2),
)  # fmt: skip
"""Small boards with their mines."""


def layouts_of(board: Board, mines: int) -> list[Layout]:
    covered = board.where(Cell.COVERED)
    numbers = [(row, column) for row in range(board.rows) for column in range(board.columns)]
    numbers = [cell for cell in numbers if board[cell] <= 8]
    found = []
    for chosen in combinations(covered, mines):
        layout = frozenset(chosen)
        if all(sum(near in layout for near in board.neighbours(*cell)) == board[cell] for cell in numbers):
            found.append(layout)
    return found


def worths(board: Board, mines: int) -> dict[Coordinate, float]:
    """The chance to win after opening each covered cell, all play after it perfect. Openings do not spread:
    what they would open is safe, and can be opened next."""
    rows, columns = board.rows, board.columns
    everything = layouts_of(board, mines)
    cells = board.where(Cell.COVERED)

    @cache
    def won(left: frozenset[Layout], closed: frozenset[Coordinate]) -> int:
        """In how many of these layouts perfect play wins."""
        if any(len(closed) == len(layout) for layout in left):
            return len(left)
        certain = [cell for cell in closed if not any(cell in layout for layout in left)]
        return max(after(left, closed, cell) for cell in (certain[:1] or closed))

    def after(left: frozenset[Layout], closed: frozenset[Coordinate], cell: Coordinate) -> int:
        parts: dict[int, set[Layout]] = {}
        for layout in left:
            if cell not in layout:
                count = sum(near in layout for near in neighbours(*cell, rows, columns))
                parts.setdefault(count, set()).add(layout)
        return sum(won(frozenset(part), closed - {cell}) for part in parts.values())

    whole, closed = frozenset(everything), frozenset(cells)
    return {cell: after(whole, closed, cell) / len(everything) for cell in cells}


def game(board: Board, mines: int, cell: Coordinate, action: Action = Action.OPEN) -> PlayedGame:
    rules = Rules(board.columns, board.rows, mines, FirstClick.ANY)
    seen = Observation(board, Phase.PLAYING, rules)
    move = PlayedMove(1.0, Move(action, *cell), seen)
    return PlayedGame("hand-made", "recording", "", rules, (move,), "stopped", 1.0, None)


def test_every_verdict_is_that_of_the_oracle() -> None:
    counts: Counter[Verdict] = Counter()
    for text, mines in BOARDS:
        board = Board.parse(text.replace("/", "\n"))
        layouts = layouts_of(board, mines)
        worth = worths(board, mines)
        risk = {cell: sum(cell in layout for layout in layouts) / len(layouts) for cell in worth}
        best = max(worth.values())
        for cell in worth:
            judged = Judge().review(game(board, mines, cell)).judged[0]
            where = f"{text} with {mines}, {cell}"
            cost = best - worth[cell]
            if risk[cell] == 0:
                expected = Verdict.CERTAIN
            elif risk[cell] == 1:
                expected = Verdict.MISTAKE
            elif 0 in risk.values():
                expected = Verdict.NEEDLESS
                cost = risk[cell] * best
            elif cost > 1e-9:
                expected = Verdict.WEAKER
            else:
                expected = Verdict.FORCED if _all_equal(worth, risk) else Verdict.BEST
            assert judged.verdict is expected, where
            assert judged.survival == pytest.approx(1 - risk[cell]), where
            assert judged.sure is Sure.EXACT, where
            if expected is not Verdict.CERTAIN:
                assert judged.cost == pytest.approx(cost), where
            counts[expected] += 1
    five = (Verdict.CERTAIN, Verdict.MISTAKE, Verdict.NEEDLESS, Verdict.WEAKER, Verdict.BEST, Verdict.FORCED)
    assert all(counts[verdict] >= 5 for verdict in five), counts


def _all_equal(worth: dict[Coordinate, float], risk: dict[Coordinate, float]) -> bool:
    values = [worth[cell] for cell in worth if risk[cell] < 1]
    return max(values) - min(values) < 1e-9


def test_a_chord_survives_only_with_all_that_it_opens() -> None:
    board = Board.parse("F1#\n###")
    judged = Judge().review(game(board, 1, (0, 1), Action.CHORD)).judged[0]
    assert judged.verdict is Verdict.WEAKER  # it survives only if the flag is right
    assert judged.survival == pytest.approx(0.2)
    assert Judge().review(game(Board.parse("F2#"), 2, (0, 1), Action.CHORD)).judged[0].survival == 0
    sure = Judge().review(game(Board.parse("F1.\n11."), 1, (0, 1), Action.CHORD)).judged[0]
    assert sure.verdict is Verdict.FLAG


def test_a_flag_opens_nothing_and_a_protected_first_click_is_no_guess() -> None:
    assert Judge().review(game(Board.parse("#1#"), 1, (0, 0), Action.FLAG)).judged[0].verdict is Verdict.FLAG
    rules = Rules(5, 5, 5, FirstClick.SAFE)
    seen = Observation(Board.covered(5, 5), Phase.READY, rules)
    move = PlayedMove(0.0, Move(Action.OPEN, 2, 2), seen)
    played = PlayedGame("first", "recording", "", rules, (move,), "stopped", None, None)
    assert Judge().review(played).judged[0].verdict is Verdict.FIRST


@pytest.mark.parametrize(
    ("rule", "mines", "verdict", "survival", "text"),
    [
        (FirstClick.SHIFTED, 1, Verdict.FIRST, 1.0, "the first click is protected"),
        # A column of two cells is full in one of fifteen layouts.
        (
            FirstClick.SHIFTED,
            2,
            Verdict.FIRST,
            14 / 15,
            "the first click is protected but where its column is full of mines",
        ),
        (FirstClick.ZERO, 3, Verdict.FORCED, 0.5, "safe with 50.0 %; no cell was better"),
    ],
)
def test_a_first_click_is_as_sure_as_its_rule(
    rule: FirstClick, mines: int, verdict: Verdict, survival: float, text: str
) -> None:
    seen = Observation(Board.covered(3, 2), Phase.READY, Rules(3, 2, mines, rule))
    move = PlayedMove(0.0, Move(Action.OPEN, 0, 0), seen)
    played = PlayedGame("first", "recording", "", seen.rules, (move,), "stopped", None, None)
    judged = Judge().review(played).judged[0]
    assert (judged.verdict, judged.text) == (verdict, text)
    assert judged.survival == pytest.approx(survival)


def test_luck_is_what_guesses_won_beyond_their_chances() -> None:
    board, field = Board.parse("#1#"), Minefield.parse("*..")
    lucky = game(board, 1, (0, 2))
    lucky = PlayedGame("", "", "", lucky.rules, lucky.moves, "won", 1.0, field)
    unlucky = game(board, 1, (0, 0))
    unlucky = PlayedGame("", "", "", unlucky.rules, unlucky.moves, "lost", 1.0, field)
    assert Judge().review(lucky).luck == pytest.approx(0.5)
    assert Judge().review(unlucky).luck == pytest.approx(-0.5)
    assert Judge().review(unlucky).lost_chance == 0


def test_a_board_that_cannot_be_is_left_out() -> None:
    assert Judge().review(game(Board.parse("3#\n##"), 1, (0, 1))).judged == []


def test_each_verdict_has_a_line_for_people() -> None:
    for text, mines, cell in (("1##", 1, (0, 1)), ("#1###", 1, (0, 0)), ("#1####", 2, (0, 0))):
        judged = Judge().review(game(Board.parse(text), mines, cell)).judged[0]
        assert "cost" in judged.text
        assert "None" not in judged.text


def test_the_best_chance_to_win_is_known_though_the_chosen_cell_was_not_weighed() -> None:
    board = Board.parse("1" + "#" * 29 + ("\n" + "#" * 30) * 15)
    judged = Judge().review(game(board, 99, (0, 1))).judged[0]
    assert (judged.verdict, judged.sure) == (Verdict.WEAKER, Sure.ROUGH)
    assert judged.win is not None
    assert 0.1 < judged.win < 0.6
    assert judged.error > 0
    assert f"cost about {100 * judged.cost:.1f} ± {100 * judged.error:.1f} points" in judged.text


PLAYED = """
.....2#2...1###2#2111#1.12#2##
.....2#2...1243312#111112#3433
111..112122211#2132311.1#3#2#1
1#211..1#3##2223#2#2#212233332
124#32122#33#33#221324#21#2#3#
.1###4#334322##33222#3#21123#3
.14####4###22333##4#43111112#2
..2#5##44532#11#44###1..1#1111
..124#32##1111113#4321..22311.
1111#212331....13#2..1111#2#1.
1#1111.1#1....12#33222#111211.
111....11211..1#23##2#21...111
.........1#1.13322#322211111#1
.........23312##122323#12#2233
.122112322##12#322#4##212#21##
.1##11###22211111#3##31.111122
"""
"""An expert board that is all but done: two layouts, and 98 cells that are mines in both."""


def test_certain_mines_are_no_reason_not_to_search() -> None:
    board = Board.parse(PLAYED)
    rules = Rules(30, 16, 99)
    solved = solve_board(board, rules)
    assert solved.solutions == 2
    assert play_perfectly(board, rules) is None, "what is covered is counted well enough: nothing is tested"
    for cell in (cell for cell, risk in solved.chance.items() if 0 < risk < 1):
        judged = Judge().review(game(board, 99, cell)).judged[0]
        assert (judged.verdict, judged.sure, judged.win) == (Verdict.FORCED, Sure.EXACT, 0.5)


def test_what_hints_say_is_not_left_out() -> None:
    """The search knows of no hints: by the board alone a cell of the front is as good as one beyond it."""
    board, rules = Board.parse("#1####"), Rules(6, 1, 2, FirstClick.ANY)
    hint = Constraint(frozenset({(0, 4), (0, 5)}), 1)
    move = PlayedMove(1.0, Move(Action.OPEN, 0, 0), Observation(board, Phase.PLAYING, rules, (hint,)))
    played = PlayedGame("hinted", "recording", "", rules, (move,), "stopped", 1.0, None)
    assert Judge().review(played).judged[0].sure is not Sure.EXACT


SAFE_AND_NOT = Board.parse("1" + "#" * 15 + "\n11" + "#" * 14 + ("\n" + "#" * 16) * 14)
"""Too many layouts to be searched, and nothing certain."""


def test_more_thought_tells_close_costs_more_surely() -> None:
    before = Observation(SAFE_AND_NOT, Phase.PLAYING, Rules(16, 16, 40))
    move = PlayedMove(0.0, Move(Action.OPEN, 2, 2), before)
    found = Judged(0, move, (2, 2), Verdict.WEAKER, 0.8, True, 0.02, Sure.ABOUT)
    once, often, always = (error_of(found, think) for think in (1, 10, 100))
    assert once == ERRORS[Sure.ABOUT][0]
    assert once > often > always > 0
    # What is far behind is not played on from, and what was estimated otherwise neither.
    assert error_of(replace(found, cost=0.1), 10) == once
    rough = replace(found, sure=Sure.ROUGH)
    assert error_of(rough, 10) == error_of(rough, 1) > once
    assert error_of(replace(found, cost=0.0), 1) == error_of(replace(found, sure=Sure.EXACT), 1) == 0


def test_what_a_needless_guess_costs_is_the_mean_of_several_ways_to_play_on() -> None:
    judge, exact = Judge(exact_layouts=0), Judge()
    board = Board.parse("1#1###\n11####\n######\n#####1")
    played = game(board, 5, (3, 0))
    (about,), (right,) = judge.review(played).judged, exact.review(played).judged
    assert (about.verdict, about.sure) == (Verdict.NEEDLESS, Sure.PLAYED)
    assert (right.verdict, right.sure) == (Verdict.NEEDLESS, Sure.EXACT)
    assert about.error == pytest.approx(ERRORS[Sure.PLAYED][0] * (1 - about.survival))
    assert abs(about.cost - right.cost) < about.error


def played_by(choose: Callable[[Observation], Coordinate], seed: int) -> PlayedGame:
    """A beginner game, cell by cell."""
    game = Game.beginner(seed)
    deeds: list[Deed] = []
    while not game.phase.over:
        move = Move(Action.OPEN, *choose(game.observation))
        deeds.append(Deed(float(len(deeds)), move))
        game.act(move)
    moves, last = replayed(game.minefield, game.rules, deeds)
    result = last.phase.value
    return PlayedGame(str(seed), "recording", "", game.rules, moves, result, 1.0, game.minefield, last=last)


@pytest.mark.slow
def test_best_makes_no_mistake_and_random_play_does() -> None:
    rng = random.Random(1)
    of_best = [
        Judge().review(played_by(lambda seen: Best().decide(seen, 1).safe[0], seed)) for seed in range(6)
    ]
    of_chance = [
        Judge().review(played_by(lambda seen: rng.choice(seen.board.where(Cell.COVERED)), seed))
        for seed in range(60)
    ]
    bad = (Verdict.NEEDLESS, Verdict.MISTAKE, Verdict.WEAKER)
    assert sum(review.count(*bad) for review in of_best) == 0
    assert sum(review.count(Verdict.CERTAIN) for review in of_best) > 60
    assert sum(review.count(Verdict.NEEDLESS) for review in of_chance) > 0
    assert sum(review.count(Verdict.MISTAKE) for review in of_chance) > 0


def test_a_page_gives_the_better_cell_its_own_chance() -> None:
    review = Judge().review(game(Board.parse("1#1\n###\n###"), 3, (2, 0), Action.OPEN))
    (judged,) = review.judged
    assert judged.verdict is Verdict.WEAKER
    page = review_page([review], Judge())
    data = json.loads(re.split(r'id="data">|</script>', page)[1])
    mine, better = data["positions"][0]["decision"]["candidates"]
    assert (mine["cell"], mine["survival"]) == (6, 0.4444)
    assert (better["survival"], better["win"]) == (0.6667, 0.6667)
