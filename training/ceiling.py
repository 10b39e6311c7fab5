"""How much better than the player perfect play can be: what the best candidate of a guess wins more than the
one chosen.

python -m training.ceiling --games 4000 --seed 1 --out ceiling_1.npz
python -m training.ceiling --tell ceiling_1.npz ceiling_2.npz

What any other player wins more than this one is the sum, over the guesses that it meets, of what its choice
is worth more than this player's with this player playing on (S. Kakade, J. Langford, "Approximately optimal
approximate reinforcement learning", 2002, lemma 6.1). So the best candidates of all guesses of a game bound
what can be won at all, as far as the guesses that perfect play meets resemble ours. Guesses that exact search
decides are perfect already, and are not counted. It is a bound, and the better the player, the nearer: of the
safest cell with exact search, which wins 39.9 % of Expert from a safe corner, 2.5 +- 0.3 points; of the
learned player, which wins 41.1 %, 0.51 +- 0.09:

python -m training.ceiling --games 700 --layouts 4096 --seed 105 --out 105.npz
python -m training.ceiling --games 600 --layouts 4096 --seed 106 --out 106.npz
python -m training.ceiling --games 6100 --layouts 4096 --seed 107 --kinds 3 4 --out 107.npz
python -m training.ceiling --tell 105.npz 106.npz 107.npz
python -m training.ceiling --games 900 --seed 301 --policy safest --out 301.npz
python -m training.ceiling --games 900 --seed 302 --policy safest --out 302.npz
python -m training.ceiling --tell 301.npz 302.npz

A guess of each game is drawn, and its candidates are played on in the same layouts, with the luck taken out
(bot/solver/simulate/paired_candidates.py). Three numbers are told of it: `found`, what the candidate that is
likely best by one half of the layouts wins in the other, which is less than the best; `likely`, the mean of
the best by what scores and the two halves say about how candidates differ (empirical Bayes, normal); `seen`,
the highest mean, which is more than the best, since luck helped to choose it.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.board import LEVELS, FirstClick
from bot.files import write_whole
from bot.solver.constraints.workspace import Bytes, Floats, Ints
from bot.solver.deduction.compiled_board import cover_all, mines_left
from bot.solver.guess.control_variate import begin_control
from bot.solver.guess.outcomes import prepare_outcomes
from bot.solver.guess.player import Player, new_player
from bot.solver.guess.score import best_scored, closest_candidates, weigh_candidate
from bot.solver.jit.compiler import jit
from bot.solver.probability.combination import SOLVABLE
from bot.solver.probability.components import release_cells
from bot.solver.probability.mine_chances import mine_chances
from bot.solver.probability.sampling import sample_layout, weigh_rest
from bot.solver.simulate.minefield import lay_mines
from bot.solver.simulate.paired_candidates import play_from
from bot.solver.simulate.self_play import play_on
from bot.solver.value.weights import read_correction, read_net
from training.boards import add_words, first_cell, minefields, seed_compiled
from training.correct import centred, halved
from training.files import read_arrays, run
from training.pairs import POLICIES

CANDIDATES = 6

CLOSE = 0.05
"""Candidates whose score is further behind the best are not played on. (With 12 of them and 0.15, the best of
201 Expert guesses won 0.011 +- 0.016 points more than the best of these.)"""

GUESSES = 10
"""The guess is one of the first so many scored ones of a game."""

ROUND = 128
"""Layouts between two looks at which candidates are still in the running: those that are not this many
standard errors behind the first."""
BEHIND = 3.5

TRIES = 1024

SCOUT_MARGIN = 0.05
"""Candidates of later guesses are nearer to the safest cell than the player's, and its look ahead over
written-out layouts is left out: several times as fast, and the win rate is the same within 0.3 points."""

KINDS = ("before the first zero", "e^170 solutions or more", "e^50 to e^170", "20,000 to e^50", "fewer")
BOUNDS = (math.inf, 170.0, 50.0, math.log(20_000))


@jit
def begin_guess(
    player: Player,
    minefield: Bytes,
    first: int,
    number: int,
    picked: Ints,
    score: Floats,
    expected: Floats,
    follows: Floats,
) -> tuple[int, bool, float, int]:
    """Play a game to its scored guess of that number, and get ready to draw layouts of it.

    Fills `picked` with its candidates, the choice first, `score`, and what `weigh_candidate` says of them.
    Returns how many there are, 0 where there is nothing to compare; whether a zero was opened before; the
    logarithm of the number of solutions; and the constraints that `release_cells` is to be told of, -1 where
    none were gathered.
    """
    field, ws = player.field, player.ws
    cover_all(field)
    begin_control(player, 0.0, 0.0)
    _, guess = play_on(player, None, minefield, first, number, True)
    if guess < 0:
        return 0, False, 0.0, -1
    found, cons = mine_chances(field, ws, player.settings.layer_states, player.chance, player.combined)
    if found != SOLVABLE:
        return 0, False, 0.0, cons
    count = closest_candidates(player, best_scored(player), CLOSE, picked)
    place = count
    for at in range(count):
        score[at] = player.score[picked[at]]
        picked[at] = player.candidates[picked[at]]
        if picked[at] == guess:
            place = at
    # A look ahead over written-out layouts may choose another cell than the score would.
    if place == count:
        count = min(count + 1, picked.shape[0])
        place = count - 1
        score[place] = score[0]
    own = score[place]
    for at in range(place, 0, -1):
        picked[at], score[at] = picked[at - 1], score[at - 1]
    picked[0], score[0] = guess, own
    prepare_outcomes(player.outcomes, ws, player.combined)
    for at in range(count):
        expected[at], _ = weigh_candidate(player, picked[at])
        if expected[at] <= 0:
            count = at
            break
        follows[at] = player.outcomes.follows
    if weigh_rest(player.sampler, ws, player.combined, mines_left(field)).shape[0] == 0:
        count = 0
    return count, bool(np.any(field.shown == 0)), float(player.combined.log_solutions), int(cons)


@jit
def play_round(
    player: Player, scout: Player, picked: Ints, expected: Floats, follows: Floats, results: Floats
) -> int:
    """Play each of the candidates on in as many drawn layouts as `results` has rows. Returns in how many."""
    minefield = player.sampler.minefield
    rest = weigh_rest(player.sampler, player.ws, player.combined, mines_left(player.field))
    for at in range(results.shape[0]):
        if not sample_layout(player.sampler, rest, player.field, player.ws, player.combined):
            return at
        for k in range(picked.shape[0]):
            results[at, k] = play_from(player.field, scout, minefield, picked[k], expected[k], follows[k])
    return int(results.shape[0])


def compared(
    player: Player, scout: Player, picked: Ints, expected: Floats, follows: Floats, layouts: int
) -> Floats:
    """Results of the candidates, the choice first, shape (layouts, candidates); NaN where one was out of the
    running. The choice never is."""
    alive = np.arange(len(picked))
    results = np.zeros((0, len(picked)))
    while len(results) < layouts and len(alive) > 1:
        played = np.zeros((ROUND, len(alive)))
        if play_round(player, scout, picked[alive], expected[alive], follows[alive], played) < ROUND:
            break
        more = np.full((ROUND, len(picked)), np.nan)
        more[:, alive] = played
        results = np.concatenate([results, more])
        running = results[:, alive]
        behind = running[:, [running.mean(0).argmax()]] - running
        kept = behind.mean(0) <= BEHIND * behind.std(0) / math.sqrt(len(results)) + 1e-9
        kept[0] = True
        alive = alive[kept]
    return results


def summed_up(results: Floats) -> tuple[Floats, Floats, Floats]:
    """The mean of each candidate, shape (candidates,), those of two halves of its layouts, (candidates, 2),
    and how the errors of the means go together, (candidates, candidates)."""
    there = np.isfinite(results)
    tries = there.sum(0)
    off = np.where(there, results - np.nanmean(results, axis=0), 0.0)
    both = there.T.astype(float) @ there
    # Of two, one was played on in more layouts: its error is the smaller and goes with less of the other's.
    spread = off.T @ off / both / np.maximum(tries[:, None], tries[None, :])
    halves = np.stack([np.nanmean(results[half::2], axis=0) for half in range(2)], axis=1)
    return np.nanmean(results, axis=0), halves, spread


def gather(asked: argparse.Namespace) -> None:
    """Play games, and write what was found of one guess of each."""
    columns, rows, mines = LEVELS[asked.level]
    first_click = FirstClick(asked.first_click)
    player, scout = (
        new_player(rows, columns, mines, net=read_net(), correction=read_correction()) for _ in range(2)
    )
    for each in (player, scout):
        each.settings.policy, each.settings.control = POLICIES[asked.policy], 1
    scout.settings.margin, scout.settings.layouts = SCOUT_MARGIN, 0
    first = first_cell(player.field, first_click)
    seed_compiled(asked.seed)
    games = minefields(rows, columns, mines, first_click, asked.games, asked.seed)
    numbers = np.random.default_rng(asked.seed).integers(0, GUESSES, len(games))
    minefield = np.zeros(player.field.state.shape[0], np.int8)
    kinds, played, scores, means, halves, spreads = [], [], [], [], [], []
    for game, number in enumerate(numbers):
        lay_mines(player.field, games[game], minefield)
        picked, expected = np.zeros(CANDIDATES, np.int32), np.zeros(CANDIDATES)
        follows, score = np.zeros((CANDIDATES, 9)), np.zeros(CANDIDATES)
        count, zero, log, cons = begin_guess(
            player, minefield, first, int(number), picked, score, expected, follows
        )
        kind = -1
        mean, half = np.full(CANDIDATES, np.nan), np.full((CANDIDATES, 2), np.nan)
        spread = np.zeros((CANDIDATES, CANDIDATES))
        if cons >= 0:
            kind = 0 if not zero else sum(log < bound for bound in BOUNDS)
            results = np.zeros(0)
            if kind in asked.kinds:
                results = compared(
                    player, scout, picked[:count], expected[:count], follows[:count], asked.layouts
                )
            if len(results):
                mean[:count], half[:count], spread[:count, :count] = summed_up(results)
            release_cells(player.ws, cons)
        kinds.append(kind)
        played.append(kind in asked.kinds)
        scores.append(score)
        means.append(mean)
        halves.append(half)
        spreads.append(spread)
        if game % 100 == 99 or game == len(games) - 1:
            keep(asked.out, kinds, played, (scores, means, halves, spreads))
            print(f"{game + 1} games, {sum(played)} guesses", flush=True)


NUMBERS = ("scores", "means", "halves", "spreads")

SHAPES = {
    "kinds": (),
    "played": (),
    "scores": (CANDIDATES,),
    "means": (CANDIDATES,),
    "halves": (CANDIDATES, 2),
    "spreads": (CANDIDATES, CANDIDATES),
}
"""What a file holds of each game."""


def keep(path: Path, kinds: npt.ArrayLike, played: npt.ArrayLike, told: Sequence[npt.ArrayLike]) -> None:
    """Write what was found, whole or not at all; `told` in the order of NUMBERS."""
    file = BytesIO()
    named: dict[str, Any] = dict(zip(NUMBERS, told, strict=True))
    np.savez(file, kinds=kinds, played=played, **named)
    write_whole(path, file.getvalue())


def expected_of(scores: Floats, means: Floats, there: Floats) -> Floats:
    """What each candidate wins more than its position on average, as far as its score, and that it was
    chosen, tell: by least squares."""
    was_chosen = np.zeros(scores.shape)
    was_chosen[:, 0] = 1.0
    columns = np.stack([centred(each, there) for each in (scores, was_chosen)], axis=2)
    rows = there > 0
    weights, *_ = np.linalg.lstsq(columns[rows], centred(means, there)[rows], rcond=None)
    return np.asarray(columns @ weights, np.float64)


def posterior(before: Floats, means: Floats, spread: Floats, variance: float) -> tuple[Floats, Floats]:
    """What the candidates of a guess win more than all of them on average, by what was expected, which is off
    by `variance`, and by means whose errors are `spread`; and how far off that is, as covariances."""
    count = len(means)
    within = np.eye(count) - 1 / count
    share = (
        variance * within @ np.linalg.pinv(within @ (variance * np.eye(count) + spread) @ within, rcond=1e-9)
    )
    return before + share @ (within @ means - before), variance * within - share @ (variance * within)


def gains(scores: Floats, means: Floats, halves: Floats, spreads: Floats) -> tuple[Floats, Floats, Floats]:
    """What each guess was `found`, is `likely` and was `seen` to lose, shape (guesses,) each."""
    found, likely, seen = (np.zeros(len(means)) for _ in range(3))
    several = np.flatnonzero(np.isfinite(means).sum(1) > 1)
    if not several.size:
        return found, likely, seen
    there = np.isfinite(means[several]).astype(float)
    before = expected_of(scores[several], np.nan_to_num(means[several]), there)
    off = halved(np.nan_to_num(halves[several]), there) - before[..., None]
    variance = max(float((off[..., 0] * off[..., 1]).sum() / (there.sum(1) - 1).sum()), 0.0)
    rng = np.random.default_rng(0)
    for at, count, expected in zip(several, there.sum(1).astype(int), before, strict=True):
        half, spread, own = halves[at, :count], spreads[at, :count, :count], expected[:count]
        for first in range(2):
            best, _ = posterior(own, half[:, first], 2 * spread, variance)
            found[at] += (half[best.argmax(), 1 - first] - half[0, 1 - first]) / 2
        seen[at] = means[at, :count].max() - means[at, 0]
        best, left = posterior(own, means[at, :count], spread, variance)
        values, vectors = np.linalg.eigh((left + left.T) / 2)
        drawn = best + rng.normal(size=(2000, count)) @ (vectors * np.sqrt(np.maximum(values, 0))).T
        likely[at] = (drawn.max(1) - drawn[:, 0]).mean()
    return found, likely, seen


def tell(paths: list[Path]) -> None:
    """Print what was found, by kind of guess and for a whole game, in percentage points."""
    files = [read_arrays(path, SHAPES, "training.ceiling") for path in paths]
    kinds, played, *told = (np.concatenate(each) for each in zip(*files, strict=True))
    played = played.astype(bool)
    total, error = np.zeros(3), np.zeros(3)
    print(f"{len(kinds)} games")
    for kind, name in enumerate(KINDS):
        chosen = played & (kinds == kind)
        often = GUESSES * (kinds == kind).mean()
        if not chosen.any():
            continue
        lost = np.array(gains(*(each[chosen] for each in told)))
        mean, off = lost.mean(1), 1.96 * lost.std(1) / chosen.sum() ** 0.5
        print(f"{name}: {often:.2f} a game, {chosen.sum()} played on;", written(mean, off))
        total += often * mean
        error = np.hypot(error, often * off)
    print("all, for a whole game:", written(total, error))


def written(lost: Floats, off: Floats) -> str:
    """`found`, `likely` and `seen` with their 95 % intervals."""
    names = ("found", "likely", "seen")
    return " ".join(
        f"{name} {100 * one:.3f} +- {100 * error:.3f}"
        for name, one, error in zip(names, lost, off, strict=True)
    )


def main() -> None:
    """Play games, or tell what came of them."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_words(words, games=2000, seed=1)
    words.add_argument("--layouts", type=int, default=TRIES, help="that candidates are played on in, at most")
    words.add_argument(
        "--policy", choices=sorted(POLICIES), default="best", help="the player that is bounded"
    )
    words.add_argument(
        "--kinds",
        type=int,
        nargs="+",
        choices=range(len(KINDS)),
        default=range(len(KINDS)),
        help=f"guesses that are played on ({', '.join(f'{k}: {name}' for k, name in enumerate(KINDS))})",
    )
    what = words.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=Path, help="where to write what is found, again after every 100 games")
    what.add_argument("--tell", type=Path, nargs="+", help="print what was written before")
    asked = words.parse_args()
    if asked.tell:
        tell(asked.tell)
    else:
        gather(asked)
        tell([asked.out])


if __name__ == "__main__":
    run(main)
