"""What protects the first click of a game, as far as the first clicks of games say."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.board import Cell, FirstClick, Result
from bot.game_line import Ended

MAX_CHANCE = 0.05
"""A rule is believed where the same would be seen by chance with at most this probability."""

DENSITY = 0.12
"""The part of the cells that are mines, where their number is not known."""


@dataclass
class FirstClicks:
    """The first clicks of the games of one window."""

    opened: list[int] = field(default_factory=list)
    """What each opened: codes of `Cell`, MINE for a lost game."""

    @property
    def lost(self) -> int:
        """How many hit a mine."""
        return self.opened.count(int(Cell.MINE))

    def add(self, game: Ended) -> None:
        """Count the first click of a game, where its end tells what that opened."""
        if game.first is None:
            return
        if game.minefield is not None:
            mined = bool(game.minefield.mines[game.first])
            self.opened.append(int(Cell.MINE if mined else game.minefield.counts[game.first]))
        elif game.line.outcome is Result.LOST and game.line.clicks == 1:
            self.opened.append(int(Cell.MINE))

    def rule(self, mines: int | None, cells: int) -> FirstClick:
        """What protects the first click, as far as that is plain; `mines` is their number if it is known."""
        return first_click_rule(self.opened, DENSITY if mines is None else mines / cells)


def first_click_rule(opened: list[int], density: float) -> FirstClick:
    """What protects the first click, as far as that is plain; where it is not, nothing does.

    `opened` are the codes of `Cell` that first clicks opened, MINE for a lost game; `density` is the part of
    the cells that are mines. It takes many games to show that a single cell is not safe by chance, most of
    all with few mines; that its eight neighbours are safe as well is soon too unlikely.
    """
    tries, safe = len(opened), 1 - density
    if not tries or int(Cell.MINE) in opened:
        return FirstClick.ANY
    if not any(opened) and safe ** (8 * tries) < MAX_CHANCE:
        return FirstClick.ZERO
    return FirstClick.SAFE if safe**tries < MAX_CHANCE else FirstClick.ANY
