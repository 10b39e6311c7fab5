"""Pictures of other painters after scaling and compression that training does not have."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageFilter

from bot.board import Board
from bot.vision.grid import Grid
from training.reader.paint.boards import Picture
from training.reader.paint.colours import Rng
from training.reader.paint.readable import is_readable
from training.reader.painted import paint_once
from training.reader.samples import LabelledBoard, LabelledPicture, read_sample

FILTERS = {
    "nearest": Pillow.Resampling.NEAREST,
    "box": Pillow.Resampling.BOX,
    "hamming": Pillow.Resampling.HAMMING,
    "bicubic": Pillow.Resampling.BICUBIC,
    "lanczos": Pillow.Resampling.LANCZOS,
}
"""Those of Pillow, which weigh all pixels that a smaller picture's pixel covers; OpenCV's do not."""
LEAST_CELL, MOST_CELL = 13, 64
"""Range of the sides of cells in a finished picture, in pixels."""
HARD_QUALITIES = (22, 46)
"""JPEG qualities from the first to below the second: training has none below 50."""
MOST_WIDTH = 2000
"""Greatest width and height of a picture in pixels."""


class Rescaler:
    """Draws pictures from painted boards, and from the pictures of some folders if there are any."""

    def __init__(self, folders: list[Path]) -> None:
        self._paths = sorted(path for folder in folders for path in folder.glob("*.json"))

    def draw(self, rng: Rng, name: str, board: Board) -> LabelledPicture | None:
        """A picture of a board, or of one from the folders; None if its cells cannot be told apart."""
        if self._paths and rng.random() < 0.6:
            source = read_sample(self._paths[rng.integers(len(self._paths))])
        else:
            painted = paint_once(rng, name, board)
            if painted is None:
                return None
            source = painted
        if len(source.boards) != 1:
            return None
        return _changed(rng, name, source)


def _changed(rng: Rng, name: str, source: LabelledPicture) -> LabelledPicture | None:
    (labels,) = source.boards
    grid, picture = labels.grid, np.ascontiguousarray(source.image[:, :, ::-1])
    way = str(rng.choice([*FILTERS, "twice"]))
    across = float(rng.uniform(0.55, 1.9))
    if way == "nearest":
        across = float(rng.uniform(1.15, 2.4))
    down = across * float(rng.uniform(0.93, 1.07)) if rng.random() < 0.25 else across
    sides = grid.cell_width * across, grid.cell_height * down
    size = picture.shape[1] * across, picture.shape[0] * down
    if min(sides) < LEAST_CELL or max(sides) > MOST_CELL or max(size) > MOST_WIDTH:
        return None
    if way == "twice":
        between = float(rng.uniform(1.2, 1.7))
        larger, _, _ = _resized(picture, between, between, "bicubic")
        result, x, y = _resized(larger, across / between, down / between, "hamming")
        x, y = result.shape[1] / picture.shape[1], result.shape[0] / picture.shape[0]
    else:
        result, x, y = _resized(picture, across, down, way)
    effect = str(
        rng.choice(["none", "jpeg", "jpeg twice", "webp", "sharpened"], p=[0.3, 0.25, 0.15, 0.15, 0.15])
    )
    result = _compressed(rng, result, effect)
    place = grid.x * x, grid.y * y, grid.cell_width * x, grid.cell_height * y
    changed = Grid(*place, grid.columns, grid.rows)
    if not is_readable(result, changed, labels.board):
        return None
    look = {**labels.look, "scaled": f"{way} {x:.3f} {y:.3f}", "effects": effect, "from": source.name}
    image = np.ascontiguousarray(result[:, :, ::-1])
    return LabelledPicture(name, image, (LabelledBoard(changed, labels.board, look),), "scaled")


def _resized(picture: Picture, across: float, down: float, way: str) -> tuple[Picture, float, float]:
    """A picture resized by two factors, and the exact factors of that."""
    height, width = picture.shape[:2]
    size = max(round(width * across), 1), max(round(height * down), 1)
    resized = np.asarray(Pillow.fromarray(picture).resize(size, FILTERS[way]), np.uint8)
    return resized, size[0] / width, size[1] / height


def _compressed(rng: Rng, picture: Picture, effect: str) -> Picture:
    """A picture after one of the effects."""
    if effect == "webp":
        stream = io.BytesIO()
        Pillow.fromarray(picture).save(stream, "WEBP", quality=int(rng.integers(25, 65)))
        return np.asarray(Pillow.open(stream).convert("RGB"), np.uint8)
    if effect == "sharpened":
        mask = ImageFilter.UnsharpMask(
            radius=float(rng.uniform(0.8, 2)), percent=int(rng.integers(60, 180)), threshold=0
        )
        return np.asarray(Pillow.fromarray(picture).filter(mask), np.uint8)
    for _ in range({"jpeg": 1, "jpeg twice": 2}.get(effect, 0)):
        quality = int(rng.integers(*HARD_QUALITIES))
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return picture
