"""What an opening opens, under each rule set, against the words of its document on every small field."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from bot.board import Coordinate, Phase, Rules, Spread
from bot.game.game import Game
from bot.game.minefield import Minefield

ALL = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
CROSS = [(-1, 0), (0, -1), (0, 1), (1, 0)]


def beside(field: Minefield, cell: Coordinate, steps: list[Coordinate]) -> list[Coordinate]:
    places = [(cell[0] + down, cell[1] + right) for down, right in steps]
    return [place for place in places if 0 <= place[0] < field.rows and 0 <= place[1] < field.columns]


def mines_around(field: Minefield, cell: Coordinate) -> int:
    return sum(bool(field.mines[near]) for near in beside(field, cell, ALL))


def flood(field: Minefield, cell: Coordinate, steps: list[Coordinate], shown: set[Coordinate]) -> None:
    """As eibx tells it, over four neighbours; over eight it is what everybody's Minesweeper does."""
    if cell in shown or field.mines[cell]:
        return
    shown.add(cell)
    if mines_around(field, cell) == 0:
        for near in beside(field, cell, steps):
            flood(field, near, steps, shown)


def reveal_square(field: Minefield, cell: Coordinate) -> set[Coordinate]:
    """As COMP1511 tells it: "If the selected square has no adjacent mines, then reveal all of its adjacent
    squares"."""
    return {cell} if mines_around(field, cell) else {cell, *beside(field, cell, ALL)}


def reveal_radial(field: Minefield, cell: Coordinate) -> set[Coordinate]:
    """The same: "These lines should stop at a square that has adjacent mines or a square which is on an
    edge"."""
    shown = {cell}
    if mines_around(field, cell) == 0:
        for down, right in ALL:
            here = cell
            while True:
                here = (here[0] + down, here[1] + right)
                if not (0 <= here[0] < field.rows and 0 <= here[1] < field.columns):
                    break
                shown.add(here)
                if mines_around(field, here):
                    break
    return shown


def told(field: Minefield, cell: Coordinate, spread: Spread) -> set[Coordinate]:
    if spread is Spread.SQUARE:
        return reveal_square(field, cell)
    if spread is Spread.RADIAL:
        return reveal_radial(field, cell)
    shown: set[Coordinate] = set()
    flood(field, cell, {Spread.EIGHT: ALL, Spread.FOUR: CROSS, Spread.NONE: []}[spread], shown)
    return shown


@pytest.mark.parametrize("spread", Spread)
@pytest.mark.parametrize(("columns", "rows", "mines"), [(4, 4, 1), (4, 3, 2), (5, 3, 2), (3, 4, 3)])
def test_every_opening_of_every_field(spread: Spread, columns: int, rows: int, mines: int) -> None:
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    rules = Rules(columns, rows, mines, spread=spread)
    for mined in itertools.combinations(range(columns * rows), mines):
        field = Minefield.from_cells(columns, rows, mined)
        for first, second in zip(cells, cells[5:] + cells[:5], strict=True):
            if field.mines[first] or field.mines[second]:
                continue
            play = Game(rules, minefield=field)
            play.open(*first)
            play.open(*second)
            shown = told(field, first, spread)
            # A cell that is open already is not selected again, except as a square or as rays.
            if second not in shown or spread in (Spread.SQUARE, Spread.RADIAL):
                shown = shown | told(field, second, spread)
            assert {(int(r), int(c)) for r, c in np.argwhere(play.board.codes <= 8)} == shown
            assert (play.phase is Phase.WON) == (len(shown) == columns * rows - mines)
