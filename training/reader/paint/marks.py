"""Flags, mines, exploded mines, wrong flags and question marks of one look, with random proportions."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw

from training.reader.paint.colours import (
    BLACK,
    Colour,
    Rng,
    any_colour,
    contrasting,
    of_hue,
    shifted,
    strong_colour,
)
from training.reader.paint.figures import ball, burst, flag_on_pole, warning
from training.reader.paint.fonts import TEXT_CODES, emoji_font, font, font_families, is_readable
from training.reader.paint.layers import Canvas, Stamp, drawn, inked, opacities, pictured

FLAG_GLYPH, MINE_GLYPHS = "⚑", "✹✸●"
GLYPH_FONTS = ("DejaVu Sans", "Symbola")
"""Families that have those glyphs."""
EMOJI_SIZE = 109
"""The only size of the pictures of the emoji font, in pixels."""
EMOJI = {"flag": "🚩", "mine": "💣", "exploded": "💥", "question": "❓", "wrong": "❌"}


@dataclass(frozen=True)
class MarkLook:
    """The stamps of the marks of one look; a ground is the colour of the cell behind a mark."""

    flag: Stamp
    question: Stamp
    mine: Stamp
    exploded: Stamp
    wrong_flag: Stamp
    flag_ground: Colour | None
    """None: that of a covered cell."""
    mine_ground: Colour | str
    """A colour, or `covered` or `opened`."""
    exploded_ground: Colour | str
    wrong_ground: Colour | str
    names: dict[str, str] = field(default_factory=dict)
    """The design of each mark."""
    sign: Stamp | None = None
    """What stands on every covered cell; None on most looks."""


def mark_look(
    rng: Rng, width: int, height: int, covered: Colour, opened: Colour, *, needs_sign: bool = False
) -> MarkLook:
    """Random marks for cells of a size in pixels and the colours of covered and opened cells."""
    smooth = bool(rng.random() < 0.8) or min(width, height) < 16
    flag_ground = any_colour(rng) if rng.random() < 0.08 else None
    below_flag = flag_ground or covered
    flag_name, flag = _flag(rng, width, height, below_flag, smooth)
    mine_ground: Colour | str = str(rng.choice(["opened", "covered"], p=[0.75, 0.25]))
    if rng.random() < 0.12:
        mine_ground = any_colour(rng)
    below_mine = {"opened": opened, "covered": covered}.get(str(mine_ground), opened)
    below_mine = mine_ground if isinstance(mine_ground, tuple) else below_mine
    mine_name, mine = _mine(rng, width, height, below_mine, smooth)
    alarm = of_hue(
        rng.choice([0, 0, 0, 0.06, 0.1, 0.14, rng.random()]), rng.uniform(0.5, 1), rng.uniform(0.6, 1)
    )
    exploded_ground: Colour | str = alarm
    exploded = mine
    exploded_name = "ground"
    if rng.random() < 0.3:
        exploded_name = "burst"
        star = drawn(burst(rng, alarm), width, height, smooth=smooth)
        exploded = star.with_above(mine) if rng.random() < 0.5 else star
        exploded_ground = "opened" if rng.random() < 0.5 else shifted(alarm, -90)
    elif rng.random() < 0.1 and mine_name not in ("emoji", "bomb"):
        exploded_name, exploded_ground = "red", mine_ground
        red = contrasting(of_hue(rng.normal(0, 0.02), 0.95, 0.95), below_mine, 70)
        exploded = _recoloured(mine, red)
    elif mine_name == "emoji" and rng.random() < 0.5:
        exploded_name = "emoji"
        exploded = _emoji("exploded", width, height, 0.85) or mine
    wrong_ground: Colour | str = str(rng.choice(["covered", "opened"]))
    wrong_name, wrong_flag = _wrong_flag(rng, width, height, flag, mine, smooth)
    if wrong_name == "ground":
        wrong_ground = of_hue(rng.choice([0.0, 0.95, 0.1, rng.random()]), rng.uniform(0.25, 0.7), 0.95)
    elif wrong_name == "mine and cross" and rng.random() < 0.6:
        wrong_ground = mine_ground
    elif flag_ground and rng.random() < 0.5:
        wrong_ground = flag_ground
    names = {"flag": flag_name, "mine": mine_name, "exploded": exploded_name, "wrong_flag": wrong_name}
    question = _question(rng, width, height, covered)
    sign = _sign(rng, width, height, covered) if needs_sign or rng.random() < 0.03 else None
    return MarkLook(
        flag,
        question,
        mine,
        exploded,
        wrong_flag,
        flag_ground,
        mine_ground,
        exploded_ground,
        wrong_ground,
        names,
        sign,
    )


def _recoloured(stamp: Stamp, colour: Colour) -> Stamp:
    """The shape of a stamp in one colour, with its light spots as they are."""
    tone = np.array(colour, np.float32)
    return Stamp(
        tuple(
            (np.where(layer.max(-1, keepdims=True) > 200, layer, tone), part) for layer, part in stamp.layers
        )
    )


def _sign(rng: Rng, width: int, height: int, ground: Colour) -> Stamp:
    """A small figure or letter for covered cells."""
    colour = contrasting(any_colour(rng), ground, 40)
    kind = str(rng.choice(["letter", "square", "disc", "plus"]))
    size = rng.uniform(0.08, 0.3)
    if kind == "letter":
        return _text(rng, str(rng.choice(["#", ".", "-", "o", "+"])), width, height, colour)

    def draw(canvas: Canvas) -> None:
        if kind == "disc":
            canvas.ellipse(0.5, 0.5, size, size, colour)
        elif kind == "plus":
            canvas.rectangle(0.5 - size, 0.46, 0.5 + size, 0.54, colour)
            canvas.rectangle(0.46, 0.5 - size, 0.54, 0.5 + size, colour)
        else:
            canvas.rectangle(0.5 - size, 0.5 - size, 0.5 + size, 0.5 + size, colour)

    return drawn(draw, width, height)


def _red(rng: Rng, ground: Colour) -> Colour:
    red = of_hue(rng.normal(0, 0.02), rng.uniform(0.7, 1), rng.uniform(0.6, 1))
    return contrasting(red if rng.random() < 0.65 else strong_colour(rng), ground, 70)


def _dark(rng: Rng, ground: Colour) -> Colour:
    """The colour of poles and mines: black on most grounds."""
    colour = BLACK if rng.random() < 0.6 else any_colour(rng)
    return contrasting(colour, ground, 80)


def _flag(rng: Rng, width: int, height: int, ground: Colour, smooth: bool) -> tuple[str, Stamp]:
    kind = str(
        rng.choice(
            [
                "pennant",
                "cloth",
                "waving",
                "letter",
                "glyph",
                "emoji",
                "warning",
                "bare",
            ],
            p=[0.38, 0.17, 0.1, 0.08, 0.08, 0.1, 0.04, 0.05],
        )
    )
    cloth, pole = _red(rng, ground), _dark(rng, ground)
    if kind == "letter":
        letter = _text(rng, rng.choice(["F", "P", "!", "f"]), width, height, cloth)
        return kind, letter
    if kind == "glyph":
        found = _glyph(rng, FLAG_GLYPH, width, height, cloth)
        if found is not None:
            return kind, found
    if kind == "emoji":
        found = _emoji("flag", width, height, rng.uniform(0.6, 0.95))
        if found is not None:
            return kind, found
    if kind == "warning":
        return kind, drawn(warning(rng, cloth, pole), width, height, smooth=smooth)
    return kind, drawn(flag_on_pole(rng, kind, cloth, pole), width, height, smooth=smooth)


def _mine(rng: Rng, width: int, height: int, ground: Colour, smooth: bool) -> tuple[str, Stamp]:
    kind = str(
        rng.choice(
            ["spikes", "disc", "bomb", "letter", "glyph", "emoji"],
            p=[0.46, 0.14, 0.14, 0.06, 0.08, 0.12],
        )
    )
    colour = _dark(rng, ground)
    if kind == "letter":
        return kind, _text(rng, rng.choice(["*", "M", "B", "@"]), width, height, colour)
    if kind == "glyph":
        found = _glyph(rng, MINE_GLYPHS[rng.integers(len(MINE_GLYPHS))], width, height, colour)
        if found is not None:
            return kind, found
    if kind == "emoji":
        found = _emoji("mine", width, height, rng.uniform(0.6, 0.95))
        if found is not None:
            return kind, found
    return kind, drawn(ball(rng, kind, colour, ground), width, height, smooth=smooth)


def _wrong_flag(
    rng: Rng, width: int, height: int, flag: Stamp, mine: Stamp, smooth: bool
) -> tuple[str, Stamp]:
    kind = str(
        rng.choice(
            ["flag and cross", "mine and cross", "slash", "ground", "cross"], p=[0.4, 0.3, 0.1, 0.12, 0.08]
        )
    )
    if kind == "ground":
        return kind, flag
    red = of_hue(rng.normal(0, 0.02), rng.uniform(0.8, 1), rng.uniform(0.7, 1))
    colour = red if rng.random() < 0.7 else (BLACK if rng.random() < 0.5 else strong_colour(rng))
    near, thick = rng.uniform(0.06, 0.22), rng.uniform(0.06, 0.13)

    def draw(canvas: Canvas) -> None:
        canvas.line([(near, near), (1 - near, 1 - near)], colour, thick)
        if kind != "slash":
            canvas.line([(1 - near, near), (near, 1 - near)], colour, thick)

    cross = drawn(draw, width, height, smooth=smooth)
    below = {"mine and cross": mine, "cross": Stamp()}.get(kind, flag)
    return kind, below.with_above(cross)


def _question(rng: Rng, width: int, height: int, ground: Colour) -> Stamp:
    if rng.random() < 0.06:
        found = _emoji("question", width, height, rng.uniform(0.6, 0.9))
        if found is not None:
            return found
    colour = contrasting(BLACK if rng.random() < 0.5 else any_colour(rng), ground, 70)
    return _text(rng, "?", width, height, colour)


def _text(rng: Rng, letter: str, width: int, height: int, colour: Colour) -> Stamp:
    """A letter in a random font, in the middle of a cell."""
    paths = [path for files in font_families(TEXT_CODES).values() for path in files]
    for _ in range(8 if paths else 0):
        path = paths[rng.integers(len(paths))]
        if is_readable(path):
            found = _letter(path, letter, width, height, rng.uniform(0.5, 0.8), colour)
            if found is not None:
                return found
    return drawn(lambda canvas: canvas.ring(0.5, 0.5, 0.3, colour, 0.12), width, height)


def _glyph(rng: Rng, glyph: str, width: int, height: int, colour: Colour) -> Stamp | None:
    families = font_families()
    for name in GLYPH_FONTS:
        for path in families.get(name, [])[:1]:
            found = _letter(path, glyph, width, height, rng.uniform(0.55, 0.85), colour)
            if found is not None:
                return found
    return None


def _letter(path: str, letter: str, width: int, height: int, part: float, colour: Colour) -> Stamp | None:
    """A letter that fills a part of the cell's height or width; None if the font draws nothing for it."""
    left, top, right, bottom = font(path, 100).getbbox(letter, anchor="ls")
    if right <= left or bottom <= top or font(path, 100).getmask(letter).getbbox() is None:
        return None
    size = min(part * height / (bottom - top), 0.85 * width / (right - left)) * 100
    if letter in "*.-":
        size = 0.75 * height  # small signs stay small
    picture = Pillow.new("L", (width * 4, height * 4))
    middle = (width * 2 - (left + right) / 2 * size / 25, height * 2 - (top + bottom) / 2 * size / 25)
    ImageDraw.Draw(picture).text(
        middle, letter, fill=255, font=font(path, max(round(size * 4), 8)), anchor="ls"
    )
    small = picture.resize((width, height), Pillow.Resampling.BOX)
    return inked(colour, opacities(small))


def _emoji(meaning: str, width: int, height: int, part: float) -> Stamp | None:
    """A colour picture of a font; None where the font is not installed."""
    picture = _emoji_picture(meaning)
    if picture is None:
        return None
    size = max(round(min(width, height) * part), 8)
    cell = Pillow.new("RGBA", (width, height), (0, 0, 0, 0))
    place = ((width - size) // 2, (height - size) // 2)
    cell.paste(picture.resize((size, size), Pillow.Resampling.LANCZOS), place)
    return pictured(cell)


@cache
def _emoji_picture(meaning: str) -> Pillow.Image | None:
    path = emoji_font()
    if path is None:
        return None
    sized = font(path, EMOJI_SIZE)
    picture = Pillow.new("RGBA", (136, 128), (0, 0, 0, 0))
    ImageDraw.Draw(picture).text((0, 0), EMOJI[meaning], font=sized, embedded_color=True)
    return picture.crop(picture.getbbox()) if picture.getbbox() else None
