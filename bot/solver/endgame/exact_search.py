"""The exact search when few solutions are left.

Every solution is a row of what its cells show: a number, or HOLDS_MINE. Opening a cell leaves the rows in
which it is no mine, split by the number that it shows. The value of a set of rows is the number of them
that best play wins: it depends on the set alone, since what was opened on the way shows the same in all of
its rows. (Method: exact search over solutions as in D. Hill's solver, with bounds and transpositions.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bot.solver.constraints.workspace import Floats, Ints, Longs
from bot.solver.jit.compiler import jit, part
from bot.solver.jit.records import Record, new

HOLDS_MINE = 9

DEAD = 1 << 20
"""Added to the mines of a dead cell."""

TABLE = 1 << 16

(
    FIRST,
    LAST,
    TOP,
    FIRST_COLUMN,
    LAST_COLUMN,
    KEEP,
    ABOVE,
    BAR,
    NAME,
    FREE_COLUMN,
    BEST_WON,
    BEST_COLUMN,
    COLUMN,
    WON,
    UNSEARCHED,
    PARTS_TOP,
) = range(16)

PARTS, ENDS, FRAME = 16, 26, 36
"""What a frame holds: its rows and columns, the bar to pass, and the column that is being searched, with
how many rows each number has and where they end."""

UNSEEN, OVER = -1, -2


class Search(Record):
    """The numbers of a search."""

    nodes: int
    """Sets of rows that were looked at, ..."""
    node_limit: int
    """and how many may be."""
    best: int
    """The column to open, -1 where there is none."""
    stamp: int
    """What the entries of `table` of this search are marked by."""


class Endgame(NamedTuple):
    """Arrays for up to R rows of up to K cells."""

    values: npt.NDArray[np.int8]
    """What each cell shows in each solution, shape (R, K)."""
    cells: Ints
    """The cell of each of the K columns."""
    names: Longs
    """A random number for each row: a set of rows is named by their exclusive or."""
    rows: Ints
    """Sets of rows, one within the other: the set of each node lies behind that of its parent."""
    columns: Ints
    """The columns that are not settled yet, likewise."""
    mines: Ints
    """How many rows of a node have a mine in a column."""
    table: Longs
    table_value: Ints
    table_stamp: Ints
    frames: Longs
    """What each node on the way from the root remembers, shape (depth, FRAME)."""
    search: Search
    chance: Floats
    """At the root: rows that best play wins after opening each column; -1 where it was not searched."""


def new_endgame(rows: int, columns: int) -> Endgame:
    """Arrays for up to `rows` solutions and `columns` covered cells."""
    random = np.random.default_rng(20)
    return Endgame(
        values=np.zeros((rows, columns), np.int8),
        cells=np.zeros(columns, np.int32),
        names=random.integers(1, 1 << 62, rows),
        rows=np.zeros(rows * 64, np.int32),
        columns=np.zeros(columns * 64, np.int32),
        mines=np.zeros(columns * 64, np.int32),
        table=np.zeros(TABLE, np.int64),
        table_value=np.zeros(TABLE, np.int32),
        table_stamp=np.zeros(TABLE, np.int32),
        frames=np.zeros((columns + 2, FRAME), np.int64),
        search=new(Search),
        chance=np.zeros(columns),
    )


@part
def enter_node(game: Endgame, depth: int) -> int:
    """Look at the set of rows of a new frame. Returns its value where that needs no search, else UNSEEN."""
    frame = game.frames[depth]
    first, last = frame[FIRST], frame[LAST]
    first_column, last_column = frame[FIRST_COLUMN], frame[LAST_COLUMN]
    size = last - first
    if size == 1:
        return 1
    search = game.search
    search.nodes += 1
    values, rows, columns, mines = game.values, game.rows, game.columns, game.mines
    if (
        search.nodes > search.node_limit
        or frame[TOP] + size > rows.shape[0]
        or 2 * last_column - first_column > columns.shape[0]
        or depth + 1 == game.frames.shape[0]
    ):
        return OVER
    name = np.int64(0)
    for at in range(first, last):
        name ^= game.names[rows[at]]
    slot = name & (TABLE - 1)
    frame[NAME] = name
    if depth > 0 and game.table_stamp[slot] == search.stamp and game.table[slot] == name:
        # Exact values as they are, upper bounds below zero.
        known = game.table_value[slot]
        if known >= 0:
            return int(known)
        if -known <= frame[ABOVE]:
            return -int(known)

    # What every column holds; settled columns are left behind.
    keep = last_column
    free = -1
    for c in range(first_column, last_column):
        column = columns[c]
        count = 0
        seen = -1
        differs = False
        for at in range(first, last):
            value = values[rows[at], column]
            if value == HOLDS_MINE:
                count += 1
            elif seen < 0:
                seen = value
            elif value != seen:
                differs = True
        if count == size or (count == 0 and not differs):
            continue
        if count == 0:
            free = keep
        columns[keep] = column
        # Dead cells show one number at most: they come last.
        mines[keep] = count if differs else count + DEAD
        keep += 1
    frame[KEEP] = keep
    frame[FREE_COLUMN] = free
    frame[BEST_WON] = 0
    frame[BEST_COLUMN] = -1
    frame[COLUMN] = -1
    return UNSEEN


@part
def branch_on_column(game: Endgame, depth: int) -> bool:
    """Sort the rows of a node by what its next best column shows. Returns False where none is left."""
    frame = game.frames[depth]
    values, rows, columns, mines = game.values, game.rows, game.columns, game.mines
    first, last, top = frame[FIRST], frame[LAST], frame[TOP]
    pick = frame[FREE_COLUMN]
    if pick >= 0:
        if frame[BEST_COLUMN] >= 0:
            return False
    else:
        for c in range(frame[LAST_COLUMN], frame[KEEP]):
            if mines[c] >= 0 and (pick < 0 or mines[c] < mines[pick]):
                pick = c
    if pick < 0:
        return False
    column = columns[pick]
    if mines[pick] >= DEAD:
        if frame[BEST_WON] == 0:
            # Only dead cells: nothing can be learnt any more, and one row wins.
            frame[BEST_WON] = 1
            frame[BEST_COLUMN] = column
        return False
    bar = max(frame[BEST_WON], frame[ABOVE])
    if last - first - mines[pick] <= bar:
        return False
    mines[pick] = -1
    frame[COLUMN] = column
    frame[BAR] = bar
    for value in range(10):
        frame[PARTS + value] = 0
    for at in range(first, last):
        frame[PARTS + values[rows[at], column]] += 1
    at = top
    won = 0
    unsearched = 0
    for value in range(9):
        count = frame[PARTS + value]
        frame[ENDS + value] = at
        at += count
        if count == 1:
            won += 1
        else:
            unsearched += count
    for k in range(first, last):
        row = rows[k]
        value = values[row, column]
        if value != HOLDS_MINE:
            rows[frame[ENDS + value]] = row
            frame[ENDS + value] += 1
    frame[PARTS_TOP] = at
    frame[WON] = won
    frame[UNSEARCHED] = unsearched
    return True


@part
def search_rows(game: Endgame) -> int:
    """How many of the rows of frame 0 best play wins; OVER where the nodes ran out.

    A node answers exactly where that is more than its `ABOVE`, else with a number from the true value to
    `ABOVE`. Written without recursion, which numba cannot take from its cache.
    """
    frames = game.frames
    search = game.search
    depth = 0
    answer = enter_node(game, 0)
    while True:
        if answer == OVER:
            return OVER
        if answer >= 0:
            if depth == 0:
                return answer
            depth -= 1
            frames[depth, WON] += answer
        frame = frames[depth]
        answer = UNSEEN
        while True:
            if frame[COLUMN] >= 0:
                unsearched = frame[UNSEARCHED]
                if unsearched > 0 and frame[WON] + unsearched > frame[BAR]:
                    # The smallest part next: it tightens the bound at little cost.
                    part = -1
                    for value in range(9):
                        if frame[PARTS + value] > 1 and (
                            part < 0 or frame[PARTS + value] < frame[PARTS + part]
                        ):
                            part = value
                    count = frame[PARTS + part]
                    frame[PARTS + part] = 0
                    frame[UNSEARCHED] -= count
                    below = frames[depth + 1]
                    below[FIRST] = frame[ENDS + part] - count
                    below[LAST] = frame[ENDS + part]
                    below[TOP] = frame[PARTS_TOP]
                    below[FIRST_COLUMN] = frame[LAST_COLUMN]
                    below[LAST_COLUMN] = frame[KEEP]
                    below[ABOVE] = frame[BAR] - frame[WON] - frame[UNSEARCHED]
                    depth += 1
                    answer = enter_node(game, depth)
                    break
                won = frame[WON] + unsearched
                if depth == 0:
                    game.chance[frame[COLUMN]] = won
                if won > frame[BEST_WON]:
                    frame[BEST_WON] = won
                    frame[BEST_COLUMN] = frame[COLUMN]
                frame[COLUMN] = -1
            if not branch_on_column(game, depth):
                if depth == 0:
                    search.best = frame[BEST_COLUMN]
                slot = frame[NAME] & (TABLE - 1)
                game.table_stamp[slot] = search.stamp
                game.table[slot] = frame[NAME]
                answer = frame[BEST_WON]
                if answer > frame[ABOVE]:
                    game.table_value[slot] = answer
                else:
                    answer = frame[ABOVE]
                    game.table_value[slot] = -answer
                break


@jit
def search_exactly(game: Endgame, rows: int, columns: int, node_limit: int) -> int:
    """Rows of the first `rows` that best play wins, its move in `search.best`; -1: nodes ran out."""
    search = game.search
    search.nodes = 0
    search.node_limit = node_limit
    search.stamp += 1
    search.best = -1
    for row in range(rows):
        game.rows[row] = row
    for column in range(columns):
        game.columns[column] = column
        game.chance[column] = -1.0
    if rows < 2:
        return -1
    frame = game.frames[0]
    frame[FIRST] = 0
    frame[LAST] = rows
    frame[TOP] = rows
    frame[FIRST_COLUMN] = 0
    frame[LAST_COLUMN] = columns
    frame[ABOVE] = 0
    return search_rows(game)
