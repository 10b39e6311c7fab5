"""The settings of a player."""

from __future__ import annotations

from bot.solver.jit.records import Record

SAFEST, BEST_SCORE = range(2)
"""Policies: the safest cell; that of the highest score."""


class Settings(Record):
    """By what a player chooses its guesses."""

    layer_states: int
    """Most states of a layer of the dynamic programme."""
    solutions: int
    """Most solutions of a board that is searched to the end."""
    node_budget: int
    """Most sets of solutions that an exact search looks at."""
    group_solutions: int
    """Most solutions of an isolated group of components that is searched to the end."""
    margin: float
    """How much more likely a mine may be in a candidate than in the safest cell."""
    policy: int
    """SAFEST or BEST_SCORE."""
    explore: float
    """How often self-play explores; 0 for never."""
    layouts: int
    """Most solutions of a board that is looked ahead in with all of them written out."""
    layout_work: int
    """The work of that look ahead, at most: rows times columns that are counted."""
    rolls: int
    """Games that are played on from the best cells of one guess."""
    roll_margin: float
    """How far behind the best the score of such a cell may be."""
    roll_prior: float
    """As how many such games the score counts."""
    hurry: int
    """1 where the answer is wanted now."""
    control: int
    """1 where the luck is taken out of the result of a game (control_variate.py)."""
    fifty_fifty: float
    """How much of what a fifty-fifty would cost later is counted for a cell that may lie in one."""
    least_walls: float
    """How unlikely walls (fifty_fifties.py) are not looked at."""
    correct: int
    """1 where scores are corrected (score_correction.py)."""


SETTINGS: tuple[str, ...] = tuple(Settings.__annotations__)
"""All settings by name."""
