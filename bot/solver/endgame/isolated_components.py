"""Components that nothing outside can tell more about."""

from __future__ import annotations

import numpy as np

from bot.solver.constraints.workspace import (
    BOX_COMPONENT,
    CELL_BOX,
    CELL_DEGREE,
    COMPONENT_BOX,
    COMPONENT_GOOD,
    LAYER,
    Ints,
    Workspace,
)
from bot.solver.deduction.compiled_board import UNKNOWN, CompiledBoard
from bot.solver.jit.compiler import part


@part
def isolated_groups(field: CompiledBoard, ws: Workspace, components: int, group: Ints) -> None:
    """Group the components that touch each other, by the lowest; -1 where a component is not closed.

    A group is closed where none of its cells touches a covered cell outside, and the mines of each of its
    components are the same in every solution: nothing outside will ever tell more about it, and nothing in it
    about the rest, so that it can be played by itself.
    """
    outside = components
    parent = np.arange(components + 1)
    stride = field.counts.stride
    for cell in range(stride + 1, field.state.shape[0] - stride - 1):
        if field.state[cell] != UNKNOWN:
            continue
        a = outside
        if ws.cell[CELL_DEGREE, cell] > 0:
            a = ws.cell[BOX_COMPONENT, ws.cell[CELL_BOX, cell]]
        while parent[a] != a:
            a = parent[a]
        for step in field.around:
            if field.state[cell + step] != UNKNOWN:
                continue
            b = outside
            if ws.cell[CELL_DEGREE, cell + step] > 0:
                b = ws.cell[BOX_COMPONENT, ws.cell[CELL_BOX, cell + step]]
            while parent[b] != b:
                b = parent[b]
            if a < b:
                parent[b] = a
            elif b < a:
                parent[a] = b
                a = b
    for component in range(components):
        a = component
        while parent[a] != a:
            a = parent[a]
        group[component] = a
    a = outside
    while parent[a] != a:
        a = parent[a]
    opened = np.zeros(components + 1, np.int8)
    opened[a] = 1
    for component in range(components):
        if not ws.cell[COMPONENT_GOOD, component]:
            opened[group[component]] = 1
            continue
        last = ws.layers[LAYER, ws.cell[COMPONENT_BOX, component + 1] + 2 * component]
        stop = ws.layers[LAYER, ws.cell[COMPONENT_BOX, component + 1] + 2 * component + 1]
        different = 0
        for s in range(last, stop):
            different += ws.reached[s]
        if different != 1:
            opened[group[component]] = 1
    for component in range(components):
        if opened[group[component]]:
            group[component] = -1
