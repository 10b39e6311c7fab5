"""Times finding a board, reading it, and seeing that it has not moved: `python benchmarks/vision.py`.

Pictures are drawn from the skins; boards are found on a screen of 1920x1080, among all skins and with none.
Prints medians in milliseconds of one core, and the best of all times, which on a busy machine says most. The
last column is the best time in units of copying the picture, measured in turn: a ratio says more than a time
on a machine that is never twice the same.

Last come times on a real window, our own on a virtual screen, with all that the screen takes: these are
times by the clock.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from bot.board import Board, Cell, Rules
from bot.errors import BotError
from bot.files import shipped
from bot.game.game import Game
from bot.game.minefield import Minefield
from bot.screen.capture import desktop
from bot.screen.display import ensure_display
from bot.screen.programs.games import Practice
from bot.screen.this_machine import system_capture, system_windows
from bot.targets.window.locate.board_finder import look_around
from bot.targets.window.observe.observer import WindowObserver
from bot.vision.general.general_reader import read_any_boards
from bot.vision.grid import Grid, Image
from bot.vision.grid_readers import reader_for
from bot.vision.grids.grid_search import find_grids
from bot.vision.skin_search import find_boards
from bot.vision.themes.palette import Palette
from bot.vision.themes.skin import Skin
from bot.vision.themes.theme import Theme, load_themes

TIMES = 30

FRACTIONAL = 31.5
"""Pixels of a cell between two whole sizes."""

HALF = 260
"""So many of the 480 cells are covered still."""


def painted(board: Board, skin: Skin) -> Image:
    """The cells of a board, from the theme's own glyphs, or of its colours with digits of our own."""
    if skin.palette is not None:
        return in_colours(board, skin.palette)
    glyph_set = skin.glyph_sets[0]
    return np.concatenate(
        [np.concatenate([glyph_set.glyph(int(code)) for code in row], axis=1) for row in board.codes], axis=0
    )


def in_colours(board: Board, palette: Palette) -> Image:
    """The cells of a board that are told by their colours."""
    size = palette.cell
    picture = np.zeros((board.rows * size, board.columns * size, 3), np.uint8)
    for row, column in np.ndindex(board.rows, board.columns):
        code = board[row, column]
        ground = palette.opened if code <= 8 else palette.covered
        cell = picture[row * size : (row + 1) * size, column * size : (column + 1) * size]
        cell[:] = (ground.dark if (row + column) % 2 else ground.light).bgr
        if 1 <= code <= 8:
            at = round(0.28 * size), round(0.76 * size)
            cv2.putText(cell, str(code), at, 0, size / 42, palette.digits[str(code)].bgr, 2)
    return picture


def half_played(skin: Skin) -> tuple[Board, Board, Image, Image, Grid]:
    """A game of Expert, the same after 40 more cells were opened, and both as pictures."""
    rules, first, rng = Rules(30, 16, 99), (8, 14), random.Random(5)
    minefield = Minefield.generate(rules, first, rng)
    safe = [divmod(cell, 30) for cell in range(rules.cells) if not minefield.mines[divmod(cell, 30)]]
    rng.shuffle(safe)
    game = Game(rules, minefield=minefield)
    boards: list[Board] = []
    for covered in (HALF, HALF - 40):
        while game.board.count(Cell.COVERED) > covered:
            game.open(*safe.pop())
        boards.append(game.board)
    before, after = boards
    width = skin.cell_width
    height = skin.glyph_sets[0].cell[1] if skin.glyph_sets else width
    return before, after, painted(before, skin), painted(after, skin), Grid(0, 0, width, height, 30, 16)


def scaled(cells: Image, grid: Grid, pitch: float) -> Image:
    """The cells of a board brought to a width, in pixels."""
    size = round(pitch * grid.columns), round(pitch * grid.rows)
    way = cv2.INTER_AREA if pitch < grid.cell_width else cv2.INTER_LINEAR
    return (
        cells
        if pitch == grid.cell_width
        else np.asarray(cv2.resize(cells, size, interpolation=way), np.uint8)
    )


def on_screen(cells: Image, skin: Skin, at: tuple[int, int] = (403, 71), zoom: float = 1.0) -> Image:
    """A screen of 1920x1080 pixels with a window of text, a table and the board on it, in its border."""
    screen = np.full((1080, 1920, 3), (110, 80, 50), np.uint8)
    screen[20:1000, 10:390] = 246
    rng = np.random.default_rng(1)
    for row in range(46):
        text = "".join(rng.choice(list("abcdefghij klmno pqrstu vwxyz"), 34))
        cv2.putText(screen, text, (16, 44 + 20 * row), 0, 0.45, (30, 30, 30), 1, cv2.LINE_AA)
    screen[600:960:24, 20:380] = 190
    (x, y), (height, width) = at, cells.shape[:2]
    edge = round((skin.border_gap + skin.border_width) * zoom)
    sides = {side: colour.bgr for side, colour in skin.border.items()}
    if "top" in sides:
        screen[y - edge : y, x - edge : x + width + edge] = sides["top"]
    if "bottom" in sides:
        screen[y + height : y + height + edge, x - edge : x + width + edge] = sides["bottom"]
    if "left" in sides:
        screen[y : y + height, x - edge : x] = sides["left"]
    if "right" in sides:
        screen[y : y + height, x + width : x + width + edge] = sides["right"]
    screen[y : y + height, x : x + width] = cells
    return screen


@dataclass(frozen=True)
class Times:
    """How long some work took, in milliseconds."""

    median: float
    best: float


def timed(
    *works: Callable[[], object], times: int = TIMES, clock: Callable[[], float] = time.process_time
) -> list[Times]:
    """The times of each, taken in turn, by a clock in seconds: that of the processor if none is named."""
    cv2.setNumThreads(1)
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(times):
        for index, work in enumerate(works):
            start = clock()
            work()
            taken[index].append((clock() - start) * 1e3)
    return [Times(statistics.median(one), min(one)) for one in taken]


def line(name: str, what: str, took: Times, unit: Times) -> None:
    """Print one line of the table."""
    print(f"{name:12} {what:48} {took.median:9.3f} {took.best:9.3f} {took.best / unit.best:8.1f}", flush=True)


def heading(title: str) -> None:
    """Print what comes next."""
    print(f"\n{title}\n{'window':12} {'what':48} {'median ms':>9} {'best ms':>9} {'copies':>8}", flush=True)


def known(skin: Skin) -> None:
    """Read a theme's board whose grid is known, at the size that it was cut at."""
    before, after, first, second, grid = half_played(skin)
    reader = reader_for(skin, grid)
    if reader.read(first).board != before or reader.read(second).board != after:
        raise SystemExit(f"{skin.name}: the board was not read right")
    pictures = iter([first, second] * TIMES)
    copy, cold, changed = timed(
        first.copy, lambda: reader_for(skin, grid).read(first), lambda: reader.read(next(pictures))
    )
    (same,) = timed(lambda: reader.read(second))
    line(skin.name, "read 480 cells for the first time", cold, copy)
    line(skin.name, "see that nothing moved or changed", same, copy)
    line(skin.name, "read 480 cells, 40 changed to and fro", changed, copy)


def among_all(skin: Skin, skins: list[Skin]) -> None:
    """Find a theme's board at the size that it was cut at, and scaled to cells of a width with a fraction."""
    before, _, first, _, grid = half_played(skin)
    pictured = skin.palette is None and skin.tiles is None
    for pitch in (grid.cell_width, *((FRACTIONAL,) if pictured else ())):
        screen = on_screen(scaled(first, grid, pitch), skin, zoom=pitch / grid.cell_width)
        if [found.reading.board for found in find_boards(screen, skins)] != [before]:
            print(f"{skin.name:12} not found and read exactly at {pitch:g} px")
            continue
        copy, find = timed(
            screen.copy,
            lambda screen=screen: find_boards(screen, skins),  # type: ignore[misc]
            times=TIMES // 3,
        )
        line(skin.name, f"find and read it, cells of {pitch:g} px", find, copy)


def without(skin: Skin) -> None:
    """Find and read a theme's board at some sizes as if there were no theme."""
    board, _, first, _, grid = half_played(skin)
    for pitch in (16.0, 24.5, 44.4):
        screen = on_screen(scaled(first, grid, pitch), skin, zoom=pitch / grid.cell_width)
        shape = board.columns, board.rows
        if shape not in [(one.grid.columns, one.grid.rows) for one in find_grids(screen)]:
            print(f"{skin.name:12} not found without a theme at {pitch:g} px")
            continue
        copy, find, read = timed(
            screen.copy,
            lambda screen=screen: find_grids(screen),  # type: ignore[misc]
            lambda screen=screen: read_any_boards(screen),  # type: ignore[misc]
            times=TIMES // 3,
        )
        line(skin.name, f"find it, cells of {pitch:g} px", find, copy)
        line(skin.name, f"find and read it, cells of {pitch:g} px", read, copy)


def live(themes: list[Theme]) -> None:
    """Look at a real window: our own, on a virtual screen."""
    with ensure_display(headless=True, size=(1920, 1080)):
        program = Practice()
        program.start(30, 16, 99, at=(403, 71))
        capture, windows = system_capture(), system_windows()
        try:
            while not (seen := look_around(capture, windows, themes)):
                time.sleep(0.1)
            observer = WindowObserver(seen[0], capture, windows)
            frame, screen = observer.grab(), desktop(capture.monitors())
            copy_small, grab, look, moved = timed(
                frame.copy,
                observer.grab,
                lambda: observer.reader.read(observer.grab()),
                observer.has_moved,
                times=4 * TIMES,
                clock=time.perf_counter,
            )
            whole = capture.grab(screen)
            copy_large, take, find = timed(
                whole.copy,
                lambda: capture.grab(screen),
                lambda: look_around(capture, windows, themes),
                times=TIMES // 3,
                clock=time.perf_counter,
            )
        finally:
            windows.close()
            capture.close()
            program.stop()
    line("practice", "take a picture of the window", grab, copy_small)
    line("practice", "the same, and see that nothing moved or changed", look, copy_small)
    line("practice", "ask the desktop where the window lies", moved, copy_small)
    line("practice", "take a picture of the screen", take, copy_large)
    line("practice", "the same, and find the window among all themes", find, copy_large)


def main() -> None:
    """Print the tables."""
    # What minebot has learned on this machine may lack the pictures of some numbers.
    themes = [theme for theme in load_themes() if (shipped("templates") / theme.skin.name).is_dir()]
    skins = [theme.skin for theme in themes]
    heading("A board of 30x16 cells whose place is known, by its theme")
    for skin in skins:
        known(skin)
    heading("The same somewhere on a screen of 1920x1080, among all themes")
    for skin in skins:
        among_all(skin, skins)
    heading("The same with no theme, its grid found by repetition alone")
    for skin in skins:
        without(skin)
    heading("On a real window of 30x16 cells and a virtual screen of 1920x1080, by the clock")
    try:
        live(themes)
    except BotError as error:
        print(f"not measured: {error}")


if __name__ == "__main__":
    main()
