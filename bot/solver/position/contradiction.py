"""Which constraints contradict each other, where no layout of mines fits them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.solver.constraints.system import System, settle_groups
from bot.solver.probability.solution_count import FEW_STATES, count_solutions


def is_possible(system: System, states: int = FEW_STATES) -> bool:
    """Whether the system has a solution; True as well where that would take more states to find out."""
    settled = settle_groups(system)
    return settled is not None and count_solutions(settled.rest, states) is not None


MOST_WORK = 1_000_000
"""Groups that are looked at, in all the tries together, to find a smallest contradiction: some seconds.
Boards of Expert take 120,000."""

STATES_A_GROUP, CELLS_A_GROUP = 64, 800
"""As much work as to look at one group is to lay out so many states, and to combine it with so many cells."""


class _UsedUp(Exception):
    """The work that there may be was done."""


@dataclass(frozen=True)
class Core:
    """Groups that cannot all be true, while any fewer of them can."""

    groups: tuple[int, ...]
    """Their places in the system, ascending."""
    total: bool
    """Whether the mine total is needed as well."""
    smallest: bool = True
    """False where it was too much work to find which of them could be left out."""


def smallest_contradiction(system: System, states: int = FEW_STATES, work: int = MOST_WORK) -> Core | None:
    """A smallest set (no group of it can be left out) of what contradicts itself; None where nothing does, as
    far as so many `states` tell.

    Groups are deleted, halves at a time, as long as the rest cannot be (QuickXplain, U. Junker 2004). The
    total is left out where the groups contradict each other without it. Where that takes more than so much
    `work`, what contradicts is told as it was found.
    """
    everything = list(range(len(system.groups)))
    left = work

    def fine(groups: Sequence[int], total: bool) -> bool:
        nonlocal left
        left -= len(groups) * (1 + system.cells // CELLS_A_GROUP) + states // STATES_A_GROUP
        mines = system.mines if total else None
        some = System(system.cells, tuple(system.groups[index] for index in groups), mines)
        return is_possible(some, states)

    if not fine(everything, False):
        components = sorted(components_of(system), key=len)
        wrong = next((component for component in components if not fine(component, False)), everything)
        total = False
    elif system.mines is None or fine(everything, True):
        return None
    else:
        wrong, total = everything, True

    def still_fine(some: Sequence[int]) -> bool:
        if left < 0:
            raise _UsedUp
        return fine(some, total)

    try:
        return Core(tuple(sorted(_explain(wrong, still_fine))), total)
    except _UsedUp:
        return Core(tuple(wrong), total, smallest=False)


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


def components_of(system: System) -> list[list[int]]:
    """The groups that hang together by shared cells."""
    of_cell: dict[int, list[int]] = {}
    for index, group in enumerate(system.groups):
        for cell in group.cells:
            of_cell.setdefault(cell, []).append(index)
    left = set(range(len(system.groups)))
    components = []
    while left:
        component = [left.pop()]
        for index in component:  # it grows on the way
            beside = {other for cell in system.groups[index].cells for other in of_cell[cell]} & left
            left -= beside
            component += sorted(beside)
        components.append(sorted(component))
    return components
