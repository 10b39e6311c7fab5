"""Constraints over cells, apart from any board: what follows from them, and which of them contradict.

A system is a number of unknown cells, groups of them that hold so many mines each, and the total where it
is known. Here are settling what single groups settle, and finding a small set of groups that cannot all be
true; `bot.solver.probability.solution_count` has the chances.
"""

from __future__ import annotations

from dataclasses import dataclass


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


def settle_groups(system: System) -> Settled | None:
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
    groups: dict[Group, None] = {}
    for group in system.groups:
        unknown = [number[cell] for cell in group.cells if cell not in value]
        if unknown:
            left = group.mines - sum(value.get(cell, False) for cell in group.cells)
            groups[Group(tuple(unknown), left)] = None  # twins are written once
    mines = None if system.mines is None else system.mines - sum(value.values())
    return Settled(value, System(len(cells), tuple(groups), mines), cells)
