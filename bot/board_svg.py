"""A board as an SVG picture: what a notebook shows of a `Board` and of an analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

CELL = 24
"""Width and height of a cell, in pixels."""

MOST_CELLS = 10_000
"""Cells up to which a board is drawn, as many as 100x100: a notebook keeps about 100 bytes for each."""

Colour = tuple[int, int, int]
"""Red, green, blue, each 0 to 255."""

_LINE, _INK, _BEST = "#7b8794", "#20262e", "#1450c8"
_OPENED, _COVERED = "#eceff3", "#a9b4c2"
_FILLS = {"#": _COVERED, "F": _COVERED, "?": _COVERED, "x": _COVERED, "X": "#ef6a62", "!": "#d3bfe0"}
"""The colour of a cell by its letter of board text, where it is not that of an opened one."""

_DIGITS = {
    "1": "#1a4fd0",
    "2": "#1b7a2f",
    "3": "#c8281e",
    "4": "#1c1f78",
    "5": "#7a1a1a",
    "6": "#0f7a7a",
    "7": "#20262e",
    "8": "#5b6470",
}
_MARKS = {"#": "", ".": "", "F": "⚑", "*": "●", "X": "✹", "x": "✗"}
"""What stands in a cell, by its letter of board text, where it is not that letter."""

_RAMP: tuple[tuple[float, Colour], ...] = (
    (0.0, (62, 174, 96)),
    (0.2, (190, 214, 120)),
    (0.5, (250, 196, 92)),
    (1.0, (214, 60, 60)),
)
"""Chances of a mine and their colours, from green over yellow to red; between two the colours are mixed."""


def board_svg(
    rows: Sequence[str],
    chances: Mapping[tuple[int, int], float] | None = None,
    best: tuple[int, int] | None = None,
) -> str | None:
    """Draw a board, whose board text is `rows`, a string a row; None for more than MOST_CELLS cells.

    Cells with a chance of a mine (0 to 1, by row and column) are coloured by it and show it in percent: `ok`
    for exactly 0, a mine for exactly 1. The best cell gets a blue frame.
    """
    if len(rows) * len(rows[0]) > MOST_CELLS:
        return None
    width, height = len(rows[0]) * CELL, len(rows) * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2}" height="{height + 2}"'
        f' viewBox="-1 -1 {width + 2} {height + 2}" role="img" font-family="sans-serif" font-size="14"'
        f' font-weight="bold" text-anchor="middle" stroke="none">',
        f"<title>a Minesweeper board of {len(rows[0])}x{len(rows)} cells</title>",
    ]
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            chance = None if chances is None else chances.get((row, column))
            parts.append(_cell(column * CELL, row * CELL, letter, chance))
    if best is not None:
        parts.append(
            f'<rect x="{best[1] * CELL + 1}" y="{best[0] * CELL + 1}" width="{CELL - 2}"'
            f' height="{CELL - 2}" fill="none" stroke="{_BEST}" stroke-width="3"/>'
        )
    return "".join([*parts, "</svg>"])


def _cell(x: int, y: int, letter: str, chance: float | None) -> str:
    text, ink, small = letter, _DIGITS.get(letter, _INK), False
    fill = _FILLS.get(letter, _OPENED)
    if chance is not None:
        text, ink, small = percent(chance), _INK, chance != 1.0
        red, green, blue = chance_colour(chance)
        fill = f"#{red:02x}{green:02x}{blue:02x}"
    drawn = f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}" stroke="{_LINE}"/>'
    text = _MARKS.get(text, text)
    if not text:
        return drawn
    size = ' font-size="10" font-weight="normal"' if small else ""
    middle = y + CELL // 2 + (4 if small else 5)
    return f'{drawn}<text x="{x + CELL // 2}" y="{middle}" fill="{ink}"{size}>{escape(text)}</text>'


def percent(chance: float) -> str:
    """A chance in whole percent that never looks certain where it is not: `ok` for 0, `*` for 1."""
    if chance in (0.0, 1.0):
        return "*" if chance else "ok"
    return "<1" if chance < 0.01 else ">99" if chance > 0.99 else f"{100 * chance:.0f}"


def chance_colour(chance: float) -> Colour:
    """The colour of a chance of a mine, 0 to 1: from green over yellow to red."""
    for (low, cool), (high, warm) in pairwise(_RAMP):
        if chance <= high:
            part = (chance - low) / (high - low)
            red, green, blue = (round(c + (w - c) * part) for c, w in zip(cool, warm, strict=True))
            return red, green, blue
    return _RAMP[-1][1]
