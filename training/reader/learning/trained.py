"""One network while it is trained."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
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

WARM_STEPS, LEAST_RATE = 200, 0.02
"""In how many steps the learning rate grows to its most, and to what part of that it falls until the end."""

AVERAGING = 0.998
"""How much of the averaged weights each step keeps; they are what is written."""

MUON_RATE = 10.0
"""How much faster Muon learns than AdamW: its steps have a length of their own. 0.02 is its source's rate."""

EVENED = 0.6
"""A label that n cells of an example have counts n to the power of one less this, not n times as much."""


class Trained:
    """A network, the mean of its last weights, and what moves them."""

    def __init__(self, out: Path, starts: Sequence[Path], rate: float, device: str) -> None:
        """Begins at the mean of the weights in some files, or at chance where there are none; `out` is where
        the weights go, and `rate` the highest learning rate."""
        self.out, self._device = out, device
        model = Model()
        if starts:
            load_weights(model, mean_weights(starts))
        averaged = Model()
        averaged.load_state_dict(model.state_dict())
        # A seventh faster with two threads, no slower with one, on the processors that it was timed on.
        self._model = model.to(device, memory_format=torch.channels_last).train()
        self._averaged = averaged.to(device, memory_format=torch.channels_last)
        self._optimizers = _optimizers_of(self._model, rate)
        self._is_half_fast = device != "cpu" or _has_half_precision()
        self._steps, self._counted = 0, 0
        self._total = torch.zeros((), device=device)

    def step(self, batch: Sequence[Any], spent: float) -> None:
        """Learn from windows, looks, mask and labels, with that part of the training spent, 0 to 1."""
        windows, looks, mask, labels = batch
        warm = min(1.0, (self._steps + 1) / WARM_STEPS)
        part = warm * (LEAST_RATE + (1 - LEAST_RATE) * (1 + math.cos(math.pi * spent)) / 2)
        for group in (group for optimizer in self._optimizers for group in optimizer.param_groups):
            group["lr"] = group["initial_lr"] * part
        # Half precision where it does no harm.
        with torch.autocast(self._device, dtype=torch.bfloat16, enabled=self._is_half_fast):
            scores = self._model(windows, looks, mask)
        loss = loss_of(scores.float(), labels)
        self._model.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
        for optimizer in self._optimizers:
            optimizer.step()
        self._steps += 1
        self._total += loss.detach()
        keep = min(AVERAGING, self._steps / (self._steps + 10))
        with torch.no_grad():
            pairs = zip(self._averaged.state_dict().values(), self._model.state_dict().values(), strict=True)
            means, nows = zip(*((mean, now) for mean, now in pairs if mean.is_floating_point()), strict=True)
            torch._foreach_lerp_(means, nows, 1 - keep)

    def write(self) -> str:
        """Write the weights; how good they are on what was learned from since the last time."""
        written = io.BytesIO()
        np.savez_compressed(written, allow_pickle=False, **exported(self._averaged))
        write_whole(self.out, written.getvalue())
        loss = float(self._total) / max(1, self._steps - self._counted)
        self._counted = self._steps
        self._total.zero_()
        return f"{self.out.stem}: {self._steps} steps, loss {loss:.4f}"


def loss_of(scores: Any, labels: Any) -> Any:
    """How wrong scores (boards, rows, columns, LABELS) are: each label of a board counts, rare ones too."""
    losses = functional.cross_entropy(
        scores.permute(0, 3, 1, 2), labels, ignore_index=IGNORED, reduction="none"
    )
    known = labels != IGNORED
    counts = functional.one_hot(labels.clamp(min=0), LABELS) * known[..., None]
    of_label = counts.sum((1, 2)).clamp(min=1).float() ** -EVENED
    weights = of_label.gather(1, labels.clamp(min=0).flatten(1)).view(labels.shape) * known
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
