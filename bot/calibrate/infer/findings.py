"""What was found out about a window, ready to be kept."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.board import FirstClick, Spread
from bot.calibrate.infer.cell_clusters import CellClusters
from bot.geometry import Rect
from bot.targets.window.events.new_game_places import NewGameCandidate
from bot.vision.grid import Image
from bot.vision.themes.schema import Mood


@dataclass(frozen=True)
class ClusterLabel:
    """What one cluster means, and why that is believed."""

    code: int
    """A code of `Cell`."""
    seen: int
    """Cells that are evidence for it."""
    why: str
    """A few words for people."""


@dataclass
class Findings:
    """All that calibrating found out. Times in seconds."""

    clusters: CellClusters
    labels: dict[int, ClusterLabel] = field(default_factory=dict)
    """By cluster."""
    mines: int | None = None
    """The mines of every game of this size; None where they differ or were not seen."""
    first_click: FirstClick = FirstClick.ANY
    first_clicks: int = 0
    """How many were tried."""
    first_lost: int = 0
    """How many of them hit a mine."""
    spread: Spread = Spread.EIGHT
    new_game: NewGameCandidate | None = None
    face: Rect | None = None
    """The place that shows how the game stands, in pixels of the window's picture."""
    faces: dict[Mood, Image] = field(default_factory=dict)
    dialogs: dict[str, str] = field(default_factory=dict)
    """Titles of dialogs and the key that closes each."""
    flags_to_win: bool | None = None
    """Whether the mines must be flagged to win; None where no game was won."""
    latency_s: float = 0.0
    """The longest time from a click to its first effect."""
    lasted_s: float = 0.0
    """From the first effect until the window was at rest (90th percentile), the ends of games left out."""
    games: int = 0
    clicks: int = 0
    seconds: float = 0.0
    won: int = 0
    lost: int = 0
    notes: list[str] = field(default_factory=list)
    """What could not be found out, for people."""

    @property
    def in_order(self) -> list[tuple[int, ClusterLabel]]:
        """The clusters and their labels, by code; those of one code with most evidence first."""
        return sorted(self.labels.items(), key=lambda item: (item[1].code, -item[1].seen))

    def count(self, code: int) -> int:
        """How many cells are evidence for a code."""
        return sum(label.seen for label in self.labels.values() if label.code == code)
