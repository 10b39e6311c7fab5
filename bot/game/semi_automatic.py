"""endoh1's semi-automatic game (IOCCC 2020): the player guesses, and the program does what follows.

After every probe the program goes through the numbers in the order of the map's priorities, over and over.
One step is all that the rules say of one number, by itself or together with one other number near it: its
cells are probed or flagged at once, and the next step begins with the same number. Where as many cells are
unprobed as mines are not flagged, each step flags one of them too, the last one first; without that rule some
games cannot be finished. A game is won when every cell is probed or flagged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.board import Action, Board, Cell, Coordinate, FirstClick, Move, Phase, Rules, Spread
from bot.game.game import Game
from bot.game.priority_map import PriorityMap

Settle = Callable[[Board], tuple[tuple[Coordinate, ...], tuple[Coordinate, ...]]]
"""What the rules settle on a board: the cells that are safe, and those that are mines."""

NEAR = 2
"""Rows and columns between two numbers that the rules look at together, at most: farther apart they have no
neighbour in common."""


@dataclass
class SemiAutomatic:
    """One game: `probe` is the player's, `step` the program's."""

    map: PriorityMap
    settle: Settle
    """`bot.strategy.local.settle`: the engine knows no solver."""
    final_rule: bool = True

    def __post_init__(self) -> None:
        rules = Rules(self.map.columns, self.map.rows, self.map.mines, FirstClick.REMOVED, Spread.NONE)
        # Openings spread by the rules, one step at a time, and flags are put by them.
        self.game = Game(rules, minefield=self.map.minefield, flags_needed=True)
        cells = range(self.map.columns * self.map.rows)
        self._order = sorted(cells, key=self.map.priorities.__getitem__)
        self._next = 0
        """The place in the order of the number that is looked at next."""

    @property
    def board(self) -> Board:
        """What is seen."""
        return self.game.board

    @property
    def phase(self) -> Phase:
        """Where the game stands."""
        return self.game.phase

    def probe(self, row: int, column: int) -> bool:
        """Probe a cell; says whether anything changed: flags and probed cells stay as they are."""
        return self.game.open(row, column)

    def step(self) -> list[Move]:
        """Make the next automatic step, and say what it did; nothing where nothing follows."""
        if self.phase is not Phase.PLAYING:
            return []
        moves = self._last_flag()
        for move in moves:
            self.game.act(move)
        if self.phase is Phase.PLAYING:
            following = self._next_number()  # what was flagged just now is not flagged once more
            for move in following:
                self.game.act(move)
            moves += following
        return moves

    def _last_flag(self) -> list[Move]:
        left = self.board.where(Cell.COVERED)
        if not self.final_rule or not left or len(left) != self.game.mines_left:
            return []
        return [Move(Action.FLAG, *left[-1])]

    def _next_number(self) -> list[Move]:
        """What the rules say of the next number of which they say anything."""
        board = self.board
        safe, mines = self.settle(board)
        settled = {cell for cell in (*safe, *mines) if board[cell] == Cell.COVERED}
        if not settled:
            return []
        columns = self.map.columns
        # Only numbers beside a settled cell can settle one.
        beside = {number for cell in settled for number in self._around(cell, 1)}
        for _ in self._order:
            number = divmod(self._order[self._next], columns)
            if number in beside and 0 <= board[number] <= 8:
                moves = self._follows(board, number)
                if moves:
                    return moves
            self._next = (self._next + 1) % len(self._order)
        return []

    def _follows(self, board: Board, number: Coordinate) -> list[Move]:
        """What follows for the covered neighbours of a number: by itself, or with the first other number, row
        by row, with which anything follows."""
        covered, missing = self._missing(board, number)
        others: list[tuple[set[Coordinate], int]] = [(set(), 0)]
        others += [
            self._missing(board, other)
            for other in self._around(number, NEAR)
            if other != number and 0 <= board[other] <= 8
        ]
        for cells, mines in others:
            only, only_other = covered - cells, cells - covered
            if only and mines - missing == len(only_other):
                # Only the other one's cells are mines: the cells in common hold all that this one lacks.
                return [Move(Action.OPEN, *cell) for cell in sorted(only)]
            if only and missing - mines == len(only):
                return [Move(Action.FLAG, *cell) for cell in sorted(only)]
        return []

    def _missing(self, board: Board, number: Coordinate) -> tuple[set[Coordinate], int]:
        """The covered neighbours of a number, and how many mines are among them."""
        around = self._around(number, 1)
        flags = sum(board[cell] == Cell.FLAG for cell in around)
        return {cell for cell in around if board[cell] == Cell.COVERED}, board[number] - flags

    def _around(self, cell: Coordinate, reach: int) -> list[Coordinate]:
        """The cells at most so many rows and columns away, row by row, with the cell itself."""
        rows = range(max(cell[0] - reach, 0), min(cell[0] + reach + 1, self.map.rows))
        columns = range(max(cell[1] - reach, 0), min(cell[1] + reach + 1, self.map.columns))
        return [(row, column) for row in rows for column in columns]
