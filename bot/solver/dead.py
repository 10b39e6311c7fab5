"""Dead cells: those that teach nothing, because they show the same number whenever they are safe."""

from __future__ import annotations

from collections.abc import Sequence

from bot.board import Board, Coordinate
from bot.solver.contradiction import possible
from bot.solver.counting import FEW_STATES, count
from bot.solver.system import Group, System, settle

NEARLY = 1e-6
"""How far the expected mines around a cell may be from a whole number for it to be looked at by logic."""

Class = frozenset[int]
"""The groups that a cell lies in: cells of the same ones can change places in any solution."""


def dead_cells(
    board: Board, cells: Sequence[Coordinate], system: System, mines: set[Coordinate]
) -> tuple[Coordinate, ...]:
    """The dead cells among the unknown `cells` of a board, row by row, `mines` (certain ones) left out.

    `system` numbers the cells as they come in `cells`. A cell whose answer would take too many states is
    not called dead.
    """
    number = {cell: index for index, cell in enumerate(cells)}
    groups: list[set[int]] = [set() for _ in cells]
    for index, group in enumerate(system.groups):
        for member in group.cells:
            groups[member].add(index)
    classes = [frozenset(each) for each in groups]
    conditional: dict[Class, dict[Class, float] | None] = {}
    known: dict[tuple[Class, tuple[tuple[int, ...], ...]], bool] = {}
    dead = []
    for index, cell in enumerate(cells):
        if cell in mines:
            continue
        around = [number[beside] for beside in board.neighbours(*cell) if beside in number]
        own = classes[index]
        # Cells of one class, with neighbours of the same classes, have the same answer.
        key = own, tuple(sorted(tuple(sorted(classes[beside])) for beside in around))
        if key not in known:
            if own not in conditional:
                conditional[own] = _when_safe(system, classes, index)
            chances = conditional[own]
            known[key] = chances is not None and _is_dead(system, index, around, classes, chances)
        if known[key]:
            dead.append(cell)
    return tuple(dead)


def _when_safe(system: System, classes: Sequence[Class], index: int) -> dict[Class, float] | None:
    """The chance of a mine in (another) cell of each class if one cell is safe; exactly 0 or 1 if certain.

    None where the cell cannot be safe, or where it takes too many states.
    """
    settled = settle(System(system.cells, (*system.groups, Group((index,), 0)), system.mines))
    counted = None if settled is None else count(settled.rest, FEW_STATES)
    if settled is None or counted is None or counted.limited:
        return None
    chances = {classes[cell]: float(mine) for cell, mine in settled.value.items() if cell != index}
    chances.update(
        (classes[cell], chance) for cell, chance in zip(settled.cells, counted.chance, strict=True)
    )
    return chances


def _is_dead(
    system: System, index: int, around: Sequence[int], classes: Sequence[Class], chances: dict[Class, float]
) -> bool:
    beside = [chances[classes[cell]] for cell in around]
    if all(chance in (0.0, 1.0) for chance in beside):
        return True
    expected = round(sum(beside))
    if abs(sum(beside) - expected) > NEARLY:
        return False
    # The mean is a whole number: dead only if no solution has another one. That is asked, not rounded.
    for mines in range(len(around) + 1):
        supposed = Group((index,), 0), Group(tuple(sorted(around)), mines)
        if mines != expected and possible(System(system.cells, system.groups + supposed, system.mines)):
            return False
    return True
