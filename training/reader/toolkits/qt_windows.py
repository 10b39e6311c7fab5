"""Qt windows with boards, drawn off screen; needs PyQt6, which the project does not depend on."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from bot.board import Board
from bot.vision.grid import Grid
from training.reader.paint.boards import Picture
from training.reader.paint.colours import Rng, any_colour, contrasting
from training.reader.paint.fonts import TEXT_CODES, font_families
from training.reader.paint.readable import is_readable
from training.reader.samples import LabelledBoard, LabelledPicture
from training.reader.toolkits.qt_looks import make_board, random_look
from training.reader.toolkits.schemes import as_text, random_scheme

MODULES = ("QtCore", "QtGui", "QtWidgets")
RATIOS = (1.0, 1.0, 1.0, 1.25, 1.5, 1.75, 2.0)
"""Pixels of the picture for each of the toolkit's, as desktops are scaled."""
MOST_PIXELS = 1920
"""Greatest width of a board in the picture."""


@cache
def start() -> Any:
    """The names of Qt's modules as one namespace, after Qt has begun without a screen."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["QT_LOGGING_RULES"] = "*.warning=false"
    # OpenCV sets where its own Qt looks for its parts.
    for name in ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR"):
        os.environ.pop(name, None)
    names: dict[str, Any] = {}
    for module in MODULES:
        names.update(vars(import_module(f"PyQt6.{module}")))
    qt = SimpleNamespace(**names)
    qt.application = qt.QApplication([])
    known = set(qt.QFontDatabase.families())
    qt.families = [name for name in font_families(TEXT_CODES) if name in known] or ["Sans"]
    return qt


def draw(rng: Rng, name: str, board: Board) -> LabelledPicture | None:
    """A picture of a window with a board; None if its cells cannot be told apart or it is too large."""
    qt = start()
    ratio = RATIOS[rng.integers(len(RATIOS))]
    scheme = random_scheme(rng, distinct=True)
    look = random_look(rng, scheme, qt.families, list(qt.QStyleFactory.keys()))
    if (look.width + look.gap) * board.columns * ratio > MOST_PIXELS or look.height * ratio < 12:
        return None
    qt.QApplication.setStyle(look.style)
    widget, place = make_board(qt, look, board)
    window = _window(rng, qt, widget, scheme)
    window.show()
    qt.application.processEvents()
    picture = _grab(qt, window, ratio)
    first, right, below = place(0, 0), place(0, 1), place(1, 0)
    last = place(board.rows - 1, board.columns - 1)
    pitch_x, pitch_y = right[0] - first[0], below[1] - first[1]
    window.close()
    window.deleteLater()
    qt.application.processEvents()
    even = last[0] - first[0] == pitch_x * (board.columns - 1) and last[1] - first[1] == pitch_y * (
        board.rows - 1
    )
    if not even:
        return None
    x, y = first[0] - (pitch_x - first[2]) / 2, first[1] - (pitch_y - first[3]) / 2
    grid = Grid(x * ratio, y * ratio, pitch_x * ratio, pitch_y * ratio, board.columns, board.rows)
    if not is_readable(picture, grid, board):
        return None
    image = np.ascontiguousarray(picture[:, :, ::-1])
    names = {**look.names(), "ratio": str(ratio)}
    return LabelledPicture(name, image, (LabelledBoard(grid, board, names),), "qt")


def _grab(qt: Any, window: Any, ratio: float) -> Picture:
    """What a window shows, (height, width, 3), red, green, blue."""
    size = window.size()
    image = qt.QImage(
        round(size.width() * ratio), round(size.height() * ratio), qt.QImage.Format.Format_RGB888
    )
    image.setDevicePixelRatio(ratio)
    image.fill(qt.QColor(255, 255, 255))
    window.render(image)
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    rows = np.frombuffer(bits, np.uint8).reshape(image.height(), image.bytesPerLine())
    pixels: Picture = rows[:, : image.width() * 3].reshape(image.height(), image.width(), 3).copy()
    return pixels


def _window(rng: Rng, qt: Any, widget: Any, scheme: Any) -> Any:
    """A window around the board, with a menu, a toolbar, counters or a line of status, at times."""
    window = qt.QMainWindow()
    middle = qt.QWidget()
    middle.setObjectName("middle")
    ground = scheme.ground
    if rng.random() < 0.6:
        middle.setStyleSheet(f"#middle {{ background: {as_text(ground)} }}")
    column = qt.QVBoxLayout(middle)
    margins = [int(side) for side in rng.integers(0, 50, 4)]
    column.setContentsMargins(*margins)
    if rng.random() < 0.65:
        column.addLayout(_header(rng, qt, scheme))
    row = qt.QHBoxLayout()
    if rng.random() < 0.5:
        row.addStretch(1)
    row.addWidget(widget)
    row.addStretch(1)
    column.addLayout(row)
    if rng.random() < 0.3:
        buttons = qt.QHBoxLayout()
        for text in ("New game", "Hint", "Quit")[: rng.integers(1, 4)]:
            buttons.addWidget(qt.QPushButton(text))
        column.addLayout(buttons)
    column.addStretch(1)
    if rng.random() < 0.5:
        for text in ("Game", "View", "Help")[: rng.integers(1, 4)]:
            window.menuBar().addMenu(text)
    if rng.random() < 0.25:
        bar = window.addToolBar("tools")
        for text in ("New", "Undo", "Pause"):
            bar.addAction(text)
    if rng.random() < 0.3:
        window.statusBar().showMessage("10 mines, 42 s")
    window.setCentralWidget(middle)
    if rng.random() < 0.3:
        window.adjustSize()
        size = window.sizeHint()
        window.resize(size.width() + int(rng.integers(0, 200)), size.height() + int(rng.integers(0, 120)))
    return window


def _header(rng: Rng, qt: Any, scheme: Any) -> Any:
    """Two counters and a button."""
    row = qt.QHBoxLayout()
    lit = rng.random() < 0.5
    for place in range(2):
        if lit:
            counter = qt.QLCDNumber(3)
            counter.setSegmentStyle(qt.QLCDNumber.SegmentStyle.Flat)
            counter.display(int(rng.integers(0, 999)))
            counter.setFixedSize(60, 32)
            counter.setStyleSheet("background: black; color: red")
        else:
            counter = qt.QLabel(f"{('Mines', 'Time')[place]}: {rng.integers(0, 100)}")
            counter.setStyleSheet(f"color: {as_text(contrasting(any_colour(rng), scheme.ground, 80))}")
        row.addWidget(counter)
        if place == 0:
            row.addStretch(1)
            face = qt.QPushButton(str(rng.choice(["🙂", "New", ":-)"])))
            face.setFixedSize(44, 32)
            row.addWidget(face)
            row.addStretch(1)
    return row
