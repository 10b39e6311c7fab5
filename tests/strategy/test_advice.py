"""What is advised on one position."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from bot.board import Board, Cell, Coordinate, FirstClick, Observation, Phase, Rules
from bot.errors import ContradictionError, UsageError
from bot.game.minefield import Minefield
from bot.game.protection import protect
from bot.solver.endgame.perfect_play import play_perfectly
from bot.strategy.advice import advise
from bot.strategy.base import Kind
from bot.strategy.best import Best
from bot.strategy.registry import strategy


def rules(board: Board, mines: int | None, first_click: FirstClick = FirstClick.SAFE) -> Rules:
    return Rules(board.columns, board.rows, mines, first_click)


def test_a_certain_cell_comes_first() -> None:
    board = Board.parse("###\n11x")
    advice = advise(board, rules(board, 1))
    assert advice.best == (0, 2)
    assert advice.survival == 1
    assert advice.win == 1
    assert advice.reason == "best: 1 cell is no mine in any layout that fits"


def test_what_wins_most_is_not_always_the_safest() -> None:
    board = Board.parse("####\n####\n###1")  # of tests/positions/chances.txt
    advice = advise(board, rules(board, 4))
    assert advice.best == (0, 1)
    assert advice.survival == pytest.approx(5 / 8)
    assert advice.win == pytest.approx(5 / 12)
    assert advice.candidates[0].cell == advice.best


def test_it_is_what_best_opens() -> None:
    for text, mines in (("2########\n" + "#########\n" * 8, 10), ("####\n####\n1###\n####", 4)):
        board = Board.parse(text)
        for think in (1, 4):
            said = advise(board, rules(board, mines), think=think)
            decision = Best(think=think).decide(Observation(board, Phase.PLAYING, rules(board, mines)), 1)
            assert (said.best,) == decision.safe
            assert said.candidates == decision.candidates


@pytest.mark.parametrize(
    ("first_click", "survival", "win"),
    [
        (FirstClick.ANY, 0.75, 961 / 1820),
        (FirstClick.SAFE, 1.0, 0.70403),
        (FirstClick.ZERO, 1.0, 0.97143),
    ],
)
def test_the_exact_value_of_an_untouched_board(first_click: FirstClick, survival: float, win: float) -> None:
    # Perfect play on 4x4 with 4 mines, as it was published for other exact searches.
    board = Board.covered(4, 4)
    advice = advise(board, rules(board, 4, first_click))
    assert advice.survival == survival
    assert advice.win == pytest.approx(win, abs=1e-5)


def won_after_first(
    rule: FirstClick, columns: int, rows: int, mines: int, first: Coordinate
) -> tuple[float, float]:
    """The chance to survive a first click and that to win by perfect play after it, from every layout."""
    every = [
        Minefield.from_cells(columns, rows, cells) for cells in combinations(range(columns * rows), mines)
    ]
    mended = [protect(field, first, rule) for field in every]
    alive = [field for field in mended if not field.mines[first]]
    cells = [(row, column) for row in range(rows) for column in range(columns)]

    @cache
    def won(left: tuple[int, ...], opened: frozenset[Coordinate]) -> int:
        """In how many of these layouts the game is won, the same number of mines in each."""
        if len(opened) == columns * rows - alive[left[0]].total:
            return len(left)
        closed = [cell for cell in cells if cell not in opened]
        certain = [cell for cell in closed if not any(alive[index].mines[cell] for index in left)]
        return max(opening(left, opened, cell) for cell in certain[:1] or closed)

    def opening(left: tuple[int, ...], opened: frozenset[Coordinate], cell: Coordinate) -> int:
        parts: dict[int, list[int]] = {}
        for index in left:
            if not alive[index].mines[cell]:
                parts.setdefault(int(alive[index].counts[cell]), []).append(index)
        return sum(won(tuple(part), opened | {cell}) for part in parts.values())

    total = 0
    for number in {field.total for field in alive}:
        sort = tuple(index for index, field in enumerate(alive) if field.total == number)
        total += opening(sort, frozenset(), first)
    return len(alive) / len(every), total / len(every)


@pytest.mark.parametrize("rule", [each for each in FirstClick if each.lays_first])
@pytest.mark.parametrize(
    ("columns", "rows", "mines"), [(3, 2, 2), (2, 3, 4), (3, 3, 3), (4, 2, 3), (3, 3, 5)]
)
def test_a_first_click_by_a_rule_that_changes_the_field(
    rule: FirstClick, columns: int, rows: int, mines: int
) -> None:
    board = Board.covered(columns, rows)
    rules = Rules(columns, rows, mines, rule)
    search = play_perfectly(board, rules)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    exact = {cell: won_after_first(rule, columns, rows, mines, cell) for cell in cells}
    if search is not None:
        for cell in cells:
            assert search.after(cell) == pytest.approx(exact[cell][1], abs=1e-12)
        assert search.win == pytest.approx(max(win for _, win in exact.values()), abs=1e-12)
        assert exact[search.best][1] == pytest.approx(search.win, abs=1e-12)
    # Where some layouts are likelier nothing exact is said.
    assert (search is not None) == (rule is FirstClick.REMOVED)
    advice = advise(board, rules)
    assert advice.best is not None
    assert advice.survival == pytest.approx(exact[advice.best][0], abs=1e-12)
    assert advice.win == (None if search is None else pytest.approx(exact[advice.best][1], abs=1e-12))


def test_a_mine_is_taken_away_from_a_board_full_of_them() -> None:
    board = Board.covered(3, 2)
    advice = advise(board, Rules(3, 2, 6, FirstClick.REMOVED))
    assert (advice.best, advice.survival, advice.win) == ((0, 0), 1, 1)
    for rule in (FirstClick.MOVED, FirstClick.SHIFTED):
        assert advise(board, Rules(3, 2, 6, rule)).best is None


@pytest.mark.parametrize("name", ["best", "exact", "seed", "local"])
@pytest.mark.parametrize(
    ("text", "mines", "best"),
    [
        ("###\n###", 2, (0, 0)),  # two cells are left beside the four that it opens
        ("###\n###\n###", 5, (0, 0)),
        ("#*#\n###\n###", 5, (2, 0)),  # a mine lies beside the first corner
        ("#########\n" * 9, 75, (0, 0)),  # no room where nine cells are opened
    ],
)
def test_a_first_click_that_opens_a_zero_has_room(name: str, text: str, mines: int, best: Coordinate) -> None:
    board = Board.parse(text)
    advice = advise(board, rules(board, mines, FirstClick.ZERO), name, dead=False)
    assert (advice.best, advice.survival) == (best, 1.0)
    assert advice.win == (None if board.rows == 9 else 1.0)


@pytest.mark.parametrize(("text", "mines"), [("###\n###\n###", 6), ("###\n#*#\n###", 2), ("##\n##", 1)])
def test_where_no_first_click_can_open_a_zero(text: str, mines: int) -> None:
    board = Board.parse(text)
    under = rules(board, mines, FirstClick.ZERO)
    with pytest.raises(UsageError, match="opens a zero"):
        advise(board, under)
    # A window that is said to have such a game is played on, by what is so under any rule.
    for name in ("best", "exact", "seed", "local"):
        decision = strategy(name).decide(Observation(board, Phase.READY, under), 0)
        assert decision.kind is Kind.GUESS
        left, covered = mines - board.count(Cell.MINE), board.count(Cell.COVERED)
        assert decision.survival == pytest.approx(1 - left / covered)


def test_a_first_click_that_no_layout_allows_has_no_chance_to_win() -> None:
    board = Board.parse("#*#*#\n#####\n#####\n#####\n#*#*#")
    under = rules(board, 5, FirstClick.ZERO)
    best = advise(board, under)
    assert best.survival == 1
    assert best.win is not None
    corner = advise(board, under, "seed")
    assert (corner.best, corner.win) == ((0, 0), None)
    assert corner.survival == pytest.approx(20 / 21)


def test_a_named_strategy_says_what_is_best() -> None:
    board = Board.parse("####\n####\n###1")
    advice = advise(board, rules(board, 4), "seed")
    assert advice.best == (0, 0)
    assert advice.reason.startswith("seed:")
    assert advice.win is not None
    assert advice.win < 5 / 12
    assert advise(board, rules(board, 4), "local").best is None
    with pytest.raises(UsageError):
        advise(board, rules(board, 4), "nobody")


@pytest.mark.parametrize(("text", "words"), [("X#\n##", "game is over"), ("##\n##", "every covered cell")])
def test_nothing_to_open(text: str, words: str) -> None:
    board = Board.parse(text)
    advice = advise(board, rules(board, 4))
    assert (advice.best, advice.survival, advice.win) == (None, None, None)
    assert words in advice.reason


def test_an_unread_cell_is_never_advised() -> None:
    board = Board.parse("!1#\n1*#\n##*")
    advice = advise(board, rules(board, 2))
    assert (0, 0) in advice.solved.safe
    assert advice.best is not None
    assert advice.best != (0, 0)


def test_a_board_that_cannot_be() -> None:
    board = Board.parse("#3\n##\n1#")
    with pytest.raises(ContradictionError):
        advise(board, rules(board, None))


@pytest.mark.parametrize(
    ("text", "mines", "best"),
    [("##?\n##2", 4, (0, 0)), (".12#\n.1#F\n.12#", 3, (2, 3))],  # all is certain by the second total
)
def test_a_guess_on_what_the_total_makes_a_mine_never_wins(text: str, mines: int, best: Coordinate) -> None:
    """The rung that chose it does not look at the total, and the search has no such cell."""
    board = Board.parse(text)
    advice = advise(board, rules(board, mines, FirstClick.ANY), "seed")
    assert (advice.best, advice.survival, advice.win) == (best, 0.0, 0.0)
