"""Deciding what to open where nothing is certain: one compiled function for one position.

`choose` decides in this order, with `chances` and `settle_certain` done:

1. few solutions left: exact search to the end of the game (`endgame`);
2. a closed group of fronts, which nothing outside will ever tell more about: exact search in it, now;
3. solutions that can still be written out: a look ahead over all of them (lookahead.py);
4. else the cell with the highest chance to survive times the value of what follows. One move deep
   (`scored`), the value of each number that the cell can show is learned (outlook.py has its features,
   value.npy its weights). Two moves deep (`deepened`, where the policy is DEEPENED and a second player is
   given; no strategy asks for it yet), the best few cells are looked at again: where a number leaves no safe
   cell, so that the next move is a guess again, its value is that of the best guess then (`worth`).

The best of several estimates is on average too high an estimate (the winner's curse), and so `worth` is
shaded by SHADE before it is weighed against values that are no such best. Measured on 40,000 numbers that
left no safe cell, after one of the close candidates was opened at random (expert, safe corner), `worth` was
0.7 points (before the first zero) and 0.9 points (after it) above what was won; the learned value was 0.1
below and 0.5 above.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from bot.solver.analysis import FINE, OUT_FRONTS, OUT_LOG, OUT_SIZE
from bot.solver.chances import chances, settle_certain
from bot.solver.compiled import jit, part, written_in
from bot.solver.endgame import BEST_CELL, Endgame, new_endgame, search
from bot.solver.field import (
    COLUMNS,
    MINE,
    MINES,
    OPENS,
    ROWS,
    SAFE,
    SAFES,
    SOUND,
    STRIDE,
    TOTAL,
    UNKNOWN,
    Field,
    clear,
    deduce,
    new_field,
    reveal,
    settle,
)
from bot.solver.fronts import forget
from bot.solver.games import lay, safest
from bot.solver.lookahead import Lookahead, look_ahead, new_lookahead
from bot.solver.outlook import FEATURES, Outlook, look_at, new_outlook, prepare
from bot.solver.solutions import closed_fronts, write_solutions
from bot.solver.workspace import CELL_DEGREE, Bytes, Floats, Ints, Longs, Workspace, new_workspace

Floats32 = np.ndarray

(
    LIMIT,
    SOLUTIONS,
    NODE_BUDGET,
    GROUP_SOLUTIONS,
    MARGIN,
    CANDIDATES,
    POLICY,
    EXPLORE,
    WIDTH,
    BELOW,
    DEEP_MARGIN,
    SHADE,
    RARE,
    LAYOUTS,
    LAYOUT_WORK,
) = range(15)
"""Settings: most states of a layer; most solutions of a board that is searched to the end, and its nodes;
most solutions of a closed front that is; how much more likely a mine may be in a candidate than in the
safest cell; unused; SAFEST, SCORED_ONCE or DEEPENED; how often to explore; how many candidates are looked at
twice, how many guesses are weighed after each, and how far behind the best their score may be; what is taken
off the value of the best guess two moves deep; numbers less likely than this are not looked at twice;
most solutions of a board that is looked ahead in with all of them written out, and the work of that."""

SAFEST, SCORED_ONCE, DEEPENED = range(3)
"""Policies: the safest cell; one move deep; two moves deep."""

WIN = 0
"""Results: the chance to win, where it is exact; else -1."""

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
    """Of the last guess: the chance to win where it is exact, the kind, the score, the counter of the
    kind."""
    stats: Floats
    look: Outlook
    candidates: Ints
    candidate_count: Ints
    score: Floats
    net: Floats
    names: Longs
    memory: Longs
    memory_cell: Ints
    memory_result: Floats
    record: Floats32
    record_game: Ints
    record_value: Floats
    record_size: Ints


def new_player(
    rows: int,
    columns: int,
    mines: int | None,
    solutions: int = 400,
    net: Floats | None = None,
    records: int = 1,
    layouts: int = 20000,
) -> Player:
    """A player for boards of one size."""
    size = (rows + 2) * (columns + 2)
    settings = np.zeros(40)
    settings[LIMIT] = 20000
    settings[SOLUTIONS] = solutions
    settings[NODE_BUDGET] = 100000
    settings[GROUP_SOLUTIONS] = 400
    settings[MARGIN] = 0.1
    settings[CANDIDATES] = 60
    settings[POLICY] = SAFEST
    settings[WIDTH] = 3
    settings[BELOW] = 5
    settings[DEEP_MARGIN] = 0.025
    settings[SHADE] = 0.008
    settings[RARE] = 0.01
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
        result=np.zeros(4),
        stats=np.zeros(32),
        look=new_outlook(size, rows * columns),
        candidates=np.zeros(size, np.int32),
        candidate_count=np.zeros(1, np.int32),
        score=np.zeros(size),
        net=np.zeros(1) if net is None else net,
        names=np.random.default_rng(5).integers(1, 1 << 62, (size, 9)),
        memory=np.zeros(1 << 16, np.int64),
        memory_cell=np.zeros(1 << 16, np.int32),
        memory_result=np.zeros((1 << 16, 4)),
        record=np.zeros((records, FEATURES), np.float32),
        record_game=np.zeros(records, np.int32),
        record_value=np.zeros(records),
        record_size=np.zeros(2, np.int32),
    )


@part
def endgame(player: Player, fronts: int) -> int:
    """The best cell by exact search over all solutions; -1 where there are too many."""
    field, ws, game = player.field, player.ws, player.game
    if player.out[OUT_LOG] > math.log(player.settings[SOLUTIONS]) + 1e-6:
        return -1
    mines = field.numbers[TOTAL] - field.numbers[MINES]
    chosen = np.ones(fronts + 1, np.int8)
    rows, columns = write_solutions(field, ws, game, chosen, fronts, mines, game.values.shape[0])
    if rows < 0:
        player.stats[FAILED] += 1
        return -1
    won = search(game, rows, columns, int(player.settings[NODE_BUDGET]))
    if won < 0:
        player.stats[FAILED] += 1
        return -1
    player.result[WIN] = won / rows
    return int(game.cells[game.numbers[BEST_CELL]])


@part
def few_layouts(player: Player, fronts: int) -> int:
    """The best cell by a look ahead over all solutions written out; -1 where there are too many."""
    field, ws, game = player.field, player.ws, player.game
    if player.out[OUT_LOG] > math.log(player.settings[LAYOUTS]) + 1e-6:
        return -1
    mines = field.numbers[TOTAL] - field.numbers[MINES]
    chosen = np.ones(fronts + 1, np.int8)
    room = int(math.exp(player.out[OUT_LOG]) * 1.001) + 2
    rows, columns = write_solutions(field, ws, game, chosen, fronts, mines, room)
    if rows < 2:
        return -1
    won = look_ahead(game, player.ahead, rows, columns, int(player.settings[LAYOUT_WORK]))
    if won < 0:
        return -1
    count = 0
    for column in range(columns):
        if game.chance[column] >= 0:
            player.candidates[count] = game.cells[column]
            player.score[count] = game.chance[column] / rows
            count += 1
    player.candidate_count[0] = count
    player.result[2] = won / rows
    return int(game.cells[game.numbers[BEST_CELL]])


@part
def closed_endgame(player: Player, fronts: int) -> int:
    """The best cell of a closed group of fronts, by exact search within it; -1 where there is none."""
    field, ws, game = player.field, player.ws, player.game
    group = np.zeros(fronts + 1, np.int32)
    closed_fronts(field, ws, fronts, group)
    chosen = np.zeros(fronts + 1, np.int8)
    for front in range(fronts):
        if group[front] != front:
            continue
        for other in range(fronts):
            chosen[other] = group[other] == front
        rows, columns = write_solutions(
            field, ws, game, chosen, fronts, -1, int(player.settings[GROUP_SOLUTIONS])
        )
        if rows < 2:
            continue
        won = search(game, rows, columns, int(player.settings[NODE_BUDGET]))
        if won < 0:
            player.stats[FAILED] += 1
            continue
        return int(game.cells[game.numbers[BEST_CELL]])
    return -1


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


@part
def collect(player: Player) -> int:
    """List the cells worth a look: nearly as safe as the safest; of those far from every number, one of a
    kind."""
    field, chance = player.field, player.chance
    lowest = 2.0
    for cell in range(field.state.shape[0]):
        if field.state[cell] == UNKNOWN and chance[cell] < lowest:
            lowest = chance[cell]
    count = 0
    far = np.zeros(100, np.int8)
    for cell in range(field.state.shape[0]):
        if field.state[cell] != UNKNOWN or chance[cell] > lowest + player.settings[MARGIN]:
            continue
        if player.ws.cell[CELL_DEGREE, cell] == 0:
            touches = False
            for step in field.around:
                other = cell + step
                if field.state[other] == UNKNOWN and player.ws.cell[CELL_DEGREE, other] > 0:
                    touches = True
            if not touches:
                kind = field.unknown[cell] * 10 + field.near[cell]
                if far[kind]:
                    continue
                far[kind] = 1
        player.candidates[count] = cell
        count += 1
    return count


@part
def value(net: Floats, x: Floats) -> float:
    """The chance to win a position with these features: a small network with two hidden layers."""
    n = x.shape[0]
    a = int(net[0])
    b = int(net[1])
    at = 2
    hidden = np.empty(a)
    for i in range(a):
        total = net[at + n]
        for j in range(n):
            total += net[at + j] * x[j]
        hidden[i] = total if total > 0 else 0.01 * total
        at += n + 1
    answer = 0.0
    last = at + b * (a + 1)
    for i in range(b):
        total = net[at + a]
        for j in range(a):
            total += net[at + j] * hidden[j]
        if total < 0:
            total *= 0.01
        at += a + 1
        answer += net[last + i] * total
    answer += net[last + b]
    return 1 / (1 + math.exp(-answer))


@part
def scored(player: Player) -> int:
    """The candidate with the highest chance to survive times the value of what follows."""
    count = collect(player)
    player.candidate_count[0] = count
    prepare(player.look, player.ws, player.out)
    best = -1.0
    choice = -1
    spare = -1
    spare_best = -1.0
    numbers = player.look.number
    for k in range(count):
        cell = player.candidates[k]
        player.score[k] = 0.0
        if 1 - player.chance[cell] <= best:
            continue
        if not look_at(player.look, player.field, player.ws, player.trial, player.out, cell, 2000):
            continue
        total = 0.0
        most = 0.0
        for shown in range(9):
            if numbers[shown] > 0:
                total += numbers[shown] * value(player.net, player.look.features[shown])
                most = max(most, numbers[shown])
        total *= 1 - player.chance[cell]
        player.score[k] = total
        if most > 1 - 1e-9:
            # A dead cell teaches nothing.
            player.score[k] = 0.0
            if total > spare_best:
                spare, spare_best = cell, total
            continue
        if total > best:
            best, choice = total, cell
    if choice < 0:
        choice = spare
        best = spare_best
    player.result[2] = best
    if choice < 0:
        choice = safest(player.field, player.chance)
    return choice


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
    numbers = player.look.number
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
        if not look_at(player.look, field, ws, player.trial, player.out, cell, 2000):
            continue
        total = 0.0
        most_likely = 0.0
        for shown in range(9):
            if numbers[shown] > 0:
                total += numbers[shown] * value(player.net, player.look.features[shown])
                most_likely = max(most_likely, numbers[shown])
        if most_likely > 1 - 1e-9:
            # A dead cell teaches nothing: it is opened only where there is no other.
            spare = max(spare, total * (1 - chance[cell]))
        else:
            best = max(best, total * (1 - chance[cell]))
    forget(ws, cons)
    return best if best > 0 else spare


@part
def value_deepened(player: Player, deeper: Player, cell: int) -> float:
    """The chance to survive opening a cell, times the value of what follows looked at two moves deep."""
    look_at(player.look, player.field, player.ws, player.trial, player.out, cell, 2000)
    look = player.look
    total = 0.0
    for shown in range(9):
        if look.number[shown] <= 0:
            continue
        follows = value(player.net, look.features[shown])
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
    if deeper is not None:  # noqa: SIM102
        if player.settings[POLICY] == DEEPENED:
            return deepened(player, deeper)
    return scored(player)


@jit
def play(player: Player, deeper: Player | None, minefield: Bytes, first: int) -> int:
    """Play one game. Returns 1 for a win, 0 for a loss, -1 where the minefield is not one of its total."""
    field, ws, stats = player.field, player.ws, player.stats
    clear(field)
    numbers = field.numbers
    goal = numbers[ROWS] * numbers[COLUMNS] - numbers[TOTAL]
    guess = first
    explore = player.settings[EXPLORE] > 0
    pending = -1
    turn = 0
    when = int(np.random.random() ** 2 * player.settings[EXPLORE]) if explore else 0
    while True:
        if minefield[guess] == 9:
            stats[int(player.result[1])] += 1
            if goal - numbers[OPENS] >= 300:
                stats[LOST_EARLY] += 1
            if pending >= 0:
                player.record_value[pending] = 0.0
            return 0
        reveal(field, guess, minefield[guess])
        while True:
            deduce(field)
            if numbers[SAFES] == 0:
                if numbers[OPENS] == goal:
                    if pending >= 0:
                        player.record_value[pending] = 1.0
                    return 1
                stats[ANALYSES] += 1
                found, cons = chances(field, ws, int(player.settings[LIMIT]), player.chance, player.out)
                if found != FINE:
                    forget(ws, cons)
                    return -1
                settled = settle_certain(field, ws, player.out)
                if settled == 0:
                    guess = choose(player, deeper, False)
                    if explore and player.result[1] == LOST_END and pending >= 0:
                        player.record_value[pending] = player.result[WIN]
                        pending = -1
                    if explore and player.result[1] == LOST_SCORED:
                        if pending >= 0:
                            player.record_value[pending] = player.result[2]
                            pending = -1
                        # Only from the one random guess on: what came before it was not its doing, and
                        # a choice of games by what happened later would bend the rates.
                        if turn == when:
                            guess = player.candidates[np.random.randint(0, collect(player))]
                        turn += 1
                        if turn > when and minefield[guess] != 9:
                            prepare(player.look, ws, player.out)
                            n = player.record_size[0]
                            if n < player.record.shape[0] and look_at(
                                player.look, field, ws, player.trial, player.out, guess, 2000
                            ):
                                player.record[n] = player.look.features[minefield[guess]]
                                player.record_game[n] = player.record_size[1]
                                player.record_size[0] = n + 1
                                pending = n
                    forget(ws, cons)
                    break
                forget(ws, cons)
            for at in range(numbers[SAFES]):
                cell = field.safes[at]
                reveal(field, cell, minefield[cell])
            numbers[SAFES] = 0
        stats[GUESSES] += 1


@jit
def play_many(player: Player, deeper: Player | None, layouts: Ints, first: int, won: Bytes) -> None:
    """Play a game for each row of `layouts`, mines as `row * columns + column`."""
    minefield = np.zeros(player.field.state.shape[0], np.int8)
    for game in range(layouts.shape[0]):
        lay(player.field, layouts[game], minefield)
        player.record_size[1] = game
        won[game] = play(player, deeper, minefield, first)
