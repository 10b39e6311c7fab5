"""Pictures without a Minesweeper board that have something of one: squares, lines, digits, repetition.

A reader must find no board in them, and a network learns from them what is no cell. Each kind is a function
that draws it with random sizes, colours and contents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bot.vision.grid import Image
from training.reader.no_boards.everyday import EVERYDAY
from training.reader.no_boards.puzzles import PUZZLES
from training.reader.no_boards.surfaces import SURFACES
from training.reader.no_boards.tables import TABLES
from training.reader.positions import Rng
from training.reader.samples import LabelledPicture

NOTHING: dict[str, Callable[[Rng], Image]] = {
    draw.__name__: draw for draw in (*EVERYDAY, *PUZZLES, *TABLES, *SURFACES)
}
"""Every kind by its name."""

FAMILY = "nothing"
"""The family of these pictures begins with this word, and ends with the kind."""


def picture_without_board(kind: str, seed: int) -> LabelledPicture:
    """One picture of a kind; equal seeds give equal pictures."""
    image = NOTHING[kind](np.random.default_rng([seed, list(NOTHING).index(kind)]))
    return LabelledPicture(f"{kind}-{seed}", image, (), f"{FAMILY} {kind}")


def pictures_without_boards(seed: int) -> Iterator[LabelledPicture]:
    """Pictures of all kinds in turn, without end; equal seeds give equal pictures."""
    while True:
        for kind in NOTHING:
            yield picture_without_board(kind, seed)
        seed += 1


__all__ = ["FAMILY", "NOTHING", "picture_without_board", "pictures_without_boards"]
