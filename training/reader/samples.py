"""Pictures with labelled boards, kept in a folder: NAME.png, and NAME.json with what the picture shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2

from bot.board import Board
from bot.vision.grid import Grid, Image
from bot.vision.picture_file import load_picture


@dataclass(frozen=True)
class LabelledBoard:
    """A board in a picture, and where it is."""

    grid: Grid
    board: Board
    look: dict[str, str] = field(default_factory=dict)
    """How it was drawn, to say which looks are read badly: `font`, `palette`, `cells`, `flag`, ..."""


@dataclass(frozen=True)
class LabelledPicture:
    """A picture and all boards that it shows."""

    name: str
    image: Image
    boards: tuple[LabelledBoard, ...]
    family: str = ""
    """What of its look no training may see; empty if it is there for training."""


def write_sample(folder: Path, sample: LabelledPicture) -> None:
    """Keep a picture in a folder, as NAME.png and, once that is complete, NAME.json."""
    cv2.imwrite(str(folder / f"{sample.name}.png"), sample.image)
    boards = [
        {
            "grid": [one.grid.x, one.grid.y, one.grid.cell_width, one.grid.cell_height],
            "cells": str(one.board).split("\n"),
            "look": one.look,
        }
        for one in sample.boards
    ]
    text = json.dumps({"family": sample.family, "boards": boards}, indent=1)
    beside = folder / f"{sample.name}.json.part"
    beside.write_text(text)
    beside.rename(folder / f"{sample.name}.json")


def read_samples(folder: Path) -> Iterator[LabelledPicture]:
    """The pictures of a folder, in the order of their names."""
    for path in sorted(folder.glob("*.json")):
        yield read_sample(path)


def read_sample(path: Path) -> LabelledPicture:
    """The picture whose labels lie at a path."""
    labels = json.loads(path.read_text())
    image = load_picture(path.with_suffix(".png"))
    boards = tuple(_board(one) for one in labels["boards"])
    return LabelledPicture(path.stem, image, boards, labels["family"])


def _board(labels: dict[str, Any]) -> LabelledBoard:
    board = Board.parse("\n".join(labels["cells"]))
    x, y, width, height = labels["grid"]
    return LabelledBoard(Grid(x, y, width, height, board.columns, board.rows), board, labels["look"])
