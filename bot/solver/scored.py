"""Guesses by the learned value of what follows, one move deep."""

from __future__ import annotations

import math

import numpy as np

from bot.solver.compiled import part
from bot.solver.field import UNKNOWN
from bot.solver.games import safest
from bot.solver.outlook import look_at, prepare
from bot.solver.player import MARGIN, Player
from bot.solver.workspace import CELL_DEGREE, Floats


@part
def collect(player: Player) -> int:
    """List the cells worth a look: nearly as safe as the safest; of those far from every number, one of a
    kind."""
    field, chance = player.field, player.chance
    lowest = 2.0
    for cell in range(field.state.shape[0]):
        if field.state[cell] == UNKNOWN and chance[cell] < lowest:
            lowest = chance[cell]
    count = 0
    far = np.zeros(100, np.int8)
    for cell in range(field.state.shape[0]):
        if field.state[cell] != UNKNOWN or chance[cell] > lowest + player.settings[MARGIN]:
            continue
        if player.ws.cell[CELL_DEGREE, cell] == 0:
            touches = False
            for step in field.around:
                other = cell + step
                if field.state[other] == UNKNOWN and player.ws.cell[CELL_DEGREE, other] > 0:
                    touches = True
            if not touches:
                kind = field.unknown[cell] * 10 + field.near[cell]
                if far[kind]:
                    continue
                far[kind] = 1
        player.candidates[count] = cell
        count += 1
    return count


@part
def value(net: Floats, x: Floats, hidden: Floats) -> float:
    """The chance to win a position with these features: a small network with two hidden layers.

    The weights lie input by input, so that all neurons of a layer are worked out side by side.
    """
    n = x.shape[0]
    a = int(net[0])
    b = int(net[1])
    first, second = hidden[0], hidden[1]
    at = 2 + n * a
    for i in range(a):
        first[i] = net[at + i]
    at = 2
    for j in range(n):
        of = x[j]
        for i in range(a):
            first[i] += of * net[at + i]
        at += a
    at += a
    for i in range(a):
        first[i] = max(first[i], 0.01 * first[i])
    end = at + a * b
    for i in range(b):
        second[i] = net[end + i]
    for j in range(a):
        of = first[j]
        for i in range(b):
            second[i] += of * net[at + i]
        at += b
    at += b
    answer = net[at + b]
    for i in range(b):
        answer += net[at + i] * max(second[i], 0.01 * second[i])
    return 1 / (1 + math.exp(-answer))


@part
def weigh(player: Player, cell: int) -> tuple[float, bool]:
    """The chance to survive opening a cell times the value of what follows, and whether the cell is dead.

    Expects `prepare`. Fills `look`. The chance is -1 where that is too much work.
    """
    look = player.look
    if not look_at(look, player.field, player.ws, player.trial, player.out, cell, 2000):
        return -1.0, False
    total = 0.0
    most = 0.0
    for shown in range(9):
        if look.number[shown] > 0:
            look.follows[shown] = value(player.net, look.features[shown], look.hidden)
            total += look.number[shown] * look.follows[shown]
            most = max(most, look.number[shown])
    # A dead cell shows one number in every layout: it teaches nothing.
    return total * (1 - player.chance[cell]), most > 1 - 1e-9


@part
def scored(player: Player) -> int:
    """The candidate with the highest chance to survive times the value of what follows."""
    count = collect(player)
    player.candidate_count[0] = count
    prepare(player.look, player.ws, player.out)
    best = -1.0
    choice = -1
    spare = -1
    spare_best = -1.0
    for k in range(count):
        cell = player.candidates[k]
        player.score[k] = 0.0
        if 1 - player.chance[cell] <= best:
            continue
        total, dead = weigh(player, cell)
        if total < 0:
            continue
        if dead:
            if total > spare_best:
                spare, spare_best = cell, total
            continue
        player.score[k] = total
        if total > best:
            best, choice = total, cell
    if choice < 0:
        choice = spare
        best = spare_best
    player.result[2] = best
    if choice < 0:
        choice = safest(player.field, player.chance)
    return choice
