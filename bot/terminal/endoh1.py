"""`endoh1` in the terminal: the semi-automatic game, a field as large as the terminal.

The mouse probes, and so do the arrow keys and space. `r` or a click on the face starts again, `q` quits. A
new size of the terminal before the first click makes a new field; after it the game is kept. Covered cells
are black on white and empty ones white on black, as in the original, so that the field is seen as an area. In
a lost game the original's last rule may still flag what is left, safe cells too; here nothing moves after it.
Without colours a covered cell is `?` and an empty one a blank.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

from bot.board import Board, Coordinate, Phase
from bot.game.priority_map import PriorityMap, chance_map
from bot.game.semi_automatic import SemiAutomatic
from bot.terminal.paint import Line, style_of, too_small
from bot.terminal.screen import FRAME_S

CELL = 2
"""Columns of a cell: it is about as high as it is wide then."""

TOP = 1
"""Lines above the field."""

SMALLEST = (20, 4)
"""Columns and lines of the smallest terminal that a field is made for."""

MINED = 5
"""One cell in so many is mined."""

FACES = {Phase.WON: "8-)", Phase.LOST: "X-("}
HAPPY = ":-)"

SYMBOLS = ".12345678.!.**x"
"""How the codes of `bot.board.Cell` are shown in colours: the mine that exploded is bold."""

PLAIN_SYMBOLS = " 12345678?!?*Xx"
"""The same without colours, as the document prints them."""

HELP = "r: again  q: quit"

STEP_S = 0.009
"""Seconds of an automatic step: so long the original waits for a key before each."""

LONGEST_S = 999
"""What the clock shows at most, in seconds."""


def field_lines(board: Board, cursor: Coordinate | None, *, plain: bool = False) -> list[Line]:
    """The field, two columns a cell; the cursor is a mark before its cell."""
    symbols = PLAIN_SYMBOLS if plain else SYMBOLS
    picture = []
    for row in range(board.rows):
        line: Line = []
        for column in range(board.columns):
            code = board[row, column]
            mark = ">" if (row, column) == cursor else " "
            style = f"field-{style_of(code)}"
            line += [("cursor" if mark == ">" else style, mark), (style, symbols[code])]
        picture.append(line)
    return picture


class Loader:
    """The solver, loaded beside the game: it takes longer than the first picture may."""

    def __init__(self) -> None:
        self.settle: Callable[[Board], tuple[tuple[Coordinate, ...], tuple[Coordinate, ...]]] | None = None
        self._error: BaseException | None = None
        threading.Thread(target=self._load, daemon=True).start()

    def _load(self) -> None:
        try:
            from bot.solver.jit import compiler
            from bot.strategy.local import settle

            compiler.quiet()  # a line on stderr would stand in the picture
            settle(Board.covered(2, 2))
            self.settle = settle
        except BaseException as error:
            self._error = error

    @property
    def ready(self) -> bool:
        """Whether it is there; raises what kept it from loading."""
        if self._error is not None:
            raise self._error
        return self.settle is not None


class Endoh1:
    """The game on the terminal."""

    def __init__(
        self,
        prepared: PriorityMap | None = None,
        *,
        final_rule: bool = True,
        seed: int | None = None,
        step_s: float = STEP_S,
        plain: bool = False,
    ) -> None:
        """A prepared map, or fields of chance as large as the terminal. `step_s` is a step's time; `plain` is
        a look without colours."""
        self._prepared = prepared
        self._final_rule = final_rule
        self._rng = random.Random(seed)
        self._step_s = step_s
        self._plain = plain
        self._solver = Loader()
        self._size = (0, 0)
        self._play: SemiAutomatic | None = None
        self._cursor: Coordinate | None = None
        self._stepping = False
        self._next = 0.0
        self._begun: float | None = None
        self._seconds = 0

    @property
    def play(self) -> SemiAutomatic | None:
        """The game under way; None before the first picture, and where the terminal is too small for any."""
        return self._play

    def _settle(self, board: Board) -> tuple[tuple[Coordinate, ...], tuple[Coordinate, ...]]:
        assert self._solver.settle is not None
        return self._solver.settle(board)

    def _new(self) -> None:
        """A new game, of a size that fits the terminal."""
        self._cursor = None
        self._begun, self._seconds = None, 0
        self._stepping = False
        columns, lines = self._size
        field = self._prepared
        if field is None:
            if columns < SMALLEST[0] or lines < SMALLEST[1]:
                self._play = None
                return
            width, height = columns // CELL, lines - TOP
            field = chance_map(width, height, width * height // MINED, self._rng)
        self._play = SemiAutomatic(field, self._settle, self._final_rule)

    def paint(self, columns: int, lines: int) -> list[Line]:
        """The top line and the field."""
        if (columns, lines) != self._size:
            begun = self._play is not None and self._play.phase is not Phase.READY
            self._size = (columns, lines)
            if not begun:
                self._new()
        if self._play is None:
            return too_small(columns, lines, SMALLEST, "; q quits")
        needs = self._needs()
        if columns < needs[0] or lines < needs[1]:
            more = "; q quits" if self._prepared is not None else "; r starts a game that fits, q quits"
            return too_small(columns, lines, needs, more)
        field = field_lines(self._play.board, self._cursor, plain=self._plain)
        return [self._top(columns), *field]

    def _needs(self) -> tuple[int, int]:
        assert self._play is not None
        return max(self._play.map.columns * CELL, SMALLEST[0]), self._play.map.rows + TOP

    def _top(self, columns: int) -> Line:
        """The mines that are left, the face above the middle of the field, and the clock at its right end."""
        assert self._play is not None
        face, clock = FACES.get(self._play.phase, HAPPY), f"{min(self._clock(), LONGEST_S):03d}"
        start, end = self._face_start(), self._clock_end()
        left = f"mines {self._play.game.mines_left}"
        if len(f"mines {self._play.map.mines}") >= start:
            left = f"{self._play.game.mines_left:03d}"
        note = "" if self._solver.ready else "loading"
        room = end - len(clock) - start - len(face) - 1
        if not note and room > len(HELP):
            note = HELP
        begin: Line = [("status", left.ljust(start)[:start]), ("status", face)]
        if len(note) > room:  # a narrow field: the clock waits for the solver
            return [*begin, ("note", note.rjust(end - start - len(face)))]
        return [
            *begin,
            ("note", note[: max(room, 0)].rjust(max(room, 0))),
            ("status", " " + clock),
            ("", " " * (columns - end)),
        ]

    def _clock(self) -> int:
        """The seconds since the first click; it stops at the end of the game."""
        assert self._play is not None
        if self._begun is not None and self._play.phase is Phase.PLAYING:
            self._seconds = int(time.monotonic() - self._begun)
        return self._seconds

    def _clock_end(self) -> int:
        assert self._play is not None
        return max(self._play.map.columns * CELL, SMALLEST[0])

    def _face_start(self) -> int:
        """Above the middle of the field, to the right of it by half a column; above that of the smallest
        terminal, if it is smaller."""
        return self._clock_end() // 2 - len(HAPPY) // 2

    def key(self, name: str) -> bool:
        """Arrows and space; `r` and `q`, small letters only."""
        if name == "q":
            return False
        if name == "r":
            self._new()
        elif name in ("up", "down", "left", "right") and self._play is not None:
            self._move(name)
        elif name in ("space", "enter") and self._play is not None:
            if self._cursor is None:
                self._move(name)  # what is to be probed is shown first: it would be a cell that nobody chose
            else:
                self._probe(self._cursor)
        return True

    def _move(self, name: str) -> None:
        """Move the cursor by a key; any key brings it out, in the middle."""
        assert self._play is not None
        rows, columns = self._play.map.rows, self._play.map.columns
        if self._cursor is None:
            self._cursor = (rows // 2, columns // 2)
            return
        row, column = self._cursor
        row += (name == "down") - (name == "up")
        column += (name == "right") - (name == "left")
        self._cursor = (min(max(row, 0), rows - 1), min(max(column, 0), columns - 1))

    def click(self, column: int, line: int, button: str) -> bool:
        """Probe a cell, or start again on the face."""
        if self._play is None or button != "left" or not self._fits():
            return True
        start = self._face_start()
        if line < TOP:
            if start <= column < start + len(HAPPY):
                self._new()
            return True
        cell = (line - TOP, column // CELL)
        if cell[0] < self._play.map.rows and cell[1] < self._play.map.columns:
            self._probe(cell)
        return True

    def _fits(self) -> bool:
        needs = self._needs()
        return self._size[0] >= needs[0] and self._size[1] >= needs[1]

    def _probe(self, cell: Coordinate) -> None:
        if self._play is None or not self._fits():
            return
        self._clock()  # a probe may end the game, and then the clock stands
        if self._play.probe(*cell):
            self._begun = time.monotonic() if self._begun is None else self._begun
            self._stepping = True
            self._next = time.monotonic() + self._step_s

    def tick(self) -> float | None:
        """The automatic steps whose time has come, and the clock."""
        if not self._solver.ready:
            return 0.05
        if self._play is None or self._begun is None or self._play.phase.over:
            return None
        if not self._stepping:
            return 1 - (time.monotonic() - self._begun) % 1
        self._clock()
        while self._next <= time.monotonic():
            if not self._play.step():
                self._stepping = False
                return FRAME_S
            self._next = max(self._next + self._step_s, time.monotonic() - FRAME_S)
        return max(self._next - time.monotonic(), FRAME_S)
