"""Draws the chart of strength from its table in docs/measuring.md: python docs/draw_strength.py

One line a set of boards: what `best` won, what the other solver won on the same boards, and their difference
with its paired 95 % interval, in percentage points.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

DOCS = Path(__file__).parent
PAGE = DOCS / "measuring.md"
CHART = DOCS / "pictures" / "strength.svg"

ROW = re.compile(
    r"^\| (?P<boards>[^|]+) \| (?P<first>[^|]+) \| (?P<games>[\d,]+) \| (?P<best>[\d.]+) %[^|]*"
    r"\| (?P<other>[\d.]+) % \| (?P<by>[+−][\d.]+) ± (?P<off>[\d.]+) \|$",
    re.MULTILINE,
)
"""A line of the table."""

WIDTH, TOP, LINE, LEFT, RIGHT = 780, 56, 28, 495, 765
"""Pixels: of the picture, above the first line, of a line; and the ends of the scale."""

ENDS = 1.5
"""The scale goes from minus to plus this many percentage points."""

INK, QUIET, ACCENT, GRID = "#20262e", "#5b6470", "#1450c8", "#d5dae0"


@dataclass(frozen=True)
class Strength:
    """What was won on one set of boards."""

    label: str
    best: str
    other: str
    by: float
    """How much more `best` won, in percentage points, ..."""
    off: float
    """and how far that may be off (95 %)."""


def strengths(page: str) -> list[Strength]:
    """The lines of the table on a page. Raises ValueError where there is none."""
    found = [
        Strength(
            f"{row['boards']}, {row['first']} ({row['games']})",
            row["best"],
            row["other"],
            float(row["by"].replace("−", "-")),
            float(row["off"]),
        )
        for row in ROW.finditer(page)
    ]
    if not found:
        raise ValueError("the page has no table of strength")
    return found


def chart(lines: list[Strength]) -> str:
    """The chart as SVG."""
    bottom = TOP + LINE * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom + 44}"'
        f' viewBox="0 0 {WIDTH} {bottom + 44}" font-family="sans-serif" font-size="13" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{bottom + 44}" fill="#ffffff"/>',
        _text(14, 24, "boards, first click (games)", QUIET),
        _text(385, 24, "best", ACCENT, "end", bold=True),
        _text(470, 24, "that solver", QUIET, "end"),
        _text((LEFT + RIGHT) / 2, 24, "difference, with its 95 % interval", QUIET, "middle"),
    ]
    for tick in (-1.0, 0.0, 1.0):
        at = _place(tick)
        colour, dash = (QUIET, "") if tick == 0 else (GRID, ' stroke-dasharray="3 3"')
        parts.append(f'<path d="M{at:g} {TOP - 24}V{bottom}" stroke="{colour}"{dash}/>')
        parts.append(_text(at, bottom + 18, f"{tick:+g}" if tick else "0", QUIET, "middle"))
    parts.append(_text((LEFT + RIGHT) / 2, bottom + 36, "percentage points", QUIET, "middle"))
    for number, line in enumerate(lines):
        y = TOP + LINE * number
        low, high = _place(line.by - line.off), _place(line.by + line.off)
        parts += [
            _text(14, y + 4, line.label, INK),
            _text(385, y + 4, f"{line.best} %", ACCENT, "end", bold=True),
            _text(470, y + 4, f"{line.other} %", INK, "end"),
            f'<path d="M{low:g} {y}H{high:g}M{low:g} {y - 5}v10M{high:g} {y - 5}v10" stroke="{INK}"/>',
            f'<circle cx="{_place(line.by):g}" cy="{y}" r="5" fill="{ACCENT}"/>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _place(points: float) -> float:
    share = (max(-ENDS, min(points, ENDS)) + ENDS) / (2 * ENDS)
    return round(LEFT + share * (RIGHT - LEFT), 1)


def _text(x: float, y: float, text: str, colour: str, anchor: str = "start", *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'


if __name__ == "__main__":
    CHART.write_text(chart(strengths(PAGE.read_text(encoding="utf-8"))), encoding="utf-8", newline="\n")
