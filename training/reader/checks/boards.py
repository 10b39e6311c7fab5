"""Reads labelled pictures as `minebot read` does, with all shipped themes, and counts what comes out.

`python -m training.reader.checks.boards FOLDER... [--jobs 2]` prints tables by family of looks, by reader and
by whether the game is lost, and names the worst boards; `--only-general` leaves the themes out. Every
labelled board counts once:

    exact        every cell right
    unread       every cell right or unread (`!`)
    none         no board was read at its place
    size         a board of another size, or at least half a cell off
    wrong        cells that are wrong and not `!`

A board that is read where none is labelled counts as `false`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from bot.board import Cell
from bot.errors import FormatError
from bot.vision.grid import Grid, Image
from bot.vision.picture_reader import PictureReading, read_boards
from bot.vision.themes.skin import Skin
from bot.vision.themes.theme import load_skins
from training.files import run
from training.reader.checks.pictures import labelled_pictures, side_by_side
from training.reader.samples import LabelledBoard, read_sample

OUTCOMES = ("exact", "unread", "none", "size", "wrong", "false", "error")
MAX_OFF = 0.5
"""Two boards are one if their corners are less than this part of a cell apart."""

GENERAL, NOBODY = "general", "-"


@dataclass(frozen=True)
class Judged:
    """What was read of one labelled board, or a board that was read where there is none."""

    picture: str
    family: str
    outcome: str
    """One of OUTCOMES."""
    reader: str
    """The name of a theme, `general`, or `-` if nothing was read."""
    wrong: int = 0
    """How many cells are wrong and not `!`."""
    text: str = ""
    """What is wrong, in a few words."""
    look: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    game: str = ""
    """`lost` where the labelled board shows mines or wrong flags, else `not lost`; empty if there is none."""


def judged(path: Path, *, only_general: bool = False) -> list[Judged]:
    """What is read of the picture whose labels lie at a path."""
    try:
        sample = read_sample(path)
    except FileNotFoundError:  # painted anew meanwhile
        return []
    family = sample.family or path.parent.name
    begun = time.perf_counter()
    try:
        read = _read(sample.image, only_general=only_general)
    except Exception:
        lines = traceback.format_exc().strip().splitlines()
        return [Judged(str(path), family, "error", NOBODY, text=f"{lines[-1]} ({lines[-3].strip()})")]
    seconds = time.perf_counter() - begun
    left = list(read)
    results: list[Judged] = []
    for wanted in sample.boards:
        rect = wanted.grid.rect
        near = [one for one in left if one.grid.rect.intersects(rect)]
        best = max(near, key=lambda one: _shared(one.grid, wanted.grid), default=None)
        if best is not None:
            left.remove(best)
        is_lost = np.isin(wanted.board.codes, (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG)).any()
        compared = _compared(str(path), family, wanted, best, seconds)
        results.append(replace(compared, game="lost" if is_lost else "not lost"))
    for one in left:
        text = f"a board of {one.board.columns}x{one.board.rows} where none is"
        results.append(Judged(str(path), family, "false", _reader(one), text=text, seconds=seconds))
    return results


def _read(image: Image, *, only_general: bool) -> list[PictureReading]:
    try:
        return read_boards(image, [] if only_general else _skins())
    except FormatError:
        return []


@lru_cache(maxsize=1)
def _skins() -> list[Skin]:
    return load_skins()


def _reader(read: PictureReading) -> str:
    return GENERAL if read.skin is None else read.skin.name


def _shared(one: Grid, other: Grid) -> int:
    return one.rect.clipped(other.rect).area


def _is_one_board(one: Grid, other: Grid) -> bool:
    """Whether two grids are those of one board."""
    if one.shape != other.shape:
        return False
    across = np.abs(one.exact_columns - other.exact_columns)[[0, -1]].max() / other.cell_width
    down = np.abs(one.exact_rows - other.exact_rows)[[0, -1]].max() / other.cell_height
    return bool(max(across, down) < MAX_OFF)


def _compared(
    picture: str, family: str, wanted: LabelledBoard, read: PictureReading | None, seconds: float
) -> Judged:
    if read is None:
        return Judged(picture, family, "none", NOBODY, look=wanted.look, seconds=seconds)
    size = f"{read.board.columns}x{read.board.rows}"
    reader = _reader(read)
    if not _is_one_board(read.grid, wanted.grid):
        text = (
            f"{size} at {read.grid.x:.1f}, {read.grid.y:.1f}; is {wanted.board.columns}x{wanted.board.rows}"
        )
        return Judged(picture, family, "size", reader, text=text, look=wanted.look, seconds=seconds)
    pairs = zip("".join(wanted.board.lines), "".join(read.board.lines), strict=True)
    wrong = Counter(f"{want}->{got}" for want, got in pairs if got not in (want, "!"))
    unread = read.board.count(Cell.UNREAD)
    outcome = "wrong" if wrong else "unread" if unread else "exact"
    text = f"{size}: " + ", ".join(f"{count} {pair}" for pair, count in wrong.most_common(4))
    return Judged(
        picture,
        family,
        outcome,
        reader,
        sum(wrong.values()),
        text + f", {unread} unread",
        wanted.look,
        seconds,
    )


def table(results: Sequence[Judged], by: str) -> list[str]:
    """A line for each value of a field of the results, with how often each outcome came."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for one in results:
        groups[str(getattr(one, by))][one.outcome] += 1
        if by == "family":
            groups["all"][one.outcome] += 1
    shown = [name for name in OUTCOMES if name != "error" or any(one.outcome == "error" for one in results)]
    lines = [f"{by:30}{'boards':>8}" + "".join(f"{name:>8}" for name in shown) + f"{'exact %':>9}"]
    for group in sorted(groups, key=lambda name: (name == "all", name)):
        count = groups[group]
        boards = sum(count[name] for name in OUTCOMES if name != "false")
        share = f"{100 * count['exact'] / boards:9.1f}" if boards else " " * 9
        lines.append(f"{group:30}{boards:8}" + "".join(f"{count[name]:8}" for name in shown) + share)
    return lines


def worst(results: Sequence[Judged], count: int) -> list[Judged]:
    """The boards that are read worst: false ones first, then those with the most wrong cells."""
    order = ("error", "false", "size", "wrong", "none")
    bad = [one for one in results if one.outcome in order]
    return sorted(bad, key=lambda one: (order.index(one.outcome), -one.wrong))[:count]


def main() -> int:
    """Judge the pictures of the folders; exit status 1 if a theme is the reader of a wrong board."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--only-general", action="store_true", help="read without any theme, by the general reader"
    )
    parser.add_argument("--limit", type=int, help="the first pictures of each folder")
    parser.add_argument("--worst", type=int, default=20, help="boards to name")
    parser.add_argument("--keep", type=Path, help="write every result, a JSON object a line")
    options = parser.parse_args()
    paths = labelled_pictures(options.folders, options.limit)
    results = list(side_by_side(partial(judged, only_general=options.only_general), paths, options.jobs))
    if options.keep is not None:
        options.keep.write_text("".join(json.dumps(asdict(one)) + "\n" for one in results))
    print("\n".join(table(results, "family")) + "\n")
    print("\n".join(table(results, "reader")) + "\n")
    print("\n".join(table([one for one in results if one.game], "game")) + "\n")
    for one in worst(results, options.worst):
        look = " ".join(f"{key}={value}" for key, value in one.look.items())
        print(f"{one.outcome:6} {one.picture} by {one.reader}: {one.text} [{look}]")
    seconds = sorted({one.picture: one.seconds for one in results}.values())
    if seconds:
        print(f"time of a picture: median {seconds[len(seconds) // 2]:.2f} s, longest {seconds[-1]:.2f} s")
    return int(
        any(
            one.reader not in (GENERAL, NOBODY) and one.outcome in ("size", "wrong", "false")
            for one in results
        )
    )


if __name__ == "__main__":
    run(lambda: sys.exit(main()))
