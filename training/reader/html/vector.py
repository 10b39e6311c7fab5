"""A board as SVG, or drawn on a canvas by a script."""

from __future__ import annotations

import json
from dataclasses import replace
from html import escape
from typing import Any

from bot.board import Board
from training.reader.html.looks.colours import Rng, css
from training.reader.html.looks.look import CellLook, Look
from training.reader.html.markup import fills, rims

Shape = dict[str, Any]
"""One thing that is drawn: its `kind` is rect, poly, text or image, its lengths are CSS pixels."""

SPRITE_SIDES = (12, 16, 16, 16, 20, 24)
"""The sides of the cells of small canvases, which the page enlarges."""

SCRIPT = """
function drawBoard(id, shapes, across, down, faces) {
  const canvas = document.getElementById(id), g = canvas.getContext('2d');
  const images = shapes.filter(s => s.kind == 'image').map(s => {
    s.image = new Image(); s.image.src = s.url; return s.image.decode(); });
  return Promise.all([...images, ...faces.map(f => document.fonts.load(f, '12345678?'))]).then(() => {
    g.scale(across, down);
    for (const s of shapes) {
      g.fillStyle = s.fill || 'transparent';
      if (s.last) {
        const d = g.createLinearGradient(s.x, s.y, s.across ? s.x + s.w : s.x, s.across ? s.y : s.y + s.h);
        d.addColorStop(0, s.fill); d.addColorStop(1, s.last); g.fillStyle = d;
      }
      if (s.kind == 'rect') {
        g.beginPath(); g.roundRect(s.x, s.y, s.w, s.h, s.r); g.fill();
        if (s.line) { g.strokeStyle = s.line; g.lineWidth = s.thick; g.stroke(); }
      } else if (s.kind == 'poly') {
        g.beginPath(); s.points.forEach((p, i) => i ? g.lineTo(...p) : g.moveTo(...p)); g.fill();
      } else if (s.kind == 'text') {
        g.font = s.font; g.textAlign = 'center'; g.textBaseline = s.emoji ? 'middle' : 'alphabetic';
        g.fillText(s.text, s.x, s.emoji ? s.y : s.y + s.size * 0.36);
      } else g.drawImage(s.image, s.x, s.y, s.w, s.h);
    }
  });
}
"""
"""Draws the shapes of a board when its images and fonts are there."""


def _face(
    kind: CellLook, parity: int, fill: tuple[int, int, int] | None, x: float, y: float, look: Look
) -> list[Shape]:
    """The shapes of the face of a cell whose corner lies at (x, y)."""
    surface = kind.surface
    first, last = surface.colours(parity, fill or kind.fill)
    width, height = look.cell_width - 2 * surface.margin, look.cell_height - 2 * surface.margin
    left, top = x + surface.margin, y + surface.margin
    radius = surface.radius * min(width, height)
    rect: Shape = {
        "kind": "rect",
        "x": left,
        "y": top,
        "w": width,
        "h": height,
        "r": radius,
        "fill": css(first),
    }
    if surface.gradient:
        rect |= {"last": css(last), "across": "right" in surface.gradient}
    shapes = [rect]
    thick = surface.width
    light, dark = css(surface.light), css(surface.dark)
    right, bottom = left + width, top + height
    if surface.border == "solid":
        rect |= {"x": left + thick / 2, "y": top + thick / 2, "w": width - thick, "h": height - thick}
        rect |= {"line": dark, "thick": thick}
    elif surface.border in ("bevel", "outset", "ridge", "inset", "sunken", "groove"):
        if surface.border in ("inset", "sunken", "groove"):
            light, dark = dark, light
        inner = [(left + thick, top + thick), (right - thick, bottom - thick)]
        upper = [
            (left, top),
            (right, top),
            (right - thick, top + thick),
            inner[0],
            (left + thick, bottom - thick),
        ]
        lower = [
            (right, bottom),
            (left, bottom),
            (left + thick, bottom - thick),
            inner[1],
            (right - thick, top + thick),
        ]
        shapes.append({"kind": "poly", "points": [*upper, (left, bottom)], "fill": light})
        shapes.append({"kind": "poly", "points": [*lower, (right, top)], "fill": dark})
    elif surface.border in ("edge", "lines"):
        shapes.append(
            {"kind": "rect", "x": left, "y": bottom - thick, "w": width, "h": thick, "r": 0, "fill": dark}
        )
        if surface.border == "lines":
            shapes.append(
                {"kind": "rect", "x": right - thick, "y": top, "w": thick, "h": height, "r": 0, "fill": dark}
            )
    return shapes


def _mark(kind: CellLook, x: float, y: float, look: Look) -> list[Shape]:
    """The shapes of what stands on a cell whose corner lies at (x, y)."""
    mark = kind.mark
    if mark is None:
        return []
    side = min(look.cell_width, look.cell_height)
    middle_x, middle_y = x + look.cell_width / 2, y + look.cell_height / 2
    size = mark.size * side
    shapes: list[Shape] = []
    if mark.drawing is None:
        rules = dict(rule.split(":", 1) for rule in mark.style.split(";") if ":" in rule)
        weight = rules.get("font-weight", "400")
        style = "italic " if "font-style" in rules else ""
        emoji = "Emoji" in mark.fonts or not mark.text.isascii()
        shapes.append(
            {
                "kind": "text",
                "x": middle_x + look.shift[0] * side,
                "y": middle_y + look.shift[1] * side,
                "size": size,
                "text": mark.text,
                "font": f"{style}{weight} {size:.2f}px {mark.fonts}",
                "fill": css(mark.colour),
                "emoji": emoji,
            }
        )
    else:
        width = size * mark.drawing.width / mark.drawing.height
        shapes.append(_image(mark.drawing.body, mark.drawing.width, mark.drawing.height, css(mark.colour)))
        shapes[-1] |= {"x": middle_x - width / 2, "y": middle_y - size / 2, "w": width, "h": size}
    if mark.cross:
        shapes.append(_image(mark.cross, 100, 100, "black"))
        shapes[-1] |= {"x": x, "y": y, "w": look.cell_width, "h": look.cell_height}
    return shapes


def _image(body: str, width: float, height: float, colour: str) -> Shape:
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width * 4:g}" height="{height * 4:g}"'
    svg = f'<svg {spaces} {size} color="{colour}">{body}</svg>'
    url = "data:image/svg+xml," + svg.replace("%", "%25").replace("#", "%23").replace('"', "%22")
    return {"kind": "image", "url": url, "body": body, "box": f"0 0 {width:g} {height:g}", "colour": colour}


def shapes_of(rng: Rng, look: Look, board: Board) -> list[Shape]:
    """Everything that is drawn of a board."""
    changed = fills(rng, look, board)
    width, height = look.cell_width, look.cell_height
    ground = {"kind": "rect", "x": 0, "y": 0, "w": width * board.columns, "h": height * board.rows, "r": 0}
    shapes: list[Shape] = [ground | {"fill": css(look.scheme.ground)}]
    for row in range(board.rows):
        for column in range(board.columns):
            kind = look.cells[int(board.codes[row, column])]
            x, y = column * width, row * height
            shapes += _face(kind, (row + column) % 2, changed.get((row, column)), x, y, look)
            shapes += _mark(kind, x, y, look)
    if look.rim is not None:
        line = css(look.rim[0])
        for x, y, across, down in rims(look, board):
            shapes.append({"kind": "rect", "x": x, "y": y, "w": across, "h": down, "r": 0, "fill": line})
    return shapes


def svg(rng: Rng, look: Look, board: Board) -> str:
    """A board as an SVG element."""
    parts = []
    gradients: dict[tuple[str, str, bool], str] = {}
    name = f"g{rng.integers(1 << 40)}"
    for shape in shapes_of(rng, look, board):
        kind, fill = shape["kind"], shape.get("fill", "none")
        if "last" in shape:
            key = (fill, shape["last"], bool(shape["across"]))
            gradients.setdefault(key, f"{name}x{len(gradients)}")
            fill = f"url(#{gradients[key]})"
        if kind == "rect":
            line = f' stroke="{shape["line"]}" stroke-width="{shape["thick"]:g}"' if "line" in shape else ""
            parts.append(
                f'<rect x="{shape["x"]:g}" y="{shape["y"]:g}" width="{shape["w"]:g}" height="{shape["h"]:g}" '
                f'rx="{shape["r"]:.2f}" fill="{fill}"{line}/>'
            )
        elif kind == "poly":
            points = " ".join(f"{x:g},{y:g}" for x, y in shape["points"])
            parts.append(f'<polygon points="{points}" fill="{fill}"/>')
        elif kind == "text":
            place = f'x="{shape["x"]:.2f}" y="{shape["y"] + shape["size"] * 0.36:.2f}" text-anchor="middle"'
            style = f'style="font:{escape(shape["font"])}" fill="{fill}"'
            parts.append(f"<text {place} {style}>{escape(shape['text'])}</text>")
        else:
            place = f'x="{shape["x"]:.2f}" y="{shape["y"]:.2f}"'
            size = f'width="{shape["w"]:.2f}" height="{shape["h"]:.2f}" viewBox="{shape["box"]}"'
            parts.append(f'<svg {place} {size} style="color:{shape["colour"]}">{shape["body"]}</svg>')
    definitions = "".join(
        f'<linearGradient id="{key}" x1="0" y1="0" x2="{int(across)}" y2="{int(not across)}">'
        f'<stop offset="0" stop-color="{first}"/><stop offset="1" stop-color="{last}"/></linearGradient>'
        for (first, last, across), key in gradients.items()
    )
    width, height = look.cell_width * board.columns, look.cell_height * board.rows
    crisp = ' shape-rendering="crispEdges"' if rng.random() < 0.3 else ""
    return (
        f'<svg class="board" style="display:block" width="{width:g}" height="{height:g}"{crisp}>'
        f"<defs>{definitions}</defs>{''.join(parts)}</svg>"
    )


def canvas(rng: Rng, look: Look, board: Board, scale: float) -> tuple[str, str]:
    """A board as a canvas, and the expression that draws it: a promise.

    `scale` is the number of pixels of a CSS pixel. A canvas of sprites has few pixels a cell and is enlarged.
    """
    name = f"c{rng.integers(1 << 40)}"
    factor = float(rng.choice([1, scale, scale, 2]))
    style = ""
    if look.technique == "sprites":
        side = min(int(rng.choice(SPRITE_SIDES)), int(look.cell_width * scale))
        factor = side / look.cell_width
        if rng.random() < 0.6:
            style = "image-rendering:pixelated;"
        # Lengths of whole pixels of the sprite, as somebody draws them.
        look = _whole(look, factor)
    shapes = shapes_of(rng, look, board)
    faces = [
        f"{weight} 20px '{look.font.family}'"
        for weight in ((*look.font.weights,) if look.font.files else (400,))
    ]
    width, height = look.cell_width * board.columns, look.cell_height * board.rows
    # A canvas has whole pixels: the drawing fills them exactly, lest the grid is off by a part of one.
    pixels = round(width * factor), round(height * factor)
    size = f'width="{pixels[0]}" height="{pixels[1]}"'
    style += f"display:block;width:{width:g}px;height:{height:g}px"
    element = f'<canvas class="board" id="{name}" {size} style="{style}"></canvas>'
    for shape in shapes:
        shape.pop("body", None)
    scales = f"{pixels[0] / width},{pixels[1] / height}"
    return element, f"drawBoard('{name}',{json.dumps(shapes)},{scales},{json.dumps(faces)})"


def _whole(look: Look, factor: float) -> Look:
    """The look with borders and margins of whole pixels of a canvas that has `factor` pixels a CSS pixel."""

    def rounded(kind: CellLook) -> CellLook:
        surface = kind.surface
        width = max(1, round(surface.width * factor)) / factor if surface.width else 0
        margin = max(1, round(surface.margin * factor)) / factor if surface.margin >= 1 else 0
        return replace(kind, surface=replace(surface, width=width, margin=margin))

    return replace(look, cells={code: rounded(kind) for code, kind in look.cells.items()})
