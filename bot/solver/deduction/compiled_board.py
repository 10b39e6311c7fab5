"""What is known of a board, kept up to date cell by cell, for the compiled solver.

Cells are numbered row by row over a board with a border of one cell on every side, `stride = columns + 2`
cells a row, so that the eight neighbours of a cell always exist.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.board import Cell
from bot.solver.constraints.workspace import CON_CELLS, CON_NEED, CON_START, Bytes, Ints, Workspace
from bot.solver.jit.compiler import jit, part

UNKNOWN, MINE, SAFE, OPENED, BORDER = 0, 1, 2, 3, 4
"""The states of a cell. MINE and SAFE are covered cells that are known, and bits for the rules."""

(
    QUEUE_LENGTH,
    SAFE_COUNT,
    UNKNOWN_COUNT,
    MINE_COUNT,
    OPENED_COUNT,
    STRIDE,
    ROWS,
    COLUMNS,
    MINE_TOTAL,
    SOUND,
    TRAIL_LENGTH,
) = range(11)
"""Where `numbers` holds: the length of `queue`, of `safes`, the cells of each state, the stride, the size,
the mine total (-1 where it is unknown), 1 as long as no number was contradicted, the length of `trail`."""

MINE_CODE, EXPLODED_CODE, WRONG_FLAG_CODE = int(Cell.MINE), int(Cell.EXPLODED), int(Cell.WRONG_FLAG)
"""Codes of boards, as numbers that compiled code can take."""


class CompiledBoard(NamedTuple):
    """Flat arrays over the bordered board; `numbers` holds the counts."""

    state: Bytes
    shown: Bytes
    """The number of an opened cell, -1 for any other."""
    unknown: Bytes
    """Neighbours that are UNKNOWN."""
    near: Bytes
    """Neighbours that are known mines."""
    around: Ints
    """The eight steps to the neighbours."""
    queue: Ints
    """Opened cells around which something became known."""
    queued: Bytes
    safes: Ints
    """Cells found to be safe, in the order in which they were found."""
    trail: Ints
    """All cells that are no longer UNKNOWN, in the order in which they were settled: what was only supposed
    is undone by it, at the cost of no more cells than it touched."""
    numbers: Ints


def new_board(rows: int, columns: int, mines: int | None) -> CompiledBoard:
    """The field of an untouched board."""
    stride = columns + 2
    size = (rows + 2) * stride
    around = np.array(
        [-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1], dtype=np.int32
    )
    field = CompiledBoard(
        state=np.zeros(size, np.int8),
        shown=np.zeros(size, np.int8),
        unknown=np.zeros(size, np.int8),
        near=np.zeros(size, np.int8),
        around=around,
        queue=np.zeros(size, np.int32),
        queued=np.zeros(size, np.int8),
        safes=np.zeros(size, np.int32),
        trail=np.zeros(size, np.int32),
        numbers=np.zeros(11, np.int32),
    )
    field.numbers[STRIDE] = stride
    field.numbers[ROWS] = rows
    field.numbers[COLUMNS] = columns
    field.numbers[MINE_TOTAL] = -1 if mines is None else mines
    return field


@jit
def cover_all(field: CompiledBoard) -> None:
    """Cover every cell again."""
    rows, columns = field.numbers[ROWS], field.numbers[COLUMNS]
    stride = field.numbers[STRIDE]
    field.state[:] = BORDER
    field.shown[:] = -1
    field.near[:] = 0
    field.queued[:] = 0
    field.unknown[:] = 0
    for row in range(1, rows + 1):
        down = (row > 1) + 1 + (row < rows)
        for column in range(1, columns + 1):
            cell = row * stride + column
            field.state[cell] = UNKNOWN
            field.unknown[cell] = down * ((column > 1) + 1 + (column < columns)) - 1
    field.numbers[QUEUE_LENGTH] = 0
    field.numbers[SAFE_COUNT] = 0
    field.numbers[UNKNOWN_COUNT] = rows * columns
    field.numbers[MINE_COUNT] = 0
    field.numbers[OPENED_COUNT] = 0
    field.numbers[SOUND] = 1
    field.numbers[TRAIL_LENGTH] = 0


@jit
def settle_cell(field: CompiledBoard, cell: int, state: int) -> None:
    """Make an UNKNOWN cell a MINE or SAFE, or OPENED on the way to its number."""
    field.state[cell] = state
    field.trail[field.numbers[TRAIL_LENGTH]] = cell
    field.numbers[TRAIL_LENGTH] += 1
    field.numbers[UNKNOWN_COUNT] -= 1
    if state == MINE:
        field.numbers[MINE_COUNT] += 1
    elif state == SAFE:
        field.safes[field.numbers[SAFE_COUNT]] = cell
        field.numbers[SAFE_COUNT] += 1
    for step in field.around:
        other = cell + step
        field.unknown[other] -= 1
        if state == MINE:
            field.near[other] += 1
        if field.shown[other] >= 0 and field.queued[other] == 0:
            field.queued[other] = 1
            field.queue[field.numbers[QUEUE_LENGTH]] = other
            field.numbers[QUEUE_LENGTH] += 1


@jit
def undo_settled(field: CompiledBoard, length: int) -> None:
    """Make the cells UNKNOWN again that were settled as MINE or SAFE since the trail was that long.

    The queue must be empty, and no safe cell be taken out of `safes` since. The board counts as sound again.
    """
    while field.numbers[TRAIL_LENGTH] > length:
        field.numbers[TRAIL_LENGTH] -= 1
        cell = field.trail[field.numbers[TRAIL_LENGTH]]
        was_mine = field.state[cell] == MINE
        field.state[cell] = UNKNOWN
        field.numbers[UNKNOWN_COUNT] += 1
        if was_mine:
            field.numbers[MINE_COUNT] -= 1
        else:
            field.numbers[SAFE_COUNT] -= 1
        for step in field.around:
            field.unknown[cell + step] += 1
            if was_mine:
                field.near[cell + step] -= 1
    field.numbers[SOUND] = 1


@jit
def open_cell(field: CompiledBoard, cell: int, number: int) -> None:
    """Open an UNKNOWN or SAFE cell that shows `number`."""
    if field.state[cell] == UNKNOWN:
        settle_cell(field, cell, OPENED)
    field.state[cell] = OPENED
    field.numbers[OPENED_COUNT] += 1
    field.shown[cell] = number
    if field.queued[cell] == 0:
        field.queued[cell] = 1
        field.queue[field.numbers[QUEUE_LENGTH]] = cell
        field.numbers[QUEUE_LENGTH] += 1


@jit
def apply_number_rules(field: CompiledBoard) -> None:
    """Apply the rules for one number until nothing new follows, or until a number is contradicted: then the
    board is no longer SOUND."""
    numbers = field.numbers
    while numbers[QUEUE_LENGTH] > 0:
        numbers[QUEUE_LENGTH] -= 1
        cell = field.queue[numbers[QUEUE_LENGTH]]
        field.queued[cell] = 0
        if numbers[SOUND] == 0:
            continue
        missing = field.shown[cell] - field.near[cell]
        unknown = field.unknown[cell]
        if missing < 0 or missing > unknown:
            numbers[SOUND] = 0
            continue
        if unknown == 0 or (missing > 0 and missing < unknown):
            continue
        state = SAFE if missing == 0 else MINE
        for step in field.around:
            if field.state[cell + step] == UNKNOWN:
                settle_cell(field, cell + step, state)


@jit
def load_codes(field: CompiledBoard, codes: Bytes) -> None:
    """Take up the codes of `bot.board.Cell`, shape (rows, columns), of a board of this size.

    Flags prove nothing, but one that is crossed out stands where no mine is. Nothing is deduced yet.
    """
    cover_all(field)
    stride = field.numbers[STRIDE]
    for row in range(codes.shape[0]):
        for column in range(codes.shape[1]):
            cell = (row + 1) * stride + column + 1
            code = codes[row, column]
            if code <= 8:
                open_cell(field, cell, code)
            elif code in (MINE_CODE, EXPLODED_CODE):
                settle_cell(field, cell, MINE)
            elif code == WRONG_FLAG_CODE:
                settle_cell(field, cell, SAFE)


@jit
def mines_left(field: CompiledBoard) -> int:
    """The mines that lie in UNKNOWN cells; the total must be known."""
    return int(field.numbers[MINE_TOTAL] - field.numbers[MINE_COUNT])


@part
def write_constraints(field: CompiledBoard, ws: Workspace) -> int:
    """Write the numbers that touch UNKNOWN cells into the workspace. Returns how many there are."""
    cons = 0
    at = 0
    stride = field.numbers[STRIDE]
    for cell in range(stride + 1, field.state.shape[0] - stride - 1):
        if field.shown[cell] < 0 or field.unknown[cell] == 0:
            continue
        ws.con[CON_START, cons] = at
        ws.con[CON_NEED, cons] = field.shown[cell] - field.near[cell]
        for step in field.around:
            if field.state[cell + step] == UNKNOWN:
                ws.link[CON_CELLS, at] = cell + step
                at += 1
        cons += 1
    ws.con[CON_START, cons] = at
    return cons


@part
def copy_board(source: CompiledBoard, target: CompiledBoard) -> None:
    """Make the second field like the first; what was settled before cannot be undone in it."""
    target.state[:] = source.state
    target.shown[:] = source.shown
    target.unknown[:] = source.unknown
    target.near[:] = source.near
    target.queued[:] = source.queued
    target.numbers[:] = source.numbers
