"""Dead cells: those that teach nothing, because they show the same number whenever they are safe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.board import Board, Coordinate
from bot.solver.constraints.system import Group, Settled, System, settle_groups
from bot.solver.position.contradiction import components_of, is_possible
from bot.solver.probability.solution_count import FEW_STATES, Counted, count_solutions

NEARLY = 1e-6
"""How far the expected mines around a cell may be from a whole number for it to be looked at by logic."""

Class = frozenset[int]
"""The groups that a cell lies in: cells of the same ones can change places in any solution."""

KNOWN: Class = frozenset({-1})
"""Stands for the class of a cell that is known to be safe."""


def dead_cells(
    board: Board, cells: Sequence[Coordinate], settled: Settled, counted: Counted
) -> tuple[Coordinate, ...]:
    """The dead cells among the unknown `cells` of a board, row by row; certain mines are none.

    `settled` numbers the cells as they come in `cells`, and `counted` is its rest, counted. A cell whose
    answer would take too many states is not called dead.
    """
    number = {cell: index for index, cell in enumerate(cells)}
    rest_number = {index: at for at, index in enumerate(settled.cells)}
    search = _Search(settled.rest, counted)
    dead = []
    for index, cell in enumerate(cells):
        at = rest_number.get(index, -1)
        if settled.value.get(index) or (at >= 0 and counted.chance[at] == 1.0):
            continue
        around = (number[beside] for beside in board.neighbours(*cell) if beside in number)
        if search.is_dead(at, [rest_number[beside] for beside in around if beside in rest_number]):
            dead.append(cell)
    return tuple(dead)


class _Part(NamedTuple):
    """Some components of a system."""

    system: System
    number: dict[int, int]
    """Of each cell, its number in `system`."""
    chances: dict[Class, float]
    """The chance of a mine in (another) cell of each class, where the cell that is looked at is safe."""


class _Search:
    """Looks at one cell after another, and remembers the answers for cells that are like each other."""

    def __init__(self, rest: System, counted: Counted) -> None:
        self._rest = rest
        groups: list[set[int]] = [set() for _ in range(rest.cells)]
        for index, group in enumerate(rest.groups):
            for member in group.cells:
                groups[member].add(index)
        self._class = [frozenset(each) for each in groups]
        self._components = components_of(rest)
        self._component = {
            group: index for index, component in enumerate(self._components) for group in component
        }
        self._known: dict[tuple[Class, tuple[tuple[int, ...], ...]], bool] = {}
        self._parts: dict[tuple[Class, frozenset[int]], _Part | None] = {}
        # Where the cells outside have room for every way to fill the components, and mines for it, with one
        # to move about, the total has no say in what is possible, and the components are apart from each
        # other.
        fewest, most, outside = counted.range
        self._apart = rest.mines is None or (most < rest.mines and rest.mines - fewest <= outside - 10)

    def is_dead(self, cell: int, around: list[int]) -> bool:
        """Whether a cell (-1 for one that is known to be safe) shows one number; `around` is uncertain."""
        own = self._class[cell] if cell >= 0 else KNOWN
        key = own, tuple(sorted(tuple(sorted(self._class[beside])) for beside in around))
        if key not in self._known:
            self._known[key] = not around or self._look(cell, around)
        return self._known[key]

    def _look(self, cell: int, around: list[int]) -> bool:
        if self._apart and cell >= 0 and not self._class[cell]:
            cell = -1  # no number beside it: whether it is safe says nothing about the components
        own = self._class[cell] if cell >= 0 else KNOWN
        if self._apart:
            if any(not self._class[beside] for beside in around):
                return False
            touched = {
                self._component[group] for each in (cell, *around) if each >= 0 for group in self._class[each]
            }
        else:
            touched = set(range(len(self._components)))
        key = own, frozenset(touched)
        if key not in self._parts:
            self._parts[key] = self._part(touched, cell)
        part = self._parts[key]
        if part is None:
            return False
        system = part.system
        beside = [part.chances[self._class[other]] for other in around]
        if all(chance in (0.0, 1.0) for chance in beside):
            return True
        expected = round(sum(beside))
        if abs(sum(beside) - expected) > NEARLY:
            return False
        # The mean is a whole number: dead only if no solution has another one. That is asked, not rounded.
        if cell >= 0:
            system = _with(part.system, Group((part.number[cell],), 0))
        cells = tuple(sorted(part.number[other] for other in around))
        return not any(
            is_possible(_with(system, Group(cells, mines)))
            for mines in range(len(around) + 1)
            if mines != expected
        )

    def _part(self, components: set[int], cell: int) -> _Part | None:
        """Some components, and the chances in them where `cell` is safe; None where it takes too many
        states."""
        groups = [
            self._rest.groups[group]
            for component in sorted(components)
            for group in self._components[component]
        ]
        if self._apart:
            members = {member for group in groups for member in group.cells}
        else:
            members = set(range(self._rest.cells))
        order = sorted(members | ({cell} if cell >= 0 else set()))
        number = {member: index for index, member in enumerate(order)}
        system = System(
            len(order),
            tuple(Group(tuple(number[member] for member in group.cells), group.mines) for group in groups),
            None if self._apart else self._rest.mines,
        )
        settled = settle_groups(_with(system, Group((number[cell],), 0)) if cell >= 0 else system)
        counted = None if settled is None else count_solutions(settled.rest, FEW_STATES)
        if settled is None or counted is None or counted.limited:
            return None
        chances = {
            self._class[order[other]]: float(mine)
            for other, mine in settled.value.items()
            if order[other] != cell
        }
        for other, chance in zip(settled.cells, counted.chance, strict=True):
            chances[self._class[order[other]]] = chance
        return _Part(system, number, chances)


def _with(system: System, group: Group) -> System:
    return System(system.cells, (*system.groups, group), system.mines)
