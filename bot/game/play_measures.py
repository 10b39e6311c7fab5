"""What is measured of how a game was played: clicks, their effects, and the indices that players compare.

The definitions are those of the library `ms_toollib`, which the ranking sites' tools share; a test holds the
two to the same figures. ZiNi, a random search, is left to that library.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from bot.board import Action, Coordinate, Move, neighbours
from bot.game.measures import bbbv, islands, openings
from bot.game.minefield import Minefield

STNB_FACTORS = {(8, 8, 10): 36.0, (16, 16, 40): 162.0, (30, 16, 99): 435.0}
"""The factor of STNB for columns, rows and mines: it makes the levels comparable, and has no other size."""


@dataclass(frozen=True)
class MouseFacts:
    """What counts besides the moves on the board."""

    marks: bool = False
    """Whether a flag that is clicked again becomes a question mark; the library knows none."""
    left_beside: int = 0
    """Left clicks that were let go beside the board while the game went on."""
    right_beside: int = 0


NO_MOUSE = MouseFacts()
"""Of a game with nothing but moves."""


@dataclass(frozen=True)
class PlayMeasures:
    """The measures of one game up to its last move."""

    bbbv: int
    """Of the whole minefield."""
    openings: int
    islands: int
    solved: int
    """How much of the 3BV was opened."""
    left: int
    """Clicks that open, those without effect and those beside the board included."""
    right: int
    """Clicks that flag, likewise."""
    chords: int
    effective: int
    """Clicks that had an effect: a cell opened, a mine flagged for the first time, a chord that opened."""
    seconds: float | None
    """From the first click to the end; None where it is unknown."""

    @property
    def clicks(self) -> int:
        """All clicks."""
        return self.left + self.right + self.chords

    def table(self) -> dict[str, float | None]:
        """Each measure by its name; None where it is not known or not defined."""
        t, solved = self.seconds, self.solved
        return {
            "3BV": self.bbbv,
            "openings": self.openings,
            "islands": self.islands,
            "3BV solved": solved,
            "seconds": t,
            "3BV/s": _share(solved, t),
            "clicks": self.clicks,
            "left": self.left,
            "right": self.right,
            "chords": self.chords,
            "effective clicks": self.effective,
            "clicks/s": _share(self.clicks, t),
            "efficiency": _share(self.bbbv, self.clicks) if solved == self.bbbv else None,
            "IOE": _share(solved, self.clicks),
            "corr": _share(self.effective, self.clicks),
            "ThrP": _share(solved, self.effective),
            "RQP": None if t is None else _share(t**2, solved),
        }

    def stnb(self, columns: int, rows: int, mines: int) -> float | None:
        """The index STNB; None for a size that it is not defined for."""
        factor = STNB_FACTORS.get((columns, rows, mines))
        if factor is None or not self.seconds or not self.bbbv:
            return None
        return float(factor * self.solved / self.seconds**1.7 * (self.solved / self.bbbv) ** 0.5)


def _share(one: float, other: float | None) -> float | None:
    return one / other if other else None


def measure_play(
    minefield: Minefield, moves: Iterable[Move], seconds: float | None, mouse: MouseFacts = NO_MOUSE
) -> PlayMeasures:
    """Play the moves on a minefield, openings over eight neighbours, and count what they did."""
    return _Play(minefield, mouse).measured(moves, seconds)


class _Play:
    """A game that is only counted."""

    def __init__(self, minefield: Minefield, mouse: MouseFacts) -> None:
        self._field = minefield
        self._size = minefield.rows, minefield.columns
        self._mine = minefield.mines
        self._count = minefield.counts
        self._open = np.zeros(self._size, dtype=bool)
        self._flags: set[Coordinate] = set()
        self._mouse = mouse
        self._questions: set[Coordinate] = set()
        self._once: set[Coordinate] = set()
        """Mines that were flagged at some time."""
        self._solved = self._effective = 0
        self._lost = False

    def measured(self, moves: Iterable[Move], seconds: float | None) -> PlayMeasures:
        clicks = dict.fromkeys(Action, 0)
        for move in moves:
            if self._lost:
                break
            clicks[move.action] += 1
            if move.action is Action.OPEN:
                self._click(move.cell)
            elif move.action is Action.FLAG:
                self._flag(move.cell)
            elif move.action is Action.CHORD:
                self._chord(move.cell)
        return PlayMeasures(
            bbbv(self._field),
            openings(self._field),
            islands(self._field),
            self._solved,
            clicks[Action.OPEN] + self._mouse.left_beside,
            clicks[Action.FLAG] + self._mouse.right_beside,
            clicks[Action.CHORD],
            self._effective,
            seconds,
        )

    def _around(self, cell: Coordinate) -> list[Coordinate]:
        return list(neighbours(*cell, *self._size))

    def _counts_alone(self, cell: Coordinate) -> bool:
        """Whether a cell is a 3BV of its own: a number that no opening opens."""
        beside_zero = any(not self._mine[near] and self._count[near] == 0 for near in self._around(cell))
        return bool(not self._mine[cell] and self._count[cell] > 0 and not beside_zero)

    def _click(self, cell: Coordinate) -> None:
        if self._open[cell] or cell in self._flags:
            return
        if self._mine[cell]:
            self._lost = True
            return
        self._solved += self._opening_is_whole(cell) if self._count[cell] == 0 else self._counts_alone(cell)
        self._effective += 1
        self._spread(cell)

    def _flag(self, cell: Coordinate) -> None:
        if self._open[cell]:
            return
        if cell in self._flags:
            self._flags.remove(cell)
            if self._mouse.marks:
                self._questions.add(cell)
            return
        if cell in self._questions:
            self._questions.remove(cell)
            return
        self._flags.add(cell)
        if self._mine[cell] and cell not in self._once:
            self._once.add(cell)
            self._effective += 1

    def _chord(self, cell: Coordinate) -> None:
        if not self._open[cell]:
            return
        around = self._around(cell)
        covered = [near for near in around if not self._open[near] and near not in self._flags]
        flags = sum(near in self._flags for near in around)
        if flags != self._count[cell] or not covered:
            return
        self._lost = any(self._mine[near] for near in covered)
        self._effective += 1
        self._solved += sum(self._counts_alone(near) for near in covered)
        for near in covered:
            if self._open[near] or self._mine[near]:
                continue
            if self._count[near] == 0:
                self._solved += self._opening_is_whole(near)
            self._spread(near)

    def _opening(self, cell: Coordinate) -> set[Coordinate]:
        """The zeros of an opening."""
        found, waiting = {cell}, [cell]
        while waiting:
            for near in self._around(waiting.pop()):
                if near not in found and not self._mine[near] and self._count[near] == 0:
                    found.add(near)
                    waiting.append(near)
        return found

    def _opening_is_whole(self, cell: Coordinate) -> bool:
        """Whether it opens now as a whole: a flag on one of its zeros stops it."""
        return self._flags.isdisjoint(self._opening(cell))

    def _spread(self, cell: Coordinate) -> None:
        waiting = [cell]
        self._open[cell] = True
        while waiting:
            here = waiting.pop()
            if self._count[here]:
                continue
            for near in self._around(here):
                if not self._open[near] and near not in self._flags:
                    self._open[near] = True
                    waiting.append(near)
