"""What the two networks are told, by name: where each number lies in the row of their inputs.

The weights in value.npy and correction.npy are fitted to this order: whoever changes it fits them again
(training). features.py fills FEATURES and EXTRA_FEATURES, score_correction.py the rest; most numbers are
scaled to be about 1.
"""

from __future__ import annotations

# What the learned value of a position (value.npy) is worked out from.
ANY_SAFE = 0
"""1 if a cell becomes certainly safe."""

SAFE_CELLS = 1
"""How many do: 10 and more are 1."""

BEST_NEXT = 2
"""How safe the safest cell will be (1: certainly)."""

SECOND_NEXT = 3
"""How safe the second safest will be."""

SURPRISE = 4
"""How unlikely the number was that is shown: minus the logarithm of its chance."""

LOG_SOLUTIONS = 5
"""The natural logarithm of the number of solutions before the guess, in hundreds."""

UNKNOWN_CELLS = 6
"""The covered cells before the guess, as a part of Expert's 480."""

MINE_DENSITY = 7
"""The mines that are left, for each of those cells."""

OUTSIDE_CELLS = 8
"""The cells that will lie beside no number, as a part of 480."""

SHOWS_ZERO = 9
"""1 if the number is 0."""

CERTAIN_MINES = 10
"""The cells that become certain mines: 8 and more are 1."""

AWAY_FROM_NUMBERS = 11
"""1 if the guessed cell lies beside no number."""

COVERED_AROUND = 12
"""The covered cells around it, of 8."""

HIDDEN_MINES = 13
"""The mines among them, of 8."""

HIDDEN_DENSITY = 14
"""The mines among them, for each of them."""

BEST_BEFORE = 15
"""How safe the safest cell was before the guess."""

OUTSIDE_CHANCE = 16
"""The chance of a mine in a cell beside no number."""

COMPONENTS = 17
"""The components before the guess: 10 and more are 1."""

INSIDE_CELLS = 18
"""The cells of the components that the guess touches, in thirties."""

SPREAD = 19
"""How uncertain those are: the sum of the variances of their mines, in fives."""

BEST_ELSEWHERE = 20
"""How safe the safest cell of the other components is."""

MINES_LEFT = 21
"""The mines that are left, without the known ones around the guess, as a part of Expert's 99."""

ZEROS = 22
"""How many zeros the certainly safe cells are expected to open, at most 4."""

BEST_ZERO = 23
"""The highest chance of a zero among them."""

REACHED_CELLS = 24
"""The covered cells around them, in twenties; those beside several count again, at most 40."""

NEARLY_EVEN = 25
"""The cells whose chance of a mine is 0.4 to 0.6, in tens."""

NEARLY_SAFE = 26
"""The cells whose chance of a mine is below 0.1, in fives, at most 10."""

THIRD_NEXT = 27
"""How safe the third safest cell will be."""

FEATURES = 28
"""Their number."""

# What is told besides, for the correction of a score (score_correction.py).
INFORMATION = 0
"""How much the certainly safe cells will tell: the sum of the variances of their numbers, at most 8, in
fours."""

MOST_INFORMATION = 1
"""The highest of those variances."""

TELLING_CELLS = 2
"""The certainly safe cells whose number is not known beforehand, in fives, at most 10."""

BEST_GUESS = 3
"""How safe the safest cell will be that is not certain."""

SECOND_GUESS = 4
"""How safe the second safest of those will be."""

NOTHING_TOLD = 5
"""1 if there are certainly safe cells, and the number of each is known beforehand."""

BEST_AFTER_NOTHING = 6
"""BEST_GUESS if no certainly safe cell tells anything: the next guess then follows at once; else 1."""

EXTRA_FEATURES = 7
"""Their number."""

SCORE_TERMS = 5
"""The logarithms that a score is made of (`describe_terms`), after those of features.py."""

TERMS_AT = FEATURES + EXTRA_FEATURES
"""Where they begin."""

# The cells around a candidate, row by row (`describe_surroundings`), after the terms of its score.
AROUND_AT = TERMS_AT + SCORE_TERMS
"""Where they begin."""

AROUND_RADIUS = 3
"""How far they reach in each direction."""

(
    OFF_BOARD,
    IS_UNKNOWN,
    MINE_CHANCE,
    BESIDE_NUMBER,
    MISSING_MINES,
) = range(5)
"""What is told of each: 1 off the board; 1 where it is not known; the chance of a mine there; 1 beside an
opened number; and for an opened cell the mines that are left to find around it, plus 1, or -1 for a known
mine."""

NUMBERS_A_CELL = 5
"""Their number."""

CELLS_AROUND = (2 * AROUND_RADIUS + 1) ** 2

CORRECTION_INPUTS = AROUND_AT + CELLS_AROUND * NUMBERS_A_CELL
"""All that the correction is told."""
