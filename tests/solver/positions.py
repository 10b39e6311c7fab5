"""The one reader of `tests/positions/*.txt`.

A file begins with a few words about it. Then, for each position: `== name`; lines of `key: words`, of which
`source:` is always there (lines of the same key go on); and a line a row of the board: its letters, and
after them, apart by blanks, what is known of the row.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from bot.board import Board, Coordinate, FirstClick, Rules

FOLDER = Path(__file__).parents[1] / "positions"


class Position(NamedTuple):
    name: str
    words: dict[str, str]
    board: Board
    known: list[list[str]]
    """What stands after each row."""

    @property
    def mines(self) -> int | None:
        return int(self.words["mines"]) if "mines" in self.words else None

    @property
    def rules(self) -> Rules:
        """No first click is protected."""
        return Rules(self.board.columns, self.board.rows, self.mines, FirstClick.ANY)

    def cells(self, key: str) -> list[Coordinate]:
        """The cells of a line such as `best: 0,1 2,3`; `-` stands for none."""
        pairs = (word.split(",") for word in self.words[key].split() if word != "-")
        return [(int(row), int(column)) for row, column in pairs]


def read_positions(name: str) -> list[Position]:
    """All positions of `tests/positions/NAME.txt`."""
    found = []
    for block in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        title, *lines = block.strip().splitlines()
        words: dict[str, str] = {}
        rows = []
        for line in lines:
            key, colon, text = line.partition(": ")
            if colon:
                words[key] = f"{words[key]} {text}" if key in words else text
            else:
                rows.append(line.split())
        assert words["source"], f"{name}.txt, {title}: say where it comes from"
        board = Board.parse("\n".join(row[0] for row in rows))
        found.append(Position(title, words, board, [row[1:] for row in rows]))
    return found
