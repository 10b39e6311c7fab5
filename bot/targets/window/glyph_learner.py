"""Glyphs that appear for the first time during play: the protocol of the learner, `GlyphLearner`, and its
result. `bot.calibrate.late_learning` implements it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.board import Board, Coordinate, Rules
from bot.vision.grid import Grid, Image
from bot.vision.themes.skin import Skin


@dataclass(frozen=True)
class LearnedGlyphs:
    """What a learner concluded from the unread cells of one board."""

    skin: Skin | None = None
    """The skin with the new exemplars added; None if nothing was learned."""
    opened: frozenset[Coordinate] = frozenset()
    """Unread cells that are certainly opened, though with an unknown number."""
    text: str = ""
    """A line for people; empty if there is nothing to report."""


class GlyphLearner(Protocol):
    """Works out which glyphs unread cells show."""

    def meet(
        self, skin: Skin, grid: Grid, frame: Image, board: Board, before: Board | None, rules: Rules
    ) -> LearnedGlyphs:
        """Learn from a board at rest that has unread cells.

        `frame` is the picture (height, width, 3; blue, green, red) in which `grid` lies; `board` was read
        from it; `before` is the last board of this game, None at its start.
        """
        ...
