"""One game of Minesweeper: what a player sees, and what opening, flagging and chording do to it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import numpy as np

from bot.board import Action, Board, Cell, Move, Phase, Rules, Spread, neighbours
from bot.errors import UsageError
from bot.game.minefield import Minefield

COVERED, FLAG, QUESTION = int(Cell.COVERED), int(Cell.FLAG), int(Cell.QUESTION)
Neighbourhood = tuple[tuple[int, ...], ...]


class Game:
    """A game in this process. Its mines are laid at the first open, under the first-click rule."""

    def __init__(
        self,
        rules: Rules,
        seed: int | None = None,
        minefield: Minefield | None = None,
        *,
        marks: bool = False,
    ) -> None:
        """A new game: of the layout that `seed` gives, a chance one for None, or of a given minefield.

        A given minefield is played as it is, whatever the first click; `marks` puts a question mark
        between a flag and a covered cell. Raises UsageError where the mines are unknown or the minefield
        is not of these rules.
        """
        if minefield is not None:
            if (minefield.columns, minefield.rows) != (rules.columns, rules.rows):
                raise UsageError(
                    f"a minefield of {minefield.columns}x{minefield.rows} is no board of {rules.size}"
                )
            if rules.mines is None:
                rules = replace(rules, mines=minefield.total)
            elif rules.mines != minefield.total:
                raise UsageError(f"a minefield of {minefield.total} mines is no game of {rules.mines} mines")
        if rules.mines is None:
            raise UsageError("a game needs a number of mines: name one")
        self.rules = rules
        self.seed = seed
        self._mines = rules.mines
        self._marks = marks
        self._columns = rules.columns
        # Flat bytes: as quick to index as a list, and numpy reads them without a copy of each number.
        self._codes = bytearray([COVERED]) * rules.cells
        self._around = _neighbourhood(rules.columns, rules.rows, Spread.EIGHT)
        self._spread = _neighbourhood(rules.columns, rules.rows, rules.spread)
        self._to_open = rules.cells - rules.mines
        self._flags = 0
        self._phase = Phase.READY
        self._board: Board | None = None
        self._truth: Minefield | None = None
        self._is_mine = b""
        self._counts = b""
        if minefield is not None:
            self._lay(minefield)

    @property
    def board(self) -> Board:
        """What the player sees."""
        if self._board is None:
            codes = np.frombuffer(self._codes, dtype=np.int8)
            self._board = Board(codes.reshape(self.rules.rows, self.rules.columns))
        return self._board

    @property
    def phase(self) -> Phase:
        """Ready until the first open, then playing, then won or lost."""
        return self._phase

    @property
    def mines_left(self) -> int:
        """Mines less flags, as the counter shows it; below zero where there are more flags than mines."""
        return self._mines - self._flags

    @property
    def minefield(self) -> Minefield:
        """Where the mines were, once the game is over; raises UsageError before."""
        if self._truth is None or not self._phase.over:
            raise UsageError("the minefield is hidden until the game is over: finish it first")
        return self._truth

    @property
    def truth_for_simulators(self) -> Minefield | None:
        """Where the mines are, whatever the phase; None until they are laid. Never show it to a player."""
        return self._truth

    def act(self, move: Move) -> bool:
        """Make a move; the same as `open`, `flag` or `chord`."""
        if move.action is Action.OPEN:
            return self.open(move.row, move.column)
        if move.action is Action.FLAG:
            return self.flag(move.row, move.column)
        return self.chord(move.row, move.column)

    def open(self, row: int, column: int) -> bool:
        """Open a covered cell, or one with a question mark; says whether anything changed.

        Flags, opened cells and games that are over stay as they are. Raises UsageError off the board.
        """
        cell = self._cell(row, column)
        code = self._codes[cell]
        if self._phase.over or (code != COVERED and code != QUESTION):
            return False
        if self._truth is None:
            rng = random.Random(self.seed)
            self._lay(Minefield.generate(self.rules, (row, column), rng))
        self._phase = Phase.PLAYING
        self._reveal((cell,))
        return True

    def flag(self, row: int, column: int) -> bool:
        """Put a flag on a covered cell or take it away (with marks: by way of a question mark).

        Says whether anything changed. Raises UsageError off the board.
        """
        cell = self._cell(row, column)
        code = self._codes[cell]
        if self._phase.over or code < COVERED:
            return False
        if code == COVERED:
            self._codes[cell] = FLAG
            self._flags += 1
        elif code == FLAG:
            self._codes[cell] = QUESTION if self._marks else COVERED
            self._flags -= 1
        else:
            self._codes[cell] = COVERED
        self._board = None
        return True

    def chord(self, row: int, column: int) -> bool:
        """Open the neighbours of a number that has as many flags around; says whether anything changed.

        Raises UsageError off the board.
        """
        cell = self._cell(row, column)
        codes = self._codes
        if self._phase.over or not 1 <= codes[cell] <= 8:
            return False
        around = self._around[cell]
        if sum(codes[other] == FLAG for other in around) != codes[cell]:
            return False
        covered = [other for other in around if codes[other] == COVERED or codes[other] == QUESTION]
        if not covered:
            return False
        self._reveal(covered)
        return True

    def _cell(self, row: int, column: int) -> int:
        if not (0 <= row < self.rules.rows and 0 <= column < self._columns):
            raise UsageError(f"there is no cell {row},{column} on a board of {self.rules.size}")
        return row * self._columns + column

    def _lay(self, minefield: Minefield) -> None:
        self._truth = minefield
        self._is_mine = minefield.mines.tobytes()
        self._counts = minefield.counts.tobytes()

    def _reveal(self, cells: Iterable[int]) -> None:
        """Open covered cells, and spread from zeros: every cell is on the stack once at most."""
        codes, counts, is_mine, spread = self._codes, self._counts, self._is_mine, self._spread
        exploded = []
        stack = []
        opened = 0
        for cell in cells:
            if is_mine[cell]:
                exploded.append(cell)
            elif codes[cell] == COVERED or codes[cell] == QUESTION:
                stack.append(cell)
                codes[cell] = counts[cell]
                opened += 1
                while stack:
                    here = stack.pop()
                    if counts[here]:
                        continue
                    for other in spread[here]:
                        if codes[other] == COVERED or codes[other] == QUESTION:
                            codes[other] = counts[other]
                            opened += 1
                            stack.append(other)
        self._to_open -= opened
        self._board = None
        if exploded:
            self._lose(exploded)
        elif not self._to_open:
            self._win()

    def _lose(self, exploded: list[int]) -> None:
        self._phase = Phase.LOST
        codes = self._codes
        for cell, mine in enumerate(self._is_mine):
            if mine and codes[cell] != FLAG:
                codes[cell] = Cell.MINE
            elif not mine and codes[cell] == FLAG:
                codes[cell] = Cell.WRONG_FLAG
        for cell in exploded:
            codes[cell] = Cell.EXPLODED

    def _win(self) -> None:
        self._phase = Phase.WON
        self._flags = self._mines
        for cell, mine in enumerate(self._is_mine):
            if mine:
                self._codes[cell] = FLAG


@lru_cache(maxsize=64)
def _neighbourhood(columns: int, rows: int, spread: Spread) -> Neighbourhood:
    """For each flat cell, the flat cells over which an opening spreads from it."""
    if spread is Spread.NONE:
        return ((),) * (columns * rows)
    return tuple(
        tuple(
            r * columns + c
            for r, c in neighbours(row, column, rows, columns)
            if spread is Spread.EIGHT or r == row or c == column
        )
        for row in range(rows)
        for column in range(columns)
    )
