"""Guesses two moves deep.

The best of several estimates is on average too high an estimate (the winner's curse), and so `worth` is
shaded by SHADE before it is weighed against values that are no such best. Measured on 40,000 numbers that
left no safe cell, after one of the close candidates was opened at random (expert, safe corner), `worth` was
0.7 points (before the first zero) and 0.9 points (after it) above what was won; the learned value was 0.1
below and 0.5 above.
"""

from __future__ import annotations

from bot.solver.analysis import FINE, OUT_FRONTS
from bot.solver.chances import chances
from bot.solver.compiled import part
from bot.solver.field import SAFES, SOUND, UNKNOWN, Field, deduce, reveal
from bot.solver.fronts import forget
from bot.solver.outlook import prepare
from bot.solver.player import BELOW, DEEP_MARGIN, LIMIT, RARE, SHADE, WIDTH, WIN, Player
from bot.solver.scored import collect, scored, weigh
from bot.solver.searched import endgame


@part
def copy_field(source: Field, target: Field) -> None:
    """Make the second field like the first."""
    target.state[:] = source.state
    target.shown[:] = source.shown
    target.unknown[:] = source.unknown
    target.near[:] = source.near
    target.queued[:] = source.queued
    target.numbers[:] = source.numbers


@part
def worth(player: Player, most: int) -> float:
    """The value of a position with no safe move: that of its best candidate, among the `most` safest.

    `result[WIN]` is that value where it is exact, else -1. Returns -1 for a position that cannot be, and for
    one with a safe move after all: `look_at` does not see the safe cells far from the one it opens.
    """
    field, ws, chance = player.field, player.ws, player.chance
    player.result[WIN] = -1.0
    found, cons = chances(field, ws, int(player.settings[LIMIT]), chance, player.out)
    if found != FINE:
        forget(ws, cons)
        return -1.0
    for cell in range(field.state.shape[0]):
        if field.state[cell] == UNKNOWN and chance[cell] == 0.0:
            forget(ws, cons)
            return -1.0
    if endgame(player, int(player.out[OUT_FRONTS])) >= 0:
        forget(ws, cons)
        return float(player.result[WIN])
    count = collect(player)
    prepare(player.look, ws, player.out)
    best = 0.0
    spare = 0.0
    for _ in range(min(count, most)):
        pick = -1
        for k in range(count):
            cell = player.candidates[k]
            if cell >= 0 and (pick < 0 or chance[cell] < chance[player.candidates[pick]]):
                pick = k
        cell = player.candidates[pick]
        player.candidates[pick] = -1
        if 1 - chance[cell] <= best:
            break
        total, dead = weigh(player, cell)
        if dead:
            # It is opened only where there is no other.
            spare = max(spare, total)
        else:
            best = max(best, total)
    forget(ws, cons)
    return best if best > 0 else spare


@part
def value_deepened(player: Player, deeper: Player, cell: int) -> float:
    """The chance to survive opening a cell, times the value of what follows looked at two moves deep."""
    weigh(player, cell)
    look = player.look
    total = 0.0
    for shown in range(9):
        if look.number[shown] <= 0:
            continue
        follows = look.follows[shown]
        if look.safe[shown] == 0 and look.number[shown] > player.settings[RARE]:
            copy_field(player.field, deeper.field)
            reveal(deeper.field, cell, shown)
            deduce(deeper.field)
            if deeper.field.numbers[SAFES] == 0 and deeper.field.numbers[SOUND]:
                best = worth(deeper, int(player.settings[BELOW]))
                if best >= 0:
                    follows = best if deeper.result[WIN] >= 0 else best - player.settings[SHADE]
        total += look.number[shown] * follows
    return float(total * (1 - player.chance[cell]))


@part
def deepened(player: Player, deeper: Player) -> int:
    """As `scored`; then what follows the best candidates is looked at once more."""
    choice = scored(player)
    count = player.candidate_count[0]
    score = player.score
    top = player.result[2]
    close = 0
    for k in range(count):
        if score[k] > 0 and score[k] >= top - player.settings[DEEP_MARGIN]:
            close += 1
    if close < 2:
        return choice
    best = -1.0
    once = score[:count].copy()
    for _ in range(min(int(player.settings[WIDTH]), close)):
        pick = -1
        for k in range(count):
            if once[k] > 0 and (pick < 0 or once[k] > once[pick]):
                pick = k
        once[pick] = 0.0
        score[pick] = value_deepened(player, deeper, player.candidates[pick])
        if score[pick] > best:
            best = score[pick]
            choice = player.candidates[pick]
    # What was looked at once only stays behind, however high that look had seen it.
    for k in range(count):
        if once[k] > 0:
            score[k] = min(score[k], best)
    player.result[2] = best
    return choice
