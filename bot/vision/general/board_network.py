"""The second part of a network that reads cells: it lets all cells of a board decide together, in numpy.

Each cell has a state, which begins as the features of its look. In a few steps it takes in those of the cells
around it, and what is common to its look: the mean of all cells that look so or nearly so, what the looks
that are worth comparing with have, and the whole board. What a drawing means shows by where it stands. A
board that is turned or mirrored is the same to the network: cells that share a side with a cell count alike,
and so do those at its corners.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from bot.vision.general.cell_windows import Floats, Looks

HEADS = 4
"""Number of ways in which looks are compared at a time."""

LEAST_SQUARE = 0.01
"""What is added to the squares of features that are compared: two looks without any are the same."""

CORNERS_AND_SIDES = 3
"""Of a cell, those at its sides and those at its corners have weights of their own."""

LEAST_VARIANCE = 1e-5
"""What is added to the variance of what is normalised."""


class BoardNetwork:
    """Judges the cells of boards with given weights."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        """From weights by name."""
        self._weights = {name.removeprefix("board."): one for name, one in weights.items()}
        self._steps = sum(name.endswith(".around.weight") for name in self._weights)

    def scores(self, features: Floats, looks: Looks) -> Floats:
        """The logarithms of the probabilities of the labels of each cell, (rows, columns, LABELS), from the
        features of the looks, (looks, features), and which look each cell has, (rows, columns)."""
        weights = self._weights
        features = features * weights["scale"]
        alike = Alike(looks, features, float(weights["near"][0]))
        start = features @ weights["start.weight"] + weights["start.bias"]
        start += np.log(alike.numbers)[:, None] @ weights["number.weight"]
        state = np.asarray(start[looks], np.float32)
        for step in range(self._steps):
            state += self._change(state, alike, f"steps.{step}")
        cells = self._normed(state, "norm")
        of_looks = alike.shared(alike.means(cells)) @ weights["alike.weight"]
        of_looks += features @ weights["seen.weight"] + weights["out.bias"]
        return as_probabilities(cells @ weights["out.weight"] + of_looks[looks])

    def _change(self, state: Floats, alike: Alike, step: str) -> Floats:
        """What a step adds to the states, (rows, columns, channels)."""
        weights = self._weights
        cells = self._normed(state, f"{step}.norm")
        means = alike.means(cells)
        shared = alike.shared(means)
        whole = np.concatenate([cells.mean(axis=(0, 1)), means[alike.is_seen].mean(axis=0)])
        of_looks = shared @ weights[f"{step}.alike.weight"]
        of_looks += self._attended(shared, alike, step) @ weights[f"{step}.answer.weight"]
        of_looks += whole @ weights[f"{step}.whole.weight"] + weights[f"{step}.whole.bias"]
        hidden = _around(cells) @ weights[f"{step}.around.weight"] + of_looks[alike.looks]
        return np.asarray(np.maximum(hidden, 0) @ weights[f"{step}.out.weight"], np.float32)

    def _attended(self, shared: Floats, alike: Alike, step: str) -> Floats:
        """What each look takes from the looks that it is to be compared with, (looks, channels), by what it
        has, of the same shape; those of many cells count as often.

        Method: attention (Vaswani and others, "Attention is all you need", 2017).
        """
        asked, told, heard = (
            (shared @ self._weights[f"{step}.{part}.weight"]).reshape(len(shared), HEADS, -1).swapaxes(0, 1)
            for part in ("asked", "told", "heard")
        )
        asked, told = self._normed(asked, f"{step}.asked_norm"), self._normed(told, f"{step}.told_norm")
        fits = asked @ told.swapaxes(1, 2) / np.float32(np.sqrt(asked.shape[2])) + alike.log_counts
        shares = np.exp(fits - fits.max(axis=2, keepdims=True))
        shares /= shares.sum(axis=2, keepdims=True)
        return np.asarray((shares @ heard).swapaxes(0, 1).reshape(shared.shape), np.float32)

    def _normed(self, values: Floats, name: str) -> Floats:
        """Values, (…, channels), each brought to a mean of 0 and a variance of 1, times weights and more.

        Method: Ba and others, "Layer normalization", 2016.
        """
        share = np.float32(1 / values.shape[-1])
        # A product with a row of ones is a sum, in a third of the time of numpy's.
        means = values @ np.full(values.shape[-1], share)
        away: Floats = values - means[..., None]
        variance = np.einsum("...i,...i->...", away, away) * share
        away /= np.sqrt(variance + np.float32(LEAST_VARIANCE))[..., None]
        away *= self._weights[f"{name}.weight"]
        away += self._weights[f"{name}.bias"]
        return away


class Alike:
    """Which cells of a board look the same, and which looks are like each other: on a scaled board hardly two
    cells have the same pixels, but those of a thing have nearly the same features."""

    def __init__(self, looks: Looks, features: Floats, near: float) -> None:
        """From which look each cell has, (rows, columns), the features of looks, (looks, features), and the
        logarithm of how unlike looks are that count as e times less near."""
        self.looks = looks
        counts = np.bincount(looks.ravel(), minlength=len(features)).astype(np.float32)
        self.is_seen: npt.NDArray[np.bool_] = counts > 0
        """Which looks any cell has."""
        self._counts = counts[self.is_seen]
        self._order = np.argsort(looks, axis=None, kind="stable")
        starts = np.cumsum(self._counts, dtype=np.intp)
        self._starts = np.concatenate([np.zeros(1, np.intp), starts[:-1]])
        with np.errstate(divide="ignore"):
            self.log_counts: Floats = np.log(counts)
            """The logarithm of how many cells have each look."""
        squares = np.square(features).sum(axis=1) + np.float32(LEAST_SQUARE / 2)
        both = squares[:, None] + squares
        unlike = 1 - (2 * (features @ features.T) + np.float32(LEAST_SQUARE)) / both
        nearness = np.exp(-unlike / np.float32(np.exp(near)))
        self.numbers: Floats = np.maximum(nearness @ counts, 1)
        """How many cells look like each look; those that only resemble it count in part."""
        self._shares: Floats = nearness * counts / self.numbers[:, None]

    def means(self, cells: Floats) -> Floats:
        """The mean of what the cells of each look have, from (rows, columns, channels) to (looks, channels);
        0 for looks that no cell has."""
        means = np.zeros((len(self.numbers), cells.shape[2]), np.float32)
        ordered = cells.reshape(-1, cells.shape[2])[self._order]
        means[self.is_seen] = np.add.reduceat(ordered, self._starts, axis=0) / self._counts[:, None]
        return means

    def shared(self, means: Floats) -> Floats:
        """The mean of what all cells have that look like each look, by how much they do, from the means of
        looks, (looks, channels)."""
        return np.asarray(self._shares @ means, np.float32)


def as_probabilities(scores: Floats) -> Floats:
    """Scores, (rows, columns, LABELS), less what makes the probabilities of each cell add up to one."""
    scores = scores - scores.max(axis=2, keepdims=True)
    return np.asarray(scores - np.log(np.exp(scores).sum(axis=2, keepdims=True)), np.float32)


def _around(cells: Floats) -> Floats:
    """What each cell has, the sum of the four that share a side with it, and of the four that share a corner:
    from (rows, columns, channels) to (rows, columns, 3 * channels). Beyond the board is 0."""
    rows, columns, channels = cells.shape
    padded = np.zeros((rows + 2, columns + 2, channels), np.float32)
    padded[1:-1, 1:-1] = cells
    upright = padded[:-2] + padded[2:]
    sides = upright[:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return np.concatenate([cells, sides, upright[:, :-2] + upright[:, 2:]], axis=2)
