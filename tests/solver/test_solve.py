"""Everything that is said about a position, against all its layouts written out and against other counts."""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from brute_force import Truth
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import Position, read_positions

from bot.board import Board, Cell, Constraint, Coordinate, FirstClick, Rules
from bot.errors import UsageError
from bot.game.minefield import Minefield
from bot.solver.constraints.packing import MOST_STATES
from bot.solver.constraints.system import Group, System
from bot.solver.endgame.perfect_play import play_perfectly
from bot.solver.position.solve import Contradiction, Solved, solve_board, solve_constraints
from bot.solver.probability.solution_count import count_solutions

NEAR = Fraction(1, 10**12)
POSITIONS = read_positions("chances")
SMALL = [each for each in POSITIONS if int(each.words["layouts"]) <= 60]
"""Those whose ways to play on are few enough for the slow search."""


def near(chance: float, exact: Fraction) -> bool:
    """Within 1e-12, and exactly 0 or 1 for what is certain and for nothing else."""
    return abs(Fraction(chance) - exact) < NEAR and (chance in (0.0, 1.0)) == (exact in (0, 1))


def named(position: Position) -> str:
    return position.name


@pytest.mark.parametrize("position", POSITIONS, ids=named)
def test_position(position: Position) -> None:
    board = position.board
    solved = solve_board(board, position.rules)
    for row, words in enumerate(position.known):
        assert len(words) == board.columns
        for column, word in enumerate(words):
            chance = solved.chance.get((row, column))
            if word == ".":
                assert chance is None
            else:
                assert chance is not None
                assert near(chance, Fraction(word)), (row, column)
    assert solved.solutions == int(position.words["layouts"])
    assert list(solved.dead) == position.cells("dead")
    assert not solved.approximate
    if "win" in position.words:
        search = play_perfectly(board, position.rules)
        assert search is not None
        assert search.win == pytest.approx(float(Fraction(position.words["win"])), abs=1e-12)
        assert search.best in position.cells("best")


@pytest.mark.parametrize("position", SMALL, ids=named)
def test_the_positions_say_what_writing_them_out_gives(position: Position) -> None:
    truth = Truth(position.board, position.mines)
    assert len(truth.layouts) == int(position.words["layouts"])
    for row, words in enumerate(position.known):
        for column, word in enumerate(words):
            if word != ".":
                assert truth.chance((row, column)) == Fraction(word)
    assert truth.dead() == position.cells("dead")
    if "win" in position.words:
        wins = truth.wins()
        assert max(wins.values()) == Fraction(position.words["win"])
        assert [cell for cell, win in wins.items() if win == max(wins.values())] == position.cells("best")


@st.composite
def boards(draw: st.DrawFn) -> tuple[Board, int | None]:
    """Boards that can be: a layout, some of its safe cells opened, some cells flagged or unread."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    cells = list(itertools.product(range(rows), range(columns)))
    layout = set(draw(st.lists(st.sampled_from(cells), max_size=8, unique=True)))
    field = Minefield.from_cells(columns, rows, [r * columns + c for r, c in layout])
    looks = draw(st.lists(st.integers(0, 11), min_size=len(cells), max_size=len(cells)))
    codes = np.full((rows, columns), Cell.COVERED, np.int8)
    for cell, look in zip(cells, looks, strict=True):
        if cell not in layout and look < 6:
            codes[cell] = field.counts[cell]
        elif look > 8:
            codes[cell] = [Cell.FLAG, Cell.QUESTION, Cell.UNREAD][look - 9]
    for cell in cells:  # every layout is written out: so many cells at most
        if np.count_nonzero(codes > 8) > 11 and cell not in layout:
            codes[cell] = field.counts[cell]
    return Board(codes), len(layout) if draw(st.booleans()) else None


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(boards())
def test_any_small_board(drawn: tuple[Board, int | None]) -> None:
    board, mines = drawn
    truth = Truth(board, mines)
    solved = solve_board(board, Rules(board.columns, board.rows, mines))
    assert list(solved.chance) == truth.cells
    for cell in truth.cells:
        assert near(solved.chance[cell], truth.chance(cell))
    assert list(solved.safe) == [cell for cell in truth.cells if truth.chance(cell) == 0]
    assert list(solved.mines) == [cell for cell in truth.cells if truth.chance(cell) == 1]
    assert list(solved.dead) == truth.dead()
    assert solved.solutions == len(truth.layouts)
    assert solved.log10_solutions == pytest.approx(math.log10(len(truth.layouts)), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(boards())
def test_the_chance_to_win_of_every_cell(drawn: tuple[Board, int | None]) -> None:
    board, mines = drawn
    truth = Truth(board, mines)
    if mines is None or len(truth.layouts) > 12:
        return
    wins = truth.wins()
    search = play_perfectly(board, Rules(board.columns, board.rows, mines, FirstClick.ANY))
    if search is None:
        assert not wins
        return
    assert search.win == pytest.approx(float(max(wins.values())), abs=1e-12)
    assert wins[search.best] == max(wins.values())
    for cell, win in wins.items():
        assert search.after(cell) == pytest.approx(float(win), abs=1e-12)


@st.composite
def systems(draw: st.DrawFn) -> tuple[list[Coordinate], list[Constraint], int | None]:
    """Any constraints on up to eleven cells; most of them possible, some not."""
    cells = [(0, column) for column in range(draw(st.integers(1, 11)))]
    layout = set(draw(st.lists(st.sampled_from(cells), unique=True)))
    groups = draw(st.lists(st.frozensets(st.sampled_from(cells), max_size=7), max_size=6))
    constraints = [Constraint(group, len(group & layout)) for group in groups]
    total: int | None = len(layout)
    wrong = draw(st.integers(0, 7))
    if wrong == 0 and constraints:
        constraints[0] = Constraint(
            constraints[0].cells, constraints[0].mines + draw(st.sampled_from([-1, 1]))
        )
    elif wrong == 1:
        total = len(layout) + draw(st.sampled_from([-1, 1]))
    elif wrong < 4:
        total = None
    return cells, constraints, total


def written_out(
    cells: list[Coordinate], constraints: list[Constraint], total: int | None
) -> list[frozenset[Coordinate]]:
    every = (
        frozenset(layout)
        for count in (range(len(cells) + 1) if total is None else [total])
        if count >= 0
        for layout in itertools.combinations(cells, count)
    )
    return [layout for layout in every if all(len(layout & each.cells) == each.mines for each in constraints)]


@settings(max_examples=200, deadline=None)
@given(systems())
def test_any_constraints(drawn: tuple[list[Coordinate], list[Constraint], int | None]) -> None:
    cells, constraints, total = drawn
    layouts = written_out(cells, constraints, total)
    if not layouts:
        with pytest.raises(Contradiction):
            solve_constraints(cells, constraints, total)
        return
    solved = solve_constraints(cells, constraints, total)
    weights = [Fraction(1, 4) ** len(layout) if total is None else Fraction(1) for layout in layouts]
    for cell in cells:
        mined = sum((w for layout, w in zip(layouts, weights, strict=True) if cell in layout), Fraction(0))
        assert near(solved.chance[cell], mined / sum(weights))
    assert solved.solutions == len(layouts)


@settings(max_examples=150, deadline=None)
@given(systems(), st.integers(2, 12))
def test_what_is_called_certain_is_so_however_few_states_are_kept(
    drawn: tuple[list[Coordinate], list[Constraint], int | None], states: int
) -> None:
    cells, constraints, total = drawn
    layouts = written_out(cells, constraints, total)
    try:
        solved = solve_constraints(cells, constraints, total, states=states)
    except Contradiction:
        assert not layouts
        return
    if not layouts:
        assert solved.approximate
        return
    assert all(0 <= chance <= 1 for chance in solved.chance.values())
    assert not any(cell in layout for cell in solved.safe for layout in layouts)
    assert all(cell in layout for cell in solved.mines for layout in layouts)


def test_a_front_beyond_the_limit_is_estimated_and_says_so() -> None:
    field = Minefield.generate(Rules(12, 12, 30), (0, 0), random.Random(4))
    codes = np.full((12, 12), Cell.COVERED, np.int8)
    for row, column in itertools.product(range(1, 12, 3), range(1, 12, 2)):
        if not field.mines[row, column]:
            codes[row, column] = field.counts[row, column]
    board, rules = Board(codes), Rules(12, 12, 30)
    exact, rough = solve_board(board, rules), solve_board(board, rules, states=40)
    assert not exact.approximate
    assert rough.approximate
    assert rough.solutions is None
    assert rough.log10_solutions is None
    assert rough.dead == ()
    assert set(rough.safe) <= set(exact.safe)
    apart = [abs(rough.chance[cell] - exact.chance[cell]) for cell in exact.chance]
    assert max(apart) < 0.25


FULL = """
#1..........2#4###2###########
11..........2##3333#######2###
221.....11113431.1#4###5#2113#
##1112111#22##11123#####321121
2222#2#234#33211#13#5##4#11#1.
112#3323##3#2112222#322223321.
#22#21#222212#12#3322...1##111
#223332323211112##2#1...23311#
111##3#2###3211232322...2#3111
..24#312244##12#2.1#22223##311
112#311111#4322#2.12#3##23#3#1
#23#2.1#2222#11221.114#5221211
2#321.112#1222.2#2.113#4#2....
23#1...12211#213#2.1#324#411..
2#31...1#1.223#211.12#12#3#221
##2....111.1#211....1111122#2#
"""
"""An expert board that was played; before anything is settled, its front is too wide to be counted."""


def test_estimates_never_prove_a_contradiction() -> None:
    board = Board.parse(FULL)
    exact = solve_board(board, Rules(30, 16, 99))
    assert exact.solutions == 126
    cells = board.where(Cell.COVERED)
    number = {cell: index for index, cell in enumerate(cells)}
    groups = tuple(
        Group(
            tuple(sorted(number[c] for c in board.neighbours(row, column) if c in number)), board[row, column]
        )
        for row, column in itertools.product(range(board.rows), range(board.columns))
        if board[row, column] <= 8
    )
    rough = count_solutions(System(len(cells), groups, 99), MOST_STATES)
    assert rough is not None
    assert rough.limited
    for cell, chance in zip(cells, rough.chance, strict=True):
        assert 0.0 < chance < 1.0 or chance == exact.chance[cell]


@settings(max_examples=100, deadline=None)
@given(boards(), st.data())
def test_what_contradicts_is_a_smallest_set(drawn: tuple[Board, int | None], data: st.DataObject) -> None:
    board, mines = drawn
    numbers = [(r, c) for r in range(board.rows) for c in range(board.columns) if board[r, c] <= 8]
    if not numbers:
        return
    codes = board.codes.copy()
    codes[data.draw(st.sampled_from(numbers))] = data.draw(st.integers(0, 8))
    wrong = Board(codes)
    if Truth(wrong, mines).layouts:
        return
    with pytest.raises(Contradiction) as caught:
        solve_board(wrong, Rules(board.columns, board.rows, mines))
    core = caught.value

    def layouts_left(kept: list[Coordinate], total: bool) -> int:
        alone = wrong.codes.copy()
        for cell in numbers:
            if cell not in kept:
                alone[cell] = Cell.WRONG_FLAG  # no mine, and nothing is said of its neighbours
        return len(Truth(Board(alone), mines if total else None).layouts)

    kept = list(core.numbers)
    assert not layouts_left(kept, core.total)
    for cell in kept:
        assert layouts_left([other for other in kept if other != cell], core.total)
    if core.total:
        assert layouts_left(kept, False)
    assert "\n" not in str(core)


@pytest.mark.parametrize(
    ("text", "mines", "numbers", "total", "words"),
    [
        (
            "#3\n##\n1#",
            None,
            [(0, 1), (2, 0)],
            False,
            "the 3 at row 0, column 1 and the 1 at row 2, column 0",
        ),
        ("8#\n##", None, [(0, 0)], False, "the 8 at row 0, column 0 cannot be"),
        ("*.", None, [(0, 1)], False, "the 0 at row 0, column 1 cannot be"),
        ("1#x##", 0, [(0, 0)], True, "a total of 0 mines"),
        ("#1###1#", 1, [(0, 1), (0, 5)], True, "a total of 1 mines"),
        ("x#", 2, [], True, "give another mine total"),
    ],
)
def test_contradictions(
    text: str, mines: int | None, numbers: list[Coordinate], total: bool, words: str
) -> None:
    board = Board.parse(text)
    with pytest.raises(Contradiction, match=words) as caught:
        solve_board(board, Rules(board.columns, board.rows, mines))
    assert list(caught.value.numbers) == numbers
    assert caught.value.total is total


def test_a_constraint_that_contradicts_is_named() -> None:
    board = Board.parse("1##")
    fact = Constraint(frozenset({(0, 1), (0, 2)}), 0)
    with pytest.raises(Contradiction, match="and the constraint of 0 mines in 0,1 0,2 cannot all be right"):
        solve_board(board, Rules(3, 1), [fact])
    with pytest.raises(Contradiction, match="constraint of -1 mines"):
        solve_board(board, Rules(3, 1), [Constraint(frozenset({(0, 2)}), -1)])


def test_constraints_on_other_cells_are_refused() -> None:
    with pytest.raises(UsageError, match="not among those to solve"):
        solve_constraints([(0, 0)], [Constraint(frozenset({(5, 5)}), 1)])


def test_further_constraints_of_a_board() -> None:
    solved = solve_board(
        Board.parse("*##\n###"), Rules(3, 2, 3), [Constraint(frozenset({(0, 0), (0, 1)}), 2)]
    )
    assert solved.mines == ((0, 1),)
    assert solved.chance[1, 1] == pytest.approx(1 / 4)


def test_flags_are_covered_cells() -> None:
    flagged, plain = Board.parse("FF?#\n111x"), Board.parse("####\n111x")
    rules = Rules(4, 2, 2)
    assert solve_board(flagged, rules).chance == solve_board(plain, rules).chance


def test_an_untouched_board_of_any_number_of_mines() -> None:
    for mines in (0, 1, 2000, 9999, 10000):
        solved = solve_board(Board.covered(100, 100), Rules(100, 100, mines))
        assert solved.chance[50, 50] == pytest.approx(mines / 10000, abs=1e-15)
        assert solved.solutions == math.comb(10000, mines)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_board_of_100_by_100(seed: int) -> None:
    rng = random.Random(seed)
    field = Minefield.generate(Rules(100, 100, 2000), (50, 50), rng)
    codes = np.full((100, 100), Cell.COVERED, np.int8)
    for row, column in itertools.product(range(100), range(100)):
        if not field.mines[row, column] and rng.random() < 0.5 and (row // 12 + column // 12) % 2:
            codes[row, column] = field.counts[row, column]
    solved = solve_board(Board(codes), Rules(100, 100, 2000))
    # The expected mines of all cells together are the mines.
    assert math.fsum(solved.chance.values()) == pytest.approx(2000, abs=1e-7)
    assert not any(field.mines[cell] for cell in solved.safe)
    assert all(field.mines[cell] for cell in solved.mines)
    assert solved.safe
    assert not solved.approximate
    assert solved.log10_solutions is not None
    assert 100 < solved.log10_solutions < 3000


@pytest.mark.parametrize("total", [201, 2000, 9899])
def test_layouts_far_from_the_average_leave_no_float_range(total: int) -> None:
    codes = np.full((100, 100), Cell.COVERED, np.int8)
    codes[1] = 6
    codes[1, [0, -1]] = 4
    solved = solve_board(Board(codes), Rules(100, 100, total))
    assert solved.chance[0, 50] == 1.0
    assert solved.chance[50, 50] == pytest.approx((total - 200) / 9700, abs=1e-12)
    assert solved.solutions == math.comb(9700, total - 200)


@pytest.mark.slow
def test_a_front_that_takes_nearly_every_mine() -> None:
    # Five mines in every six cells around each number, hundreds in one front, and hardly any beyond it.
    codes = np.full((100, 100), Cell.COVERED, np.int8)
    layout = np.zeros((100, 100), bool)
    for row in range(1, 30, 3):
        layout[[row - 1, row + 1]] = True
        layout[row - 1, 1::3] = False
    for row in range(1, 30, 3):
        for column in range(100):
            codes[row, column] = layout[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2].sum()
    total = int(layout.sum())
    solved = solve_board(Board(codes), Rules(100, 100, total))
    assert math.fsum(solved.chance.values()) == pytest.approx(total, abs=1e-6)
    assert solved.solutions is not None
    assert solved.solutions > 1


def test_uncompiled_is_the_same(tmp_path: Path) -> None:
    script = (
        "import json, sys\n"
        "from bot.board import Board, Rules\n"
        "from bot.solver.position.solve import solve_board\n"
        "for text, mines in json.load(sys.stdin):\n"
        "    board = Board.parse(text)\n"
        "    solved = solve_board(board, Rules(board.columns, board.rows, mines))\n"
        "    print(json.dumps([solved.safe, solved.mines, list(solved.chance.values()), solved.dead,"
        " solved.solutions]))\n"
    )
    asked = [(str(each.board), each.mines) for each in POSITIONS]
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "MINEBOT_HOME": str(tmp_path)},
        cwd=Path(__file__).parents[2],
    )
    assert done.stderr == ""
    for line, (text, mines) in zip(done.stdout.splitlines(), asked, strict=True):
        board = Board.parse(text)
        solved = solve_board(board, Rules(board.columns, board.rows, mines))
        safe, mined, chances, dead, solutions = json.loads(line)
        assert [tuple(cell) for cell in safe] == list(solved.safe)
        assert [tuple(cell) for cell in mined] == list(solved.mines)
        assert [tuple(cell) for cell in dead] == list(solved.dead)
        assert chances == pytest.approx(list(solved.chance.values()), abs=1e-14)
        assert solutions == solved.solutions


def test_the_grid_has_no_chance_where_there_is_none() -> None:
    solved: Solved = solve_board(Board.parse("1#\n##"), Rules(2, 2, 1))
    grid = solved.grid(2, 2)
    assert np.isnan(grid[0, 0])
    assert grid[1, 1] == pytest.approx(1 / 3)


def test_what_contradicts_itself_is_told_whole_where_no_part_of_it_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With as many states as it is looked for with a wide front counted as possible: an error ended it."""
    monkeypatch.setattr("bot.solver.position.solve.smallest_contradiction", lambda *_: None)
    board = Board.parse("##3\n1##")
    with pytest.raises(Contradiction, match="and a total of 1 mines cannot all be right"):
        solve_board(board, Rules(3, 2, 1))
