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
    CONVOLUTIONS,
    HEADS,
    INNER,
    LABELS,
    LEAST_SQUARE,
    MIN_CONTRAST,
    POWER,
    STEP,
    unpacked,
)
from training.reader.learning.stock import Batch

CHANNELS = (16, 40, 64)
"""Of the convolutions of the cell network."""

FEATURES, STATE = 96, 64
"""Of a look, and of a cell in the board network."""

PARTS = ("asked", "told", "heard", "answer", "alike")
"""Of a block: what has weights alone."""

DROPOUT = 0.1

FINEST = 101
"""The largest whole number that weights are written in while a network is trained."""

MORE_CHANNELS, FAR = 8, 1e4
"""Of attention on a graphics processor: number of channels more (it wants multiples of 8), and how badly what
is outside the board fits."""

SMALL = 0.05
"""What the weights of a step are multiplied by that is put after those of a trained network."""

NEAR = -4.0
"""The logarithm of how unlike looks are, at the beginning, that count as e times less near."""


class Places:
    """Which cells of a batch look the same, and by how much others do."""

    def __init__(self, batch: Batch, features: Any, near: Any, fast: Any) -> None:
        """From the features of the looks, (boards, looks, FEATURES), and how near they must be, as
        `bot.vision.general.network.Alike` takes them; and the type of numbers of what is spread."""
        numbers = torch.arange(features.shape[1], device=features.device)
        self._has = (batch.looks[:, :, None] == numbers).float() * batch.inside[:, :, None]
        self._has_fast = self._has.to(fast)
        self._looks = batch.looks[:, :, None].expand(-1, -1, STATE)
        self._nearness = self._near(features, near) * batch.is_look[:, None] * batch.is_look[:, :, None]
        self._numbers = (self._nearness @ self._has.sum(1)[:, :, None]).clamp(min=1)

    def _near(self, features: Any, near: Any) -> Any:
        """How much the looks of a board resemble each other, 0 to 1, (boards, looks, looks)."""
        squares = features.square().sum(2) + LEAST_SQUARE / 2
        unlike = 1 - (2 * (features @ features.mT) + LEAST_SQUARE) / (squares[:, :, None] + squares[:, None])
        return torch.exp(-unlike / near.exp())

    def spread(self, values: Any) -> Any:
        """What looks have, (boards, looks, any), for each cell that has the look: (boards, cells, any)."""
        return self._has_fast @ values.to(self._has_fast.dtype)

    def together(self, state: Any) -> Any:
        """What `Alike.together` gives: from states, (boards, cells, STATE), 0 or more, to (boards, looks, 2 *
        STATE)."""
        with torch.autocast(state.device.type, enabled=False):
            cells = state.float()
            mean = self._nearness @ (self._has.mT @ cells) / self._numbers
            most = torch.zeros_like(mean).scatter_reduce(1, self._looks, cells, "amax")
            return torch.cat([mean, most], 2)

    def numbers(self) -> Any:
        """The logarithm of how many cells have each look, or one like it, (boards, looks, 1)."""
        return torch.log(self._numbers)


class Around(torch.autograd.Function):
    """A convolution of cells with those around them, whose gradient is one too: cells lie beside each
    other."""

    @staticmethod
    def forward(ctx: Any, state: Any, weight: Any, *beside: Any) -> Any:
        """From states, (cells, channels), a weight, (9 * channels, out), and `Batch.above_below` and
        `Batch.is_beside` to (cells, out)."""
        ctx.save_for_backward(state, weight, *beside)
        return _gathered(state, *beside) @ weight

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """The gradients of the state and of the weight."""
        state, weight, *beside = ctx.saved_tensors
        (gradient,) = gradients
        # What is to the left of a cell has that cell to its right.
        turned = weight.view(9, state.shape[1], -1).flip(0).mT.reshape(-1, state.shape[1])
        return _gathered(gradient, *beside) @ turned, _gathered(state, *beside).T @ gradient, None, None


def _gathered(values: Any, above_below: Any, is_beside: Any) -> Any:
    """The values, (cells, channels), of the nine cells around each, column after column: (cells, 9 *
    channels); beyond the board is 0."""
    padded = functional.pad(values, (0, 0, 0, 1))
    above, below = (padded.index_select(0, above_below[:, index]) for index in (0, 1))
    columns = torch.cat([above, values, below], 1)
    is_left, is_right = is_beside.to(values.dtype).split(1, 1)
    left = functional.pad(columns[:-1], (0, 0, 1, 0)) * is_left
    right = functional.pad(columns[1:], (0, 0, 0, 1)) * is_right
    return torch.cat([left, columns, right], 1)


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

    def begin_small(self) -> None:
        """Change next to nothing at first: for a step that is put after those of a trained network."""
        with torch.no_grad():
            for weights in (self.around.weight, self.whole.weight, self.whole.bias):
                weights.mul_(SMALL)

    def forward(self, state: Any, batch: Batch, places: Places) -> Any:
        """From and to (boards, cells, STATE), 0 outside the boards."""
        inside = batch.inside[:, :, None]
        mean = state.float().sum(1) / batch.inside.sum(1, keepdim=True)
        whole = self.whole(torch.cat([mean, state.amax(1).float()], 1))[:, None]  # a state is never negative
        alike = places.spread(self.alike(places.together(state)))
        fast = _fast(state)
        weight = self.around.weight.permute(3, 2, 1, 0).reshape(9 * STATE, STATE).to(fast)
        around = Around.apply(state.flatten(0, 1).to(fast), weight, batch.above_below, batch.is_beside)
        change = around.view_as(state) + whole + alike + self._attended(state, batch)
        return state + functional.relu(change) * inside.to(change.dtype)

    def _attended(self, state: Any, batch: Batch) -> Any:
        """What each cell takes from the cells that it is to be compared with."""
        asked, told, heard = (
            part(state).unflatten(2, (HEADS, STATE // HEADS)).transpose(1, 2)
            for part in (self.asked, self.told, self.heard)
        )
        inside = batch.inside[:, None]
        if state.device.type == "cuda":
            mixed = _mixed_fast(asked, told, heard, inside)
        else:  # that takes three times as long on the processors that it was timed on
            shares = asked.float() @ told.float().mT / (STATE // HEADS) ** 0.5
            shares = shares.masked_fill(inside[:, :, None] == 0, -torch.inf)
            mixed = shares.softmax(3).to(heard.dtype) @ heard
        return self.answer(mixed.transpose(1, 2).flatten(2))


def _convolved(convolution: nn.Conv2d, pixels: Any) -> Any:
    if pixels.device.type == "cpu" or pixels.shape[1] > 3:
        return convolution(pixels)
    # The matrix units of graphics processors take eight channels at a time.
    weight = functional.pad(convolution.weight, (0, 0, 0, 0, 0, 5))
    pixels = functional.pad(pixels.permute(0, 2, 3, 1), (0, 5)).permute(0, 3, 1, 2)
    return functional.conv2d(pixels, weight, padding=1)


def _mixed_fast(asked: Any, told: Any, heard: Any, inside: Any) -> Any:
    """The mean of what is heard, (boards, HEADS, cells, channels), by how well what is told fits what is
    asked, where `inside`, (boards, 1, cells), is 1.

    PyTorch's function is fastest without a mask: a channel more says of the cells outside that they do not
    fit.
    """
    count = asked.shape[3]
    outside = functional.pad((inside - 1)[..., None] * FAR, [0, MORE_CHANNELS - 1]).to(told.dtype)
    told = torch.cat([told, outside.expand(-1, HEADS, -1, -1)], 3)
    asked = functional.pad(functional.pad(asked, [0, 1], value=1.0), [0, MORE_CHANNELS - 1])
    heard = functional.pad(heard, [0, MORE_CHANNELS])
    mixed = functional.scaled_dot_product_attention(asked, told, heard, scale=count**-0.5)
    return mixed[..., :count]


def _fast(values: Any) -> Any:
    """The type of numbers of products of matrices, as `torch.autocast` has it."""
    kind = values.device.type
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else torch.float32


class Model(nn.Module):
    """Both networks."""

    def __init__(self, blocks: int = 3) -> None:
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
        self.blocks = nn.ModuleList(Block() for _ in range(blocks))
        self.out = nn.Linear(STATE + FEATURES, LABELS)
        self.number = nn.Linear(1, STATE, bias=False)
        self.alike = nn.Linear(2 * STATE, LABELS, bias=False)
        self.near = nn.Parameter(torch.full((1,), NEAR))
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
            pixels = functional.relu(norm(functional.max_pool2d(_convolved(convolution, pixels), 2)))
        # Numpy has the channels last.
        flat = torch.cat([pixels.permute(0, 2, 3, 1).flatten(1), summary], 1)
        return functional.relu(self.dense(flat))

    def forward(self, batch: Batch) -> Any:
        """The scores of the labels, (boards, cells, LABELS), before they are made to probabilities."""
        features = self.features(batch.windows).float()
        features = features.index_select(0, batch.slots.flatten()).view(*batch.slots.shape, -1)
        features = features * batch.is_look[:, :, None]
        fast = _fast(features)
        with torch.autocast(features.device.type, enabled=False):
            places = Places(batch, features, self.near, fast)
        features = functional.dropout(features, DROPOUT, self.training)
        state = places.spread(functional.relu(self.start(features) + self.number(places.numbers())))
        for block in self.blocks:
            state = block(state, batch, places)
        scores = self.out(torch.cat([state, places.spread(features)], 2))
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


def packed(weights: Mapping[str, npt.NDArray[np.float32]], largest: int = FINEST) -> dict[str, Any]:
    """Weights as `unpacked` takes them: matrices in whole numbers up to `largest`, the rest in half
    precision."""
    written: dict[str, npt.NDArray[Any]] = {}
    for name, one in weights.items():
        if one.ndim < 2:
            written[name] = one.astype(np.float16)
            continue
        most = np.abs(one).max(axis=tuple(range(one.ndim - 1)))
        step = (np.maximum(most, np.finfo(np.float16).tiny) / largest**POWER).astype(np.float32)
        codes = np.round((np.abs(one) / step) ** (1 / POWER))
        written[name] = (np.sign(one) * codes).astype(np.int8)
        written[f"{name}{STEP}"] = step
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
    for index, one in enumerate(model.blocks):
        block = f"board.{index}"
        if f"{block}.around.weight" not in read:
            one.begin_small()
            continue
        state[f"blocks.{index}.around.weight"] = read[f"{block}.around.weight"].permute(3, 2, 0, 1)
        state[f"blocks.{index}.whole.bias"] = read[f"{block}.whole.bias"]
        for part in ("whole", *PARTS):
            state[f"blocks.{index}.{part}.weight"] = read[f"{block}.{part}.weight"].T
    for part in ("number", "alike"):
        state[f"{part}.weight"] = read[f"board.{part}.weight"].T
    state["near"] = read["board.near"]
    missing, unexpected = model.load_state_dict(state, strict=False)
    assert not unexpected, unexpected
    later = tuple(
        f"blocks.{index}." for index in range(len(model.blocks)) if f"board.{index}.around.weight" not in read
    )
    assert all(name.endswith("num_batches_tracked") or name.startswith(later) for name in missing), missing


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
