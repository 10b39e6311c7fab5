"""The network of `bot/vision/general/network.py` in PyTorch, to be trained."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional

from bot.vision.general.board_network import CORNERS_AND_SIDES, HEADS, LEAST_SQUARE
from bot.vision.general.cell_windows import INNER, WINDOW_SIDE
from bot.vision.general.network import CONVOLUTIONS, LABELS, MIN_CONTRAST
from training.reader.learning.stock import Batch

CHANNELS = (16, 40, 64)
"""Of the convolutions of the cell network."""

FEATURES, STATE = 96, 96
"""Of a look, and of a cell in the board network."""

STEPS = 4
"""Number of steps of the board network."""

DROPOUT = 0.1

FAR = 1e4
"""How badly what is no look fits what is asked."""

NEAR = -3.0
"""The logarithm of how unlike looks are, at the beginning, that count as e times less near."""


class Places:
    """Which cells of a batch look the same, and by how much other looks are like each."""

    def __init__(self, batch: Batch, features: Any, near: Any, fast: Any) -> None:
        """From the features of the looks, (looks, FEATURES), and how near they must be, as
        `bot.vision.general.board_network.Alike` takes them; and the type of numbers of large products."""
        self._batch, self.fast = batch, fast
        self.is_look = (batch.slots < len(features)).float()
        ones = torch.ones(len(batch.look), 1, device=features.device)
        self._counts = torch.zeros(len(features), 1, device=features.device).index_add(0, batch.look, ones)
        padded = self.padded(self._counts)
        nearness = self._near(self.padded(features), near)
        numbers = (nearness @ padded).clamp(min=1)
        self.log_numbers = self.of_looks(torch.log(numbers))
        """The logarithm of how many cells have each look, or one like it, (looks, 1)."""
        self.shares = nearness * (padded.mT / numbers)
        """How much each look has of the mean of those like it: (boards, most looks, most looks)."""
        self.log_counts = torch.log(padded.mT.clamp(min=1)) + (self.is_look[:, None] - 1) * FAR
        """The logarithm of how many cells have each look: (boards, 1, most looks)."""
        self.parts = padded / padded.sum(1, keepdim=True)
        """Which part of the cells of its board has each look: (boards, most looks, 1)."""

    def _near(self, features: Any, near: Any) -> Any:
        """How much the looks of a board resemble each other, 0 to 1, (boards, most looks, most looks)."""
        squares = features.square().sum(2) + LEAST_SQUARE / 2
        unlike = 1 - (2 * (features @ features.mT) + LEAST_SQUARE) / (squares[:, :, None] + squares[:, None])
        return torch.exp(-unlike / near.exp()) * self.is_look[:, None] * self.is_look[:, :, None]

    def padded(self, values: Any) -> Any:
        """What looks have, (looks, any), board by board: (boards, most looks, any); 0 where there is none."""
        slots = self._batch.slots
        return functional.pad(values, (0, 0, 0, 1)).index_select(0, slots.flatten()).view(*slots.shape, -1)

    def of_looks(self, padded: Any) -> Any:
        """The other way round: from (boards, most looks, any) to (looks, any)."""
        return padded.flatten(0, 1).index_select(0, self._batch.place)

    def spread(self, values: Any) -> Any:
        """What looks have, (looks, any), for each cell that has the look: (cells, any)."""
        return values.index_select(0, self._batch.look)

    def means(self, cells: Any) -> Any:
        """The mean of what the cells of each look have, from (cells, any) to (boards, most looks, any)."""
        sums = torch.zeros(len(self._counts), cells.shape[1], device=cells.device)
        return self.padded(sums.index_add(0, self._batch.look, cells.float()) / self._counts.clamp(min=1))


class Around(torch.autograd.Function):
    """What is beside cells and at their corners, which is its own gradient the other way round."""

    @staticmethod
    def forward(ctx: Any, cells: Any, above_below: Any, is_beside: Any) -> Any:
        """From (cells, channels), `Batch.above_below` and `Batch.is_beside` to (cells, 3 * channels): each
        cell, the sum of the four that share a side with it, and of the four that share a corner; beyond the
        board is 0."""
        ctx.save_for_backward(above_below, is_beside)
        upright = _above_and_below(cells, above_below)
        sides = upright + _left_and_right(cells, is_beside)
        return torch.cat([cells, sides, _left_and_right(upright, is_beside)], 1)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """The gradient of the cells."""
        above_below, is_beside = ctx.saved_tensors
        own, sides, corners = gradients[0].chunk(CORNERS_AND_SIDES, 1)
        upright = sides + _left_and_right(corners, is_beside)
        return own + _above_and_below(upright, above_below) + _left_and_right(sides, is_beside), None, None


def _above_and_below(cells: Any, above_below: Any) -> Any:
    padded = functional.pad(cells, (0, 0, 0, 1))
    return padded.index_select(0, above_below[:, 0]) + padded.index_select(0, above_below[:, 1])


def _left_and_right(cells: Any, is_beside: Any) -> Any:
    is_left, is_right = is_beside.to(cells.dtype).split(1, 1)
    left, right = functional.pad(cells[:-1], (0, 0, 1, 0)), functional.pad(cells[1:], (0, 0, 0, 1))
    return left * is_left + right * is_right


class Step(nn.Module):
    """One step of the board network: what is around each cell, and what all cells of its look, looks worth
    comparing with (attention) and the whole board have."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(STATE)
        self.around = nn.Linear(CORNERS_AND_SIDES * STATE, STATE, bias=False)
        self.whole = nn.Linear(2 * STATE, STATE)
        self.asked, self.told, self.heard = (nn.Linear(STATE, STATE, bias=False) for _ in range(3))
        self.asked_norm, self.told_norm = (nn.LayerNorm(STATE // HEADS) for _ in range(2))
        self.answer = nn.Linear(STATE, STATE, bias=False)
        self.alike = nn.Linear(STATE, STATE, bias=False)
        self.out = nn.Linear(STATE, STATE, bias=False)
        nn.init.zeros_(self.out.weight)
        nn.init.constant_(self.asked_norm.weight, 2.0)

    def forward(self, state: Any, batch: Batch, places: Places) -> Any:
        """From and to the states of cells, (cells, STATE)."""
        cells = self.norm(state).to(places.fast)
        means = places.means(cells)
        shared = places.shares @ means
        of_each = means.sum(1) / places.is_look.sum(1, keepdim=True)
        whole = self.whole(torch.cat([(means * places.parts).sum(1), of_each], 1))
        of_looks = self.alike(shared) + self.answer(self._attended(shared, places)) + whole[:, None]
        around = Around.apply(cells, batch.above_below, batch.is_beside)
        hidden = around @ self.around.weight.T.to(places.fast)
        hidden = hidden + places.spread(places.of_looks(of_looks).to(places.fast))
        return state + (functional.relu(hidden) @ self.out.weight.T.to(places.fast)).float()

    def _attended(self, shared: Any, places: Places) -> Any:
        """What each look takes from the looks that it is to be compared with: (boards, most looks, STATE)."""
        asked, told, heard = (
            part(shared).unflatten(2, (HEADS, STATE // HEADS)).transpose(1, 2)
            for part in (self.asked, self.told, self.heard)
        )
        fits = self.asked_norm(asked) @ self.told_norm(told).mT / (STATE // HEADS) ** 0.5
        return ((fits + places.log_counts[:, None]).softmax(3) @ heard).transpose(1, 2).flatten(2)


class CellNetwork(nn.Module):
    """Features of looks, from their windows."""

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

    def forward(self, windows: Any) -> Any:
        """From windows, (looks, side, side, 3), 0 to 255, to (looks, FEATURES)."""
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


def _convolved(convolution: nn.Conv2d, pixels: Any) -> Any:
    if pixels.device.type == "cpu" or pixels.shape[1] > 3:
        return convolution(pixels)
    # The matrix units of graphics processors take eight channels at a time.
    weight = functional.pad(convolution.weight, (0, 0, 0, 0, 0, 5))
    pixels = functional.pad(pixels.permute(0, 2, 3, 1), (0, 5)).permute(0, 3, 1, 2)
    return functional.conv2d(pixels, weight, padding=1)


class BoardNetwork(nn.Module):
    """Scores of cells, from the features of their looks."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("scale", torch.ones(FEATURES))
        self.start = nn.Linear(FEATURES, STATE)
        self.number = nn.Linear(1, STATE, bias=False)
        self.near = nn.Parameter(torch.full((1,), NEAR))
        self.steps = nn.ModuleList(Step() for _ in range(STEPS))
        self.norm = nn.LayerNorm(STATE)
        self.out = nn.Linear(STATE, LABELS)
        self.alike = nn.Linear(STATE, LABELS, bias=False)
        self.seen = nn.Linear(FEATURES, LABELS, bias=False)
        for layer in (self.number, self.out, self.alike, self.seen):
            nn.init.zeros_(layer.weight)

    def forward(self, batch: Batch, features: Any) -> Any:
        """The scores of the labels, (cells, LABELS), before they are made to probabilities, from the features
        of the looks of a batch, (looks, FEATURES)."""
        kind = features.device.type
        fast = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else torch.float32
        with torch.autocast(kind, enabled=False):
            return self._scores(batch, features.float() * self.scale, fast)

    def _scores(self, batch: Batch, features: Any, fast: Any) -> Any:
        places = Places(batch, features, self.near, fast)
        features = functional.dropout(features, DROPOUT, self.training)
        state = places.spread(self.start(features) + self.number(places.log_numbers))
        for step in self.steps:
            state = step(state, batch, places)
        cells = self.norm(state)
        of_looks = self.alike(places.of_looks(places.shares @ places.means(cells))) + self.seen(features)
        return self.out(cells) + places.spread(of_looks)


class Model(nn.Module):
    """Both networks."""

    def __init__(self) -> None:
        super().__init__()
        self.cells, self.board = CellNetwork(), BoardNetwork()

    def forward(self, batch: Batch) -> Any:
        """The scores of the labels, (cells, LABELS), before they are made to probabilities."""
        features = self.cells(batch.shown) if batch.shown.dim() > 2 else batch.shown
        return self.board(batch, features)
