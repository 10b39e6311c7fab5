"""Trains the network on folders of labelled pictures.

python -m training.reader.learn /tmp/looks/train-html /tmp/looks/train-painted --minutes 60 --out weights.npz
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from torch.nn import functional

from bot.vision.general.network import LABELS, NOT_A_CELL, Alike, Network
from training.reader.learning.examples import (
    IGNORED,
    KnownBoard,
    drawn_no_boards,
    example_of,
    found_no_boards,
    is_learned,
    known_boards,
    plain_example,
    stacked,
)
from training.reader.learning.model import Model, exported, load_weights, mean_weights
from training.reader.learning.muon import Muon
from training.reader.no_boards import NOTHING

VALIDATED = 25
"""One of so many pictures is not trained on, but says how good the network is."""

NO_BOARDS = 15
"""One drawn grid that is no board is added for so many boards."""

PICTURES_OF_A_KIND = 24
"""Number of pictures of each kind without a board whose grids are added."""

REPORTED_S = 300
"""Seconds from one report, for which training waits, to the next."""

AVERAGING = 0.998
"""How much of the averaged weights each step keeps; they are what is written."""

MUON_RATE = 10.0
"""How much faster Muon learns than AdamW: its steps have a length of their own. 0.02 is its source's rate."""

AT_ONCE = 12
"""Number of batches that are made of examples drawn together."""

EVENED = 0.6
"""A label that n cells of an example have counts n to the power of one less this, not n times as much."""


class Batches(torch.utils.data.IterableDataset[Any]):
    """Endless batches of examples of some boards."""

    def __init__(self, boards: Sequence[KnownBoard], size: int, seed: int) -> None:
        self._boards, self._size, self._seed = boards, size, seed

    def __iter__(self) -> Iterator[Any]:
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self._seed, 0 if info is None else info.id])
        while True:
            chosen = rng.integers(0, len(self._boards), AT_ONCE * self._size)
            examples = [example_of(rng, self._boards[index]) for index in chosen]
            # Examples of one size side by side leave least to fill up.
            examples.sort(key=lambda one: one.looks.size)
            for batch in rng.permutation(AT_ONCE):
                part = slice(batch * self._size, (batch + 1) * self._size)
                yield [torch.from_numpy(values) for values in stacked(examples[part])]


def load(folders: Sequence[Path], jobs: int = 2) -> tuple[list[KnownBoard], list[KnownBoard]]:
    """The boards of all pictures in folders: to train on, and to validate on."""
    paths = [path for folder in folders for path in sorted(folder.glob("*.json"))]
    train: list[KnownBoard] = []
    validate: list[KnownBoard] = []
    with ProcessPoolExecutor(jobs) as pool:
        for path, boards in zip(paths, pool.map(known_boards, paths, chunksize=16), strict=True):
            is_left_out = zlib.crc32(path.stem.encode()) % VALIDATED == 0
            (validate if is_left_out else train).extend(boards)
    return train, validate


def found_in_no_boards(count: int, jobs: int = 2) -> list[KnownBoard]:
    """The grids that are found in some pictures of each kind without a board that may be learned from."""
    pictures = [(kind, seed) for kind in NOTHING if is_learned(kind) for seed in range(1000, 1000 + count)]
    with ProcessPoolExecutor(jobs) as pool:
        found = pool.map(found_no_boards, *zip(*pictures, strict=True), chunksize=4)
        return [one for grids in found for one in grids]


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


def validated(network: Network, boards: Sequence[KnownBoard]) -> tuple[float, float, float]:
    """The part of the boards read without a fault on their true grid, of the cells read rightly, and of those
    that are no plain cells."""
    exact, right, glyphs_right, cells, glyphs = 0, 0, 0, 0, 0
    boards = [known for known in boards if (known.labels != NOT_A_CELL).any()]
    for known in boards:
        windows, looks, codes = plain_example(known)
        scores = network.scores(network.features(windows), Alike(looks, len(windows)))
        read = scores[..., :NOT_A_CELL].argmax(axis=2)
        drawn = (codes != 0) & (codes != 9)
        same = read == codes
        exact += bool(same.all())
        right, cells = right + int(same.sum()), cells + same.size
        glyphs_right, glyphs = glyphs_right + int(same[drawn].sum()), glyphs + int(drawn.sum())
    return exact / len(boards), right / cells, glyphs_right / max(1, glyphs)


def has_half_precision() -> bool:
    """Whether the processor has numbers of half precision (bfloat16). With them a step takes half as long as
    in single precision; without them, nine times as long."""
    able = torch.cpu.get_capabilities()
    return bool(able.get("avx512_bf16") or able.get("amx_bf16"))


def optimizers_of(model: Model, rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the weights inside the network and AdamW for the rest, as Muon's source advises."""
    outer = {model.out.weight, model.alike.weight, model.number.weight}
    inner = [one for one in model.parameters() if one.dim() >= 2 and one not in outer]
    others = [one for one in model.parameters() if one.dim() < 2 or one in outer]
    optimizers = [torch.optim.AdamW(others, rate, weight_decay=1e-3), Muon(inner, MUON_RATE * rate)]
    for group in (group for optimizer in optimizers for group in optimizer.param_groups):
        group["initial_lr"] = group["lr"]
    return optimizers


@click.command(help=__doc__)
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Where the weights go.")
@click.option("--minutes", default=60.0, help="How long to train.")
@click.option("--steps", "wanted", type=int, help="How many steps to train, in place of minutes.")
@click.option("--batch", default=8, help="Boards in a step.")
@click.option("--rate", default=2e-3, help="The highest learning rate.")
@click.option("--seed", default=1)
@click.option(
    "--start",
    "starts",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Weights (.npz) to go on from; the mean of several.",
)
@click.option("--threads", default=2)
def main(
    folders: tuple[Path, ...],
    out: Path,
    minutes: float,
    wanted: int | None,
    batch: int,
    rate: float,
    seed: int,
    starts: tuple[Path, ...],
    threads: int,
) -> None:
    """Train the network; every few minutes its weights are written and what it reads is counted."""
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    train, validate = load(folders)
    train += drawn_no_boards(len(train) // NO_BOARDS, seed)
    train += found_in_no_boards(PICTURES_OF_A_KIND)
    print(f"{len(train)} boards to train on, {len(validate)} to validate on", flush=True)
    model, averaged = Model(), Model()
    if starts:
        load_weights(model, mean_weights(starts))
    averaged.load_state_dict(model.state_dict())
    # A seventh faster with two threads, no slower with one, on the processors that it was timed on.
    model = model.to(memory_format=torch.channels_last)
    optimizers, is_half_fast = optimizers_of(model, rate), has_half_precision()
    batches = iter(torch.utils.data.DataLoader(Batches(train, batch, seed), batch_size=None, num_workers=1))
    began = reported = time.monotonic()
    steps, counted, total = 0, 0, 0.0
    while True:
        minutes_spent = (time.monotonic() - began) / 60
        if (spent := minutes_spent / minutes if wanted is None else steps / wanted) >= 1:
            break
        warm = min(1.0, (steps + 1) / 200)
        for group in (group for optimizer in optimizers for group in optimizer.param_groups):
            group["lr"] = group["initial_lr"] * warm * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * spent)))
        windows, looks, mask, labels = next(batches)
        model.train()
        # Half precision where it does no harm.
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=is_half_fast):
            scores = model(windows, looks, mask)
        loss = loss_of(scores.float(), labels)
        model.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
        steps, total = steps + 1, total + float(loss.detach())
        keep = min(AVERAGING, steps / (steps + 10))
        with torch.no_grad():
            for mean, now in zip(averaged.state_dict().values(), model.state_dict().values(), strict=True):
                mean.copy_(now if not mean.is_floating_point() else keep * mean + (1 - keep) * now)
        if time.monotonic() - reported > REPORTED_S:
            done = f"{spent:.0%}: {steps} steps, loss {total / (steps - counted):.4f},"
            _report(out, averaged, model, validate[:150], done)
            reported, counted, total = time.monotonic(), steps, 0.0
    _report(out, averaged, model, validate, "at the end")


def _report(out: Path, averaged: Model, model: Model, validate: Sequence[KnownBoard], when: str) -> None:
    """Write the weights and print how good they are."""
    weights = exported(averaged)
    beside = out.with_name(f"{out.stem}.part.npz")
    np.savez_compressed(beside, allow_pickle=False, **weights)
    beside.rename(out)
    torch.save(model.state_dict(), out.with_suffix(".pt"))
    exact, right, glyphs = validated(Network(weights), validate)
    print(f"{when} exact {exact:.1%}, cells {right:.3%}, glyphs {glyphs:.3%}", flush=True)


if __name__ == "__main__":
    main()
