"""What stands on a cell: flags, mines, question marks and crosses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape

from training.reader.families import pool
from training.reader.html.looks import drawings, icons
from training.reader.html.looks.colours import BLACK, WHITE, Colour, Rng, apart, css, hsl, shade
from training.reader.html.looks.fonts import drawn, is_drawn

GLYPH_FONTS = "'DejaVu Sans','Noto Sans Symbols2','Noto Sans Symbols','Symbola','FreeSans',sans-serif"
EMOJI_FONT = "'Noto Color Emoji'"
PLAIN_EMOJI_FONT = "'web Noto Emoji','Symbola','DejaVu Sans'"

FLAG_GLYPHS = ("⚑", "⚑", "⚑", "▶", "P", "F", "!", "⚐", "►", "◣", "M", "✓", "⛳", "🏴", "⛿", "◥", "◆", "B")
MINE_GLYPHS = ("✹", "●", "*", "✸", "⬤", "☀", "✱", "☠", "✺", "◉", "☢", "💣", "✻", "⊗", "@", "❋")
FLAG_EMOJI = ("🚩", "🚩", "🚩", "🚩", "⛳", "🏁", "🏴", "📍", "🚧", "🔺")
MINE_EMOJI = ("💣", "💣", "💣", "💣", "☠️", "🧨", "💀", "☢️", "🦠")
EXPLOSION_EMOJI = ("💥", "💥", "🔥", "☠️", "💀")

COVER_GLYPHS = ("■", "■", "□", "▢", "█", "▓", "▒", "#", "◼", "▣", "◇", "▪")
COVER_EMOJI = ("⬜", "⬛", "🟦", "🟩", "🟫", "🟪", "🟨", "🔲", "🔳")

ANY_GLYPHS = "ABCDEGHJKLNPQRSTUVWXYZ+×%&$§†‡★☆♠♣♥♦♛♜☻☹☼♫✈✂✎✚✜✦✧✪✯✿❀❄❖➤➔◀△▽▼◈◎◐◑○◍◘◙▣0"
"""What stands for a mine or a flag in some game or other; only the cells around say for which."""

ANY_MARK = 0.2
"""How often flags, mines and explosions of training are signs or figures that could be anything."""

FLAG_KINDS = {"drawing": 0.4, "glyph": 0.2, "emoji": 0.22, "icon": 0.18}
MINE_KINDS = {"drawing": 0.45, "glyph": 0.17, "emoji": 0.23, "icon": 0.15}
"""How often flags and mines are drawn by what."""


@dataclass(frozen=True)
class Mark:
    """A text or a drawing in the middle of a cell."""

    name: str
    text: str = ""
    """What is written; empty if it is a drawing."""
    drawing: icons.Icon | None = None
    colour: Colour = BLACK
    size: float = 0.7
    """The height of the drawing, or the size of the font, in heights of a cell."""
    fonts: str = GLYPH_FONTS
    style: str = ""
    """More CSS."""
    cross: str = ""
    """What crosses it out: the body of an SVG of 100 x 100, drawn over the whole cell."""

    def html(self, cell: float) -> str:
        """The mark as elements, for cells of `cell` CSS pixels."""
        over = f'<svg class="over" viewBox="0 0 100 100">{self.cross}</svg>' if self.cross else ""
        height = self.size * cell
        if self.drawing is None:
            style = f"font-family:{self.fonts};font-size:{height:.2f}px;color:{css(self.colour)};{self.style}"
            return f'<span class="mark" style="{escape(style)}">{escape(self.text)}</span>{over}'
        size = f"height:{height:.2f}px;width:{height * self.drawing.width / self.drawing.height:.2f}px"
        return self.drawing.svg(f"{size};color:{css(self.colour)};{self.style}") + over


def _drawing(name: str, body: str) -> icons.Icon:
    return icons.Icon(name, body, 100, 100)


def _icon(rng: Rng, what: str, family: str) -> icons.Icon | None:
    """An icon of a "flag", a "mine" or an "explosion"; None if no package that may be used has any."""
    kind = "flags" if what == "flag" else "mines"
    if what == "explosion":
        family = ""
    names = pool(kind, [f"icons {name}" for name in icons.icon_packages(what)], family)
    if not names:
        return None
    found = icons.icons(str(rng.choice(names)).removeprefix("icons "), what)
    return found[int(rng.integers(len(found)))]


def _kind(rng: Rng, kinds: dict[str, float], own: str, family: str) -> str:
    """One of `kinds`; in pictures of emoji those, and of the family `own` anything else."""
    if family == "emoji":
        return "emoji"
    kind = str(rng.choice(list(kinds), p=list(kinds.values())))
    return "drawing" if kind == "emoji" and family == own else kind


def _glyph(rng: Rng, kind: str, glyphs: tuple[str, ...], family: str) -> str:
    names = pool(kind, [f"glyph {one}" for one in glyphs], family)
    return str(rng.choice(drawn(name.removeprefix("glyph ") for name in names)))


def _fonts_of(glyph: str) -> str:
    return PLAIN_EMOJI_FONT if glyph in "⛳🏴💣" else GLYPH_FONTS


def random_emoji_set(rng: Rng, family: str) -> str:
    """The set of emoji of a board: a package of pictures, or empty for the font of this machine."""
    there = [name for name in pool("emoji", icons.EMOJI_SETS, family) if name in icons.packages()]
    if there and (family == "emoji" or rng.random() < 0.45 or not is_drawn(FLAG_EMOJI[0])):
        return str(rng.choice(there))
    return ""


def emoji_mark(rng: Rng, what: str, texts: tuple[str, ...], package: str) -> Mark:
    """A coloured emoji for a key of `icons.EMOJI_NAMES`.

    It comes from a package of pictures, or it is one of `texts` in the font of this machine.
    """
    found = icons.emoji(package, what) if package else []
    if found:
        icon = found[0 if rng.random() < 0.75 else int(rng.integers(len(found)))]
        return Mark(f"emoji {icon.name}", drawing=icon, size=rng.uniform(0.55, 0.95))
    text = str(rng.choice(drawn(texts)))
    return Mark(f"emoji {text}", text, size=rng.uniform(0.45, 0.78), fonts=EMOJI_FONT)


def _strong(rng: Rng, grounds: list[Colour], hues: tuple[float, ...]) -> Colour:
    """A colour of a mark that stands out from the grounds."""
    kind = rng.random()
    if kind < 0.6:
        hue = float(rng.choice(hues)) + rng.normal(0, 0.02)
        colour = hsl(hue, rng.uniform(0.6, 1), rng.uniform(0.3, 0.6))
    elif kind < 0.8:
        colour = BLACK if rng.random() < 0.6 else WHITE
    else:
        colour = hsl(rng.random(), rng.random(), rng.uniform(0.2, 0.8))
    return apart(colour, grounds, 70)


def _any_mark(rng: Rng, grounds: list[Colour], colour: Colour) -> Mark:
    """A sign or a figure that says by itself neither flag nor mine."""
    if rng.random() < 0.45:
        glyph = str(rng.choice(drawn(ANY_GLYPHS)))
        fonts = "sans-serif" if glyph.isascii() and rng.random() < 0.6 else GLYPH_FONTS
        weight = f"font-weight:{rng.choice([400, 700])}"
        return Mark(f"any {glyph}", glyph, None, colour, rng.uniform(0.5, 0.95), fonts, weight)
    others = [apart(hsl(rng.random(), rng.random(), rng.random()), grounds, 40) for _ in range(2)]
    body = drawings.figure(rng, [colour, colour, *others[: int(rng.integers(3))]])
    return Mark("any figure", drawing=_drawing("figure", body), size=rng.uniform(0.55, 0.98))


def random_flag(rng: Rng, grounds: list[Colour], family: str, emoji: str) -> Mark:
    """A flag that stands out from the grounds of covered cells."""
    cloth = _strong(rng, grounds, (0.0, 0.0, 0.0, 0.08, 0.6, 0.35))
    pole = apart(BLACK if rng.random() < 0.6 else shade(cloth, rng.uniform(-0.6, 0.6)), grounds, 50)
    if not family and rng.random() < ANY_MARK:
        return _any_mark(rng, grounds, cloth)
    kind = _kind(rng, FLAG_KINDS, "flags", family)
    if kind == "emoji":
        return emoji_mark(rng, "flag", FLAG_EMOJI, emoji)
    if kind == "icon" and (icon := _icon(rng, "flag", family)) is not None:
        return Mark(f"icon {icon.name}", drawing=icon, colour=cloth, size=rng.uniform(0.5, 0.9))
    if kind == "glyph":
        glyph = _glyph(rng, "flags", FLAG_GLYPHS, family)
        fonts = "sans-serif" if glyph.isascii() and rng.random() < 0.4 else _fonts_of(glyph)
        weight = f"font-weight:{rng.choice([400, 700])}"
        return Mark(f"glyph {glyph}", glyph, None, cloth, rng.uniform(0.5, 0.9), fonts, weight)
    design = str(rng.choice(pool("flags", drawings.FLAGS, family)))
    body = drawings.flag(rng, design, cloth, pole)
    return Mark(f"drawing {design}", drawing=_drawing(design, body), size=rng.uniform(0.5, 0.95))


def random_mine(rng: Rng, grounds: list[Colour], family: str, emoji: str) -> Mark:
    """A mine that stands out from the grounds where it lies."""
    colour = apart(BLACK, grounds, 60)
    if rng.random() < 0.4:
        colour = _strong(rng, grounds, (0.0, 0.08, 0.75, 0.6))
    if not family and rng.random() < ANY_MARK:
        return _any_mark(rng, grounds, colour)
    kind = _kind(rng, MINE_KINDS, "mines", family)
    if kind == "emoji":
        return emoji_mark(rng, "mine", MINE_EMOJI, emoji)
    if kind == "icon" and (icon := _icon(rng, "mine", family)) is not None:
        return Mark(f"icon {icon.name}", drawing=icon, colour=colour, size=rng.uniform(0.55, 0.95))
    if kind == "glyph":
        glyph = _glyph(rng, "mines", MINE_GLYPHS, family)
        size = rng.uniform(0.8, 1.1) if glyph in "*●⬤" else rng.uniform(0.55, 0.95)
        return Mark(f"glyph {glyph}", glyph, None, colour, size, _fonts_of(glyph))
    design = str(rng.choice(pool("mines", drawings.MINES, family)))
    body = drawings.mine(rng, design, colour, WHITE if rng.random() < 0.7 else shade(colour, 0.5))
    return Mark(f"drawing {design}", drawing=_drawing(design, body), size=rng.uniform(0.55, 0.98))


def random_explosion(rng: Rng, grounds: list[Colour], family: str, emoji: str) -> Mark:
    """Another picture for the mine that exploded."""
    if family == "emoji" or rng.random() < 0.5:
        return emoji_mark(rng, "explosion", EXPLOSION_EMOJI, emoji)
    colour = apart(hsl(rng.uniform(-0.03, 0.14), 1, 0.5), grounds, 60)
    if not family and rng.random() < ANY_MARK:
        return _any_mark(rng, grounds, colour)
    icon = _icon(rng, "explosion", family) if rng.random() < 0.4 else None
    if icon is not None:
        return Mark(f"icon {icon.name}", drawing=icon, colour=colour, size=rng.uniform(0.7, 1))
    core = apart(shade(colour, 0.5), [colour], 40)
    body = drawings.explosion(rng, colour, core)
    return Mark("drawing explosion", drawing=_drawing("explosion", body), size=rng.uniform(0.75, 1))


def random_question(rng: Rng, grounds: list[Colour], fonts: str, family: str, emoji: str) -> Mark:
    """A question mark that stands out from the grounds of covered cells."""
    if rng.random() < (0.7 if family == "emoji" else 0.12):
        return emoji_mark(rng, "question", ("❓", "❔"), emoji)
    colour = apart(BLACK, grounds, 60) if rng.random() < 0.5 else _strong(rng, grounds, (0.6, 0.0, 0.3))
    style = f"font-weight:{rng.choice([400, 700])}"
    return Mark("question", "?", None, colour, rng.uniform(0.5, 0.9), fonts, style)


def random_cover(rng: Rng, grounds: list[Colour]) -> Mark:
    """What stands for a covered cell where a board is written: a square."""
    if rng.random() < 0.45:
        return emoji_mark(rng, "cover", COVER_EMOJI, "")
    glyph = str(rng.choice(drawn(COVER_GLYPHS)))
    colour = apart(hsl(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.3, 0.7)), grounds, 50)
    return Mark(f"glyph {glyph}", glyph, None, colour, rng.uniform(0.75, 1.15))


def cross_body(rng: Rng, grounds: list[Colour]) -> str:
    """What crosses out a cell with these colours, as `drawings.cross` draws it."""
    red = hsl(rng.normal(0, 0.02), 1, rng.uniform(0.4, 0.55))
    return drawings.cross(rng, apart(red if rng.random() < 0.8 else BLACK, grounds, 50))


def random_x(rng: Rng, grounds: list[Colour], family: str, emoji: str) -> Mark:
    """An X alone, for a wrong flag."""
    if family == "emoji" or rng.random() < 0.35:
        return emoji_mark(rng, "cross", ("❌", "❎", "🚫"), emoji)
    colour = _strong(rng, grounds, (0.0, 0.0))
    return Mark("glyph X", str(rng.choice(drawn("✗✖X✘╳"))), None, colour, rng.uniform(0.6, 0.95))


def crossed(mark: Mark, cross: str) -> Mark:
    """The mark with a cross over it."""
    return replace(mark, name=f"crossed {mark.name}", cross=cross)
