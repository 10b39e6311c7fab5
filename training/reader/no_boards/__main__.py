"""Labelled pictures without a board.

Run with `python -m training.reader.no_boards --seed 1 --rounds 5 --out FOLDER`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from training.reader.no_boards import NOTHING, picture_without_board
from training.reader.samples import write_sample


def main() -> None:
    """Draw the pictures that are not there yet: each kind with each seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--rounds", type=int, default=1, help="how many pictures of each kind")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for seed in range(options.seed, options.seed + options.rounds):
        for kind in NOTHING:
            if not (options.out / f"{kind}-{seed}.json").exists():
                write_sample(options.out, picture_without_board(kind, seed))


if __name__ == "__main__":
    main()
