"""Candidates of close guesses, played on in the same layouts: what a correction of the score is fitted to.

python -m training.pairs --games 400000 --out expert.npz
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bot.board import LEVELS, FirstClick
from bot.solver.guess.player import new_player
from bot.solver.guess.settings import BEST_SCORE, SAFEST
from bot.solver.simulate.paired_candidates import compare_candidates
from bot.solver.value.inputs import CORRECTION_INPUTS
from bot.solver.value.weights import CORRECTION, NET, read_correction, read_net
from training.boards import add_words, first_cell, minefields, seed_compiled
from training.files import run

CANDIDATES = 4

GUESSES = 6
"""The guess is one of the first so many after the first zero."""

BATCH = 10_000

POLICIES = {"safest": SAFEST, "best": BEST_SCORE}


def main(given: Sequence[str] | None = None) -> None:
    """Play, and write `seen` and `results` of `bot.solver.simulate.paired_candidates`, of the guesses with
    two candidates or more."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_words(words, games=300_000, seed=1)
    words.add_argument("--tries", type=int, default=8, help="layouts to play a candidate on in, 2 or more")
    words.add_argument("--policy", choices=sorted(POLICIES), default="best", help="how they are played on")
    words.add_argument("--value", type=Path, help="weights to play by; those that are shipped if not given")
    corrected_by = words.add_mutually_exclusive_group()
    corrected_by.add_argument("--correction", type=Path, help="the same for the correction of scores")
    corrected_by.add_argument("--uncorrected", action="store_true", help="play with no correction of scores")
    words.add_argument("--out", type=Path, required=True)
    asked = words.parse_args(given)
    columns, rows, mines = LEVELS[asked.level]
    first_click = FirstClick(asked.first_click)
    net = read_net(asked.value or NET)
    correction = None if asked.uncorrected else read_correction(asked.correction or CORRECTION)
    player, scout = (new_player(rows, columns, mines, net=net, correction=correction) for _ in range(2))
    for each, policy in ((player, BEST_SCORE), (scout, POLICIES[asked.policy])):
        each.settings.policy, each.settings.control, each.settings.layouts = policy, 1, 0
    first = first_cell(player.field, first_click)
    seed_compiled(asked.seed)
    all_seen, all_results = [], []
    guesses = 0
    for at in range(0, asked.games, BATCH):
        games = minefields(rows, columns, mines, first_click, min(BATCH, asked.games - at), asked.seed + at)
        stops = np.random.default_rng(asked.seed + at).integers(0, GUESSES, len(games)).astype(np.int32)
        seen, results = (
            np.zeros((len(games), CANDIDATES, CORRECTION_INPUTS)),
            np.zeros((len(games), CANDIDATES, 2)),
        )
        compare_candidates(player, scout, games, first, stops, asked.tries, seen, results)
        kept = np.isfinite(results[:, :2]).all(axis=(1, 2))
        all_seen.append(seen[kept].astype(np.float32))
        all_results.append(results[kept])
        guesses += int(kept.sum())
        print(f"{at + len(games)} games, {guesses} guesses", flush=True)
    np.savez(asked.out, seen=np.concatenate(all_seen), results=np.concatenate(all_results))


if __name__ == "__main__":
    run(main)
