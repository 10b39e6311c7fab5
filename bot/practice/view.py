"""The state of the practice window at one moment, and the parts that differ from those of another moment.

Tk and the virtual screen both draw these parts, so they show the same pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bot.board import Codes
from bot.geometry import Rect
from bot.practice import draw
from bot.practice.draw import Mood
from bot.practice.layout import Layout
from bot.practice.sketch import Image


@dataclass(frozen=True)
class PartPicture:
    """The description of the picture of one part; equal descriptions have equal pixels."""

    kind: str
    """`glyph`, `digit`, `face` or `status`."""
    shows: int | str
    """The code of the glyph, the character of the digit, the mood of the face, or the text."""
    width: int
    height: int
    pressed: bool = False

    def image(self) -> Image:
        """Its pixels: shape (height, width, 3), blue, green, red, read-only. Drawn once and cached."""
        return _drawn(self)


@dataclass(frozen=True)
class Part:
    """A part of the window: its place, in pixels of the client area, and its picture."""

    place: Rect
    picture: PartPicture


@dataclass(frozen=True)
class WindowState:
    """Everything that can change in the window."""

    glyphs: Codes
    """The code of each cell's glyph, shape (rows, columns): those of `Cell`, and PRESSED_QUESTION."""
    counter: str
    timer: str
    mood: Mood
    face_pressed: bool
    status: str

    def changed(self, before: WindowState | None, layout: Layout) -> Iterator[Part]:
        """The parts that differ from an earlier view of the same layout; all parts if `before` is None."""
        if before is None:
            different = np.argwhere(np.ones_like(self.glyphs)).tolist()
        elif self.glyphs is before.glyphs:
            different = []
        else:
            different = np.argwhere(self.glyphs != before.glyphs).tolist()
        for row, column in different:
            code = int(self.glyphs[row, column])
            yield Part(layout.cell(row, column), PartPicture("glyph", code, layout.pitch, layout.pitch))
        for panel, text, old in (
            (layout.counter, self.counter, before.counter if before else ""),
            (layout.timer, self.timer, before.timer if before else ""),
        ):
            for index, character in enumerate(text):
                if old[index : index + 1] != character:
                    place = layout.digit(panel, index)
                    yield Part(place, PartPicture("digit", character, place.width, place.height))
        face = layout.face
        if before is None or (self.mood, self.face_pressed) != (before.mood, before.face_pressed):
            yield Part(face, PartPicture("face", self.mood.value, face.width, face.height, self.face_pressed))
        line = layout.status
        if before is None or self.status != before.status:
            yield Part(line, PartPicture("status", self.status, line.width, line.height))


@lru_cache(maxsize=512)
def _drawn(picture: PartPicture) -> Image:
    if picture.kind == "glyph":
        image = draw.glyph(int(picture.shows), picture.width)
    elif picture.kind == "digit":
        image = draw.digit(str(picture.shows), picture.width, picture.height)
    elif picture.kind == "face":
        image = draw.face(Mood(picture.shows), picture.width, pressed=picture.pressed)
    else:
        image = draw.status(str(picture.shows), picture.width, picture.height)
    image.setflags(write=False)
    return image


def led(number: int, digits: int) -> str:
    """A number as a panel of `digits` digits shows it: with leading zeros, limited to what fits."""
    number = max(-(10 ** (digits - 1) - 1), min(10**digits - 1, number))
    return f"{number:0{digits}d}"
