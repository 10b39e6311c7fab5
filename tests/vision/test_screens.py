"""Screenshots of real games with their boards: our own, and other people's, which are read where they lie and
are no part of the project."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.vision.picture_file import load_picture
from bot.vision.picture_reader import read_picture
from bot.vision.themes.theme import load_skins

pytestmark = pytest.mark.slow

SCREENS = Path(__file__).parents[3] / "shared" / "screens"
OURS = [Path(__file__).parent / folder for folder in ("screens", "pictures")]
PICTURES = sorted(
    path for folder in (*OURS, SCREENS) for path in folder.rglob("*.png") if path.with_suffix(".txt").exists()
)


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_screenshot_is_read_exactly(path: Path) -> None:
    wanted = path.with_suffix(".txt").read_text().split()
    read = read_picture(load_picture(path), load_skins()).board.lines
    assert len(read) == len(wanted)
    for got, want in zip(read, wanted, strict=True):
        assert [a for a, b in zip(got, want, strict=True) if b != "~"] == [b for b in want if b != "~"]


@pytest.mark.skipif(not SCREENS.exists(), reason="the labelled screenshots of ../shared/screens are not here")
@pytest.mark.parametrize("pixels", [18.0, 22.0, 36.0, 64.0])
def test_windows_7_is_read_exactly_at_other_sizes(pixels: float) -> None:
    """A skin that is drawn and the reading without one, together: neither alone reads every size."""
    path = SCREENS / "windows7" / "obgnail_gif060.png"
    image, factor = load_picture(path), pixels / 44.4
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    scaled = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=way), np.uint8)
    assert (
        list(read_picture(scaled, load_skins()).board.lines) == path.with_suffix(".txt").read_text().split()
    )
