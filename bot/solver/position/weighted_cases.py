"""Chances where some layouts are likelier than others: several systems solved apart, and weighed.

A first-click rule that mends a field after it was laid makes layouts likelier that several fields lead to.
An observation says it as cases, in each of which all layouts are equally likely: so the chance of a mine is
the mean over the cases, each weighed by the number of its solutions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from bot.board import Coordinate, Observation
from bot.errors import ContradictionError
from bot.solver.constraints.packing import MOST_STATES
from bot.solver.position.solve import Solved, solve_board

NEGLIGIBLE = -15.0
"""A case with fewer solutions than the first by this power of ten changes no chance that a float can tell."""


def solve_observation(observation: Observation, states: int = MOST_STATES, *, dead: bool = False) -> Solved:
    """Solve what a player knows: the board, further constraints, and the cases where there are any.

    The same as `bot.solver.position.solve.solve_board` where there are none. With cases, `solutions` and its
    logarithm count a layout once for each case that it fits, and no cell is called dead. Raises
    Contradiction where no layout fits in any case.
    """
    board, rules, told = observation.board, observation.rules, observation.constraints
    if not observation.cases:
        return solve_board(board, rules, told, states, dead=dead)
    # Where the first case rules nothing out, each other case only makes some of its layouts likelier.
    first = observation.cases[0]
    holds_all = not first.constraints and all(case.mines == first.mines for case in observation.cases)
    solved: list[Solved] = []
    impossible: ContradictionError | None = None
    for case in observation.cases:
        mines = rules.mines if case.mines is None else case.mines
        try:
            one = solve_board(
                board, replace(rules, mines=mines), (*told, *case.constraints), states, dead=False
            )
        except ContradictionError as error:
            impossible = error
            continue
        solved.append(one)
        if one.log10_solutions is None:
            break
        if holds_all and one.log10_solutions < (solved[0].log10_solutions or 0.0) + NEGLIGIBLE:
            break
    if not solved:
        assert impossible is not None
        raise impossible
    return solved[0] if len(solved) == 1 else _mixed(solved)


def _mixed(solved: Sequence[Solved]) -> Solved:
    weights = [one.log10_solutions for one in solved]
    known = [weight for weight in weights if weight is not None]
    if len(known) < len(solved):
        # A component too large to be counted: the first case, which is by far the likeliest, speaks for all.
        return replace(solved[0], approximate=True)
    highest = max(known)
    counts = [one.solutions for one in solved]
    exact = all(count is not None for count in counts)
    if exact:
        total_count = sum(count for count in counts if count is not None)
        shares = [(count or 0) / total_count for count in counts]
    else:
        powers = [10 ** (weight - highest) for weight in known]
        shares = [power / sum(powers) for power in powers]
    chance: dict[Coordinate, float] = {}
    safe, mines = [], []
    for cell in solved[0].chance:
        of_cases = [one.chance[cell] for one in solved]
        if all(value == 0.0 for value in of_cases):
            chance[cell] = 0.0
            safe.append(cell)
        elif all(value == 1.0 for value in of_cases):
            chance[cell] = 1.0
            mines.append(cell)
        else:
            mixed = sum(share * value for share, value in zip(shares, of_cases, strict=True))
            chance[cell] = min(max(mixed, 1e-300), 1.0 - 2.0**-53)
    return Solved(
        safe=tuple(safe),
        mines=tuple(mines),
        chance=chance,
        dead=(),
        solutions=sum(count for count in counts if count is not None) if exact else None,
        log10_solutions=highest + math.log10(sum(10 ** (weight - highest) for weight in known)),
        approximate=any(one.approximate for one in solved),
    )
