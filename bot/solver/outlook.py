"""What opening a cell would teach: the numbers it can show, and the position after each.

A candidate is opened on paper: the fronts that it touches are counted again without it, and with a counter
over its covered neighbours in the place of its number, so that one walk answers for every number.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from bot.solver.analysis import OUT_FRONTS, OUT_LOG, OUT_MINE, OUT_ODDS, OUT_OUTSIDE
from bot.solver.compiled import jit, part
from bot.solver.features import FEATURES, MORE, Candidate, describe
from bot.solver.field import MINES, TOTAL, UNKNOWN, UNKNOWNS, Field
from bot.solver.fronts import arrange, forget, gather
from bot.solver.walk import COUNTER_BITS, FREE, KEY_BITS, bits, walk, walk_back
from bot.solver.workspace import (
    BOX_FRONT,
    BOX_SIZE,
    CELL_BOX,
    CELL_DEGREE,
    CON_CELLS,
    CON_NEED,
    CON_START,
    FRONT_BOX,
    FRONT_CON,
    FRONT_GOOD,
    LAYER,
    ORDER,
    QUEUE,
    Bytes,
    Floats,
    Ints,
    Workspace,
)

NEURONS = 256
"""The most neurons of a hidden layer of the value."""


class Outlook(NamedTuple):
    """What is worked out once for a position, and what the last candidate gave."""

    log_factorial: Floats
    chosen: Bytes
    """The fronts that the candidate touches."""
    last_chosen: Bytes
    """Those that `others` leaves out."""
    others: Floats
    """Ways of the fronts that the candidate does not touch, by their mines."""
    spare: Floats
    weight: Floats
    """For so many mines in the fronts that it touches, what the rest of the board weighs."""
    weight_outside: Floats
    """The same times the mines outside of all fronts."""
    numbers: Ints
    """The length of `others`, -1 before the first candidate; ..."""
    front_best: Floats
    """The lowest and the second lowest chance of a mine in each front."""
    front_second: Floats
    number: Floats
    """The chance of each number, given that the candidate is safe; shape (9,)."""
    safe: Ints
    """For each number, how many cells it makes certainly safe."""
    hidden: Floats
    """Room for the value of a position, shape (2, most neurons of a layer)."""
    follows: Floats
    """For each number, the value of the position after it; shape (9,). `scored` fills it."""
    features: Floats
    """For each number, what the value of the position after it is judged by; shape (9, FEATURES)."""
    more: Floats
    """And what the correction of the score is judged by besides; shape (9, MORE)."""


def new_outlook(cells: int, area: int) -> Outlook:
    """Arrays for a bordered board of `cells` cells, `area` inside the border."""
    return Outlook(
        log_factorial=np.array([math.lgamma(k + 1) for k in range(area + 2)]),
        chosen=np.zeros(cells + 1, np.int8),
        last_chosen=np.zeros(cells + 1, np.int8),
        others=np.zeros(area + 2),
        spare=np.zeros(area + 2),
        weight=np.zeros(area + 2),
        weight_outside=np.zeros(area + 2),
        numbers=np.zeros(4, np.int32),
        front_best=np.zeros(cells + 1),
        front_second=np.zeros(cells + 1),
        number=np.zeros(9),
        safe=np.zeros(9, np.int32),
        hidden=np.zeros((2, NEURONS)),
        follows=np.zeros(9),
        features=np.zeros((9, FEATURES)),
        more=np.zeros((9, MORE)),
    )


@jit
def prepare(look: Outlook, ws: Workspace, out: Floats) -> None:
    """Get ready for the candidates of a position, after `chances`."""
    look.numbers[0] = -1
    for front in range(int(out[OUT_FRONTS])):
        best = 1.0
        second = 1.0
        for at in range(ws.cell[FRONT_BOX, front], ws.cell[FRONT_BOX, front + 1]):
            box = ws.cell[ORDER, at]
            p = ws.box_mines[box] / ws.cell[BOX_SIZE, box]
            if p < best:
                second = best if ws.cell[BOX_SIZE, box] == 1 else p
                best = p
            elif p < second:
                second = p
        look.front_best[front] = best
        look.front_second[front] = second


@part
def combine_others(look: Outlook, ws: Workspace, fronts: int, most: int) -> int:
    """Fill `others` for the fronts that are not `chosen`. Returns its length."""
    same = look.numbers[0] >= 0
    for front in range(fronts):
        if look.chosen[front] != look.last_chosen[front]:
            same = False
            look.last_chosen[front] = look.chosen[front]
    if same:
        return int(look.numbers[0])
    others, spare = look.others, look.spare
    others[0] = 1.0
    length = 1
    for front in range(fronts):
        if look.chosen[front] or not ws.cell[FRONT_GOOD, front]:
            continue
        begin, end = ws.cell[FRONT_BOX, front], ws.cell[FRONT_BOX, front + 1]
        cells = 0
        for at in range(begin, end):
            cells += ws.cell[BOX_SIZE, ws.cell[ORDER, at]]
        shift = KEY_BITS - bits(min(cells, most))
        last = ws.layers[LAYER, end + 2 * front]
        stop = ws.layers[LAYER, end + 2 * front + 1]
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
    look.numbers[0] = length
    return length


@part
def choose_fronts(look: Outlook, field: Field, ws: Workspace, fronts: int, cell: int) -> tuple[int, int]:
    """Mark as `chosen` the fronts that a candidate lies in or beside. Returns how many covered cells are
    around it, and how many cells outside of all fronts become part of one."""
    look.chosen[:fronts] = 0
    beside = 0
    taken = 0
    if ws.cell[CELL_DEGREE, cell] > 0:
        look.chosen[ws.cell[BOX_FRONT, ws.cell[CELL_BOX, cell]]] = 1
    else:
        taken += 1
    for step in field.around:
        other = cell + step
        if field.state[other] != UNKNOWN:
            continue
        beside += 1
        if ws.cell[CELL_DEGREE, other] > 0:
            look.chosen[ws.cell[BOX_FRONT, ws.cell[CELL_BOX, other]]] = 1
        else:
            taken += 1
    return beside, taken


@part
def open_on_paper(
    look: Outlook, field: Field, ws: Workspace, trial: Workspace, fronts: int, cell: int, beside: int
) -> int:
    """Write the chosen fronts into `trial`, without the candidate, and a counter of the mines around it.
    Returns the number of constraints, -1 where a front was too much work."""
    cons = 0
    at = 0
    for front in range(fronts):
        if not look.chosen[front]:
            continue
        if not ws.cell[FRONT_GOOD, front]:
            return -1
        for q in range(ws.cell[FRONT_CON, front], ws.cell[FRONT_CON, front + 1]):
            con = ws.con[QUEUE, q]
            trial.con[CON_START, cons] = at
            trial.con[CON_NEED, cons] = ws.con[CON_NEED, con]
            for k in range(ws.con[CON_START, con], ws.con[CON_START, con + 1]):
                if ws.link[CON_CELLS, k] != cell:
                    trial.link[CON_CELLS, at] = ws.link[CON_CELLS, k]
                    at += 1
            cons += 1
    if beside > 0:
        trial.con[CON_START, cons] = at
        trial.con[CON_NEED, cons] = FREE
        for step in field.around:
            if field.state[cell + step] == UNKNOWN:
                trial.link[CON_CELLS, at] = cell + step
                at += 1
        cons += 1
    trial.con[CON_START, cons] = at
    return cons


@part
def weigh_mines(look: Outlook, length: int, mines: int, outside: int, odds: float, most: int) -> None:
    """Fill `weight` with what 0 to `most` mines in the trial weigh: the other fronts, `length` of `others`,
    and the cells outside take the rest. `weight_outside` has the same times the mines outside."""
    spare, weight, weight_outside = look.spare, look.weight, look.weight_outside
    highest = -1e300
    table = look.log_factorial
    low = max(0, mines - outside)
    high = min(mines, most + length - 1)
    log_odds = math.log(odds)
    for k in range(low, high + 1):
        left = mines - k
        spare[k] = table[outside] - table[left] - table[outside - left] - k * log_odds
        highest = max(highest, spare[k])
    for k in range(low, high + 1):
        spare[k] = math.exp(spare[k] - highest)
    for m in range(most + 1):
        weight[m] = 0.0
        weight_outside[m] = 0.0
        for j in range(length):
            k = m + j
            if k < low or k > high:
                continue
            weight[m] += look.others[j] * spare[k]
            weight_outside[m] += look.others[j] * spare[k] * (mines - k)


@part
def best_of_others(look: Outlook, fronts: int) -> tuple[float, float]:
    """The lowest and the second lowest chance of a mine in the fronts that are not `chosen`."""
    best = 1.0
    second = 1.0
    for front in range(fronts):
        if look.chosen[front]:
            continue
        if look.front_best[front] < best:
            second = min(best, look.front_second[front])
            best = look.front_best[front]
        elif look.front_best[front] < second:
            second = look.front_best[front]
    return best, second


@jit
def look_at(
    look: Outlook, field: Field, ws: Workspace, trial: Workspace, out: Floats, cell: int, limit: int
) -> bool:
    """Work out what opening `cell` would show and teach. Returns False where that is too much work."""
    fronts = int(out[OUT_FRONTS])
    mines = field.numbers[TOTAL] - field.numbers[MINES]
    odds = out[OUT_ODDS]
    beside, taken = choose_fronts(look, field, ws, fronts, cell)
    outside = int(out[OUT_OUTSIDE]) - taken
    cons = open_on_paper(look, field, ws, trial, fronts, cell, beside)
    if cons < 0:
        return False
    boxes = gather(trial, cons)
    pieces = arrange(trial, cons)
    # All pieces are walked as one front: the counter is told apart to the end.
    trial.cell[FRONT_BOX, 1] = trial.cell[FRONT_BOX, pieces]
    trial.cell[FRONT_CON, 1] = trial.cell[FRONT_CON, pieces]
    inside = 0
    for box in range(boxes):
        inside += trial.cell[BOX_SIZE, box]
    most = min(inside, mines)
    end, _ = walk(trial, 0, 0, 0, most, odds, limit)
    if end < 0:
        forget(trial, cons)
        return False
    shift = KEY_BITS - bits(most)
    last = trial.layers[LAYER, boxes]
    stop = trial.layers[LAYER, boxes + 1]

    length = combine_others(look, ws, fronts, mines)
    weigh_mines(look, length, mines, outside, odds, most)
    others_best, others_second = best_of_others(look, fronts)
    before = out[OUT_MINE] if out[OUT_OUTSIDE] > 0 else 1.0
    for front in range(fronts):
        before = min(before, look.front_best[front])
    near = field.near[cell]
    about = Candidate(
        cell,
        ws.cell[CELL_DEGREE, cell] > 0,
        near,
        beside,
        mines,
        field.numbers[UNKNOWNS],
        out[OUT_LOG],
        fronts,
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
        look.number[shown] = 0.0
        look.safe[shown] = 0
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
            if look.weight[m] <= 0.0:
                continue
            trial.reached[s] = 1
            trial.backward[s] = look.weight[m]
            ways += trial.forward[s] * look.weight[m]
            outside_mines += trial.forward[s] * look.weight_outside[m]
        if ways <= 0.0:
            continue
        if boxes > 0 and not walk_back(trial, 0, odds):
            continue
        look.number[shown] = ways
        total += ways
        outside_chance = outside_mines / ways / max(outside, 1)
        look.safe[shown] = describe(
            about, field, ws, trial, shown, outside_chance, look.features[shown], look.more[shown]
        )
    for shown in range(9):
        if look.number[shown] > 0:
            look.number[shown] /= total
            look.features[shown, 4] = -math.log(look.number[shown])
    forget(trial, cons)
    return True
