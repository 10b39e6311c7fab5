"""Trains networks on packs of boards, several side by side, each on batches of its own of the same examples.

python -m training.reader.learn looks/*.npz --minutes 60 --network weights.npz
"""

from __future__ import annotations

import queue
import threading
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
from training.reader.learning.examples import KnownBoard, example_of, plain_example
from training.reader.learning.packs import read_pack
from training.reader.learning.stock import Chunk, Stock, chunk_of
from training.reader.learning.trained import Trained

VALIDATED, MOST_VALIDATED = 25, 300
"""One of so many boards is not trained on, but says how good the networks are; and of how many, at most."""

REPORTED_S = 120
"""Seconds from one report, for which training waits, to the next."""

TOGETHER = 32
"""Number of examples that a process hands over at a time."""

FETCHED = 3
"""Number of such chunks that each process has ready."""

LEAST_STOCK = 4
"""Number of batches that there are examples for before the first step."""

WINDOWS = {"cpu": 100_000, "cuda": 8_000_000}
"""Number of windows that are kept, of 3 kB each: of some 1,800 boards, and of 140,000."""


class Chunks(torch.utils.data.IterableDataset[Any]):
    """Endless chunks of examples of some boards."""

    def __init__(self, boards: Sequence[KnownBoard], seed: int) -> None:
        self._boards, self._seed = boards, seed

    def __iter__(self) -> Iterator[Chunk]:
        cv2.setNumThreads(0)  # each process has a core
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self._seed, 0 if info is None else info.id])
        while True:
            chosen = rng.integers(0, len(self._boards), TOGETHER)
            yield chunk_of([example_of(rng, self._boards[index]) for index in chosen])


class Supply:
    """Fills a stock with examples that other processes make."""

    def __init__(self, stock: Stock, boards: Sequence[KnownBoard], seed: int, jobs: int) -> None:
        self._stock = stock
        self._loader = torch.utils.data.DataLoader(
            Chunks(boards, seed),
            batch_size=None,
            num_workers=jobs,
            prefetch_factor=FETCHED,
            multiprocessing_context="fork",
        )
        self._ready: queue.Queue[Chunk] = queue.Queue(FETCHED)
        self.made = 0
        """Number of examples so far."""
        threading.Thread(target=self._fetch, daemon=True).start()

    def _fetch(self) -> None:
        for chunk in self._loader:
            self._ready.put(chunk)

    def bring(self, wanted: float, at_least: int) -> None:
        """Put into the stock what is ready, until so many examples have been made in all as are wanted; wait
        until there are `at_least` so many."""
        while self.made < at_least or (self.made < wanted and not self._ready.empty()):
            chunk = self._ready.get()
            self._stock.add(chunk)
            self.made += chunk.counts.shape[1]


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
@click.option("--blocks", multiple=True, type=int, help="Of each network, if not 3.")
@click.option("--batch", default=8, help="Boards in a step.")
@click.option("--rate", default=2e-3, help="The highest learning rate.")
@click.option(
    "--uses",
    default=2.0,
    help="How often each network learns from an example, on average; more where making them takes longer.",
)
@click.option("--seed", default=1)
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", help="What computes the steps.")
@click.option("--threads", default=2, help="Of the processor, for the steps.")
@click.option("--jobs", default=1, help="Processes that make examples.")
def main(
    packs: tuple[Path, ...],
    named: tuple[str, ...],
    minutes: float,
    wanted: int | None,
    blocks: tuple[int, ...],
    batch: int,
    rate: float,
    uses: float,
    seed: int,
    device: str,
    threads: int,
    jobs: int,
) -> None:
    """Train the networks; every few minutes their weights are written."""
    if blocks and len(blocks) != len(named):
        raise click.UsageError("name --blocks once for each --network, or not at all")
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    torch.backends.cudnn.benchmark = device == "cuda"  # batches have few sizes
    kept = {path: read_pack(path, jobs) for path in set(packs)}
    boards = [one for path in packs for index, one in enumerate(kept[path]) if index % VALIDATED]
    left_out = [one for path in sorted(set(packs)) for one in kept[path][::VALIDATED]]
    print(f"{len(boards)} boards to train on, {len(left_out)} left out", flush=True)
    stock = Stock(WINDOWS[device], device)
    supply = Supply(stock, boards, seed, jobs)
    networks = []
    for one, count in zip(named, blocks or (3,) * len(named), strict=True):
        out, _, starts = one.partition("=")
        paths = [Path(start) for start in starts.split("+") if start]
        networks.append(Trained(Path(out), paths, rate, device, count))
    rng, is_fixed = np.random.default_rng(seed), device == "cuda"
    began = reported = time.monotonic()
    steps, waited = 0, 0.0
    while True:
        minutes_spent = (time.monotonic() - began) / 60
        if (spent := minutes_spent / minutes if wanted is None else steps / wanted) >= 1:
            break
        asked = time.monotonic()
        supply.bring(steps * batch / uses, LEAST_STOCK * batch)
        waited += time.monotonic() - asked
        for network in networks:
            network.step(stock.batch(rng, batch, is_fixed), spent, is_fixed)
        steps += 1
        if time.monotonic() - reported > REPORTED_S:
            for network in networks:
                print(f"{spent:.0%}: {network.write()}", flush=True)
            reported = time.monotonic()
    for network in networks:
        print(f"at the end: {network.write()}", flush=True)
    spent_s = time.monotonic() - began
    print(f"{steps} steps in {spent_s:.0f} s, {waited / spent_s:.0%} of it waiting for examples", flush=True)
    print(f"{supply.made} examples, {len(stock)} of them kept at the end", flush=True)
    judging = np.random.default_rng(seed).permutation(len(left_out))[:MOST_VALIDATED]
    for network in networks:
        with np.load(network.out, allow_pickle=False) as weights:
            read = validated(Network(dict(weights)), [left_out[index] for index in judging])
        print(f"{network.out.stem}: {read}", flush=True)


if __name__ == "__main__":
    run(main)
