"""Says how many boards of labelled pictures are found: `python -m training.reader.checks.grids FOLDER...`.

For each folder (see `samples`): how many boards have their exact grid as the first candidate, among the
candidates, only their lattice (pitch and phase right, extent wrong), only wrong grids, or none; and the time
of the processor until the first candidates and until all of them. The boards that are not found are named
with their look.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from bot.vision.grid import Grid, Image
from bot.vision.grids.grid_search import FoundGrid, grid_batches
from training.reader.samples import LabelledBoard, read_sample

MAX_OFF = 0.12
"""Maximum distance of each edge of an exact grid from the labelled one, as a part of a cell."""

OUTCOMES = ("first", "among", "lattice", "wrong", "none")
"""From best to worst: the exact grid comes first, is among the candidates, only its lattice is, nothing of it
is, or there are no candidates."""


@dataclass
class FolderCount:
    """What was counted over the boards of a folder."""

    outcomes: Counter[str] = field(default_factory=Counter)
    places: list[int] = field(default_factory=list)
    """For each exact grid how many candidates came before it."""
    candidates: list[int] = field(default_factory=list)
    """Number of candidates for each picture."""
    first_s: list[float] = field(default_factory=list)
    """Seconds until the first batch, for each picture."""
    all_s: list[float] = field(default_factory=list)
    """Seconds until all batches."""


def is_exact(found: Grid, wanted: Grid) -> bool:
    """Whether a grid has the right columns and rows, and each edge lies within `MAX_OFF` of a cell."""
    return found.shape == wanted.shape and has_lattice(found, wanted, anywhere=False)


def has_lattice(found: Grid, wanted: Grid, *, anywhere: bool = True) -> bool:
    """Whether the lines of a lattice are those of the wanted grid over all its extent.

    With `anywhere` the found grid may begin any number of cells off.
    """
    for start, pitch, wanted_start, wanted_pitch, count in (
        (found.x, found.cell_width, wanted.x, wanted.cell_width, wanted.columns),
        (found.y, found.cell_height, wanted.y, wanted.cell_height, wanted.rows),
    ):
        shift = round((wanted_start - start) / wanted_pitch) if anywhere else 0
        offsets = start + (np.arange(2) * count + shift) * pitch - wanted_start
        offsets -= np.arange(2) * count * wanted_pitch
        if np.abs(offsets).max() > MAX_OFF * wanted_pitch:
            return False
    return True


def reaches(reach: Grid, wanted: Grid) -> bool:
    """Whether a generous grid has room for all cells of the wanted one, which lie on its lattice."""
    columns = (wanted.x - reach.x) / wanted.cell_width, wanted.columns, reach.columns
    rows = (wanted.y - reach.y) / wanted.cell_height, wanted.rows, reach.rows
    return all(round(first) >= 0 and round(first) + count <= room for first, count, room in (columns, rows))


def outcome(wanted: Grid, candidates: Sequence[FoundGrid], others: Sequence[Grid]) -> tuple[str, int]:
    """How a board is found, one of `OUTCOMES`, and how many candidates come before the exact one.

    The exact grids of the `others`, further boards of the picture, are not counted as coming before.
    """
    before = 0
    for one in candidates:
        if is_exact(one.grid, wanted):
            return ("among" if before else "first"), before
        before += not any(is_exact(one.grid, other) for other in others)
    if any(has_lattice(one.grid, wanted) and reaches(one.reach, wanted) for one in candidates):
        return "lattice", 0
    return ("wrong" if candidates else "none"), 0


def timed_candidates(image: Image, *, only_first: bool = False) -> tuple[list[FoundGrid], float, float]:
    """The candidates in a picture, in their order, and the seconds until the first batch and the last."""
    started = time.process_time()
    first_s = 0.0
    candidates: list[FoundGrid] = []
    for batch in grid_batches(image):
        if batch and not first_s:
            first_s = time.process_time() - started
        known = {one.grid for one in candidates}
        candidates += [one for one in batch if one.grid not in known]
        if only_first and candidates:
            break
    all_s = time.process_time() - started
    return candidates, first_s or all_s, all_s


def check_folder(
    paths: Sequence[Path], *, only_first: bool = False
) -> tuple[FolderCount, list[tuple[str, str, LabelledBoard]]]:
    """The counts of some labelled pictures, and the boards whose exact grid is not found.

    `only_first`: only the first batch of candidates counts.
    """
    counts = FolderCount()
    missed: list[tuple[str, str, LabelledBoard]] = []
    for path in paths:
        sample = read_sample(path)
        candidates, first_s, all_s = timed_candidates(sample.image, only_first=only_first)
        counts.first_s.append(first_s)
        counts.all_s.append(all_s)
        counts.candidates.append(len(candidates))
        for board in sample.boards:
            others = [other.grid for other in sample.boards if other is not board]
            how, before = outcome(board.grid, candidates, others)
            counts.outcomes[how] += 1
            if how in ("first", "among"):
                counts.places.append(before)
            else:
                missed.append((sample.name, how, board))
    return counts, missed


def spread(paths: Sequence[Path], count: int) -> list[Path]:
    """At most this many of the paths, spread evenly; all for 0."""
    chosen = min(count or len(paths), len(paths))
    return [paths[number * len(paths) // chosen] for number in range(chosen)]


def _lines(name: str, counts: FolderCount) -> Iterator[str]:
    boards = max(1, counts.outcomes.total())
    shares = "  ".join(f"{how} {100 * counts.outcomes[how] / boards:5.1f} %" for how in OUTCOMES)
    yield f"{name}: {boards} boards  {shares}"
    first, everything = (1000 * np.array(one or [0.0]) for one in (counts.first_s, counts.all_s))
    yield (
        f"    candidates {np.mean(counts.candidates or [0]):.1f}, before the exact one"
        f" {np.mean(counts.places or [0]):.2f};"
        f" first batch {np.median(first):.0f} ms (95 %: {np.quantile(first, 0.95):.0f} ms),"
        f" all {np.median(everything):.0f} ms (95 %: {np.quantile(everything, 0.95):.0f} ms)"
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--pictures", type=int, default=0, help="this many of each folder, spread over it")
    parser.add_argument("--missed", type=int, default=10, help="number of boards not found that are named")
    parser.add_argument("--only-first", action="store_true", help="only the first batch of candidates")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for folder in options.folders:
        counts, missed = check_folder(
            spread(sorted(folder.glob("*.json")), options.pictures), only_first=options.only_first
        )
        print(*_lines(str(folder), counts), sep="\n")
        missed.sort(key=lambda one: -OUTCOMES.index(one[1]))
        for name, how, board in missed[: options.missed]:
            grid = board.grid
            look = ", ".join(f"{key}: {value}" for key, value in board.look.items())
            place = f"{grid.x:.1f}+{grid.y:.1f}, cells {grid.cell_width:.2f}x{grid.cell_height:.2f}"
            print(f"    {how:7s} {name} {grid.columns}x{grid.rows} at {place}; {look}")


if __name__ == "__main__":
    main()
