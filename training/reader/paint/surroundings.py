"""What a window, a page or a desktop shows around a board."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from training.reader.paint.boards import PaintedBoard, Picture
from training.reader.paint.colours import BLACK, WHITE, Colour, Rng, any_colour, contrasting, of_hue, shifted
from training.reader.paint.digits import SEGMENT_BARS
from training.reader.paint.fonts import TEXT_CODES, font, font_families

WORDS = (
    "Minesweeper New Game Time Mines Score Best Level Beginner Easy Hard Options Help File View Edit Restart "
    "Pause Settings Undo Hint 10 40 99 0:42 123 007 1.5x of left the and Player Start Quit Back Menu"
)
BORDERS = {"none": 0.3, "line": 0.25, "bevel": 0.3, "band": 0.15}


def surround(rng: Rng, board: PaintedBoard) -> tuple[Picture, int, int, str]:
    """A picture with the board in it, the place of the board's left upper corner, and the kind of picture."""
    framed, left, top = _framed(rng, board)
    kind = str(rng.choice(["bare", "window", "page", "desktop"], p=[0.15, 0.4, 0.25, 0.2]))
    if kind == "bare":
        return framed, left, top, kind
    ground = _ground(rng, board)
    inner, x, y = _panel(rng, framed, ground)
    left, top = left + x, top + y
    if kind != "page":
        inner, x, y = _window(rng, inner)
        left, top = left + x, top + y
    if kind == "page":
        inner, x, y = _page(rng, inner, ground)
        left, top = left + x, top + y
    elif kind == "desktop":
        inner, x, y = _desktop(rng, inner)
        left, top = left + x, top + y
    return inner, left, top, kind


def _ground(rng: Rng, board: PaintedBoard) -> Colour:
    """The colour around the board: often one of its own."""
    way = rng.random()
    if way < 0.35:
        return board.tiles.covered.colours[0]
    if way < 0.5:
        return shifted(board.tiles.covered.colours[0], rng.uniform(-40, 40))
    return (
        any_colour(rng)
        if way < 0.75
        else of_hue(rng.random(), rng.uniform(0, 0.1), rng.choice([0.1, 0.2, 0.9, 1]))
    )


def _filled(height: int, width: int, colour: Colour) -> Picture:
    return np.full((height, width, 3), colour, np.uint8)


def _padded(picture: Picture, left: int, top: int, right: int, bottom: int, colour: Colour) -> Picture:
    height, width = picture.shape[:2]
    result = _filled(height + top + bottom, width + left + right, colour)
    result[top : top + height, left : left + width] = picture
    return result


def _framed(rng: Rng, board: PaintedBoard) -> tuple[Picture, int, int]:
    """The board with its closing lines and a frame."""
    picture, gap = board.picture, board.tiles.covered.gap
    before, behind = gap[1], gap[0]  # each edge gets what its cells lack of a whole gap
    if rng.random() < 0.4:
        before, behind = 0, 0
    picture = _padded(picture, before, before, behind, behind, board.tiles.covered.ground)
    kind = str(rng.choice(list(BORDERS), p=list(BORDERS.values())))
    if kind == "none":
        return picture, before, before
    thick = int(rng.integers(1, 7)) if kind != "line" else int(rng.integers(1, 4))
    base = board.tiles.covered.colours[0]
    if kind == "bevel":
        strength = rng.uniform(30, 100) * rng.choice([1, -1])
        result = _padded(picture, thick, thick, thick, thick, base)
        _bevel(result, thick, shifted(base, -strength), shifted(base, strength))
    else:
        colour = (
            any_colour(rng)
            if rng.random() < 0.5
            else shifted(base, rng.choice([-1, 1]) * rng.uniform(30, 120))
        )
        result = _padded(picture, thick, thick, thick, thick, colour)
    return result, before + thick, before + thick


def _bevel(picture: Picture, thick: int, upper: Colour, lower: Colour) -> None:
    """Draw a bevel along the inner edge of a picture; changes it."""
    height, width = picture.shape[:2]
    for step in range(thick):
        picture[height - 1 - step, step : width - step] = lower
        picture[step : height - step, width - 1 - step] = lower
        picture[step, step : width - 1 - step] = upper
        picture[step : height - 1 - step, step] = upper


def _panel(rng: Rng, framed: Picture, ground: Colour) -> tuple[Picture, int, int]:
    """The board in a panel, with a header of counters and a face, or buttons, or nothing."""
    margins = rng.integers(0, 24, 4) if rng.random() < 0.7 else rng.integers(0, 90, 4)
    left, top, right, bottom = margins.tolist()
    kind = str(rng.choice(["counters", "text", "none"], p=[0.45, 0.25, 0.3]))
    header = 0 if kind == "none" else int(rng.integers(24, 64))
    result = _padded(framed, left, top + header, right, bottom, ground)
    if header:
        area = result[:header]
        if kind == "counters":
            _draw_counters(rng, area, ground)
        else:
            _draw_text_line(rng, area, ground)
    return result, left, top + header


def _draw_counters(rng: Rng, area: Picture, ground: Colour) -> None:
    """Two counters and a face between them; changes `area`, (height, width, 3)."""
    height, width = area.shape[:2]
    high = max(int(height * rng.uniform(0.5, 0.8)), 12)
    top = (height - high) // 2
    lcd = rng.random() < 0.6
    ink = of_hue(rng.choice([0, 0, 0.3, 0.5]), 0.9, 1) if lcd else contrasting(any_colour(rng), ground, 90)
    for place in (0, 1):
        text = "".join(str(digit) for digit in rng.integers(0, 10, 3))
        box = _counter(text, high, ink) if lcd else _text_box(rng, text, high, ink, ground)
        wide = box.shape[1]
        margin = int(rng.integers(2, 14))
        x = margin if place == 0 else width - margin - wide
        if 0 <= x <= width - wide and (place == 0 or x > wide + margin) and box.shape[0] <= height - top:
            area[top : top + box.shape[0], x : x + wide] = box
    if rng.random() < 0.7 and width > high * 5:
        _draw_face(rng, area, width // 2, height // 2, high)


def _counter(text: str, high: int, ink: Colour) -> Picture:
    """A number in lit segments on black."""
    across = max(high // 2, 6)
    picture = Pillow.new("RGB", (across * len(text) + 4, high), BLACK)
    draw = ImageDraw.Draw(picture)
    thick = max(high // 9, 1)
    dim = tuple(channel // 4 for channel in ink)
    for place, digit in enumerate(text):
        x0, x1 = place * across + 3, (place + 1) * across - 1
        for name, (left, top, right, bottom) in SEGMENT_BARS.items():
            lit = (
                name
                in ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")[
                    int(digit)
                ]
            )
            ends = (
                x0 + left * (x1 - x0),
                2 + top * (high - 5),
                x0 + right * (x1 - x0),
                2 + bottom * (high - 5),
            )
            draw.line(ends, fill=ink if lit else dim, width=thick)
    return np.asarray(picture, np.uint8)


def _draw_face(rng: Rng, area: Picture, x: int, y: int, high: int) -> None:
    """A face on a button; changes `area`."""
    half = high // 2
    grey = of_hue(0, 0, rng.uniform(0.7, 0.9))
    area[y - half : y + half, x - half : x + half] = grey
    _bevel(
        area[y - half : y + half, x - half : x + half],
        max(high // 14, 1),
        shifted(grey, 60),
        shifted(grey, -60),
    )
    picture = Pillow.fromarray(area)
    draw = ImageDraw.Draw(picture)
    radius = half * 0.65
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=of_hue(0.15, 0.9, 1), outline=BLACK)
    for side in (-1, 1):
        eye = x + side * radius * 0.4
        draw.ellipse((eye - 1, y - radius * 0.4 - 1, eye + 1, y - radius * 0.4 + 1), fill=BLACK)
    box = (x - radius * 0.5, y - radius * 0.3, x + radius * 0.5, y + radius * 0.6)
    draw.arc(box, 20, 160, fill=BLACK)
    area[:] = np.asarray(picture)


def _text_box(rng: Rng, text: str, high: int, ink: Colour, ground: Colour) -> Picture:
    """Text on a ground, `high` pixels high."""
    sized = _text_font(rng, max(int(high * 0.75), 8))
    wide = int(sized.getlength(text)) + 4 if sized else 4
    picture = Pillow.new("RGB", (max(wide, 4), high), ground)
    if sized:
        ImageDraw.Draw(picture).text((2, high // 2), text, fill=ink, font=sized, anchor="lm")
    return np.asarray(picture, np.uint8)


def _text_font(rng: Rng, size: int) -> ImageFont.FreeTypeFont | None:
    families = font_families(TEXT_CODES)
    names = list(families)
    if not names:
        return None
    files = families[names[rng.integers(len(names))]]
    return font(files[rng.integers(len(files))], size)


def _sentence(rng: Rng, words: int) -> str:
    return " ".join(rng.choice(WORDS.split(), max(words, 1)))


def _draw_text_line(rng: Rng, area: Picture, ground: Colour) -> None:
    """A line of words somewhere in an area; changes it."""
    height, width = area.shape[:2]
    high = int(min(height, rng.integers(12, 34)))
    ink = contrasting(any_colour(rng), ground, 60)
    box = _text_box(rng, _sentence(rng, int(rng.integers(1, 8))), high, ink, ground)[:, :width]
    x = int(rng.integers(0, max(width - box.shape[1], 0) + 1))
    y = int(rng.integers(0, max(height - high, 0) + 1))
    area[y : y + box.shape[0], x : x + box.shape[1]] = box[: height - y]


def _window(rng: Rng, inner: Picture) -> tuple[Picture, int, int]:
    """A window with a title bar, at times a menu or a toolbar, and borders."""
    border, title, bar = int(rng.integers(0, 9)), int(rng.integers(0, 38)), 0
    colour = any_colour(rng)
    if rng.random() < 0.5:
        bar = int(rng.integers(16, 44))
    result = _padded(inner, border, max(title, border) + bar, border, border, colour)
    if title >= 14:
        area = result[:title]
        if rng.random() < 0.4:
            other = any_colour(rng)
            parts = np.linspace(0, 1, area.shape[1])[None, :, None]
            area[:] = (np.array(colour) * (1 - parts) + np.array(other) * parts).astype(np.uint8)
        box = _text_box(
            rng,
            "Minesweeper" if rng.random() < 0.6 else _sentence(rng, 2),
            title - 4,
            contrasting(WHITE, colour, 80),
            colour,
        )
        box = box[:, : max(area.shape[1] - 60, 0)]
        area[2 : 2 + box.shape[0], border + 2 : border + 2 + box.shape[1]] = box[
            :, : area.shape[1] - border - 2
        ]
        _draw_title_buttons(rng, area, colour)
    if bar:
        start = max(title, border)
        paper = of_hue(0, 0, rng.uniform(0.75, 1)) if rng.random() < 0.7 else any_colour(rng)
        result[start : start + bar, border : result.shape[1] - border] = paper
        _draw_tools(rng, result[start : start + bar, border : result.shape[1] - border], paper)
    if rng.random() < 0.5:
        _bevel(result, 1, shifted(colour, 60), shifted(colour, -60))
    return result, border, max(title, border) + bar


def _draw_title_buttons(rng: Rng, area: Picture, colour: Colour) -> None:
    height, width = area.shape[:2]
    size = max(height - 8, 6)
    ink, face = contrasting(any_colour(rng), colour, 60), any_colour(rng)
    for place in range(3):
        x = width - (place + 1) * (size + 3) - 3
        if x < 8:
            return
        if rng.random() < 0.7:
            cv2.rectangle(area, (x, 4), (x + size, 4 + size), face, -1)
        if place == 0:
            cv2.line(area, (x + 3, 7), (x + size - 3, 1 + size), ink, 1)
            cv2.line(area, (x + 3, 1 + size), (x + size - 3, 7), ink, 1)
        elif place == 1:
            cv2.rectangle(area, (x + 3, 7), (x + size - 3, 1 + size), ink, 1)
        else:
            cv2.line(area, (x + 3, 1 + size), (x + size - 3, 1 + size), ink, 1)


def _draw_tools(rng: Rng, area: Picture, paper: Colour) -> None:
    """A menu, or square buttons with figures; changes `area`."""
    height, width = area.shape[:2]
    if height < 24 or rng.random() < 0.5:
        _draw_text_line(rng, area, paper)
        return
    size = height - 6
    for x in range(4, width - size - 4, size + int(rng.integers(2, 9))):
        if rng.random() < 0.25:
            continue
        button = area[3 : 3 + size, x : x + size]
        button[:] = shifted(paper, -12)
        _bevel(button, 1, shifted(paper, 40), shifted(paper, -70))
        centre = (size // 2, size // 2)
        figure = np.ascontiguousarray(button)
        if rng.random() < 0.5:
            cv2.circle(figure, centre, size // 4, any_colour(rng), -1)
        else:
            cv2.rectangle(figure, (size // 4, size // 4), (size * 3 // 4, size * 3 // 4), any_colour(rng), -1)
        button[:] = figure


def _page(rng: Rng, inner: Picture, ground: Colour) -> tuple[Picture, int, int]:
    """Text lines and empty space around."""
    left, top, right, bottom = (int(side) for side in rng.integers(0, 160, 4))
    result = _padded(inner, left, top, right, bottom, ground)
    for area in (result[:top], result[result.shape[0] - bottom :]):
        for start in range(4, area.shape[0] - 26, int(rng.integers(22, 60))):
            if rng.random() < 0.6:
                _draw_text_line(rng, area[start : start + 26], ground)
    if right > 60 and rng.random() < 0.5:
        side = result[top : top + inner.shape[0], left + inner.shape[1] + 6 :]
        for start in range(0, side.shape[0] - 30, 34):
            _draw_text_line(rng, side[start : start + 30], ground)
    return result, left, top


def _desktop(rng: Rng, inner: Picture) -> tuple[Picture, int, int]:
    """A background with icons and parts of other windows."""
    left, top, right, bottom = (int(side) for side in rng.integers(0, 220, 4))
    result = _padded(inner, left, top, right, bottom, any_colour(rng))
    height, width = result.shape[:2]
    way = rng.random()
    if way < 0.4:
        ends = [np.array(any_colour(rng), np.float32) for _ in range(2)]
        parts = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
        result[:] = np.broadcast_to(ends[0] * (1 - parts) + ends[1] * parts, result.shape).astype(np.uint8)
    elif way < 0.6:
        rough = rng.integers(0, 256, (6, 8, 3)).astype(np.uint8)
        result[:] = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
    for _ in range(int(rng.integers(0, 5))):
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        wide, high = int(rng.integers(20, 300)), int(rng.integers(20, 200))
        paper = any_colour(rng)
        area = result[y : y + high, x : x + wide]
        area[:] = paper
        for start in range(2, area.shape[0] - 20, 22):
            if area.shape[1] > 20:
                _draw_text_line(rng, area[start : start + 20], paper)
    result[top : top + inner.shape[0], left : left + inner.shape[1]] = inner
    return result, left, top


def draw_pointer(rng: Rng, picture: Picture, tip: tuple[int, int]) -> None:
    """Draw a mouse pointer whose tip is at (x, y); changes the picture."""
    size = float(rng.uniform(12, 22))
    shape = [(0, 0), (0, 1), (0.23, 0.78), (0.4, 1.15), (0.55, 1.08), (0.38, 0.72), (0.68, 0.7)]
    corners = np.array([(tip[0] + x * size, tip[1] + y * size) for x, y in shape]).round().astype(np.int32)
    fill, line = (WHITE, BLACK) if rng.random() < 0.7 else (BLACK, WHITE)
    cv2.fillPoly(picture, [corners], fill, cv2.LINE_AA)
    cv2.polylines(picture, [corners], True, line, 1, cv2.LINE_AA)
