"""Deciding what to open where nothing is certain: one compiled function for one position.

`choose` decides in this order, with `chances` and `settle_certain` done:

1. few solutions left: exact search to the end of the game (`endgame`);
2. a closed group of fronts, which nothing outside will ever tell more about: exact search in it, now;
3. solutions that can still be written out: a look ahead over all of them (lookahead.py);
4. else the cell with the highest score (`scored`), one move deep: its chance to survive, the learned value
   of each number that it can show (told from features.py, its weights in value.npy), how safe the next
   guesses will be, the fifty-fifties it may lie in (fifty.py), and a correction for what that leaves out
   (correction.py). With more thought (`rolled`), games are played on from the best few.
"""

from __future__ import annotations

import numpy as np

from bot.solver.analysis import OUT_FRONTS
from bot.solver.compiled import part, written_in
from bot.solver.games import safest
from bot.solver.player import (
    CUT,
    ENDGAMES,
    GROUPS,
    LOST_END,
    LOST_GROUP,
    LOST_SCORED,
    POLICY,
    ROLLS,
    SAFEST,
    SCORED,
    WIN,
    Player,
)
from bot.solver.rolled import rolled
from bot.solver.scored import scored
from bot.solver.searched import closed_endgame, endgame, few_layouts


@part
def name_of(player: Player) -> int:
    """A number that stands for what the board shows, up to one chance in 10^18."""
    name = np.int64(1)
    field = player.field
    for cell in range(field.state.shape[0]):
        if field.shown[cell] >= 0:
            name ^= player.names[cell, field.shown[cell]]
    return int(name)


@written_in
def choose(player: Player, deeper: Player | None, afresh: bool) -> int:
    """The cell to guess, after `chances` found none that is safe; `afresh` asks no memory.

    Decisions are remembered: the openings of many games are alike. A decision hangs on the board alone,
    so that what is remembered never changes a game.
    """
    name = name_of(player)
    slot = name & (player.memory.shape[0] - 1)
    if player.memory[slot] == name and not afresh:
        player.result[:] = player.memory_result[slot]
        player.stats[int(player.result[3])] += 1
        return int(player.memory_cell[slot])
    cell = choose_afresh(player, deeper)
    player.stats[int(player.result[3])] += 1
    player.memory[slot] = name
    player.memory_result[slot] = player.result
    player.memory_cell[slot] = cell
    return cell


@written_in
def choose_afresh(player: Player, deeper: Player | None) -> int:
    """As `choose`, with nothing remembered."""
    fronts = int(player.out[OUT_FRONTS])
    player.result[WIN] = -1.0
    player.result[2] = -1.0
    player.result[CUT] = 0.0
    cell = endgame(player, fronts)
    if cell >= 0:
        player.result[1] = LOST_END
        player.result[3] = ENDGAMES
        return cell
    cell = closed_endgame(player, fronts)
    if cell >= 0:
        player.result[1] = LOST_GROUP
        player.result[3] = GROUPS
        return cell
    player.result[1] = LOST_SCORED
    player.result[3] = SCORED
    cell = few_layouts(player, fronts)
    if cell >= 0:
        return cell
    if player.settings[POLICY] == SAFEST:
        return safest(player.field, player.chance)
    # With None the branch is not compiled at all.
    if deeper is None:
        return scored(player)
    cell = scored(player)
    if player.settings[ROLLS] > 0:
        return rolled(player, deeper, cell, name_of(player))
    return cell
