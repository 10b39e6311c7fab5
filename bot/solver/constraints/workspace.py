"""The arrays that the compiled solver works in, allocated once and used for every position.

One `Workspace` holds one system of constraints at a time ("these cells hold k mines"), its boxes (the cells
that lie in exactly the same constraints), its components (the boxes that hang together), and the states of
the dynamic programme that counts the solutions of each component. Nothing in it outlives the next position.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

Longs = npt.NDArray[np.int64]

Bytes = npt.NDArray[np.int8]

Floats = npt.NDArray[np.float64]

# Rows of `con`, by constraint.
CON_START = 0
"""Where the cells of each constraint begin in CON_CELLS; one more at the end."""

CON_NEED = 1
"""Mines that it holds; FREE for a counter, whose number is not known but told apart."""

CON_ROOM = 2
"""Its cells that the walk has not reached yet."""

CON_LEFT = 3
"""Its boxes that the order has not taken yet."""

CON_SHIFT = 4
"""Where in the key of a state it keeps the mines that it still needs; -1 where it is not open."""

CON_WIDTH = 5
"""How many bits that takes."""

CON_COMPONENT = 6

CON_BOX_START = 7
"""Where its boxes begin in CON_BOXES."""

CON_FIRST_BOX = 8
"""The first of the boxes of which it is the lowest constraint."""

CONSTRAINT_QUEUE = 9
"""The constraints, component after component."""

ACTIVE = 10
"""Those under way; at the walk those of the box in hand."""

# Rows of `cell`, by cell, by box and by component.
CELL_DEGREE = 0
"""In how many constraints a cell lies; 0 between two positions."""

CELL_BOX = 1

BOX_CELL = 2
"""One cell of each box, which stands for all of them."""

BOX_SIZE = 3

BOX_NEXT = 4
"""The next box with the same lowest constraint, or -1."""

BOX_COMPONENT = 5

BOX_TAKEN = 6
"""1 where the order has the box."""

BOX_CAN = 7
"""What is possible for its cells by logic: CAN_MINE, CAN_SAFE."""

BOX_ORDER = 8
"""The boxes in the order of the walk, component after component."""

COMPONENT_BOX = 9
"""Where each component begins in BOX_ORDER."""

COMPONENT_CON = 10
"""Where each component begins in CONSTRAINT_QUEUE."""

COMPONENT_GOOD = 11
"""1 where the component was counted exactly, 0 where it was too large."""

# Rows of `link`: the cells of the constraints, and their boxes.
CON_CELLS, CON_BOXES = 0, 1

# Rows of `layers`: where the states and the edges of each layer begin; a component has two layers more than
# boxes.
LAYER, EDGE_LAYER = 0, 1

# Rows of `edges`: the two states and the mines in between.
EDGE_FROM, EDGE_TO, EDGE_MINES = 0, 1, 2


class Workspace(NamedTuple):
    """Few arrays of many rows: numba takes its time with every array of a tuple."""

    con: Ints
    cell: Ints
    link: Ints
    layers: Ints
    edges: Ints
    cell_cons: Ints
    """The constraints of each cell, shape (cells, most constraints of a cell)."""
    box_mines: Floats
    """Expected mines in each box."""
    keys: Longs
    forward: Floats
    """Ways to reach each state, scaled by layer."""
    backward: Floats
    """Weighted ways to complete each state, scaled by layer."""
    reached: Bytes
    """1 where a state can be completed at all."""
    table: Ints
    table_stamp: Longs
    stamp: Longs
    """One number: the layer that the entries of `table` belong to."""
    log_scale: Floats
    """The logarithm by which the counts of each component are too small."""


def new_workspace(cells: int, states: int, degree: int = 8, links: int = 0) -> Workspace:
    """Arrays for up to `cells` cells (of a bordered board, or of any system), `states` states in all.

    `degree` is the most constraints that a cell can lie in, `links` the cells of all constraints together
    (8 for each cell if not given).
    """
    table = 1
    while table < 2 * min(states, 1 << 20):
        table *= 2
    return Workspace(
        con=np.zeros((11, cells + 3), np.int32),
        cell=np.zeros((12, cells + 3), np.int32),
        link=np.zeros((2, links or 8 * cells + 16), np.int32),
        layers=np.zeros((2, 3 * cells + 6), np.int32),
        edges=np.zeros((3, 3 * states), np.int32),
        cell_cons=np.zeros((cells, degree + 1), np.int32),
        box_mines=np.zeros(cells),
        keys=np.zeros(states, np.int64),
        forward=np.zeros(states),
        backward=np.zeros(states),
        reached=np.zeros(states, np.int8),
        table=np.zeros(table, np.int32),
        table_stamp=np.zeros(table, np.int64),
        stamp=np.zeros(1, np.int64),
        log_scale=np.zeros(cells + 1),
    )
