"""The network of `bot/vision/general/network.py` in PyTorch, to be trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from bot.errors import FormatError
from bot.vision.general.cell_windows import WINDOW_SIDE
from bot.vision.general.network import (
    BLOCKS,
    CONVOLUTIONS,
    HEADS,
    INNER,
    LABELS,
    LARGEST_CODE,
    LEAST_SQUARE,
    MIN_CONTRAST,
    MOST,
    POWER,
    unpacked,
)

CHANNELS = (16, 40, 64)
"""Of the convolutions of the cell network."""

FEATURES, STATE = 96, 64
"""Of a look, and of a cell in the board network."""

PARTS = ("asked", "told", "heard", "answer", "alike")
"""Of a block: what has weights alone."""

DROPOUT = 0.1

NEAR = -4.0
"""The logarithm of how unlike looks are, at the beginning, that count as e times less near."""


class Places:
    """Where the cells of boards lie that are filled up to one size, and which of them look the same."""

    def __init__(self, looks: Any, mask: Any, features: Any, near: Any) -> None:
        """From which of the looks each cell has, and 1 where boards have cells, both (boards, rows, columns);
        and the features of the looks, and how near they must be, as `bot.vision.general.network.Alike` takes
        them."""
        self._looks, self._shape, self._count = looks.flatten(), looks.shape, len(features)
        self._inside = mask.flatten()
        order = torch.argsort(1 - mask.flatten(1), dim=1, stable=True)
        if mask.device.type == "cpu":  # others would have to wait for this number
            order = order[:, : int(mask.sum((1, 2)).max())]
        self._first = order[:, :, None].expand(-1, -1, STATE)
        self.are_inside = mask.flatten(1).gather(1, order).bool()
        counts = mask.new_zeros(self._count).index_add(0, self._looks, self._inside)
        self._nearness = self._near(features.float(), near)
        self._numbers = (self._nearness @ counts).clamp(min=1)

    def _near(self, features: Any, near: Any) -> Any:
        """How much looks resemble each other, 0 to 1, (looks, looks); those of other boards do not."""
        squares = features.square().sum(1) + LEAST_SQUARE / 2
        unlike = 1 - (2 * (features @ features.T) + LEAST_SQUARE) / (squares[:, None] + squares)
        number = torch.arange(len(self.are_inside), device=features.device).repeat_interleave(
            len(self._looks) // len(self.are_inside)
        )
        # The cells that fill up the boards have the first look.
        board = number.new_full((self._count,), -1)
        board = board.scatter_reduce(0, self._looks, torch.where(self._inside > 0, number, -1), "amax")
        return torch.exp(-unlike / near.exp()) * (board[:, None] == board)

    def spread(self, values: Any) -> Any:
        """What looks have, (looks, any), for each cell that has the look: (boards, rows, columns, any)."""
        return values.index_select(0, self._looks).view(*self._shape, -1)

    def together(self, state: Any) -> Any:
        """What `Alike.together` gives: from states, (boards, STATE, rows, columns), 0 or more, to (looks,
        2 * STATE)."""
        cells = state.float().permute(0, 2, 3, 1).reshape(-1, STATE) * self._inside[:, None]
        none = cells.new_zeros(self._count, STATE)
        sums = none.index_add(0, self._looks, cells)
        most = none.scatter_reduce(0, self._looks[:, None].expand_as(cells), cells, "amax")
        with torch.autocast(cells.device.type, enabled=False):
            return torch.cat([self._nearness @ sums / self._numbers[:, None], most], 1)

    def numbers(self) -> Any:
        """The logarithm of how many cells have each look, or one like it, (looks, 1)."""
        return torch.log(self._numbers)[:, None]

    def inside_first(self, state: Any) -> Any:
        """From (boards, STATE, rows, columns) to (boards, cells, STATE): as many as the largest board has,
        the first of them inside the board (`are_inside`)."""
        return state.flatten(2).transpose(1, 2).gather(1, self._first)

    def back(self, cells: Any) -> Any:
        """The opposite of `inside_first`."""
        boards, rows, columns = self._shape
        none = cells.new_zeros(boards, rows * columns, STATE)
        return none.scatter(1, self._first, cells).transpose(1, 2).view(boards, STATE, rows, columns)


class Block(nn.Module):
    """One step of the board network: what is around each cell, what the whole board has, what all cells of
    its look have, and what the cells have that are most worth comparing with (attention)."""

    def __init__(self) -> None:
        super().__init__()
        self.around = nn.Conv2d(STATE, STATE, 3, padding=1, bias=False)
        self.whole = nn.Linear(2 * STATE, STATE)
        self.asked, self.told, self.heard = (nn.Linear(STATE, STATE, bias=False) for _ in range(3))
        self.answer = nn.Linear(STATE, STATE, bias=False)
        nn.init.zeros_(self.answer.weight)
        self.alike = nn.Linear(2 * STATE, STATE, bias=False)
        nn.init.zeros_(self.alike.weight)

    def forward(self, state: Any, mask: Any, places: Places) -> Any:
        """From and to (boards, STATE, rows, columns); `mask`, (boards, 1, rows, columns), is 1 in boards."""
        mean = (state * mask).sum((2, 3)) / mask.sum((2, 3))
        most = (state * mask).amax((2, 3))  # a state is never negative
        whole = self.whole(torch.cat([mean, most], 1))[:, :, None, None]
        alike = places.spread(self.alike(places.together(state))).permute(0, 3, 1, 2)
        change = self.around(state * mask) + whole + alike + self._attended(state, places)
        return state + functional.relu(change) * mask

    def _attended(self, state: Any, places: Places) -> Any:
        """What each cell takes from the cells that it is to be compared with."""
        cells = places.inside_first(state)
        asked, told, heard = (
            part(cells).view(len(cells), -1, HEADS, STATE // HEADS).transpose(1, 2)
            for part in (self.asked, self.told, self.heard)
        )
        # PyTorch's own function for this takes three times as long on the processors that it was timed on.
        shares = asked.float() @ told.float().transpose(2, 3) / (STATE // HEADS) ** 0.5
        shares = shares.masked_fill(~places.are_inside[:, None, None], -torch.inf).softmax(3)
        mixed = shares.to(heard.dtype) @ heard
        return places.back(self.answer(mixed.transpose(1, 2).flatten(2)))


class Model(nn.Module):
    """Both networks."""

    def __init__(self) -> None:
        super().__init__()
        sizes = (3, *CHANNELS)
        self.convolutions = nn.ModuleList(
            nn.Conv2d(sizes[index], sizes[index + 1], 3, padding=1, bias=False)
            for index in range(CONVOLUTIONS)
        )
        self.norms = nn.ModuleList(nn.BatchNorm2d(size) for size in CHANNELS)
        side = WINDOW_SIDE // 2**CONVOLUTIONS
        self.dense = nn.Linear(CHANNELS[-1] * side * side + 4, FEATURES)
        self.start = nn.Linear(FEATURES, STATE)
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.out = nn.Linear(STATE + FEATURES, LABELS)
        self.number = nn.Linear(1, STATE, bias=False)
        self.alike = nn.Linear(2 * STATE, LABELS, bias=False)
        self.near = nn.Parameter(torch.full((1,), NEAR))
        # Networks that were without them are trained on as they were.
        nn.init.zeros_(self.number.weight)
        nn.init.zeros_(self.alike.weight)

    def features(self, windows: Any) -> Any:
        """The features of looks, (looks, FEATURES), from windows (looks, side, side, 3), 0 to 255."""
        windows = windows.float()
        inner = windows[:, INNER, INNER].flatten(1, 2)
        mean = inner.mean(1)
        contrast = inner.std(1, unbiased=False).mean(1, keepdim=True) + MIN_CONTRAST
        pixels = ((windows - mean[:, None, None]) / contrast[:, None, None]).clamp(-6, 6).permute(0, 3, 1, 2)
        summary = torch.cat([mean / 128 - 1, torch.log(contrast / 20)], 1)
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            pixels = functional.relu(norm(functional.max_pool2d(convolution(pixels), 2)))
        # Numpy has the channels last.
        flat = torch.cat([pixels.permute(0, 2, 3, 1).flatten(1), summary], 1)
        return functional.relu(self.dense(flat))

    def forward(self, windows: Any, looks: Any, mask: Any) -> Any:
        """The scores of the labels, (boards, rows, columns, LABELS), before they are made to probabilities.

        `looks`, (boards, rows, columns), says which of the windows each cell looks like; `mask`, of the same
        shape, is 1 where boards have cells.
        """
        features = self.features(windows)
        with torch.autocast(features.device.type, enabled=False):
            places = Places(looks, mask, features, self.near)
        features = functional.dropout(features, DROPOUT, self.training)
        inside = mask[:, None]
        start = functional.relu(self.start(features) + self.number(places.numbers()))
        state = places.spread(start).permute(0, 3, 1, 2) * inside
        for block in self.blocks:
            state = block(state, inside, places)
        scores = self.out(torch.cat([state.permute(0, 2, 3, 1), places.spread(features)], 3))
        return scores + places.spread(self.alike(places.together(state)))


def exported(model: Model) -> dict[str, npt.NDArray[Any]]:
    """The weights as `Network` takes them; the normalisations become a scale and a bias."""
    weights: dict[str, Any] = {}
    for index, (convolution, norm) in enumerate(zip(model.convolutions, model.norms, strict=True)):
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        weights[f"cell.{index}.weight"] = convolution.weight.permute(2, 3, 1, 0)
        weights[f"cell.{index}.scale"] = scale
        weights[f"cell.{index}.bias"] = norm.bias - norm.running_mean * scale
        # For `load_weights` alone.
        weights[f"cell.{index}.mean"] = norm.running_mean
        weights[f"cell.{index}.deviation"] = torch.sqrt(norm.running_var + norm.eps)
    for name, layer in (("cell.dense", model.dense), ("board.in", model.start), ("board.out", model.out)):
        weights[f"{name}.weight"], weights[f"{name}.bias"] = layer.weight.T, layer.bias
    for name, layer in (("board.number", model.number), ("board.alike", model.alike)):
        weights[f"{name}.weight"] = layer.weight.T
    weights["board.near"] = model.near
    for index, block in enumerate(model.blocks):
        weights[f"board.{index}.around.weight"] = block.around.weight.permute(2, 3, 1, 0)
        weights[f"board.{index}.whole.weight"] = block.whole.weight.T
        weights[f"board.{index}.whole.bias"] = block.whole.bias
        for part in PARTS:
            weights[f"board.{index}.{part}.weight"] = getattr(block, part).weight.T
    return packed({name: one.detach().cpu().numpy().astype(np.float32) for name, one in weights.items()})


def packed(weights: Mapping[str, npt.NDArray[np.float32]]) -> dict[str, npt.NDArray[Any]]:
    """Weights as `unpacked` takes them: matrices in whole numbers of 8 bits, the rest in half precision."""
    written: dict[str, npt.NDArray[Any]] = {}
    for name, one in weights.items():
        if one.ndim < 2:
            written[name] = one.astype(np.float16)
            continue
        most = np.abs(one).max(axis=tuple(range(one.ndim - 1)))
        most = np.maximum(most, np.finfo(np.float32).tiny).astype(np.float32)
        codes = np.round(LARGEST_CODE * (np.abs(one) / most) ** (1 / POWER))
        written[name] = (np.sign(one) * codes).astype(np.int8)
        written[f"{name}{MOST}"] = most
    return written


def load_weights(model: Model, weights: Mapping[str, npt.NDArray[Any]]) -> None:
    """Give a model what `exported` wrote, to train on from there."""
    read = {name: torch.from_numpy(one) for name, one in unpacked(weights).items()}
    state: dict[str, Any] = {}
    for index, norm in enumerate(model.norms):
        weight, scale, bias, mean, deviation = (
            read[f"cell.{index}.{name}"] for name in ("weight", "scale", "bias", "mean", "deviation")
        )
        state[f"convolutions.{index}.weight"] = weight.permute(3, 2, 0, 1)
        state[f"norms.{index}.weight"] = scale * deviation
        state[f"norms.{index}.bias"] = bias + scale * mean
        state[f"norms.{index}.running_mean"] = mean
        state[f"norms.{index}.running_var"] = deviation**2 - norm.eps
    for ours, theirs in (("cell.dense", "dense"), ("board.in", "start"), ("board.out", "out")):
        state[f"{theirs}.weight"], state[f"{theirs}.bias"] = read[f"{ours}.weight"].T, read[f"{ours}.bias"]
    for index in range(BLOCKS):
        block = f"board.{index}"
        state[f"blocks.{index}.around.weight"] = read[f"{block}.around.weight"].permute(3, 2, 0, 1)
        state[f"blocks.{index}.whole.bias"] = read[f"{block}.whole.bias"]
        for part in ("whole", *PARTS):
            if f"{block}.{part}.weight" in read:
                state[f"blocks.{index}.{part}.weight"] = read[f"{block}.{part}.weight"].T
    for part in ("number", "alike"):
        if f"board.{part}.weight" in read:
            state[f"{part}.weight"] = read[f"board.{part}.weight"].T
    if "board.near" in read:
        state["near"] = read["board.near"]
    missing, unexpected = model.load_state_dict(state, strict=False)
    assert not unexpected, unexpected
    begun = ("num_batches_tracked", "alike.weight", "number.weight", "near")
    assert all(name.endswith(begun) for name in missing), missing


def mean_weights(paths: Sequence[Path]) -> dict[str, npt.NDArray[np.float32]]:
    """One network between several of one descent, whose weights lie in files: the mean of each of them.

    Raises FormatError where a file has no weights. Method: Wortsman and others, "Model soups: averaging
    weights of multiple fine-tuned models improves accuracy without increasing inference time", 2022.
    """
    members = [_read_weights(path) for path in paths]
    return {name: np.mean([one[name] for one in members], axis=0, dtype=np.float32) for name in members[0]}


def _read_weights(path: Path) -> dict[str, npt.NDArray[np.float32]]:
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            weights = unpacked({name: file[name] for name in file.files})
    except OSError as error:
        raise FormatError(f"{path} cannot be read ({error.strerror or error})") from None
    except Exception:  # numpy and zipfile raise errors of many kinds for what is cut or damaged
        weights = {}
    if "cell.dense.weight" not in weights:
        raise FormatError(f"{path} is not what `learn` wrote, or not all of it: begin at another file")
    return weights
