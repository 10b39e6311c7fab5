"""The trained network that reads the cells of any skin, in numpy.

It has two parts. The cell network turns the window of one cell into features; it is evaluated once for each
distinct look. The board network lets the features of each cell, of its neighbours and of the whole board
decide together: what is covered and what is opened shows only beside each other. `training/reader` trains
both. Three networks judge every cell: where they disagree, none of them is to be believed. `weights_1.npz` to
`weights_3.npz` beside this file hold their weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from bot.vision.general.cell_windows import MARGIN, WINDOW_SIDE, Looks, Windows

Floats = npt.NDArray[np.float32]

NOT_A_CELL = 15
"""The label of what is no cell: outside the board, or between its cells. The others are codes of `Cell`."""

LABELS = 16

CONVOLUTIONS = 3
"""Number of convolutions of the cell network, each followed by a reduction to half."""

HEADS = 4
"""Number of ways in which the board network compares cells at a time."""

MIN_CONTRAST = 5.0
"""What is added to the standard deviation of the colours of a window (0 to 255): plain cells stay plain."""

LEAST_SQUARE = 0.01
"""What is added to the squares of features that are compared: two looks without any are the same."""

LOOKS_AT_ONCE, CELLS_AT_ONCE = 8, 128
"""How many looks, and cells that are compared with all others, are worked out at a time: more than the cache
of the processor holds takes longer."""

INNER = slice(MARGIN, WINDOW_SIDE - MARGIN)

WEIGHTS_FILES = tuple(Path(__file__).with_name(f"weights_{number}.npz") for number in (1, 2, 3))

POWER, STEP = 1.5, ".step"
"""Weights of several dimensions are written as whole numbers, to be taken to this power: small weights, most
of them, are so known more exactly than large ones. What 1 stands for in each channel has the name of the
weights and this at its end."""


class Network:
    """Reads boards with given weights."""

    def __init__(self, weights: Mapping[str, npt.NDArray[Any]]) -> None:
        """From weights as `unpacked` takes them."""
        self._weights = unpacked(weights)
        self._blocks = sum(name.endswith(".around.weight") for name in self._weights)

    def features(self, windows: Windows) -> Floats:
        """The features of each look: from (looks, WINDOW_SIDE, WINDOW_SIDE, 3) to (looks, features)."""
        return Networks([self]).features(windows)

    def features_of(self, surroundings: Floats, summary: Floats) -> Floats:
        """The same from the `_surroundings` of normalised windows and what `normalised` says of each: several
        networks share them."""
        pixels = self._reduced(0, surroundings)
        for index in range(1, CONVOLUTIONS):
            pixels = self._reduced(index, _surroundings(pixels))
        flat = np.concatenate([pixels.reshape(len(pixels), -1), summary], axis=1)
        dense = flat @ self._weights["cell.dense.weight"] + self._weights["cell.dense.bias"]
        return np.asarray(np.maximum(dense, 0), np.float32)

    def _reduced(self, index: int, surroundings: Floats) -> Floats:
        """What a convolution of the cell network makes of pictures, of half their height and width."""
        names = (f"cell.{index}.{name}" for name in ("weight", "scale", "bias"))
        weight, scale, bias = (self._weights[name] for name in names)
        pixels: Floats = np.maximum(_halved(_weighed(surroundings, weight)) * scale + bias, 0)
        return pixels

    def scores(self, features: Floats, looks: Looks) -> Floats:
        """The logarithms of the probabilities of the labels of each cell, (rows, columns, LABELS), from the
        features of the looks, (looks, features), and which look each cell has, (rows, columns)."""
        with _one_thread():
            return self._scores(features, looks)

    def _scores(self, features: Floats, looks: Looks) -> Floats:
        weights = self._weights
        start = features @ weights["board.in.weight"] + weights["board.in.bias"]
        alike = Alike(looks, features, float(weights["board.near"][0]))
        start += np.log(alike.numbers)[:, None] @ weights["board.number.weight"]
        state = np.maximum(start, 0)[looks]
        for index in range(self._blocks):
            prefix = f"board.{index}"
            around = _convolved(state[None], weights[f"{prefix}.around.weight"])[0]
            whole = np.concatenate([state.mean(axis=(0, 1)), state.max(axis=(0, 1))])
            change = around + whole @ weights[f"{prefix}.whole.weight"] + weights[f"{prefix}.whole.bias"]
            change += (alike.together(state) @ weights[f"{prefix}.alike.weight"])[looks]
            state = state + np.maximum(change + self._attended(state, prefix), 0)
        out = weights["board.out.weight"]
        of_looks = features @ out[state.shape[2] :] + weights["board.out.bias"]
        of_looks += alike.together(state) @ weights["board.alike.weight"]
        return _as_probabilities(state @ out[: state.shape[2]] + of_looks[looks])

    def _attended(self, state: Floats, prefix: str) -> Floats:
        """What each cell takes from the cells that it is to be compared with: (rows, columns, channels).

        Method: attention (Vaswani and others, "Attention is all you need", 2017).
        """
        cells = state.reshape(-1, state.shape[2])
        asked, told, heard = (
            cells @ self._weights[f"{prefix}.{part}.weight"] for part in ("asked", "told", "heard")
        )
        channels = cells.shape[1] // HEADS
        asked = asked / np.float32(np.sqrt(channels))
        answer = np.empty_like(cells)
        for head in range(HEADS):
            part = slice(head * channels, (head + 1) * channels)
            others = np.ascontiguousarray(told[:, part].T)
            # A column of ones gives the sum of the shares.
            taken = np.concatenate([heard[:, part], np.ones((len(cells), 1), np.float32)], axis=1)
            for first in range(0, len(cells), CELLS_AT_ONCE):
                rows = slice(first, first + CELLS_AT_ONCE)
                shares = asked[rows, part] @ others
                shares -= shares.max(axis=1, keepdims=True)
                mixed = np.exp(shares, out=shares) @ taken
                answer[rows, part] = mixed[:, :-1] / mixed[:, -1:]
        answer = answer @ self._weights[f"{prefix}.answer.weight"]
        return np.asarray(answer.reshape(state.shape), np.float32)


class Alike:
    """Which cells of a board look the same, and which looks are like each other: on a scaled board hardly two
    cells have the same pixels, but those of a thing have nearly the same features."""

    def __init__(self, looks: Looks, features: Floats, near: float) -> None:
        """From which look each cell has, (rows, columns), the features of looks, (looks, features), and the
        logarithm of how unlike looks are that count as e times less near."""
        counts = np.bincount(looks.ravel(), minlength=len(features)).astype(np.float32)
        self._order = np.argsort(looks, axis=None, kind="stable")
        self._is_seen = counts > 0
        self._starts = np.cumsum(counts[self._is_seen], dtype=np.intp)
        self._starts = np.concatenate([np.zeros(1, np.intp), self._starts[:-1]])
        squares = np.square(features).sum(axis=1) + np.float32(LEAST_SQUARE / 2)
        both = squares[:, None] + squares
        unlike = 1 - (2 * (features @ features.T) + np.float32(LEAST_SQUARE)) / both
        self._nearness: Floats = np.exp(-unlike / np.float32(np.exp(near)))
        self.numbers: Floats = np.maximum(self._nearness @ counts, 1)
        """How many cells look like each look; those that only resemble it count in part."""

    def together(self, state: Floats) -> Floats:
        """Of the states, (rows, columns, channels), the mean of all cells that look like each look, by how
        much they do, and the most of those that look the same: (looks, 2 * channels)."""
        cells = state.reshape(-1, state.shape[2])[self._order]
        both = np.zeros((len(self.numbers), 2 * state.shape[2]), np.float32)
        sums, most = both[:, : state.shape[2]], both[:, state.shape[2] :]
        sums[self._is_seen] = np.add.reduceat(cells, self._starts, axis=0)
        most[self._is_seen] = np.maximum.reduceat(cells, self._starts, axis=0)
        sums[:] = self._nearness @ sums / self.numbers[:, None]
        return both


def unpacked(weights: Mapping[str, npt.NDArray[Any]]) -> dict[str, Floats]:
    """Weights by name, as numbers, from how they are written (`STEP`) or from numbers."""
    read: dict[str, Floats] = {}
    for name, one in weights.items():
        if name.endswith(STEP):
            continue
        numbers = one.astype(np.float32)
        if f"{name}{STEP}" in weights:
            numbers = np.sign(numbers) * np.abs(numbers) ** np.float32(POWER) * weights[f"{name}{STEP}"]
        read[name] = np.ascontiguousarray(numbers, np.float32)
    return read


class Networks:
    """Several networks that judge the same cells."""

    def __init__(self, members: Sequence[Network]) -> None:
        self._members = members

    def last(self) -> Networks:
        """The last of them alone, which takes a part of the time."""
        return Networks(self._members[-1:])

    def features(self, windows: Windows) -> Floats:
        """The features of each look, those of one network after those of another: from (looks, WINDOW_SIDE,
        WINDOW_SIDE, 3) to (looks, all features)."""
        parts = range(0, len(windows), LOOKS_AT_ONCE)
        with _one_thread():
            return np.concatenate([self._features(windows[start : start + LOOKS_AT_ONCE]) for start in parts])

    def _features(self, windows: Windows) -> Floats:
        pixels, summary = normalised(windows)
        surroundings = _surroundings(pixels)
        return np.concatenate([one.features_of(surroundings, summary) for one in self._members], axis=1)

    def opinions(self, features: Floats, looks: Looks) -> Floats:
        """The scores that each network gives, (networks, rows, columns, LABELS), from all features of looks,
        (looks, features), and which look each cell has, (rows, columns)."""
        parts = np.split(features, len(self._members), axis=1)
        return np.stack([one.scores(part, looks) for one, part in zip(self._members, parts, strict=True)])


def joined(opinions: Floats) -> Floats:
    """What several networks say together: from (networks, rows, columns, LABELS) to (rows, columns, LABELS).

    The probabilities are the geometric means of those of the networks, so what one of them excludes is out.
    """
    return _as_probabilities(opinions.mean(axis=0))


def _as_probabilities(scores: Floats) -> Floats:
    """Scores, (rows, columns, LABELS), less what makes the probabilities of each cell add up to one."""
    scores = scores - scores.max(axis=2, keepdims=True)
    return np.asarray(scores - np.log(np.exp(scores).sum(axis=2, keepdims=True)), np.float32)


def _one_thread() -> AbstractContextManager[object]:
    """Products of matrices in one thread while the body runs: these are small, and where other programs are
    busy, threads wait for each other ten times as long as one takes."""
    return cast(AbstractContextManager[object], _libraries().limit(limits=1, user_api="blas"))


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


def normalised(windows: Windows) -> tuple[Floats, Floats]:
    """Windows, (looks, side, side, 3), as multiples of their contrast away from their mean colour; and the
    mean and the contrast, (looks, 4). Both are those of the cell without what is around it."""
    pixels = windows.astype(np.float32)
    inner = pixels[:, INNER, INNER].reshape(len(pixels), -1, 3)
    mean = inner.mean(axis=1)
    contrast = inner.std(axis=1).mean(axis=1, keepdims=True) + MIN_CONTRAST
    pixels = (pixels - mean[:, None, None]) / contrast[:, None, None]
    summary = np.concatenate([mean / 128 - 1, np.log(contrast / 20)], axis=1)
    return np.clip(pixels, -6, 6), np.asarray(summary, np.float32)


def _halved(pixels: Floats) -> Floats:
    """The maximum of each two by two pixels of pictures, (count, height, width, channels)."""
    rows = np.maximum(pixels[:, ::2], pixels[:, 1::2])
    return np.maximum(rows[:, :, ::2], rows[:, :, 1::2])


def _convolved(pixels: Floats, weight: Floats) -> Floats:
    """The convolution of pictures, (count, height, width, channels), with a weight, (3, 3, channels, out);
    beyond their edges is 0."""
    return _weighed(_surroundings(pixels), weight)


def _surroundings(pixels: Floats) -> Floats:
    """Each pixel of pictures, (count, height, width, channels), with the eight around it: (count, height,
    width, 9 * channels)."""
    count, height, width, channels = pixels.shape
    padded = np.zeros((count, height + 2, width + 2, channels), np.float32)
    padded[:, 1:-1, 1:-1] = pixels
    columns = np.empty((count, height, width, 9, channels), np.float32)
    for index in range(9):
        row, column = divmod(index, 3)
        columns[:, :, :, index] = padded[:, row : row + height, column : column + width]
    return columns.reshape(count, height, width, -1)


def _weighed(surroundings: Floats, weight: Floats) -> Floats:
    """The sums of surroundings, each times its weight, (3, 3, channels, out): (count, height, width, out)."""
    size = surroundings.shape[-1]
    flat = surroundings.reshape(-1, size) @ weight.reshape(size, -1)
    return flat.reshape(*surroundings.shape[:-1], -1)


@cache
def networks() -> Networks:
    """The networks with the weights that are shipped."""
    return Networks([_read(path) for path in WEIGHTS_FILES])


def _read(path: Path) -> Network:
    with np.load(path, allow_pickle=False) as weights:
        return Network(dict(weights))
