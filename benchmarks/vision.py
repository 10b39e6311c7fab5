"""Times finding and reading a board: `python benchmarks/vision.py`. Pictures are drawn from the themes.

Prints medians in milliseconds, and the same in units of copying the picture, measured in turn: a ratio
says more than a time on a machine that is never twice the same.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import cv2
import numpy as np

from bot.board import Board, Cell
from bot.vision.grid import Grid, Image
from bot.vision.locate import locate
from bot.vision.palette import Palette
from bot.vision.readers import reader_for
from bot.vision.theme import Theme, load_themes

TIMES = 30


def painted(board: Board, theme: Theme) -> Image:
    """The cells of a board, from the theme's own glyphs, or of its colours with digits of our own."""
    if theme.spec.colours is not None:
        return in_colours(board, theme.spec.colours)
    cut = theme.cuts[0]
    return np.concatenate(
        [np.concatenate([cut.glyph(int(code)) for code in row], axis=1) for row in board.codes], axis=0
    )


def in_colours(board: Board, palette: Palette) -> Image:
    """The cells of a board that are told by their colours."""
    size = palette.cell
    picture = np.zeros((board.rows * size, board.columns * size, 3), np.uint8)
    for row, column in np.ndindex(board.rows, board.columns):
        code = board[row, column]
        ground = palette.opened if code <= 8 else palette.covered
        cell = picture[row * size : (row + 1) * size, column * size : (column + 1) * size]
        cell[:] = (ground.dark if (row + column) % 2 else ground.light)[::-1]
        if 1 <= code <= 8:
            at = round(0.28 * size), round(0.76 * size)
            cv2.putText(cell, str(code), at, 0, size / 42, palette.digits[str(code)][::-1], 2)
    return picture


def half_played(theme: Theme) -> tuple[Board, Board, Image, Image, Grid]:
    """An Expert board, the same after an opening of 40 cells, and both as pictures."""
    rng = np.random.default_rng(5)
    codes = np.where(rng.random((16, 30)) < 0.5, Cell.COVERED, rng.integers(0, 5, (16, 30))).astype(np.int8)
    later = codes.copy()
    later[4:9, 10:18] = 1
    before, after = Board(codes), Board(later)
    width = theme.cell_width
    height = theme.cuts[0].cell[1] if theme.cuts else width
    return before, after, painted(before, theme), painted(after, theme), Grid(0, 0, width, height, 30, 16)


def on_screen(cells: Image, theme: Theme, at: tuple[int, int] = (403, 371)) -> Image:
    """A screen of 1280x1024 pixels with text-like noise and the board on it."""
    rng = np.random.default_rng(1)
    screen = np.full((1024, 1280, 3), 236, np.uint8)
    screen[rng.random((1024, 1280)) < 0.08] = 20
    (x, y), (height, width) = at, cells.shape[:2]
    edge = theme.spec.border_width
    screen[y - edge : y + height + edge, x - edge : x + width + edge] = next(
        iter(theme.spec.border.values())
    )[::-1]
    screen[y : y + height, x : x + width] = cells
    return screen


def median_ms(*works: Callable[[], object]) -> list[float]:
    """The median time of each, taken in turn."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(TIMES):
        for index, work in enumerate(works):
            start = time.perf_counter()
            work()
            times[index].append((time.perf_counter() - start) * 1e3)
    return [statistics.median(one) for one in times]


def main() -> None:
    """Print the table."""
    themes = load_themes()
    print(f"{'theme':10} {'what':42} {'ms':>8} {'copies':>8}")
    for theme in themes:
        before, after, first, second, grid = half_played(theme)
        reader = reader_for(theme, grid)
        if reader.read(first).board != before or reader.read(second).board != after:
            raise SystemExit(f"{theme.name}: the board was not read right")
        pictures = iter([first, second] * TIMES)
        screen = on_screen(first, theme)
        if [found.reading.board for found in locate(screen, themes)] != [before]:
            raise SystemExit(f"{theme.name}: the board was not found")
        copy_small, cold, same, changed = median_ms(
            lambda first=first: first.copy(),  # type: ignore[misc]
            lambda theme=theme, grid=grid, first=first: reader_for(theme, grid).read(first),  # type: ignore[misc]
            lambda reader=reader, second=second: reader.read(second),  # type: ignore[misc]
            lambda reader=reader, pictures=pictures: reader.read(next(pictures)),  # type: ignore[misc]
        )
        copy_large, find = median_ms(
            lambda screen=screen: screen.copy(),  # type: ignore[misc]
            lambda screen=screen: locate(screen, themes),  # type: ignore[misc]
        )
        for what, ms, unit in (
            ("read 480 cells for the first time", cold, copy_small),
            ("read 480 cells, nothing changed", same, copy_small),
            ("read 480 cells, 40 changed to and fro", changed, copy_small),
            ("find it on 1280x1024 among all themes", find, copy_large),
        ):
            print(f"{theme.name:10} {what:42} {ms:8.3f} {ms / unit:8.1f}")


if __name__ == "__main__":
    main()
