"""How long the pictures of a window must stay the same before the board in them counts; and whose clicks they
may show."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

STALLED_S = 1.0
"""How long a game that moves its pieces about must rest before it counts as another one than it was: a busy
machine may stop the pieces in mid-air, over cells that were opened before."""

TORN_S = 0.03
"""How long another game than it was must rest before it counts: in a picture that is drawn in part cells that
were opened may be covered again."""

BESIDE_S = 2.0
"""How long the cells must have been still before what moves beside them is taken for no part of the game."""

LOOKED_AT_S, SLOW_S = 0.04, 0.25
"""How long a board must rest for whoever looks on: a person's press looks like an opening until it is let go.
And an untouched board, or the end of a game."""

STILL_READ_S = 0.3
"""How long the same board must be read, in a game without a theme, before it counts though its cells move."""

SHIMMER_S = 1.5
"""How long the same board must be read, for whoever looks on, before it counts though its cells shimmer."""


@dataclass(frozen=True)
class SettleTimes:
    """How long a picture must stay the same before the board in it counts, in seconds."""

    playing: float
    """In the middle of a game."""
    fresh: float
    """A board on which nothing has been played, under the rules of the game before."""
    new_rules: float
    """The same under other rules: the counter may still be that of the game before, and a wrong total makes
    wrong clicks certain."""
    end: float
    """The end of a game: windows show their mines one by one."""
    another: float = 0.0
    """A board of another game than before, at least."""
    cells: float = inf
    """Once the cells have been still for this long, what moves beside them does not belong to the game."""
    board: float = inf
    """Once the same board has been read for this long, pixels that shimmer in its cells do not matter."""
    only_cells: bool = False
    """Whether what moves beside the cells never matters."""
    others_click: bool = False
    """Whether somebody else may click between two boards that count: what hides the next one may end its game
    though we have clicked nothing."""
    pieces: bool = False
    """Whether the game moves something over its cells."""

    @classmethod
    def of_bot(cls, rest_s: float) -> SettleTimes:
        """For whoever clicks next. `rest_s`: how long a game that moves its pieces about must rest; 0 for one
        that does not."""
        if rest_s:
            return cls(rest_s, rest_s, rest_s, end=0.03, another=STALLED_S, cells=BESIDE_S, pieces=True)
        return cls(0.0, fresh=0.03, new_rules=0.25, end=0.03, another=TORN_S, cells=BESIDE_S)

    @classmethod
    def of_unknown(cls) -> SettleTimes:
        """For whoever clicks next in a game without a theme, of which nobody knows what moves in it."""
        return cls(0.02, 0.15, 0.3, end=0.1, board=STILL_READ_S, only_cells=True, others_click=True)

    @classmethod
    def of_spectator(cls, rest_s: float) -> SettleTimes:
        """For whoever looks on. `rest_s`: as `of_bot` has it."""
        playing = max(LOOKED_AT_S, rest_s)
        slow = max(playing, SLOW_S)
        return cls(playing, slow, slow, end=slow, board=SHIMMER_S, only_cells=True, others_click=True)
