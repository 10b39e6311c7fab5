"""The trained network that reads the cells of any skin, in numpy.

It has two parts. The cell network turns the window of one cell into features; it is evaluated once for each
distinct look. The board network (`board_network.py`) lets all cells decide together: what is covered and what
is opened shows only beside each other. `training/reader` trains both. Three networks judge every cell: where
they disagree, none of them is to be believed. `weights_1.npz` to `weights_3.npz` beside this file hold their
weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.vision.general.board_network import BoardNetwork, as_probabilities
from bot.vision.general.cell_windows import INNER, Floats, Looks, Windows

NOT_A_CELL = 15
"""The label of what is no cell: outside the board, or between its cells. The others are codes of `Cell`."""

LABELS = 16

CONVOLUTIONS = 3
"""Number of convolutions of the cell network, each followed by a reduction to half."""

MIN_CONTRAST = 5.0
"""What is added to the standard deviation of the colours of a window (0 to 255): plain cells stay plain."""

LOOKS_AT_ONCE = 8
"""How many looks are worked out at a time: more than the cache of the processor holds takes longer."""

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
        self._board = BoardNetwork(
            {name: one for name, one in self._weights.items() if name.startswith("board.")}
        )

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
        pixels = _halved(_weighed(surroundings, weight))
        pixels *= scale
        pixels += bias
        return np.maximum(pixels, 0, out=pixels)

    def scores(self, features: Floats, looks: Looks) -> Floats:
        """What `BoardNetwork.scores` gives."""
        return self._board.scores(features, looks)


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
    return as_probabilities(opinions.mean(axis=0))


def normalised(windows: Windows) -> tuple[Floats, Floats]:
    """Windows, (looks, side, side, 3), as multiples of their contrast away from their mean colour; and the
    mean and the contrast, (looks, 4). Both are those of the cell without what is around it."""
    pixels = windows.astype(np.float32)
    inner = np.ascontiguousarray(pixels[:, INNER, INNER]).reshape(len(pixels), -1, 3)
    # A product with a row of equal weights is a mean, in a tenth of the time of numpy's.
    weights = np.full(inner.shape[1], 1 / inner.shape[1], np.float32)
    mean = weights @ inner
    deviation = np.sqrt(weights @ np.square(inner - mean[:, None]))
    contrast = deviation.mean(axis=1, keepdims=True) + np.float32(MIN_CONTRAST)
    pixels -= mean[:, None, None]
    pixels /= contrast[:, None, None]
    summary = np.concatenate([mean / 128 - 1, np.log(contrast / 20)], axis=1)
    return np.clip(pixels, -6, 6, out=pixels), np.asarray(summary, np.float32)


def _halved(pixels: Floats) -> Floats:
    """The maximum of each two by two pixels of pictures, (count, height, width, channels)."""
    rows = np.maximum(pixels[:, ::2], pixels[:, 1::2])
    return np.maximum(rows[:, :, ::2], rows[:, :, 1::2])


def _surroundings(pixels: Floats) -> Floats:
    """Each pixel of pictures, (count, height, width, channels), with the eight around it: (count, height,
    width, 9 * channels)."""
    count, height, width, channels = pixels.shape
    padded = np.zeros((count, height + 2, width + 2, channels), np.float32)
    padded[:, 1:-1, 1:-1] = pixels
    # Three pixels of a row lie one after the other, so that each row around a pixel is one piece.
    of_picture, of_row, of_pixel, of_channel = padded.strides
    shape = count, height, width, 3, 3 * channels
    strides = of_picture, of_row, of_pixel, of_row, of_channel
    pieces = np.lib.stride_tricks.as_strided(padded, shape, strides, writeable=False)
    return pieces.reshape(count, height, width, -1)


def _weighed(surroundings: Floats, weight: Floats) -> Floats:
    """The sums of surroundings, each times its weight, (3, 3, channels, out): (count, height, width, out)."""
    size = surroundings.shape[-1]
    flat = surroundings.reshape(-1, size) @ weight.reshape(size, -1)
    return flat.reshape(*surroundings.shape[:-1], -1)


@cache
def networks() -> Networks:
    """The networks with the weights that are shipped."""
    return Networks([read_network(path) for path in WEIGHTS_FILES])


def read_network(path: Path) -> Network:
    """The network whose weights a file has."""
    with np.load(path, allow_pickle=False) as weights:
        return Network(dict(weights))
