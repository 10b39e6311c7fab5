"""Cuts a theme from a real window: `python -m bot.calibrate.cut winmine practice`.

The window is played at sizes of our choice on a virtual screen. What a look means follows from the rules
of the game, not from what it looks like: once a game is lost all its mines are shown, and the number of an
opened cell is the count of the mines around it.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import tomli_w

from bot.board import SYMBOLS, Cell, Coordinate, FirstClick, neighbours
from bot.calibrate.plans import PLANS, Plan, Program
from bot.errors import BotError
from bot.files import shipped, write_whole
from bot.geometry import Point, Rect
from bot.screen.capture import MssCapture
from bot.screen.display import ensure_display
from bot.screen.mouse import PyautoguiMouse
from bot.vision.grid import Grid, Image

REST_S = 0.12
"""How long the picture must stay the same before it counts. Cutting is in no hurry."""

SCREEN = (2560, 2048)
"""The virtual screen: room for 24x24 cells of 48 pixels."""

GAMES_A_DENSITY = 4

GAMES = 400
"""After so many lost games the numbers that have not turned up are given up."""


@dataclass
class Looks:
    """The pictures found so far, by what they mean."""

    glyphs: dict[int, dict[bytes, Image]] = field(default_factory=dict)
    faces: dict[str, Image] = field(default_factory=dict)
    digits: dict[str, Image] = field(default_factory=dict)

    def add(self, code: int, picture: Image) -> None:
        """Keep a look. Raises BotError where the same look already means something else."""
        look = picture.tobytes()
        for other, known in self.glyphs.items():
            if other != code and look in known:
                raise BotError(
                    f"one look means {SYMBOLS[other]!r} and {SYMBOLS[code]!r}: was it still moving?"
                )
        self.glyphs.setdefault(code, {})[look] = picture.copy()

    def missing(self) -> list[str]:
        """The letters that have no picture yet."""
        return [symbol for code, symbol in enumerate(SYMBOLS) if code not in self.glyphs and symbol != "!"]


class Cutter:
    """Plays one game's window and collects what its cells, digits and faces look like."""

    def __init__(self, plan: Plan, program: Program, rng: random.Random) -> None:
        self._plan = plan
        self._program = program
        self._rng = rng
        self._capture = MssCapture()
        self._mouse = PyautoguiMouse()
        self._inside = Rect(0, 0, 0, 0)
        self._grid = Grid(0, 0, 1, 1, 1, 1)
        self.looks = Looks()
        self.border: dict[str, tuple[int, int, int]] = {}
        """The colour (red, green, blue) of the line of pixels just outside each side of the grid."""

    def cut(self) -> Looks:
        """Collect everything. Raises BotError where something that must be there was not found."""
        for mines in (123, 456, 178, 190):
            self._open(24, 24, mines)
            self._digits(mines)
        self._marks()
        # Empty boards show 0 to 3, crowded ones 4 to 8.
        for mines in (60, 120, 250, 350, 430):
            self._open(24, 24, mines)
            for _ in range(GAMES_A_DENSITY):
                self._lose()
        self._open(24, 24, 490)
        for _ in range(GAMES):
            if not self.looks.missing():
                break
            self._lose()
        self._open(9, 9, 10)
        self._minus()
        for _ in range(200):
            if "won" in self.looks.faces:
                break
            self._try_to_win()
        self._program.stop()
        missing = self.looks.missing() + [
            mood for mood in ("happy", "won", "lost") if mood not in self.looks.faces
        ]
        if missing:
            raise BotError(f"these never turned up: {' '.join(missing)}")
        return self.looks

    def _open(self, columns: int, rows: int, mines: int) -> None:
        self._program.stop()
        self._inside = self._program.start(columns, rows, mines)
        plan = self._plan
        self._grid = Grid(*plan.origin, *plan.cell, columns, rows)
        frame = self._rest()
        self.border = border_colours(frame, self._grid)
        self.looks.faces.setdefault("happy", self._face(frame))
        for cell in ((0, 0), (rows - 1, columns - 1)):
            self.looks.add(Cell.COVERED, self._cell(frame, cell))

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
        return _part(frame, self._grid.cell_rect(*cell))

    def _face(self, frame: Image) -> Image:
        return _part(frame, self._face_rect())

    def _face_rect(self) -> Rect:
        face = self._plan.face
        middle = self._grid.x + self._grid.columns * self._grid.cell_width / 2
        width, height = face["size"]
        return Rect(round(middle - width / 2), round(self._grid.y - face["above"]), width, height)

    def _digit(self, frame: Image, index: int) -> Image:
        spec = self._plan.counter
        edge = self._grid.rect.right if spec["anchor"] == "right" else self._grid.rect.x
        width, height = spec["digit"]
        return _part(
            frame,
            Rect(edge + spec["x"] + index * spec["pitch"], self._grid.rect.y - spec["above"], width, height),
        )

    def _click(self, cell: Coordinate, button: Any = "left") -> None:
        self._click_at(self._grid.center(cell), button)

    def _click_at(self, inside: Point, button: Any = "left") -> None:
        self._mouse.click(Point(self._inside.x + inside.x, self._inside.y + inside.y), button)
        time.sleep(0.01)

    def _again(self) -> Image:
        self._click_at(self._face_rect().center)
        return self._rest()

    def _digits(self, mines: int) -> None:
        frame = self._rest()
        for index, digit in enumerate(f"{mines:03}"):
            self.looks.digits.setdefault(digit, self._digit(frame, index))

    def _minus(self) -> None:
        """More flags than mines make the counter go below zero; and 009 shows the zero of every place."""
        frame = self._rest()
        self.looks.digits.setdefault("0", self._digit(frame, 0))
        for index in range(11):
            self._click((index // 9, index % 9), "right")
        self.looks.digits.setdefault("-", self._digit(self._rest(), 0))
        self._again()

    def _marks(self) -> None:
        self._click((3, 3), "right")
        self.looks.add(Cell.FLAG, self._cell(self._rest(), (3, 3)))
        self._click((3, 3), "right")
        look = self._cell(self._rest(), (3, 3))
        if look.tobytes() not in self.looks.glyphs[Cell.COVERED]:
            self.looks.add(Cell.QUESTION, look)
        self._again()

    def _lose(self) -> None:
        """Play a game at random until it is lost, and label what was opened by the mines that it shows."""
        frame = self._again()
        happy = self.looks.faces["happy"]
        cells = [(r, c) for r in range(self._grid.rows) for c in range(self._grid.columns)]
        self._rng.shuffle(cells)
        flagged, cells = cells[:12], cells[12:]
        for cell in flagged:
            self._click(cell, "right")
        frame = self._rest()
        flag_looks = self.looks.glyphs[Cell.FLAG]
        for cell in cells:
            if not self._is_covered(frame, cell):
                continue
            before = frame
            self._click(cell)
            frame = self._rest()
            if not np.array_equal(self._face(frame), happy):
                self._label(
                    before, frame, cell, [f for f in flagged if self._cell(before, f).tobytes() in flag_looks]
                )
                return

    def _is_covered(self, frame: Image, cell: Coordinate) -> bool:
        return self._cell(frame, cell).tobytes() in self.looks.glyphs[Cell.COVERED]

    def _label(self, before: Image, after: Image, last: Coordinate, flagged: Sequence[Coordinate]) -> None:
        """Work out what every look of a lost game means."""
        looks = self.looks
        everywhere = [(r, c) for r in range(self._grid.rows) for c in range(self._grid.columns)]
        shown = {
            cell
            for cell in everywhere
            if cell != last
            and cell not in flagged
            and self._is_covered(before, cell)
            and not self._is_covered(after, cell)
        }
        if not shown:  # the face changed because the game was won
            return
        right_flags = {c for c in flagged if self._cell(after, c).tobytes() in looks.glyphs[Cell.FLAG]}
        mines = shown | right_flags | {last}
        looks.faces.setdefault("lost", self._face(after))
        looks.add(Cell.EXPLODED, self._cell(after, last))
        for cell in shown:
            looks.add(Cell.MINE, self._cell(after, cell))
        for cell in flagged:
            if cell not in right_flags:
                looks.add(Cell.WRONG_FLAG, self._cell(after, cell))
        for row, column in everywhere:
            opened = not self._is_covered(before, (row, column)) and (row, column) not in flagged
            if opened and (row, column) != last:
                number = sum(
                    near in mines for near in neighbours(row, column, self._grid.rows, self._grid.columns)
                )
                looks.add(number, self._cell(after, (row, column)))

    def _try_to_win(self) -> None:
        """Play a small board by the looks that are known, guessing where nothing is certain."""
        from bot.board import Board, Observation, Phase, Rules
        from bot.strategy.registry import strategy

        player = strategy("best")
        rules = Rules(self._grid.columns, self._grid.rows, 10, FirstClick.ANY)
        meaning = {look: code for code, pictures in self.looks.glyphs.items() for look in pictures}
        frame = self._again()
        for turn in range(200):
            codes = np.full((rules.rows, rules.columns), Cell.UNREAD, dtype=np.int8)
            for row, column in np.ndindex(codes.shape):
                codes[row, column] = meaning[self._cell(frame, (row, column)).tobytes()]
            board = Board(codes)
            if board.finished:
                return
            if board.count(Cell.COVERED) == 0 or not np.array_equal(
                self._face(frame), self.looks.faces["happy"]
            ):
                self.looks.faces["won"] = self._face(frame)
                return
            phase = Phase.PLAYING if turn else Phase.READY
            for cell in player.decide(Observation(board, phase, rules), turn).safe:
                self._click(cell)
            frame = self._rest()


def _part(frame: Image, rect: Rect) -> Image:
    return np.ascontiguousarray(frame[rect.y : rect.bottom, rect.x : rect.right])


def write_theme(
    plan: Plan, cuts: Sequence[tuple[Plan, Looks]], border: dict[str, tuple[int, int, int]]
) -> Path:
    """Write the pictures and `theme.toml`; gives the folder."""
    folder = shipped("templates") / plan.theme
    described: list[dict[str, Any]] = []
    for cut_plan, looks in cuts:
        name = f"{cut_plan.cell[0]}px"
        glyphs: dict[str, list[str]] = {}
        for code in sorted(looks.glyphs):
            for index, picture in enumerate(looks.glyphs[code].values()):
                file = f"cell_{_file_name(code)}{f'_{index + 1}' if index else ''}.png"
                _write_picture(folder / name / file, picture)
                glyphs.setdefault(SYMBOLS[code], []).append(file)
        faces = {mood: f"face_{mood}.png" for mood in looks.faces}
        for mood, picture in looks.faces.items():
            _write_picture(folder / name / faces[mood], picture)
        digits = {digit: f"digit_{'minus' if digit == '-' else digit}.png" for digit in sorted(looks.digits)}
        for digit, picture in looks.digits.items():
            _write_picture(folder / name / digits[digit], picture)
        described.append(
            {"folder": name, "cell": list(cut_plan.cell), "glyphs": glyphs, "faces": faces, "digits": digits}
        )
    content = plan.theme_head() | {"border": {side: list(colour) for side, colour in border.items()}}
    text = tomli_w.dumps(content | {"cuts": described})
    write_whole(folder / "theme.toml", _short_lists(text).encode())
    return folder


def _short_lists(toml: str) -> str:
    """The same TOML with every list of plain values on one line."""
    return re.sub(
        r"\[\s*([^\[\]{}]*?),\s*\]", lambda found: "[" + re.sub(r"\s*\n\s*", " ", found[1]) + "]", toml
    )


def _file_name(code: int) -> str:
    return str(code) if code <= 8 else Cell(code).name.lower()


def _write_picture(path: Path, picture: Image) -> None:
    written, data = cv2.imencode(".png", picture)
    if not written:
        raise BotError(f"{path} could not be written as a picture")
    write_whole(path, data.tobytes())


def border_colours(frame: Image, grid: Grid) -> dict[str, tuple[int, int, int]]:
    """The colour (red, green, blue) of the line of pixels just outside each side of the grid."""
    rect = grid.rect
    middle_x, middle_y = rect.center.x, rect.center.y
    places = {
        "left": (middle_y, rect.x - 1),
        "top": (rect.y - 1, middle_x),
        "right": (middle_y, rect.right),
        "bottom": (rect.bottom, middle_x),
    }
    colours: dict[str, tuple[int, int, int]] = {}
    for side, place in places.items():
        blue, green, red = (int(value) for value in frame[place])
        colours[side] = (red, green, blue)
    return colours


def main(names: Sequence[str]) -> int:
    """Cut the named themes, or all of them, on a virtual screen and say where they lie."""
    names = names or list(PLANS)
    unknown = [name for name in names if name not in PLANS]
    if unknown:
        sys.stderr.write(f"usage: python -m bot.calibrate.cut {' '.join(PLANS)}\n")
        return 2
    try:
        with ensure_display(headless=True, size=SCREEN):
            for name in names:
                cuts: list[tuple[Plan, Looks]] = []
                border: dict[str, tuple[int, int, int]] = {}
                for plan in PLANS[name]():
                    cutter = Cutter(plan, plan.program(), random.Random(1))
                    cuts.append((plan, cutter.cut()))
                    border = border or cutter.border
                folder = write_theme(cuts[0][0], cuts, border)
                sys.stdout.write(f"{folder}: {sum(len(looks.glyphs) for _, looks in cuts)} kinds of cells\n")
    except BotError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
