"""Layouts drawn at random from all that fit what a player knows, each as likely as it is."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Coordinate, Observation
from bot.solver.constraints.packing import MOST_STATES
from bot.solver.constraints.system import Settled, settle_groups
from bot.solver.position.board_system import take_up
from bot.solver.probability.solution_count import Counted, count_solutions

Bits = npt.NDArray[np.bool_]

Generator = np.random.Generator


def sample_layouts(
    observation: Observation, samples: int, rng: Generator
) -> tuple[list[Coordinate], Bits] | None:
    """The covered cells, and so many layouts of them: shape (samples, cells), true for a mine.

    A layout counts once for each case of the observation that it fits. None where the mine total is unknown,
    where nothing fits, or where a component is too large to be counted.
    """
    cells = observation.board.where(Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.UNREAD)
    counted: list[tuple[Settled, Counted]] = []
    for case in observation.cases or (None,):
        told, mines = observation.constraints, observation.rules.mines
        if case is not None:
            told, mines = (*told, *case.constraints), mines if case.mines is None else case.mines
        settled = settle_groups(take_up(observation.board, mines, told).system)
        solutions = None if settled is None else count_solutions(settled.rest, MOST_STATES)
        if settled is not None and solutions is not None:
            counted.append((settled, solutions))
    if not counted:
        return None
    logs = np.array([solutions.log_solutions for _, solutions in counted])
    shares = np.exp(logs - logs.max())
    of_case = rng.multinomial(samples, shares / shares.sum())
    layouts = np.zeros((0, len(cells)), np.bool_)
    for (settled, solutions), number in zip(counted, of_case.tolist(), strict=True):
        drawn = solutions.draw(number, int(rng.integers(1 << 31)))
        if drawn is None:
            return None
        whole = np.zeros((number, len(cells)), np.bool_)
        whole[:, [cell for cell, mine in settled.value.items() if mine]] = True
        whole[:, list(settled.cells)] = drawn
        layouts = np.concatenate([layouts, whole])
    return cells, layouts
