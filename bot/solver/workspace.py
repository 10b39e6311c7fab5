"""The arrays that the compiled solver works in, allocated once and used for every position.

One `Workspace` holds one system of constraints at a time ("these cells hold k mines"), its boxes (the cells
that lie in exactly the same constraints), its fronts (the boxes that hang together), and the states of the
dynamic programme that counts the solutions of each front. Nothing in it outlives the next position.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]


class Workspace(NamedTuple):
    """Flat arrays. C constraints, K cells in them all together, N cells, B boxes, F fronts, S states."""

    con_start: Ints
    """Where the cells of each constraint begin in `con_cells`; C + 1."""
    con_cells: Ints
    con_need: Ints
    """Mines that each constraint holds; FREE for a counter, whose number is not known but told apart."""
    con_room: Ints
    """Cells of each constraint that the walk has not reached yet."""
    con_left: Ints
    """Boxes of each constraint that the order has not taken yet."""
    con_shift: Ints
    """Where in the key of a state a constraint keeps the mines it still needs; -1 where it is not open."""
    con_width: Ints
    con_front: Ints
    con_box_start: Ints
    con_boxes: Ints
    cell_cons: Ints
    """The constraints of each cell, shape (N, most constraints of a cell)."""
    cell_degree: Ints
    """How many they are; 0 between two positions."""
    cell_box: Ints
    box_cell: Ints
    """One cell of each box, which stands for all of them."""
    box_size: Ints
    box_next: Ints
    con_first_box: Ints
    box_front: Ints
    box_taken: Bytes
    box_mines: Floats
    """Expected mines in each box."""
    box_can: Bytes
    """What is possible for its cells by logic: CAN_MINE, CAN_SAFE."""
    order: Ints
    """The boxes in the order of the walk, front after front."""
    front_box: Ints
    """Where each front begins in `order`; F + 1."""
    front_con: Ints
    """Where each front begins in `queue`; F + 1."""
    front_good: Bytes
    """1 where the front was counted exactly, 0 where it was too large."""
    queue: Ints
    """The constraints, front after front."""
    active: Ints
    layer: Ints
    """Where the states of each layer begin, and one more for the end of each front."""
    edge_layer: Ints
    keys: Longs
    forward: Floats
    """Ways to reach each state, scaled by layer."""
    backward: Floats
    """Weighted ways to complete each state, scaled by layer."""
    reached: Bytes
    """1 where a state can be completed at all."""
    edge_from: Ints
    edge_to: Ints
    edge_mines: Ints
    table: Ints
    table_stamp: Longs
    stamp: Longs
    """One number: the layer that the entries of `table` belong to."""
    log_scale: Floats
    """The logarithm by which the counts of each front are too small."""


def new_workspace(cells: int, states: int, degree: int = 8, links: int = 0) -> Workspace:
    """Arrays for up to `cells` cells (of a bordered board, or of any system), `states` states in all.

    `degree` is the most constraints that a cell can lie in, `links` the cells of all constraints together
    (8 for each cell if not given).
    """
    links = links or 8 * cells + 16
    cons = cells + 2

    def ints(size: int) -> Ints:
        return np.zeros(size, np.int32)

    table = 1
    while table < 2 * min(states, 1 << 20):
        table *= 2
    edges = 3 * states
    return Workspace(
        con_start=ints(cons + 1),
        con_cells=ints(links),
        con_need=ints(cons),
        con_room=ints(cons),
        con_left=ints(cons),
        con_shift=ints(cons),
        con_width=ints(cons),
        con_front=ints(cons),
        con_box_start=ints(cons + 1),
        con_boxes=ints(links),
        cell_cons=np.zeros((cells, degree + 1), np.int32),
        cell_degree=ints(cells),
        cell_box=ints(cells),
        box_cell=ints(cells),
        box_size=ints(cells),
        box_next=ints(cells),
        con_first_box=ints(cons),
        box_front=ints(cells),
        box_taken=np.zeros(cells, np.int8),
        box_mines=np.zeros(cells),
        box_can=np.zeros(cells, np.int8),
        order=ints(cells),
        front_box=ints(cells + 1),
        front_con=ints(cells + 1),
        front_good=np.zeros(cells + 1, np.int8),
        queue=ints(cons),
        active=ints(cons),
        layer=ints(2 * cells + 2),
        edge_layer=ints(2 * cells + 2),
        keys=np.zeros(states, np.int64),
        forward=np.zeros(states),
        backward=np.zeros(states),
        reached=np.zeros(states, np.int8),
        edge_from=ints(edges),
        edge_to=ints(edges),
        edge_mines=ints(edges),
        table=ints(table),
        table_stamp=np.zeros(table, np.int64),
        stamp=np.zeros(1, np.int64),
        log_scale=np.zeros(cells + 1),
    )
