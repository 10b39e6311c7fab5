"""A board, or a screenshot of one, as a page with the chances of a mine in it."""

from __future__ import annotations

import base64
from typing import Any

import cv2

from bot.board import Board, Rules
from bot.show.game_page import chances_data
from bot.show.page import page
from bot.strategy.advice import Advice
from bot.vision.grid import Grid, Image

MARGIN = 0.5
"""Cells of the screenshot that are kept around the board: above it, with the header, three times as much."""


def board_page(
    title: str,
    board: Board,
    rules: Rules,
    advice: Advice,
    words: list[str],
    shot: tuple[Image, Grid] | None = None,
) -> str:
    """The page. `words` are its lines for people, `shot` a picture in which the board lies at the grid."""
    columns = board.columns
    return page(
        "board",
        title,
        {
            "title": title,
            "columns": columns,
            "rows": board.rows,
            "mines": rules.mines,
            "board": "".join(board.lines),
            "chances": chances_data(advice.solved.chance, columns),
            "best": None if advice.best is None else int(advice.best[0]) * columns + int(advice.best[1]),
            "words": words,
            "shot": None if shot is None else _shot(*shot),
        },
    )


def _shot(image: Image, grid: Grid) -> dict[str, Any]:
    """The part of a picture around its board, and where each cell lies in it, as shares of its sides."""
    cells = grid.rect
    margin = int(MARGIN * min(grid.pitch))
    left, top = max(0, cells.x - margin), max(0, cells.y - 6 * margin)
    right, bottom = cells.right + margin, cells.bottom + margin
    part = image[top:bottom, left:right]
    height, width = part.shape[:2]
    done, content = cv2.imencode(".png", part)
    assert done
    return {
        "source": f"data:image/png;base64,{base64.b64encode(content.tobytes()).decode()}",
        "width": int(width),
        "height": int(height),
        "columns": [float((edge - left) / width) for edge in grid.column_edges],
        "rows": [float((edge - top) / height) for edge in grid.row_edges],
    }
