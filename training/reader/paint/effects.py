"""Scaling of whole pictures, JPEG, blur, noise, palettes and tints, as far as training has them."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image as Pillow

from training.reader.paint.boards import Picture
from training.reader.paint.colours import Rng

FILTERS = {
    "area": cv2.INTER_AREA,
    "linear": cv2.INTER_LINEAR,
    "cubic": cv2.INTER_CUBIC,
    "lanczos": cv2.INTER_LANCZOS4,
}
TRAINING_QUALITIES = (50, 96)
"""JPEG qualities of training pictures: from the first to below the second."""


def scaled(picture: Picture, across: float, down: float, way: str) -> tuple[Picture, float, float]:
    """A picture resized by two factors, rounded to whole pixels, and the exact factors of that."""
    if way == "area" and max(across, down) > 1:
        way = "linear"  # OpenCV moves edges by up to a pixel where it enlarges by area
    height, width = picture.shape[:2]
    size = max(round(width * across), 1), max(round(height * down), 1)
    resized = cv2.resize(picture, size, interpolation=FILTERS[way])
    return resized.astype(np.uint8), size[0] / width, size[1] / height


def enlarged(picture: Picture, times: int) -> Picture:
    """Every pixel as a square of `times` pixels."""
    return picture.repeat(times, 0).repeat(times, 1)


def spoiled(rng: Rng, picture: Picture) -> tuple[Picture, list[str]]:
    """A picture after at most some effects, and their names."""
    names = []
    if rng.random() < 0.07:
        names.append("tint")
        warmth = rng.uniform(0.05, 0.45)
        picture = _weighted(picture, np.array([1, 1 - warmth * 0.4, 1 - warmth]))
    if rng.random() < 0.06:
        names.append("dimmed")
        picture = _weighted(picture, np.full(3, rng.uniform(0.55, 0.9)))
    if rng.random() < 0.06:
        names.append("pale")
        part = rng.uniform(0.1, 0.35)
        picture = (picture * (1 - part) + 255 * part * rng.integers(0, 2)).astype(np.uint8)
    if rng.random() < 0.07:
        names.append("blur")
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 0.9)).astype(np.uint8)
    if rng.random() < 0.06:
        names.append("noise")
        noise = rng.normal(0, rng.uniform(1, 6), picture.shape)
        picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.05:
        names.append("palette")
        dither = Pillow.Dither.FLOYDSTEINBERG if rng.random() < 0.5 else Pillow.Dither.NONE
        few = Pillow.fromarray(picture).quantize(int(rng.choice([32, 64, 128, 256])), dither=dither)
        picture = np.asarray(few.convert("RGB"), np.uint8)
    if rng.random() < 0.16:
        names.append("jpeg")
        picture = compressed(picture, int(rng.integers(*TRAINING_QUALITIES)))
    return picture, names


def compressed(picture: Picture, quality: int) -> Picture:
    """A picture as JPEG brings it back."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _weighted(picture: Picture, by: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Picture:
    return (picture * by).astype(np.uint8)
