"""How each kind of cell of a board looks: random, each choice independent of the others."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.board import Cell
from training.reader.html.looks import icons, marks
from training.reader.html.looks.colours import (
    BLACK,
    WHITE,
    Colour,
    Rng,
    any_colour,
    apart,
    contrast,
    css,
    hsl,
    least_contrast,
    shade,
)
from training.reader.html.looks.fonts import NO_HEIGHT, Font, random_font
from training.reader.html.looks.marks import Mark
from training.reader.html.looks.schemes import Scheme, random_inks, random_scheme
from training.reader.html.looks.surfaces import Surface, random_surfaces, written_surfaces

TECHNIQUES = {
    "grid": 0.3,
    "table": 0.14,
    "flex": 0.1,
    "absolute": 0.1,
    "svg": 0.14,
    "canvas": 0.12,
    "sprites": 0.1,
}
"""How pages draw boards, and how often; `sprites` is a small canvas that the page enlarges."""

CELL_SIZES = (14, 60)
"""The smallest and the largest side of a cell, in CSS pixels."""

WRONG_FLAGS = {"crossed flag": 0.35, "crossed mine": 0.33, "flag on ground": 0.14, "x": 0.18}
"""How often each way to show a wrong flag is drawn."""

WRITTEN = 0.035
"""How often covered cells are signs instead of tiles."""

CIRCLED = "①②③④⑤⑥⑦⑧"


@dataclass(frozen=True)
class CellLook:
    """One kind of cell: its face and what stands on it."""

    surface: Surface
    mark: Mark | None = None
    fill: Colour | None = None
    """Instead of the fill of the surface."""


@dataclass(frozen=True)
class Look:
    """How a board is drawn."""

    technique: str
    cell_width: float
    """In CSS pixels, from one cell to the next."""
    cell_height: float
    scheme: Scheme
    cells: dict[int, CellLook]
    """By the code of the cell."""
    font: Font
    shift: tuple[float, float]
    """How far digits lie right of and below the middle, in parts of a cell."""
    sweep: tuple[str, float]
    """How covered cells change in brightness over the board: the direction (`each`: at random), how much."""
    rim: tuple[Colour, float] | None
    """The colour and width, in CSS pixels, of a line where covered cells end; None if there is none."""
    coloured_mines: bool
    """Whether the mines at the end lie each on a colour of its own."""
    hover: float
    """How much lighter the one cell under the pointer is; 0 if there is none."""
    description: dict[str, str]
    """As a label says it."""


def _size(rng: Rng, scale: float, columns: int) -> tuple[float, float]:
    """Width and height of a cell in CSS pixels; a cell is at least 13 pixels of the picture wide."""
    low, high = CELL_SIZES
    size = rng.uniform(18, 45) if rng.random() < 0.8 else rng.uniform(low, high)
    size = max(min(size, 900 / columns), 13 / scale, low)
    if rng.random() < 0.75:
        size = round(size)
    elif rng.random() < 0.5:
        size = round(size * 4) / 4
    if rng.random() < 0.08:
        other = size * rng.uniform(1.05, 1.7)
        return (size, other) if rng.random() < 0.4 else (other, size)
    return float(size), float(size)


def _digit_css(rng: Rng, ink: Colour, weight: int, italic: bool) -> str:
    style = f"font-weight:{weight};" + ("font-style:italic;" if italic else "")
    effect = rng.random()
    behind = WHITE if sum(ink) < 384 else BLACK
    if effect < 0.05:
        style += f"text-shadow:1px 1px 0 {css(behind, rng.uniform(0.3, 0.9))};"
    elif effect < 0.08:
        style += f"text-shadow:0 1px 3px {css(BLACK, 0.4)};"
    elif effect < 0.11:
        style += f"-webkit-text-stroke:{rng.uniform(0.4, 1):.1f}px {css(shade(ink, -0.4))};"
    elif effect < 0.14:
        style += f"text-shadow:0 0 4px {css(ink, 0.8)};"
    return style


def _digit_style(rng: Rng, font: Font, ink: Colour, faint: bool) -> tuple[int, str]:
    """The weight of the digits, and all their CSS but size and colour."""
    least = 400 if faint or rng.random() < 0.85 else 100
    weight = int(rng.choice([one for one in font.weights if one >= least] or font.weights))
    if rng.random() < 0.4:
        weight = 700 if not font.files or 700 in font.weights else max(font.weights)
    style = _digit_css(rng, ink, weight, rng.random() < 0.06)
    # Fonts differ in the height of their digits: most pages choose a size that looks right.
    adjusted = font.name not in NO_HEIGHT and rng.random() < 0.85
    return weight, style + ("font-size-adjust:cap-height 0.7;" if adjusted else "")


def _digits(
    rng: Rng, opened: Surface, scheme: Scheme, font: Font, kind: str, emoji: str, pixels: float
) -> tuple[str, list[CellLook]]:
    """The name of the colours, and the cells with 1 to 8; `pixels` is the side of a cell in the picture."""
    grounds = list(opened.fills)
    name, inks = random_inks(rng, grounds, scheme)
    faint = "faint" in name
    weight, style = _digit_style(rng, font, inks[0], faint)
    size = rng.uniform(0.5, 0.8) if rng.random() < 0.75 else rng.uniform(0.38, 1.0)
    size = max(size, 0.6 if faint or weight < 300 else 0, 10.5 / pixels)
    tints: list[Colour | None] = [None] * 8
    if rng.random() < 0.05 and not scheme.accents:
        name = "tinted ground"
        hue, step, strength = rng.random(), rng.uniform(-0.1, 0.1), rng.uniform(0.4, 0.9)
        fills = [apart(hsl(hue + step * digit, strength, 0.5), grounds, 30) for digit in range(8)]
        inks = tuple(apart(WHITE if sum(fill) < 480 else BLACK, [fill], 90) for fill in fills)
        tints = [*fills]
    caps = icons.keycaps(emoji) if emoji and kind == "keycap" else []
    looks = []
    for digit, (ink, fill) in enumerate(zip(inks, tints, strict=True), 1):
        if kind == "keycap":
            mark = Mark("keycap", f"{digit}\ufe0f\u20e3", None, ink, min(size * 1.05, 0.8), marks.EMOJI_FONT)
            if caps:
                mark = Mark("keycap", drawing=caps[digit - 1], size=max(size, 0.65))
        elif kind == "circled":
            mark = Mark("circled", CIRCLED[digit - 1], None, ink, max(size, 16 / pixels, 0.7))
        else:
            mark = Mark("digit", str(digit), None, ink, size, f"'{font.family}',sans-serif", style)
        looks.append(CellLook(opened, mark, fill))
    return name, looks


def _grounds(surface: Surface) -> list[Colour]:
    return [colour for parity in range(2) for colour in surface.colours(parity)]


def _alert(rng: Rng, avoid: list[Colour]) -> Colour:
    """A colour of the cell of an exploded mine or of a wrong flag, other than all of `avoid`."""
    tried = []
    for _ in range(30):
        hue = float(rng.choice([0.0, 0.0, 0.0, 0.03, 0.08, 0.14, 0.92])) + rng.normal(0, 0.01)
        tried.append(hsl(hue, rng.uniform(0.6, 1), rng.uniform(0.35, 0.75)))
        if least_contrast(tried[-1], avoid) > 50:
            return tried[-1]
    return max((*tried, any_colour(rng)), key=lambda one: least_contrast(one, avoid))


def _end(
    rng: Rng, covered: Surface, opened: Surface, flag: CellLook, family: str, emoji: str
) -> dict[int, CellLook]:
    """The cells that only the end of a game shows."""
    surface = opened if rng.random() < 0.72 else covered
    grounds, fill = _grounds(surface), None
    if rng.random() < 0.12:
        fill = shade(surface.fills[0], rng.choice([-0.3, -0.2, 0.3]))
        grounds = [fill]
    mine = marks.random_mine(rng, grounds, family, emoji)
    used = [*_grounds(covered), *_grounds(opened), *grounds]
    loud = _alert(rng, used)
    explosion = marks.random_explosion(rng, [loud], family, emoji)
    if rng.random() < 0.66:
        # The same mine on another ground, if it can be seen there.
        faint = contrast(loud, mine.colour) < 60
        one_colour = mine.drawing is None or mine.drawing.one_colour
        same = replace(mine, colour=BLACK) if faint else mine
        exploded = CellLook(surface, explosion if faint and not one_colour else same, loud)
    elif rng.random() < 0.4:
        exploded = CellLook(surface, explosion, loud)
    else:
        exploded = CellLook(surface, marks.random_explosion(rng, grounds, family, emoji), fill)
    wrong = _wrong_flag(rng, CellLook(surface, mine, fill), opened, flag, [*used, loud], family, emoji)
    return {Cell.MINE: CellLook(surface, mine, fill), Cell.EXPLODED: exploded, Cell.WRONG_FLAG: wrong}


def _wrong_flag(
    rng: Rng,
    mine: CellLook,
    opened: Surface,
    flag: CellLook,
    used: list[Colour],
    family: str,
    emoji: str,
) -> CellLook:
    """A flag where no mine is: crossed out, or a mine is; on a ground none of `used`; or an X."""
    assert mine.mark is not None
    assert flag.mark is not None
    kind = str(rng.choice(list(WRONG_FLAGS), p=list(WRONG_FLAGS.values())))
    grounds = [mine.fill] if mine.fill else _grounds(mine.surface)
    if kind == "crossed flag":
        base = flag if rng.random() < 0.7 else CellLook(opened, flag.mark, flag.fill)
        return replace(base, mark=marks.crossed(flag.mark, marks.cross_body(rng, _grounds(base.surface))))
    if kind == "crossed mine":
        cross = marks.cross_body(rng, [*grounds, mine.mark.colour])
        return replace(mine, mark=marks.crossed(mine.mark, cross))
    if kind == "flag on ground":
        fill = _alert(rng, [*used, flag.mark.colour, *([flag.fill] if flag.fill else [])])
        return CellLook(flag.surface, flag.mark, fill)
    return CellLook(mine.surface, marks.random_x(rng, _grounds(mine.surface), family, emoji))


def _name(kind: CellLook) -> str:
    return (kind.mark.name if kind.mark else "") + (" on ground" if kind.fill else "")


def random_look(rng: Rng, family: str, scale: float, columns: int) -> Look:
    """A look for pictures of a family (empty: for training).

    `scale` is the number of pixels of a CSS pixel, `columns` how many cells of the board stand side by side.
    """
    technique = str(rng.choice(list(TECHNIQUES), p=list(TECHNIQUES.values())))
    if family == "cells" and technique in ("svg", "canvas", "sprites"):
        technique = str(rng.choice(["grid", "table", "flex", "absolute"]))
    width, height = _size(rng, scale, columns)
    side = min(width, height)
    written = family != "cells" and rng.random() < WRITTEN
    while True:
        scheme = random_scheme(rng, family)
        if written:
            shape, covered, opened = written_surfaces(rng, scheme.opened, scheme.ground)
            break
        shape, covered, opened = random_surfaces(
            rng, scheme.covered, scheme.opened, scheme.ground, side, family
        )
        bevel = "bevel" in shape
        if scheme.separate >= (14 if bevel else 26) or (bevel and scheme.separate == 0):
            break
    font = random_font(rng, family)
    emoji = marks.random_emoji_set(rng, family)
    digits = str(rng.choice(["plain", "keycap", "circled"], p=[0.965, 0.02, 0.015]))
    if family == "emoji":
        digits = "keycap" if rng.random() < 0.25 and icons.keycaps(emoji) else "plain"
    elif family:
        digits = "plain"
    ink, cells = _digits(rng, opened, scheme, font, digits, emoji, side * scale)
    flag = CellLook(covered, marks.random_flag(rng, _grounds(covered), family, emoji))
    if rng.random() < 0.14:
        other = hsl(rng.random(), rng.uniform(0.2, 1), rng.uniform(0.3, 0.85))
        fill = apart(other, [*_grounds(covered), *_grounds(opened)], 30)
        flag = CellLook(covered, marks.random_flag(rng, [fill], family, emoji), fill)
    question_fonts = f"'{font.family}',sans-serif" if rng.random() < 0.7 else "sans-serif"
    by_code = {0: CellLook(opened), **dict(enumerate(cells, 1))}
    by_code[Cell.COVERED] = CellLook(covered, marks.random_cover(rng, _grounds(covered)) if written else None)
    by_code[Cell.FLAG] = flag
    by_code[Cell.QUESTION] = CellLook(
        covered, marks.random_question(rng, _grounds(covered), question_fonts, family, emoji)
    )
    by_code |= _end(rng, covered, opened, flag, family, emoji)
    sweep = ("", 0.0)
    if rng.random() < 0.12 and scheme.separate > 45 and not written:
        sweep = (str(rng.choice(["x", "y", "both", "each"])), rng.uniform(0.03, 0.18))
    rim = None
    if rng.random() < 0.07 and not written:
        rim = (shade(covered.fills[0], -rng.uniform(0.25, 0.7)), float(rng.choice([1, 2, 2, 3])))
    hover = rng.uniform(0.08, 0.25) if rng.random() < 0.06 and not written else 0.0
    mine, exploded = by_code[Cell.MINE], by_code[Cell.EXPLODED]
    coloured_mines = rng.random() < 0.25
    if mine.mark and exploded.mark:
        dark = sum(mine.mark.colour) < 150 and not mine.mark.name.startswith("emoji")
        coloured_mines &= dark and mine.mark.name != exploded.mark.name
    description = {
        "technique": technique,
        "scheme": scheme.name,
        "cells": shape,
        "font": font.name,
        "digits": digits,
        "ink": ink,
        "flag": _name(flag),
        "mine": _name(by_code[Cell.MINE]),
        "exploded": _name(by_code[Cell.EXPLODED]),
        "wrong_flag": _name(by_code[Cell.WRONG_FLAG]),
        "emoji": emoji or "system",
        "rim": "yes" if rim else "no",
    }
    shift = (float(rng.normal(0, 0.02)), float(rng.normal(0, 0.025))) if rng.random() < 0.5 else (0.0, 0.0)
    return Look(
        technique, width, height, scheme, by_code, font, shift, sweep, rim, coloured_mines, hover, description
    )
