"""Writes the weights of trained networks into smaller files, those that ship.

python -m training.reader.ship one.npz=26,5 two.npz=26,5 three.npz=26,5 --out bot/vision/general
"""

from __future__ import annotations

import io
from pathlib import Path

import click
import numpy as np

from bot.files import write_whole
from training.files import run
from training.reader.learning.written_weights import mean_weights, packed, whole_numbers


@click.command(help=__doc__)
@click.argument("networks", nargs=-1, required=True)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder they go to.")
def main(networks: tuple[str, ...], out: Path) -> None:
    """Write weights_1.npz and so on, in whole numbers up to those that are named after each: the first for
    its cell network, the second for its board network."""
    total = 0
    for number, one in enumerate(networks, 1):
        path, _, largest = one.rpartition("=")
        try:
            numbers = whole_numbers(largest) if path else None
        except ValueError:
            numbers = None
        if numbers is None:
            raise click.UsageError(f"{one} should be a file, `=`, and two whole numbers up to 127: 26,6")
        written = io.BytesIO()
        weights = packed(mean_weights([Path(path)]), *numbers)
        np.savez_compressed(written, allow_pickle=False, **weights)
        write_whole(out / f"weights_{number}.npz", written.getvalue())
        total += written.tell()
    print(f"{len(networks)} networks in {out}: {total / 1e6:.3f} MB")


if __name__ == "__main__":
    run(main)
