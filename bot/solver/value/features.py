"""What a position looks like after a guess: the numbers that its value and the correction of a score are
worked out from."""

from __future__ import annotations

from typing import NamedTuple

from bot.solver.constraints.workspace import (
    BOX_CAN,
    BOX_CELL,
    BOX_SIZE,
    CELL_BOX,
    CELL_DEGREE,
    Floats,
    Workspace,
)
from bot.solver.deduction.compiled_board import UNKNOWN, CompiledBoard
from bot.solver.jit.compiler import part
from bot.solver.probability.dynamic_programme import CAN_MINE, CAN_SAFE

FEATURES = 28
"""What the learned value of a position (value.npy) is worked out from."""

BEST_NEXT, SECOND_NEXT, SURPRISE = 2, 3, 4
"""Of them: how safe the safest cell will be, and the next one; how unlikely the number that was shown."""

EXTRA_FEATURES = 7
"""What is told of it besides, for the correction of a score (score_correction.py)."""


class Candidate(NamedTuple):
    """What all the positions after one candidate share."""

    cell: int
    own: bool
    """Whether it lies beside a number."""
    near: int
    """The known mines around it."""
    beside: int
    """The covered cells around it."""
    mines: int
    """Those that are left on the board."""
    unknowns: int
    log_solutions: float
    components: int
    boxes: int
    """Those of the components that it touches, and the cells in them: ..."""
    inside: int
    outside: int
    """... and the cells that will lie in no component."""
    before: float
    """The lowest chance of a mine before the guess, ..."""
    others_best: float
    """... and the lowest and the second lowest in the components that it does not touch."""
    others_second: float


@part
def safe_cell_information(
    about: Candidate, field: CompiledBoard, ws: Workspace, trial: Workspace, box: int, outside_chance: float
) -> tuple[float, float, int]:
    """What a cell of a box of certainly safe ones will tell: how likely it opens a zero, how uncertain its
    number is (the variance, as if the mines around it were independent), and about how many covered cells."""
    cell = trial.cell[BOX_CELL, box]
    zero = 1.0 if field.near[cell] == 0 else 0.0
    variance = 0.0
    covered = 0
    for step in field.around:
        other = cell + step
        if field.state[other] != UNKNOWN or other == about.cell:
            continue
        if trial.cell[CELL_DEGREE, other] > 0:
            near_box = trial.cell[CELL_BOX, other]
            if trial.cell[BOX_CAN, near_box] == CAN_SAFE:
                continue
            p = trial.box_mines[near_box] / trial.cell[BOX_SIZE, near_box]
        elif ws.cell[CELL_DEGREE, other] > 0:
            near_box = ws.cell[CELL_BOX, other]
            p = ws.box_mines[near_box] / ws.cell[BOX_SIZE, near_box]
        else:
            p = outside_chance
        zero *= 1 - p
        variance += p * (1 - p)
        covered += 1
    return zero, variance, covered


@part
def fill_features(
    about: Candidate,
    field: CompiledBoard,
    ws: Workspace,
    trial: Workspace,
    shown: int,
    outside_chance: float,
    f: Floats,
    m: Floats,
) -> int:
    """Fill `f`, shape (FEATURES,), and `m`, shape (EXTRA_FEATURES,), for the position after the candidate
    shows a number. `trial` holds the components that it touches, walked back for that number;
    `outside_chance` is that of a mine in a cell outside of all components. Returns how many cells become
    certainly safe.
    """
    outside = about.outside
    best = about.others_best
    second = about.others_second
    safe = 0
    certain = 0
    spread = 0.0
    coins = 0
    calm = 0
    third = 1.0
    zeros = 0.0
    zero_best = 0.0
    reach = 0
    telling = 0
    told = 0.0
    told_most = 0.0
    for box in range(about.boxes):
        size = trial.cell[BOX_SIZE, box]
        can = trial.cell[BOX_CAN, box]
        if can == CAN_SAFE:
            safe += size
            zero, variance, told_about = safe_cell_information(about, field, ws, trial, box, outside_chance)
            reach += told_about
            told += size * variance
            told_most = max(told_most, variance)
            if variance > 0.01:
                telling += size
            zeros += size * zero
            zero_best = max(zero_best, zero)
            continue
        if can == CAN_MINE:
            certain += size
            continue
        p = trial.box_mines[box] / size
        spread += size * p * (1 - p)
        if p > 0.4 and p < 0.6:
            coins += size
        if p < 0.1:
            calm += size
        if p < best:
            third = second
            second = best if size == 1 else p
            best = p
        elif p < second:
            third = second
            second = p
        elif p < third:
            third = p
    if outside > 0:
        if outside_chance < best:
            second = best if outside == 1 else outside_chance
            best = outside_chance
        elif outside_chance < second:
            second = outside_chance
    f[0] = safe > 0
    f[1] = min(safe, 10) / 10
    f[BEST_NEXT] = 1.0 if safe > 0 else 1 - best
    f[SECOND_NEXT] = 1.0 if safe > 1 else 1 - (best if safe > 0 else second)
    f[5] = about.log_solutions / 100
    f[6] = about.unknowns / 480
    f[7] = about.mines / max(about.unknowns, 1)
    f[8] = outside / 480
    f[9] = shown == 0
    f[10] = min(certain, 8) / 8
    f[11] = 0.0 if about.own else 1.0
    f[12] = about.beside / 8
    f[13] = (shown - about.near) / 8
    f[14] = (shown - about.near) / max(about.beside, 1)
    f[15] = 1 - about.before
    f[16] = outside_chance
    f[17] = min(about.components, 10) / 10
    f[18] = about.inside / 30
    f[19] = spread / 5
    f[20] = 1 - about.others_best
    f[21] = (about.mines - about.near) / 99
    f[22] = min(zeros, 4.0)
    f[23] = zero_best
    f[24] = min(reach, 40) / 20
    f[25] = coins / 10
    f[26] = min(calm, 10) / 5
    f[27] = 1 - min(third, 1.0)
    # A certain cell whose number is known beforehand leads nowhere: then the next guess is the one that
    # comes after it.
    m[0] = min(told, 8.0) / 4
    m[1] = told_most
    m[2] = min(telling, 10) / 5
    m[3] = 1 - best
    m[4] = 1 - second
    m[5] = 1.0 if safe > 0 and telling == 0 else 0.0
    m[6] = 1 - best if telling == 0 else 1.0
    return safe


AROUND_RADIUS, NUMBERS_A_CELL, SCORE_TERMS = 3, 5, 5

CELLS_AROUND = (2 * AROUND_RADIUS + 1) ** 2

CORRECTION_INPUTS = FEATURES + EXTRA_FEATURES + SCORE_TERMS + CELLS_AROUND * NUMBERS_A_CELL
"""What a correction is told from: how far around a candidate, so many numbers of each cell there, and the
terms of the score; so many numbers in all."""

TERMS_AT = FEATURES + EXTRA_FEATURES
"""Where `seen` holds the logarithms that the score is made of: ..."""

AROUND_AT = TERMS_AT + SCORE_TERMS
"""and the cells around, each with NUMBERS_A_CELL numbers."""
