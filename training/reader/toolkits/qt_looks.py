"""Cells as Qt's buttons, labels, table items and graphics items, or painted by a widget of our own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.board import Board, Cell
from training.reader.paint.colours import Colour, Rng, contrasting, shifted
from training.reader.toolkits.schemes import Scheme, as_text

KINDS = ("buttons", "sheet", "labels", "table", "scene", "painted")
EMOJI: dict[int, str] = {Cell.FLAG: "🚩", Cell.MINE: "💣", Cell.EXPLODED: "💥", Cell.WRONG_FLAG: "❌"}
SHAPES = ("flat", "round", "gradient", "disc", "foot")

Place = Callable[[int, int], tuple[float, float, float, float]]
"""From row and column to x, y, width and height of a cell in its window, in the toolkit's pixels."""


@dataclass(frozen=True)
class QtLook:
    """How the cells of one board are made; lengths are in the toolkit's pixels."""

    kind: str
    scheme: Scheme
    width: int
    height: int
    gap: int
    radius: int
    border: int
    shape: str
    style: str
    family: str
    size: int
    """Of the text, in pixels."""
    bold: bool
    italic: bool
    emoji: bool
    """Whether flags and mines are colour pictures of a font."""
    grid_lines: bool

    def names(self) -> dict[str, str]:
        """What is kept of the look beside the picture."""
        return {
            "font": self.family,
            "inks": self.scheme.inks_name,
            "cells": f"qt {self.kind}, {self.shape}, {self.style}",
            "flag": "emoji" if self.emoji else self.scheme.flag,
            "mine": "emoji" if self.emoji else self.scheme.mine,
            "size": f"{self.width}x{self.height}",
        }

    def text_of(self, code: int) -> str:
        """What stands on a cell."""
        return EMOJI[code] if self.emoji and code in EMOJI else self.scheme.text_of(code)


def random_look(rng: Rng, scheme: Scheme, families: list[str], styles: list[str]) -> QtLook:
    """A random look of given colours, which alone tell covered from opened cells."""
    height = int(rng.integers(16, 46))
    width = height if rng.random() < 0.82 else max(round(height * rng.uniform(0.85, 1.4)), 16)
    kind = str(rng.choice(KINDS))
    gap = int(rng.choice([0, 1, 2, 3, 5], p=[0.3, 0.25, 0.25, 0.12, 0.08]))
    return QtLook(
        kind,
        scheme,
        width,
        height,
        max(gap, 1) if kind == "labels" else gap,
        int(rng.integers(0, height // 3)),
        int(rng.integers(1, 4)),
        str(rng.choice(SHAPES)),
        str(rng.choice(styles)),
        families[rng.integers(len(families))],
        max(round(height * rng.uniform(0.42, 0.72)), 9),
        bool(rng.random() < 0.45),
        bool(rng.random() < 0.08),
        bool(rng.random() < 0.35),
        bool(rng.random() < 0.7),
    )


def make_board(qt: Any, look: QtLook, board: Board) -> tuple[Any, Place]:
    """The widget of a whole board, and where its cells lie; `qt` has the names of Qt's modules."""
    makers = {"table": _table, "scene": _scene, "painted": _painted}
    return makers.get(look.kind, _cells)(qt, look, board)


def text_font(qt: Any, look: QtLook) -> Any:
    """The font of the digits."""
    font = qt.QFont(look.family)
    font.setPixelSize(look.size)
    font.setBold(look.bold)
    font.setItalic(look.italic)
    return font


def _cells(qt: Any, look: QtLook, board: Board) -> tuple[Any, Place]:
    """A layout of a widget a cell."""
    holder = qt.QWidget()
    holder.setObjectName("holder")
    holder.setStyleSheet(f"#holder {{ background: {as_text(look.scheme.line)} }}")
    layout = qt.QGridLayout(holder)
    layout.setSpacing(look.gap)
    layout.setContentsMargins(0, 0, 0, 0)
    cells = {}
    for row in range(board.rows):
        for column in range(board.columns):
            code = int(board.codes[row, column])
            cell = _label(qt, look, code) if look.kind == "labels" else _button(qt, look, code)
            cell.setFixedSize(look.width, look.height)
            cell.setFont(text_font(qt, look))
            layout.addWidget(cell, row, column)
            cells[row, column] = cell

    def place(row: int, column: int) -> tuple[float, float, float, float]:
        cell = cells[row, column]
        corner = cell.mapTo(cell.window(), qt.QPoint(0, 0))
        return corner.x(), corner.y(), cell.width(), cell.height()

    return holder, place


def _button(qt: Any, look: QtLook, code: int) -> Any:
    scheme = look.scheme
    raised = scheme.is_raised(code)
    button = qt.QPushButton(look.text_of(code))
    ground, ink = scheme.ground_of(code), scheme.ink_of(code)
    if look.kind == "sheet":
        button.setStyleSheet(_sheet(look, ground, ink, raised))
        return button
    palette = button.palette()
    palette.setColor(qt.QPalette.ColorRole.Button, qt.QColor(*ground))
    palette.setColor(qt.QPalette.ColorRole.Window, qt.QColor(*ground))
    palette.setColor(qt.QPalette.ColorRole.ButtonText, qt.QColor(*ink))
    button.setPalette(palette)
    button.setAutoFillBackground(True)
    button.setFlat(not raised)
    return button


def _sheet(look: QtLook, ground: Colour, ink: Colour, raised: bool) -> str:
    """The style sheet of a cell."""
    line = as_text(look.scheme.line if raised else shifted(ground, -25))
    fill = as_text(ground)
    if raised and look.shape == "gradient":
        top, bottom = as_text(shifted(ground, 22)), as_text(shifted(ground, -22))
        fill = f"qlineargradient(x1:0, y1:0, x2:0, y2:1, stop:0 {top}, stop:1 {bottom})"
    border = (
        f"border: {look.border if raised else 1}px {'outset' if look.shape == 'foot' else 'solid'} {line};"
    )
    if look.shape == "foot" and raised:
        border += f" border-bottom: {look.border + 2}px solid {as_text(shifted(ground, -60))};"
    radius = min(look.width, look.height) // 2 - 1 if look.shape == "disc" else look.radius
    if look.shape not in ("round", "disc") or not raised:
        radius = 0
    colours = f"background: {fill}; color: {as_text(ink)};"
    return f"{colours} {border} border-radius: {radius}px; padding: 0px; margin: 0px;"


def _label(qt: Any, look: QtLook, code: int) -> Any:
    """A label in a frame, raised or sunken."""
    scheme, raised = look.scheme, look.scheme.is_raised(code)
    label = qt.QLabel(look.text_of(code))
    label.setAlignment(qt.Qt.AlignmentFlag.AlignCenter)
    shape = {"round": "StyledPanel", "disc": "Box"}.get(look.shape, "Panel")
    label.setFrameShape(getattr(qt.QFrame.Shape, shape))
    label.setFrameShadow(qt.QFrame.Shadow.Raised if raised else qt.QFrame.Shadow.Sunken)
    label.setLineWidth(look.border if raised else 1)
    palette = label.palette()
    ground = scheme.ground_of(code)
    roles = {
        "Window": ground,
        "WindowText": scheme.ink_of(code),
        "Light": shifted(ground, 50),
        "Dark": shifted(ground, -60),
    }
    for role, colour in roles.items():
        palette.setColor(getattr(qt.QPalette.ColorRole, role), qt.QColor(*colour))
    label.setPalette(palette)
    label.setAutoFillBackground(True)
    return label


def _table(qt: Any, look: QtLook, board: Board) -> tuple[Any, Place]:
    """A table whose items are the cells."""
    table = qt.QTableWidget(board.rows, board.columns)
    table.horizontalHeader().hide()
    table.verticalHeader().hide()
    table.horizontalHeader().setMinimumSectionSize(4)
    table.verticalHeader().setMinimumSectionSize(4)
    table.setFocusPolicy(qt.Qt.FocusPolicy.NoFocus)
    # What is too wide for its cell would be three dots, a flag like a mine.
    table.setTextElideMode(qt.Qt.TextElideMode.ElideNone)
    never = qt.Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    table.setHorizontalScrollBarPolicy(never)
    table.setVerticalScrollBarPolicy(never)
    table.setStyleSheet(
        f"QTableWidget {{ gridline-color: {as_text(look.scheme.line)} }} QTableWidget::item {{ padding: 0 }}"
    )
    for row in range(board.rows):
        table.setRowHeight(row, look.height)
    for column in range(board.columns):
        table.setColumnWidth(column, look.width)
    for row in range(board.rows):
        for column in range(board.columns):
            code = int(board.codes[row, column])
            item = qt.QTableWidgetItem(look.text_of(code))
            item.setTextAlignment(qt.Qt.AlignmentFlag.AlignCenter)
            item.setFont(text_font(qt, look))
            item.setBackground(qt.QBrush(qt.QColor(*look.scheme.ground_of(code))))
            item.setForeground(qt.QBrush(qt.QColor(*look.scheme.ink_of(code))))
            table.setItem(row, column, item)
    frame = 2 * table.frameWidth()
    table.setFixedSize(look.width * board.columns + frame, look.height * board.rows + frame)

    def place(row: int, column: int) -> tuple[float, float, float, float]:
        corner = table.viewport().mapTo(table.window(), qt.QPoint(0, 0))
        x, y = table.columnViewportPosition(column), table.rowViewportPosition(row)
        # The line of the table is the last pixel of a cell.
        return corner.x() + x - 0.5, corner.y() + y - 0.5, look.width, look.height

    return table, place


def _scene(qt: Any, look: QtLook, board: Board) -> tuple[Any, Place]:
    """A scene of rectangles and texts in a view."""
    scene = qt.QGraphicsScene(0, 0, look.width * board.columns + 1, look.height * board.rows + 1)
    scene.setBackgroundBrush(qt.QBrush(qt.QColor(*look.scheme.ground)))
    pen = qt.QPen(qt.QColor(*look.scheme.line))
    pen.setWidthF(1 if look.border < 3 else 2)
    for row in range(board.rows):
        for column in range(board.columns):
            code = int(board.codes[row, column])
            x, y = column * look.width, row * look.height
            brush = qt.QBrush(qt.QColor(*look.scheme.ground_of(code)))
            raised = look.scheme.is_raised(code)
            outline = pen if raised or look.grid_lines else qt.QPen(qt.Qt.PenStyle.NoPen)
            if look.shape == "disc" and raised:
                scene.addRect(
                    x, y, look.width, look.height, outline, qt.QBrush(qt.QColor(*look.scheme.opened))
                )
                scene.addEllipse(x + 2, y + 2, look.width - 4, look.height - 4, outline, brush)
            else:
                scene.addRect(x, y, look.width, look.height, outline, brush)
            text = scene.addSimpleText(look.text_of(code), text_font(qt, look))
            text.setBrush(qt.QBrush(qt.QColor(*look.scheme.ink_of(code))))
            box = text.boundingRect()
            text.setPos(x + (look.width - box.width()) / 2, y + (look.height - box.height()) / 2)
    view = qt.QGraphicsView(scene)
    if look.radius % 3:
        view.setRenderHint(qt.QPainter.RenderHint.Antialiasing)
    view.setFixedSize(look.width * board.columns + 1, look.height * board.rows + 1)
    never = qt.Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    view.setHorizontalScrollBarPolicy(never)
    view.setVerticalScrollBarPolicy(never)
    view.setFrameShape(qt.QFrame.Shape.NoFrame)

    def place(row: int, column: int) -> tuple[float, float, float, float]:
        inner = view.mapFromScene(column * look.width, row * look.height)
        corner = view.viewport().mapTo(view.window(), inner)
        return corner.x() + 0.5, corner.y() + 0.5, look.width, look.height

    view.kept = scene
    return view, place


def _painted(qt: Any, look: QtLook, board: Board) -> tuple[Any, Place]:
    """A widget that paints all cells itself, with round corners and gradients."""
    scheme, font = look.scheme, text_font(qt, look)

    class Painted(qt.QWidget):  # type: ignore[misc]
        def paintEvent(self, _event: Any) -> None:
            painter = qt.QPainter(self)
            painter.setRenderHint(qt.QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), qt.QColor(*scheme.line))
            painter.setFont(font)
            for row in range(board.rows):
                for column in range(board.columns):
                    _paint_cell(
                        qt,
                        painter,
                        look,
                        column * look.width,
                        row * look.height,
                        int(board.codes[row, column]),
                    )
            painter.end()

    widget = Painted()
    widget.setFixedSize(look.width * board.columns, look.height * board.rows)

    def place(row: int, column: int) -> tuple[float, float, float, float]:
        corner = widget.mapTo(widget.window(), qt.QPoint(0, 0))
        return corner.x() + column * look.width, corner.y() + row * look.height, look.width, look.height

    return widget, place


def _paint_cell(qt: Any, painter: Any, look: QtLook, x: int, y: int, code: int) -> None:
    """Paint one cell at (x, y)."""
    scheme, raised = look.scheme, look.scheme.is_raised(code)
    ground = scheme.ground_of(code)
    inset = max(look.gap, 1) / 2 if raised or look.grid_lines else 0
    box = qt.QRectF(x + inset, y + inset, look.width - 2 * inset, look.height - 2 * inset)
    brush = qt.QBrush(qt.QColor(*ground))
    if raised and look.shape == "gradient":
        slope = qt.QRadialGradient(box.center(), look.width * 0.8)
        slope.setColorAt(0, qt.QColor(*shifted(ground, 25)))
        slope.setColorAt(1, qt.QColor(*shifted(ground, -35)))
        brush = qt.QBrush(slope)
    painter.setPen(qt.Qt.PenStyle.NoPen)
    painter.setBrush(brush)
    if raised and look.shape in ("round", "disc"):
        painter.fillRect(qt.QRectF(x, y, look.width, look.height), qt.QColor(*scheme.opened))
        radius = look.width / 2 if look.shape == "disc" else look.radius
        painter.setPen(qt.QColor(*scheme.line))
        painter.drawRoundedRect(box, radius, radius)
    else:
        painter.drawRect(box)
    if raised and look.shape == "foot":
        painter.fillRect(
            qt.QRectF(box.left(), box.bottom() - 3, box.width(), 3), qt.QColor(*shifted(ground, -60))
        )
    ink = qt.QColor(*scheme.ink_of(code))
    if code == Cell.FLAG and not look.emoji:
        dark = qt.QColor(*contrasting(scheme.mine_ink, ground, 60))
        painter.setPen(qt.QPen(dark, max(look.width / 12, 1)))
        pole = x + look.width * 0.38
        painter.drawLine(qt.QPointF(pole, y + look.height * 0.2), qt.QPointF(pole, y + look.height * 0.82))
        path = qt.QPainterPath(qt.QPointF(pole, y + look.height * 0.2))
        path.quadTo(
            x + look.width * 0.7, y + look.height * 0.2, x + look.width * 0.78, y + look.height * 0.38
        )
        path.quadTo(x + look.width * 0.6, y + look.height * 0.5, pole, y + look.height * 0.54)
        painter.setPen(qt.Qt.PenStyle.NoPen)
        painter.fillPath(path, ink)
        return
    painter.setPen(ink)
    painter.drawText(
        qt.QRectF(x, y, look.width, look.height), qt.Qt.AlignmentFlag.AlignCenter, look.text_of(code)
    )
