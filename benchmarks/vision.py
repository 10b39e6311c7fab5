"""Times finding and reading a board: `python benchmarks/vision.py`. Pictures are drawn from the themes.

Boards are found on a screen of 1920x1080: among all themes, and with none. Prints medians in milliseconds of
one core, and the same in units of copying the picture, measured in turn: a ratio says more than a time on a
machine that is never twice the same. The best of all times is printed too: on a busy machine it says most.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from bot.board import Board, Cell
from bot.vision.anyskin import read_boards
from bot.vision.find import find_grids
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


def on_screen(cells: Image, theme: Theme, at: tuple[int, int] = (403, 71)) -> Image:
    """A screen of 1920x1080 pixels with a window of text, a table and the board on it."""
    screen = np.full((1080, 1920, 3), (110, 80, 50), np.uint8)
    screen[20:1000, 10:390] = 246
    rng = np.random.default_rng(1)
    for row in range(46):
        text = "".join(rng.choice(list("abcdefghij klmno pqrstu vwxyz"), 34))
        cv2.putText(screen, text, (16, 44 + 20 * row), 0, 0.45, (30, 30, 30), 1, cv2.LINE_AA)
    screen[600:960:24, 20:380] = 190
    (x, y), (height, width) = at, cells.shape[:2]
    edge = theme.spec.border_width
    colour = next(iter(theme.spec.border.values()))[::-1]
    screen[y - edge : y + height + edge, x - edge : x + width + edge] = colour
    screen[y : y + height, x : x + width] = cells
    return screen


@dataclass(frozen=True)
class Times:
    """How long some work took, in milliseconds."""

    median: float
    best: float


def timed(*works: Callable[[], object], times: int = TIMES) -> list[Times]:
    """The times of each, taken in turn."""
    cv2.setNumThreads(1)
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(times):
        for index, work in enumerate(works):
            start = time.process_time()
            work()
            taken[index].append((time.process_time() - start) * 1e3)
    return [Times(statistics.median(one), min(one)) for one in taken]


def line(name: str, what: str, took: Times, unit: Times) -> None:
    """Print one line of the table."""
    print(f"{name:12} {what:42} {took.median:9.3f} {took.best:9.3f} {took.best / unit.best:8.1f}", flush=True)


def with_themes(theme: Theme, themes: list[Theme]) -> None:
    """Read and find a theme's board at the size that it was cut at."""
    before, after, first, second, grid = half_played(theme)
    reader = reader_for(theme, grid)
    if reader.read(first).board != before or reader.read(second).board != after:
        raise SystemExit(f"{theme.name}: the board was not read right")
    pictures = iter([first, second] * TIMES)
    screen = on_screen(first, theme)
    if [found.reading.board for found in locate(screen, themes)] != [before]:
        raise SystemExit(f"{theme.name}: the board was not found")
    copy_small, cold, same, changed = timed(
        first.copy,
        lambda: reader_for(theme, grid).read(first),
        lambda: reader.read(second),
        lambda: reader.read(next(pictures)),
    )
    copy_large, find = timed(screen.copy, lambda: locate(screen, themes), times=TIMES // 3)
    line(theme.name, "read 480 cells for the first time", cold, copy_small)
    line(theme.name, "see that nothing moved or changed", same, copy_small)
    line(theme.name, "read 480 cells, 40 changed to and fro", changed, copy_small)
    line(theme.name, "find it among all themes", find, copy_large)


def without(theme: Theme) -> None:
    """Find and read a theme's board at some sizes as if there were no theme."""
    board, _, first, _, grid = half_played(theme)
    for pitch in (16.0, 24.5, 44.4):
        size = round(pitch * board.columns), round(pitch * board.rows)
        way = cv2.INTER_AREA if pitch < grid.cell_width else cv2.INTER_LINEAR
        screen = on_screen(np.asarray(cv2.resize(first, size, interpolation=way), np.uint8), theme)
        shape = board.columns, board.rows
        if shape not in [(one.grid.columns, one.grid.rows) for one in find_grids(screen)]:
            print(f"{theme.name:12} not found without a theme at {pitch:g} px")
            continue
        copy, find, read = timed(
            screen.copy,
            lambda screen=screen: find_grids(screen),  # type: ignore[misc]
            lambda screen=screen: read_boards(screen),  # type: ignore[misc]
            times=TIMES // 3,
        )
        line(theme.name, f"find it without a theme, cells of {pitch:g} px", find, copy)
        line(theme.name, f"find and read it so, cells of {pitch:g} px", read, copy)


def main() -> None:
    """Print the table."""
    themes = load_themes()
    print(f"{'theme':12} {'what':42} {'median ms':>9} {'best ms':>9} {'copies':>8}")
    for theme in themes:
        with_themes(theme, themes)
    for theme in themes:
        without(theme)


if __name__ == "__main__":
    main()
