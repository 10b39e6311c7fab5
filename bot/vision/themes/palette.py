"""Colours as `theme.toml` gives them, and the palette of a game that is read by colour, like Google's.

The cells of such a game have no lines around them: the background of covered and of opened cells is flat, in
two shades like a chess board, and the digits come in whatever font the machine has, each in its own colour.
"""

from __future__ import annotations

from math import dist
from typing import Annotated

import msgspec

Bgr = tuple[int, int, int]
"""A colour in the order of pictures: blue, green, red, each 0 to 255."""

Channel = Annotated[int, msgspec.Meta(ge=0, le=255)]


class Colour(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A colour; in `theme.toml` an array of its three parts, in this order."""

    red: Channel
    green: Channel
    blue: Channel

    @property
    def bgr(self) -> Bgr:
        """The same in the order of pictures: nothing else turns red, green, blue into blue, green, red."""
        return self.blue, self.green, self.red


class BackgroundColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The flat background colours of covered or of opened cells."""

    light: Colour
    """Of cells whose row and column are both even or both odd."""
    dark: Colour
    under_light: Colour
    """Of the light cell under the mouse pointer."""
    under_dark: Colour

    @property
    def shades(self) -> tuple[Colour, Colour, Colour, Colour]:
        """All four."""
        return self.light, self.dark, self.under_light, self.under_dark


class Palette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of a game's cells."""

    cell: int
    """The width of a cell, in pixels, at which the lengths of the theme are given."""
    covered: BackgroundColours
    opened: BackgroundColours
    digits: dict[str, Colour]
    """`1` to `8`."""
    flag: Colour
    edge: Colour
    """The line along opened cells where they meet covered ones."""
    tutorial: bool = False
    """Whether a picture lies over the middle of the board until the first click."""


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to recognise the end of a game that changes the whole board, and the button for the next game."""

    button: list[Colour]
    """The colours that the button for another game may have; it lies over the board."""
    within_s: float
    """The longest time after the end, in seconds, until the button appears."""
    won_hues: tuple[int, int]
    """From and to: the hues, in degrees, that most of the board takes on once it is won."""


MIN_COLOUR_DISTANCE = 40.0
"""The least Euclidean distance (parts of 0 to 255) between two colours that mean different things."""


def palette_fault(palette: Palette) -> str | None:
    """What is wrong with a palette, in words; None for a good one."""
    if set(palette.digits) != set("12345678"):
        return "colours.digits needs a colour for each of 1 to 8"
    named = list(palette.digits.items())
    for name, colours in (("covered", palette.covered), ("opened", palette.opened)):
        named += [(f"{name} ground", colour) for colour in colours.shades]
    for index, (name, colour) in enumerate(named):
        for other, rival in named[:index]:
            if other != name and dist(colour.bgr, rival.bgr) < MIN_COLOUR_DISTANCE:
                return f"the colours of {other} and {name} cannot be told apart"
    return None
