"""Deciding what to open: one compiled function for one position, and whole games of it.

Groundwork for a learned player, with outlook.py and value.npy: no strategy uses it yet.
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
    LAYOUTS,
    LAYOUT_WORK,
) = range(13)
"""Settings: most states of a layer; most solutions of a board that is searched to the end, and its nodes;
most solutions of a closed front that is."""

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
    settings[POLICY] = 0
    settings[WIDTH] = 4
    settings[BELOW] = 8
    settings[DEEP_MARGIN] = 0.03
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
    """The value of a position with no safe move: that of its best candidate, among the `most` safest."""
    field, ws, chance = player.field, player.ws, player.chance
    found, cons = chances(field, ws, int(player.settings[LIMIT]), chance, player.out)
    if found != FINE:
        forget(ws, cons)
        return -1.0
    fronts = int(player.out[OUT_FRONTS])
    cell = endgame(player, fronts)
    if cell >= 0:
        forget(ws, cons)
        return float(player.result[WIN])
    count = collect(player)
    prepare(player.look, ws, player.out)
    best = 0.0
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
        for shown in range(9):
            if numbers[shown] > 0:
                total += numbers[shown] * value(player.net, player.look.features[shown])
        best = max(best, total * (1 - chance[cell]))
    forget(ws, cons)
    return best


@part
def deepened(player: Player, deeper: Player) -> int:
    """As `scored`; then what follows the best candidates is looked at once more."""
    choice = scored(player)
    width = int(player.settings[WIDTH])
    below = int(player.settings[BELOW])
    count = player.candidate_count[0]
    score, candidates = player.score, player.candidates
    top = 0.0
    for k in range(count):
        top = max(top, score[k])
    best = -1.0
    number = np.zeros(9)
    net_value = np.zeros(9)
    safe = np.zeros(9, np.int32)
    for _ in range(min(width, count)):
        pick = -1
        for k in range(count):
            if score[k] > 0 and (pick < 0 or score[k] > score[pick]):
                pick = k
        if pick < 0 or score[pick] < top - player.settings[DEEP_MARGIN]:
            break
        cell = candidates[pick]
        score[pick] = 0.0
        look_at(player.look, player.field, player.ws, player.trial, player.out, cell, 2000)
        number[:] = player.look.number
        safe[:] = player.look.safe
        total = 0.0
        for shown in range(9):
            if number[shown] > 0:
                net_value[shown] = value(player.net, player.look.features[shown])
        survival = 1 - player.chance[cell]
        for shown in range(9):
            if number[shown] <= 0:
                continue
            v = net_value[shown]
            if safe[shown] == 0 and number[shown] > 0.003:
                copy_field(player.field, deeper.field)
                reveal(deeper.field, cell, shown)
                deduce(deeper.field)
                if deeper.field.numbers[SAFES] == 0 and deeper.field.numbers[SOUND]:
                    w = worth(deeper, below)
                    if w >= 0:
                        v = w
            total += number[shown] * v
        total *= survival
        if total > best:
            best = total
            choice = cell
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
    if player.settings[POLICY] == 0:
        return safest(player.field, player.chance)
    # With None the branch is not compiled at all.
    if deeper is not None:  # noqa: SIM102
        if player.settings[POLICY] == 2:
            return deepened(player, deeper)
    return scored(player)


@jit
def play(player: Player, deeper: Player, minefield: Bytes, first: int) -> int:
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
def play_many(player: Player, deeper: Player, layouts: Ints, first: int, won: Bytes) -> None:
    """Play a game for each row of `layouts`, mines as `row * columns + column`."""
    minefield = np.zeros(player.field.state.shape[0], np.int8)
    for game in range(layouts.shape[0]):
        lay(player.field, layouts[game], minefield)
        player.record_size[1] = game
        won[game] = play(player, deeper, minefield, first)
