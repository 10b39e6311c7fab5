"""What opening a cell would teach: the numbers it can show, and the position after each.

A candidate is opened on paper: the components that it touches are counted again without it, and with a
counter over its covered neighbours in the place of its number, so that one walk answers for every number.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from bot.solver.constraints.workspace import (
    BOX_COMPONENT,
    BOX_ORDER,
    BOX_SIZE,
    CELL_BOX,
    CELL_DEGREE,
    COMPONENT_BOX,
    COMPONENT_CON,
    COMPONENT_GOOD,
    CON_CELLS,
    CON_NEED,
    CON_START,
    CONSTRAINT_QUEUE,
    LAYER,
    Bytes,
    Floats,
    Ints,
    Workspace,
)
from bot.solver.deduction.compiled_board import UNKNOWN, CompiledBoard, mines_left
from bot.solver.jit.compiler import jit, part
from bot.solver.probability.combination import Combination, log_factorials
from bot.solver.probability.components import gather_boxes, order_components, release_cells
from bot.solver.probability.dynamic_programme import (
    COUNTER_BITS,
    COUNTER_NEED,
    KEY_BITS,
    bit_width,
    count_backward,
    count_forward,
)
from bot.solver.value.features import Candidate, fill_features
from bot.solver.value.inputs import EXTRA_FEATURES, FEATURES, SURPRISE
from bot.solver.value.network import NEURONS


class Outcomes(NamedTuple):
    """What is worked out once for a position, and what the last candidate gave."""

    log_factorial: Floats
    chosen: Bytes
    """The components that the candidate touches."""
    last_chosen: Bytes
    """Those that `others` leaves out."""
    others: Floats
    """Ways of the components that the candidate does not touch, by their mines."""
    spare: Floats
    weight: Floats
    """For so many mines in the components that it touches, what the rest of the board weighs."""
    weight_outside: Floats
    """The same times the mines outside of all components."""
    others_length: Ints
    """The length of `others`, -1 before the first candidate; shape (1,)."""
    component_best: Floats
    """The lowest and the second lowest chance of a mine in each component."""
    component_second: Floats
    number: Floats
    """The chance of each number, given that the candidate is safe; shape (9,)."""
    safe: Ints
    """For each number, how many cells it makes certainly safe."""
    hidden: Floats
    """Room for the value of a position, shape (2, most neurons of a layer)."""
    follows: Floats
    """For each number, the value of the position after it; shape (9,). `weigh_candidate` fills it."""
    features: Floats
    """For each number, what the value of the position after it is judged by; shape (9, FEATURES)."""
    more: Floats
    """And what the correction of the score is judged by besides; shape (9, EXTRA_FEATURES)."""


def new_outcomes(cells: int, area: int) -> Outcomes:
    """Arrays for a bordered board of `cells` cells, `area` inside the border."""
    return Outcomes(
        log_factorial=log_factorials(area),
        chosen=np.zeros(cells + 1, np.int8),
        last_chosen=np.zeros(cells + 1, np.int8),
        others=np.zeros(area + 2),
        spare=np.zeros(area + 2),
        weight=np.zeros(area + 2),
        weight_outside=np.zeros(area + 2),
        others_length=np.zeros(1, np.int32),
        component_best=np.zeros(cells + 1),
        component_second=np.zeros(cells + 1),
        number=np.zeros(9),
        safe=np.zeros(9, np.int32),
        hidden=np.zeros((2, NEURONS)),
        follows=np.zeros(9),
        features=np.zeros((9, FEATURES)),
        more=np.zeros((9, EXTRA_FEATURES)),
    )


@jit
def prepare_outcomes(outcomes: Outcomes, ws: Workspace, combined: Combination) -> None:
    """Get ready for the candidates of a position, after `mine_chances`."""
    outcomes.others_length[0] = -1
    for component in range(combined.components):
        best = 1.0
        second = 1.0
        for at in range(ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]):
            box = ws.cell[BOX_ORDER, at]
            p = ws.box_mines[box] / ws.cell[BOX_SIZE, box]
            if p < best:
                second = best if ws.cell[BOX_SIZE, box] == 1 else p
                best = p
            elif p < second:
                second = p
        outcomes.component_best[component] = best
        outcomes.component_second[component] = second


@part
def combine_other_components(outcomes: Outcomes, ws: Workspace, components: int, most: int) -> int:
    """Fill `others` for the components that are not `chosen`. Returns its length."""
    same = outcomes.others_length[0] >= 0
    for component in range(components):
        if outcomes.chosen[component] != outcomes.last_chosen[component]:
            same = False
            outcomes.last_chosen[component] = outcomes.chosen[component]
    if same:
        return int(outcomes.others_length[0])
    others, spare = outcomes.others, outcomes.spare
    others[0] = 1.0
    length = 1
    for component in range(components):
        if outcomes.chosen[component] or not ws.cell[COMPONENT_GOOD, component]:
            continue
        begin, end = ws.cell[COMPONENT_BOX, component], ws.cell[COMPONENT_BOX, component + 1]
        cells = 0
        for at in range(begin, end):
            cells += ws.cell[BOX_SIZE, ws.cell[BOX_ORDER, at]]
        shift = KEY_BITS - bit_width(min(cells, most))
        last = ws.layers[LAYER, end + 2 * component]
        stop = ws.layers[LAYER, end + 2 * component + 1]
        fresh = min(length + min(cells, most), most + 1)
        for j in range(fresh):
            spare[j] = 0.0
        top = 0
        largest = 0.0
        for s in range(last, stop):
            m = ws.keys[s] >> shift
            for j in range(min(length, fresh - m)):
                spare[j + m] += others[j] * ws.forward[s]
                largest = max(largest, spare[j + m])
            top = max(top, m)
        length = min(length + top, fresh)
        for j in range(length):
            others[j] = spare[j] / largest
    outcomes.others_length[0] = length
    return length


@part
def choose_components(
    outcomes: Outcomes, field: CompiledBoard, ws: Workspace, components: int, cell: int
) -> tuple[int, int]:
    """Mark as `chosen` the components that a candidate lies in or beside. Returns how many covered cells are
    around it, and how many cells outside of all components become part of one."""
    outcomes.chosen[:components] = 0
    beside = 0
    taken = 0
    if ws.cell[CELL_DEGREE, cell] > 0:
        outcomes.chosen[ws.cell[BOX_COMPONENT, ws.cell[CELL_BOX, cell]]] = 1
    else:
        taken += 1
    for step in field.around:
        other = cell + step
        if field.state[other] != UNKNOWN:
            continue
        beside += 1
        if ws.cell[CELL_DEGREE, other] > 0:
            outcomes.chosen[ws.cell[BOX_COMPONENT, ws.cell[CELL_BOX, other]]] = 1
        else:
            taken += 1
    return beside, taken


@part
def write_trial(
    outcomes: Outcomes,
    field: CompiledBoard,
    ws: Workspace,
    trial: Workspace,
    components: int,
    cell: int,
    beside: int,
) -> int:
    """Write the chosen components into `trial`, without the candidate, and a counter of the mines around it.
    Returns the number of constraints, -1 where a component was too much work."""
    cons = 0
    at = 0
    for component in range(components):
        if not outcomes.chosen[component]:
            continue
        if not ws.cell[COMPONENT_GOOD, component]:
            return -1
        for q in range(ws.cell[COMPONENT_CON, component], ws.cell[COMPONENT_CON, component + 1]):
            con = ws.con[CONSTRAINT_QUEUE, q]
            trial.con[CON_START, cons] = at
            trial.con[CON_NEED, cons] = ws.con[CON_NEED, con]
            for k in range(ws.con[CON_START, con], ws.con[CON_START, con + 1]):
                if ws.link[CON_CELLS, k] != cell:
                    trial.link[CON_CELLS, at] = ws.link[CON_CELLS, k]
                    at += 1
            cons += 1
    if beside > 0:
        trial.con[CON_START, cons] = at
        trial.con[CON_NEED, cons] = COUNTER_NEED
        for step in field.around:
            if field.state[cell + step] == UNKNOWN:
                trial.link[CON_CELLS, at] = cell + step
                at += 1
        cons += 1
    trial.con[CON_START, cons] = at
    return cons


@part
def weigh_mine_counts(
    outcomes: Outcomes, length: int, mines: int, outside: int, odds: float, most: int
) -> None:
    """Fill `weight` with what 0 to `most` mines in the trial weigh: the other components, `length` of
    `others`, and the cells outside take the rest. `weight_outside` has the same times the mines outside."""
    spare, weight, weight_outside = outcomes.spare, outcomes.weight, outcomes.weight_outside
    highest = -1e300
    needed = -1e300  # the highest of those that the other components leave
    fewest = 0
    while fewest < length - 1 and outcomes.others[fewest] <= 0.0:
        fewest += 1
    table = outcomes.log_factorial
    low = max(0, mines - outside)
    high = min(mines, most + length - 1)
    log_odds = math.log(odds)
    for k in range(low, high + 1):
        left = mines - k
        spare[k] = table[outside] - table[left] - table[outside - left] - k * log_odds
        highest = max(highest, spare[k])
        if k >= fewest:
            needed = max(needed, spare[k])
    if needed < highest - 300:
        # On boards of thousands of cells the others can hold so many that what counts would come to nothing.
        low, highest = max(low, fewest), needed
    for k in range(low, high + 1):
        spare[k] = math.exp(spare[k] - highest)
    for m in range(most + 1):
        weight[m] = 0.0
        weight_outside[m] = 0.0
        for j in range(length):
            k = m + j
            if k < low or k > high:
                continue
            weight[m] += outcomes.others[j] * spare[k]
            weight_outside[m] += outcomes.others[j] * spare[k] * (mines - k)


@part
def safest_of_others(outcomes: Outcomes, components: int) -> tuple[float, float]:
    """The lowest and the second lowest chance of a mine in the components that are not `chosen`."""
    best = 1.0
    second = 1.0
    for component in range(components):
        if outcomes.chosen[component]:
            continue
        if outcomes.component_best[component] < best:
            second = min(best, outcomes.component_second[component])
            best = outcomes.component_best[component]
        elif outcomes.component_best[component] < second:
            second = outcomes.component_best[component]
    return best, second


@jit
def work_out_outcomes(
    outcomes: Outcomes,
    field: CompiledBoard,
    ws: Workspace,
    trial: Workspace,
    combined: Combination,
    cell: int,
    limit: int,
) -> bool:
    """Work out what opening `cell` would show and teach. Returns False where that is too much work."""
    components = combined.components
    mines = mines_left(field)
    odds = combined.odds
    beside, taken = choose_components(outcomes, field, ws, components, cell)
    outside = combined.outside - taken
    cons = write_trial(outcomes, field, ws, trial, components, cell, beside)
    if cons < 0:
        return False
    boxes = gather_boxes(trial, cons)
    pieces = order_components(trial, cons)
    # All pieces are walked as one component: the counter is told apart to the end.
    trial.cell[COMPONENT_BOX, 1] = trial.cell[COMPONENT_BOX, pieces]
    trial.cell[COMPONENT_CON, 1] = trial.cell[COMPONENT_CON, pieces]
    inside = 0
    for box in range(boxes):
        inside += trial.cell[BOX_SIZE, box]
    most = min(inside, mines)
    end, _ = count_forward(trial, 0, 0, 0, most, odds, limit)
    if end < 0:
        release_cells(trial, cons)
        return False
    shift = KEY_BITS - bit_width(most)
    last = trial.layers[LAYER, boxes]
    stop = trial.layers[LAYER, boxes + 1]

    length = combine_other_components(outcomes, ws, components, mines)
    weigh_mine_counts(outcomes, length, mines, outside, odds, most)
    others_best, others_second = safest_of_others(outcomes, components)
    before = combined.outside_chance if combined.outside > 0 else 1.0
    for component in range(components):
        before = min(before, outcomes.component_best[component])
    near = field.near[cell]
    about = Candidate(
        cell,
        ws.cell[CELL_DEGREE, cell] > 0,
        near,
        beside,
        mines,
        field.counts.unknown,
        combined.log_solutions,
        components,
        boxes,
        inside,
        outside,
        before,
        others_best,
        others_second,
    )
    total = 0.0
    counter = shift - COUNTER_BITS
    for shown in range(9):
        outcomes.number[shown] = 0.0
        outcomes.safe[shown] = 0
        if shown < near or shown > near + beside:
            continue
        ways = 0.0
        outside_mines = 0.0
        for s in range(last, stop):
            key = trial.keys[s]
            trial.reached[s] = 0
            if beside > 0 and ((key >> counter) & 15) != shown - near:
                continue
            m = key >> shift
            if outcomes.weight[m] <= 0.0:
                continue
            trial.reached[s] = 1
            trial.backward[s] = outcomes.weight[m]
            ways += trial.forward[s] * outcomes.weight[m]
            outside_mines += trial.forward[s] * outcomes.weight_outside[m]
        if ways <= 0.0:
            continue
        if boxes > 0 and not count_backward(trial, 0, odds):
            continue
        outcomes.number[shown] = ways
        total += ways
        outside_chance = outside_mines / ways / max(outside, 1)
        outcomes.safe[shown] = fill_features(
            about, field, ws, trial, shown, outside_chance, outcomes.features[shown], outcomes.more[shown]
        )
    for shown in range(9):
        if outcomes.number[shown] > 0:
            outcomes.number[shown] /= total
            outcomes.features[shown, SURPRISE] = -math.log(outcomes.number[shown])
    release_cells(trial, cons)
    return True
