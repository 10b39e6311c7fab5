"""Collects the looks of one game's cells, digits and faces by playing its window.

What a look means follows from the rules of the game, not from what it looks like: once a game is lost all
its mines are shown, and the number of an opened cell is the count of the mines around it.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from bot.board import Cell, Coordinate, FirstClick, neighbours
from bot.errors import BotError
from bot.geometry import Point, Rect
from bot.screen.this_machine import system_capture, system_mouse
from bot.vision.grid import Grid, Image
from theming.collected_glyphs import Looks, alike, border_colours, mined, part_of
from theming.plans import CutPlan, WindowPlan, program_for

TAKEN_S = 4.0
"""How long a click may take to show."""

MISFITS = 10
"""So many lost games may contradict the others before cutting is given up."""

STRAYS = 5
"""So many cells that change away from a click are mines that are shown; one or two may be the pointer's."""

REST_S = 0.7
"""How long the picture must stay the same before it counts. Cutting is in no hurry."""

GAMES_A_DENSITY = 4

GAMES_A_CROWD = 15
"""As many on each crowded board, in turn: numbers above 5 are rare on all of them."""

GAMES = 400
"""After so many lost games the numbers that have not turned up are given up."""


class Cutter:
    """Plays one game's window and collects what its cells, digits and faces look like."""

    def __init__(self, plan: CutPlan, window: WindowPlan, rng: random.Random) -> None:
        self._plan = plan
        self._window = window
        self._program = program_for(window)
        self._face_spec = plan.face(window)
        self._counter_spec = plan.counter(window)
        self._rng = rng
        self._capture = system_capture()
        self._mouse = system_mouse()
        self._inside = Rect(0, 0, 0, 0)
        self._grid = Grid(0, 0, 1, 1, 1, 1)
        self._mines = 0
        self._fresh: set[bytes] = set()
        """How covered cells look in a game that goes on; some games darken them at its end."""
        self._misfits = 0
        self.looks = Looks()
        self.border: dict[str, tuple[int, int, int]] = {}
        """The colour (red, green, blue) of the line of pixels just outside each side of the grid."""

    def cut(self) -> Looks:
        """Collect everything. Raises BotError where something that must be there was not found."""
        try:
            self._collect()
        finally:
            self._program.stop()
        moods = ("happy", "won", "lost") if self._has_faces else ()
        missing = self.looks.missing() + [mood for mood in moods if mood not in self.looks.faces]
        if missing:
            raise BotError(f"these never turned up: {' '.join(missing)}")
        return self.looks

    def _collect(self) -> None:
        columns, rows = self._plan.size
        # Parts of all the cells that mines lie in: crowded boards show 4 to 8, empty ones 0 to 3.
        cells = columns * rows
        self._open(columns, rows, cells * 21 // 100)
        self._marks()
        if self._counter_spec is not None:
            for mines in (123, 456, 178, 190):
                self._open(columns, rows, mines)
                self._digits(mines)
        for percent in (10, 21, 43, 60, 75):
            self._open(columns, rows, cells * percent // 100)
            for _ in range(GAMES_A_DENSITY):
                self._lose()
        for game in range(GAMES):
            if not self.looks.missing():
                break
            if game % GAMES_A_CROWD == 0:
                percent = (70, 78, 85)[game // GAMES_A_CROWD % 3]
                self._open(columns, rows, cells * percent // 100)
            self._lose()
        if self._counter_spec is not None or self._has_faces:
            self._open(*self._plan.small)
        if self._counter_spec is not None:
            self._minus()
        for _ in range(200 if self._has_faces else 0):
            if "won" in self.looks.faces:
                break
            self._try_to_win()

    @property
    def _has_faces(self) -> bool:
        """Whether the control for a new game shows how the game stands."""
        return self._face_spec is not None and self._face_spec.moods

    def _open(self, columns: int, rows: int, mines: int) -> None:
        self._program.stop()
        self._inside = self._program.start(columns, rows, mines)
        self._mines = mines
        self._grid = Grid(*self._window.origin, *self._window.cell, columns, rows)
        self._park()
        frame = self._rest()
        self.border = border_colours(frame, self._grid, int(self._plan.theme.get("border_gap", 0)))
        if self._has_faces:
            self.looks.faces.setdefault("happy", self._face(frame))
        if not self._fresh:
            # Some games begin with a part of the board opened.
            looks = Counter(self._cell(frame, cell).tobytes() for cell in self._everywhere())
            covered, times = looks.most_common(1)[0]
            if times < 0.4 * columns * rows:
                raise BotError("no two cells look alike: are `origin` and `cell` of cut.toml right?")
            self._fresh.add(covered)
            shape = self._window.cell[1], self._window.cell[0], 3
            self.looks.add(Cell.COVERED, np.frombuffer(covered, np.uint8).reshape(shape))
            first = self._covered(frame)[0]
            self.looks.hovered.add(self._hover(first).tobytes())

    def _everywhere(self) -> list[Coordinate]:
        return [(row, column) for row in range(self._grid.rows) for column in range(self._grid.columns)]

    def _covered(self, frame: Image) -> list[Coordinate]:
        return [cell for cell in self._everywhere() if self._is_covered(frame, cell)]

    def _rest(self) -> Image:
        """The window once its picture rests; the timer may go on."""
        rect = self._grid.rect
        last = self._capture.grab(self._inside)
        since = time.monotonic()
        while time.monotonic() - since < REST_S:
            time.sleep(0.01)
            now = self._capture.grab(self._inside)
            part = slice(rect.y, rect.bottom), slice(rect.x, rect.right)
            if not np.array_equal(now[part], last[part]):
                since = time.monotonic()
            last = now
        return last

    def _cell(self, frame: Image, cell: Coordinate) -> Image:
        return part_of(frame, self._grid.cell_rect(*cell))

    def _face(self, frame: Image) -> Image:
        return part_of(frame, self._face_rect())

    def _face_rect(self) -> Rect:
        if self._face_spec is None:
            raise BotError("cut.toml: `theme.face` must say what starts a new game")
        return self._face_spec.rect(self._grid)

    def _digit(self, frame: Image, index: int) -> Image:
        spec = self._counter_spec
        assert spec is not None
        edge = self._grid.rect.right if spec.anchor == "right" else self._grid.rect.x
        width, height = spec.digit
        return part_of(
            frame,
            Rect(edge + spec.x + index * spec.pitch, self._grid.rect.y - spec.above, width, height),
        )

    def _click(self, cell: Coordinate, button: Any = "left") -> None:
        self._click_at(self._grid.center(cell), button)

    def _click_at(self, inside: Point, button: Any = "left") -> None:
        self._mouse.click(Point(self._inside.x + inside.x, self._inside.y + inside.y), button)
        time.sleep(0.01)
        self._park()

    def _park(self) -> None:
        """The pointer goes to where it changes no look, inside the window: some games go by that."""
        self._mouse.move(Point(self._inside.x + 2, self._inside.y + 2))

    def _hover(self, cell: Coordinate) -> Image:
        """How a cell looks under the pointer."""
        middle = self._grid.center(cell)
        self._mouse.move(Point(self._inside.x + middle.x, self._inside.y + middle.y))
        picture = self._cell(self._rest(), cell)
        self._park()
        self._rest()
        return picture

    def _again(self) -> Image:
        self._click_at(self._face_rect().center)
        return self._rest()

    def _digits(self, mines: int) -> None:
        frame = self._rest()
        assert self._counter_spec is not None
        for index, digit in enumerate(f"{mines:0{self._counter_spec.count}}"):
            self.looks.digits.setdefault(digit, self._digit(frame, index))

    def _minus(self) -> None:
        """More flags than mines make most counters go below zero; a small number shows the zero too."""
        frame = self._rest()
        zero = self.looks.digits.setdefault("0", self._digit(frame, 0))
        for cell in self._covered(frame)[: self._plan.small[2] + 1]:
            self._click(cell, "right")
        shown = self._digit(self._rest(), 0)
        if not np.array_equal(shown, zero):
            self.looks.digits.setdefault("-", shown)
        self._again()

    def _marks(self) -> None:
        """A right click marks a cell, the next ones question it and make it as it was."""
        cell = self._covered(self._rest())[0]
        self._click(cell, "right")
        self.looks.add(Cell.FLAG, self._cell(self._rest(), cell))
        self.looks.add(Cell.FLAG, self._hover(cell))
        self._click(cell, "right")
        frame = self._rest()
        if not self._is_covered(frame, cell):
            self.looks.add(Cell.QUESTION, self._cell(frame, cell))
            self.looks.add(Cell.QUESTION, self._hover(cell))
            self._click(cell, "right")

    def _lose(self) -> None:
        """Play a game at random until it is lost, and label what was opened by the mines that it shows."""
        frame = self._again()
        if not self._has_faces and len(self._covered(frame)) < self._grid.columns * self._grid.rows:
            # The last game was not over, and the window asks whether to throw it away.
            self._open(self._grid.columns, self._grid.rows, self._mines)
            frame = self._rest()
        cells = self._covered(frame)
        self._rng.shuffle(cells)
        if len(cells) == self._grid.columns * self._grid.rows:
            # The first click may be safe, and may only then decide where the mines lie.
            frame = self._open_cell(cells.pop())
        cells = [cell for cell in cells if self._is_covered(frame, cell)]
        # One question mark: where two look alike and one of them is a mine, nothing could be counted.
        flagged, questioned, cells = cells[:12], cells[12:13], cells[13:]
        for cell in flagged:
            self._click(cell, "right")
        for cell in questioned if Cell.QUESTION in self.looks.glyphs else ():
            self._click(cell, "right")
            self._click(cell, "right")
        frame = self._rest()
        flagged = [cell for cell in flagged if self._shows(Cell.FLAG, frame, cell)]
        questioned = [cell for cell in questioned if self._shows(Cell.QUESTION, frame, cell)]
        lost = 0
        for cell in cells:
            if not self._is_covered(frame, cell):
                continue
            before = frame
            frame = self._open_cell(cell)
            if not self._has_changed(frame, cell):  # the click was lost, or the end was not noticed
                lost += 1
                if lost > 1:
                    return
                continue
            if self._is_over(before, frame, cell, flagged):
                self._label(before, frame, cell, flagged, questioned)
                return

    def _open_cell(self, cell: Coordinate) -> Image:
        """Click a cell and wait until it shows something else, for a while: clicks do get lost."""
        self._click(cell)
        until = time.monotonic() + TAKEN_S
        while not self._has_changed(frame := self._rest(), cell) and time.monotonic() < until:
            pass
        return frame

    def _has_changed(self, frame: Image, cell: Coordinate) -> bool:
        """Whether a covered cell shows something else, the look of one under the pointer aside."""
        return self._cell(frame, cell).tobytes() not in self._fresh | self.looks.hovered

    def _is_covered(self, frame: Image, cell: Coordinate) -> bool:
        return self._cell(frame, cell).tobytes() in self._fresh

    def _shows(self, code: Cell, frame: Image, cell: Coordinate) -> bool:
        return self._cell(frame, cell).tobytes() in self.looks.glyphs.get(code, ())

    def _is_over(
        self, before: Image, after: Image, clicked: Coordinate, flagged: Iterable[Coordinate]
    ) -> bool:
        """Whether a click has ended the game: an opening changes no flag, and only cells in a row to it."""
        if self._has_faces:
            return not np.array_equal(self._face(after), self.looks.faces["happy"])
        changed = {
            cell
            for cell in self._everywhere()
            if not np.array_equal(self._cell(before, cell), self._cell(after, cell))
        }
        if changed.intersection(flagged):
            return True
        reached, front = {clicked}, [clicked]
        while front:
            for near in neighbours(*front.pop(), self._grid.rows, self._grid.columns):
                if near in changed and near not in reached:
                    reached.add(near)
                    front.append(near)
        return len(changed - reached) >= STRAYS

    def _label(
        self,
        before: Image,
        after: Image,
        last: Coordinate,
        flagged: list[Coordinate],
        questioned: list[Coordinate],
    ) -> None:
        """Work out what every look of a lost game means."""
        looks = self.looks
        unopened = [cell for cell in self._covered(before) if cell != last]
        showed = {Cell.COVERED: unopened, Cell.FLAG: flagged, Cell.QUESTION: questioned}
        groups = [
            group
            for code, cells in showed.items()
            for group in alike(code, ((cell, self._cell(after, cell)) for cell in cells))
        ]
        is_mine = mined(groups, looks.meanings, self._mines - 1)
        if is_mine is None:
            return
        mines = {last}.union(*(group.cells for group, mine in zip(groups, is_mine, strict=True) if mine))
        means: dict[tuple[int, bool], int] = {
            (Cell.COVERED, True): Cell.MINE,
            (Cell.COVERED, False): Cell.COVERED,
            (Cell.FLAG, True): Cell.FLAG,
            (Cell.FLAG, False): Cell.WRONG_FLAG,
        }
        found: list[tuple[int, Image]] = [(Cell.EXPLODED, self._cell(after, last))]
        for group, mine in zip(groups, is_mine, strict=True):
            if group.code != Cell.QUESTION:
                found.append((means[group.code, mine], self._cell(after, group.cells[0])))
        shown = {picture.tobytes() for code, picture in found if code == Cell.MINE}
        for group in groups:
            if group.code == Cell.QUESTION and group.look not in shown:
                found.append((Cell.QUESTION, self._cell(after, group.cells[0])))
        closed = {*unopened, *flagged, *questioned, last}
        for row, column in self._everywhere():
            if (row, column) not in closed:
                number = sum(
                    near in mines for near in neighbours(row, column, self._grid.rows, self._grid.columns)
                )
                found.append((number, self._cell(before, (row, column))))
                found.append((number, self._cell(after, (row, column))))
        # A window that draws late makes one game be seen as another: what does not fit is left out whole.
        if not looks.fits(found):
            self._misfits += 1
            if self._misfits > MISFITS:
                raise BotError(f"{MISFITS} games did not fit together: is this machine too busy?")
            return
        for meaning, picture in found:
            looks.add(meaning, picture)
        if self._has_faces:
            looks.faces.setdefault("lost", self._face(after))

    def _try_to_win(self) -> None:
        """Play a small board by the looks that are known, guessing where nothing is certain."""
        from bot.board import Board, Observation, Phase, Rules
        from bot.strategy.registry import strategy

        player = strategy("best")
        columns, rows, mines = self._plan.small
        rules = Rules(columns, rows, mines, FirstClick.ANY)
        meaning = self.looks.meanings
        frame = self._again()
        for turn in range(200):
            codes = np.full((rules.rows, rules.columns), Cell.UNREAD, dtype=np.int8)
            for row, column in np.ndindex(codes.shape):
                look = self._cell(frame, (row, column)).tobytes()
                if look not in meaning:
                    raise BotError(f"row {row}, column {column} of the small board shows an unknown look")
                codes[row, column] = meaning[look]
            board = Board(codes)
            if board.finished:
                return
            covered = board.where(Cell.COVERED)
            if not np.array_equal(self._face(frame), self.looks.faces["happy"]) or not covered:
                self.looks.faces["won"] = self._face(frame)
                return
            if self._plan.flags_to_win and len(covered) == rules.mines:
                for cell in covered:
                    self._click(cell, "right")
            else:
                ready = turn == 0 and len(covered) == codes.size
                phase = Phase.READY if ready else Phase.PLAYING
                for cell in player.decide(Observation(board, phase, rules), turn).safe:
                    self._click(cell)
            frame = self._rest()
