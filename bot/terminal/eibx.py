"""`eibx` in the terminal: the game of eibx's "Minesweeper in under 100 lines of C".

A border of `+`, covered cells `#`, empty ones `_`, flags `.`, the cursor `X`. Arrow keys move it, space
selects, `f` flags; a left click does the same as going there and selecting, a right click as flagging. After
the end, which the last line tells, `r` starts again and any other key ends it; `q` ends it at any time. The
original's cursor also goes onto the border, where nothing can be done; this one stays in the field. As
in the original, the mines are not shown at the end and the flags stay, a flag keeps its cell from being
selected but not from being run over by an opening, and the first click can lose.
"""

from __future__ import annotations

from collections.abc import Collection

from bot.board import Cell, Coordinate, Phase, Rules
from bot.game.game import Game
from bot.game.rule_sets import EIBX
from bot.terminal.paint import Line, style_of, too_small

BORDER = 1
"""Cells of border on each side: it is printed, and no cursor goes there."""

HELP = ("Movement: Arrowkeys", "Select tile: Spacebar", "Flag tile: f")

ENDS = {Phase.WON: "Success!", Phase.LOST: "Boom!"}


def field_lines(game: Game, cursor: Coordinate | None, flagged: Collection[Coordinate] = ()) -> list[Line]:
    """The field with its border, as the original prints it. `flagged`: the cells that the player flagged,
    which stay flagged at the end of a game."""
    board = game.board
    edge: Line = [("border", "+" * (board.columns + 2 * BORDER))]
    picture = [edge]
    for row in range(board.rows):
        line: Line = [("border", "+")]
        for column in range(board.columns):
            code = board[row, column]
            if (row, column) == cursor:
                line.append(("cursor", "X"))
            elif code > 8 and (row, column) in flagged:
                line.append(("flag", "."))
            elif code > 8:
                line.append(("covered", "#"))
            else:
                line.append((style_of(code), str(code) if code else "_"))
        picture.append([*line, ("border", "+")])
    return [*picture, edge]


class Eibx:
    """The game on the terminal."""

    def __init__(self, rules: Rules, seed: int | None = None) -> None:
        """A game of these rules, see `bot.game.rule_sets.EIBX`; `seed` makes the first one repeatable."""
        self.game = EIBX.game(rules, seed)
        self.cursor: Coordinate = (0, 0)
        self._flagged: list[Coordinate] = []
        self._size = (0, 0)

    @property
    def needs(self) -> tuple[int, int]:
        """Columns and lines of the smallest terminal that shows it."""
        rules = self.game.rules
        width = max(rules.columns + 2 * BORDER, *(len(line) for line in HELP))
        return width, rules.rows + 2 * BORDER + len(HELP) + 1

    def paint(self, columns: int, lines: int) -> list[Line]:
        """The field, the help, and how it ended."""
        self._size = (columns, lines)
        if not self._fits():
            return too_small(columns, lines, self.needs, "; q quits")
        if not self.game.phase.over:  # the end of a game flags the other mines, or shows them
            self._flagged = self.game.board.where(Cell.FLAG)
        picture = field_lines(self.game, self.cursor, self._flagged)
        picture += [[("note", line)] for line in HELP]
        end = ENDS.get(self.game.phase)
        if end is not None:
            picture.append([("status", end), ("note", "  r: again, any other key: end")])
        return picture

    def _fits(self) -> bool:
        return self._size[0] >= self.needs[0] and self._size[1] >= self.needs[1]

    def key(self, name: str) -> bool:
        """Arrows, space, `f`, `q`; `r` after the end."""
        if self.game.phase.over:
            if name == "r":
                self.game = self.game.again()
                self.cursor = (0, 0)
                return True
            return name in ("up", "down", "left", "right")
        if name == "q":
            return False
        if not self._fits():
            return True
        row, column = self.cursor
        row += (name == "down") - (name == "up")
        column += (name == "right") - (name == "left")
        rules = self.game.rules
        self.cursor = (min(max(row, 0), rules.rows - 1), min(max(column, 0), rules.columns - 1))
        if name == "space":
            self.game.open(*self.cursor)
        elif name == "f":
            self.game.flag(*self.cursor)
        return True

    def click(self, column: int, line: int, button: str) -> bool:
        """Go there, and select or flag."""
        row, column = line - BORDER, column - BORDER
        rules = self.game.rules
        inside = 0 <= row < rules.rows and 0 <= column < rules.columns
        if self.game.phase.over or not inside or not self._fits():
            return True
        self.cursor = (row, column)
        if button == "left":
            self.game.open(row, column)
        elif button == "right":
            self.game.flag(row, column)
        return True

    def tick(self) -> float | None:
        """Nothing goes on by itself."""
        return None
