"""The arrays and the settings of one player, and taking up a board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.solver.constraints.workspace import Bytes, Floats, Ints, Longs, Workspace, new_workspace
from bot.solver.deduction.compiled_board import (
    SAFE_COUNT,
    CompiledBoard,
    apply_number_rules,
    load_codes,
    new_board,
)
from bot.solver.endgame.exact_search import Endgame, new_endgame
from bot.solver.endgame.greedy_lookahead import Lookahead, new_lookahead
from bot.solver.guess.outcomes import Outcomes, new_outcomes
from bot.solver.guess.settings import (
    CORRECT,
    FIFTY_FIFTY,
    GROUP_SOLUTIONS,
    LAYER_STATES,
    LAYOUT_WORK,
    LAYOUTS,
    LEAST_WALLS,
    MARGIN,
    NODE_BUDGET,
    POLICY,
    ROLL_MARGIN,
    ROLL_PRIOR,
    SAFEST,
    SETTINGS,
    SOLUTIONS,
)
from bot.solver.jit.compiler import jit
from bot.solver.probability.combination import OUT_SIZE
from bot.solver.probability.sampling import Sampler, new_sampler
from bot.solver.value.features import CORRECTION_INPUTS, FEATURES

Floats32 = np.ndarray

RESULT_WIN = 0
"""The chance to win, where it is exact, else -1."""
RESULT_LOSS = 1
"""The counter in `Player.stats` of what is lost by: LOST_SCORED, LOST_END or LOST_GROUP."""
RESULT_SCORE = 2
"""What the chance to win is taken for; -1 where there is no score."""
RESULT_KIND = 3
"""How the guess was chosen, as a counter in `Player.stats`: SCORED, ENDGAMES or GROUPS."""
RESULT_CUT = 4
"""1 where thought was cut short by HURRY."""
RESULT_GROUP_WIN = 5
"""The chance to survive the isolated group that was searched."""
RESULT_GROUP = 6
"""The lowest component of that group."""

ANALYSES, GUESSED, ENDGAMES, GROUPS, SCORED, FAILED, LOST_SCORED, LOST_END, LOST_GROUP, LOST_EARLY = range(10)


class Player(NamedTuple):
    """All arrays of one player at one size of board."""

    field: CompiledBoard
    ws: Workspace
    trial: Workspace
    """For the positions after a candidate."""
    game: Endgame
    ahead: Lookahead
    chance: Floats
    out: Floats
    settings: Floats
    """By the places of `bot.solver.guess.settings`."""
    result: Floats
    """Of the last guess, by RESULT_WIN to RESULT_GROUP."""
    stats: Floats
    outcomes: Outcomes
    candidates: Ints
    candidate_count: Ints
    score: Floats
    net: Floats
    correction: Floats
    seen: Floats
    names: Longs
    memory: Longs
    memory_cell: Ints
    memory_result: Floats
    sampler: Sampler
    record: Floats32
    record_outcome: Floats
    """The controlled result of the game from each row on."""
    record_weight: Floats
    record_size: Ints
    controlled: Floats
    """The result of the game so far, as `control_variate` counts it."""


def new_player(
    rows: int,
    columns: int,
    mines: int | None,
    solutions: int = 400,
    net: Floats | None = None,
    correction: Floats | None = None,
    records: int = 1,
    layouts: int = 20000,
) -> Player:
    """A player for boards of one size, with the weights that are given."""
    size = (rows + 2) * (columns + 2)
    settings = np.zeros(len(SETTINGS))
    settings[LAYER_STATES] = 20000
    settings[SOLUTIONS] = solutions
    settings[NODE_BUDGET] = 100000
    settings[GROUP_SOLUTIONS] = 400
    settings[MARGIN] = 0.1
    settings[POLICY] = SAFEST
    settings[ROLL_MARGIN] = 0.03
    settings[ROLL_PRIOR] = 250
    settings[FIFTY_FIFTY] = 0.8
    settings[LEAST_WALLS] = 0.004
    settings[CORRECT] = correction is not None
    settings[LAYOUTS] = layouts
    settings[LAYOUT_WORK] = 1e8
    return Player(
        field=new_board(rows, columns, mines),
        ws=new_workspace(size, 1 << 18),
        trial=new_workspace(size, 1 << 18),
        game=new_endgame(max(solutions, 400, layouts), rows * columns),
        ahead=new_lookahead(max(solutions, 400, layouts), rows * columns),
        chance=np.zeros(size),
        out=np.zeros(OUT_SIZE),
        settings=settings,
        result=np.zeros(7),
        stats=np.zeros(32),
        outcomes=new_outcomes(size, rows * columns),
        candidates=np.zeros(size, np.int32),
        candidate_count=np.zeros(1, np.int32),
        score=np.zeros(size),
        net=np.zeros(1) if net is None else net,
        correction=np.zeros(1) if correction is None else correction,
        seen=np.zeros(CORRECTION_INPUTS),
        names=np.random.default_rng(5).integers(1, 1 << 62, (size, 9)),
        memory=np.zeros(1 << 16, np.int64),
        memory_cell=np.zeros(1 << 16, np.int32),
        memory_result=np.zeros((1 << 16, 7)),
        sampler=new_sampler(rows * columns, rows * columns, rows * columns, size),
        record=np.zeros((records, FEATURES), np.float32),
        record_outcome=np.zeros(records),
        record_weight=np.zeros(records),
        record_size=np.zeros(1, np.int32),
        controlled=np.zeros(4),
    )


@jit
def load_board(player: Player, codes: Bytes) -> None:
    """Take up a board: codes of `bot.board.Cell`, shape (rows, columns). Flags prove nothing, but one that
    is crossed out stands where no mine is."""
    field = player.field
    load_codes(field, codes)
    # A crossed-out flag is nothing to open.
    field.numbers[SAFE_COUNT] = 0
    apply_number_rules(field)
