"""One throw-away game in pictures."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Coordinate
from bot.calibrate.infer.cell_clusters import CellClusters, Mask
from bot.vision.grid import Image

OPENED_KEPT = 0.9
"""The part of the opened cells that must still look as before in a picture that shows mines: at the very end
some windows lay a veil over everything."""

VEILED = 0.6
"""The part of all cells whose change is a veil, on a board without opened cells."""


@dataclass(frozen=True)
class PlayedGame:
    """One game, in pictures of the window at rest."""

    start: Image
    """Before the first click."""
    before: Image
    """Before the last click that did something."""
    after: tuple[Image, ...]
    """The different pictures from that click until the window was at rest."""
    last_cell: Coordinate
    """The cell of that click."""
    clicks: int
    """Clicks that did something."""
    first_cell: Coordinate
    """The cell of the first click."""
    after_first: Image
    """The window after the first click."""
    over: bool
    """Whether nothing reacted after the last click; otherwise the game was left."""
    under_dialog: bool
    """Whether a dialog lay over it at its end."""
    from_start: bool
    """Whether it began with a new board; otherwise with one that had been played on already."""

    @property
    def end(self) -> Image:
        """The last picture."""
        return self.after[-1]


def last_before_veil(game: PlayedGame, clusters: CellClusters, covered: Mask) -> Image | None:
    """The last picture in which the opened cells look as before the last click; None where there is none.

    `covered` are the cells that were covered before the last click.
    """
    opened = ~covered
    for picture in reversed(game.after):
        changed = clusters.changed(game.before, picture)
        if not opened.any():
            if changed.mean() < VEILED:
                return picture
        elif (~changed[opened]).mean() >= OPENED_KEPT:
            return picture
    return None
