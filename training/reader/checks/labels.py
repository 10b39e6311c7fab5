"""Judges what is read of labelled boards on their true grids, with the rules that ship and with others.

`python -m training.reader.checks.labels FOLDER... [--rules "AMBIGUITY=1.5 ONE_MINE=0"]... [--network FILE]`
reads every labelled board where it lies and as far as it reaches: nothing depends on how grids are found. It
counts on how many boards

    the likeliest label of every cell is right, by each network alone and by all together
    every cell is right by the rules of the game, too (exact), or right or unread (`!`)
    there would be none, or wrong cells

once for the rules that ship and once for each `--rules`, which gives constants of bot/vision/general other
values. `--network` names files of weights to judge in place of those that ship, all of them. `--keep` writes
what the networks say, and `--kept` reads it again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

import numpy as np

from bot.board import Cell, Codes
from bot.vision.general import cell_reader, general_reader, label_search, labelling
from bot.vision.general.cell_reader import CellReader, CellScores
from bot.vision.general.network import NOT_A_CELL, Network, Networks, networks
from bot.vision.general.odds import broken_rules, drawings, odd_mine, position_odds
from bot.vision.grids.grid_search import without_dithering
from training.reader.samples import read_sample

MODULES: tuple[ModuleType, ...] = (
    broken_rules,
    cell_reader,
    drawings,
    general_reader,
    label_search,
    labelling,
    odd_mine,
    position_odds,
)
"""Whose constants `--rules` may change."""

OUTCOMES = ("exact", "unread", "none", "wrong")

SHIPPED = "as they ship"


@dataclass(frozen=True)
class Told:
    """What the networks say of a labelled board."""

    picture: str
    family: str
    wanted: Codes
    """Its true cells: (rows, columns)."""
    told: CellScores


@dataclass(frozen=True)
class Rules:
    """Constants with other values than they ship with."""

    name: str
    values: Mapping[str, float]

    @classmethod
    def read(cls, text: str) -> Rules:
        """From `NAME=VALUE NAME=VALUE`; raises ValueError where there is no such constant."""
        values: dict[str, float] = {}
        for part in text.split():
            name, _, value = part.partition("=")
            if not _owners(name):
                raise ValueError(f"no constant of bot/vision/general is a number and named {name}")
            values[name] = float(value)
        return cls(text, values)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """The constants have these values while the body runs."""
        before = [(module, name, getattr(module, name)) for name in self.values for module in _owners(name)]
        for module, name, _ in before:
            setattr(module, name, self.values[name])
        try:
            yield
        finally:
            for module, name, value in before:
                setattr(module, name, value)


def _owners(name: str) -> list[ModuleType]:
    """The modules that have a constant: where it is defined, and where it is imported."""
    return [one for one in MODULES if name.isupper() and isinstance(getattr(one, name, None), (int, float))]


def told_of(path: Path, files: tuple[str, ...] = ()) -> list[Told]:
    """What the networks in some files, or those that ship, say of the boards whose labels lie at a path."""
    sample = read_sample(path)
    image, reader = without_dithering(sample.image), CellReader(_judges(files))
    return [
        Told(
            str(path),
            sample.family or path.parent.name,
            one.board.codes,
            reader.read(image, one.grid, is_board=True),
        )
        for one in sample.boards
    ]


@lru_cache(maxsize=1)
def _judges(files: tuple[str, ...]) -> Networks:
    if not files:
        return networks()
    members = []
    for name in files:
        with np.load(name, allow_pickle=False) as weights:
            members.append(Network(dict(weights)))
    return Networks(members)


def outcome(one: Told) -> str:
    """What the rules make of a board: one of OUTCOMES."""
    read = labelling.label_cells(one.told)
    if general_reader.why_no_board(read) is not None:
        return "none"
    is_read = read.codes != Cell.UNREAD
    if (read.codes != one.wanted)[is_read].any():
        return "wrong"
    return "exact" if is_read.all() else "unread"


def likeliest_right(one: Told) -> list[bool]:
    """Whether the likeliest label of every cell is right: by each network alone, then by all together."""
    said = [*one.told.opinions, one.told.scores]
    return [bool((scores[..., :NOT_A_CELL].argmax(axis=-1) == one.wanted).all()) for scores in said]


def counts(every: Sequence[Told], rules: Rules) -> dict[str, int]:
    """How many boards have each outcome by some rules."""
    with rules.hold():
        found = [outcome(one) for one in every]
    return {name: found.count(name) for name in OUTCOMES}


def table(every: Sequence[Told], variants: Sequence[Rules]) -> Iterator[str]:
    """The lines that say how boards are read."""
    right = np.array([likeliest_right(one) for one in every], np.bool_).sum(axis=0).tolist()
    yield f"{len(every)} boards; the likeliest label of every cell is right: by each network alone"
    yield f"{', '.join(map(str, right[:-1]))}; by all together {right[-1]}"
    yield f"\n{'rules':48}" + "".join(f"{name:>8}" for name in OUTCOMES)
    for rules in variants:
        counted = counts(every, rules)
        yield f"{rules.name:48}" + "".join(f"{counted[name]:8}" for name in OUTCOMES)


def by_family(every: Sequence[Told]) -> Iterator[str]:
    """The lines that say how the boards of each family are read by the rules that ship."""
    yield f"\n{'family, rules as they ship':48}" + "".join(f"{name:>8}" for name in OUTCOMES)
    for family in sorted({one.family for one in every}):
        counted = counts([one for one in every if one.family == family], Rules(SHIPPED, {}))
        yield f"{family:48}" + "".join(f"{counted[name]:8}" for name in OUTCOMES)


def write_told(path: Path, every: Sequence[Told]) -> None:
    """Keep what the networks say of boards."""
    names = np.array([json.dumps([[one.picture, one.family] for one in every])])
    arrays = [(one.wanted, one.told.opinions, one.told.looks, one.told.features) for one in every]
    with path.open("wb") as file:
        np.savez(file, names, *(array for some in arrays for array in some))


def read_told(path: Path) -> list[Told]:
    """What `write_told` has kept. Raises ValueError where a file has something else."""
    with np.load(path, allow_pickle=False) as kept:
        try:
            names, arrays = json.loads(str(kept["arr_0"][0])), [kept[name] for name in kept.files[1:]]
        except (KeyError, IndexError) as error:
            raise ValueError(f"{path} does not hold what networks say of boards") from error
    return [
        Told(picture, family, wanted, CellScores(opinions, looks, features))
        for (picture, family), wanted, opinions, looks, features in zip(
            names, arrays[::4], arrays[1::4], arrays[2::4], arrays[3::4], strict=True
        )
    ]


def _told_in_process(task: tuple[Path, tuple[str, ...]]) -> list[Told]:
    return told_of(*task)


def all_told(paths: Sequence[Path], files: tuple[str, ...], jobs: int) -> list[Told]:
    """What the networks say of all boards, with progress on standard error."""
    tasks, begun, every = [(path, files) for path in paths], time.monotonic(), list[Told]()
    with get_context("spawn").Pool(jobs) as pool:
        for number, some in enumerate(pool.imap(_told_in_process, tasks, chunksize=4), 1):
            every += some
            if number % 100 == 0:
                seconds = time.monotonic() - begun
                print(f"{number} of {len(tasks)} pictures, {seconds:.0f} s", file=sys.stderr)
    return every


def main() -> int:
    """Judge the boards of the folders."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--rules", action="append", default=[], metavar="NAME=VALUE", help="as often as you like"
    )
    parser.add_argument("--network", action="append", default=[], metavar="FILE", help="may come often")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, help="the first pictures of each folder")
    parser.add_argument("--keep", type=Path, help="write what the networks say of the boards")
    parser.add_argument("--kept", type=Path, help="read that, in place of pictures")
    options = parser.parse_args()
    try:
        variants = [Rules(SHIPPED, {}), *map(Rules.read, options.rules)]
    except ValueError as error:
        parser.error(f"--rules: {error}")
    if bool(options.folders) == bool(options.kept):
        parser.error("name folders of labelled pictures, or what was kept of them (--kept)")
    if options.kept:
        try:
            every = read_told(options.kept)
        except (OSError, ValueError) as error:
            parser.error(f"--kept: {error}")
    else:
        paths = [
            path for folder in options.folders for path in sorted(folder.glob("*.json"))[: options.limit]
        ]
        every = all_told(paths, tuple(options.network), options.jobs)
    if not every:
        parser.error("there are no labelled pictures in these folders")
    if options.keep:
        write_told(options.keep, every)
    for line in (*table(every, variants), *by_family(every)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
