"""The settings of a player: where each lies in `Player.settings`, and their names."""

from __future__ import annotations

LAYER_STATES = 0
"""Most states of a layer of the dynamic programme."""
SOLUTIONS = 1
"""Most solutions of a board that is searched to the end."""
NODE_BUDGET = 2
"""Most sets of solutions that an exact search looks at."""
GROUP_SOLUTIONS = 3
"""Most solutions of an isolated group of components that is searched to the end."""
MARGIN = 4
"""How much more likely a mine may be in a candidate than in the safest cell."""
POLICY = 5
"""SAFEST or BEST_SCORE."""
EXPLORE = 6
"""How often self-play explores; 0 for never."""
LAYOUTS = 7
"""Most solutions of a board that is looked ahead in with all of them written out."""
LAYOUT_WORK = 8
"""The work of that look ahead, at most: rows times columns that are counted."""
ROLLS = 9
"""Games that are played on from the best cells of one guess."""
ROLL_MARGIN = 10
"""How far behind the best the score of such a cell may be."""
ROLL_PRIOR = 11
"""As how many such games the score counts."""
HURRY = 12
"""1 where the answer is wanted now."""
CONTROL = 13
"""1 where the luck is taken out of the result of a game (control_variate.py)."""
FIFTY_FIFTY = 14
"""How much of what a fifty-fifty would cost later is counted for a cell that may lie in one."""
LEAST_WALLS = 15
"""How unlikely walls (fifty_fifties.py) are not looked at."""
CORRECT = 16
"""1 where scores are corrected (score_correction.py)."""

SAFEST, BEST_SCORE = range(2)
"""Policies: the safest cell; that of the highest score."""

SETTINGS: dict[str, int] = {
    "LAYER_STATES": LAYER_STATES,
    "SOLUTIONS": SOLUTIONS,
    "NODE_BUDGET": NODE_BUDGET,
    "GROUP_SOLUTIONS": GROUP_SOLUTIONS,
    "MARGIN": MARGIN,
    "POLICY": POLICY,
    "EXPLORE": EXPLORE,
    "LAYOUTS": LAYOUTS,
    "LAYOUT_WORK": LAYOUT_WORK,
    "ROLLS": ROLLS,
    "ROLL_MARGIN": ROLL_MARGIN,
    "ROLL_PRIOR": ROLL_PRIOR,
    "HURRY": HURRY,
    "CONTROL": CONTROL,
    "FIFTY_FIFTY": FIFTY_FIFTY,
    "LEAST_WALLS": LEAST_WALLS,
    "CORRECT": CORRECT,
}
"""All settings by name."""
