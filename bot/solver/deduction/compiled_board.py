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
from bot.solver.jit.records import Record, new

UNKNOWN, MINE, SAFE, OPENED, BORDER = 0, 1, 2, 3, 4
"""The states of a cell. MINE and SAFE are covered cells that are known, and bits for the rules."""

MINE_CODE, EXPLODED_CODE, WRONG_FLAG_CODE = int(Cell.MINE), int(Cell.EXPLODED), int(Cell.WRONG_FLAG)
"""Codes of boards, as numbers that compiled code can take."""


class BoardCounts(Record):
    """The whole numbers of a board."""

    rows: int
    columns: int
    stride: int
    """Cells in a row with its border."""
    total: int
    """The mine total, -1 where it is unknown."""
    unknown: int
    """Cells that are UNKNOWN, ..."""
    mines: int
    """known to be a MINE, ..."""
    opened: int
    """and OPENED."""
    safe: int
    """The length of `safes`, ..."""
    queue: int
    """of `queue`, ..."""
    trail: int
    """and of `trail`."""
    sound: int
    """1 as long as no number was contradicted."""


class CompiledBoard(NamedTuple):
    """Flat arrays over the bordered board."""

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
    counts: BoardCounts


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
        counts=new(BoardCounts),
    )
    field.counts.stride = stride
    field.counts.rows = rows
    field.counts.columns = columns
    field.counts.total = -1 if mines is None else mines
    return field


@jit
def cover_all(field: CompiledBoard) -> None:
    """Cover every cell again."""
    rows, columns = field.counts.rows, field.counts.columns
    stride = field.counts.stride
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
    field.counts.queue = 0
    field.counts.safe = 0
    field.counts.unknown = rows * columns
    field.counts.mines = 0
    field.counts.opened = 0
    field.counts.sound = 1
    field.counts.trail = 0


@jit
def settle_cell(field: CompiledBoard, cell: int, state: int) -> None:
    """Make an UNKNOWN cell a MINE or SAFE, or OPENED on the way to its number."""
    field.state[cell] = state
    field.trail[field.counts.trail] = cell
    field.counts.trail += 1
    field.counts.unknown -= 1
    if state == MINE:
        field.counts.mines += 1
    elif state == SAFE:
        field.safes[field.counts.safe] = cell
        field.counts.safe += 1
    for step in field.around:
        other = cell + step
        field.unknown[other] -= 1
        if state == MINE:
            field.near[other] += 1
        if field.shown[other] >= 0 and field.queued[other] == 0:
            field.queued[other] = 1
            field.queue[field.counts.queue] = other
            field.counts.queue += 1


@jit
def undo_settled(field: CompiledBoard, length: int) -> None:
    """Make the cells UNKNOWN again that were settled as MINE or SAFE since the trail was that long.

    The queue must be empty, and no safe cell be taken out of `safes` since. The board counts as sound again.
    """
    while field.counts.trail > length:
        field.counts.trail -= 1
        cell = field.trail[field.counts.trail]
        was_mine = field.state[cell] == MINE
        field.state[cell] = UNKNOWN
        field.counts.unknown += 1
        if was_mine:
            field.counts.mines -= 1
        else:
            field.counts.safe -= 1
        for step in field.around:
            field.unknown[cell + step] += 1
            if was_mine:
                field.near[cell + step] -= 1
    field.counts.sound = 1


@jit
def open_cell(field: CompiledBoard, cell: int, number: int) -> None:
    """Open an UNKNOWN or SAFE cell that shows `number`."""
    if field.state[cell] == UNKNOWN:
        settle_cell(field, cell, OPENED)
    field.state[cell] = OPENED
    field.counts.opened += 1
    field.shown[cell] = number
    if field.queued[cell] == 0:
        field.queued[cell] = 1
        field.queue[field.counts.queue] = cell
        field.counts.queue += 1


@jit
def apply_number_rules(field: CompiledBoard) -> None:
    """Apply the rules for one number until nothing new follows, or until a number is contradicted: then the
    board is no longer SOUND."""
    counts = field.counts
    while counts.queue > 0:
        counts.queue -= 1
        cell = field.queue[counts.queue]
        field.queued[cell] = 0
        if counts.sound == 0:
            continue
        missing = field.shown[cell] - field.near[cell]
        unknown = field.unknown[cell]
        if missing < 0 or missing > unknown:
            counts.sound = 0
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
    stride = field.counts.stride
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
    return int(field.counts.total - field.counts.mines)


@part
def write_constraints(field: CompiledBoard, ws: Workspace) -> int:
    """Write the numbers that touch UNKNOWN cells into the workspace. Returns how many there are."""
    cons = 0
    at = 0
    stride = field.counts.stride
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
    copy_counts(source.counts, target.counts)


@part
def copy_counts(source: BoardCounts, target: BoardCounts) -> None:
    """Make the second one like the first."""
    target.rows = source.rows
    target.columns = source.columns
    target.stride = source.stride
    target.total = source.total
    target.unknown = source.unknown
    target.mines = source.mines
    target.opened = source.opened
    target.safe = source.safe
    target.queue = source.queue
    target.trail = source.trail
    target.sound = source.sound
