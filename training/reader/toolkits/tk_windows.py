"""Tk windows with boards on a virtual screen, and pictures of them as the bot takes them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator
from contextlib import contextmanager
from tkinter import font as tk_font
from tkinter import ttk
from typing import Any, Literal

import numpy as np

from bot.board import Board
from bot.geometry import Rect
from bot.screen.display import ensure_display
from bot.screen.mss_capture import MssCapture
from bot.vision.grid import Grid
from training.reader.paint.colours import Rng, any_colour, contrasting
from training.reader.paint.fonts import TEXT_CODES, font_families
from training.reader.paint.readable import is_readable
from training.reader.samples import LabelledBoard, LabelledPicture
from training.reader.toolkits.schemes import as_text, random_scheme
from training.reader.toolkits.tk_looks import CellMaker, TkLook, random_look

SCREEN = 1920, 1200
FRAMES: tuple[Literal["sunken", "flat", "ridge"], ...] = ("sunken", "flat", "ridge")


@contextmanager
def screen() -> Iterator[TkScreen]:
    """A virtual screen with a Tk desktop that draws windows."""
    with ensure_display(headless=True, size=SCREEN):
        desktop = TkScreen()
        try:
            yield desktop
        finally:
            desktop.close()


class TkScreen:
    """Opens a window a picture."""

    def __init__(self) -> None:
        self._root = tk.Tk()
        self._root.overrideredirect(True)
        self._root.geometry(f"{SCREEN[0]}x{SCREEN[1]}+0+0")
        self._capture = MssCapture()
        known = set(tk_font.families())
        self._families = [name for name in font_families(TEXT_CODES) if name in known]
        self._families += ["TkDefaultFont", "TkFixedFont", "Helvetica", "Courier", "Times"]

    def close(self) -> None:
        """Close the desktop."""
        self._capture.close()
        self._root.destroy()

    def draw(self, rng: Rng, name: str, board: Board) -> LabelledPicture | None:
        """A picture of a window with a board; None if its cells cannot be told apart or it is too large."""
        look = random_look(rng, lambda distinct: random_scheme(rng, distinct=distinct), self._families)
        if look.width * board.columns > 1500 or look.height * board.rows > 950:
            return None
        ttk.Style().theme_use(look.theme)
        self._root.configure(bg=as_text(any_colour(rng)))
        window = tk.Toplevel(
            self._root, bg=as_text(look.scheme.ground), bd=int(rng.integers(0, 4)), relief="raised"
        )
        window.overrideredirect(True)
        try:
            return self._drawn(rng, name, board, look, window)
        finally:
            window.destroy()

    def _drawn(
        self, rng: Rng, name: str, board: Board, look: TkLook, window: tk.Toplevel
    ) -> LabelledPicture | None:
        x, y = int(rng.integers(0, 200)), int(rng.integers(0, 100))
        window.geometry(f"+{x}+{y}")
        maker = CellMaker(look)
        _fill_above(rng, window, look)
        holder = tk.Frame(
            window,
            bd=int(rng.integers(0, 6)),
            relief=FRAMES[rng.integers(len(FRAMES))],
            bg=as_text(look.scheme.ground),
        )
        widget, place = maker.make(holder, board)
        widget.pack()
        holder.pack(padx=int(rng.integers(0, 50)), pady=int(rng.integers(0, 40)))
        _fill_below(rng, window, look)
        window.update()
        window.lift()
        window.update()
        window.winfo_pointerxy()
        columns = [place(0, column)[0] for column in range(board.columns)]
        rows = [place(row, 0)[1] for row in range(board.rows)]
        if len(set(np.diff(columns))) != 1 or len(set(np.diff(rows))) != 1:
            return None
        outside = 0 if rng.random() < 0.4 else int(rng.integers(1, 120))
        left, top = max(window.winfo_rootx() - outside, 0), max(window.winfo_rooty() - outside, 0)
        right = min(window.winfo_rootx() + window.winfo_width() + outside, SCREEN[0])
        bottom = min(window.winfo_rooty() + window.winfo_height() + outside, SCREEN[1])
        image = self._capture.grab(Rect(left, top, right - left, bottom - top))
        pitch_x, pitch_y = columns[1] - columns[0], rows[1] - rows[0]
        _, _, wide, high = place(0, 0)
        shift = 0.5 if look.kind == "canvas" else 0.0
        grid_x = columns[0] - left - (pitch_x - wide) / 2 + shift
        grid_y = rows[0] - top - (pitch_y - high) / 2 + shift
        grid = Grid(grid_x, grid_y, pitch_x, pitch_y, board.columns, board.rows)
        if not is_readable(np.ascontiguousarray(image), grid, board):
            return None
        return LabelledPicture(name, image, (LabelledBoard(grid, board, look.names()),), "tk")


def _fill_above(rng: Rng, window: tk.Toplevel, look: TkLook) -> None:
    """Put a menu bar, counters and a button above the board, at times."""
    ground = as_text(look.scheme.ground)
    ink = as_text(contrasting(any_colour(rng), look.scheme.ground, 80))
    if rng.random() < 0.4:
        bar = tk.Frame(window, bd=1, relief="raised")
        for text in ("Game", "Options", "Help")[: rng.integers(1, 4)]:
            tk.Menubutton(bar, text=text).pack(side="left")
        bar.pack(fill="x")
    if rng.random() < 0.3:
        tk.Label(
            window,
            text="Minesweeper",
            bg=ground,
            fg=ink,
            font=(look.font[0], -int(rng.integers(14, 40)), "bold"),
        ).pack()
    if rng.random() < 0.7:
        row = tk.Frame(window, bg=ground, bd=int(rng.integers(0, 4)), relief="sunken")
        counter_font = (str(rng.choice(["Courier", look.font[0]])), -int(rng.integers(14, 32)), "bold")
        lcd: dict[str, Any] = (
            {"bg": "black", "fg": "red"} if rng.random() < 0.5 else {"bg": ground, "fg": ink}
        )
        tk.Label(row, text=f"{rng.integers(0, 100):03d}", font=counter_font, **lcd).pack(side="left")
        tk.Label(row, text=f"{rng.integers(0, 999):03d}", font=counter_font, **lcd).pack(side="right")
        tk.Button(row, text=str(rng.choice([":)", "New", "Reset", "☺"])), padx=4, pady=1).pack()
        row.pack(fill="x", padx=int(rng.integers(0, 12)), pady=int(rng.integers(0, 8)))


def _fill_below(rng: Rng, window: tk.Toplevel, look: TkLook) -> None:
    """Put other widgets below the board, at times."""
    if rng.random() < 0.3:
        scale = ttk.Scale(window)
        scale.pack(side="left", padx=8, pady=6)
        ttk.Checkbutton(window, text="Sound").pack(side="left", padx=8)
        ttk.Button(window, text="Quit").pack(side="right", padx=8, pady=6)
    elif rng.random() < 0.4:
        text = "Mines left: 10   Time: 42 s   Level: easy"
        tk.Label(window, text=text, bd=1, relief="sunken", anchor="w").pack(fill="x", side="bottom")
