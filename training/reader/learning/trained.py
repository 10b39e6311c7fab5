"""One network while it is trained."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from bot.files import write_whole
from bot.vision.general.network import LABELS
from training.reader.learning.examples import IGNORED
from training.reader.learning.model import Model, exported, load_weights, mean_weights
from training.reader.learning.muon import Muon
from training.reader.learning.recolouring import recoloured
from training.reader.learning.stock import Batch

WARM_STEPS, LEAST_RATE = 200, 0.02
"""In how many steps the learning rate grows to its most, and to what part of that it falls until the end."""

AVERAGING = 0.998
"""How much of the averaged weights each step keeps; they are what is written."""

MUON_RATE = 10.0
"""How much faster Muon learns than AdamW: its steps have a length of their own. 0.02 is its source's rate."""

WARM_REPLAYS = 3
"""How often a graphics processor does by single commands what it is to do at one."""

EVENED = 0.6
"""A label that n cells of an example have counts n to the power of one less this, not n times as much."""


class Trained:
    """A network, the mean of its last weights, and what moves them."""

    def __init__(self, out: Path, starts: Sequence[Path], rate: float, device: str, blocks: int) -> None:
        """Begins at the mean of the weights in some files, or at chance where there are none; `out` is where
        the weights go, `rate` the highest learning rate, and `blocks` how many the board network has."""
        self.out, self._device = out, device
        model = Model(blocks)
        if starts:
            load_weights(model, mean_weights(starts))
        averaged = Model(blocks)
        averaged.load_state_dict(model.state_dict())
        # A seventh faster with two threads, no slower with one, on the processors that it was timed on.
        self._model = model.to(device, memory_format=torch.channels_last).train()
        self._recoloured: Callable[..., Any] = recoloured
        if device == "cuda":  # it takes half a minute, and saves a third of each step
            self._recoloured = torch.compile(recoloured)
            model.features = torch.compile(model.features)  # type: ignore[method-assign]
        self._averaged = averaged.to(device, memory_format=torch.channels_last)
        pairs = zip(self._averaged.state_dict().values(), self._model.state_dict().values(), strict=True)
        self._pairs = [(mean, now) for mean, now in pairs if mean.is_floating_point()]
        self._optimizers = _optimizers_of(self._model, rate)
        self._is_half_fast = device != "cpu" or _has_half_precision()
        self._replayed: dict[Any, Replayed] = {}
        """By the size of the batch."""
        self._steps, self._counted = 0, 0
        self._total = torch.zeros((), device=device)

    def step(self, batch: Batch, spent: float, is_fixed: bool = False) -> None:
        """Learn from a batch, with that part of the training spent, 0 to 1. `is_fixed`: batches have few
        sizes."""
        warm = min(1.0, (self._steps + 1) / WARM_STEPS)
        part = warm * (LEAST_RATE + (1 - LEAST_RATE) * (1 + math.cos(math.pi * spent)) / 2)
        for group in (group for optimizer in self._optimizers for group in optimizer.param_groups):
            group["lr"] = group["initial_lr"] * part
        batch = replace(batch, windows=self._recoloured(batch.windows, batch.board, len(batch.looks)))
        size = batch.labels.shape
        if is_fixed and size not in self._replayed:
            self._replayed[size] = Replayed(self._judge, self._model, batch)
        if is_fixed:
            loss = self._replayed[size](batch)
        else:
            self._model.zero_grad()
            loss = self._judge(batch)
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
        for optimizer in self._optimizers:
            optimizer.step()
        self._steps += 1
        self._total += loss
        keep = min(AVERAGING, self._steps / (self._steps + 10))
        with torch.no_grad():
            means, nows = zip(*self._pairs, strict=True)
            torch._foreach_lerp_(means, nows, 1 - keep)

    def _judge(self, batch: Batch) -> Any:
        """How wrong the network is on a batch; its weights have the gradients of that afterwards."""
        # Half precision where it does no harm.
        with torch.autocast(self._device, dtype=torch.bfloat16, enabled=self._is_half_fast):
            scores = self._model(batch)
        loss = loss_of(scores.float(), batch.labels)
        loss.backward()
        return loss.detach()

    def write(self) -> str:
        """Write the weights; how good they are on what was learned from since the last time."""
        written = io.BytesIO()
        np.savez_compressed(written, allow_pickle=False, **exported(self._averaged))
        write_whole(self.out, written.getvalue())
        loss = float(self._total) / max(1, self._steps - self._counted)
        self._counted = self._steps
        self._total.zero_()
        return f"{self.out.stem}: {self._steps} steps, loss {loss:.4f}"


class Replayed:
    """How wrong a network is on batches of one size, worked out by a graphics processor at one command: the
    many small commands that it is made of take longer to give than to do.

    Method: CUDA graphs, as PyTorch's documentation says.
    """

    def __init__(self, judge: Callable[[Batch], Any], model: Model, batch: Batch) -> None:
        """From what works it out by single commands, and a batch of the size."""
        self._batch = batch
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(WARM_REPLAYS):
                model.zero_grad()
                judge(batch)
        torch.cuda.current_stream().wait_stream(aside)
        self._graph = torch.cuda.CUDAGraph()
        model.zero_grad()
        with torch.cuda.graph(self._graph):
            self._loss = judge(batch)
        self._gradients = [(weight, weight.grad) for weight in model.parameters()]

    def __call__(self, batch: Batch) -> Any:
        """How wrong it is on a batch; its weights have the gradients of that afterwards."""
        batch.copy_to(self._batch)
        self._graph.replay()
        for weight, gradient in self._gradients:
            weight.grad = gradient
        return self._loss


def loss_of(scores: Any, labels: Any) -> Any:
    """How wrong scores (boards, cells, LABELS) are: each label of a board counts, rare ones too."""
    losses = functional.cross_entropy(scores.mT, labels, ignore_index=IGNORED, reduction="none")
    known = labels != IGNORED
    counts = (labels[:, :, None] == torch.arange(LABELS, device=labels.device)).sum(1)
    of_label = counts.clamp(min=1).float() ** -EVENED
    weights = of_label.gather(1, labels.clamp(min=0)) * known
    return (losses * weights).sum() / weights.sum()


def _has_half_precision() -> bool:
    """Whether the processor has numbers of half precision (bfloat16). With them a step takes half as long as
    in single precision; without them, nine times as long."""
    able = torch.cpu.get_capabilities()
    return bool(able.get("avx512_bf16") or able.get("amx_bf16"))


def _optimizers_of(model: Model, rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the weights inside the network and AdamW for the rest, as Muon's source advises."""
    outer = {model.out.weight, model.alike.weight, model.number.weight}
    inner = [one for one in model.parameters() if one.dim() >= 2 and one not in outer]
    others = [one for one in model.parameters() if one.dim() < 2 or one in outer]
    optimizers = [torch.optim.AdamW(others, rate, weight_decay=1e-3), Muon(inner, MUON_RATE * rate)]
    for group in (group for optimizer in optimizers for group in optimizer.param_groups):
        group["initial_lr"] = group["lr"]
    return optimizers
