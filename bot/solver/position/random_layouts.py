"""Layouts drawn at random from all that fit what a player knows, each as likely as it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bot.board import Board, Cell, Constraint, Coordinate, Observation
from bot.solver.constraints.system import Group, System, settle_groups

Bits = npt.NDArray[np.bool_]

Numbers = npt.NDArray[np.int16]

Generator = np.random.Generator

PARTS = 20_000
"""Ways to fill the boxes that are kept; of more, a random choice is, and the draw is no longer exact."""


@dataclass(frozen=True, eq=False)
class _Filled:
    """The ways to fill the boxes of one case."""

    settled: npt.NDArray[np.int8]
    """Of each cell, 1 for a settled mine, 0 for a settled safe cell, -1 for neither."""
    boxes: list[list[int]]
    """The unsettled cells in each box; the last is of those in no group."""
    ways: Numbers
    """How many mines each box holds, shape (ways, boxes)."""
    weights: npt.NDArray[np.float64]
    """The logarithm of the layouts of each way."""


def sample_layouts(
    observation: Observation, samples: int, rng: Generator
) -> tuple[list[Coordinate], Bits] | None:
    """The covered cells, and so many layouts of them: shape (samples, cells), true for a mine.

    A layout counts once for each case of the observation that it fits. None where the mine total is unknown
    or nothing fits.
    """
    board = observation.board
    cells = board.where(Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.UNREAD)
    filled = []
    for case in observation.cases or (None,):
        told = observation.constraints if case is None else (*observation.constraints, *case.constraints)
        rules = observation.rules
        if case is not None and case.mines is not None:
            rules = replace(rules, mines=case.mines)
        if rules.mines is None:
            return None
        system = _system(board, cells, told, rules.mines)
        one = _fill(system, rng)
        if one is not None:
            filled.append(one)
    if not filled:
        return None
    highest = max(float(one.weights.max()) for one in filled)
    shares = [np.exp(one.weights - highest) for one in filled]
    sums = np.array([share.sum() for share in shares])
    of_case = rng.multinomial(samples, sums / sums.sum())
    layouts = [
        _layouts(one, share, number, rng)
        for one, share, number in zip(filled, shares, of_case, strict=True)
        if number
    ]
    return cells, np.concatenate(layouts)


def _system(board: Board, cells: Sequence[Coordinate], told: Sequence[Constraint], mines: int) -> System:
    number = {cell: index for index, cell in enumerate(cells)}
    shown = set(board.where(Cell.MINE, Cell.EXPLODED))
    facts = [
        Constraint(frozenset(board.neighbours(int(r), int(c))), board[int(r), int(c)])
        for r, c in np.argwhere(board.codes <= 8)
    ]
    groups = tuple(
        Group(
            tuple(sorted(number[cell] for cell in fact.cells & number.keys())),
            fact.mines - len(fact.cells & shown),
        )
        for fact in (*facts, *told)
    )
    return System(len(cells), groups, mines - len(shown))


def _fill(system: System, rng: Generator) -> _Filled | None:
    """All ways to fill the boxes, box by box; None where there is none."""
    start = settle_groups(system)
    if start is None:
        return None
    rest = start.rest
    assert rest.mines is not None
    settled = np.full(system.cells, -1, np.int8)
    for cell, mine in start.value.items():
        settled[cell] = mine
    of_cell: list[list[int]] = [[] for _ in range(rest.cells)]
    for index, group in enumerate(rest.groups):
        for cell in group.cells:
            of_cell[cell].append(index)
    by_groups: dict[tuple[int, ...], list[int]] = {}
    for cell, groups in enumerate(of_cell):
        by_groups.setdefault(tuple(groups), []).append(cell)
    outside = by_groups.pop((), [])
    # Boxes of the same groups beside each other: a group is closed, and checked, as early as can be.
    keys = sorted(by_groups)
    boxes = [by_groups[key] for key in keys]
    room = np.zeros(len(rest.groups), np.int16)
    for key, box in zip(keys, boxes, strict=True):
        room[list(key)] += len(box)
    ways = np.zeros((1, 0), np.int16)
    needs = np.array([[group.mines for group in rest.groups]], np.int16)
    weights = np.zeros(1)
    for key, box in zip(keys, boxes, strict=True):
        groups = list(key)
        room[groups] -= len(box)
        tried = [(count, _log_choose(len(box), count)) for count in range(len(box) + 1)]
        left = np.concatenate([needs - _taken(count, groups, needs.shape[1]) for count, _ in tried])
        fits = ((left >= 0) & (left <= room)).all(axis=1)
        new = np.concatenate([np.column_stack([ways, np.full(len(ways), count)]) for count, _ in tried])
        heavy = np.concatenate([weights + log for _, log in tried])
        total_left = rest.mines - new.sum(axis=1)
        fits &= (total_left >= 0) & (total_left <= rest.cells)
        ways, needs, weights = new[fits].astype(np.int16), left[fits], heavy[fits]
        if not len(ways):
            return None
        if len(ways) > PARTS:
            kept = rng.choice(len(ways), PARTS, replace=False)
            ways, needs, weights = ways[kept], needs[kept], weights[kept]
    left_over = rest.mines - ways.sum(axis=1)
    fits = (left_over >= 0) & (left_over <= len(outside))
    if not fits.any():
        return None
    ways, weights, left_over = ways[fits], weights[fits], left_over[fits]
    weights = weights + np.array([_log_choose(len(outside), int(count)) for count in left_over])
    names = [[start.cells[cell] for cell in box] for box in (*boxes, outside)]
    return _Filled(settled, names, np.column_stack([ways, left_over]).astype(np.int16), weights)


def _taken(count: int, groups: list[int], width: int) -> Numbers:
    taken = np.zeros(width, np.int16)
    taken[groups] = count
    return taken


def _log_choose(size: int, count: int) -> float:
    return math.lgamma(size + 1) - math.lgamma(count + 1) - math.lgamma(size - count + 1)


def _layouts(filled: _Filled, shares: npt.NDArray[np.float64], number: int, rng: Generator) -> Bits:
    chosen = rng.choice(len(shares), number, p=shares / shares.sum())
    layouts = np.zeros((number, len(filled.settled)), np.bool_)
    layouts[:, filled.settled == 1] = True
    for at, box in enumerate(filled.boxes):
        if box:
            # The places of a box in a random order: the first so many hold its mines.
            order = rng.random((number, len(box))).argsort(axis=1).argsort(axis=1)
            layouts[:, box] = order < filled.ways[chosen, at][:, None]
    return layouts
