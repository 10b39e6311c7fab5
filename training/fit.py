"""Fit the value of a position to games that were played: logistic loss, Adam, held out games to judge by.

The network is the one of `bot.solver.value.network`: two hidden layers of leaky rectifiers, with a logistic
end.

What misleads a player is less what a network cannot see than the noise of the games that it was fitted to:
it chooses where that noise is high. So several networks are fitted, each from another start, those of earlier
games are added (`--with`), and one network is fitted to what they say on average. (Method: Hinton, Vinyals
and Dean, "Distilling the knowledge in a neural network", 2015.)
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bot.solver.value.inputs import FEATURES
from bot.solver.value.network import LEAK
from bot.solver.value.weights import read_net
from training.files import read_arrays, run

Array = npt.NDArray[np.float64]

BATCH = 512
HELD_OUT = 0.1


@dataclass
class Network:
    """Weights and offsets of each layer."""

    weights: list[Array]
    offsets: list[Array]

    @classmethod
    def fresh(cls, features: int, first: int, second: int, seed: int) -> Network:
        """Random weights, scaled by what comes in."""
        rng = np.random.default_rng(seed)
        sizes = [features, first, second, 1]
        scales = [(2 / features) ** 0.5, (2 / first) ** 0.5, 0.1]
        return cls(
            [rng.normal(0, scale, pair) for scale, pair in zip(scales, pairwise(sizes), strict=True)],
            [np.zeros(size) for size in sizes[1:]],
        )

    @classmethod
    def unpack(cls, net: Array, features: int) -> Network:
        """From the flat form of value.npy."""
        weights, offsets, at = [], [], 2
        for size, before in ((int(net[0]), features), (int(net[1]), int(net[0])), (1, int(net[1]))):
            block = net[at : at + size * (before + 1)].reshape(before + 1, size)
            weights.append(block[:before].copy())
            offsets.append(block[before].copy())
            at += block.size
        return cls(weights, offsets)

    def pack(self) -> Array:
        """The flat form: the sizes of the hidden layers, then each layer input by input, then its offsets."""
        blocks = [np.vstack([w, o]).ravel() for w, o in zip(self.weights, self.offsets, strict=True)]
        return np.concatenate([[self.offsets[0].size, self.offsets[1].size], *blocks])

    def forward(self, rows: Array) -> tuple[list[Array], Array]:
        """What goes into each layer, and the logarithm of the odds to win, shape (rows,)."""
        inputs = [rows]
        for weight, offset in zip(self.weights[:-1], self.offsets[:-1], strict=True):
            total = inputs[-1] @ weight + offset
            inputs.append(np.where(total > 0, total, LEAK * total))
        return inputs, (inputs[-1] @ self.weights[-1] + self.offsets[-1])[:, 0]

    def loss(self, rows: Array, won: Array) -> float:
        """Mean logistic loss in nats."""
        _, odds = self.forward(rows)
        return float(np.mean(np.logaddexp(0, odds) - won * odds))

    def slopes(self, rows: Array, won: Array) -> list[Array]:
        """Of the loss, for the weights and then the offsets."""
        inputs, odds = self.forward(rows)
        return self.back(inputs, (1 / (1 + np.exp(-odds)) - won) / len(rows))

    def back(self, inputs: list[Array], slope: Array, kept: list[Array] | None = None) -> list[Array]:
        """For the weights and then the offsets, given the inputs of each layer, what a loss does with each
        answer, shape (rows,), and by how much the inputs of each layer were multiplied, if they were."""
        error = slope[:, None]
        weights: list[Array] = []
        offsets: list[Array] = []
        for layer in range(len(self.weights) - 1, -1, -1):
            weights.insert(0, inputs[layer].T @ error)
            offsets.insert(0, error.sum(0))
            if layer:
                error = (error @ self.weights[layer].T) * np.where(inputs[layer] > 0, 1, LEAK)
                if kept is not None:
                    error *= kept[layer]
        return weights + offsets


class Adam:
    """Steps down the slopes of a loss. (Method: Kingma and Ba, "Adam", 2015; the weights' decay apart from
    the slopes: Loshchilov and Hutter, "Decoupled weight decay regularization", 2019.)"""

    def __init__(self, network: Network, decay: float = 0.0) -> None:
        self._values = network.weights + network.offsets
        self._mean = [np.zeros_like(v) for v in self._values]
        self._square = [np.zeros_like(v) for v in self._values]
        self._decay = decay
        self._steps = 0

    def step(self, slopes: list[Array], rate: float) -> None:
        """Change the network in place."""
        self._steps += 1
        of_mean, of_square = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for value, m, s, slope in zip(self._values, self._mean, self._square, slopes, strict=True):
            m += 0.1 * (slope - m)
            s += 0.001 * (slope**2 - s)
            value -= rate * ((m / of_mean) / (np.sqrt(s / of_square) + 1e-8) + self._decay * value)


def fit(network: Network, rows: Array, won: Array, epochs: int, rate: float, seed: int) -> Network:
    """Go over the rows `epochs` times; the rate falls in the second half. Returns the best one."""
    cut = int(len(rows) * (1 - HELD_OUT))
    adam = Adam(network)
    rng = np.random.default_rng(seed)
    best, kept = float("inf"), network.pack()
    for epoch in range(epochs):
        now = rate * min(1.0, 2 * (1 - epoch / epochs))
        for batch in np.array_split(rng.permutation(cut), max(1, cut // BATCH)):
            adam.step(network.slopes(rows[batch], won[batch]), now)
        held = network.loss(rows[cut:], won[cut:])
        print(
            f"epoch {epoch + 1}: loss {network.loss(rows[:cut], won[:cut]):.5f}, held out {held:.5f}",
            flush=True,
        )
        if held < best:
            best, kept = held, network.pack()
    return Network.unpack(kept, rows.shape[1])


def mean_of(networks: list[Network], rows: Array) -> Array:
    """The chance to win that the networks give on average, shape (rows,)."""
    odds = np.mean([network.forward(rows)[1] for network in networks], axis=0)
    return np.asarray(1 / (1 + np.exp(-odds)), np.float64)


def read_rows(paths: Sequence[Path]) -> tuple[Array, Array]:
    """The rows that training.gather wrote, shape (rows, FEATURES), and the results from each on.

    The last HELD_OUT of each file come last, to be held out: rows of one game stay on one side. Raises
    FormatError for other files.
    """
    shapes = {"features": (FEATURES,), "won": ()}
    files = [read_arrays(path, shapes, "training.gather") for path in paths]
    cuts = [int(len(won) * (1 - HELD_OUT)) for _, won in files]
    rows, results = (
        np.concatenate(
            [file[kind][:cut] for file, cut in zip(files, cuts, strict=True)]
            + [file[kind][cut:] for file, cut in zip(files, cuts, strict=True)]
        ).astype(float)
        for kind in range(2)
    )
    return rows, results


def held_out_loss(net: Array, paths: Sequence[Path]) -> float:
    """The mean logistic loss of a value in nats, on the rows of these files that `main` holds out."""
    rows, won = read_rows(paths)
    cut = int(len(rows) * (1 - HELD_OUT))
    return Network.unpack(net, rows.shape[1]).loss(rows[cut:], won[cut:])


def main(given: Sequence[str] | None = None) -> None:
    """Fit, and say how the shipped value does on the same held out games."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("rows", type=Path, nargs="+", help="what training.gather wrote")
    words.add_argument("--out", type=Path, required=True)
    words.add_argument("--epochs", type=int, default=15)
    words.add_argument("--hidden", type=int, nargs=2, default=[48, 24])
    words.add_argument("--rate", type=float, default=1.5e-3)
    words.add_argument("--networks", type=int, default=3, help="how many are fitted to the games")
    words.add_argument("--with", dest="earlier", type=Path, nargs="*", default=[], help="earlier values")
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args(given)
    rows, won = read_rows(asked.rows)
    size = (rows.shape[1], asked.hidden[0], asked.hidden[1])
    networks = [Network.unpack(read_net(path), rows.shape[1]) for path in asked.earlier]
    for seed in range(asked.seed, asked.seed + asked.networks):
        networks.append(fit(Network.fresh(*size, seed), rows, won, asked.epochs, asked.rate, seed))
    told = mean_of(networks, rows)
    network = fit(Network.fresh(*size, asked.seed), rows, told, asked.epochs, asked.rate, asked.seed)
    cut = int(len(rows) * (1 - HELD_OUT))
    shipped = Network.unpack(read_net(), rows.shape[1])
    print(
        f"held out: shipped {shipped.loss(rows[cut:], won[cut:]):.5f},"
        f" new {network.loss(rows[cut:], won[cut:]):.5f}; from the mean of {len(networks)} networks"
        f" {float(np.sqrt(np.mean((mean_of([network], rows[cut:]) - told[cut:]) ** 2))):.4f} off"
    )
    np.save(asked.out, network.pack())


if __name__ == "__main__":
    run(main)
