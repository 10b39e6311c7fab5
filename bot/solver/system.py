"""Constraints over cells, apart from any board: what follows from them, and which of them contradict.

A system is a number of unknown cells, groups of them that hold so many mines each, and the total where it
is known. Here is what needs no compiled code: settling what single groups settle, the exact number of
solutions as a whole number, and a small set of groups that cannot all be true.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.errors import ContradictionError
from bot.solver import compiled
from bot.solver.analysis import OUT_FRONTS, OUT_LIMITED, OUT_OUTSIDE
from bot.solver.fronts import KEY_BITS
from bot.solver.position import solve_system
from bot.solver.workspace import Floats, Workspace

FEW_STATES = 1 << 15
"""Partial solutions that are kept at first: most systems need no more, and a small workspace is quick."""


@dataclass(frozen=True)
class Group:
    """These cells hold so many mines."""

    cells: tuple[int, ...]
    """Numbers of cells, ascending, each once."""
    mines: int


@dataclass(frozen=True)
class System:
    """What is known about the cells 0 to `cells` - 1."""

    cells: int
    groups: tuple[Group, ...]
    mines: int | None = None
    """The mines in all the cells together; None where it is unknown."""


@dataclass(frozen=True)
class Settled:
    """A system after its groups were looked at one at a time, again and again."""

    value: dict[int, bool]
    """The cells that are settled: True for a mine."""
    rest: System
    """What is left, over the cells of `cells`, numbered anew."""
    cells: tuple[int, ...]
    """The unsettled cells, ascending."""


def settle(system: System) -> Settled | None:
    """Settle every cell that follows from one group, or from the total, by itself.

    Returns None where a group or the total cannot be. This comes before the counting, which then meets no
    mine that is plainly known: the weights of layouts far from the average would leave a float's range.
    """
    value: dict[int, bool] = {}
    of_cell: dict[int, list[int]] = {}
    for index, group in enumerate(system.groups):
        for cell in group.cells:
            of_cell.setdefault(cell, []).append(index)
    waiting = list(range(len(system.groups)))
    while True:
        while waiting:
            group = system.groups[waiting.pop()]
            unknown = [cell for cell in group.cells if cell not in value]
            missing = group.mines - sum(value.get(cell, False) for cell in group.cells)
            if not 0 <= missing <= len(unknown):
                return None
            if missing in (0, len(unknown)):
                for cell in unknown:
                    value[cell] = missing > 0
                    waiting += of_cell[cell]
        if system.mines is None:
            break
        left, unsettled = system.mines - sum(value.values()), system.cells - len(value)
        if not 0 <= left <= unsettled:
            return None
        if unsettled == 0 or 0 < left < unsettled:
            break
        for cell in range(system.cells):
            if cell not in value:
                value[cell] = left > 0
                waiting += of_cell.get(cell, [])
    cells = tuple(cell for cell in range(system.cells) if cell not in value)
    number = {cell: index for index, cell in enumerate(cells)}
    groups = {}
    for group in system.groups:
        unknown = [number[cell] for cell in group.cells if cell not in value]
        if unknown:
            left = group.mines - sum(value.get(cell, False) for cell in group.cells)
            groups[Group(tuple(unknown), left)] = None  # twins are written once
    mines = None if system.mines is None else system.mines - sum(value.values())
    return Settled(value, System(len(cells), tuple(groups), mines), cells)


def solve_rest(rest: System, states: int) -> tuple[Workspace, Floats] | None:
    """Count the solutions of a settled system with up to `states` partial solutions; None: there are none.

    Returns the workspace with the answer, and what `bot.solver.analysis.analyse` said besides.
    """
    compiled.announce()
    groups = [(group.cells, group.mines) for group in rest.groups]
    mines = -1 if rest.mines is None else rest.mines
    tries = [states] if states <= FEW_STATES else [FEW_STATES, states]
    for room in tries:
        try:
            ws, out = solve_system(groups, rest.cells, mines, room)
        except ContradictionError:
            return None
        if not out[OUT_LIMITED]:
            break
    return ws, out


def possible(system: System, states: int = FEW_STATES) -> bool:
    """Whether the system has a solution; True as well where that would take more states to find out."""
    settled = settle(system)
    return settled is not None and solve_rest(settled.rest, states) is not None


def whole_number(ws: Workspace, out: Floats, rest: System, edges: int) -> int | None:
    """The number of solutions after `solve_rest`, exactly; None where that is more work than `edges`.

    The steps of the walk are taken once more with whole numbers, which have no largest one.
    """
    fronts = int(out[OUT_FRONTS])
    if out[OUT_LIMITED] or (fronts and ws.edge_layer[ws.front_box[fronts] + 2 * (fronts - 1)] > edges):
        return None
    by_mines = [1]
    for front in range(fronts):
        by_mines = _multiply(by_mines, _ways(ws, front, rest.mines))
    outside = int(out[OUT_OUTSIDE])
    if rest.mines is None:
        return sum(by_mines) << outside
    return sum(
        ways * math.comb(outside, rest.mines - mines)
        for mines, ways in enumerate(by_mines)
        if mines <= rest.mines
    )


def _ways(ws: Workspace, front: int, total: int | None) -> list[int]:
    """The solutions of one front by the mines that they use."""
    begin, end = int(ws.front_box[front]), int(ws.front_box[front + 1])
    base = begin + 2 * front
    ways = {int(ws.layer[base]): 1}
    most = 0
    for at in range(begin, end):
        size = int(ws.box_size[ws.order[at]])
        most += size
        choices = [math.comb(size, mines) for mines in range(size + 1)]
        after: dict[int, int] = {}
        steps = slice(int(ws.edge_layer[base + at - begin]), int(ws.edge_layer[base + at - begin + 1]))
        for source, target, mines in zip(
            ws.edge_from[steps].tolist(), ws.edge_to[steps].tolist(), ws.edge_mines[steps].tolist(), strict=True
        ):
            after[target] = after.get(target, 0) + ways[source] * choices[mines]
        ways = after
    if total is not None:
        most = min(most, total)
    shift = KEY_BITS - most.bit_length()
    by_mines = [0] * (most + 1)
    for state, number in ways.items():
        by_mines[int(ws.keys[state]) >> shift] += number
    return by_mines


def _multiply(a: list[int], b: list[int]) -> list[int]:
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                product[i + j] += x * y
    return product


@dataclass(frozen=True)
class Core:
    """Groups that cannot all be true, while any fewer of them can."""

    groups: tuple[int, ...]
    """Their places in the system, ascending."""
    total: bool
    """Whether the mine total is needed as well."""


def contradiction(system: System) -> Core | None:
    """A smallest set (no group of it can be left out) of what contradicts itself; None where nothing does.

    Groups are deleted, halves at a time, as long as the rest cannot be (QuickXplain, U. Junker 2004). The
    total is left out where the groups contradict each other without it.
    """
    everything = list(range(len(system.groups)))

    def fine(groups: Sequence[int], total: bool) -> bool:
        mines = system.mines if total else None
        return possible(System(system.cells, tuple(system.groups[index] for index in groups), mines))

    if not fine(everything, False):
        fronts = sorted(_fronts(system), key=len)
        wrong = next((front for front in fronts if not fine(front, False)), everything)
        return Core(tuple(sorted(_explain(wrong, lambda some: fine(some, False)))), False)
    if system.mines is None or fine(everything, True):
        return None
    return Core(tuple(sorted(_explain(everything, lambda some: fine(some, True)))), True)


def _explain(groups: list[int], fine: Callable[[Sequence[int]], bool]) -> list[int]:
    """The groups of a smallest contradiction, given that all together are one."""

    def among(kept: list[int], changed: bool, candidates: list[int]) -> list[int]:
        if changed and not fine(kept):
            return []
        if len(candidates) == 1:
            return candidates
        half = len(candidates) // 2
        first, second = candidates[:half], candidates[half:]
        of_second = among(kept + first, True, second)
        of_first = among(kept + of_second, bool(of_second), first)
        return of_first + of_second

    if not groups or not fine([]):
        return []
    return among([], False, groups)


def _fronts(system: System) -> list[list[int]]:
    """The groups that hang together by shared cells."""
    of_cell: dict[int, list[int]] = {}
    for index, group in enumerate(system.groups):
        for cell in group.cells:
            of_cell.setdefault(cell, []).append(index)
    left = set(range(len(system.groups)))
    fronts = []
    while left:
        front = [left.pop()]
        for index in front:  # it grows on the way
            beside = {other for cell in system.groups[index].cells for other in of_cell[cell]} & left
            left -= beside
            front += sorted(beside)
        fronts.append(sorted(front))
    return fronts
