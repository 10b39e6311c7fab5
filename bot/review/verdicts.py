"""What is said of the moves of a game: certain, a guess and how good, needless, or a mistake."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum

from bot.board import Coordinate
from bot.review.played_game import PlayedGame, PlayedMove


class Verdict(str, Enum):
    """What a move was."""

    FIRST = "first"
    """A first click that the rules protect."""
    CERTAIN = "certain"
    FORCED = "forced"
    """A guess, and no other cell was better or worse."""
    BEST = "best"
    """The best guess, or as good as it as far as can be told."""
    WEAKER = "weaker"
    """A guess, and another one would have won more."""
    NEEDLESS = "needless"
    """A guess, though a safe cell was known."""
    MISTAKE = "mistake"
    """It opened a cell that was certainly a mine."""
    FLAG = "flag"
    """It opened nothing."""


GUESSES = (Verdict.FORCED, Verdict.BEST, Verdict.WEAKER, Verdict.NEEDLESS)
"""The verdicts of moves that could lose, mistakes apart."""


class Sure(str, Enum):
    """How the cost of a move was found, and so how sure it is."""

    EXACT = "exact"
    ABOUT = "about"
    """By the learned value of `best`."""
    PLAYED = "played on"
    """By that value where all that is certain has been opened, in layouts that are drawn."""
    ROUGH = "roughly"
    """By the chances to survive alone."""


@dataclass(frozen=True)
class Judged:
    """A move with its verdict."""

    number: int
    """Its place among the moves of the game, from 0."""
    move: PlayedMove
    cell: Coordinate
    """The cell that is judged: of a chord the riskiest of those that it opens."""
    verdict: Verdict
    survival: float
    """The chance that nothing exploded."""
    survived: bool
    cost: float = 0.0
    """What was lost of the chance to win, 0 to 1."""
    sure: Sure = Sure.EXACT
    win: float | None = None
    """The chance to win of the best move; None where it is not known."""
    better: Coordinate | None = None
    """A cell that was better, where there was one."""
    seconds: float = 0.0
    """Time since the move before."""
    error: float = 0.0
    """How far the cost may be off: 95 of 100 such costs are nearer."""

    @property
    def text(self) -> str:
        """One line for people."""
        about = "" if self.sure is Sure.EXACT else "about "
        error = f" ± {100 * self.error:.1f}" if self.error else ""
        cost = f"cost {about}{100 * self.cost:.1f}{error} points of the chance to win"
        safe = f"safe with {100 * self.survival:.1f} %"
        other = "" if self.better is None else f"; row {self.better[0]}, column {self.better[1]} was"
        column = "" if self.survival == 1 else " but where its column is full of mines"
        return {
            Verdict.FIRST: f"the first click is protected{column}",
            Verdict.CERTAIN: "certainly safe",
            Verdict.FLAG: "opens nothing",
            Verdict.FORCED: f"{safe}; no cell was better",
            Verdict.BEST: f"{safe}; the best guess",
            Verdict.WEAKER: f"{safe}{other} better; {cost}",
            Verdict.NEEDLESS: f"{safe}{other} certainly safe; {cost}",
            Verdict.MISTAKE: f"certainly a mine; {cost}",
        }[self.verdict]


@dataclass
class Review:
    """A game with the verdicts of its moves."""

    game: PlayedGame
    judged: list[Judged] = field(default_factory=list)

    def count(self, *verdicts: Verdict) -> int:
        """How many moves have one of these verdicts."""
        return sum(each.verdict in verdicts for each in self.judged)

    @property
    def lost_chance(self) -> float:
        """What weaker and needless guesses and mistakes cost, in games: 1 is a whole game that was won."""
        return sum(each.cost for each in self.judged)

    @property
    def lost_error(self) -> float:
        """How far that may be off, as `Judged.error`: those of the moves, taken for independent."""
        return math.hypot(*(each.error for each in self.judged))

    @property
    def luck(self) -> float:
        """What the guesses won beyond their chances: 1 or 0 for each, less its chance to survive."""
        return sum(each.survived - each.survival for each in self.judged if each.verdict in GUESSES)

    @property
    def seconds_by_verdict(self) -> dict[str, float]:
        """Where the time went: seconds before the moves of each verdict."""
        times: dict[str, float] = {}
        for each in self.judged:
            times[each.verdict.value] = times.get(each.verdict.value, 0.0) + each.seconds
        return times
