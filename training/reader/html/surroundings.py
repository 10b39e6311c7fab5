"""What stands around a board on its page: headings, counters, a face, toolbars, text, frames; or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from training.reader.html.looks.colours import (
    BLACK,
    WHITE,
    Colour,
    Rng,
    any_colour,
    apart,
    css,
    lightness,
    shade,
)
from training.reader.html.looks.fonts import drawn
from training.reader.html.looks.look import Look

WORDS = (
    "mines flags time game new easy medium hard expert beginner left click right mark open cell board "
    "restart level score best play the a of to and find all without safe number shows how many around it "
    "times settings help about daily puzzle share custom rows columns minutes seconds player rank today"
)
TITLES = ("Minesweeper", "MINESWEEPER", "Mines", "Mine Field", "Sweeper", "Démineur", "Buscaminas", "Bombs")
FACES = ("🙂", "😀", "😎", "😵", "😐", "🤠", "☺", "☻", ":)", "New game", "Restart", "↻", "▶ Play", "Reset")
TEXT_FONTS = ("sans-serif", "serif", "monospace", "Roboto", "'Open Sans'", "Lato", "'DejaVu Sans'")
COUNTER_FONT = "Share Tech Mono"
LIGHTS = ((255, 0, 0), (255, 40, 40), (0, 255, 80), (255, 176, 0), (80, 200, 255))

BARE, PLAIN = 0.1, 0.12
"""How often a picture is nothing but the board, edge to edge; and a board on an empty page."""


NUMBERED = 0.04
"""How often the columns and rows of a board that is not bare are numbered."""


def _tag(style: str, body: str, name: str = "div") -> str:
    return f'<{name} style="{style}">{body}</{name}>'


@dataclass(frozen=True)
class Page:
    """The texts around one board, which have one look."""

    rng: Rng
    look: Look
    background: Colour
    font: str
    size: tuple[int, int]
    """The columns and rows of the board."""

    def words(self, low: int, high: int) -> str:
        """Some words, the first with a capital."""
        chosen = self.rng.choice(WORDS.split(), self.rng.integers(low, high + 1))
        return " ".join(str(word) for word in chosen).capitalize()

    def style(self, low: float, high: float) -> str:
        """The CSS of a text of any size in a range of CSS pixels."""
        ink = apart(BLACK if lightness(self.background) > 0.5 else WHITE, [self.background], 90)
        return f"font:{self.rng.uniform(low, high):.0f}px {self.font};color:{css(ink)}"

    def counter(self) -> str:
        """A number as games show it: digits of light, or words."""
        rng = self.rng
        number = int(rng.integers(0, 1000))
        if rng.random() < 0.4:
            light = LIGHTS[int(rng.integers(len(LIGHTS)))]
            back = shade(light, -0.85) if rng.random() < 0.5 else BLACK
            font = str(rng.choice(["monospace", f"'web {COUNTER_FONT}'", "'DejaVu Sans Mono'"]))
            look = f"background:{css(back)};color:{css(light)};font:700 {rng.integers(18, 34)}px {font}"
            return _tag(
                f"{look};padding:2px 5px;border:{rng.integers(0, 3)}px inset #888", f"{number:03d}", "span"
            )
        few = number % 100
        texts = [f"💣 {few}", f"🚩 {few}", f"Mines: {few}", f"⏱ {number}", f"{number % 60}:{few:02d}"]
        return _tag(self.style(13, 24), str(rng.choice(drawn(texts))), "span")

    def button(self, text: str) -> str:
        """A button with a text."""
        rng = self.rng
        font = f"font:{rng.integers(12, 26)}px {self.font}"
        if rng.random() < 0.3:
            return _tag(font, text, "button")
        back = any_colour(rng) if rng.random() < 0.5 else self.look.scheme.covered[0]
        ink = apart(WHITE if lightness(back) < 0.6 else BLACK, [back], 90)
        box = f"padding:{rng.integers(2, 8)}px {rng.integers(4, 14)}px;border-radius:{rng.integers(0, 9)}px"
        border = f"border:{rng.integers(0, 3)}px outset {css(shade(back, -0.2))}"
        colours = f"background:{css(back)};color:{css(ink)}"
        return _tag(f"display:inline-block;{colours};{font};{box};{border}", text, "span")

    def header(self) -> str:
        """A line with counters and a face or a button."""
        rng = self.rng
        parts = [self.counter(), self.button(str(rng.choice(drawn(FACES)))), self.counter()]
        chosen = "".join(parts[k] for k in rng.permutation(3)[: rng.integers(1, 4)])
        align = rng.choice(["space-between", "center", "space-around", "flex-start"])
        tile = self.look.scheme.covered[0]
        style = f"display:flex;gap:8px;align-items:center;justify-content:{align}"
        style += f";background:{css(tile if rng.random() < 0.4 else self.background)}"
        style += f";padding:{rng.integers(0, 9)}px;margin:{rng.integers(0, 9)}px 0"
        if rng.random() < 0.3:
            style += f";border:{rng.integers(1, 4)}px inset {css(shade(tile, -0.1))}"
        return _tag(style, chosen)

    def line(self) -> str:
        """Something that takes the width of the page: a heading, a bar, a table, a text."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.3:
            weight = f"font-weight:{rng.choice([400, 700])}"
            return _tag(f"{self.style(18, 40)};{weight};margin:6px", str(rng.choice(TITLES)))
        if kind < 0.55:
            buttons = " ".join(self.button(self.words(1, 1)) for _ in range(rng.integers(2, 6)))
            back = css(shade(self.background, rng.uniform(-0.2, 0.2)))
            return _tag(f"padding:4px;background:{back}", buttons)
        if kind < 0.65:
            scores = [(self.words(1, 1), rng.integers(1, 999)) for _ in range(3)]
            cells = "".join(
                f'<td style="padding:1px 8px">{word}</td><td>{score}</td>' for word, score in scores
            )
            return _tag(self.style(11, 15), f"<tr>{cells}</tr>", "table")
        return _tag(f"{self.style(11, 18)};margin:6px", self.words(4, 30) + ".", "p")

    def framed(self, board: str) -> str:
        """The board in a frame."""
        rng = self.rng
        colour = self.look.scheme.covered[0] if rng.random() < 0.5 else self.look.scheme.ground
        kind = rng.choice(["none", "line", "bevel", "card", "thick"], p=[0.35, 0.2, 0.2, 0.15, 0.1])
        style = "display:inline-block"
        if kind == "line":
            style += f";border:{rng.integers(1, 4)}px solid {css(shade(colour, rng.uniform(-0.6, 0.3)))}"
        elif kind == "bevel":
            border = rng.choice(["inset", "outset", "ridge"])
            style += f";border:{rng.integers(2, 6)}px {border} {css(shade(colour, -0.15))}"
        elif kind == "card":
            style += f";padding:{rng.integers(4, 24)}px;border-radius:{rng.integers(0, 20)}px"
            style += f";background:{css(shade(colour, rng.uniform(-0.3, 0.6)))}"
            style += f";box-shadow:0 4px {rng.integers(4, 20)}px {css(BLACK, 0.4)}"
        elif kind == "thick":
            style += f";border:{rng.integers(6, 16)}px solid {css(any_colour(rng))}"
            style += f";border-radius:{rng.integers(0, 12)}px"
        return _tag(style, board)

    def numbered(self, board: str) -> str:
        """The board with the numbers or letters of its columns above it, and of its rows beside it."""
        width, height, columns, rows = self.look.cell_width, self.look.cell_height, *self.size
        letters = self.rng.random() < 0.5
        box = f"width:{width:g}px;height:{height:g}px;text-align:center;line-height:{height:g}px"
        text = self.style(0.35 * height, 0.5 * height)
        top = "".join(
            _tag(f"{text};{box}", chr(65 + k % 26) if letters else str(k + 1)) for k in range(columns)
        )
        side = "".join(_tag(f"{text};{box}", str(k + 1)) for k in range(rows))
        above = _tag(f"display:flex;padding-left:{width:g}px", top)
        return above + _tag("display:flex", _tag("", side) + board)

    def around(self, board: str) -> str:
        """The board with its header, and what stands above, below and beside it."""
        rng = self.rng
        above = "".join(self.line() for _ in range(rng.integers(0, 3)))
        below = "".join(self.line() for _ in range(rng.choice([0, 0, 1, 2])))
        block = self.framed(board) if rng.random() > NUMBERED else self.numbered(board)
        if rng.random() < 0.65:
            head = self.header()
            block = head + block if rng.random() < 0.85 else block + head
        block = _tag("display:inline-block;text-align:left", block)
        if rng.random() < 0.15:
            side = _tag(f"width:{rng.integers(90, 200)}px", "".join(self.line() for _ in range(3)))
            both = side + block if rng.random() < 0.6 else block + side
            block = _tag("display:flex;align-items:flex-start;gap:10px", both)
        align = rng.choice(["left", "center", "center"])
        width = "min-content" if rng.random() < 0.6 else f"{rng.integers(500, 900)}px"
        return _tag(f"width:{width};min-width:100%;text-align:{align}", above + block + below)


def surround(rng: Rng, look: Look, board: str, size: tuple[int, int]) -> tuple[str, str]:
    """What a section of a page holds: the board and what stands around it; and the CSS of the section.

    `size` is the number of columns and of rows.
    """
    background = look.scheme.page
    fill = css(background)
    kind = rng.random()
    if kind < BARE:
        return board, f"background:{fill}"
    if rng.random() < 0.2:
        turn = rng.choice(["to bottom", "to right", "135deg"])
        fill = f"linear-gradient({turn},{fill},{css(shade(background, rng.uniform(-0.5, 0.5)))})"
    sides = " ".join(f"{int(one)}px" for one in rng.choice([0, 4, 10, 20, 40, 70, 110], 4))
    section = f"background:{fill};padding:{sides}"
    if kind < BARE + PLAIN:
        return board, section
    return Page(rng, look, background, str(rng.choice(TEXT_FONTS)), size).around(board), section
