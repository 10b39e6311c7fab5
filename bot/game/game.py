"""One game of Minesweeper: what a player sees, and what opening, flagging and chording do to it."""

from __future__ import annotations

import operator
import random
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from bot.board import (
    LEVELS,
    Action,
    Board,
    Case,
    Cell,
    Constraint,
    Coordinate,
    FirstClick,
    Move,
    Observation,
    Phase,
    Rules,
    Spread,
    neighbours,
    whole_number,
)
from bot.errors import NoCellError, UsageError
from bot.game.minefield import Minefield
from bot.game.protection import cases, protect, told_after

COVERED, FLAG, QUESTION = int(Cell.COVERED), int(Cell.FLAG), int(Cell.QUESTION)
Neighbourhood = tuple[tuple[int, ...], ...]

RAYS = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))
"""The eight directions, as steps of a row and a column."""


class Game:
    """A game in this process. Its mines are laid at the first open, under the first-click rule."""

    def __init__(
        self,
        rules: Rules,
        seed: int | None = None,
        minefield: Minefield | None = None,
        *,
        marks: bool = False,
        hints: int = 0,
        flags_stop: bool = True,
        flags_needed: bool = False,
    ) -> None:
        """A new game: of the layout that `seed` gives, a chance one for None, or of a given minefield.

        A given minefield is played as it is, whatever the first click; only the first-click rules that
        change a field which lies already do so with this one. `marks` puts a question mark between a flag
        and a covered cell; `hints` questions may be asked. A flag stops an opening from spreading over its
        cell, unless `flags_stop` is false; with `flags_needed` a game is won only when every mine is flagged
        besides. Raises UsageError where the mines are unknown, the minefield is not of these rules, or one of
        all these is something else.
        """
        if not isinstance(rules, Rules):
            raise UsageError(f"a {type(rules).__name__} is no rules: give some, as Rules(9, 9, 10)")
        if not isinstance(minefield, Minefield | None):
            raise UsageError(f"a {type(minefield).__name__} is no minefield: give one, or a seed")
        seed = None if seed is None else whole_number("a seed", seed)
        hints = whole_number("a number of hints", hints)
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
        self._again = partial(  # unlike a lambda it can be pickled
            Game, rules, marks=marks, hints=hints, flags_stop=flags_stop, flags_needed=flags_needed
        )
        self.rules = rules
        self.seed = seed
        self._mines = rules.mines
        self._marks = marks
        self._columns = rules.columns
        # Flat bytes: as quick to index as a list, and numpy reads them without a copy of each number.
        self._codes = bytearray([COVERED]) * rules.cells
        self._around = _neighbourhood(rules.columns, rules.rows, Spread.EIGHT)
        self._spread = _neighbourhood(rules.columns, rules.rows, rules.spread)
        self._opens = (COVERED, QUESTION) if flags_stop else (COVERED, QUESTION, FLAG)
        self._flags_needed = flags_needed
        self._to_open = rules.cells - rules.mines
        self._flags = 0
        self._phase = Phase.READY
        self._board: Board | None = None
        self._truth: Minefield | None = None
        self._is_mine = b""
        self._counts = b""
        self.first: Coordinate | None = None
        """The first cell that was opened; None before."""
        self.hints = hints
        """How many questions may still be asked."""
        self._told: list[Constraint] = []
        self._told_before: tuple[Constraint, ...] = ()
        if minefield is not None:
            self._lay(minefield)

    @classmethod
    def beginner(cls, seed: int | None = None, first_click: FirstClick = FirstClick.SAFE) -> Game:
        """A game of 9x9 cells with 10 mines, of the layout that `seed` gives, a chance one for None.

        Raises UsageError for a seed that is no whole number and for a first-click rule that is not there.
        """
        return cls._of_level("beginner", seed, first_click)

    @classmethod
    def intermediate(cls, seed: int | None = None, first_click: FirstClick = FirstClick.SAFE) -> Game:
        """The same with 16x16 cells and 40 mines."""
        return cls._of_level("intermediate", seed, first_click)

    @classmethod
    def expert(cls, seed: int | None = None, first_click: FirstClick = FirstClick.SAFE) -> Game:
        """The same with 30 columns, 16 rows and 99 mines."""
        return cls._of_level("expert", seed, first_click)

    @classmethod
    def _of_level(cls, name: str, seed: int | None, first_click: FirstClick) -> Game:
        return cls(Rules(*LEVELS[name], first_click), seed)

    def __str__(self) -> str:
        return str(self.board)

    def _repr_svg_(self) -> str | None:
        """The board as a picture for notebooks; None where it is too large to be drawn."""
        return self.board._repr_svg_()

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
    def observation(self) -> Observation:
        """All that the player knows."""
        return Observation(
            self.board, self._phase, self.rules, tuple(self._told), self._cases(), hints=self.hints
        )

    def _cases(self) -> tuple[Case, ...]:
        if self.first is None or self._phase.over:
            return ()
        return cases(self.board, self.first, self.rules.first_click, self._told_before)

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

    def again(self) -> Game:
        """A new game of the same rules with a chance layout."""
        return self._again()

    def act(self, move: Move) -> bool:
        """Make a move; the same as `open`, `flag`, `chord` or `ask`. Says whether anything changed."""
        if not isinstance(move, Move):
            raise UsageError(f"a {type(move).__name__} is no move: give one, as Move(Action.OPEN, 0, 0)")
        if move.action is Action.OPEN:
            return self.open(move.row, move.column)
        if move.action.asks:
            self.ask(move)
            return True
        if move.action is Action.FLAG:
            return self.flag(move.row, move.column)
        return self.chord(move.row, move.column)

    def open(self, row: int, column: int, spread: Spread | None = None) -> bool:
        """Open a covered cell, or one with a question mark; says whether anything changed.

        `spread` is what an opening opens besides, where it is not what the rules say. Flags, opened cells
        and games that are over stay as they are; only a zero that spreads as a square or as rays does so
        again. Raises UsageError off the board.
        """
        cell = self._cell(row, column)
        code = self._codes[cell]
        spread = self.rules.spread if spread is None else spread
        again = code == 0 and spread in (Spread.SQUARE, Spread.RADIAL)
        if self._phase.over or not (code in (COVERED, QUESTION) or again):
            return False
        if self._phase is Phase.READY:
            self._first_open((row, column))
        before = self._to_open
        if spread is self.rules.spread:
            self._reveal((cell,))
        else:
            self._reveal((cell,), _neighbourhood(self._columns, self.rules.rows, spread), spread)
        return self._phase.over or self._to_open < before

    def _first_open(self, first: Coordinate) -> None:
        """Lay the mines, or protect the first click from those that lie."""
        minefield = self._truth
        if minefield is None:
            minefield = Minefield.generate(self.rules, first, random.Random(self.seed))
        if self.rules.first_click.lays_first:
            minefield = protect(minefield, first, self.rules.first_click)
        self._lay(minefield)
        self.first = first
        if self.rules.first_click in (FirstClick.MOVED, FirstClick.SHIFTED):
            self._told_before, self._told = tuple(self._told), []
        else:
            self._told = told_after(self._told, first, self._mines - minefield.total)
        if minefield.total != self._mines:
            self.rules = replace(self.rules, mines=minefield.total)
            self._mines = minefield.total
            self._to_open = self.rules.cells - self._mines
        self._phase = Phase.PLAYING

    def ask(self, question: Move) -> int:
        """The number of mines in the row, the column or the square that is asked about: one hint less.

        Of a square that reaches over the edge, the part on the board counts. Raises UsageError where no
        hint is left, for a place off the board, for a square without a middle, and before the first click
        where the mines lie only after it.
        """
        self._cell(question.row, question.column)
        if question.action is Action.COUNT_SQUARE and (question.side < 1 or question.side % 2 == 0):
            raise UsageError(f"a square of side {question.side} has no cell in its middle: give an odd side")
        if self.hints < 1:
            raise UsageError("no hint is left")
        truth = self._truth
        if truth is None:
            if not (self.rules.first_click.lays_first or self.rules.first_click is FirstClick.ANY):
                raise UsageError("no mines lie before the first cell is opened: open one")
            truth = Minefield.generate(self.rules, (0, 0), random.Random(self.seed))
            self._lay(truth)
        cells = question.asked(self.rules.rows, self._columns)
        mines = sum(1 for cell in cells if truth.mines[cell])
        self.hints -= 1
        self._told.append(Constraint(cells, mines))
        return mines

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
        self._judge()
        return True

    def chord(self, row: int, column: int) -> bool:
        """Open the neighbours of an opened cell with as many flags around as it shows; says if it did.

        An empty cell shows none: a flag that kept an opening from a neighbour may be taken away later.

        Raises UsageError off the board.
        """
        cell = self._cell(row, column)
        codes = self._codes
        if self._phase.over or codes[cell] > 8:
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
        try:
            row, column = operator.index(row), operator.index(column)
        except TypeError:
            raise UsageError(f"{row!r},{column!r} is no cell: give a row and a column") from None
        if not (0 <= row < self.rules.rows and 0 <= column < self._columns):
            raise NoCellError.of(row, column, self._columns, self.rules.rows)
        return row * self._columns + column

    def _lay(self, minefield: Minefield) -> None:
        self._truth = minefield
        self._is_mine = minefield.mines.tobytes()
        self._counts = minefield.counts.tobytes()

    def _reveal(
        self, cells: Iterable[int], around: Neighbourhood | None = None, spread: Spread | None = None
    ) -> None:
        """Open covered cells, and spread from zeros: every cell is on the stack once at most."""
        codes, counts, is_mine, hidden = self._codes, self._counts, self._is_mine, self._opens
        around = self._spread if around is None else around
        spread = self.rules.spread if spread is None else spread
        floods = spread in (Spread.EIGHT, Spread.FOUR)
        exploded = []
        opened = 0
        for cell in cells:
            if is_mine[cell]:
                exploded.append(cell)
                continue
            if codes[cell] in hidden:
                codes[cell] = counts[cell]
                opened += 1
            elif floods:
                continue
            if spread is Spread.RADIAL:
                opened += self._shine(cell)
                continue
            stack = [cell]
            while stack:
                here = stack.pop()
                if counts[here]:
                    continue
                for other in around[here]:
                    if codes[other] in hidden:
                        codes[other] = counts[other]
                        opened += 1
                        if floods:
                            stack.append(other)
        self._to_open -= opened
        self._board = None
        if len(hidden) > 2:
            self._flags = codes.count(FLAG)  # those that an opening has run over are gone
        if exploded:
            self._lose(exploded)
        else:
            self._judge()

    def _shine(self, cell: int) -> int:
        """Open the eight rays of a zero, each up to and with its first number; says how many cells."""
        if self._counts[cell]:
            return 0
        opened = 0
        row, column = divmod(cell, self._columns)
        for down, right in RAYS:
            r, c = row + down, column + right
            while 0 <= r < self.rules.rows and 0 <= c < self._columns:
                here = r * self._columns + c
                if self._codes[here] in self._opens:
                    self._codes[here] = self._counts[here]
                    opened += 1
                if self._counts[here]:
                    break
                r, c = r + down, c + right
        return opened

    def _judge(self) -> None:
        """Win the game where nothing is left to do; an untouched one is not won yet."""
        if self._to_open or self._phase is not Phase.PLAYING:
            return
        if not self._flags_needed or self._flags == self._mines:
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
    """For each flat cell, the flat cells over which an opening spreads from it; rays are walked."""
    if spread in (Spread.NONE, Spread.RADIAL):
        return ((),) * (columns * rows)
    return tuple(
        tuple(
            r * columns + c
            for r, c in neighbours(row, column, rows, columns)
            if spread is not Spread.FOUR or r == row or c == column
        )
        for row in range(rows)
        for column in range(columns)
    )
