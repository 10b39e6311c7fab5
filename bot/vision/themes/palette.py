"""What a theme says of a game whose cells are told by their colours alone, as the Google game's are.

Such cells have no lines around them: covered and opened ground are flat, in two shades like a chess board,
and the digits come in whatever font the machine has, each in its own colour.
"""

from __future__ import annotations

from math import dist
from typing import Annotated

import msgspec

Colour = tuple[
    Annotated[int, msgspec.Meta(ge=0, le=255)],
    Annotated[int, msgspec.Meta(ge=0, le=255)],
    Annotated[int, msgspec.Meta(ge=0, le=255)],
]
"""Red, green, blue."""


class GroundColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The flat colours of a kind of cell."""

    light: Colour
    """Where row and column are both even or both odd."""
    dark: Colour
    under_light: Colour
    """The same cells under the mouse."""
    under_dark: Colour


class Palette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of a game's cells. Lengths are pixels at cells of `cell` pixels."""

    cell: int
    """The width of a cell to which the lengths of the theme belong."""
    covered: GroundColours
    opened: GroundColours
    digits: dict[str, Colour]
    """`1` to `8`."""
    flag: Colour
    edge: Colour
    """The line along opened cells where they meet covered ones."""
    tutorial: bool = False
    """Whether a picture lies over the middle of the board until the first click."""


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the end of a game shows that changes the whole board, and how the next game is started."""

    button: list[Colour]
    """The colours that the button for another game may have; it lies over the board."""
    within_s: float
    """So long after the end the button may take to appear."""
    won_hues: tuple[int, int]
    """From and to: the hues, in degrees, that most of the board takes on once it is won."""


APART = 40.0
"""The least distance, in red, green and blue, of two colours that must be told apart."""


def palette_fault(palette: Palette) -> str | None:
    """What is wrong with a palette, in words; None for a good one."""
    if set(palette.digits) != set("12345678"):
        return "colours.digits needs a colour for each of 1 to 8"
    named = list(palette.digits.items())
    for name, ground in (("covered", palette.covered), ("opened", palette.opened)):
        shades = ground.light, ground.dark, ground.under_light, ground.under_dark
        named += [(f"{name} ground", colour) for colour in shades]
    for index, (name, colour) in enumerate(named):
        for other, rival in named[:index]:
            if other != name and dist(colour, rival) < APART:
                return f"the colours of {other} and {name} cannot be told apart"
    return None
