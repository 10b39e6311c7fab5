"""What was found out about a window, ready to be kept."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.board import FirstClick, Spread
from bot.calibrate.infer.cell_clusters import CellClusters
from bot.calibrate.probe.new_game_search import Way
from bot.geometry import Rect
from bot.vision.grid import Image
from bot.vision.themes.schema import Mood


@dataclass(frozen=True)
class ClusterLabel:
    """What one look means, and why that is believed."""

    code: int
    seen: int
    """Cells that bear witness."""
    why: str
    """A few words for people."""


@dataclass
class Findings:
    """All that calibrating found out."""

    looks: CellClusters
    meanings: dict[int, ClusterLabel] = field(default_factory=dict)
    mines: int | None = None
    """The mines of every game of this size; None where they differ or were not seen."""
    first_click: FirstClick = FirstClick.ANY
    first_clicks: int = 0
    """First clicks that were tried."""
    first_lost: int = 0
    spread: Spread = Spread.EIGHT
    way: Way | None = None
    """How a new game is started."""
    face: Rect | None = None
    """The place that tells how the game stands, in pixels of the window's picture."""
    faces: dict[Mood, Image] = field(default_factory=dict)
    dialogs: dict[str, str] = field(default_factory=dict)
    """Titles of dialogs and the key that closes each."""
    flags_to_win: bool | None = None
    """Whether the mines must be flagged to win; None where no game was won."""
    latency_s: float = 0.0
    """The longest time from a click to its first effect."""
    lasted_s: float = 0.0
    """The longest time from there until all was at rest, the ends of games left out."""
    games: int = 0
    clicks: int = 0
    seconds: float = 0.0
    certain: int = 0
    """Clicks that logic called safe, all of which were."""
    won: int = 0
    lost: int = 0
    notes: list[str] = field(default_factory=list)
    """What could not be found out, for people."""

    def count(self, code: int) -> int:
        """How many cells bear witness for a code."""
        return sum(one.seen for one in self.meanings.values() if one.code == code)
