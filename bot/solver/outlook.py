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
from bot.solver.field import MINES, TOTAL, UNKNOWN, UNKNOWNS, Field
from bot.solver.fronts import (
    CAN_MINE,
    CAN_SAFE,
    COUNTER_BITS,
    FREE,
    KEY_BITS,
    arrange,
    bits,
    forget,
    gather,
    walk,
    walk_back,
)
from bot.solver.workspace import (
    BOX_CAN,
    BOX_CELL,
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

FEATURES = 28
"""What the learned value of a position (value.npy) is worked out from."""

MORE = 7
"""What is told of it besides, for the correction of a score (correction.py)."""

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


@jit
def look_at(
    look: Outlook, field: Field, ws: Workspace, trial: Workspace, out: Floats, cell: int, limit: int
) -> bool:
    """Work out what opening `cell` would show and teach. Returns False where that is too much work."""
    fronts = int(out[OUT_FRONTS])
    mines = field.numbers[TOTAL] - field.numbers[MINES]
    odds = out[OUT_ODDS]
    outside = int(out[OUT_OUTSIDE])
    for front in range(fronts):
        look.chosen[front] = 0
    own = ws.cell[CELL_DEGREE, cell] > 0
    if own:
        look.chosen[ws.cell[BOX_FRONT, ws.cell[CELL_BOX, cell]]] = 1
    else:
        outside -= 1
    beside = 0
    for step in field.around:
        other = cell + step
        if field.state[other] != UNKNOWN:
            continue
        beside += 1
        if ws.cell[CELL_DEGREE, other] > 0:
            look.chosen[ws.cell[BOX_FRONT, ws.cell[CELL_BOX, other]]] = 1
        else:
            outside -= 1
    cons = 0
    at = 0
    for front in range(fronts):
        if not look.chosen[front]:
            continue
        if not ws.cell[FRONT_GOOD, front]:
            return False
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

    # What m mines in the trial weigh: the other fronts and the cells outside take the rest.
    length = combine_others(look, ws, fronts, mines)
    weight = np.zeros(most + 1)
    weight_outside = np.zeros(most + 1)
    spare = look.spare
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
        for j in range(length):
            k = m + j
            if k < low or k > high:
                continue
            weight[m] += look.others[j] * spare[k]
            weight_outside[m] += look.others[j] * spare[k] * (mines - k)

    others_best = 1.0
    others_second = 1.0
    for front in range(fronts):
        if look.chosen[front]:
            continue
        if look.front_best[front] < others_best:
            others_second = min(others_best, look.front_second[front])
            others_best = look.front_best[front]
        elif look.front_best[front] < others_second:
            others_second = look.front_best[front]
    before = out[OUT_MINE] if out[OUT_OUTSIDE] > 0 else 1.0
    for front in range(fronts):
        before = min(before, look.front_best[front])

    total = 0.0
    near = field.near[cell]
    counter = shift - COUNTER_BITS
    unknowns = field.numbers[UNKNOWNS]
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
            if weight[m] <= 0.0:
                continue
            trial.reached[s] = 1
            trial.backward[s] = weight[m]
            ways += trial.forward[s] * weight[m]
            outside_mines += trial.forward[s] * weight_outside[m]
        if ways <= 0.0:
            continue
        if boxes > 0 and not walk_back(trial, 0, odds):
            continue
        look.number[shown] = ways
        total += ways
        best = others_best
        second = others_second
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
        outside_chance = outside_mines / ways / max(outside, 1)
        for box in range(boxes):
            size = trial.cell[BOX_SIZE, box]
            can = trial.cell[BOX_CAN, box]
            if can == CAN_SAFE:
                safe += size
                # How likely its cells open a zero, how many covered cells they will tell about, and how much:
                # the variance of their number, as if its mines were independent.
                member = trial.cell[BOX_CELL, box]
                zero = 1.0 if field.near[member] == 0 else 0.0
                variance = 0.0
                for step in field.around:
                    other = member + step
                    if field.state[other] != UNKNOWN or other == cell:
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
                    reach += 1
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
            p = outside_mines / ways / outside
            if p < best:
                second = best if outside == 1 else p
                best = p
            elif p < second:
                second = p
        look.safe[shown] = safe
        f = look.features[shown]
        f[0] = safe > 0
        f[1] = min(safe, 10) / 10
        f[2] = 1.0 if safe > 0 else 1 - best
        f[3] = 1.0 if safe > 1 else 1 - (best if safe > 0 else second)
        f[5] = out[OUT_LOG] / 100
        f[6] = unknowns / 480
        f[7] = mines / max(unknowns, 1)
        f[8] = outside / 480
        f[9] = shown == 0
        f[10] = min(certain, 8) / 8
        f[11] = 0.0 if own else 1.0
        f[12] = beside / 8
        f[13] = (shown - near) / 8
        f[14] = (shown - near) / max(beside, 1)
        f[15] = 1 - before
        f[16] = outside_chance
        f[17] = min(fronts, 10) / 10
        f[18] = inside / 30
        f[19] = spread / 5
        f[20] = 1 - others_best
        f[21] = (mines - near) / 99
        f[22] = min(zeros, 4.0)
        f[23] = zero_best
        f[24] = min(reach, 40) / 20
        f[25] = coins / 10
        f[26] = min(calm, 10) / 5
        f[27] = 1 - min(third, 1.0)
        # A certain cell whose number is known beforehand leads nowhere: then the next guess is the one that
        # comes after it.
        m = look.more[shown]
        m[0] = min(told, 8.0) / 4
        m[1] = told_most
        m[2] = min(telling, 10) / 5
        m[3] = 1 - best
        m[4] = 1 - second
        m[5] = 1.0 if safe > 0 and telling == 0 else 0.0
        m[6] = 1 - best if telling == 0 else 1.0
    for shown in range(9):
        if look.number[shown] > 0:
            look.number[shown] /= total
            look.features[shown, 4] = -math.log(look.number[shown])
    forget(trial, cons)
    return True
