"""The chance to win by perfect play, where few enough layouts are left to search every way to play on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from bot.board import Board, Cell, Coordinate, FirstClick, Rules
from bot.solver.constraints.workspace import new_workspace
from bot.solver.deduction.compiled_board import MINE, load_codes, mines_left, new_board, settle_cell
from bot.solver.endgame.enumeration import enumerate_solutions
from bot.solver.endgame.exact_search import HOLDS_MINE, Endgame, new_endgame, search_exactly
from bot.solver.jit.records import new
from bot.solver.probability.combination import SOLVABLE, Combination
from bot.solver.probability.components import release_cells
from bot.solver.probability.mine_chances import mine_chances

MOST_LAYOUTS = 2000
"""Layouts up to which the game is searched."""

MOST_NODES = 400_000
"""Sets of layouts that a search may look at, some seconds of work; beyond, nothing is said."""

POSITION_STATES = 1 << 16


@dataclass(frozen=True, eq=False)
class PerfectPlay:
    """Every layout of a position, and what perfect play makes of it."""

    _values: np.ndarray[tuple[int, int], np.dtype[np.int8]]
    """What each covered cell shows in each layout, shape (layouts, cells)."""
    _column: dict[Coordinate, int]
    _first_click: FirstClick
    """How the next click is protected: `any` once the game is under way."""
    _beside: dict[Coordinate, list[int]]
    """The columns of the covered cells around each one."""
    best: Coordinate
    """A cell that perfect play may open."""
    win: float
    """Its chance to win the game."""

    def after(self, cell: Coordinate) -> float | None:
        """The chance to win if this cell is opened next and all play after it is perfect.

        None where that takes too many nodes, and where no layout allows such a first click.
        """
        return _win_after(self._values, self._column[cell], self._first_click, self._beside[cell])


def play_perfectly(
    board: Board, rules: Rules, mines: Iterable[Coordinate] = (), layouts: int = MOST_LAYOUTS
) -> PerfectPlay | None:
    """Search a position to the end of the game. `mines` are cells that are known to be mines.

    None where the mine total is unknown, where there are more than `layouts` layouts, where the search takes
    too many nodes, or where no cell is left to open. The board must be possible. On an untouched board the
    first click is protected as `rules` say: every layout that they allow is equally likely. Where they make
    some likelier, nothing is said: the search takes each layout for as likely as the others.
    """
    written = _write(board, rules, mines, layouts)
    if written is None:
        return None
    values, cells = written
    column = {cell: index for index, cell in enumerate(cells)}
    untouched = not bool((board.codes <= 8).any())
    protected = rules.first_click if untouched else FirstClick.ANY
    beside = {cell: [column[near] for near in board.neighbours(*cell) if near in column] for cell in cells}
    if protected is FirstClick.ANY:
        found = _search(values)
        if found is None:
            return None
        won, best = found
        if best < 0:
            return None
        return PerfectPlay(values, column, protected, beside, cells[best], won / len(values))
    whole = len(cells) == rules.cells
    if protected.lays_first and not (whole and protected is FirstClick.REMOVED):
        return None
    best_of: tuple[float, Coordinate] | None = None
    for cell in cells:
        if whole and (cell[0] > (board.rows - 1) // 2 or cell[1] > (board.columns - 1) // 2):
            continue  # the same as one that is its mirror image
        if not _sorts_after(values, column[cell], protected, beside[cell])[1]:
            continue
        win = _win_after(values, column[cell], protected, beside[cell])
        if win is None:
            return None
        if best_of is None or win > best_of[0]:
            best_of = win, cell
    return None if best_of is None else PerfectPlay(values, column, protected, beside, best_of[1], best_of[0])


Values = np.ndarray[tuple[int, int], np.dtype[np.int8]]


def _sorts_after(
    values: Values, column: int, first_click: FirstClick, beside: list[int]
) -> tuple[list[Values], int]:
    """The layouts after a first click on a cell, by what the player is told besides the board, and how many
    they are together. `beside` are the columns of the cells around it."""
    if first_click is FirstClick.ANY:
        return [values], len(values)
    shown = values[:, column]
    if first_click is FirstClick.REMOVED:
        without = values[shown == HOLDS_MINE]
        around = without[:, beside]
        without[:, beside] = np.where(around == HOLDS_MINE, around, around - 1)
        without[:, column] = np.count_nonzero(around == HOLDS_MINE, axis=1)
        # The mine total says whether there was one to take away.
        return [without, values[shown != HOLDS_MINE]], len(values)
    allowed: Values = values[shown == 0 if first_click is FirstClick.ZERO else shown != HOLDS_MINE]
    return [allowed], len(allowed)


def _win_after(values: Values, column: int, first_click: FirstClick, beside: list[int]) -> float | None:
    """The chance to win if one cell is opened, its click protected so, and all play after it is perfect; None
    where that takes too many nodes, and where no layout allows such a click."""
    sorts, number = _sorts_after(values, column, first_click, beside)
    if not number:
        return None
    won = 0
    for sort in sorts:
        found = _won_after(sort, column)
        if found is None:
            return None
        won += found
    return won / number


def _won_after(values: Values, column: int) -> int | None:
    """In how many layouts perfect play wins after one cell was opened; a mine there loses."""
    won = 0
    for number in range(HOLDS_MINE):
        found = _search(values[values[:, column] == number])
        if found is None:
            return None
        won += found[0]
    return won


def _search(values: Values) -> tuple[int, int] | None:
    """In how many of some layouts perfect play wins, and the column of its next cell (-1: none is left)."""
    layouts, cells = values.shape
    if layouts == 0:
        return 0, -1
    if layouts == 1:
        safe = np.flatnonzero(values[0] != HOLDS_MINE)
        return 1, int(safe[0]) if len(safe) else -1
    game: Endgame = new_endgame(layouts, cells)
    game.values[:] = values
    won = search_exactly(game, layouts, cells, MOST_NODES)
    if won < 0:
        return None
    return int(won), int(game.search.best)


def _write(
    board: Board, rules: Rules, mines: Iterable[Coordinate], layouts: int
) -> tuple[Values, list[Coordinate]] | None:
    """What every unknown cell shows in every layout; None where they are too many."""
    if rules.mines is None:
        return None
    field = new_board(board.rows, board.columns, rules.mines)
    load_codes(field, np.array(board.codes, order="C"))
    stride = field.counts.stride
    for row, column in mines:
        settle_cell(field, (row + 1) * stride + column + 1, MINE)
    size = field.state.shape[0]
    ws, combined = new_workspace(size, POSITION_STATES), new(Combination)
    found, cons = mine_chances(field, ws, POSITION_STATES // 4, np.zeros(size), combined)
    # The chances of a component that was too large to be counted are estimates, and so is the number.
    if found != SOLVABLE or combined.limited or not combined.log_solutions <= math.log(layouts) + 1e-6:
        release_cells(ws, cons)
        return None
    unknown = board.count(Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.UNREAD)
    game = new_endgame(layouts, unknown)
    components = combined.components
    left = int(mines_left(field))
    rows, columns = enumerate_solutions(
        field, ws, game, np.ones(components + 1, np.int8), components, left, layouts
    )
    release_cells(ws, cons)
    if rows <= 0 or columns == 0:
        return None
    cells = [(int(place) // stride - 1, int(place) % stride - 1) for place in game.cells[:columns]]
    return game.values[:rows, :columns].copy(), cells
