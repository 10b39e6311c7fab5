"""Boards of hexagons, which are told, and not played."""

from __future__ import annotations

import tracemalloc

import cv2
import numpy as np
import pytest

from bot.errors import FormatError
from bot.vision.grid import Image
from bot.vision.grids.hexagons import has_hexagons
from bot.vision.picture_reader import read_boards

GROUND, COVERED, OPENED = (234, 240, 243), (201, 169, 143), (246, 242, 238)


def board(shift: float, pitch: float, apart: float, *, upright: bool = True, opened: int = 10) -> Image:
    """10x9 cells, every other row shifted by a part of a pitch, 0 to 1; rows lie so many pitches apart."""
    picture = np.full((600, 600, 3), GROUND, np.uint8)
    generator = np.random.default_rng(3)
    order = generator.permutation(90)
    for cell in range(90):
        row, column = divmod(cell, 10)
        x, y = 50 + (column + shift * (row % 2)) * pitch, 50 + row * apart * pitch
        angles = np.radians(np.arange(6) * 60 + 30)
        radius = pitch / np.sqrt(3) - 1.5
        corners = np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], axis=1)
        if not shift:
            half = pitch / 2 - 1
            corners = np.array(
                [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
            )
        points = np.rint(corners if upright else corners[:, ::-1]).astype(np.int32)
        cv2.fillPoly(picture, [points], OPENED if order[cell] < opened else COVERED, cv2.LINE_AA)
        if order[cell] < opened:
            middle = (round(x) - 5, round(y) + 6) if upright else (round(y) - 5, round(x) + 6)
            cv2.putText(picture, "2", middle, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 120, 30), 2)
    return picture


@pytest.mark.parametrize("upright", [True, False], ids=["rows", "columns"])
@pytest.mark.parametrize("pitch", [24.0, 42.0, 50.5])
@pytest.mark.parametrize("opened", [0, 10, 40])
def test_hexagons_are_told(pitch: float, upright: bool, opened: int) -> None:
    assert has_hexagons(board(0.5, pitch, 0.87, upright=upright, opened=opened))


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False], ids=["theme", "any"])
def test_reading_hexagons_says_what_they_are(known: bool) -> None:
    with pytest.raises(FormatError, match="hexagons: that is no Minesweeper of squares, and is not read"):
        read_boards(board(0.5, 42.0, 0.87), (), only_known=known)


@pytest.mark.parametrize("pitch", [24.0, 42.0])
@pytest.mark.parametrize("opened", [0, 10, 40])
def test_squares_are_none(pitch: float, opened: int) -> None:
    assert not has_hexagons(board(0.0, pitch, 1.0, opened=opened))


def test_a_picture_of_nothing_has_none() -> None:
    assert not has_hexagons(np.full((200, 200, 3), 90, np.uint8))
    noise = np.random.default_rng(1).integers(0, 255, (300, 300, 3)).astype(np.uint8)
    assert not has_hexagons(noise)


@pytest.mark.slow
def test_a_screen_full_of_small_figures_takes_little_memory() -> None:
    picture = np.full((1080, 1920, 3), GROUND, np.uint8)
    picture[::8] = picture[:, ::8] = COVERED
    tracemalloc.start()
    try:
        assert not has_hexagons(picture)
        assert tracemalloc.get_traced_memory()[1] < 400e6  # bytes; it was 16 GB
    finally:
        tracemalloc.stop()
