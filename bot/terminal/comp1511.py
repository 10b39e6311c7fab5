"""`comp1511`: the Minesweeper assignment of UNSW's COMP1511 (2020), a program on standard input and output.

What it prints is what the assignment's document shows, to the letter. Where the document leaves something
open, it is so here:

- Numbers are read one after the other, wherever the lines end, as `scanf` reads them. A line of mines with
  more numbers than it promises is therefore read on as commands; fewer are waited for on the next line.
- A pair named twice is one mine. Pairs off the field are ignored.
- Of a square that reaches over the edge, the part on the field counts.
- A hint counts as used when it is answered; before the first turn it tells of the field as it then lies,
  which the first turn may shift.
- The first turn is the first reveal. A column full of mines cannot be made safe by shifting: there the game
  is over with the field as it was.
- A reveal of a square that is open already does the same as the first time.
- The header of a won game in gameplay mode is the smiling face of a game under way; its mines stay `##`.
- What cannot be ends it with one line on stderr and status 1: an unknown command, what is no number, a place
  off the field, a square of an even side, a negative number of mines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import IO

from bot.board import Action, Cell, Move, Phase, Rules, Spread
from bot.errors import BotError, UsageError
from bot.game.game import Game
from bot.game.levels import LARGEST
from bot.game.minefield import Minefield
from bot.game.rule_sets import COMP1511

DETECT_ROW, DETECT_COLUMN, DETECT_SQUARE, REVEAL_SQUARE, GAMEPLAY_MODE, DEBUG_MODE, REVEAL_RADIAL = range(
    1, 8
)
"""The commands by their numbers."""

ARGUMENTS = {
    DETECT_ROW: 1,
    DETECT_COLUMN: 1,
    DETECT_SQUARE: 3,
    REVEAL_SQUARE: 2,
    GAMEPLAY_MODE: 0,
    DEBUG_MODE: 0,
    REVEAL_RADIAL: 2,
}
"""How many numbers follow each command."""

VISIBLE_SAFE, HIDDEN_SAFE, HIDDEN_MINE = range(3)
"""How debug mode prints a square."""

SMILE, FROWN = ("..", "\\/"), ("xx", "/\\")


class _End(Exception):
    """The input has ended: so does the game, quietly."""


def run(lines: Iterable[str], out: IO[str], side: int | None = None) -> int:
    """Play one game: commands from `lines`, the game to `out`. Returns the exit status, 0.

    `side` is the number of rows and columns, 8 if not given. Raises BotError for what cannot be.
    """
    side = COMP1511.rows if side is None else side
    if not 2 <= side <= LARGEST:
        raise UsageError(f"a field of side {side} cannot be played: give --side 2 to {LARGEST}")

    def say(text: str, end: str = "\n") -> None:
        out.write(text + end)
        out.flush()

    try:
        _Program(_numbers(lines), say, side).play()
    except _End:
        pass
    except UsageError as error:
        # It is the input that is wrong, not the words of the command.
        raise BotError(str(error)) from None
    return 0


def _numbers(lines: Iterable[str]) -> Iterator[int]:
    """The numbers of the input, one after the other. Raises BotError for what is none."""
    for line in lines:
        for word in line.split():
            if re.fullmatch("[+-]?[0-9]{1,18}", word) is None:
                raise BotError(f"{word!r} is no number: give whole numbers, as in 4 3 3")
            yield int(word)


class _Program:
    """One game of the assignment."""

    def __init__(self, numbers: Iterator[int], say: Callable[..., None], side: int) -> None:
        self._numbers = numbers
        self._say = say
        self._side = side
        self._gameplay = False
        self._game = COMP1511.game(Rules(side, side, 0))

    def _read(self) -> int:
        for number in self._numbers:
            return number
        raise _End

    def play(self) -> None:
        """The whole game; raises _End where the input ends before it."""
        self._say("Welcome to minesweeper!")
        self._say("How many mines? ", end="")
        count = self._read()
        if count < 0:
            raise BotError(f"a field cannot have {count} mines: give 0 or more")
        self._say("Enter pairs:")
        mines = set()
        for _ in range(count):
            row, column = self._read(), self._read()
            if 0 <= row < self._side and 0 <= column < self._side:
                mines.add(row * self._side + column)
        minefield = Minefield.from_cells(self._side, self._side, mines)
        rules = Rules(self._side, self._side, len(mines), COMP1511.first_click, COMP1511.spread)
        self._game = COMP1511.game(rules, minefield=minefield)
        self._say("Game Started")
        self._show()
        while not self._game.phase.over:
            self._command(self._read())
            self._show()

    def _command(self, command: int) -> None:
        if command not in ARGUMENTS:
            raise BotError(f"there is no command {command}: give 1 to {len(ARGUMENTS)}")
        arguments = [self._read() for _ in range(ARGUMENTS[command])]
        if command in (GAMEPLAY_MODE, DEBUG_MODE):
            self._gameplay = command == GAMEPLAY_MODE
            self._say(f"{'Gameplay' if self._gameplay else 'Debug'} mode activated")
        elif command in (REVEAL_SQUARE, REVEAL_RADIAL):
            row, column = arguments
            self._game.open(row, column, Spread.SQUARE if command == REVEAL_SQUARE else Spread.RADIAL)
            if self._game.phase.over:
                self._say("Game Won!" if self._game.phase is Phase.WON else "Game over")
        elif not self._game.hints:
            self._say("Help already used")
        elif command == DETECT_ROW:
            count = self._game.ask(Move(Action.COUNT_ROW, arguments[0], 0))
            self._say(f"There are {count} mine(s) in row {arguments[0]}")
        elif command == DETECT_COLUMN:
            count = self._game.ask(Move(Action.COUNT_COLUMN, 0, arguments[0]))
            self._say(f"There are {count} mine(s) in column {arguments[0]}")
        else:
            row, column, size = arguments
            count = self._game.ask(Move(Action.COUNT_SQUARE, row, column, size))
            self._say(
                f"There are {count} mine(s) in the square centered at"
                f" row {row}, column {column} of size {size}"
            )

    def _show(self) -> None:
        self._say("\n".join(gameplay_lines(self._game) if self._gameplay else _debug_lines(self._game)))


def _debug_lines(game: Game) -> list[str]:
    truth = game.truth_for_simulators
    assert truth is not None
    opened = game.board.codes <= 8
    return [
        " ".join(
            str(VISIBLE_SAFE if shown else HIDDEN_MINE if mine else HIDDEN_SAFE)
            for shown, mine in zip(opened[row], truth.mines[row], strict=True)
        )
        for row in range(game.board.rows)
    ]


def gameplay_lines(game: Game) -> list[str]:
    """What a player sees in gameplay mode, face and frame included."""
    face = FROWN if game.phase is Phase.LOST else SMILE
    frame = f"   {'-' * (3 * game.board.columns + 1)}"
    header = " ".join(f"{column:02}" for column in range(game.board.columns))
    rows = [
        f"{row:02} |{' '.join(_square(int(code)) for code in codes)}|"
        for row, codes in enumerate(game.board.codes)
    ]
    return [*face, f"    {header}", frame, *rows, frame]


def _square(code: int) -> str:
    if code in (Cell.MINE, Cell.EXPLODED):
        return "()"
    if code > 8:
        return "##"
    return f"{code:02}" if code else "  "
