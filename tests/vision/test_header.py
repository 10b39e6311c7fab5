"""What stands above the cells is read where a desktop scales everything by a fraction."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.files import shipped
from bot.recording.read import load
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.grid import Grid, Image
from bot.vision.header.face import FaceReader
from bot.vision.themes.theme import load_skin

SCALES = (0.8, 1.1, 1.25, 1.31, 1.37, 1.5, 1.75, 2.2)
WAYS = (cv2.INTER_LINEAR, cv2.INTER_AREA, cv2.INTER_CUBIC)
"""How desktops scale; the last one never to smaller pictures, where it would drop lines."""


def shown(recording: str, mood: str) -> tuple[Image, Grid]:
    """The last frame of a shipped recording, and where its cells lie."""
    game = load(shipped("recordings") / recording)
    picture, grid = game.frame(game.frames[-1]), game.header.frame_grid(game.frames[-1])
    assert FaceReader(load_skin("winmine"), grid).mood(picture) == mood
    return picture, grid


def scaled(picture: Image, grid: Grid, scale: float, way: int, before: int) -> tuple[Image, Grid]:
    """A picture at another scale; with more pixels before it its cells begin elsewhere inside a pixel."""
    wider = cv2.copyMakeBorder(picture, before, 0, before, 0, cv2.BORDER_CONSTANT, value=(90, 110, 120))
    large = np.asarray(cv2.resize(wider, None, fx=scale, fy=scale, interpolation=way), np.uint8)
    corner, cell = (grid.x + before, grid.y + before), (grid.cell_width, grid.cell_height)
    x, y, width, height = (length * scale for length in (*corner, *cell))
    return large, Grid(x, y, width, height, grid.columns, grid.rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recording", "mood"), [("winmine-expert-won", "won"), ("winmine-expert-lost", "lost")]
)
def test_a_face_is_made_out_at_every_scale_and_the_counter_is_never_misread(
    recording: str, mood: str
) -> None:
    skin = load_skin("winmine")
    picture, grid = shown(recording, mood)
    real = GlyphReader(skin, grid).read(picture, header=True).counter
    assert real is not None
    counters = []
    for scale in SCALES:
        for way in WAYS[: 2 if scale < 1 else 3]:
            for before in (0, 3, 7):
                large, cells = scaled(picture, grid, scale, way, before)
                assert FaceReader(skin, cells).mood(large) == mood, (scale, way, before)
                reading = GlyphReader(skin, cells).read(large, header=True)
                assert reading.counter in (real, None), (scale, way, before)
                if scale > 1.1:
                    counters.append(reading.counter)
    assert counters.count(None) <= len(counters) // 20
