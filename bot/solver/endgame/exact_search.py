"""The exact search when few solutions are left.

Every solution is a row of what its cells show: a number, or HOLDS_MINE. Opening a cell leaves the rows in
which it is no mine, split by the number that it shows. The value of a set of rows is the number of them
that best play wins: it depends on the set alone, since what was opened on the way shows the same in all of
its rows. (Method: exact search over solutions as in D. Hill's solver, with bounds and transpositions.)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bot.solver.constraints.workspace import Floats, Ints, Longs
from bot.solver.jit.compiler import jit, part
from bot.solver.jit.records import Record, array_of, new

HOLDS_MINE = 9

DEAD = 1 << 20
"""Added to the mines of a dead cell."""

TABLE = 1 << 16

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


class Frame(Record):
    """What a node on the way from the root remembers: its set of rows, and how far the search of it is."""

    first: int
    """Where its rows begin in `Endgame.rows`, ..."""
    last: int
    """and where they end."""
    top: int
    """Where the rows of its parts may be written."""
    first_column: int
    """Where the columns that its parent left begin in `Endgame.columns`, ..."""
    last_column: int
    """where they end, and its own begin, those that are not settled in its rows, ..."""
    kept: int
    """and where those end."""
    above: int
    """What the parent wins without it: only a value above this is of use to the parent."""
    name: int
    """The exclusive or of the names of its rows."""
    free_column: int
    """Where in `Endgame.columns` one lies that is a mine in none of its rows; -1 for none."""
    best_won: int
    """The most rows that a column was found to win, ..."""
    best_column: int
    """and that column; -1 where none is searched yet."""
    column: int
    """The column that is being searched; -1 for none."""
    bar: int
    """It has to win more rows than this to count."""
    won: int
    """The rows that it is known to win, of the parts that were searched, ..."""
    unsearched: int
    """and those of the parts that were not."""
    parts_top: int
    """Where the rows of its parts end."""


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
    frames: Any
    """Of the kind `Frame`, for each node on the way from the root."""
    part_size: Longs
    """How many rows of each of these nodes show each number in the column that is being searched (HOLDS_MINE
    for a mine), shape (depth, 10); 0 once that part was searched."""
    part_end: Longs
    """Where the rows of each part end in `rows`, likewise."""
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
        frames=array_of(Frame, columns + 2),
        part_size=np.zeros((columns + 2, 10), np.int64),
        part_end=np.zeros((columns + 2, 10), np.int64),
        search=new(Search),
        chance=np.zeros(columns),
    )


@part
def enter_node(game: Endgame, depth: int) -> int:
    """Look at the set of rows of a new frame. Returns its value where that needs no search, else UNSEEN."""
    frame = game.frames[depth]
    first, last = frame.first, frame.last
    first_column, last_column = frame.first_column, frame.last_column
    size = last - first
    if size == 1:
        return 1
    search = game.search
    search.nodes += 1
    values, rows, columns, mines = game.values, game.rows, game.columns, game.mines
    if (
        search.nodes > search.node_limit
        or frame.top + size > rows.shape[0]
        or 2 * last_column - first_column > columns.shape[0]
        or depth + 1 == game.frames.shape[0]
    ):
        return OVER
    name = np.int64(0)
    for at in range(first, last):
        name ^= game.names[rows[at]]
    slot = name & (TABLE - 1)
    frame.name = name
    if depth > 0 and game.table_stamp[slot] == search.stamp and game.table[slot] == name:
        # Exact values as they are, upper bounds below zero.
        known = game.table_value[slot]
        if known >= 0:
            return int(known)
        if -known <= frame.above:
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
    frame.kept = keep
    frame.free_column = free
    frame.best_won = 0
    frame.best_column = -1
    frame.column = -1
    return UNSEEN


@part
def branch_on_column(game: Endgame, depth: int) -> bool:
    """Sort the rows of a node by what its next best column shows. Returns False where none is left."""
    frame, size, end = game.frames[depth], game.part_size[depth], game.part_end[depth]
    values, rows, columns, mines = game.values, game.rows, game.columns, game.mines
    first, last, top = frame.first, frame.last, frame.top
    pick = frame.free_column
    if pick >= 0:
        if frame.best_column >= 0:
            return False
    else:
        for c in range(frame.last_column, frame.kept):
            if mines[c] >= 0 and (pick < 0 or mines[c] < mines[pick]):
                pick = c
    if pick < 0:
        return False
    column = columns[pick]
    if mines[pick] >= DEAD:
        if frame.best_won == 0:
            # Only dead cells: nothing can be learnt any more, and one row wins.
            frame.best_won = 1
            frame.best_column = column
        return False
    bar = max(frame.best_won, frame.above)
    if last - first - mines[pick] <= bar:
        return False
    mines[pick] = -1
    frame.column = column
    frame.bar = bar
    for value in range(10):
        size[value] = 0
    for at in range(first, last):
        size[values[rows[at], column]] += 1
    at = top
    won = 0
    unsearched = 0
    for value in range(9):
        count = size[value]
        end[value] = at
        at += count
        if count == 1:
            won += 1
        else:
            unsearched += count
    for k in range(first, last):
        row = rows[k]
        value = values[row, column]
        if value != HOLDS_MINE:
            rows[end[value]] = row
            end[value] += 1
    frame.parts_top = at
    frame.won = won
    frame.unsearched = unsearched
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
            frames[depth].won += answer
        frame, size, end = frames[depth], game.part_size[depth], game.part_end[depth]
        answer = UNSEEN
        while True:
            if frame.column >= 0:
                unsearched = frame.unsearched
                if unsearched > 0 and frame.won + unsearched > frame.bar:
                    # The smallest part next: it tightens the bound at little cost.
                    part = -1
                    for value in range(9):
                        if size[value] > 1 and (part < 0 or size[value] < size[part]):
                            part = value
                    count = size[part]
                    size[part] = 0
                    frame.unsearched -= count
                    below = frames[depth + 1]
                    below.first = end[part] - count
                    below.last = end[part]
                    below.top = frame.parts_top
                    below.first_column = frame.last_column
                    below.last_column = frame.kept
                    below.above = frame.bar - frame.won - frame.unsearched
                    depth += 1
                    answer = enter_node(game, depth)
                    break
                won = frame.won + unsearched
                if depth == 0:
                    game.chance[frame.column] = won
                if won > frame.best_won:
                    frame.best_won = won
                    frame.best_column = frame.column
                frame.column = -1
            if not branch_on_column(game, depth):
                if depth == 0:
                    search.best = frame.best_column
                slot = frame.name & (TABLE - 1)
                game.table_stamp[slot] = search.stamp
                game.table[slot] = frame.name
                answer = frame.best_won
                if answer > frame.above:
                    game.table_value[slot] = answer
                else:
                    answer = frame.above
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
    frame.first = 0
    frame.last = rows
    frame.top = rows
    frame.first_column = 0
    frame.last_column = columns
    frame.above = 0
    return search_rows(game)
