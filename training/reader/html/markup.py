"""A board as HTML elements: a grid, a table, rows, or elements that lie where they are put."""

from __future__ import annotations

import numpy as np

from bot.board import Board, Cell
from training.reader.html.looks.colours import Colour, Rng, css, hsl, shade
from training.reader.html.looks.look import Look

BASE = """
*{box-sizing:border-box}
body{margin:0}
.face{position:absolute;border:0;font:inherit;display:flex;align-items:center;justify-content:center;overflow:hidden;padding:0;
line-height:1;white-space:nowrap}
.cell{position:relative;padding:0;margin:0;overflow:visible}
.mark,.face>svg{flex:none}
.over{position:absolute;inset:0;width:100%;height:100%}
.board table,table.board{border-collapse:separate;border-spacing:0}
.rim{position:absolute}
.section{position:absolute;overflow:hidden;left:0}
"""
"""The rules that all boards share."""


def fills(rng: Rng, look: Look, board: Board) -> dict[tuple[int, int], Colour]:
    """The fills of cells that differ from that of their kind: swept, pointed at, or of coloured mines."""
    changed = {}
    if look.coloured_mines:
        for row, column in np.argwhere(board.codes == Cell.MINE).tolist():
            changed[row, column] = hsl(rng.random(), 0.75, 0.62)
    direction, amount = look.sweep
    covered = [
        (r, c) for r in range(board.rows) for c in range(board.columns) if board.codes[r, c] == Cell.COVERED
    ]
    kind = look.cells[Cell.COVERED]
    for row, column in covered if direction else []:
        base = kind.surface.fills[(row + column) % len(kind.surface.fills)]
        along = {"x": column / board.columns, "y": row / board.rows, "each": rng.random()}
        part = along.get(direction, (row + column) / (board.rows + board.columns))
        changed[row, column] = shade(base, amount * (2 * part - 1) * (0.5 if direction == "each" else 1))
    if look.hover and covered:
        row, column = covered[int(rng.integers(len(covered)))]
        base = kind.surface.fills[(row + column) % len(kind.surface.fills)]
        changed[row, column] = shade(changed.get((row, column), base), look.hover)
    return changed


def rims(look: Look, board: Board) -> list[tuple[float, float, float, float]]:
    """Where the line runs that ends the covered cells: left, top, width and height in CSS pixels."""
    if look.rim is None:
        return []
    face = look.cells[Cell.COVERED].surface
    covered = np.array([[look.cells[code].surface is face for code in row] for row in board.codes.tolist()])
    width, height, line = look.cell_width, look.cell_height, look.rim[1]
    across = np.argwhere(covered[:, 1:] != covered[:, :-1]).tolist()
    down = np.argwhere(covered[1:] != covered[:-1]).tolist()
    return [((c + 1) * width - line / 2, r * height, line, height) for r, c in across] + [
        (c * width - line / 2, (r + 1) * height - line / 2, width + line, line) for r, c in down
    ]


def style_rules(name: str, look: Look) -> str:
    """The CSS of all kinds of cells of a board whose element has the class `name`."""
    rules = [f".{name} .cell{{width:{look.cell_width:g}px;height:{look.cell_height:g}px}}"]
    for code, kind in look.cells.items():
        body = kind.surface.style(look.cell_width, look.cell_height)
        rules.append(f".{name} .k{code}{{{body}}}")
        for parity in range(2):
            rules.append(
                f".{name} .k{code}.p{parity}{{background:{kind.surface.background(parity, kind.fill)}}}"
            )
    x, y = look.shift
    if x or y:
        rules.append(
            f".{name} .mark{{transform:translate({x * look.cell_width:.2f}px,{y * look.cell_height:.2f}px)}}"
        )
    return "\n".join(rules)


def elements(rng: Rng, name: str, look: Look, board: Board) -> str:
    """The element of a board; the first child of each element of the class `cell` is the face of the cell."""
    changed = fills(rng, look, board)
    marks = {
        code: kind.mark.html(min(look.cell_width, look.cell_height)) if kind.mark else ""
        for code, kind in look.cells.items()
    }
    tag = "button" if rng.random() < 0.3 else "div"

    def cell(row: int, column: int) -> str:
        code = int(board.codes[row, column])
        parity = (row + column) % 2
        inline = ""
        if (row, column) in changed:
            fill = look.cells[code].surface.background(parity, changed[row, column])
            inline = f' style="background:{fill}"'
        return f'<{tag} class="face k{code} p{parity}"{inline}>{marks[code]}</{tag}>'

    lines = ""
    if look.rim is not None:
        colour = css(look.rim[0])
        place = f"left:{{:g}}px;top:{{:g}}px;width:{{:g}}px;height:{{:g}}px;background:{colour}"
        lines = "".join(
            f'<div class="rim" style="{place.format(*line)}"></div>' for line in rims(look, board)
        )
    width, height = look.cell_width, look.cell_height
    rows, columns = range(board.rows), range(board.columns)
    size = f"width:{width * board.columns:g}px;height:{height * board.rows:g}px"
    ground = f"background:{css(look.scheme.ground)};{size}"
    if look.technique == "table":
        body = "".join(
            "<tr>" + "".join(f'<td class="cell">{cell(r, c)}</td>' for c in columns) + "</tr>" for r in rows
        )
        return f'<table class="board {name}" style="table-layout:fixed;{ground}">{body}</table>'
    if look.technique == "flex":
        body = "".join(
            '<div style="display:flex">'
            + "".join(f'<div class="cell">{cell(r, c)}</div>' for c in columns)
            + "</div>"
            for r in rows
        )
        return f'<div class="board {name}" style="position:relative;{ground}">{body}{lines}</div>'
    if look.technique == "absolute":
        place = "position:absolute;left:{:g}px;top:{:g}px"
        body = "".join(
            f'<div class="cell" style="{place.format(c * width, r * height)}">{cell(r, c)}</div>'
            for r in rows
            for c in columns
        )
        return f'<div class="board {name}" style="position:relative;{ground}">{body}{lines}</div>'
    body = "".join(f'<div class="cell">{cell(r, c)}</div>' for r in rows for c in columns)
    columns_rule = f"grid-template-columns:repeat({board.columns},{width:g}px)"
    style = f"position:relative;display:grid;{columns_rule};{ground}"
    return f'<div class="board {name}" style="{style}">{body}{lines}</div>'
