"""What `from bot import ...` gives to other programs: boards analysed, pictures read, games played.

Everything here raises `BotError` or one of its kinds (`bot/errors.py`) for what cannot be done, with one line
that says what to do. The first call in a new installation compiles the solver, which takes a minute or so and
is kept.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.board import Board, Coordinate, FirstClick, Rules, first_click_rule, whole_number
from bot.board_svg import board_svg
from bot.errors import FormatError, UsageError
from bot.game.game import Game
from bot.game_loop import GameReport
from bot.game_loop import play as play_target
from bot.strategy.advice import advise
from bot.strategy.registry import strategy as strategy_of
from bot.targets.in_process import InProcessTarget
from bot.vision import Image, PictureReading, read_boards
from bot.vision.picture_file import load_picture
from bot.vision.themes.theme import load_skins

__all__ = ["Analysis", "analyse", "play", "read", "read_all"]


@dataclass(frozen=True, eq=False)
class Analysis:
    """What follows from a board, and what to open. Cells are (row, column), from 0, top left first."""

    board: Board
    rules: Rules
    """The size, the mine total (None: unknown) and the first-click rule that it was analysed under."""
    safe: frozenset[Coordinate]
    """The covered cells that hold a mine in no layout: they can be opened at no risk."""
    mines: frozenset[Coordinate]
    """The covered cells that hold a mine in every layout. Flags are not trusted: they count as covered."""
    probability: npt.NDArray[np.float64]
    """The chance of a mine in each covered cell, 0 to 1, shape (rows, columns); NaN where a cell is opened or
    shows a mine. It is 0.0 or 1.0 for certain cells, and only for them. Read-only."""
    approximate: bool
    """Whether some of the chances are estimates, because the layouts are too many to count. What is called
    safe or a mine is certain all the same."""
    solutions: int | None
    """How many layouts of mines fit; None where the exact number would take too long."""
    best: Coordinate | None
    """The cell to open; None where there is none: all covered cells are mines, the game is over, or the
    strategy does not guess."""
    survival: float | None
    """The chance that `best` is no mine, 0 to 1; 1 for a first click that is always protected; None without a
    best cell."""
    win: float | None
    """The chance to win the game, 0 to 1, if `best` is opened and all play after it is perfect. None where it
    is not exact: the layouts are too many to search every way to play on, or, before a first click that
    `moved` or `shifted` protects, not equally likely."""
    reason: str
    """Why `best`, or why there is none: one line for people."""

    def _repr_svg_(self) -> str | None:
        """The board with its chances and the best cell, for notebooks; None where it is too large."""
        chances = {
            (int(row), int(column)): float(self.probability[row, column])
            for row, column in np.argwhere(~np.isnan(self.probability))
        }
        return board_svg(self.board.lines, chances, self.best)


def analyse(
    board: Board,
    mines: int | None = None,
    *,
    first_click: FirstClick | str = FirstClick.SAFE,
    strategy: str = "best",
    think: int = 1,
) -> Analysis:
    """Say of every covered cell how likely it is a mine, and which cell a strategy opens.

    `mines` is the total of the board, mines that it shows included; without it no rule uses the total, and
    cells beside no number are taken for mines with 20 %. `first_click` counts only for a board of which
    nothing is opened. `think` is a multiple of the usual thought for a guess, for the strategy `best`.

    Raises UsageError for mines that do not fit the board or are no whole number, for an unknown strategy or
    first-click rule, for a thought below 1 and where no first click can open the zero that its rule promises;
    ContradictionError, which names the numbers, where no layout of mines fits the board.
    """
    if not isinstance(board, Board):
        raise UsageError(f"a {type(board).__name__} is no board: give one, as by Board.parse(text)")
    think = _thought(think)
    rules = Rules(board.columns, board.rows, mines, first_click_rule(first_click))
    advice = advise(board, rules, strategy, think, dead=False)
    solved = advice.solved
    probability = solved.grid(board.rows, board.columns)
    probability.setflags(write=False)
    return Analysis(
        board=board,
        rules=rules,
        safe=frozenset(solved.safe),
        mines=frozenset(solved.mines),
        probability=probability,
        approximate=solved.approximate,
        solutions=solved.solutions,
        best=advice.best,
        survival=advice.survival,
        win=advice.win,
        reason=advice.reason,
    )


def _thought(think: Any) -> int:
    if (whole := whole_number("a thought", think)) < 1:
        raise UsageError(f"a thought of {whole} cannot be: give 1 (the usual) or more")
    return whole


def read(
    picture: str | os.PathLike[str] | Image, *, theme: str | None = None, size: tuple[int, int] | None = None
) -> PictureReading:
    """Read the one board that a picture shows: `.board`, `.mines` (None where not seen) and `.grid` (pixels).

    `picture` is a file, or an array of shape (height, width, 3), uint8, blue, green, red, as OpenCV has it. A
    cell that cannot be read is `!`, never guessed. With `theme` only boards of that theme count, with `size`,
    (columns, rows), only boards of that size.

    Raises FormatError for a file that is missing or no picture, for a picture without a board, and for one
    with several: `read_all` gives those. Raises UsageError for what is neither, for a theme that is not there
    and for a size that cannot be.
    """
    boards = read_all(picture, theme=theme, size=size)
    if len(boards) > 1:
        raise FormatError(f"{len(boards)} boards were found: cut the picture to one, or use read_all")
    return boards[0]


def read_all(
    picture: str | os.PathLike[str] | Image, *, theme: str | None = None, size: tuple[int, int] | None = None
) -> list[PictureReading]:
    """Read every board of a picture, from the top to the bottom and left to right; else as `read`."""
    if not isinstance(theme, str | None):
        raise UsageError(f"a {type(theme).__name__} is no name of a theme: give a string")
    wanted = None if size is None else _size(size)
    return read_boards(_image(picture), load_skins(theme), only_known=theme is not None, size=wanted)


def _size(size: Any) -> tuple[int, int]:
    if not isinstance(size, tuple | list) or len(size) != 2:
        raise UsageError(f"{size!r} is no size of a board: give (columns, rows)")
    rules = Rules(*size)
    return rules.columns, rules.rows


def _image(picture: Any) -> Image:
    if isinstance(picture, str | os.PathLike):
        return load_picture(Path(picture))
    if not isinstance(picture, np.ndarray):
        raise UsageError(f"a {type(picture).__name__} is no picture: give a file or an array")
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3 or 0 in picture.shape:
        raise UsageError(
            f"an array of shape {picture.shape} and {picture.dtype} is no picture:"
            " give (height, width, 3) and uint8, blue, green, red"
        )
    return np.ascontiguousarray(picture)


def play(game: Game, strategy: str = "best", *, think: int = 1, flags: bool = False) -> GameReport:
    """Play a game in memory to its end. The strategy sees the board only, never where the mines are.

    Out: a `GameReport` with the `outcome` (its `result` and `reason`), the chance of each of the `guesses`,
    the `decisions` made and the last `observation`. `think` is a multiple of the usual thought for a guess,
    for the strategy `best`; `flags` marks the mines that are certain.

    Raises UsageError for a game that is over, for an unknown strategy and for a thought below 1.
    """
    if not isinstance(game, Game):
        raise UsageError(f"a {type(game).__name__} is no game: give one, as Game.expert(seed=1)")
    if game.phase.over:
        raise UsageError("the game is over: start another, as by game.again()")
    think = _thought(think)
    return play_target(InProcessTarget(game), strategy_of(strategy, think), flags=flags)
