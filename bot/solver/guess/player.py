"""The arrays and the settings of one player, and taking up a board."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bot.solver.constraints.workspace import Bytes, Floats, Ints, Longs, Workspace, new_workspace
from bot.solver.deduction.compiled_board import CompiledBoard, apply_number_rules, load_codes, new_board
from bot.solver.endgame.exact_search import Endgame, new_endgame
from bot.solver.endgame.greedy_lookahead import Lookahead, new_lookahead
from bot.solver.guess.outcomes import Outcomes, new_outcomes
from bot.solver.guess.settings import SAFEST, Settings
from bot.solver.jit.compiler import jit, part
from bot.solver.jit.records import Record, array_of, new
from bot.solver.probability.combination import Combination
from bot.solver.probability.sampling import Sampler, new_sampler
from bot.solver.value.inputs import CORRECTION_INPUTS, FEATURES

Floats32 = np.ndarray

ENDGAMES, GROUPS, SCORED = range(1, 4)
"""How a guess was chosen: by exact search of the whole board, or of an isolated group, or else."""


class GuessResult(Record):
    """What is known of the last guess."""

    kind: int
    """ENDGAMES, GROUPS or SCORED."""
    win: float
    """The chance to win, where it is exact, else -1."""
    score: float
    """What the chance to win is taken for; -1 where there is no score."""
    cut: int
    """1 where thought was cut short by `hurry`."""
    group: int
    """The lowest component of the isolated group that was searched, ..."""
    group_win: float
    """and the chance to survive it."""


class ControlledGame(Record):
    """The result of a game, as `control_variate` counts it."""

    result: float
    """So far."""
    groups_before: float
    """The chance to survive the closed groups before the last guess."""
    value_before: float
    """The value of what that guess showed."""
    groups_since: float
    """The chance to survive the closed groups since."""
    stop: int
    """How many scored guesses come before the one that the game stops at; negative where it does not stop."""
    early: int
    """1 where all of them count, 0 where those after the first zero."""
    turn: int
    """Guesses so far of which the luck was to be taken out, ..."""
    random_turn: int
    """and which of them is a random one, with `explore`."""


class Player(NamedTuple):
    """All arrays of one player at one size of board."""

    field: CompiledBoard
    ws: Workspace
    trial: Workspace
    """For the positions after a candidate."""
    game: Endgame
    ahead: Lookahead
    chance: Floats
    combined: Combination
    trial_combined: Combination
    """Of `trial`."""
    settings: Settings
    result: GuessResult
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
    memory_result: Any
    """Of the kind `GuessResult`."""
    sampler: Sampler
    record: Floats32
    record_outcome: Floats
    """The controlled result of the game from each row on."""
    record_weight: Floats
    record_size: Ints
    controlled: ControlledGame


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
    settings = new(Settings)
    settings.layer_states = 20000
    settings.solutions = solutions
    settings.node_budget = 100000
    settings.group_solutions = 400
    settings.margin = 0.1
    settings.policy = SAFEST
    settings.roll_margin = 0.03
    settings.roll_prior = 250
    settings.fifty_fifty = 0.8
    settings.least_walls = 0.004
    settings.correct = correction is not None
    settings.layouts = layouts
    settings.layout_work = 100_000_000
    return Player(
        field=new_board(rows, columns, mines),
        ws=new_workspace(size, 1 << 18),
        trial=new_workspace(size, 1 << 18),
        game=new_endgame(max(solutions, 400, layouts), rows * columns),
        ahead=new_lookahead(max(solutions, 400, layouts), rows * columns),
        chance=np.zeros(size),
        combined=new(Combination),
        trial_combined=new(Combination),
        settings=settings,
        result=new(GuessResult),
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
        memory_result=array_of(GuessResult, 1 << 16),
        sampler=new_sampler(rows * columns, size),
        record=np.zeros((records, FEATURES), np.float32),
        record_outcome=np.zeros(records),
        record_weight=np.zeros(records),
        record_size=np.zeros(1, np.int32),
        controlled=new(ControlledGame),
    )


@jit
def load_board(player: Player, codes: Bytes) -> None:
    """Take up a board: codes of `bot.board.Cell`, shape (rows, columns). Flags prove nothing, but one that
    is crossed out stands where no mine is."""
    field = player.field
    load_codes(field, codes)
    # A crossed-out flag is nothing to open.
    field.counts.safe = 0
    apply_number_rules(field)


@part
def copy_result(source: GuessResult, target: GuessResult) -> None:
    """Make the second one like the first."""
    target.kind = source.kind
    target.win = source.win
    target.score = source.score
    target.cut = source.cut
    target.group = source.group
    target.group_win = source.group_win
