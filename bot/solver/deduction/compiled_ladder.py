"""The rungs of the ladder, compiled: what follows by two numbers, by the total and by contradiction.

What follows by a single number is in `compiled_board.py`, whose board these work on. Every function runs
uncompiled just as well.
"""

from __future__ import annotations

import numpy as np

from bot.solver.constraints.workspace import Bytes
from bot.solver.deduction.compiled_board import (
    MINE,
    SAFE,
    UNKNOWN,
    CompiledBoard,
    apply_number_rules,
    load_codes,
    mines_left,
    settle_cell,
    undo_settled,
)
from bot.solver.jit.compiler import jit

RUNG_SINGLE, RUNG_PAIR, RUNG_TOTAL, RUNG_CONTRADICTION = 1, 2, 4, 8
"""The rungs of the ladder as bits, from the easiest to the hardest. SINGLE is always climbed."""

NO_CONTRADICTION, TOTAL_WRONG = -1, -2
"""What stands for the cell that cannot be: there is none; or it is the total that cannot be."""


@jit
def suppose(field: CompiledBoard, cell: int, state: int, possible: Bytes) -> bool:
    """Whether a cell can be a mine, or safe, as far as the rules for one number see; changes nothing.

    All that follows without a contradiction has just been shown to be without one as well, and is noted in
    `possible` (a bit for each state of each cell), so that nobody supposes it again.
    """
    before = field.counts.trail
    settle_cell(field, cell, state)
    apply_number_rules(field)
    sound = field.counts.sound == 1
    if sound:
        for at in range(before, field.counts.trail):
            possible[field.trail[at]] |= field.state[field.trail[at]]
    undo_settled(field, before)
    return bool(sound)


@jit
def apply_pair_rule(field: CompiledBoard, a: int, b: int) -> None:
    """The pair rule for two numbers: where A misses more mines than B by as many as it has unknown cells
    that B does not touch, those are all mines, and B's unknown cells that A does not touch are all safe.

    It is endoh1's rules 1 to 4 in one (IOCCC 2020).
    """
    stride = field.counts.stride
    own = 0
    for step in field.around:
        if field.state[a + step] == UNKNOWN and not _touches(a + step, b, stride):
            own += 1
    if field.shown[a] - field.near[a] - (field.shown[b] - field.near[b]) != own:
        return
    for step in field.around:
        if field.state[a + step] == UNKNOWN and not _touches(a + step, b, stride):
            settle_cell(field, a + step, MINE)
    for step in field.around:
        if field.state[b + step] == UNKNOWN and not _touches(b + step, a, stride):
            settle_cell(field, b + step, SAFE)


@jit
def _touches(cell: int, other: int, stride: int) -> bool:
    """Whether a cell of the board is another one or beside it. The border keeps the row ends apart."""
    away = abs(cell - other)
    return away <= 1 or abs(away - stride) <= 1


@jit
def apply_pair_rules(field: CompiledBoard) -> None:
    """Apply the pair rule once to every two numbers near enough to share cells."""
    stride, columns, size = field.counts.stride, field.counts.columns, field.state.shape[0]
    for a in range(size):
        if field.shown[a] < 0:
            continue
        for down in range(-2, 3):
            for right in range(-2, 3):
                b = a + down * stride + right
                # Two columns on may be beyond the border, that is, in another row.
                if b == a or b < 0 or b >= size or not 1 <= a % stride + right <= columns:
                    continue
                if field.shown[b] >= 0 and field.unknown[a] > 0 and field.unknown[b] > 0:
                    apply_pair_rule(field, a, b)


@jit
def apply_total(field: CompiledBoard) -> bool:
    """Settle all UNKNOWN cells where as many mines are left as there are, or none. Returns False where the
    total cannot be."""
    left = mines_left(field)
    if left < 0 or left > field.counts.unknown:
        return False
    if left == 0 or left == field.counts.unknown:
        for cell in range(field.state.shape[0]):
            if field.state[cell] == UNKNOWN:
                settle_cell(field, cell, SAFE if left == 0 else MINE)
    return True


@jit
def apply_contradictions(field: CompiledBoard, possible: Bytes) -> None:
    """Suppose each state of each UNKNOWN cell beside a number; where one cannot be, settle the other."""
    possible[:] = 0
    for cell in range(field.state.shape[0]):
        if field.state[cell] != UNKNOWN or field.counts.sound == 0:
            continue
        beside = False
        for step in field.around:
            if field.shown[cell + step] >= 0:
                beside = True
        if not beside:
            continue
        if not possible[cell] & MINE and not suppose(field, cell, MINE, possible):
            settle_cell(field, cell, SAFE)
            apply_number_rules(field)
        elif not possible[cell] & SAFE and not suppose(field, cell, SAFE, possible):
            settle_cell(field, cell, MINE)
            apply_number_rules(field)


@jit
def climb_ladder(field: CompiledBoard, codes: Bytes, rungs: int) -> tuple[int, Bytes]:
    """Settle all that the rungs can settle; whenever one found something, the easier ones come first again.

    `codes` are the codes of `bot.board.Cell`, shape (rows, columns), of a board of the size of `field`;
    covered, flagged, marked and unread cells are unknown alike. `rungs` is the sum of the rungs to climb.

    Returns the first number that cannot be, as a cell of the bordered board (or TOTAL_WRONG, or
    NO_CONTRADICTION), and the hardest rung that was needed to settle each cell of that board (0 where it was
    not settled here).
    """
    size = field.state.shape[0]
    rung = np.zeros(size, np.int8)
    possible = np.zeros(size, np.int8)
    load_codes(field, codes)
    labelled = field.counts.trail
    hardest = RUNG_SINGLE
    while True:
        apply_number_rules(field)
        # All that the easier rungs could settle was settled before a harder one was climbed: so whatever
        # came after it did need it, also where a single number said the last word.
        for at in range(labelled, field.counts.trail):
            rung[field.trail[at]] = hardest
        labelled = field.counts.trail
        if field.counts.sound == 0:
            break
        if rungs & RUNG_PAIR:
            apply_pair_rules(field)
            if field.counts.trail > labelled:
                hardest = max(hardest, RUNG_PAIR)
                continue
        if rungs & RUNG_TOTAL and field.counts.total >= 0:
            if not apply_total(field):
                return TOTAL_WRONG, rung
            if field.counts.trail > labelled:
                hardest = max(hardest, RUNG_TOTAL)
                continue
        if rungs & RUNG_CONTRADICTION:
            apply_contradictions(field, possible)
            if field.counts.trail > labelled:
                hardest = RUNG_CONTRADICTION
                continue
        break
    for cell in range(size):
        missing = field.shown[cell] - field.near[cell]
        if field.shown[cell] >= 0 and (missing < 0 or missing > field.unknown[cell]):
            return cell, rung
    return NO_CONTRADICTION, rung
