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
from bot.solver.value import inputs


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
    features: Floats,
    more: Floats,
) -> int:
    """Fill `features`, shape (FEATURES,), and `more`, shape (EXTRA_FEATURES,), for the position after the
    candidate shows a number.

    `trial` holds the components that it touches, walked back for that number; `outside_chance` is that of a
    mine in a cell outside of all components. Returns how many cells become certainly safe.
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
    features[inputs.ANY_SAFE] = safe > 0
    features[inputs.SAFE_CELLS] = min(safe, 10) / 10
    features[inputs.BEST_NEXT] = 1.0 if safe > 0 else 1 - best
    features[inputs.SECOND_NEXT] = 1.0 if safe > 1 else 1 - (best if safe > 0 else second)
    features[inputs.LOG_SOLUTIONS] = about.log_solutions / 100
    features[inputs.UNKNOWN_CELLS] = about.unknowns / 480
    features[inputs.MINE_DENSITY] = about.mines / max(about.unknowns, 1)
    features[inputs.OUTSIDE_CELLS] = outside / 480
    features[inputs.SHOWS_ZERO] = shown == 0
    features[inputs.CERTAIN_MINES] = min(certain, 8) / 8
    features[inputs.AWAY_FROM_NUMBERS] = 0.0 if about.own else 1.0
    features[inputs.COVERED_AROUND] = about.beside / 8
    features[inputs.HIDDEN_MINES] = (shown - about.near) / 8
    features[inputs.HIDDEN_DENSITY] = (shown - about.near) / max(about.beside, 1)
    features[inputs.BEST_BEFORE] = 1 - about.before
    features[inputs.OUTSIDE_CHANCE] = outside_chance
    features[inputs.COMPONENTS] = min(about.components, 10) / 10
    features[inputs.INSIDE_CELLS] = about.inside / 30
    features[inputs.SPREAD] = spread / 5
    features[inputs.BEST_ELSEWHERE] = 1 - about.others_best
    features[inputs.MINES_LEFT] = (about.mines - about.near) / 99
    features[inputs.ZEROS] = min(zeros, 4.0)
    features[inputs.BEST_ZERO] = zero_best
    features[inputs.REACHED_CELLS] = min(reach, 40) / 20
    features[inputs.NEARLY_EVEN] = coins / 10
    features[inputs.NEARLY_SAFE] = min(calm, 10) / 5
    features[inputs.THIRD_NEXT] = 1 - min(third, 1.0)
    # A certain cell whose number is known beforehand leads nowhere: then the next guess is the one that
    # comes after it.
    more[inputs.INFORMATION] = min(told, 8.0) / 4
    more[inputs.MOST_INFORMATION] = told_most
    more[inputs.TELLING_CELLS] = min(telling, 10) / 5
    more[inputs.BEST_GUESS] = 1 - best
    more[inputs.SECOND_GUESS] = 1 - second
    more[inputs.NOTHING_TOLD] = 1.0 if safe > 0 and telling == 0 else 0.0
    more[inputs.BEST_AFTER_NOTHING] = 1 - best if telling == 0 else 1.0
    return safe
