"""How a written board may look: its font, its characters and their colours, what stands between its cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from bot.board import Cell
from training.reader.paint.colours import (
    BLACK,
    WHITE,
    Colour,
    Rng,
    any_colour,
    brightness,
    contrasting,
    digit_colours,
    distance,
    of_hue,
    shifted,
    strong_colour,
)
from training.reader.paint.fonts import font, font_families
from training.reader.paint.fonts import is_readable as are_digits_readable

SIGNS, NO_SIGNS = "#.■░▒▓█·*oO□-+~_?:◼▢", "         .·-_0"
"""What stands on covered cells, and on opened ones without a number."""
FLAGS, MINES, CROSSES = "FPf!▶⚑>^M|¶", "*@MBX●✹O+%&Q¤", "xX✗/%"
FRAMES = {"": "", "bars": "|  ", "ascii": "|-+", "lines": "│─┼", "double": "║═╬", "brackets": "[]"}
"""What stands between cells: upright, level and where both cross; brackets stand around each cell."""
FRAME_ODDS = (0.42, 0.16, 0.1, 0.14, 0.06, 0.12)
WIDTHS = (1, 2, 2, 3, 3, 3, 4, 5, 6)
"""Characters of a cell from left to right."""
LOWERED = (-0.12, 0.2)
"""Range of how far characters stand below the middle of their lines, as a part of these: terminals differ."""


@dataclass(frozen=True)
class Writing:
    """How a board is written."""

    font: str
    size: int
    across: int
    """Pixels from a character to the next."""
    down: int
    """Pixels from a line to the next."""
    wide: int
    high: int
    column: int
    line: int
    """Which of the characters of a cell says what it is."""
    lowered: int
    """How far the characters stand below the middle of their lines, in pixels; above it where negative."""
    frame: str
    paper: Colour
    covered: Colour
    opened: Colour
    """The grounds of cells; those of the paper where nothing but the characters shows a cell."""
    ink: Colour
    signs: dict[int, str]
    """The character of each code."""
    inks: dict[int, Colour]
    grounds: dict[int, Colour]

    @property
    def is_framed(self) -> bool:
        """Whether lines stand between the cells."""
        return self.frame not in ("", "brackets")

    @property
    def pitch(self) -> tuple[int, int]:
        """Characters from one cell to the next, to the right and down."""
        extra = {"": 0, "brackets": 2}.get(self.frame, 1)
        return self.wide + extra, self.high + (self.frame in ("ascii", "lines", "double"))


@cache
def fixed_fonts() -> tuple[str, ...]:
    """The files of fonts all of whose characters are as wide."""
    files = [path for family in font_families().values() for path in family]
    return tuple(
        path
        for path in files
        if font(path, 60).getlength("i") == font(path, 60).getlength("M")
        and are_digits_readable(path)
        and all(has(path, character) for character in "#*FMXx")
    )


@cache
def has(path: str, character: str) -> bool:
    """Whether a font has a character."""
    shape = font(path, 40).getmask(character)
    none = font(path, 40).getmask("\uffff")
    return character == " " or (shape.size, bytes(shape)) != (none.size, bytes(none))


def random_writing(rng: Rng) -> Writing:
    """A random look."""
    files = fixed_fonts()
    if not files:
        raise FileNotFoundError("no font of equal characters is on this machine")
    path, size = files[rng.integers(len(files))], int(rng.integers(9, 30))
    sized = font(path, size)
    ascent, descent = sized.getmetrics()
    across, down = round(sized.getlength("M")), round((ascent + descent) * rng.uniform(0.95, 1.25))
    frame = str(rng.choice(list(FRAMES), p=FRAME_ODDS))
    wide = 1 if frame == "brackets" else int(rng.choice(WIDTHS))
    high = 2 if wide > 3 and frame in ("", "bars") and rng.random() < 0.5 else 1
    paper = _paper(rng)
    ink = contrasting(
        any_colour(rng) if rng.random() < 0.4 else (WHITE, BLACK)[brightness(paper) > 127], paper, 90
    )
    covered, opened = _grounds(rng, paper)
    signs = _signs(rng, path, is_plain=covered == opened)
    grounds, inks = _colours(rng, paper, ink, covered, opened)
    column = (wide - 1) // 2 if rng.random() < 0.7 else int(rng.integers(wide))
    line = int(rng.integers(high))
    lowered = round(down * rng.uniform(*LOWERED)) if rng.random() < 0.5 else 0
    return Writing(
        path,
        size,
        across,
        down,
        wide,
        high,
        column,
        line,
        lowered,
        frame,
        paper,
        covered,
        opened,
        ink,
        signs,
        inks,
        grounds,
    )


def _paper(rng: Rng) -> Colour:
    kind = rng.random()
    if kind < 0.4:
        return BLACK
    if kind < 0.6:
        return of_hue(rng.random(), rng.uniform(0, 0.6), rng.uniform(0.05, 0.25))
    if kind < 0.8:
        return (
            WHITE if rng.random() < 0.5 else of_hue(rng.random(), rng.uniform(0, 0.12), rng.uniform(0.9, 1))
        )
    return any_colour(rng)


def _grounds(rng: Rng, paper: Colour) -> tuple[Colour, Colour]:
    """Those of covered and of opened cells; both the paper's in half of the looks."""
    kind = rng.random()
    if kind < 0.5:
        return paper, paper
    covered = any_colour(rng) if kind < 0.75 else shifted(paper, rng.choice([-1, 1]) * rng.uniform(25, 120))
    opened = paper
    if kind > 0.85:
        opened = (
            any_colour(rng)
            if rng.random() < 0.5
            else shifted(covered, rng.choice([-1, 1]) * rng.uniform(25, 110))
        )
    return (covered, opened) if distance(covered, opened) >= 22 else (paper, paper)


def _signs(rng: Rng, path: str, *, is_plain: bool) -> dict[int, str]:
    """A character for each code, all different; covered cells have none only where their ground tells."""
    taken: set[str] = set()

    def one_of(characters: str) -> str:
        known = [one for one in characters if has(path, one) and one not in taken]
        chosen = known[rng.integers(len(known))]
        if chosen != " ":
            taken.add(chosen)
        return chosen

    covered = " " if not is_plain and rng.random() < 0.6 else one_of(SIGNS)
    empty = one_of(NO_SIGNS)
    flag, mine, cross = one_of(FLAGS), one_of(MINES), one_of(CROSSES)
    exploded = mine if rng.random() < 0.7 else one_of(MINES)
    signs = {number: str(number) for number in range(1, 9)}
    question = "?" if covered != "?" else "¿"
    return signs | {
        0: empty,
        Cell.COVERED: covered,
        Cell.FLAG: flag,
        Cell.QUESTION: question,
        Cell.MINE: mine,
        Cell.EXPLODED: exploded,
        Cell.WRONG_FLAG: cross,
    }


def _colours(
    rng: Rng, paper: Colour, ink: Colour, covered: Colour, opened: Colour
) -> tuple[dict[int, Colour], dict[int, Colour]]:
    """The ground and the ink of each code."""
    grounds = dict.fromkeys(range(16), opened)
    for code in (Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.WRONG_FLAG):
        grounds[code] = covered
    if rng.random() < 0.3:
        grounds[Cell.MINE] = covered
    grounds[Cell.EXPLODED] = of_hue(rng.choice([0, 0, 0.07, 0.13, rng.random()]), 0.9, 0.85)
    if rng.random() < 0.25:
        grounds[Cell.WRONG_FLAG] = strong_colour(rng)
    if rng.random() < 0.12:
        grounds[Cell.FLAG] = strong_colour(rng)
    _, digits = digit_colours(rng, opened)
    inks = dict.fromkeys(range(16), ink) | dict(zip(range(1, 9), digits, strict=True))
    if rng.random() < 0.6:
        inks[Cell.COVERED] = shifted(covered, rng.choice([-1, 1]) * rng.uniform(30, 140))
    inks[0] = shifted(opened, rng.choice([-1, 1]) * rng.uniform(20, 120))
    if rng.random() < 0.75:
        inks[Cell.FLAG] = of_hue(
            rng.choice([0, 0, 0.15, 0.3, rng.random()]), rng.uniform(0.6, 1), rng.uniform(0.6, 1)
        )
        inks[Cell.WRONG_FLAG] = inks[Cell.FLAG]
    if rng.random() < 0.5:
        inks[Cell.MINE] = inks[Cell.EXPLODED] = any_colour(rng)
    least = {0: 20, Cell.COVERED: 30}
    return grounds, {code: contrasting(one, grounds[code], least.get(code, 60)) for code, one in inks.items()}
