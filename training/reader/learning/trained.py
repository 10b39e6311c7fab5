"""One network while it is trained."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from bot.files import write_whole
from bot.vision.general.network import LABELS
from training.reader.learning.examples import IGNORED
from training.reader.learning.model import FEATURES, Model
from training.reader.learning.muon import Muon
from training.reader.learning.recolouring import recoloured
from training.reader.learning.stock import Batch
from training.reader.learning.written_weights import exported, load_weights, mean_weights, rounded

WARM_STEPS, LEAST_RATE = 200, 0.02
"""In how many steps the learning rate grows to its most, and to what part of that it falls until the end."""

STEADY = 0.7
"""What part of the training the learning rate stays at its most."""

AVERAGING = 0.999
"""How much of the averaged weights each step keeps; they are what is written."""

LEAST_SPREAD = 1e-3
"""What is added to the root of the mean of the squares of a feature that is brought to one size."""

MUON_RATE = 10.0
"""How much faster Muon learns than AdamW: its steps have a length of their own. 0.02 is its source's rate."""

WARM_REPLAYS = 3
"""How often a graphics processor does by single commands what it is to do at one."""

OUTER = ("out.", "alike.", "seen.", "number.")
"""How the names of the weights of a board network begin that are at its beginning and its end."""

EVENED = 0.6
"""A label that n cells of an example have counts n to the power of one less this, not n times as much."""


class Trained:
    """A network, the mean of its last weights, and what moves them."""

    def __init__(
        self,
        out: Path,
        starts: Sequence[Path],
        rate: float,
        device: str,
        number: int | None = None,
        largest: tuple[int, int] | None = None,
    ) -> None:
        """Begins at the mean of the weights in some files, or at chance where there are none; `out` is where
        the weights go, `rate` the highest learning rate. With a `number` only the board network learns, from
        the features that the cell networks of several make, of which this is that one. Once the rate falls
        the matrices of the cell network and of the board network act as if `packed` had written them in
        whole numbers up to the two `largest`."""
        self.out, self._device = out, device
        model, averaged = Model(), Model()
        self._is_new = not (starts and load_weights(model, mean_weights(starts)))
        averaged.load_state_dict(model.state_dict())
        # A seventh faster with two threads, no slower with one, on the processors that it was timed on.
        self._model = model.to(device, memory_format=torch.channels_last).train()
        self._recoloured: Callable[..., Any] = recoloured
        if device == "cuda":  # it takes half a minute, and saves a third of each step
            self._recoloured = torch.compile(recoloured)
            model.cells.compile()
        self._own = None if number is None else slice(number * FEATURES, (number + 1) * FEATURES)
        self._learning = model if number is None else model.board
        self._largest = largest
        self._averaged = averaged.to(device, memory_format=torch.channels_last)
        pairs = zip(self._averaged.state_dict().values(), self._model.state_dict().values(), strict=True)
        self._pairs = [(mean, now) for mean, now in pairs if mean.is_floating_point()]
        self._optimizers = _optimizers_of(self._learning, rate)
        self._is_half_fast = device != "cpu" or _has_half_precision()
        self._replayed: dict[Any, Replayed] = {}
        """By the size of the batch."""
        self._steps, self._counted = 0, 0
        self._total = torch.zeros((), device=device)

    def step(self, batch: Batch, spent: float, is_fixed: bool = False) -> None:
        """Learn from a batch, with that part of the training spent, 0 to 1. `is_fixed`: batches have few
        sizes."""
        warm, falling = min(1.0, (self._steps + 1) / WARM_STEPS), max(0.0, (spent - STEADY) / (1 - STEADY))
        part = warm * (LEAST_RATE + (1 - LEAST_RATE) * (1 + math.cos(math.pi * falling)) / 2)
        for group in (group for optimizer in self._optimizers for group in optimizer.param_groups):
            group["lr"] = group["initial_lr"] * part
        if self._own is None:
            shown = self._recoloured(batch.shown, batch.board, len(batch.slots))
        else:
            shown = batch.shown[:, self._own].float()
            self._measure(shown)
        batch = replace(batch, shown=shown)
        size = batch.labels.shape
        if is_fixed and size not in self._replayed:
            self._replayed[size] = Replayed(self._judge, self._model, batch)
        with self._rounded() if self._largest and falling else nullcontext():
            if is_fixed:
                loss = self._replayed[size](batch)
            else:
                self._model.zero_grad()
                loss = self._judge(batch)
        torch.nn.utils.clip_grad_norm_(self._learning.parameters(), 1.0)
        for optimizer in self._optimizers:
            optimizer.step()
        self._steps += 1
        self._total += loss
        keep = min(AVERAGING, self._steps / (self._steps + 10))
        with torch.no_grad():
            means, nows = zip(*self._pairs, strict=True)
            torch._foreach_lerp_(means, nows, 1 - keep)

    @contextmanager
    def _rounded(self) -> Iterator[None]:
        """The matrices of the network are rounded while the body runs; the gradients of these are taken for
        those of what they were.

        Method: Bengio and others, "Estimating or propagating gradients through stochastic neurons for
        conditional computation", 2013 (straight-through).
        """
        assert self._largest is not None
        with torch.no_grad():
            parts = zip((self._model.cells, self._model.board), self._largest, strict=True)
            largest = {one: most for part, most in parts for one in part.parameters() if one.dim() > 1}
            matrices = [*largest]
            kept = [one.clone() for one in matrices]
            for one, most in largest.items():
                one.copy_(rounded(one, most))
        yield
        with torch.no_grad():
            torch._foreach_copy_(matrices, kept)

    def _measure(self, features: Any) -> None:
        """Let a board network that begins at chance bring the features, (looks, FEATURES), to one size."""
        if self._is_new and not self._steps:
            scale = 1 / (features.square().mean(0).sqrt() + LEAST_SPREAD)
            for model in (self._model, self._averaged):
                model.board.scale.copy_(scale)

    def _judge(self, batch: Batch) -> Any:
        """How wrong the network is on a batch; its weights have the gradients of that afterwards."""
        # Half precision where it does no harm.
        with torch.autocast(self._device, dtype=torch.bfloat16, enabled=self._is_half_fast):
            scores = self._model(batch)
        loss = loss_of(scores.float(), batch)
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


def loss_of(scores: Any, batch: Batch) -> Any:
    """How wrong scores (cells, LABELS) are: each label of a board counts, rare ones too."""
    losses = functional.cross_entropy(scores, batch.labels, ignore_index=IGNORED, reduction="none")
    known = batch.labels != IGNORED
    # The number of the label among those of all boards.
    number = batch.board_of_cell * LABELS + batch.labels.clamp(min=0)
    counts = torch.zeros(len(batch.slots) * LABELS, device=scores.device).index_add(0, number, known.float())
    weights = counts.clamp(min=1)[number] ** -EVENED * known
    return (losses * weights).sum() / weights.sum()


def _has_half_precision() -> bool:
    """Whether the processor has numbers of half precision (bfloat16). With them a step takes half as long as
    in single precision; without them, nine times as long."""
    able = torch.cpu.get_capabilities()
    return bool(able.get("avx512_bf16") or able.get("amx_bf16"))


def _optimizers_of(learning: nn.Module, rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the weights inside a network and AdamW for the rest, as Muon's source advises."""
    named = list(learning.named_parameters())
    is_inner = [one.dim() >= 2 and not name.removeprefix("board.").startswith(OUTER) for name, one in named]
    inner = [one for (_, one), is_so in zip(named, is_inner, strict=True) if is_so]
    others = [one for (_, one), is_so in zip(named, is_inner, strict=True) if not is_so]
    optimizers = [torch.optim.AdamW(others, rate, weight_decay=1e-3), Muon(inner, MUON_RATE * rate)]
    for group in (group for optimizer in optimizers for group in optimizer.param_groups):
        group["initial_lr"] = group["lr"]
    return optimizers
