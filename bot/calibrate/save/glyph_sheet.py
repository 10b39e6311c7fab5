"""Draws glyphs with what is known of each, for people."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from bot.board import SYMBOLS, Cell
from bot.calibrate.infer.findings import ClusterLabel, Findings
from bot.vision.grid import Image

ZOOM = 3
"""How many times as large as in the window a glyph is drawn."""

MARGIN, TEXT_WIDTH = 12, 620
"""Pixels around a glyph, and for the text of a line."""


def sheet_of(findings: Findings) -> Image:
    """A picture of every cluster with its label, how many cells are evidence, and why."""
    return draw_sheet([(findings.clusters.exemplars[cluster], label) for cluster, label in findings.in_order])


def draw_sheet(lines: Sequence[tuple[Image, ClusterLabel]]) -> Image:
    """A picture, shape (height, width, 3), with a line for each glyph: glyph, letter, what is known of it."""
    if not lines:
        return np.full((40, 200, 3), 255, np.uint8)
    height = max(glyph.shape[0] for glyph, _ in lines) * ZOOM + MARGIN
    left = max(glyph.shape[1] for glyph, _ in lines) * ZOOM + 2 * MARGIN
    sheet = np.full((height * len(lines) + MARGIN, left + TEXT_WIDTH, 3), 255, np.uint8)
    for index, (glyph, label) in enumerate(lines):
        top = MARGIN + index * height
        large = cv2.resize(glyph, None, fx=ZOOM, fy=ZOOM, interpolation=cv2.INTER_NEAREST)
        sheet[top : top + large.shape[0], MARGIN : MARGIN + large.shape[1]] = large
        name = Cell(label.code).name.lower().replace("_", " ") if label.code > 8 else f"{label.code}"
        name = "0 (empty)" if label.code == 0 else name
        text = f"{SYMBOLS[label.code]}  {name}: {certainty(label)}, {label.why}"
        base = (left, top + height // 2 + 4)
        cv2.putText(sheet, text, base, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    return sheet


def certainty(label: ClusterLabel) -> str:
    """How sure a label is, for people."""
    seen = f"{label.seen} cell{'s' if label.seen != 1 else ''}"
    word = "sure" if label.seen >= 5 else "likely" if label.seen >= 2 else "seen once"
    return f"{word} ({seen})"
