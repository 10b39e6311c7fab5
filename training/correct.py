"""Fit the correction of scores to candidates that were played on in the same layouts (training/pairs.py).

python -m training.correct expert.npz intermediate.npz --out correction.npy

What a candidate won more than the others of its position is explained by the terms of its score, by least
squares, which gives the exponents of bot/solver/guess/score.py; and what is left, by a network. A position
counts in every rotation and reflection of the cells around its candidates. Several networks are fitted, each
from another start, and joined: on average they err less than each of them. With `--after`, what an earlier
correction leaves out is fitted, and the earlier one is joined too.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.solver.guess.score import BEST_EXPONENT, SECOND_EXPONENT, VALUE_EXPONENT
from bot.solver.value.inputs import (
    AROUND_AT,
    AROUND_RADIUS,
    CELLS_AROUND,
    CORRECTION_INPUTS,
    NUMBERS_A_CELL,
    SCORE_TERMS,
    TERMS_AT,
)
from bot.solver.value.network import LEAK, NEURONS
from bot.solver.value.weights import read_correction
from training.files import read_arrays, run
from training.fit import Adam, Array, Network

Places = npt.NDArray[np.intp]
Chosen = npt.NDArray[np.bool_] | Places

BATCH = 512
DROPPED = 0.1
DECAY = 0.01
OF_SCORE = 0.72
"""How much of what a score promises comes true, by the same least squares."""
SCALE = 0.1
"""What an answer of 1 stands for: networks begin at answers of that size."""

EXPONENTS = np.array([1.0, VALUE_EXPONENT, BEST_EXPONENT, SECOND_EXPONENT, 1.0])
NAMES = ("chance to survive", "learned value", "safest cell next", "second safest next", "fifty-fifties")


@dataclass
class Pairs:
    """Positions: `seen` has the shape (positions, candidates, CORRECTION_INPUTS), the rest (positions,
    candidates)."""

    seen: npt.NDArray[np.float32]
    there: Array
    """1 for a candidate that there is."""
    halves: Array
    """What it won more than all of its position on average, in two halves of the layouts; shape (positions,
    candidates, 2)."""
    score: Array
    """The logarithm of its score."""
    worth: Array
    """The chance to win of the best candidate, shape (positions, 1): what a logarithm counts in games."""

    @property
    def won(self) -> Array:
        """The same in all layouts."""
        return np.asarray(self.halves.mean(axis=2), np.float64)

    @classmethod
    def read(cls, paths: list[Path]) -> Pairs:
        """From what training.pairs wrote."""
        shapes = {"seen": (None, CORRECTION_INPUTS), "results": (None, 2)}
        files = [read_arrays(path, shapes, "training.pairs") for path in paths]
        seen = np.concatenate([seen for seen, _ in files]).astype(np.float32)
        results = np.concatenate([results for _, results in files])
        there = np.isfinite(results).all(axis=2)
        terms = seen[..., TERMS_AT:AROUND_AT].astype(float)
        return cls(
            seen,
            there.astype(float),
            halved(np.where(there[..., None], results, 0.0), there.astype(float)),
            terms @ EXPONENTS,
            np.exp(terms[:, :1, 0] + terms[:, :1, 1]),
        )

    def part(self, chosen: Chosen) -> Pairs:
        """Some of the positions."""
        return Pairs(
            self.seen[chosen], self.there[chosen], self.halves[chosen], self.score[chosen], self.worth[chosen]
        )


def centred(values: Array, there: Array) -> Array:
    """What each candidate has over the mean of its position; 0 where there is none."""
    mean = (values * there).sum(1, keepdims=True) / there.sum(1, keepdims=True)
    return np.asarray((values - mean) * there, np.float64)


def halved(results: Array, there: Array) -> Array:
    """The same of each half, shape (positions, candidates, 2)."""
    return np.stack([centred(results[..., half], there) for half in range(2)], axis=2)


def exponents(pairs: Pairs, earlier: Array | None = None) -> tuple[Array, Array]:
    """What each term of the score is worth, and what an earlier correction says, if there is one, by least
    squares, and the standard errors; shape (TERMS,) or (TERMS + 1,)."""
    terms = pairs.seen[..., TERMS_AT:AROUND_AT].astype(float)
    told = [terms[..., k] for k in range(SCORE_TERMS)] + ([] if earlier is None else [earlier])
    columns = [centred(each, pairs.there) * pairs.worth for each in told]
    rows, won = np.stack(columns, -1).reshape(-1, len(told)), pairs.won.ravel()
    inverse = np.linalg.pinv(rows.T @ rows)
    weights = inverse @ (rows.T @ won)
    spread = np.std(won - rows @ weights) * (pairs.there.size / max(pairs.there.sum(), 1)) ** 0.5
    return weights, np.sqrt(np.diag(inverse)) * spread


def turned(side: int) -> list[Places]:
    """Where each number of the cells around lies in each of the eight rotations and reflections."""
    places = np.arange(side * side * NUMBERS_A_CELL).reshape(side, side, NUMBERS_A_CELL)
    found = []
    for turns in range(4):
        found.append(np.rot90(places, turns).ravel())
        found.append(np.rot90(places, turns)[::-1].ravel())
    return found


def promised(pairs: Pairs, answers: Array) -> Array:
    """What scores and answers say that each candidate wins more than all of its position on average."""
    return centred((OF_SCORE * pairs.score + SCALE * answers) * pairs.worth, pairs.there)


def off(pairs: Pairs, answers: Array) -> Array:
    """How far that is off from what was won, candidate by candidate."""
    return np.asarray((promised(pairs, answers) - pairs.won) * pairs.there, np.float64)


def slopes(network: Network, pairs: Pairs, rng: np.random.Generator) -> list[Array]:
    """Of the mean square of `off`, over inputs of which some are dropped at random."""
    shape = pairs.there.shape
    rows = pairs.seen.reshape(-1, pairs.seen.shape[2]).astype(np.float64)
    inputs, _ = network.forward(rows)
    kept = [np.ones(1)]
    for layer in (1, 2):
        kept.append((rng.random(inputs[layer].shape) >= DROPPED) / (1 - DROPPED))
        inputs[layer] *= kept[layer]
        if layer == 1:
            total = inputs[1] @ network.weights[1] + network.offsets[1]
            inputs[2] = np.where(total > 0, total, LEAK * total)
    answers = (inputs[2] @ network.weights[2] + network.offsets[2])[:, 0].reshape(shape)
    slope = 2 * SCALE * centred(off(pairs, answers), pairs.there) * pairs.worth / len(pairs.seen)
    return network.back(inputs, slope.ravel(), kept)


def gained(pairs: Pairs, answers: Array) -> Array:
    """What the candidate with the highest corrected score won more than that with the highest score."""
    there = pairs.there > 0
    before = np.where(there, pairs.score, -np.inf).argmax(1)
    after = np.where(there, OF_SCORE * pairs.score + SCALE * answers, -np.inf).argmax(1)
    at = np.arange(len(before))
    return np.asarray(pairs.won[at, after] - pairs.won[at, before], np.float64)


def said(network: Network, pairs: Pairs) -> Array:
    """The answers of the network, shape (positions, candidates)."""
    _, answers = network.forward(pairs.seen.reshape(-1, pairs.seen.shape[2]).astype(np.float64))
    return answers.reshape(pairs.there.shape)


def left(pairs: Pairs, answers: Array) -> float:
    """The variance of what candidates win and no answer tells: what both halves of the layouts say."""
    one, other = (pairs.halves[..., half] - promised(pairs, answers) for half in range(2))
    return float((one * other).sum() / np.maximum(pairs.there.sum(1) - 1, 0).sum())


def fit(pairs: Pairs, held: Pairs, epochs: int, hidden: list[int], rate: float, seed: int) -> Network:
    """A network for inputs of mean 0 and spread 1. Says on the way how it does on the positions held out."""
    rng = np.random.default_rng(seed)
    network = Network.fresh(pairs.seen.shape[2], hidden[0], hidden[1], seed)
    network.weights[2] *= 0.1
    adam = Adam(network, DECAY)
    turns = turned(2 * AROUND_RADIUS + 1)
    batches = max(1, len(pairs.seen) // BATCH)
    for epoch in range(epochs):
        for k, chosen in enumerate(np.array_split(rng.permutation(len(pairs.seen)), batches)):
            batch = pairs.part(chosen)
            batch.seen[..., AROUND_AT:] = batch.seen[..., AROUND_AT:][..., turns[rng.integers(8)]]
            done = (epoch + k / batches) / epochs
            now = rate * min(done / 0.3, np.cos(np.pi / 2 * max(done - 0.3, 0) / 0.7))
            adam.step(slopes(network, batch, rng), float(now))
        if epoch % 5 == 4 or epoch == epochs - 1:
            tell(network, held, f"epoch {epoch + 1}")
    return network


def joined(networks: list[Network], shares: list[float]) -> Network:
    """One network that says the sum of what these say, so much of each."""
    sizes = [network.offsets[1].size for network in networks]
    ends = np.cumsum(sizes)
    second = np.zeros((sum(network.offsets[0].size for network in networks), ends[-1]))
    at = 0
    for network, size, end in zip(networks, sizes, ends, strict=True):
        before = network.offsets[0].size
        second[at : at + before, end - size : end] = network.weights[1]
        at += before
    return Network(
        [
            np.hstack([network.weights[0] for network in networks]),
            second,
            np.vstack([share * network.weights[2] for network, share in zip(networks, shares, strict=True)]),
        ],
        [
            np.concatenate([network.offsets[0] for network in networks]),
            np.concatenate([network.offsets[1] for network in networks]),
            np.sum(
                [share * network.offsets[2] for network, share in zip(networks, shares, strict=True)], axis=0
            ),
        ],
    )


def tell(network: Network, held: Pairs, name: str) -> None:
    """Say how a network does on the positions held out."""
    told(held, said(network, held), name)


def told(held: Pairs, answers: Array, name: str) -> None:
    """Say how answers do on the positions held out."""
    won = gained(held, answers)
    error = 1.96 * won.std() / len(won) ** 0.5
    before, after = ((off(held, a) ** 2).sum(1).mean() for a in (0 * answers, answers))
    print(
        f"{name}: held out {after:.7f}, without it {before:.7f};"
        f" a guess wins {won.mean():+.5f} +- {error:.5f} more; left {left(held, answers):+.2e}",
        flush=True,
    )


def main(given: Sequence[str] | None = None) -> None:
    """Fit, and write the weights for inputs as they are."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("pairs", type=Path, nargs="+", help="what training.pairs wrote")
    words.add_argument("--out", type=Path, required=True)
    words.add_argument("--after", type=Path, help="an earlier correction")
    words.add_argument("--epochs", type=int, default=50)
    words.add_argument("--hidden", type=int, nargs=2, default=[64, 32])
    words.add_argument("--networks", type=int, default=3, help="how many are fitted, and joined into one")
    words.add_argument("--rate", type=float, default=2e-3)
    words.add_argument("--held-out", type=float, default=0.1)
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args(given)
    earlier = Network.unpack(read_correction(asked.after), CORRECTION_INPUTS) if asked.after else None
    before = max(earlier.offsets[0].size, earlier.offsets[1].size) if earlier else 0
    if before + asked.networks * max(asked.hidden) > NEURONS:
        words.error(
            f"{asked.networks} networks of {max(asked.hidden)} neurons beside {before}: a correction has"
            f" {NEURONS} in a layer at most, so give fewer --networks or --hidden"
        )
    pairs = Pairs.read(asked.pairs)
    answers = said(earlier, pairs) if earlier else None
    weights, errors = exponents(pairs, answers)
    names = NAMES if answers is None else (*NAMES, "the earlier correction")
    for name, weight, error in zip(names, weights, errors, strict=True):
        print(f"{name}: {weight:.3f} +- {1.96 * error:.3f}")
    held = np.random.default_rng(0).random(len(pairs.seen)) < asked.held_out
    share = 0.0
    if answers is not None:
        share = float(weights[-1]) / OF_SCORE
        told(pairs.part(held), share * OF_SCORE / SCALE * answers[held], "the earlier correction")
        pairs.score = pairs.score + share * answers
    there = pairs.there > 0
    mean, spread = pairs.seen[there].mean(0), pairs.seen[there].std(0) + 1e-3
    # The cells around are turned and reflected: each of their numbers is scaled alike everywhere.
    for numbers in (mean, spread):
        numbers[AROUND_AT:] = np.tile(
            numbers[AROUND_AT:].reshape(CELLS_AROUND, NUMBERS_A_CELL).mean(0), CELLS_AROUND
        )
    pairs.seen = (pairs.seen - mean) / spread * there[..., None]
    networks = [
        fit(pairs.part(~held), pairs.part(held), asked.epochs, asked.hidden, asked.rate, seed)
        for seed in range(asked.seed, asked.seed + asked.networks)
    ]
    network = joined(networks, [1 / len(networks)] * len(networks))
    tell(network, pairs.part(held), f"{len(networks)} networks")
    # Scaling is put into the first weights, and that answers are factors of a score into the last.
    network.weights[0] /= spread[:, None]
    network.offsets[0] -= mean @ network.weights[0]
    shares = [SCALE / OF_SCORE]
    if earlier:
        network, shares = joined([earlier, network], [share, *shares]), [1.0]
    np.save(asked.out, joined([network], shares).pack().astype(np.float32))


if __name__ == "__main__":
    run(main)
