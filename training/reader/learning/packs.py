"""Packs the boards of folders of labelled pictures into a file that networks are trained on.

\b
python -m training.reader.learning.packs looks/html looks/lost --out html.npz
python -m training.reader.learning.packs --no-boards 1500 --out none.npz

A pack is small enough to be taken to another machine. Each different cell of a board is kept once: compressed
without loss, or where that is large (noise, pictures behind the cells), as a photograph is.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click
import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow

from bot.files import write_whole
from bot.vision.general.cell_windows import CELL_SIDE
from training.files import read_arrays, run
from training.reader.learning.examples import (
    Cells,
    KnownBoard,
    drawn_no_boards,
    found_no_boards,
    is_learned,
    known_boards,
)
from training.reader.no_boards import NOTHING

ACROSS = 8
"""Number of cells side by side in the picture that is compressed."""

MOST_BYTES, QUALITY = 12_000, 85
"""A board that takes more bytes without loss is kept at this quality."""

WRITER = "training.reader.learning.packs"
"""What writes packs, as errors name it."""

TOGETHER = 32
"""Number of boards that one process takes at a time."""


PICTURES_OF_A_KIND = 24
"""Number of pictures of each kind without a board whose grids are packed."""


@dataclass(frozen=True)
class PackedBoard:
    """A board whose looks are compressed: some 10 kB, in place of the 180 that it takes unpacked."""

    picture: npt.NDArray[np.uint8]
    """Its different looks in one picture, as bytes of a file."""
    count: int
    """Number of these looks."""
    looks: npt.NDArray[np.int16]
    """As `KnownBoard` has them."""
    labels: npt.NDArray[np.int8]
    """As `KnownBoard` has them, in bytes."""

    def unpacked(self) -> KnownBoard:
        """The board, as examples are cut from it."""
        return KnownBoard(_cells(self.picture, self.count), self.looks, self.labels.astype(np.int64))


def write_pack(path: Path, boards: Sequence[KnownBoard], jobs: int = 1) -> None:
    """Write boards to a file (.npz), which `read_pack` reads."""
    with ProcessPoolExecutor(jobs) as pool:
        pictures = list(pool.map(_compressed, (one.cells for one in boards), chunksize=TOGETHER))
    written = io.BytesIO()
    np.savez_compressed(
        written,
        allow_pickle=False,
        pictures=np.concatenate(pictures),
        lengths=np.array([len(one) for one in pictures]),
        cells=np.array([len(one.cells) for one in boards]),
        shapes=np.array([one.looks.shape for one in boards]),
        looks=np.concatenate([one.looks.ravel() for one in boards]),
        labels=np.concatenate([one.labels.ravel().astype(np.int8) for one in boards]),
    )
    write_whole(path, written.getvalue())


def read_pack(path: Path) -> list[PackedBoard]:
    """The boards of a file; raises FormatError if it is no pack, or not a whole one."""
    (joined,) = read_arrays(path, {"pictures": ()}, WRITER)
    lengths, counts, shapes = read_arrays(path, {"lengths": (), "cells": (), "shapes": (2,)}, WRITER)
    all_looks, all_labels = read_arrays(path, {"looks": (), "labels": ()}, WRITER)
    pictures = np.split(joined, np.cumsum(lengths)[:-1])
    ends = np.cumsum(shapes.prod(1))[:-1]
    looks, labels = np.split(all_looks, ends), np.split(all_labels, ends)
    return [
        PackedBoard(picture, count, looks[index].reshape(shape), labels[index].reshape(shape))
        for index, (picture, count, shape) in enumerate(
            zip(pictures, counts.tolist(), shapes.tolist(), strict=True)
        )
    ]


def _compressed(cells: Cells) -> npt.NDArray[np.uint8]:
    missing = -len(cells) % ACROSS
    filled = np.concatenate([cells, np.repeat(cells[-1:], missing, axis=0)])
    apart = filled.reshape(-1, ACROSS, CELL_SIDE, CELL_SIDE, 3).swapaxes(1, 2)
    picture = apart.reshape(-1, ACROSS * CELL_SIDE, 3)
    written = io.BytesIO()
    # The quickest method: the slowest ones save a tenth of the bytes, in sixteen times the time.
    Pillow.fromarray(picture[:, :, ::-1]).save(written, "WEBP", lossless=True, quality=0, method=0)
    if written.tell() <= MOST_BYTES:
        return np.frombuffer(written.getvalue(), np.uint8)
    lossy = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])[1]
    return np.asarray(lossy, np.uint8).ravel()


def _cells(written: npt.NDArray[np.uint8], count: int) -> Cells:
    picture = np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), np.uint8)
    apart = picture.reshape(-1, CELL_SIDE, ACROSS, CELL_SIDE, 3).swapaxes(1, 2)
    return np.ascontiguousarray(apart.reshape(-1, CELL_SIDE, CELL_SIDE, 3)[:count], np.uint8)


def boards_of(folders: tuple[Path, ...], jobs: int) -> list[KnownBoard]:
    """The boards of all pictures in folders."""
    paths = [path for folder in folders for path in sorted(folder.glob("*.json"))]
    with ProcessPoolExecutor(jobs) as pool:
        return [one for boards in pool.map(known_boards, paths, chunksize=16) for one in boards]


def no_boards(drawn: int, jobs: int) -> list[KnownBoard]:
    """Drawn grids that are no boards, and those that are found in pictures of each kind without a board that
    may be learned from."""
    pictures = [
        (kind, seed)
        for kind in NOTHING
        if is_learned(kind)
        for seed in range(1000, 1000 + PICTURES_OF_A_KIND)
    ]
    with ProcessPoolExecutor(jobs) as pool:
        found = pool.map(found_no_boards, *zip(*pictures, strict=True), chunksize=4)
        return [*drawn_no_boards(drawn, seed=1), *(one for grids in found for one in grids)]


@click.command(help=__doc__)
@click.argument("folders", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file (.npz).")
@click.option("--no-boards", "drawn", default=0, help="Pack so many grids that are no boards, and others.")
@click.option("--jobs", default=1, help="Processes that cut the boards.")
def main(folders: tuple[Path, ...], out: Path, drawn: int, jobs: int) -> None:
    """Pack boards."""
    boards = boards_of(folders, jobs) + (no_boards(drawn, jobs) if drawn else [])
    if not boards:
        raise click.UsageError("there is no labelled picture in the folders, if any were named")
    write_pack(out, boards, jobs)
    print(f"{len(boards)} boards in {out}: {out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    run(main)
