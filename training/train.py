"""From boards to the weights of the solver, with nothing learned before: one command.

python -m training.train --out build/training
python -m training.train --tiny --out /tmp/tiny

1. Games are played by the safest cell, and a first value of positions is fitted to them.
2. Games are played by that value, and the value is fitted to those and to what the first one says.
3. Candidates of close guesses are played on by it, and the correction of scores is fitted to them.

All of it follows from `--seed`, so that two runs on one machine write the same weights, with any number of
`--jobs`: steps that need nothing of each other are made side by side. What is there already is not made
again: a run that was stopped goes on. `train.json` beside the weights says how each file was made, in how
many seconds, its hash, and the held-out loss of the values. MODEL.md says what is shipped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numba
import numpy as np
from threadpoolctl import threadpool_limits

from bot.errors import BotError, FormatError
from bot.solver.value.weights import read_net
from training import correct, fit, gather, pairs
from training.files import run

MANIFEST = "train.json"

LOOK_EVERY_S = 0.2
"""How often it is looked whether a process has made its file."""


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
    at_once: int
    """Games of pairs in one file: files are made side by side, and a run that is stopped loses one."""
    epochs: int
    """Over the rows of games; the correction gets `correction_epochs`."""
    correction_epochs: int
    hidden: tuple[int, int]
    """Neurons of the layers of the value; the correction has three networks of `correction_hidden`."""
    correction_hidden: tuple[int, int]


WHOLE = Sizes(
    "expert", "intermediate", 100_000, 150_000, 500_000, 100_000, 50_000, 15, 50, (48, 24), (64, 32)
)
"""The sizes of what is shipped."""

TINY = Sizes("intermediate", "expert", 100, 100, 160, 12, 80, 2, 2, (4, 3), (4, 3))
"""For a try of the whole way in seconds: what comes out is worth nothing."""


GAME_SEEDS = 10_000_000
"""Seeds of games that each `--seed` has for itself."""


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
    of_games = GAME_SEEDS * seed

    def games(out: str, count: int, first_click: str, at: int, *played_by: str) -> Step:
        words = ("--level", sizes.level, "--games", str(count), "--first-click", first_click)
        return Step(
            out, gather.main, (*words, "--seed", str(of_games + at), *played_by), tuple(played_by[1:])
        )

    def compared(name: str, level: str, count: int, at: int) -> list[Step]:
        made = []
        # Batches of pairs count their seeds up from the first one.
        for number, begin in enumerate(range(0, count, sizes.at_once), 1):
            played = str(min(sizes.at_once, count - begin)), str(of_games + at + begin)
            words = ("--level", level, "--games", played[0], "--seed", played[1], "--uncorrected")
            made.append(
                Step(f"{name}_{number}.npz", pairs.main, (*words, "--value", "value.npy"), ("value.npy",))
            )
        return made

    def fitted(out: str, of: tuple[str, ...], *more: str) -> Step:
        words = (*of, *shape_of(sizes.hidden, sizes.epochs), "--seed", str(seed), *more)
        return Step(out, fit.main, words, (*of, *more[1:]))

    compared_games = [
        *compared("pairs", sizes.level, sizes.pairs, 5),
        *compared("pairs_also", sizes.also, sizes.also_pairs, 1_000_005),
    ]
    compare = tuple(step.out for step in compared_games)
    return [
        games("cold_safe.npz", sizes.cold_games, "safe", 1, "--cold"),
        games("cold_zero.npz", sizes.cold_games, "zero", 2, "--cold"),
        fitted("cold.npy", ("cold_safe.npz", "cold_zero.npz")),
        games("safe.npz", sizes.games, "safe", 3, "--value", "cold.npy"),
        games("zero.npz", sizes.games, "zero", 4, "--value", "cold.npy"),
        fitted("value.npy", ("safe.npz", "zero.npz"), "--with", "cold.npy"),
        *compared_games,
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


def recipe(step: Step, kept: dict[str, Any]) -> dict[str, Any]:
    """How a step is made: by what program, with what words, of files with what hashes."""
    sources = {name: kept["files"][name]["sha256"] for name in step.after}
    return {"by": step.main.__module__, "words": list(step.words), "of": sources}


def is_there(step: Step, folder: Path, kept: dict[str, Any]) -> bool:
    """Whether the manifest says that the file of a step was made like that, and it is what it was."""
    out, before = folder / step.out, kept["files"].get(step.out)
    return bool(
        before
        and recipe(step, kept).items() <= before.items()
        and out.exists()
        and before["sha256"] == hash_of(out)
    )


def make(step: Step, folder: Path) -> None:
    """Make the file of a step, by one thread: sums of many would be of another order on another machine."""
    words = [str(folder / word) if word in step.after else word for word in step.words]
    part = folder / f"part-{step.out}"
    with threadpool_limits(1):
        step.main([*words, "--out", str(part)])
    part.replace(folder / step.out)


class Making:
    """A step that is being made: here and at once, or in a process of its own."""

    def __init__(self, step: Step, folder: Path, apart: bool) -> None:
        """Begin. Raises what making raises where it is made here."""
        self.step, self._folder = step, folder
        self._begun = time.perf_counter()
        self._process = get_context("spawn").Process(
            target=run, args=(partial(make, step, folder),), daemon=True
        )
        if apart:
            self._process.start()
        else:
            make(step, folder)

    def done(self) -> dict[str, Any] | None:
        """What the manifest says of the file besides its recipe; None while it is made. Raises BotError where
        the process ended without it."""
        if self._process.is_alive():
            return None
        if self._process.exitcode:
            raise BotError(f"{self.step.out} could not be made: the same command goes on with it")
        out = self._folder / self.step.out
        said: dict[str, Any] = {
            "sha256": hash_of(out),
            "bytes": out.stat().st_size,
            "seconds": round(time.perf_counter() - self._begun, 1),
        }
        if self.step.main is fit.main:
            rows = [self._folder / name for name in self.step.after if name.endswith(".npz")]
            said["held_out_loss"] = round(fit.held_out_loss(read_net(out), rows), 5)
        return said

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process.is_alive():
            self._process.terminate()


def make_all(wanted: Sequence[Step], folder: Path, kept: dict[str, Any], jobs: int) -> None:
    """Make the files of all steps, each as soon as what it is made of is there, and keep the manifest."""
    waiting, finished = list(wanted), set[str]()
    under_way: list[Making] = []
    try:
        while waiting or under_way:
            step = next((each for each in waiting if finished.issuperset(each.after)), None)
            if step is not None and len(under_way) < jobs:
                waiting.remove(step)
                if is_there(step, folder, kept):
                    print(f"{step.out}: is there already", flush=True)
                    finished.add(step.out)
                else:
                    print(f"{step.out}: {step.main.__module__} {' '.join(step.words)}", flush=True)
                    under_way.append(Making(step, folder, apart=jobs > 1))
                continue
            for making in list(under_way):
                said = making.done()
                if said is None:
                    continue
                under_way.remove(making)
                finished.add(making.step.out)
                kept["files"][making.step.out] = {**recipe(making.step, kept), **said}
                write_manifest(folder / MANIFEST, kept)
            time.sleep(0.0 if jobs == 1 else LOOK_EVERY_S)
    finally:
        for making in under_way:
            making.stop()


def write_manifest(path: Path, kept: dict[str, Any]) -> None:
    """Write it whole or not at all."""
    part = path.with_name(f"part-{path.name}")
    part.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


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
    words.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="steps that are made side by side"
    )
    words.add_argument("--tiny", action="store_true", help="a try of the whole way, in seconds")
    asked = words.parse_args(given)
    asked.out.mkdir(parents=True, exist_ok=True)
    kept = read_manifest(asked.out / MANIFEST)
    wanted = steps(TINY if asked.tiny else WHOLE, asked.seed)
    make_all(wanted, asked.out, kept, max(asked.jobs, 1))
    for name in ("value.npy", "correction.npy"):
        print(f"{asked.out / name}: SHA-256 {kept['files'][name]['sha256']}")
    print("copy both to bot/solver/value to play by them, and see training.measure for what they are worth")


if __name__ == "__main__":
    run(main)
