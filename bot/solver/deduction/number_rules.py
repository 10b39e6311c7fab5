"""The compiled part of the deduction: flat arrays in, flat arrays out.

Cells are numbered row by row over a board with a border of one cell on every side, `stride = columns + 2`
cells a row, so that the eight neighbours of every cell exist. Every function runs uncompiled just as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.solver.constraints.workspace import Bytes, Ints
from bot.solver.deduction.compiled_board import (
    EXPLODED_CODE,
    MINE,
    MINE_CODE,
    SAFE,
    UNKNOWN,
    WRONG_FLAG_CODE,
)
from bot.solver.jit.compiler import jit

RUNG_SINGLE, RUNG_PAIR, RUNG_TOTAL, RUNG_CONTRADICTION = 1, 2, 4, 8
"""The rungs of the ladder as bits, from the easiest to the hardest. SINGLE is always climbed."""

NO_CONTRADICTION, TOTAL_WRONG = -1, -2
"""What stands for the cell that cannot be: there is none; or it is the total that cannot be."""

_QUEUE, _TRAIL = 0, 1


class World(NamedTuple):
    """What is known, or supposed, of a board. The arrays have an entry a cell of the bordered board."""

    state: Bytes
    shown: Bytes
    """The number that an opened cell shows, -1 elsewhere."""
    missing: Bytes
    """For each number, the mines still to be found around it; -1 elsewhere."""
    unknown: Bytes
    """For each number, the neighbours of which nothing is known."""
    around: Ints
    """The eight steps from a cell to its neighbours."""
    queue: Ints
    """The numbers that settle all their unknown neighbours and still have to do it."""
    queued: Bytes
    """1 for each number in the queue."""
    trail: Ints
    """The settled cells in order, so that a supposed world costs only what it touches, and can be undone."""
    ends: Ints
    """How many cells are in the queue and on the trail."""


@jit
def settle_in_world(cell: int, value: int, world: World) -> int:
    """Make an unknown cell a mine or safe. Returns a number that cannot be
    from now on, or NO_CONTRADICTION."""
    wrong = NO_CONTRADICTION
    world.state[cell] = value
    world.trail[world.ends[_TRAIL]] = cell
    world.ends[_TRAIL] += 1
    for step in world.around:
        number = cell + step
        if world.shown[number] < 0:
            continue
        world.unknown[number] -= 1
        if value == MINE:
            world.missing[number] -= 1
        missing, unknown = world.missing[number], world.unknown[number]
        if missing < 0 or missing > unknown:
            wrong = number
        elif unknown > 0 and (missing == 0 or missing == unknown) and world.queued[number] == 0:
            world.queued[number] = 1
            world.queue[world.ends[_QUEUE]] = number
            world.ends[_QUEUE] += 1
    return wrong


@jit
def propagate(wrong: int, world: World) -> int:
    """Apply the rules for one number until the queue is empty, or until a number cannot be.

    `wrong` is what `settle_in_world` said before; where that is a number, the queue is only emptied. Returns
    the number that cannot be, or NO_CONTRADICTION.
    """
    while world.ends[_QUEUE] > 0:
        world.ends[_QUEUE] -= 1
        number = world.queue[world.ends[_QUEUE]]
        world.queued[number] = 0
        if wrong != NO_CONTRADICTION or world.unknown[number] == 0:
            continue
        value = SAFE if world.missing[number] == 0 else MINE
        for step in world.around:
            if world.state[number + step] == UNKNOWN:
                now = settle_in_world(number + step, value, world)
                if now != NO_CONTRADICTION:
                    wrong = now
    return wrong


@jit
def suppose(cell: int, value: int, world: World, possible: Bytes) -> bool:
    """Whether a cell can be a mine, or safe, as far as the rules for one number see; changes nothing.

    All that follows in a world without a contradiction has just been shown to be without one as well, and
    is noted in `possible` (a bit for each value of each cell), so that nobody supposes it again.
    """
    before = world.ends[_TRAIL]
    fine = propagate(settle_in_world(cell, value, world), world) == NO_CONTRADICTION
    while world.ends[_TRAIL] > before:
        world.ends[_TRAIL] -= 1
        undone = world.trail[world.ends[_TRAIL]]
        was = world.state[undone]
        if fine:
            possible[undone] |= was
        world.state[undone] = UNKNOWN
        for step in world.around:
            number = undone + step
            if world.shown[number] >= 0:
                world.unknown[number] += 1
                if was == MINE:
                    world.missing[number] += 1
    return fine


@jit
def apply_pair_rule(a: int, b: int, stride: int, world: World) -> int:
    """The pair rule for two numbers: where A misses more mines than B by as many as it has unknown cells
    that B does not touch, those are all mines, and B's unknown cells that A does not touch are all safe.

    It is endoh1's rules 1 to 4 in one (IOCCC 2020). Returns a number that cannot be from
    now on, or NO_CONTRADICTION.
    """
    own = 0
    for step in world.around:
        if world.state[a + step] == UNKNOWN and not _touches(a + step, b, stride):
            own += 1
    wrong = NO_CONTRADICTION
    if world.missing[a] - world.missing[b] != own:
        return wrong
    for step in world.around:
        if world.state[a + step] == UNKNOWN and not _touches(a + step, b, stride):
            now = settle_in_world(a + step, MINE, world)
            if now != NO_CONTRADICTION:
                wrong = now
    for step in world.around:
        if world.state[b + step] == UNKNOWN and not _touches(b + step, a, stride):
            now = settle_in_world(b + step, SAFE, world)
            if now != NO_CONTRADICTION:
                wrong = now
    return wrong


@jit
def _touches(cell: int, other: int, stride: int) -> bool:
    """Whether a cell of the board is another one or beside it. The border keeps the row ends apart."""
    away = abs(cell - other)
    return away <= 1 or abs(away - stride) <= 1


@jit
def climb_ladder(codes: Bytes, total: int, rungs: int) -> tuple[int, Bytes, Bytes, Bytes, Bytes]:
    """Settle all that the rungs can settle; whenever one found something, the easier ones come first again.

    `codes` are the codes of `bot.board.Cell`, shape (rows, columns); covered, flagged, marked and unread
    cells are unknown alike. `total` is the number of mines, or -1 where it is unknown; `rungs` is the sum
    of the rungs to climb.

    Returns the number that cannot be (or TOTAL_WRONG, or NO_CONTRADICTION) and four arrays of the bordered
    board: the `state`; the hardest rung that was needed to settle a cell (0 where it was not settled here);
    and `missing` and `unknown`, as in `World`.
    """
    rows, columns = codes.shape
    stride = columns + 2
    size = (rows + 2) * stride
    rung = np.zeros(size, np.int8)
    possible = np.zeros(size, np.int8)
    world = World(
        state=np.full(size, SAFE, np.int8),
        shown=np.full(size, -1, np.int8),
        missing=np.full(size, -1, np.int8),
        unknown=np.zeros(size, np.int8),
        around=np.array(
            [-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1], dtype=np.int32
        ),
        queue=np.empty(size, np.int32),
        queued=np.zeros(size, np.int8),
        trail=np.empty(size, np.int32),
        ends=np.zeros(2, np.int32),
    )
    for row in range(rows):
        for column in range(columns):
            cell = (row + 1) * stride + column + 1
            code = codes[row, column]
            if code <= 8:
                world.shown[cell] = code
            elif code in (MINE_CODE, EXPLODED_CODE):
                world.state[cell] = MINE
            elif code != WRONG_FLAG_CODE:
                world.state[cell] = UNKNOWN
    wrong = NO_CONTRADICTION
    for cell in range(size):
        if world.shown[cell] < 0:
            continue
        missing, unknown = world.shown[cell], 0
        for step in world.around:
            if world.state[cell + step] == UNKNOWN:
                unknown += 1
            elif world.state[cell + step] == MINE:
                missing -= 1
        world.missing[cell], world.unknown[cell] = missing, unknown
        if missing < 0 or missing > unknown:
            wrong = cell
        elif unknown > 0 and (missing == 0 or missing == unknown):
            world.queued[cell] = 1
            world.queue[world.ends[_QUEUE]] = cell
            world.ends[_QUEUE] += 1

    hardest = RUNG_SINGLE
    labelled = 0
    while True:
        wrong = propagate(wrong, world)
        # All that the easier rungs could settle was settled before a harder one was climbed: so whatever
        # came after it did need it, also where a single number said the last word.
        while labelled < world.ends[_TRAIL]:
            rung[world.trail[labelled]] = hardest
            labelled += 1
        if wrong != NO_CONTRADICTION:
            break

        if rungs & RUNG_PAIR:
            for a in range(size):
                if world.missing[a] < 0:
                    continue
                for down in range(-2, 3):
                    for right in range(-2, 3):
                        b = a + down * stride + right
                        # Two columns on may be beyond the border, that is, in another row.
                        if b == a or b < 0 or b >= size or not 1 <= a % stride + right <= columns:
                            continue
                        if world.unknown[a] > 0 and world.unknown[b] > 0 and wrong == NO_CONTRADICTION:
                            wrong = apply_pair_rule(a, b, stride, world)
            if world.ends[_TRAIL] > labelled:
                hardest = max(hardest, RUNG_PAIR)
                continue

        if rungs & RUNG_TOTAL and total >= 0:
            left, covered = total, 0
            for cell in range(size):
                if world.state[cell] == MINE:
                    left -= 1
                elif world.state[cell] == UNKNOWN:
                    covered += 1
            if left < 0 or left > covered:
                wrong = TOTAL_WRONG
                break
            if covered > 0 and (left == 0 or left == covered):
                for cell in range(size):
                    if world.state[cell] == UNKNOWN:
                        now = settle_in_world(cell, SAFE if left == 0 else MINE, world)
                        if now != NO_CONTRADICTION:
                            wrong = now
                hardest = max(hardest, RUNG_TOTAL)
                continue

        if rungs & RUNG_CONTRADICTION:
            possible[:] = 0
            for cell in range(size):
                if world.state[cell] != UNKNOWN or wrong != NO_CONTRADICTION:
                    continue
                beside = False
                for step in world.around:
                    if world.shown[cell + step] >= 0:
                        beside = True
                if not beside:
                    continue
                if not possible[cell] & MINE and not suppose(cell, MINE, world, possible):
                    wrong = propagate(settle_in_world(cell, SAFE, world), world)
                elif not possible[cell] & SAFE and not suppose(cell, SAFE, world, possible):
                    wrong = propagate(settle_in_world(cell, MINE, world), world)
            if world.ends[_TRAIL] > labelled:
                hardest = RUNG_CONTRADICTION
                continue
        break
    return wrong, world.state, rung, world.missing, world.unknown
