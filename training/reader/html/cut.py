"""Pictures out of a page: where their grids lie, whether they can be read, and what else befalls pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from bot.board import Board, Cell
from bot.vision.grid import Grid, Image
from training.reader.html.looks.colours import Rng

MEASURE = """
[...document.querySelectorAll('.section')].map(section => {
  const box = e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const board = section.querySelector('.board');
  return {section: box(section), board: box(board), cells: [...board.querySelectorAll('.cell')].map(box)};
})
"""
"""For each section of a page its box, that of its board, and those of its cells, row by row.

A box is left, top, right, bottom in CSS pixels."""

UNEVEN = 0.6
"""Maximum distance of a cell's edge from the lattice of equal cells, in pixels of the picture."""

SEEN = 14
"""Minimum difference (0 to 255, strongest channel) of a pixel that tells one kind of cell from another."""

SEEN_PART, SEEN_PIXELS = 0.012, 5
"""Minimum of such pixels between two kinds of cells: a part of the cell, and a number."""

PLAIN_SEEN, PLAIN_PART, PLAIN_PIXELS = 20, 0.02, 7
"""The same between a covered or an empty cell and any other: nothing on a cell may be too thin or faint."""

FILTERS = (cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_LANCZOS4, cv2.INTER_NEAREST)


def cut(page: Image, boxes: dict[str, Any], board: Board, scale: float) -> tuple[Image, Grid] | None:
    """The picture of a section of a page, and the grid in it; None if its cells are not equally spaced.

    `boxes` is what `MEASURE` says of the section, `scale` the number of pixels of a CSS pixel.
    """
    left, top, right, bottom = (value * scale for value in boxes["section"])
    x, y = int(np.ceil(left - 0.01)), int(np.ceil(top - 0.01))
    picture = page[y : int(bottom + 0.01), x : int(right + 0.01)]
    box = np.array(boxes["board"]) * scale
    rows, columns = board.rows, board.columns
    if boxes["cells"]:
        cells = np.array(boxes["cells"]).reshape(rows, columns, 4) * scale
        width = (cells[0, -1, 2] - cells[0, 0, 0]) / columns
        height = (cells[-1, 0, 3] - cells[0, 0, 1]) / rows
        box = np.array([cells[0, 0, 0], cells[0, 0, 1], 0, 0])
        uneven = np.abs(cells[..., 0] - (box[0] + width * np.arange(columns)))
        if (
            max(uneven.max(), np.abs(cells[..., 1] - (box[1] + height * np.arange(rows)[:, None])).max())
            > UNEVEN
        ):
            return None
    else:
        width, height = (box[2] - box[0]) / columns, (box[3] - box[1]) / rows
    grid = Grid(float(box[0] - x), float(box[1] - y), float(width), float(height), columns, rows)
    inside = grid.x >= -1 and grid.y >= -1
    inside &= (
        grid.x + columns * width <= picture.shape[1] + 1 and grid.y + rows * height <= picture.shape[0] + 1
    )
    return (picture.copy(), grid) if inside else None


def befall(rng: Rng, picture: Image, grid: Grid) -> tuple[Image, Grid, str]:
    """The picture as it is, resized, or loaded again from a JPEG; its grid, and what befell it."""
    kind = rng.random()
    if kind < 0.08:
        quality = int(rng.integers(50, 96))
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        loaded = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert loaded is not None
        return np.asarray(loaded, np.uint8), grid, f"jpeg {quality}"
    if kind < 0.16:
        low = max(0.6, 13 / min(grid.cell_width, grid.cell_height))
        factor = rng.uniform(min(low, 1), 1.5)
        height, width = picture.shape[:2]
        size = round(width * factor), round(height * factor)
        method = FILTERS[int(rng.integers(len(FILTERS)))]
        if method == cv2.INTER_NEAREST and factor < 1.2:
            method = cv2.INTER_AREA
        across, down = size[0] / width, size[1] / height
        resized = np.asarray(cv2.resize(picture, size, interpolation=method), np.uint8)
        return (
            resized,
            replace(
                grid,
                x=grid.x * across,
                y=grid.y * down,
                cell_width=grid.cell_width * across,
                cell_height=grid.cell_height * down,
            ),
            f"resized {factor:.2f}",
        )
    return picture, grid, "none"


def css_filter(rng: Rng) -> str:
    """A CSS filter of a section; mostly none."""
    if rng.random() > 0.1:
        return ""
    return str(
        rng.choice(
            [
                f"brightness({rng.uniform(0.6, 1.25):.2f})",
                f"sepia({rng.uniform(0.2, 0.8):.2f})",
                f"saturate({rng.uniform(0.2, 1.8):.2f})",
                f"contrast({rng.uniform(0.7, 1.3):.2f})",
                f"blur({rng.uniform(0.3, 0.6):.2f}px)",
                f"hue-rotate({rng.integers(0, 360)}deg)",
            ]
        )
    )


def readable(picture: Image, grid: Grid, board: Board) -> bool:
    """Whether each two kinds of cells on a board differ in enough pixels that a person could see it."""
    width, height = int(grid.cell_width), int(grid.cell_height)
    kinds: dict[int, list[Image]] = {}
    for code in np.unique(board.codes).tolist():
        places = np.argwhere(board.codes == code)
        chosen = [*places[:1], *places[1:2], *places[len(places) // 2 :][:2], *places[-1:]]
        for row, column in chosen:
            x = min(max(round(grid.x + column * grid.cell_width), 0), picture.shape[1] - width)
            y = min(max(round(grid.y + row * grid.cell_height), 0), picture.shape[0] - height)
            kinds.setdefault(code, []).append(picture[y : y + height, x : x + width])
    other_least = max(SEEN_PIXELS, SEEN_PART * width * height)
    plain_least = max(PLAIN_PIXELS, PLAIN_PART * width * height)
    codes = list(kinds)
    for index, one in enumerate(codes):
        for other in codes[index + 1 :]:
            plain = Cell.COVERED in (one, other) or Cell.EMPTY in (one, other)
            seen, least = (PLAIN_SEEN, plain_least) if plain else (SEEN, other_least)
            for first in kinds[one]:
                for second in kinds[other]:
                    difference = np.abs(first.astype(np.int16) - second).max(2)
                    if (difference >= seen).sum() < least:
                        return False
    return True
