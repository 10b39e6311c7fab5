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

from bot.vision.general.cell_windows import WINDOW_SIDE
from bot.vision.general.network import (
    BLOCKS,
    CONVOLUTIONS,
    HEADS,
    INNER,
    LABELS,
    LARGEST_CODE,
    MIN_CONTRAST,
    MOST,
    POWER,
    unpacked,
)

CHANNELS = (16, 40, 64)
"""Of the convolutions of the cell network."""

FEATURES, STATE = 96, 64
"""Of a look, and of a cell in the board network."""

DROPOUT = 0.1


class Block(nn.Module):
    """One step of the board network: what is around each cell, what the whole board has, and what the cells
    have that are most worth comparing with (attention)."""

    def __init__(self) -> None:
        super().__init__()
        self.around = nn.Conv2d(STATE, STATE, 3, padding=1, bias=False)
        self.whole = nn.Linear(2 * STATE, STATE)
        self.asked, self.told, self.heard = (nn.Linear(STATE, STATE, bias=False) for _ in range(3))
        self.answer = nn.Linear(STATE, STATE, bias=False)
        nn.init.zeros_(self.answer.weight)

    def forward(self, state: Any, mask: Any) -> Any:
        """From and to (boards, STATE, rows, columns); `mask`, (boards, 1, rows, columns), is 1 in boards."""
        mean = (state * mask).sum((2, 3)) / mask.sum((2, 3))
        most = (state * mask).amax((2, 3))  # a state is never negative
        whole = self.whole(torch.cat([mean, most], 1))[:, :, None, None]
        return state + functional.relu(self.around(state * mask) + whole + self._attended(state, mask)) * mask

    def _attended(self, state: Any, mask: Any) -> Any:
        """What each cell takes from the cells that it is to be compared with."""
        boards, _, rows, columns = state.shape
        cells = state.flatten(2).transpose(1, 2)
        asked, told, heard = (
            part(cells).view(boards, -1, HEADS, STATE // HEADS).transpose(1, 2)
            for part in (self.asked, self.told, self.heard)
        )
        inside = mask.flatten(2).bool()[:, :, None]
        # In half precision this takes half as long again on the processors that it was timed on.
        mixed = functional.scaled_dot_product_attention(
            asked.float(), told.float(), heard.float(), attn_mask=inside
        )
        answer = self.answer(mixed.transpose(1, 2).flatten(2))
        return answer.transpose(1, 2).view(boards, STATE, rows, columns)


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

    def features(self, windows: Any) -> Any:
        """The features of looks, (looks, FEATURES), from windows (looks, side, side, 3), 0 to 255."""
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
        features = functional.dropout(self.features(windows), DROPOUT, self.training)[looks]
        inside = mask[:, None]
        state = functional.relu(self.start(features)).permute(0, 3, 1, 2) * inside
        for block in self.blocks:
            state = block(state, inside)
        return self.out(torch.cat([state.permute(0, 2, 3, 1), features], 3))


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
    for index, block in enumerate(model.blocks):
        weights[f"board.{index}.around.weight"] = block.around.weight.permute(2, 3, 1, 0)
        weights[f"board.{index}.whole.weight"] = block.whole.weight.T
        weights[f"board.{index}.whole.bias"] = block.whole.bias
        for part in ("asked", "told", "heard", "answer"):
            weights[f"board.{index}.{part}.weight"] = getattr(block, part).weight.T
    return packed({name: one.detach().numpy().astype(np.float32) for name, one in weights.items()})


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
        for part in ("whole", "asked", "told", "heard", "answer"):
            state[f"blocks.{index}.{part}.weight"] = read[f"{block}.{part}.weight"].T
    missing, unexpected = model.load_state_dict(state, strict=False)
    assert not unexpected, unexpected
    assert all(name.endswith("num_batches_tracked") for name in missing), missing


def mean_weights(paths: Sequence[Path]) -> dict[str, npt.NDArray[np.float32]]:
    """One network between several of one descent, whose weights lie in files: the mean of each of them.

    Method: Wortsman and others, "Model soups: averaging weights of multiple fine-tuned models improves
    accuracy without increasing inference time", 2022.
    """
    members: list[dict[str, npt.NDArray[np.float32]]] = []
    for path in paths:
        with np.load(path, allow_pickle=False) as weights:
            members.append(unpacked(weights))
    return {name: np.mean([one[name] for one in members], axis=0, dtype=np.float32) for name in members[0]}
