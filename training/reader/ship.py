"""Writes the weights of trained networks into smaller files, those that ship.

python -m training.reader.ship one.npz=26 two.npz=26 three.npz=38 --blocks 3 --out bot/vision/general
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from bot.files import write_whole
from training.files import run
from training.reader.learning.model import mean_weights, packed


@click.command(help=__doc__)
@click.argument("networks", nargs=-1, required=True)
@click.option(
    "--blocks",
    type=click.IntRange(min=1),
    help="How many steps the board networks keep, if not all: later ones may be dead.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder they go to.")
def main(networks: tuple[str, ...], blocks: int | None, out: Path) -> None:
    """Write weights_1.npz and so on, each in whole numbers up to the one that is named after it."""
    total = 0
    for number, one in enumerate(networks, 1):
        path, _, largest = one.rpartition("=")
        if not path or not largest.isdecimal() or not 1 <= int(largest) <= np.iinfo(np.int8).max:
            raise click.UsageError(f"{one} should be a file, `=`, and a whole number up to 127")
        written = io.BytesIO()
        weights = packed(_without_later(mean_weights([Path(path)]), blocks), int(largest))
        np.savez_compressed(written, allow_pickle=False, **weights)
        write_whole(out / f"weights_{number}.npz", written.getvalue())
        total += written.tell()
    print(f"{len(networks)} networks in {out}: {total / 1e6:.3f} MB")


def _without_later(
    weights: Mapping[str, npt.NDArray[np.float32]], blocks: int | None
) -> dict[str, npt.NDArray[np.float32]]:
    """The weights without those of later steps than so many."""
    steps = {name: name.split(".")[1] for name in weights if name.startswith("board.")}
    numbers = {name: int(step) for name, step in steps.items() if step.isdecimal()}
    return {name: one for name, one in weights.items() if blocks is None or numbers.get(name, 0) < blocks}


if __name__ == "__main__":
    run(main)
