"""Boards drawn as web pages: `python -m training.reader.html_pages --pictures 3000 --seed 1 --out FOLDER`.

Draws several boards on one tall page, takes one picture of it, and cuts it into labelled pictures. Pictures
that are already there are not drawn again. With `--family NAME` all of them have looks that no training may
see (`families`).
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from bot.board import Board, Cell
from bot.errors import BotError
from bot.process.interrupts import stop_like_ctrl_c, stop_status, was_stopped
from bot.vision.grid import Image
from training.reader.families import FAMILIES
from training.reader.html import cut, markup, vector
from training.reader.html.chromium import BrowserFailed, Chromium
from training.reader.html.looks.colours import Rng
from training.reader.html.looks.fonts import all_fonts
from training.reader.html.looks.look import Look, random_look
from training.reader.html.surroundings import surround
from training.reader.paint.fonts import name_missing_fonts
from training.reader.paint.readable import are_edges_and_end_seen
from training.reader.positions import SMALLEST, STAGES, crowded_position, random_position, random_size
from training.reader.samples import LabelledBoard, LabelledPicture, write_sample

PAGE = 12
"""How many boards are drawn on one page."""

ATTEMPTS = 6
"""How many looks are drawn for a picture before it is left out: some cannot be read."""

SCALES = (1, 1, 1, 1, 1.25, 1.5, 2)
"""The usual numbers of pixels of a CSS pixel; every sixth page has any other from 0.9 to 2."""

SMOOTHINGS = {"grey": 0.65, "subpixel": 0.27, "none": 0.08}
"""How often the letters of a page are smoothed in which way."""

LARGEST = 150
"""The largest number of cells of a board of training, where all sizes of cells should be seen often."""

VIEW = (1600, 15000)
"""The width of a page and the maximum of its height, in CSS pixels and in pixels of the picture."""


CROWDED = 0.4
"""How often a board of training has so many mines that its digits are large."""

ALL = tuple(range(Cell.UNREAD))
SHOWS = {
    "fonts": tuple(range(1, 9)),
    "pixel-fonts": tuple(range(1, 9)),
    "flags": (Cell.FLAG, Cell.WRONG_FLAG),
    "mines": (Cell.MINE, Cell.EXPLODED),
    "emoji": (Cell.FLAG, Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG),
}
"""Which kinds of cells, at least one of them, the boards of a family have: those that make it the family."""


@dataclass(frozen=True)
class Section:
    """One board on a page."""

    look: Look
    board: Board
    html: str
    rules: str
    script: str
    filter: str


def _section(rng: Rng, family: str, stage: str, scale: float, largest: int, number: int) -> Section:
    columns, rows = random_size(rng, largest=largest)
    board = random_position(rng, columns, rows, stage=stage)
    if not family and not stage and rng.random() < CROWDED:
        board = crowded_position(rng, columns, rows)
    while not np.isin(board.codes, SHOWS.get(family, ALL)).any():
        board = random_position(rng, columns, rows, stage=stage)
    look = random_look(rng, family, scale, columns)
    script = ""
    if look.technique == "svg":
        element = vector.svg(rng, look, board)
    elif look.technique in ("canvas", "sprites"):
        element, script = vector.canvas(rng, look, board, scale)
    else:
        element = markup.elements(rng, f"b{number}", look, board)
    body, style = surround(rng, look, element, (columns, rows))
    effect = cut.css_filter(rng)
    if effect:
        style += f";filter:{effect}"
    html = f'<div class="section" style="{style}">{body}</div>'
    return Section(look, board, html, markup.style_rules(f"b{number}", look), script, effect)


def _page(sections: list[Section]) -> str:
    """The page that shows all sections, one below the other."""
    fonts = {section.look.font for section in sections} | {
        font for name, font in all_fonts().items() if name == "Share Tech Mono"
    }
    rules = "\n".join([markup.BASE, *(font.faces() for font in fonts), *(one.rules for one in sections)])
    scripts = ",".join(one.script for one in sections if one.script)
    stack = """let y = 0; for (const s of document.querySelectorAll('.section')) {
      s.style.top = y + 'px'; y += Math.ceil(s.getBoundingClientRect().height) + 10; } window.tall = y;"""
    return (
        f'<!DOCTYPE html><meta charset="utf-8"><style>{rules}</style>{"".join(one.html for one in sections)}'
        f"<script>{vector.SCRIPT} window.drawn = Promise.all([{scripts}]); {stack}</script>"
    )


def draw(browser: Chromium, sections: list[Section], scale: float) -> tuple[Image, list[dict[str, object]]]:
    """The picture of a page with these sections, and the boxes of each of them."""
    width = VIEW[0]
    browser.show(_page(sections), width, 2000, scale)
    # Fonts that came late have changed the heights.
    browser.evaluate(
        "(() => { let y = 0; for (const s of document.querySelectorAll('.section')) { s.style.top = y + 'px';"
        " y += Math.ceil(s.getBoundingClientRect().height) + 10; } window.tall = y; })()"
    )
    wide = browser.evaluate("Math.max(...[...document.querySelectorAll('.section')].map(s => s.offsetWidth))")
    tall = browser.evaluate("window.tall")
    browser.resize(int(wide) + 1, min(int(tall), int(VIEW[1] / scale)), scale)
    boxes = browser.evaluate(cut.MEASURE)
    return browser.picture(), boxes


def _scale(rng: Rng) -> float:
    if rng.random() < 1 / 6:
        return round(float(rng.uniform(0.9, 2)), 3)
    return float(rng.choice(SCALES))


class Painter:
    """Draws the pictures of one seed and family into a folder, of all stages of games or of one."""

    def __init__(
        self, folder: Path, pictures: int, seed: int, family: str, largest: int, stage: str = ""
    ) -> None:
        self.folder, self.pictures, self.family, self.largest = folder, pictures, family, largest
        self._stage = stage
        self._seed = seed, crc32(family.encode())
        self._browsers: dict[str, Chromium] = {}
        self._stack = ExitStack()
        folder.mkdir(parents=True, exist_ok=True)

    def paint(self) -> int:
        """Draw the pictures that are not in the folder yet; returns how many were drawn."""
        drawn, began = 0, time.monotonic()
        with self._stack:
            for first in range(0, self.pictures, PAGE):
                drawn += self._page(first)
                last = min(first + PAGE, self.pictures)
                rate = drawn / (time.monotonic() - began)
                print(f"{last} of {self.pictures}, {rate:.1f} a second", file=sys.stderr, flush=True)
        return drawn

    def _name(self, number: int) -> str:
        return f"html-{self.family or 'train'}-{self._seed[0]}-{number:05d}"

    def _page(self, first: int) -> int:
        """Draw the missing ones of the pictures of one page; returns how many they were."""
        numbers = range(first, min(first + PAGE, self.pictures))
        waiting = [one for one in numbers if not (self.folder / f"{self._name(one)}.json").exists()]
        missing = len(waiting)
        rng = np.random.default_rng([*self._seed, first])
        scale, smoothing = _scale(rng), str(rng.choice(list(SMOOTHINGS), p=list(SMOOTHINGS.values())))
        for attempt in range(ATTEMPTS):
            if not waiting:
                break
            rngs = [np.random.default_rng([*self._seed, number, attempt]) for number in waiting]
            sections = [
                _section(rng, self.family, self._stage, scale, self.largest, number)
                for number, rng in zip(waiting, rngs, strict=True)
            ]
            page, boxes = self._draw(smoothing, sections, scale)
            left = []
            for number, rng, section, box in zip(waiting, rngs, sections, boxes, strict=True):
                found = _cut(rng, page, box, section, scale)
                if found is None:
                    left.append(number)
                    continue
                picture, board = found
                board.look["smoothing"] = smoothing
                write_sample(self.folder, LabelledPicture(self._name(number), picture, (board,), self.family))
            waiting = left
        return missing - len(waiting)

    def _draw(
        self, smoothing: str, sections: list[Section], scale: float
    ) -> tuple[Image, list[dict[str, object]]]:
        """As `draw`; a browser that fails is started once more, for it may be the machine that is crowded."""
        browser = self._browsers.get(smoothing)
        if browser is None:
            browser = self._browsers[smoothing] = Chromium(smoothing)
            self._stack.push(browser)
        try:
            browser.start()  # does nothing if it runs
            return draw(browser, sections, scale)
        except BrowserFailed as error:
            print(f"{error}: it is started again", file=sys.stderr, flush=True)
            browser.close()
            browser.start()
            return draw(browser, sections, scale)


def _cut(
    rng: Rng, page: Image, box: dict[str, object], section: Section, scale: float
) -> tuple[Image, LabelledBoard] | None:
    """The picture of a section and the board in it; None if it cannot be read."""
    found = cut.cut(page, box, section.board, scale)
    if found is None:
        return None
    picture, grid, after = cut.befall(rng, *found)
    board = section.board
    if not (cut.readable(picture, grid, board) and are_edges_and_end_seen(picture, grid, board)):
        return None
    look = section.look.description | {"scale": f"{scale:g}", "filter": section.filter, "after": after}
    return picture, LabelledBoard(grid, board, look)


def main() -> None:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--family",
        default="",
        choices=["", *(name for name, one in FAMILIES.items() if one.painter == "html_pages")],
    )
    parser.add_argument("--largest", type=int, default=LARGEST, help="the largest number of cells of a board")
    parser.add_argument("--stage", default="", choices=["", *STAGES], help="of the games; empty: any")
    arguments = parser.parse_args()
    if arguments.largest < SMALLEST:
        parser.error(f"--largest {arguments.largest}: boards have {SMALLEST} cells or more")
    painter = Painter(
        arguments.out,
        arguments.pictures,
        arguments.seed,
        arguments.family,
        arguments.largest,
        arguments.stage,
    )
    name_missing_fonts()
    stop_like_ctrl_c()
    try:
        drawn = painter.paint()
    except KeyboardInterrupt:
        # The browsers have ended, and their folders are gone.
        sys.exit(stop_status())
    except BotError as error:
        sys.exit(stop_status() if was_stopped() else f"html_pages: {error}")
    print(f"{drawn} pictures drawn", file=sys.stderr)


if __name__ == "__main__":
    main()
