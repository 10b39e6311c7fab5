"""Screenshots of real games, other people's: read where they lie, never part of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.vision.picture import load_picture
from bot.vision.see import see
from bot.vision.theme import load_themes

SCREENS = Path(__file__).parents[3] / "shared" / "screens"
PICTURES = sorted(path for path in SCREENS.rglob("*.png") if path.with_suffix(".txt").exists())


@pytest.mark.skipif(not PICTURES, reason="the labelled screenshots of ../shared/screens are not here")
@pytest.mark.parametrize("path", PICTURES or [SCREENS], ids=lambda path: path.stem)
def test_a_screenshot_is_read_exactly(path: Path) -> None:
    wanted = path.with_suffix(".txt").read_text().split()
    read = see(load_picture(path), load_themes()).board.lines
    assert len(read) == len(wanted)
    for got, want in zip(read, wanted, strict=True):
        assert [a for a, b in zip(got, want, strict=True) if b != "~"] == [b for b in want if b != "~"]
