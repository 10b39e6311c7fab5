"""The colours and letters of one look, for all toolkits that are only for judging."""

from __future__ import annotations

from dataclasses import dataclass

from bot.board import Cell
from training.reader.paint.colours import (
    BLACK,
    Colour,
    Rng,
    any_colour,
    contrasting,
    digit_colours,
    distance,
    of_hue,
    shifted,
)

FLAGS, MINES = "F⚑P!⚐▶", "*M●✹B@✸"
WRONG, QUESTION = "Xx✗", "?"


@dataclass(frozen=True)
class Scheme:
    """Colours (red, green, blue) and letters of one look."""

    covered: Colour
    opened: Colour
    line: Colour
    ground: Colour
    """Around the board."""
    inks: tuple[Colour, ...]
    """Of the digits 1 to 8."""
    flag_ink: Colour
    mine_ink: Colour
    question_ink: Colour
    alarm: Colour
    """The ground of an exploded mine."""
    wrong_ground: Colour
    mines_on_covered: bool
    flag: str
    mine: str
    wrong: str
    inks_name: str

    def ground_of(self, code: int) -> Colour:
        """The colour behind what a cell shows."""
        if code == Cell.EXPLODED:
            return self.alarm
        if code == Cell.WRONG_FLAG:
            return self.wrong_ground
        if code == Cell.MINE:
            return self.covered if self.mines_on_covered else self.opened
        return self.opened if code <= 8 else self.covered

    def is_raised(self, code: int) -> bool:
        """Whether a cell looks covered but for what stands on it."""
        on_covered = self.mines_on_covered and code in (Cell.MINE, Cell.EXPLODED)
        return code in (Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.WRONG_FLAG) or on_covered

    def ink_of(self, code: int) -> Colour:
        """The colour of what stands on a cell."""
        if 1 <= code <= 8:
            return self.inks[code - 1]
        inks = {Cell.FLAG: self.flag_ink, Cell.QUESTION: self.question_ink, Cell.WRONG_FLAG: self.flag_ink}
        ink = inks.get(Cell(code), self.mine_ink)
        return contrasting(ink, self.ground_of(code), 70)

    def text_of(self, code: int) -> str:
        """What stands on a cell in letters; empty where nothing does."""
        marks = {
            Cell.FLAG: self.flag,
            Cell.QUESTION: QUESTION,
            Cell.MINE: self.mine,
            Cell.EXPLODED: self.mine,
            Cell.WRONG_FLAG: self.wrong,
        }
        return str(code) if 1 <= code <= 8 else marks.get(Cell(code), "")


def random_scheme(rng: Rng, *, distinct: bool, letters: str = "") -> Scheme:
    """Random colours; with `distinct` the colours alone tell covered from opened cells.

    Of the marks only those in `letters` are drawn, if some are given.
    """
    while True:
        covered = any_colour(rng)
        if rng.random() < 0.3:
            covered = of_hue(rng.random(), rng.uniform(0, 0.1), rng.uniform(0.6, 0.95))
        way = rng.choice(["lighter", "darker", "other", "same"], p=[0.3, 0.3, 0.3, 0.1])
        step = {"lighter": 1, "darker": -1}.get(str(way), 0) * rng.uniform(20, 100)
        opened = any_colour(rng) if way == "other" else shifted(covered, step)
        if distance(covered, opened) >= 22 or not distinct:
            break
    line = (
        any_colour(rng)
        if rng.random() < 0.25
        else shifted(covered, rng.choice([-1, -1, 1]) * rng.uniform(40, 120))
    )
    if distance(line, covered) < 20:
        line = contrasting(line, covered, 40)
    name, inks = digit_colours(rng, opened)
    flags = [mark for mark in FLAGS if not letters or mark in letters]
    mines = [mark for mark in MINES if not letters or mark in letters]
    wrongs = [mark for mark in WRONG if not letters or mark in letters]
    return Scheme(
        covered,
        opened,
        line,
        any_colour(rng) if rng.random() < 0.5 else covered,
        tuple(inks),
        of_hue(0, 0.9, 0.9) if rng.random() < 0.6 else any_colour(rng),
        BLACK if rng.random() < 0.6 else any_colour(rng),
        BLACK if rng.random() < 0.5 else any_colour(rng),
        of_hue(rng.choice([0, 0, 0.07, 0.13, rng.random()]), rng.uniform(0.6, 1), rng.uniform(0.7, 1)),
        of_hue(rng.choice([0, 0.95, 0.1]), 0.4, 0.95) if rng.random() < 0.4 else covered,
        bool(rng.random() < 0.25),
        flags[rng.integers(len(flags))],
        mines[rng.integers(len(mines))],
        wrongs[rng.integers(len(wrongs))],
        name,
    )


def as_text(colour: Colour) -> str:
    """A colour as toolkits write it: #rrggbb."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
