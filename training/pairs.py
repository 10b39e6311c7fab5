"""Fit the exponents of the score: from some guesses, the best candidate and others close to it are played on
in the same layout, and what was won more is explained by what was known of them (`bot.solver.paired`).

python -m training.pairs --games 300000 --out pairs.npz
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.board import LEVELS, FirstClick
from bot.solver.paired import SAFE, TERMS, VALUE, compare
from bot.solver.player import BEST_SCORE, CONTROL, LAYOUTS, POLICY, new_player
from bot.solver.thinker import read_net
from training.boards import add_words, first_cell, minefields, seed_compiled

Array = npt.NDArray[np.float64]

CANDIDATES = 3

GUESSES = 3
"""The guess is one of the first so many after the first zero."""

BATCH = 10_000

NAMES = ("chance to survive", "learned value", "safest cell next", "second safest next", "fifty-fifties")


def fit(terms: Array, results: Array) -> tuple[Array, Array]:
    """The weights of the terms and their standard errors, both of shape (TERMS,), by least squares.

    `terms` has shape (guesses, candidates, TERMS), `results` (guesses, candidates), NaN for none; the first
    candidate is the one that the others are compared with. A logarithm counts as much as the game is worth.
    """
    worth = np.exp(terms[:, :1, SAFE] + terms[:, :1, VALUE])
    rows = ((terms - terms[:, :1]) * worth[..., None])[:, 1:].reshape(-1, terms.shape[2])
    more = (results - results[:, :1])[:, 1:].ravel()
    known = np.isfinite(more)
    rows, more = rows[known], more[known]
    inverse = np.linalg.pinv(rows.T @ rows)
    weights = inverse @ (rows.T @ more)
    return weights, np.sqrt(np.diag(inverse)) * np.std(more - rows @ weights)


def gained(terms: Array, results: Array, weights: Array) -> Array:
    """What a guess by these weights wins more than the first candidate, guess by guess."""
    sums = np.where(np.isfinite(results), terms @ weights, -np.inf)
    chosen = results[np.arange(len(results)), sums.argmax(axis=1)]
    return np.asarray(chosen - results[:, 0], np.float64)


def main() -> None:
    """Play, write `terms` and `results`, and say what follows from them."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_words(words, games=300_000, seed=1)
    words.add_argument("--out", type=Path, required=True)
    asked = words.parse_args()
    columns, rows, mines = LEVELS[asked.level]
    first_click = FirstClick(asked.first_click)
    player, scout = (new_player(rows, columns, mines, net=read_net()) for _ in range(2))
    for each in (player, scout):
        each.settings[POLICY], each.settings[CONTROL], each.settings[LAYOUTS] = BEST_SCORE, 1, 0
    first = first_cell(player.field, first_click)
    seed_compiled(asked.seed)
    kept_terms, kept_results = np.zeros((0, CANDIDATES, TERMS)), np.zeros((0, CANDIDATES))
    for at in range(0, asked.games, BATCH):
        games = minefields(rows, columns, mines, first_click, min(BATCH, asked.games - at), asked.seed + at)
        stops = np.random.default_rng(asked.seed + at).integers(0, GUESSES, len(games)).astype(np.int32)
        terms, results = np.zeros((len(games), CANDIDATES, TERMS)), np.zeros((len(games), CANDIDATES))
        compare(player, scout, games, first, stops, terms, results)
        kept = np.isfinite(results[:, :2]).all(axis=1)
        kept_terms = np.concatenate([kept_terms, terms[kept]])
        kept_results = np.concatenate([kept_results, results[kept]])
        print(f"{at + len(games)} games, {len(kept_results)} guesses", flush=True)
    np.savez(asked.out, terms=kept_terms, results=kept_results)
    weights, errors = fit(kept_terms, kept_results)
    for name, weight, error in zip(NAMES, weights, errors, strict=True):
        print(f"{name}: {weight:.2f} +- {1.96 * error:.2f}, {weight / weights[SAFE]:.2f} of the first")
    # Each half is judged by the weights of the other.
    half = np.arange(len(kept_results)) % 2 == 0
    won = np.concatenate(
        [
            gained(
                kept_terms[judged], kept_results[judged], fit(kept_terms[~judged], kept_results[~judged])[0]
            )
            for judged in (half, ~half)
        ]
    )
    error = 1.96 * won.std() / max(len(won), 1) ** 0.5
    print(f"a guess by them wins {won.mean():.5f} +- {error:.5f} more than by the score as it is")


if __name__ == "__main__":
    main()
