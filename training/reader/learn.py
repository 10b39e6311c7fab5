"""Trains networks on packs of boards, several side by side on the same examples.

python -m training.reader.learn looks/*.npz --minutes 60 --network weights.npz
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch

from bot.vision.general.network import NOT_A_CELL, Network
from training.files import run
from training.reader.learning.examples import KnownBoard, example_of, plain_example, stacked
from training.reader.learning.packs import read_pack
from training.reader.learning.trained import Trained

VALIDATED, MOST_VALIDATED = 25, 300
"""One of so many boards is not trained on, but says how good the networks are; and of how many, at most."""

REPORTED_S = 120
"""Seconds from one report, for which training waits, to the next."""

AT_ONCE = 12
"""Number of batches that are made of examples drawn together."""

FETCHED = 3
"""Number of batches that each process has ready."""


class Batches(torch.utils.data.IterableDataset[Any]):
    """Endless batches of examples of some boards."""

    def __init__(self, boards: Sequence[KnownBoard], size: int, seed: int) -> None:
        self._boards, self._size, self._seed = boards, size, seed

    def __iter__(self) -> Iterator[Any]:
        cv2.setNumThreads(0)  # each process has a core
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


def validated(network: Network, boards: Sequence[KnownBoard]) -> str:
    """How many of the boards are read without a fault on their true grid, of their cells, and of those that
    are no plain cells."""
    exact, right, glyphs_right, cells, glyphs = 0, 0, 0, 0, 0
    boards = [known for known in boards if (known.labels != NOT_A_CELL).any()]
    for known in boards:
        windows, looks, codes = plain_example(known)
        read = network.scores(network.features(windows), looks)[..., :NOT_A_CELL].argmax(axis=2)
        drawn = (codes != 0) & (codes != 9)
        same = read == codes
        exact += bool(same.all())
        right, cells = right + int(same.sum()), cells + same.size
        glyphs_right, glyphs = glyphs_right + int(same[drawn].sum()), glyphs + int(drawn.sum())
    parts = exact / len(boards), right / cells, glyphs_right / max(1, glyphs)
    return "of {} boards exact {:.1%}, cells {:.3%}, glyphs {:.3%}".format(len(boards), *parts)


@click.command(help=__doc__)
@click.argument("packs", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--network",
    "named",
    multiple=True,
    required=True,
    help="Where the weights of a network go; and after `=`, files of weights (.npz) to begin at the mean of, "
    "with `+` between them. Once for each network.",
)
@click.option("--minutes", default=60.0, help="How long to train.")
@click.option("--steps", "wanted", type=int, help="How many steps to train, in place of minutes.")
@click.option("--batch", default=8, help="Boards in a step.")
@click.option("--rate", default=2e-3, help="The highest learning rate.")
@click.option("--seed", default=1)
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", help="What computes the steps.")
@click.option("--threads", default=2, help="Of the processor, for the steps.")
@click.option("--jobs", default=1, help="Processes that make examples.")
def main(
    packs: tuple[Path, ...],
    named: tuple[str, ...],
    minutes: float,
    wanted: int | None,
    batch: int,
    rate: float,
    seed: int,
    device: str,
    threads: int,
    jobs: int,
) -> None:
    """Train the networks; every few minutes their weights are written."""
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    kept = {path: read_pack(path, jobs) for path in set(packs)}
    boards = [one for path in packs for index, one in enumerate(kept[path]) if index % VALIDATED]
    left_out = [one for path in sorted(set(packs)) for one in kept[path][::VALIDATED]]
    print(f"{len(boards)} boards to train on, {len(left_out)} left out", flush=True)
    loader = torch.utils.data.DataLoader(
        Batches(boards, batch, seed),
        batch_size=None,
        num_workers=jobs,
        prefetch_factor=FETCHED,
        multiprocessing_context="fork",
    )
    batches = iter(loader)
    networks = []
    for one in named:
        out, _, starts = one.partition("=")
        networks.append(
            Trained(Path(out), [Path(start) for start in starts.split("+") if start], rate, device)
        )
    began = reported = time.monotonic()
    steps, waited = 0, 0.0
    while True:
        minutes_spent = (time.monotonic() - began) / 60
        if (spent := minutes_spent / minutes if wanted is None else steps / wanted) >= 1:
            break
        asked = time.monotonic()
        examples = next(batches)
        waited += time.monotonic() - asked
        given = [values.to(device, non_blocking=True) for values in examples]
        for network in networks:
            network.step(given, spent)
        steps += 1
        if time.monotonic() - reported > REPORTED_S:
            for network in networks:
                print(f"{spent:.0%}: {network.write()}", flush=True)
            reported = time.monotonic()
    for network in networks:
        print(f"at the end: {network.write()}", flush=True)
    spent_s = time.monotonic() - began
    print(f"{steps} steps in {spent_s:.0f} s, {waited / spent_s:.0%} of it waiting for examples", flush=True)
    del batches
    judging = np.random.default_rng(seed).permutation(len(left_out))[:MOST_VALIDATED]
    for network in networks:
        with np.load(network.out, allow_pickle=False) as weights:
            read = validated(Network(dict(weights)), [left_out[index] for index in judging])
        print(f"{network.out.stem}: {read}", flush=True)


if __name__ == "__main__":
    run(main)
