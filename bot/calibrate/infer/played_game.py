"""One throw-away game in pictures."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Coordinate
from bot.calibrate.infer.cell_clusters import CellClusters, Mask
from bot.vision.grid import Image

OPENED_KEPT, VEILED = 0.9, 0.6
"""At the very end some windows lay a veil over everything. A picture shows mines where the first part of the
opened cells looks as before; without opened ones, where less than the second part of all cells changed."""


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
    """The last picture in which opened cells (not `covered`) look as before the last click, if any."""
    for picture in reversed(game.after):
        changed = clusters.changed(game.before, picture)
        if changed.mean() < VEILED if covered.all() else (~changed[~covered]).mean() >= OPENED_KEPT:
            return picture
    return None
