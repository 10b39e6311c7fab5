"""The arrays and the settings of one player, and taking up a board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.solver.analysis import OUT_SIZE
from bot.solver.compiled import jit
from bot.solver.draws import Draws, new_draws
from bot.solver.endgame import Endgame, new_endgame
from bot.solver.features import FEATURES, MORE
from bot.solver.field import MINE, SAFE, SAFES, STRIDE, Field, clear, deduce, new_field, reveal, settle
from bot.solver.lookahead import Lookahead, new_lookahead
from bot.solver.outlook import Outlook, new_outlook
from bot.solver.workspace import Bytes, Floats, Ints, Longs, Workspace, new_workspace

Floats32 = np.ndarray

(
    LIMIT,
    SOLUTIONS,
    NODE_BUDGET,
    GROUP_SOLUTIONS,
    MARGIN,
    POLICY,
    EXPLORE,
    LAYOUTS,
    LAYOUT_WORK,
    ROLLS,
    ROLL_MARGIN,
    ROLL_PRIOR,
    HURRY,
    CONTROL,
    FIFTY_FIFTY,
    LEAST,
    CORRECT,
) = range(17)
"""Settings: most states of a layer; most solutions of a board that is searched to the end, and its nodes;
most solutions of a closed front that is; how much more likely a mine may be in a candidate than in the
safest cell; SAFEST or BEST_SCORE; how often to explore; most solutions of a board that is looked ahead in
with all of them written out, and the work of that; games that are played on from the best cells of one guess,
how far behind the best their score may be, as how many such games the score counts, 1 where the answer is
wanted now, and 1 where the luck is taken out of the result of a game (controlled.py); how much of what a
fifty-fifty would cost later is counted for a cell that may lie in one, and how unlikely walls (fifty.py) are
not looked at; 1 where scores are corrected (correction.py)."""

RADIUS, SIGNS, TERMS = 3, 5, 5
AROUND = (2 * RADIUS + 1) ** 2
SEEN = FEATURES + MORE + TERMS + AROUND * SIGNS
"""What a correction is told from: how far around a candidate, so many numbers of each cell there, and the
terms of the score; so many numbers in all."""

SAFEST, BEST_SCORE = range(2)
"""Policies: the safest cell; that of the highest score."""

WIN, _, _, _, CUT, GROUP_WIN, GROUP = range(7)
"""Results: the chance to win, where it is exact, else -1; 1 where thought was cut short by HURRY; the
chance to survive the closed group that was searched, and its lowest front."""

ANALYSES, GUESSES, ENDGAMES, GROUPS, SCORED, FAILED, LOST_SCORED, LOST_END, LOST_GROUP, LOST_EARLY = range(10)


class Player(NamedTuple):
    """All arrays of one player at one size of board."""

    field: Field
    ws: Workspace
    trial: Workspace
    """For the positions after a candidate."""
    game: Endgame
    ahead: Lookahead
    chance: Floats
    out: Floats
    settings: Floats
    result: Floats
    """Of the last guess: the chance to win where it is exact, the counter of the kind, the score, the kind,
    whether it was cut short."""
    stats: Floats
    look: Outlook
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
    draws: Draws
    record: Floats32
    record_outcome: Floats
    """The controlled result of the game from each row on."""
    record_weight: Floats
    record_size: Ints
    controlled: Floats
    """The result of the game so far, as `selfplay` tells it."""


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
    settings = np.zeros(40)
    settings[LIMIT] = 20000
    settings[SOLUTIONS] = solutions
    settings[NODE_BUDGET] = 100000
    settings[GROUP_SOLUTIONS] = 400
    settings[MARGIN] = 0.1
    settings[POLICY] = SAFEST
    settings[ROLL_MARGIN] = 0.03
    settings[ROLL_PRIOR] = 250
    settings[FIFTY_FIFTY] = 0.8
    settings[LEAST] = 0.004
    settings[CORRECT] = correction is not None
    settings[LAYOUTS] = layouts
    settings[LAYOUT_WORK] = 1e8
    return Player(
        field=new_field(rows, columns, mines),
        ws=new_workspace(size, 1 << 18),
        trial=new_workspace(size, 1 << 18),
        game=new_endgame(max(solutions, 400, layouts), rows * columns),
        ahead=new_lookahead(max(solutions, 400, layouts), rows * columns),
        chance=np.zeros(size),
        out=np.zeros(OUT_SIZE),
        settings=settings,
        result=np.zeros(7),
        stats=np.zeros(32),
        look=new_outlook(size, rows * columns),
        candidates=np.zeros(size, np.int32),
        candidate_count=np.zeros(1, np.int32),
        score=np.zeros(size),
        net=np.zeros(1) if net is None else net,
        correction=np.zeros(1) if correction is None else correction,
        seen=np.zeros(SEEN),
        names=np.random.default_rng(5).integers(1, 1 << 62, (size, 9)),
        memory=np.zeros(1 << 16, np.int64),
        memory_cell=np.zeros(1 << 16, np.int32),
        memory_result=np.zeros((1 << 16, 7)),
        draws=new_draws(size, rows * columns),
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
    clear(field)
    stride = field.numbers[STRIDE]
    for row in range(codes.shape[0]):
        for column in range(codes.shape[1]):
            cell = (row + 1) * stride + column + 1
            code = codes[row, column]
            if code <= 8:
                reveal(field, cell, code)
            elif code == 12 or code == 13:
                settle(field, cell, MINE)
            elif code == 14:
                settle(field, cell, SAFE)
    # A crossed-out flag is nothing to open.
    field.numbers[SAFES] = 0
    deduce(field)
