"""Judges what is read of labelled boards on their true grids, with the rules that ship and with others.

`python -m training.reader.checks.labels FOLDER... [--rules "AMBIGUITY=1.5 ONE_MINE=0"]... [--network FILE]`
reads every labelled board where it lies and as far as it reaches: nothing depends on how grids are found. It
counts on how many boards

    the likeliest label of every cell is right, by each network alone and by all together
    every cell is right by the rules of the game, too (exact), or right or unread (`!`)
    there would be none, or wrong cells

once for the rules that ship and once for each `--rules`, which gives constants other values (`MODULE.NAME`
where several modules of bot/vision/general have one of a name). There is no second look. `--network` names
files of weights to judge in place of those that ship, all of them. `--keep` writes what the networks say, and
`--kept` reads it again.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt

from bot.board import Cell, Codes
from bot.errors import FormatError
from bot.files import write_whole
from bot.vision.general import general_reader, label_search, labelling
from bot.vision.general.cell_reader import CellReader, CellScores
from bot.vision.general.cell_windows import WINDOW_SIDE
from bot.vision.general.network import NOT_A_CELL, Network, Networks, networks, read_network
from bot.vision.general.odds import broken_rules, drawings, odd_mine, position_odds
from bot.vision.grids.grid_search import without_dithering
from training.files import run
from training.reader.checks.pictures import labelled_pictures, side_by_side
from training.reader.samples import read_sample

MODULES: tuple[ModuleType, ...] = (
    broken_rules,
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
        """From `NAME=VALUE MODULE.NAME=VALUE`; raises ValueError where there is not one such constant."""
        values: dict[str, float] = {}
        for part in text.split():
            name, _, value = part.partition("=")
            owners = _owners(name)
            if not owners:
                raise ValueError(f"no constant of the labels and boards is a number and named {name}")
            if len({getattr(one, _own_name(name)) for one in owners}) > 1:
                named = " or ".join(f"{_own_name(one.__name__)}.{name}" for one in owners)
                raise ValueError(f"several constants are named {name}: write {named}")
            values[name] = float(value)
        return cls(text, values)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """The constants have these values while the body runs."""
        changed = [
            (one, _own_name(name), value) for name, value in self.values.items() for one in _owners(name)
        ]
        before = [(module, name, getattr(module, name)) for module, name, _ in changed]
        for module, name, value in changed:
            setattr(module, name, value)
        try:
            yield
        finally:
            for module, name, value in before:
                setattr(module, name, value)


def _owners(name: str) -> list[ModuleType]:
    """The modules that have a constant, or the one that is named with it."""
    module, own = name.rpartition(".")[0], _own_name(name)
    return [
        one
        for one in MODULES
        if module in ("", _own_name(one.__name__))
        and own.isupper()
        and isinstance(getattr(one, own, None), (int, float))
    ]


def _own_name(name: str) -> str:
    return name.rpartition(".")[2]


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
    """The networks in some files, or those that ship. Raises FormatError where a file has no weights."""
    return Networks([_judge(Path(name)) for name in files]) if files else networks()


def _judge(path: Path) -> Network:
    looks: npt.NDArray[np.intp] = np.zeros((1, 1), np.intp)
    try:
        network = read_network(path)
        network.scores(network.features(np.zeros((1, WINDOW_SIDE, WINDOW_SIDE, 3), np.uint8)), looks)
    except Exception:  # numpy and zipfile raise errors of many kinds for what has no weights
        raise FormatError(f"{path} cannot be read, or does not have the weights of a network") from None
    return network


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


def outcomes(every: Sequence[Told], rules: Rules) -> list[str]:
    """The outcome of each board by some rules."""
    with rules.hold():
        return [outcome(one) for one in every]


def table(every: Sequence[Told], variants: Sequence[Rules]) -> Iterator[str]:
    """The lines that say how boards are read by each of some rules, and those of each family by the first."""
    right = np.array([likeliest_right(one) for one in every], np.bool_).sum(axis=0).tolist()
    yield f"{len(every)} boards; the likeliest label of every cell is right: by each network alone"
    yield f"{', '.join(map(str, right[:-1]))}; by all together {right[-1]}"
    yield "\n" + _line("rules", OUTCOMES)
    first = outcomes(every, variants[0])
    yield _line(variants[0].name, map(first.count, OUTCOMES))
    for rules in variants[1:]:
        yield _line(rules.name, map(outcomes(every, rules).count, OUTCOMES))
    yield "\n" + _line(f"family, rules {variants[0].name}", OUTCOMES)
    for family in sorted({one.family for one in every}):
        found = [how for one, how in zip(every, first, strict=True) if one.family == family]
        yield _line(family, map(found.count, OUTCOMES))


def _line(name: str, values: Iterable[object]) -> str:
    return f"{name:48}" + "".join(f"{value:>8}" for value in values)


def write_told(path: Path, every: Sequence[Told]) -> None:
    """Keep what the networks say of boards."""
    names = np.array([json.dumps([[one.picture, one.family] for one in every])])
    arrays = [
        (one.wanted, one.told.opinions, one.told.looks, one.told.features, one.told.thumbnails)
        for one in every
    ]
    written = io.BytesIO()
    np.savez(written, names, *(array for some in arrays for array in some))
    write_whole(path, written.getvalue())


def read_told(path: Path) -> list[Told]:
    """What `write_told` has kept. Raises FormatError where a file has something else, or not all of it."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as kept:
            names, *arrays = (kept[f"arr_{number}"] for number in range(len(kept.files)))
        return [
            Told(picture, family, wanted, CellScores(*told))
            for (picture, family), wanted, *told in zip(
                json.loads(str(names[0])), *(arrays[part::5] for part in range(5)), strict=True
            )
        ]
    except Exception:  # numpy and zipfile raise errors of many kinds for what is cut or damaged
        raise FormatError(f"{path} cannot be read, or is not what `--keep` wrote") from None


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
    files = tuple(options.network)
    try:
        _judges(files)  # before any picture is read
        every = read_told(options.kept) if options.kept else []
    except FormatError as error:
        parser.error(str(error))
    if not options.kept:
        paths = labelled_pictures(options.folders, options.limit)
        every = list(side_by_side(partial(told_of, files=files), paths, options.jobs))
    if not every:
        parser.error("there are no labelled pictures in these folders")
    if options.keep:
        write_told(options.keep, every)
    for line in table(every, variants):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    run(lambda: sys.exit(main()))
