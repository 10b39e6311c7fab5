from __future__ import annotations

import itertools

import numpy as np
import pytest

from bot.board import Cell
from bot.errors import UsageError
from bot.practice.draw import GREY, LIGHT, PRESSED_QUESTION, SHADE, Mood, digit, face, frame, glyph, status
from bot.practice.layout import Layout

CODES = [*range(15), PRESSED_QUESTION]
PITCHES = [16, 20, 24, 32, 48]


@pytest.mark.parametrize("pitch", PITCHES)
def test_no_two_glyphs_are_alike(pitch: int) -> None:
    glyphs = {code: glyph(code, pitch).astype(int) for code in CODES}
    for one, other in itertools.combinations(CODES, 2):
        assert np.abs(glyphs[one] - glyphs[other]).mean() > 5, (one, other)
    assert {picture.shape for picture in glyphs.values()} == {(pitch, pitch, 3)}
    assert glyph(1, pitch).dtype == np.uint8


@pytest.mark.parametrize("pitch", PITCHES)
def test_edges_are_sharp(pitch: int) -> None:
    """Covered cells are bevelled; opened ones have a dark line at the top and left, background is plain."""
    line = round(pitch / 16)
    opened = glyph(Cell.EMPTY, pitch)
    assert (opened[:line] == SHADE).all()
    assert (opened[:, :line] == SHADE).all()
    assert (opened[line:, line:] == GREY).all()
    covered = glyph(Cell.COVERED, pitch)
    assert tuple(covered[0, 0]) == tuple(covered[pitch // 2, 0]) == LIGHT
    assert tuple(covered[-1, -1]) == tuple(covered[pitch // 2, -1]) == SHADE
    assert set(map(tuple, covered.reshape(-1, 3).tolist())) == {GREY, LIGHT, SHADE}


def test_numbers_have_their_colours() -> None:
    for code, colour in ((1, (255, 0, 0)), (2, (0, 128, 0)), (3, (0, 0, 255)), (8, (128, 128, 128))):
        inside = glyph(code, 16)[2:, 2:].reshape(-1, 3).tolist()
        assert sum(tuple(pixel) == colour for pixel in inside) >= 8


def test_digits_and_faces_differ() -> None:
    digits = [digit(character, 13, 23).tobytes() for character in "0123456789- "]
    assert len(set(digits)) == 12
    faces = [face(mood, 26, pressed=pressed).tobytes() for mood in Mood for pressed in (False, True)]
    assert len(set(faces)) == 8


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(UsageError, match="code 15"):
        glyph(Cell.UNREAD, 16)
    with pytest.raises(UsageError, match="code -1"):
        glyph(-1, 16)
    with pytest.raises(UsageError, match="'A'"):
        digit("A", 13, 23)


@pytest.mark.parametrize("scale", [1.0, 1.37, 3.0])
def test_the_frame_has_the_size_of_the_layout(scale: float) -> None:
    layout = Layout(5, 3, scale)
    assert frame(layout).shape == (layout.height, layout.width, 3)


def test_the_line_of_hints_is_shrunk_to_fit() -> None:
    line = status("a line that is far too long for the place it has", 80, 11)
    assert line.shape == (11, 80, 3)
    assert (line[:, -1] == GREY).all()
    assert (line != GREY).any()
