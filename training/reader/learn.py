"""Trains networks on packs of boards, several side by side, each on batches of its own of the same examples.

python -m training.reader.learn looks/*.npz --minutes 60 --network weights.npz

Their board networks alone, from what the cell networks of three make of the looks:

python -m training.reader.learn looks/*.npz --minutes 90 --only-boards --batch 32 --network one.npz=start1.npz
--network two.npz=start2.npz --network three.npz=start3.npz
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import torch

from bot.vision.general.cell_windows import WINDOW_SIDE
from bot.vision.general.network import NOT_A_CELL, Network, Networks, read_network
from training.files import run
from training.reader.learning.examples import example_of, plain_example
from training.reader.learning.model import FEATURES
from training.reader.learning.packs import PackedBoard, read_pack
from training.reader.learning.recolouring import recoloured
from training.reader.learning.stock import Chunk, Stock, chunk_of
from training.reader.learning.trained import Trained
from training.reader.learning.written_weights import mean_weights, whole_numbers
from training.reader.paint.fonts import name_missing_fonts

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

KEPT_BYTES = {"cpu": 3e8, "cuda": 4.8e10}
"""How much is kept of the windows of looks, of 3 kB each: of some 2,300 boards, and of 360,000."""

KEPT_FEATURES = 8_000_000
"""Of how many looks the features are kept, of 200 bytes for each network: of some 180,000 boards."""


class Chunks(torch.utils.data.IterableDataset[Any]):
    """Endless chunks of examples of some boards."""

    def __init__(
        self, boards: Sequence[PackedBoard], seed: int, judges: Networks | None, arriving: Path | None
    ) -> None:
        """With the features that some networks make of the looks, in other colours, in place of these; and
        of the boards of packs that arrive in a folder meanwhile."""
        self._boards, self._seed, self._judges, self._arriving = [*boards], seed, judges, arriving
        self._arrived = set[Path]()

    def __iter__(self) -> Iterator[Chunk]:
        cv2.setNumThreads(0)  # each process has a core
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self._seed, 0 if info is None else info.id])
        while True:
            self._take_in()
            chosen = rng.integers(0, len(self._boards), TOGETHER)
            examples = [example_of(rng, self._boards[index].unpacked()) for index in chosen]
            chunk = chunk_of(examples)
            yield chunk if self._judges is None else replace(chunk, shown=self._features(chunk))

    def _take_in(self) -> None:
        """Add the boards of the packs that have arrived since the last time."""
        if self._arriving is None:
            return
        for path in sorted({*self._arriving.glob("*.npz")} - self._arrived):
            self._boards += read_pack(path)
            self._arrived.add(path)

    def _features(self, chunk: Chunk) -> Any:
        """What is kept of the looks of examples: (looks, all features)."""
        assert self._judges is not None
        board = torch.repeat_interleave(torch.arange(chunk.counts.shape[1]), chunk.counts[0])
        windows = recoloured(chunk.shown, board, chunk.counts.shape[1])
        return torch.from_numpy(self._judges.features(windows.numpy())).half()


class Supply:
    """Examples that other processes make."""

    def __init__(self, chunks: Chunks, jobs: int) -> None:
        """Starts the processes: before anything else works in a thread, or on a graphics processor, for what
        is locked at that moment stays so in a process that is a copy of this one (`fork`)."""
        loader = torch.utils.data.DataLoader(
            chunks,
            batch_size=None,
            num_workers=jobs,
            prefetch_factor=FETCHED,
            multiprocessing_context="fork",
        )
        self._chunks: Iterator[Chunk] = iter(loader)
        self._ready: queue.Queue[Chunk] = queue.Queue(FETCHED)
        self.made = 0
        """Number of examples so far."""
        threading.Thread(target=self._fetch, daemon=True).start()

    def _fetch(self) -> None:
        for chunk in self._chunks:
            self._ready.put(chunk)

    def bring(self, stock: Stock, wanted: float, at_least: int) -> None:
        """Put into a stock what is ready, until so many examples have been made in all as are wanted; wait
        until there are `at_least` so many."""
        while self.made < at_least or (self.made < wanted and not self._ready.empty()):
            chunk = self._ready.get()
            stock.add(chunk)
            self.made += chunk.counts.shape[1]


def validated(network: Network, boards: Sequence[PackedBoard]) -> str:
    """How many of the boards are read without a fault on their true grid, of their cells, and of those that
    are no plain cells."""
    exact, right, glyphs_right, cells, glyphs = 0, 0, 0, 0, 0
    boards = [known for known in boards if (known.labels != NOT_A_CELL).any()]
    for known in boards:
        windows, looks, codes = plain_example(known.unpacked())
        read = network.scores(network.features(windows), looks)[..., :NOT_A_CELL].argmax(axis=2)
        drawn = (codes != 0) & (codes != 9)
        same = read == codes
        exact += bool(same.all())
        right, cells = right + int(same.sum()), cells + same.size
        glyphs_right, glyphs = glyphs_right + int(same[drawn].sum()), glyphs + int(drawn.sum())
    parts = exact / len(boards), right / cells, glyphs_right / max(1, glyphs)
    return "of {} boards exact {:.1%}, cells {:.3%}, glyphs {:.3%}".format(len(boards), *parts)


def _paths(joined: str) -> list[Path]:
    """The files that are named with `+` between them."""
    return [Path(one) for one in joined.split("+") if one]


def _whole_numbers(_: click.Context, __: click.Parameter, words: str | None) -> tuple[int, int] | None:
    try:
        return None if words is None else whole_numbers(words)
    except ValueError:
        raise click.BadParameter("two whole numbers up to 127 are meant: 26,5") from None


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
@click.option(
    "--only-boards",
    is_flag=True,
    help="Leave the cell networks as they are in the files begun at. Examples are kept as features then, and "
    "learning from one takes a quarter of the time.",
)
@click.option("--batch", default=8, help="Boards in a step.")
@click.option("--rate", default=2e-3, help="The highest learning rate.")
@click.option(
    "--uses",
    default=2.0,
    help="How often each network learns from an example, on average; more where making them takes longer.",
)
@click.option(
    "--rounded",
    callback=_whole_numbers,
    help="Once the learning rate falls, networks learn with weights in whole numbers up to these two, as "
    "`ship` writes them: 26,5.",
)
@click.option(
    "--arriving",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder: packs that are moved into it while networks learn are learned from too. So training on "
    "another machine begins when the first pack is there.",
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
    only_boards: bool,
    batch: int,
    rate: float,
    uses: float,
    rounded: tuple[int, int] | None,
    arriving: Path | None,
    seed: int,
    device: str,
    threads: int,
    jobs: int,
) -> None:
    """Train the networks; every few minutes their weights are written."""
    parts = [one.partition("=") for one in named]
    outs, starts = [Path(out) for out, _, _ in parts], [_paths(start) for _, _, start in parts]
    if only_boards and not all(starts):
        raise click.UsageError("with --only-boards each --network begins at a file: out.npz=start.npz")
    name_missing_fonts()  # signs are drawn over boards while they are learned from
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    torch.backends.cudnn.benchmark = device == "cuda"  # batches have few sizes
    kept = {path: read_pack(path) for path in set(packs)}
    boards = [one for path in packs for index, one in enumerate(kept[path]) if index % VALIDATED]
    left_out = [one for path in sorted(set(packs)) for one in kept[path][::VALIDATED]]
    print(f"{len(boards)} boards to train on, {len(left_out)} left out", flush=True)
    judges = Networks([Network(mean_weights(paths)) for paths in starts]) if only_boards else None
    supply = Supply(Chunks(boards, seed, judges, arriving), jobs)
    if judges is None:
        stock = Stock(int(KEPT_BYTES[device] / WINDOW_SIDE**2 / 3), device)
    else:
        stock = Stock(KEPT_FEATURES, device, len(named) * FEATURES)
    networks = [
        Trained(out, paths, rate, device, number if only_boards else None, rounded)
        for number, (out, paths) in enumerate(zip(outs, starts, strict=True))
    ]
    rng, is_fixed = np.random.default_rng(seed), device == "cuda"
    began = reported = time.monotonic()
    steps, waited = 0, 0.0
    while True:
        minutes_spent = (time.monotonic() - began) / 60
        if (spent := minutes_spent / minutes if wanted is None else steps / wanted) >= 1:
            break
        asked = time.monotonic()
        supply.bring(stock, steps * batch / uses, LEAST_STOCK * batch)
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
        read = validated(read_network(network.out), [left_out[index] for index in judging])
        print(f"{network.out.stem}: {read}", flush=True)


if __name__ == "__main__":
    run(main)
