"""`comp1511` on the whole terminal: the same game, with the mines laid by chance, for the keyboard and mouse.

Arrow keys move; space or a left click is reveal square, enter or a right click reveal radial. `1` asks how
many mines the row of the cursor holds, `2` its column, `3` the square of nine cells around it. `r` starts
again, `q` quits.
"""

from __future__ import annotations

from bot.board import Action, Cell, Coordinate, Move, Phase, Rules, Spread
from bot.game.game import Game
from bot.game.rule_sets import COMP1511
from bot.terminal.comp1511 import gameplay_lines
from bot.terminal.paint import Line, style_of, too_small

TOP = 4
"""Lines above the first row: the face, the numbers of the columns, the frame."""

LEFT = 4
"""Columns before the first cell."""

CELL = 3
"""Columns of a cell, with the blank after it."""

NEXT_SQUARE = 3
"""The side of the square that `3` asks about."""

HELP = (
    "arrows: move   space: reveal square   enter: reveal radial",
    "1: mines in the row   2: in the column   3: in the square   r: again   q: quit",
)

ENDS = {Phase.WON: "Game Won!", Phase.LOST: "Game over"}


def field_lines(game: Game, cursor: Coordinate | None) -> list[Line]:
    """Gameplay mode with colours and a cursor."""
    board = game.board
    picture: list[Line] = [
        [("status" if number < 2 else "border", line)] for number, line in enumerate(gameplay_lines(game))
    ]
    for row, line in enumerate(gameplay_lines(game)[TOP : TOP + board.rows]):
        spans: Line = [("border", line[:LEFT])]
        for column in range(board.columns):
            at = LEFT + CELL * column
            code = board[row, column]
            style = "covered" if code == Cell.FLAG else style_of(code)
            spans.append(("cursor" if (row, column) == cursor else style, line[at : at + CELL - 1]))
            spans.append(("", line[at + CELL - 1]))
        picture[TOP + row] = spans
    return picture


class Comp1511:
    """The game on the terminal."""

    def __init__(self, rules: Rules, seed: int | None = None) -> None:
        """A game of these rules, see `bot.game.rule_sets.COMP1511`; `seed` makes the first one repeatable."""
        self.game = COMP1511.game(rules, seed)
        self.cursor: Coordinate = (0, 0)
        self._said = ""
        self._size = (0, 0)

    @property
    def needs(self) -> tuple[int, int]:
        """Columns and lines of the smallest terminal that shows it."""
        rules = self.game.rules
        width = max(LEFT + CELL * rules.columns, *(len(line) for line in HELP))
        return width, TOP + rules.rows + 1 + len(HELP) + 1

    def paint(self, columns: int, lines: int) -> list[Line]:
        """The field, what was said last, and the keys."""
        self._size = (columns, lines)
        if not self._fits():
            return too_small(columns, lines, self.needs, "; q quits")
        said = ENDS.get(self.game.phase, self._said)
        return [
            *field_lines(self.game, self.cursor),
            [("status", said or f"{self.game.rules.mines} mines, {self.game.hints} hints left")],
            *([("note", line)] for line in HELP),
        ]

    def _fits(self) -> bool:
        return self._size[0] >= self.needs[0] and self._size[1] >= self.needs[1]

    def key(self, name: str) -> bool:
        """See the module."""
        if name == "q":
            return False
        if name == "r":
            self.game = self.game.again()
            self._said = ""
        if not self._fits() or self.game.phase.over:
            return True
        row, column = self.cursor
        row += (name == "down") - (name == "up")
        column += (name == "right") - (name == "left")
        rules = self.game.rules
        self.cursor = (min(max(row, 0), rules.rows - 1), min(max(column, 0), rules.columns - 1))
        if name in ("space", "4"):
            self._reveal(Spread.SQUARE)
        elif name in ("enter", "7"):
            self._reveal(Spread.RADIAL)
        elif name in ("1", "2", "3"):
            self._ask(name)
        return True

    def click(self, column: int, line: int, button: str) -> bool:
        """Go there and reveal."""
        row, column = line - TOP, (column - LEFT) // CELL
        rules = self.game.rules
        inside = 0 <= row < rules.rows and 0 <= column < rules.columns
        if inside and self._fits() and not self.game.phase.over and button in ("left", "right"):
            self.cursor = (row, column)
            self._reveal(Spread.SQUARE if button == "left" else Spread.RADIAL)
        return True

    def _reveal(self, spread: Spread) -> None:
        self._said = ""
        self.game.open(*self.cursor, spread)

    def _ask(self, name: str) -> None:
        row, column = self.cursor
        if not self.game.hints:
            self._said = "Help already used"
            return
        action, where, side = {
            "1": (Action.COUNT_ROW, f"row {row}", 0),
            "2": (Action.COUNT_COLUMN, f"column {column}", 0),
            "3": (Action.COUNT_SQUARE, f"the square around row {row}, column {column}", NEXT_SQUARE),
        }[name]
        count = self.game.ask(Move(action, row, column, side))
        self._said = f"There are {count} mine(s) in {where}; {self.game.hints} hints left"

    def tick(self) -> float | None:
        """Nothing goes on by itself."""
        return None
