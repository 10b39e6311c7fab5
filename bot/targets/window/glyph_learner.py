"""Looks that turn up for the first time in play: what the target needs of whoever learns them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.board import Board, Coordinate, Rules
from bot.vision.grid import Grid, Image
from bot.vision.themes.skin import Skin


@dataclass(frozen=True)
class LearnedGlyphs:
    """What was made of cells that could not be read."""

    skin: Skin | None = None
    """The skin with what was learned now; None where nothing was."""
    opened: frozenset[Coordinate] = frozenset()
    """Unread cells that are certainly opened ones, though not with which number."""
    text: str = ""
    """A line for people; empty where there is nothing to tell."""


class GlyphLearner(Protocol):
    """Somebody who works out what unread cells show."""

    def meet(
        self, skin: Skin, grid: Grid, frame: Image, board: Board, before: Board | None, rules: Rules
    ) -> LearnedGlyphs:
        """Look at a board at rest with unread cells; `before` is what it showed last."""
        ...
