"""Deciding what to open where nothing is certain: one compiled function for one position.

`choose_guess` decides in this order, with `mine_chances` and `settle_certain` done:

1. few solutions left: exact search to the end of the game (`search_whole_board`);
2. a closed group of components, which nothing outside will ever tell more about: exact search in it, now;
3. solutions that can still be written out: a look ahead over all of them (greedy_lookahead.py);
4. else the cell with the highest score (`best_scored`), one move deep: its chance to survive, the learned
   value of each number that it can show (told from features.py, its weights in value.npy), how safe the next
   guesses will be, the fifty-fifties it may lie in (fifty_fifties.py), and a correction for what that leaves
   out (score_correction.py). With more thought (`best_by_rollouts`), games are played on from the best few.
"""

from __future__ import annotations

import numpy as np

from bot.solver.guess.endgame_guess import look_ahead_over_layouts, search_isolated_group, search_whole_board
from bot.solver.guess.player import ENDGAMES, GROUPS, SCORED, Player, copy_result
from bot.solver.guess.rollouts import best_by_rollouts
from bot.solver.guess.safest import safest_cell
from bot.solver.guess.score import best_scored
from bot.solver.guess.settings import SAFEST
from bot.solver.jit.compiler import part, written_in


@part
def position_hash(player: Player) -> int:
    """A number that stands for what the board shows, up to one chance in 10^18."""
    name = np.int64(1)
    field = player.field
    for cell in range(field.state.shape[0]):
        if field.shown[cell] >= 0:
            name ^= player.names[cell, field.shown[cell]]
    return int(name)


@written_in
def choose_guess(player: Player, deeper: Player | None, afresh: bool) -> int:
    """The cell to guess, after `mine_chances` found none that is safe; `afresh` asks no memory.

    Decisions are remembered: the openings of many games are alike. A decision hangs on the board alone,
    so that what is remembered never changes a game.
    """
    name = position_hash(player)
    slot = name & (player.memory.shape[0] - 1)
    if player.memory[slot] == name and not afresh:
        copy_result(player.memory_result[slot], player.result)
        return int(player.memory_cell[slot])
    cell = choose_without_memory(player, deeper)
    player.memory[slot] = name
    copy_result(player.result, player.memory_result[slot])
    player.memory_cell[slot] = cell
    return cell


@written_in
def choose_without_memory(player: Player, deeper: Player | None) -> int:
    """As `choose_guess`, with nothing remembered."""
    components = player.combined.components
    player.result.win = -1.0
    player.result.score = -1.0
    player.result.cut = 0
    cell = search_whole_board(player, components)
    if cell >= 0:
        player.result.kind = ENDGAMES
        return cell
    cell = search_isolated_group(player, components)
    if cell >= 0:
        player.result.kind = GROUPS
        return cell
    player.result.kind = SCORED
    cell = look_ahead_over_layouts(player, components)
    if cell >= 0:
        return cell
    if player.settings.policy == SAFEST:
        return safest_cell(player.field, player.chance)
    # With None the branch is not compiled at all.
    if deeper is None:
        return best_scored(player)
    cell = best_scored(player)
    if player.settings.rolls > 0:
        return best_by_rollouts(player, deeper, cell, position_hash(player))
    return cell
