"""A small recorded game with synthetic pictures, and a reader for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bot.board import Action, Board, Cell, FirstClick, Move, Observation, Outcome, Phase, Result, Rules
from bot.geometry import Point
from bot.recording.format import Header
from bot.recording.write import Recorder
from bot.strategy.base import Decision, Kind
from bot.vision.grid import Grid, Image
from bot.vision.reading import Reading

CELL = 16
GRID = Grid(4, 20, CELL, CELL, columns=3, rows=2)
RULES = Rules(3, 2, 1, FirstClick.SAFE)
BOARDS = (Board.parse("###\n###"), Board.parse("1##\n###"), Board.parse("11#\n11#"))


class LeftToRight:
    """Opens the first covered cell, and never says so twice in another way."""

    name = "left"
    version = 1
    chance = 0.25

    def decide(self, observation: Observation, turn: int) -> Decision:
        cells = [cell for cell in np.ndindex(2, 3) if observation.board[cell] == 9]
        row, column = cells[0]
        kind = Kind.FIRST if turn == 0 else Kind.GUESS
        return Decision(
            kind,
            "left to right",
            safe=((row, column),),
            survival=1.0 if turn == 0 else 1 - self.chance,
            reason="the first covered cell",
            chances={(int(r), int(c)): self.chance / 3 for r, c in cells} if turn else {},
        )


def picture(board: Board, grid: Grid = GRID) -> Image:
    """A frame: every cell is filled with its code, so that it can be read without any theme."""
    image = np.full((20 + 2 * CELL + 4, 4 + 3 * CELL + 4, 3), 200, dtype=np.uint8)
    for row, column in np.ndindex(2, 3):
        rect = grid.cell_rect(row, column)
        image[rect.y : rect.bottom, rect.x : rect.right] = 10 * board[row, column]
    return image


class CodeReader:
    """Reads what `picture` drew."""

    def __init__(
        self, wrong: dict[int, int] | None = None, *, by_likeness: bool = False, grid: Grid = GRID
    ) -> None:
        self.by_likeness = by_likeness
        self.wrong = wrong or {}
        """Codes that it takes for others."""
        self.grid = grid

    def on(self, grid: Grid) -> CodeReader:
        """The same for cells that lie elsewhere."""
        return CodeReader(self.wrong, by_likeness=self.by_likeness, grid=grid)

    def read(self, image: Image, *, header: bool = False) -> Reading:
        codes = np.zeros((2, 3), dtype=np.int8)
        for row, column in np.ndindex(2, 3):
            center = self.grid.center((row, column))
            code = min(int(image[center.y, center.x, 0]) // 10, int(Cell.UNREAD))
            codes[row, column] = self.wrong.get(code, code)
        face = "happy" if header else None
        return Reading(Board(codes), np.zeros((2, 3), dtype=np.float32), face, 1 if header else None)


def make_header(**changed: object) -> Header:
    values: dict[str, object] = {
        "target": "WineMine",
        "theme": "codes",
        "theme_fingerprint": "abc",
        "grid": GRID,
        "rules": RULES,
        "strategy": LeftToRight(),
        "options": {"flags": False},
        "origin": Point(-100, 7),
    }
    return Header.of(**{**values, **changed})  # type: ignore[arg-type]


def record_game(folder: Path, *, header: Header | None = None) -> Path:
    """Record three boards, two decisions and a win; the first frame is seen twice."""
    strategy, reader = LeftToRight(), CodeReader()
    with Recorder(folder, header or make_header()) as record:
        record.frame(picture(BOARDS[0]), -100, 7)
        for turn, board in enumerate(BOARDS):
            image = picture(board)
            frame = record.frame(image, -100, 7)
            reading = reader.read(image, header=True)
            if turn == 2:
                record.board(frame, reading, Phase.WON, 1)
                break
            record.board(frame, reading, Phase.PLAYING if turn else Phase.READY, 1)
            decision = strategy.decide(Observation(board, Phase.PLAYING, RULES), turn)
            record.decision(turn, decision)
            record.click(Move(Action.OPEN, *decision.safe[0]), Point(3, 4))
        record.person(Move(Action.FLAG, 1, 2))
        record.note("the window moved by 3,0")
        record.outcome(
            Outcome(Result.WON, "all opened"), seconds=0.5, clicks=2, guesses=1, survival=0.75, bbbv=2
        )
    return folder
