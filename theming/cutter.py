"""Collects the glyphs, digits and faces of one game by playing its window.

What a cell means follows from the rules of the game, not from its picture: once a game is lost all its mines
are shown, and the number of an opened cell is the count of the mines around it.
"""

from __future__ import annotations

import random
import time
from collections import Counter

import numpy as np

from bot.board import (
    Board,
    Cell,
    Coordinate,
    FirstClick,
    Observation,
    Phase,
    Rules,
    neighbour_sums,
    neighbours,
)
from bot.errors import BotError
from bot.vision.grid import Image
from theming.collected_glyphs import CollectedGlyphs, border_colours, grouped, mined_groups
from theming.plans import CutPlan, WindowPlan
from theming.played_window import PlayedWindow

TAKEN_S = 4.0
"""How long a click may take to show."""

MAX_MISFITS = 10
"""Lost games that may contradict the others before cutting is given up."""

MIN_MINES_SHOWN = 5
"""Cells, at least, that change away from a click when a game ends and its mines are shown. One or two may
change because the pointer lies over them."""

PERCENTS, GAMES_PER_DENSITY = (10, 21, 43, 60, 75), 4
"""Parts of all cells that are mines (crowded boards show 4 to 8, empty ones 0 to 3), and how many games are
lost on each of these boards."""

CROWDED_PERCENTS, GAMES_PER_CROWD = (70, 78, 85), 15
"""The same of boards that are played in turn until every number was seen: those above 5 are rare on them."""

MAX_GAMES = 400
"""Lost games after which the numbers that have not turned up are given up."""

FLAGS = 12
"""Flags that are set before a game is lost: some are right, some wrong."""


class Cutter:
    """Plays one game's window and collects what its cells, digits and faces look like."""

    def __init__(self, plan: CutPlan, window: WindowPlan, rng: random.Random) -> None:
        self._plan = plan
        self._window = PlayedWindow(plan, window)
        self._rng = rng
        self._covered_in_play: set[bytes] = set()
        """Covered cells in a game that goes on; some games darken them at its end."""
        self._misfits = 0
        self._collected = CollectedGlyphs()
        self.border: dict[str, tuple[int, int, int]] = {}
        """The colour (red, green, blue) of the line of pixels just outside each side of the grid."""

    def cut(self) -> CollectedGlyphs:
        """Collect everything. Raises BotError where something that must be there was not found."""
        try:
            self._collect()
        finally:
            self._window.close()
        moods = ("happy", "won", "lost") if self._window.has_faces else ()
        missing = self._collected.missing() + [mood for mood in moods if mood not in self._collected.faces]
        if missing:
            raise BotError(f"these never turned up: {' '.join(missing)}")
        return self._collected

    def _collect(self) -> None:
        columns, rows = self._plan.size
        has_faces, has_counter = self._window.has_faces, self._window.digit_count > 0
        self._open(columns, rows, percent=21)
        self._collect_marks()
        for mines in (123, 456, 178, 190) if has_counter else ():  # they show every digit
            self._open_with(columns, rows, mines)
            frame = self._window.rest()
            for index, digit in enumerate(f"{mines:0{self._window.digit_count}}"):
                self._collected.digits.setdefault(digit, self._window.digit(frame, index))
        for percent in PERCENTS:
            self._open(columns, rows, percent)
            for _ in range(GAMES_PER_DENSITY):
                self._lose()
        for game in range(MAX_GAMES):
            if not self._collected.missing():
                break
            crowd, position = divmod(game, GAMES_PER_CROWD)
            if position == 0:
                self._open(columns, rows, CROWDED_PERCENTS[crowd % len(CROWDED_PERCENTS)])
            self._lose()
        if has_counter or has_faces:
            self._open_with(*self._plan.small)
        if has_counter:
            self._collect_minus()
        for _ in range(200 if has_faces else 0):
            if "won" in self._collected.faces:
                break
            self._try_to_win()

    def _open(self, columns: int, rows: int, percent: int) -> None:
        self._open_with(columns, rows, columns * rows * percent // 100)

    def _open_with(self, columns: int, rows: int, mines: int) -> None:
        window, collected = self._window, self._collected
        frame = window.open(columns, rows, mines)
        self.border = border_colours(frame, window.grid, int(self._plan.theme.get("border_gap", 0)))
        if window.has_faces:
            collected.faces.setdefault("happy", window.face(frame))
        if not self._covered_in_play:
            # Some games begin with a part of the board opened.
            counts = Counter(window.cell(frame, cell).tobytes() for cell in window.cells())
            covered, count = counts.most_common(1)[0]
            if count < 0.4 * columns * rows:
                raise BotError("no two cells look alike: are `origin` and `cell` of cut.toml right?")
            self._covered_in_play.add(covered)
            first = self._covered(frame)[0]
            collected.add(Cell.COVERED, window.cell(frame, first))
            collected.hovered.add(window.hover(first).tobytes())

    def _covered(self, frame: Image) -> list[Coordinate]:
        return [cell for cell in self._window.cells() if self._is_covered(frame, cell)]

    def _collect_minus(self) -> None:
        """More flags than mines make most counters go below zero; a small number shows the zero too."""
        window, digits = self._window, self._collected.digits
        frame = window.rest()
        zero = digits.setdefault("0", window.digit(frame, 0))
        for cell in self._covered(frame)[: self._plan.small[2] + 1]:
            window.click(cell, "right")
        shown = window.digit(window.rest(), 0)
        if not np.array_equal(shown, zero):
            digits.setdefault("-", shown)
        window.new_game()

    def _collect_marks(self) -> None:
        """A right click flags a cell, the next one may question it, and the last one covers it again."""
        window, collected = self._window, self._collected
        cell = self._covered(window.rest())[0]
        window.click(cell, "right")
        collected.add(Cell.FLAG, window.cell(window.rest(), cell))
        collected.add(Cell.FLAG, window.hover(cell))
        window.click(cell, "right")
        frame = window.rest()
        if not self._is_covered(frame, cell):
            collected.add(Cell.QUESTION, window.cell(frame, cell))
            collected.add(Cell.QUESTION, window.hover(cell))
            window.click(cell, "right")

    def _lose(self) -> None:
        """Play a game at random until it is lost, and label what was opened by the mines that it shows."""
        window = self._window
        size = window.grid.columns * window.grid.rows
        frame = window.new_game()
        if not window.has_faces and len(self._covered(frame)) < size:
            # The last game was not over, and the window asks whether to throw it away.
            self._open_with(window.grid.columns, window.grid.rows, window.mines)
            frame = window.rest()
        cells = self._covered(frame)
        self._rng.shuffle(cells)
        if len(cells) == size:
            # The first click may be safe, and may only then decide where the mines lie.
            frame = self._open_cell(cells.pop())
        cells = [cell for cell in cells if self._is_covered(frame, cell)]
        # One question mark: where two look alike and one of them is a mine, nothing could be counted.
        flagged, questioned, cells = cells[:FLAGS], cells[FLAGS : FLAGS + 1], cells[FLAGS + 1 :]
        for cell in flagged:
            window.click(cell, "right")
        for cell in questioned if Cell.QUESTION in self._collected.glyphs else ():
            window.click(cell, "right")
            window.click(cell, "right")
        frame = window.rest()
        marked = {
            Cell.FLAG: [cell for cell in flagged if self._shows(Cell.FLAG, frame, cell)],
            Cell.QUESTION: [cell for cell in questioned if self._shows(Cell.QUESTION, frame, cell)],
        }
        lost_clicks = 0
        for cell in cells:
            if not self._is_covered(frame, cell):
                continue
            before = frame
            frame = self._open_cell(cell)
            if not self._has_changed(frame, cell):  # the click was lost, or the end was not noticed
                lost_clicks += 1
                if lost_clicks > 1:
                    return
            elif self._is_over(before, frame, cell, marked[Cell.FLAG]):
                self._label(before, frame, cell, marked)
                return

    def _open_cell(self, cell: Coordinate) -> Image:
        """Click a cell and wait until it shows something else, for a while: clicks do get lost."""
        self._window.click(cell)
        until = time.monotonic() + TAKEN_S
        while not self._has_changed(frame := self._window.rest(), cell) and time.monotonic() < until:
            pass
        return frame

    def _has_changed(self, frame: Image, cell: Coordinate) -> bool:
        """Whether a covered cell shows something else, a covered one under the pointer excepted."""
        content = self._window.cell(frame, cell).tobytes()
        return content not in self._covered_in_play | self._collected.hovered

    def _is_covered(self, frame: Image, cell: Coordinate) -> bool:
        return self._window.cell(frame, cell).tobytes() in self._covered_in_play

    def _shows(self, code: Cell, frame: Image, cell: Coordinate) -> bool:
        return self._window.cell(frame, cell).tobytes() in self._collected.glyphs.get(code, ())

    def _is_over(self, before: Image, after: Image, clicked: Coordinate, flagged: list[Coordinate]) -> bool:
        """Whether a click has ended the game: an opening changes no flag, and only cells connected to it."""
        window = self._window
        if window.has_faces:
            return not np.array_equal(window.face(after), self._collected.faces["happy"])
        pictures = ((cell, window.cell(before, cell), window.cell(after, cell)) for cell in window.cells())
        changed = {cell for cell, one, other in pictures if not np.array_equal(one, other)}
        if changed.intersection(flagged):
            return True
        reached, frontier = {clicked}, [clicked]
        while frontier:
            for near in neighbours(*frontier.pop(), window.grid.rows, window.grid.columns):
                if near in changed and near not in reached:
                    reached.add(near)
                    frontier.append(near)
        return len(changed - reached) >= MIN_MINES_SHOWN

    def _label(
        self, before: Image, after: Image, last: Coordinate, marked: dict[Cell, list[Coordinate]]
    ) -> None:
        """Work out what every cell of a lost game means; `marked` are those with marks, by their code."""
        window, collected = self._window, self._collected
        unopened = {Cell.COVERED: [cell for cell in self._covered(before) if cell != last]} | marked
        groups = [
            group
            for code, cells in unopened.items()
            for group in grouped(code, ((cell, window.cell(after, cell)) for cell in cells))
        ]
        is_mine = mined_groups(groups, collected.codes, window.mines - 1)
        if is_mine is None:
            return
        mines = np.zeros(window.grid.shape, bool)
        mines[last] = True
        codes: dict[tuple[int, bool], int] = {
            (Cell.COVERED, True): Cell.MINE,
            (Cell.COVERED, False): Cell.COVERED,
            (Cell.FLAG, True): Cell.FLAG,
            (Cell.FLAG, False): Cell.WRONG_FLAG,
        }
        found: list[tuple[int, Image]] = [(Cell.EXPLODED, window.cell(after, last))]
        for group, mine in zip(groups, is_mine, strict=True):
            for cell in group.cells if mine else ():
                mines[cell] = True
            if group.code != Cell.QUESTION:
                found.append((codes[group.code, mine], window.cell(after, group.cells[0])))
        mines_shown = {picture.tobytes() for code, picture in found if code == Cell.MINE}
        for group in groups:
            if group.code == Cell.QUESTION and group.content not in mines_shown:
                found.append((Cell.QUESTION, window.cell(after, group.cells[0])))
        closed = {last}.union(*unopened.values())
        numbers = neighbour_sums(mines)
        for cell in window.cells():
            if cell not in closed:
                found += [(int(numbers[cell]), window.cell(frame, cell)) for frame in (before, after)]
        # A window that draws late shows one game while another is played: such a game is left out.
        if not collected.fits(found):
            self._misfits += 1
            if self._misfits > MAX_MISFITS:
                raise BotError(f"{MAX_MISFITS} games did not fit together: is this machine too busy?")
            return
        for code, picture in found:
            collected.add(code, picture)
        if window.has_faces:
            collected.faces.setdefault("lost", window.face(after))

    def _try_to_win(self) -> None:
        """Play a small board by the glyphs that are known, guessing where nothing is certain."""
        from bot.strategy.registry import strategy  # compiles the solver

        player = strategy("best")
        window, faces, known = self._window, self._collected.faces, self._collected.codes
        columns, rows, mines = self._plan.small
        rules = Rules(columns, rows, mines, FirstClick.ANY)
        frame = window.new_game()
        for turn in range(200):
            codes = np.full((rows, columns), Cell.UNREAD, dtype=np.int8)
            for row, column in window.cells():
                content = window.cell(frame, (row, column)).tobytes()
                if content not in known:
                    raise BotError(f"row {row}, column {column} of the small board shows an unknown look")
                codes[row, column] = known[content]
            board = Board(codes)
            if board.finished:
                return
            covered = board.where(Cell.COVERED)
            if not np.array_equal(window.face(frame), faces["happy"]) or not covered:
                faces["won"] = window.face(frame)
                return
            if self._plan.flags_to_win and len(covered) == mines:
                for cell in covered:
                    window.click(cell, "right")
            else:
                ready = turn == 0 and len(covered) == codes.size
                phase = Phase.READY if ready else Phase.PLAYING
                for cell in player.decide(Observation(board, phase, rules), turn).safe:
                    window.click(cell)
            frame = window.rest()
