"""Draws boards that look nearly like a shipped theme: its layout with other digits, colours or pictures.

A theme must not read such a board wrongly: a reader is judged on them (`checks.boards`). It uses the fonts
of this machine: `python -m training.reader.look_alikes --pictures 400 --seed 1 --out FOLDER`.
"""

from __future__ import annotations

import argparse
import subprocess
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from bot.board import UNOPENED, Board, Cell
from bot.vision.grid import Grid, Image
from bot.vision.themes.skin import GlyphSet
from bot.vision.themes.theme import load_skin
from training.reader.positions import Rng, random_position, random_size
from training.reader.samples import LabelledBoard, LabelledPicture, write_sample

Bgr = tuple[int, int, int]
Mask = npt.NDArray[np.float32]
"""How strongly each pixel is drawn, 0 to 1: (height, width)."""

LAYOUTS = ("classic", "winmine", "practice", "xdemineur", "windows7", "gnome-mines")
"""The themes whose layout is drawn with other digits and pictures."""

CLASSIC_INKS: tuple[Bgr, ...] = (
    (255, 0, 0), (0, 128, 0), (0, 0, 255), (128, 0, 0),
    (0, 0, 128), (128, 128, 0), (0, 0, 0), (128, 128, 128),
)  # fmt: skip
UNREADABLE = ("Initials", "_RZI", "Keyboard", "Symbol", "Rashi", "Nastaliq")
"""Parts of the names of fonts whose digits are ornaments or another script."""

OVER = 4
"""Pictures of mines and flags are drawn this many times as large, then reduced."""


@dataclass
class Look:
    """How one board is drawn."""

    kind: str
    cell: int
    """Width and height of a cell, in pixels."""
    covered: Image
    """A covered cell, (cell, cell, 3)."""
    opened: Image
    paper: Bgr
    font: str
    size: float
    """The height of a digit, as a part of a cell."""
    inks: tuple[Bgr, ...]
    flag: int
    mine: int
    """The design of the flag and of the mine."""
    border: tuple[Bgr, Bgr] | None
    """The colours of the border at the left and top, and at the right and bottom; None for none."""
    border_width: int = 3
    offset: tuple[int, int] = (0, 0)
    words: dict[str, str] = field(default_factory=dict)
    """The same in words, for the table of what is read badly."""


@lru_cache(maxsize=1)
def fonts() -> tuple[str, ...]:
    """The font files of this machine that draw eight different digits."""
    listed = subprocess.run(
        ["fc-list", ":lang=en", "file"], capture_output=True, text=True, check=False
    ).stdout.splitlines()
    paths = sorted({line.split(": ")[0].rstrip(":") for line in listed})
    return tuple(path for path in paths if path.endswith((".ttf", ".otf")) and _is_usable(path))


def _is_usable(path: str) -> bool:
    if any(word in path for word in UNREADABLE):
        return False
    try:
        pictures = {bytes(_written(path, str(digit), 24).tobytes()) for digit in range(1, 9)}
    except (OSError, ValueError):
        return False
    return len(pictures) == 8


def _written(path: str, text: str, height: int) -> Mask:
    """A text in a font whose capitals are about `height` pixels high, cropped to what is drawn."""
    face = ImageFont.truetype(path, max(6, round(height * 1.38)))
    left, top, right, bottom = (int(value) for value in face.getbbox(text))
    picture = Pillow.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(picture).text((-left, -top), text, fill=255, font=face)
    return (np.asarray(picture) / 255).astype(np.float32)


def random_look(rng: Rng) -> Look:
    """The layout of a shipped theme, or grey bevels, flat colours or the buttons of a toolkit."""
    kind = str(rng.choice(["layout", "bevel", "flat", "buttons"], p=[0.45, 0.3, 0.1, 0.15]))
    if kind == "layout":
        return _theme_look(rng)
    cell = int(rng.integers(14, 41))
    base = _near(rng, (192, 192, 192) if rng.random() < 0.6 else _grey(int(rng.integers(170, 236))), 8)
    darker, lighter = _shaded(base, rng.uniform(0.5, 0.75)), _shaded(base, rng.uniform(1.15, 1.4))
    width = int(rng.integers(1, max(2, cell // 7) + 1))
    covered = _plain(cell, base)
    opened = _plain(cell, base if rng.random() < 0.5 else _shaded(base, rng.uniform(0.85, 1.12)))
    if kind == "flat":
        covered = _plain(cell, _near(rng, _grey(int(rng.integers(120, 200))), 50))
        opened = _plain(cell, _near(rng, _grey(int(rng.integers(205, 250))), 15))
        _framed(covered, darker, 1)
        _framed(opened, darker, 1)
    else:
        _bevelled(covered, lighter, darker, width)
        if kind == "buttons" and rng.random() < 0.6:
            _bevelled(opened, darker, lighter, width)
        elif rng.random() < 0.8:
            line = 1 if rng.random() < 0.7 else 2
            opened[:line], opened[:, :line] = darker, darker
    return _with_pictures(rng, kind, cell, covered, opened, base)


def _theme_look(rng: Rng) -> Look:
    skin = load_skin(str(rng.choice(LAYOUTS)))
    glyph_set = skin.glyph_sets[int(rng.integers(len(skin.glyph_sets)))]
    shade = int(rng.integers(7)) if skin.shaded else 0
    covered, opened = (
        _of_shade(glyph_set, code, shade).copy() for code in (int(Cell.COVERED), int(Cell.EMPTY))
    )
    paper = skin.border["top"].bgr if skin.tiles is not None else _grey(192)
    if rng.random() < 0.3:
        change = rng.integers(-14, 15, 3)
        covered, opened = (
            np.clip(one.astype(int) + change, 0, 255).astype(np.uint8) for one in (covered, opened)
        )
    look = _with_pictures(rng, skin.name, glyph_set.cell[0], covered, opened, paper)
    sides = skin.border
    if "left" in sides and "right" in sides:
        look.border, look.border_width = (sides["left"].bgr, sides["right"].bgr), 3
    return look


def _of_shade(glyph_set: GlyphSet, code: int, shade: int) -> Image:
    pictures = glyph_set.glyphs[glyph_set.codes == code]
    picture: Image = pictures[min(shade, len(pictures) - 1)]
    return picture


def _with_pictures(rng: Rng, kind: str, cell: int, covered: Image, opened: Image, paper: Bgr) -> Look:
    """A look with these cells and with random digits, flags and mines."""
    classic = rng.random() < 0.7
    inks = CLASSIC_INKS if classic else tuple(_ink(rng) for _ in range(8))
    font = str(rng.choice(fonts()))
    border = None
    if rng.random() < 0.6:
        border = ((128, 128, 128), (255, 255, 255)) if rng.random() < 0.6 else (_grey(90), _grey(240))
    size = float(rng.uniform(0.4, 0.75))
    look = Look(
        kind, cell, covered, opened, paper, font, size, inks,
        int(rng.integers(4)), int(rng.integers(3)), border, int(rng.integers(1, 5)),
        (int(rng.integers(-1, 2)), int(rng.integers(-1, 2))),
    )  # fmt: skip
    look.words = {
        "kind": kind, "cell": str(cell), "font": Path(font).stem, "inks": "classic" if classic else "other",
        "size": f"{size:.2f}", "border": "none" if border is None else str(look.border_width),
    }  # fmt: skip
    return look


def _grey(value: int) -> Bgr:
    return value, value, value


def _near(rng: Rng, colour: Bgr, spread: int) -> Bgr:
    if rng.random() < 0.5:
        return colour
    blue, green, red = np.clip(np.array(colour) + rng.integers(-spread, spread + 1, 3), 0, 255).tolist()
    return int(blue), int(green), int(red)


def _shaded(colour: Bgr, factor: float) -> Bgr:
    blue, green, red = np.clip(np.array(colour) * factor, 0, 255).astype(int).tolist()
    return int(blue), int(green), int(red)


def _ink(rng: Rng) -> Bgr:
    hue, saturation, value = rng.integers(0, 180), rng.integers(120, 256), rng.integers(40, 190)
    pixel = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return int(pixel[0]), int(pixel[1]), int(pixel[2])


def _plain(cell: int, colour: Bgr) -> Image:
    picture = np.zeros((cell, cell, 3), np.uint8)
    picture[:] = colour
    return picture


def _bevelled(picture: Image, high: Bgr, low: Bgr, width: int) -> None:
    side = len(picture)
    for step in range(width):
        picture[step, : side - step], picture[: side - step, step] = high, high
    for step in range(width):
        picture[side - 1 - step, step + 1 :], picture[step + 1 :, side - 1 - step] = low, low


def _framed(picture: Image, colour: Bgr, width: int) -> None:
    picture[:width], picture[:, :width] = colour, colour


def _blended(picture: Image, mask: Mask, colour: Bgr) -> None:
    share = mask[..., None]
    picture[:] = (picture * (1 - share) + share * np.array(colour)).round().astype(np.uint8)


def _cell(look: Look, code: int) -> Image:
    """One cell as it is drawn, (cell, cell, 3)."""
    unopened = code in UNOPENED or code == Cell.WRONG_FLAG
    picture = (look.covered if unopened else look.opened).copy()
    if code == Cell.EXPLODED:
        inset = max(1, look.cell // 10)
        picture[inset:-inset, inset:-inset] = (40, 30, 230)
    if 1 <= code <= 8:
        _blended(picture, _centred(look, str(code)), look.inks[code - 1])
    elif code == Cell.QUESTION:
        _blended(picture, _centred(look, "?"), (0, 0, 0))
    elif code in (Cell.FLAG, Cell.WRONG_FLAG):
        for mask, colour in _flag(look):
            _blended(picture, mask, colour)
        if code == Cell.WRONG_FLAG:
            _blended(picture, _cross(look.cell), (0, 0, 0))
    elif code in (Cell.MINE, Cell.EXPLODED):
        dark = look.opened[look.cell // 2, look.cell // 2].max() < 128 and code == Cell.MINE
        _blended(picture, _mine(look), (240, 240, 240) if dark else (10, 10, 10))
    return np.asarray(picture, np.uint8)


def _centred(look: Look, text: str) -> Mask:
    mask = _written(look.font, text, round(look.size * look.cell))[: look.cell - 4, : look.cell - 4]
    out = np.zeros((look.cell, look.cell), np.float32)
    y = (look.cell - mask.shape[0]) // 2 + look.offset[1]
    x = (look.cell - mask.shape[1]) // 2 + look.offset[0]
    out[y : y + mask.shape[0], x : x + mask.shape[1]] = mask
    return out


def _polygon(cell: int, *points: tuple[float, float]) -> Mask:
    large = np.zeros((cell * OVER, cell * OVER), np.uint8)
    cv2.fillPoly(large, [np.array([(x * cell * OVER, y * cell * OVER) for x, y in points], np.int32)], 255)
    return np.asarray(cv2.resize(large, (cell, cell), interpolation=cv2.INTER_AREA) / 255, np.float32)


def _flag(look: Look) -> list[tuple[Mask, Bgr]]:
    red, dark, cell = (0, 0, 230), (10, 10, 10), look.cell
    if look.flag == 0:
        pole = _polygon(cell, (0.48, 0.2), (0.56, 0.2), (0.56, 0.8), (0.48, 0.8))
        return [(pole, dark), (_polygon(cell, (0.54, 0.2), (0.22, 0.35), (0.54, 0.5)), red)]
    if look.flag == 1:
        pole = _polygon(cell, (0.3, 0.2), (0.38, 0.2), (0.38, 0.82), (0.3, 0.82))
        return [(pole, dark), (_polygon(cell, (0.36, 0.2), (0.76, 0.36), (0.36, 0.52)), red)]
    if look.flag == 2:
        return [(_polygon(cell, (0.3, 0.24), (0.74, 0.5), (0.3, 0.76)), red)]
    return [(_centred(look, "F"), red)]


def _mine(look: Look) -> Mask:
    cell = look.cell
    large = np.zeros((cell * OVER, cell * OVER), np.uint8)
    middle = cell * OVER // 2
    if look.mine == 2:
        return _centred(look, "*")
    cv2.circle(large, (middle, middle), round(0.26 * cell * OVER), 255, -1)
    if look.mine == 1:
        for x, y in ((0.14, 0.5), (0.5, 0.14), (0.25, 0.25), (0.25, 0.75)):
            ends = [
                (round(part * cell * OVER), round(other * cell * OVER))
                for part, other in ((x, y), (1 - x, 1 - y))
            ]
            cv2.line(large, ends[0], ends[1], 255, max(1, cell * OVER // 16))
    return np.asarray(cv2.resize(large, (cell, cell), interpolation=cv2.INTER_AREA) / 255, np.float32)


def _cross(cell: int) -> Mask:
    one = _polygon(cell, (0.15, 0.22), (0.22, 0.15), (0.85, 0.78), (0.78, 0.85))
    crossed: Mask = np.maximum(one, one[:, ::-1])
    return crossed


def draw(rng: Rng, name: str, *, largest: int = 256) -> LabelledPicture:
    """A picture of a board that looks nearly like a theme; at most `largest` cells."""
    look = random_look(rng)
    columns, rows = random_size(rng, largest=largest)
    board = random_position(rng, columns, rows, usual=True)
    canvas, grid = _picture(rng, look, board)
    if rng.random() < 0.25:
        factor = float(rng.uniform(0.8, 2.0))
        size = round(canvas.shape[1] * factor), round(canvas.shape[0] * factor)
        across, down = size[0] / canvas.shape[1], size[1] / canvas.shape[0]
        way = cv2.INTER_AREA if factor < 1 else int(rng.choice([cv2.INTER_LINEAR, cv2.INTER_CUBIC]))
        canvas = np.asarray(cv2.resize(canvas, size, interpolation=way), np.uint8)
        grid = Grid(
            grid.x * across, grid.y * down, grid.cell_width * across, grid.cell_height * down, columns, rows
        )
        look.words["scaled"] = f"{factor:.2f}"
    if rng.random() < 0.1:
        quality = int(rng.integers(60, 96))
        canvas = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", canvas, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1), np.uint8
        )
        look.words["jpeg"] = str(quality)
    return LabelledPicture(name, canvas, (LabelledBoard(grid, board, look.words),), f"look-alike {look.kind}")


def _picture(rng: Rng, look: Look, board: Board) -> tuple[Image, Grid]:
    """The board in its window, and where its cells lie."""
    cell = look.cell
    left, right, bottom = (int(value) for value in rng.integers(4, 40, 3))
    top = int(rng.integers(4, 70))
    if rng.random() < 0.1:
        left = top = right = bottom = 0
    width, height = board.columns * cell, board.rows * cell
    canvas = np.zeros((top + height + bottom, left + width + right, 3), np.uint8)
    canvas[:] = look.paper
    if look.border is not None and min(left, top, right, bottom) >= look.border_width:
        thick = look.border_width
        canvas[top - thick : top + height + thick, left - thick : left + width + thick] = look.border[1]
        canvas[top - thick : top + height, left - thick : left + width] = look.border[0]
    drawn = {int(code): _cell(look, int(code)) for code in np.unique(board.codes)}
    for row in range(board.rows):
        for column in range(board.columns):
            y, x = top + row * cell, left + column * cell
            canvas[y : y + cell, x : x + cell] = drawn[board[row, column]]
    if top > 30:
        _blended(canvas[4:24, 4 : 4 + 40], np.ones((20, min(40, canvas.shape[1] - 4)), np.float32), (0, 0, 0))
    return canvas, Grid(left, top, cell, cell, board.columns, board.rows)


def main() -> None:
    """Draw the pictures that are not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=256, help="cells of the largest board")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for number in range(options.pictures):
        name = f"{options.seed:03}-{number:05}"
        if not (options.out / f"{name}.json").exists():
            write_sample(
                options.out,
                draw(np.random.default_rng([options.seed, number]), name, largest=options.largest),
            )


if __name__ == "__main__":
    main()
