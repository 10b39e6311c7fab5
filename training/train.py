"""From boards to the weights of the solver, with nothing learned before: one command.

python -m training.train --out build/training
python -m training.train --tiny --out /tmp/tiny

1. Games are played by the safest cell, and a first value of positions is fitted to them.
2. Games are played by that value, and the value is fitted to those and to what the first one says.
3. Candidates of close guesses are played on by it, and the correction of scores is fitted to them.

All of it follows from `--seed`, so that two runs on one machine write the same weights. What is there already
is not made again: a run that was stopped goes on. `train.json` beside the weights says how each file was
made, in how many seconds, its hash, and the held-out loss of the values. MODEL.md says what is shipped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np

from bot.errors import FormatError
from bot.solver.value.weights import read_net
from training import correct, fit, gather, pairs
from training.files import run

MANIFEST = "train.json"


@dataclass(frozen=True)
class Sizes:
    """How much is played and fitted."""

    level: str
    """Of the games; the correction also sees games of `also`."""
    also: str
    cold_games: int
    """By the safest cell, with each first-click rule."""
    games: int
    """By the first value, likewise."""
    pairs: int
    """Games of `level` of which a guess is played on from several candidates."""
    also_pairs: int
    epochs: int
    """Over the rows of games; the correction gets `correction_epochs`."""
    correction_epochs: int
    hidden: tuple[int, int]
    """Neurons of the layers of the value; the correction has three networks of `correction_hidden`."""
    correction_hidden: tuple[int, int]


WHOLE = Sizes("expert", "intermediate", 100_000, 150_000, 500_000, 100_000, 15, 50, (48, 24), (64, 32))
"""The sizes of what is shipped."""

TINY = Sizes("intermediate", "expert", 100, 100, 40, 12, 2, 2, (4, 3), (4, 3))
"""For a try of the whole way in seconds: what comes out is worth nothing."""


@dataclass(frozen=True)
class Step:
    """One file, and the words that make it."""

    out: str
    main: Callable[[Sequence[str]], None]
    words: tuple[str, ...]
    after: tuple[str, ...] = ()
    """The files of earlier steps that `words` name."""


def shape_of(hidden: tuple[int, int], epochs: int) -> tuple[str, ...]:
    """The words for the neurons of the two hidden layers, and for how often the rows are gone over."""
    return "--hidden", str(hidden[0]), str(hidden[1]), "--epochs", str(epochs)


def steps(sizes: Sizes, seed: int) -> list[Step]:
    """All steps in their order. Games of different steps, and of different seeds, are others."""
    of_games = 1000 * seed

    def games(out: str, count: int, first_click: str, at: int, *played_by: str) -> Step:
        words = ("--level", sizes.level, "--games", str(count), "--first-click", first_click)
        return Step(
            out, gather.main, (*words, "--seed", str(of_games + at), *played_by), tuple(played_by[1:])
        )

    def compared(out: str, level: str, count: int, at: int) -> Step:
        words = ("--level", level, "--games", str(count), "--seed", str(of_games + at), "--uncorrected")
        return Step(out, pairs.main, (*words, "--value", "value.npy"), ("value.npy",))

    def fitted(out: str, of: tuple[str, ...], *more: str) -> Step:
        words = (*of, *shape_of(sizes.hidden, sizes.epochs), "--seed", str(seed), *more)
        return Step(out, fit.main, words, (*of, *more[1:]))

    compare = ("pairs.npz", "pairs_also.npz")
    return [
        games("cold_safe.npz", sizes.cold_games, "safe", 1, "--cold"),
        games("cold_zero.npz", sizes.cold_games, "zero", 2, "--cold"),
        fitted("cold.npy", ("cold_safe.npz", "cold_zero.npz")),
        games("safe.npz", sizes.games, "safe", 3, "--value", "cold.npy"),
        games("zero.npz", sizes.games, "zero", 4, "--value", "cold.npy"),
        fitted("value.npy", ("safe.npz", "zero.npz"), "--with", "cold.npy"),
        # Batches of pairs count their seeds up from the first one.
        compared("pairs.npz", sizes.level, sizes.pairs, 5),
        compared("pairs_also.npz", sizes.also, sizes.also_pairs, 1_000_005),
        Step(
            "correction.npy",
            correct.main,
            (*compare, *shape_of(sizes.correction_hidden, sizes.correction_epochs), "--seed", str(seed)),
            compare,
        ),
    ]


def hash_of(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def make(step: Step, folder: Path, kept: dict[str, Any]) -> None:
    """Make the file of a step, unless the manifest says that it is there already, made by the same words of
    the same files; and write the manifest."""
    out = folder / step.out
    sources = {name: kept["files"][name]["sha256"] for name in step.after}
    made = {"by": step.main.__module__, "words": list(step.words), "of": sources}
    before = kept["files"].get(step.out)
    if before and made.items() <= before.items() and out.exists() and before["sha256"] == hash_of(out):
        print(f"{step.out}: is there already", flush=True)
        return
    print(f"{step.out}: {made['by']} {' '.join(step.words)}", flush=True)
    begun = time.perf_counter()
    words = [str(folder / word) if word in step.after else word for word in step.words]
    part = out.with_name(f"part-{out.name}")
    step.main([*words, "--out", str(part)])
    part.replace(out)
    kept["files"][step.out] = {
        **made,
        "sha256": hash_of(out),
        "bytes": out.stat().st_size,
        "seconds": round(time.perf_counter() - begun, 1),
    }
    if step.main is fit.main:
        rows = [folder / name for name in step.after if name.endswith(".npz")]
        kept["files"][step.out]["held_out_loss"] = round(fit.held_out_loss(read_net(out), rows), 5)
    manifest = folder / MANIFEST
    part = manifest.with_name(f"part-{MANIFEST}")
    part.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    part.replace(manifest)


def read_manifest(path: Path) -> dict[str, Any]:
    """What an earlier run in this folder made; nothing where there was none. Raises FormatError where the
    file is no manifest."""
    begun = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "machine": platform.machine(),
    }
    if not path.exists():
        return {**begun, "files": {}}
    try:
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
        assert all({"by", "words", "of", "sha256"} <= made.keys() for made in files.values())
    except (ValueError, KeyError, TypeError, AttributeError, AssertionError):
        raise FormatError(f"{path} is not what training.train wrote: choose another --out") from None
    return {**begun, "files": files}


def main(given: Sequence[str] | None = None) -> None:
    """Make all files in turn, and say what came out."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--out", type=Path, required=True, help="the folder for what is made")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--tiny", action="store_true", help="a try of the whole way, in seconds")
    asked = words.parse_args(given)
    asked.out.mkdir(parents=True, exist_ok=True)
    kept = read_manifest(asked.out / MANIFEST)
    for step in steps(TINY if asked.tiny else WHOLE, asked.seed):
        make(step, asked.out, kept)
    for name in ("value.npy", "correction.npy"):
        print(f"{asked.out / name}: SHA-256 {kept['files'][name]['sha256']}")
    print("copy both to bot/solver/value to play by them, and see training.measure for what they are worth")


if __name__ == "__main__":
    run(main)
