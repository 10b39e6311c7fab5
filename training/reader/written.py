"""Paints boards that are written in characters, as editors, consoles and pages of text show them.

python -m training.reader.written --pictures 1500 --seed 1 --out looks/written

Pillow draws the characters. The family `terminal` is drawn by a terminal, and only for judging.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bot.board import Board, Cell
from bot.vision.grid import Grid
from training.reader.paint.colours import Rng
from training.reader.paint.effects import spoiled
from training.reader.paint.readable import is_readable
from training.reader.painted import LEAST_CELL, paint_folder
from training.reader.positions import random_position, random_size
from training.reader.samples import LabelledBoard, LabelledPicture
from training.reader.writing.looks import Writing, random_writing
from training.reader.writing.page import Page, write_around, write_frame

MOST_WIDE, MOST_HIGH = 1900, 1200
"""The largest picture, in pixels."""


def write(rng: Rng, name: str, *, largest: int = 480, stage: str = "") -> LabelledPicture:
    """A picture with one written board of at most `largest` cells, at a stage of a game (empty: any), that a
    person can read."""
    while True:
        columns, rows = random_size(rng, largest=min(200, largest) if rng.random() < 0.8 else largest)
        position = random_position(rng, columns, rows, stage=stage)
        found = _written(rng, name, position, random_writing(rng))
        if found is not None:
            return found


def _written(rng: Rng, name: str, board: Board, look: Writing) -> LabelledPicture | None:
    """A picture of a board; None if it is too large or cannot be read."""
    across, down = look.pitch
    left, top = int(rng.integers(1, 14)), int(rng.integers(0, 7))
    if look.frame == "" and _has_blank_sides(board, look):
        return None
    columns = left + board.columns * across + look.is_framed + int(rng.integers(1, 14))
    lines = top + board.rows * down + look.is_framed + int(rng.integers(0, 6))
    if columns * look.across > MOST_WIDE or lines * look.down > MOST_HIGH:
        return None
    if min(across * look.across, down * look.down) < LEAST_CELL:
        return None
    page = Page(look, columns, lines, is_smooth=rng.random() > 0.2)
    write_around(rng, page, board, look, left, top)
    for row, column in np.ndindex(board.rows, board.columns):
        page.cell(board, row, column, left, top)
    if look.is_framed:
        write_frame(page, board, look, left, top)
    grid = _grid(look, board, left, top)
    picture, effects = spoiled(rng, page.picture())
    if not is_readable(picture, grid, board):
        return None
    described = {"font": Path(look.font).stem, "cells": f"written {look.wide}x{look.high} {look.frame}"}
    described |= {"sign": look.signs[Cell.COVERED], "effects": " ".join(effects)}
    image = np.ascontiguousarray(picture[:, :, ::-1])
    return LabelledPicture(name, image, (LabelledBoard(grid, board, described),))


def _has_blank_sides(board: Board, look: Writing) -> bool:
    """Whether nothing shows that an outer column or row is there."""
    is_blank = look.grounds[0] == look.paper and look.signs[0] == " "
    sides = board.codes[0], board.codes[-1], board.codes[:, 0], board.codes[:, -1]
    return is_blank and any(not side.any() for side in sides)


def _grid(look: Writing, board: Board, left: int, top: int) -> Grid:
    """Where the cells are: from frame to frame; around their characters where nothing shows their ends."""
    across, down = look.pitch
    x, y = float(left), float(top)
    if look.is_framed:
        x, y = x + 0.5, y + (0.5 if down > look.high else 0.0)
    elif look.covered == look.opened and look.frame == "":
        x, y = x + look.column + 0.5 - across / 2, y + look.line + 0.5 - down / 2
    width, height = across * look.across, down * look.down
    return Grid(x * look.across, y * look.down, width, height, board.columns, board.rows)


def main(arguments: list[str] | None = None) -> None:
    """Write the boards that the command line asks for."""
    paint_folder(
        arguments,
        __doc__,
        "written",
        lambda rng, name, largest, stage: write(rng, name, largest=largest, stage=stage),
    )


if __name__ == "__main__":
    main()
