"""Cells as Tk's buttons, labels, ttk buttons and canvas items."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import ttk
from typing import Any

from bot.board import Board, Cell
from training.reader.paint.colours import Colour, Rng, contrasting, shifted
from training.reader.toolkits.schemes import Scheme, as_text

KINDS = ("buttons", "labels", "canvas", "ttk")
RAISED, LOWERED = (
    ("raised", "raised", "ridge", "groove", "solid", "flat"),
    ("sunken", "flat", "flat", "solid", "groove"),
)
THEMES = ("clam", "alt", "default", "classic")
FLAG_PICTURES = (
    (
        "..oo.....",
        "..ooooo..",
        "..oooooo.",
        "..ooooo..",
        "..oo.....",
        "..#......",
        "..#......",
        ".###.....",
        "#####....",
    ),
    (
        ".#.......",
        ".#oooooo.",
        ".#oooooo.",
        ".#oooooo.",
        ".#oooooo.",
        ".#.......",
        ".#.......",
        ".#.......",
        ".#.......",
    ),
    (
        "....#....",
        "..oo#....",
        "oooo#....",
        "..oo#....",
        "....#....",
        "....#....",
        "...###...",
        ".#######.",
        ".........",
    ),
)
MINE_PICTURES = (
    (
        "....#....",
        ".#.###.#.",
        "..#####..",
        ".#.####.#",
        "#########",
        ".#######.",
        "..#####..",
        ".#.###.#.",
        "....#....",
    ),
    (
        ".......#.",
        "......#..",
        "...###...",
        "..#####..",
        ".##.####.",
        ".#######.",
        ".#######.",
        "..#####..",
        "...###...",
    ),
    (
        "..#####..",
        ".#######.",
        "##.....##",
        "##.###.##",
        "##.###.##",
        "##.###.##",
        "##.....##",
        ".#######.",
        "..#####..",
    ),
)
"""Small pictures of our own: `#` in the colour of mines, `o` in that of flags."""


@dataclass(frozen=True)
class TkLook:
    """How the cells of one board are made; lengths are in pixels."""

    kind: str
    scheme: Scheme
    width: int
    height: int
    gap: int
    raised: str
    lowered: str
    border: int
    font: tuple[str, int, str]
    """Family, size (negative: in pixels), style."""
    pictures: bool
    """Whether flags and mines are small pictures."""
    disabled: bool
    """Whether opened buttons are disabled ones."""
    theme: str
    shape: str
    """Of canvas items: `rectangle`, `oval` or `bevel`."""
    opened_lines: bool
    designs: tuple[int, int]

    def names(self) -> dict[str, str]:
        """What is kept of the look beside the picture."""
        cells = (
            f"{self.raised}, {self.border}"
            if self.kind in ("buttons", "labels")
            else f"{self.shape} {self.theme}"
        )
        return {
            "font": self.font[0],
            "inks": self.scheme.inks_name,
            "cells": f"tk {self.kind}, {cells}",
            "opened": self.lowered,
            "flag": "picture" if self.pictures else self.scheme.flag,
            "mine": "picture" if self.pictures else self.scheme.mine,
            "size": f"{self.width}x{self.height}",
        }


def random_look(rng: Rng, scheme_of: Callable[[bool], Scheme], families: list[str]) -> TkLook:
    """A random look; `scheme_of` gives colours that alone tell covered from opened cells, or any."""
    kind = str(rng.choice(KINDS, p=[0.35, 0.2, 0.3, 0.15]))
    raised, lowered = str(rng.choice(RAISED)), str(rng.choice(LOWERED))
    shape = str(rng.choice(["rectangle", "oval", "bevel"], p=[0.5, 0.15, 0.35]))
    border = int(rng.integers(1, 5))
    same = raised in ("flat", "solid", "groove") or raised == lowered or border < 2
    distinct = {"canvas": shape == "rectangle", "ttk": True}.get(kind, same)
    height = int(rng.integers(16, 48))
    width = height if rng.random() < 0.8 else max(round(height * rng.uniform(0.85, 1.4)), 16)
    size = -max(round(height * rng.uniform(0.45, 0.72)), 10)
    style = str(rng.choice(["normal", "bold", "italic", "bold italic"], p=[0.45, 0.42, 0.08, 0.05]))
    font = (families[rng.integers(len(families))], size, style)
    return TkLook(
        kind,
        scheme_of(distinct),
        width,
        height,
        _gap(rng, kind, raised),
        raised,
        lowered,
        border,
        font,
        bool(rng.random() < 0.4),
        bool(rng.random() < 0.4),
        str(rng.choice(THEMES)),
        shape,
        bool(rng.random() < 0.6),
        (int(rng.integers(len(FLAG_PICTURES))), int(rng.integers(len(MINE_PICTURES)))),
    )


def _gap(rng: Rng, kind: str, raised: str) -> int:
    """Pixels between cells; flat ones need some to be seen."""
    if kind == "canvas":
        return 0
    return int(rng.choice([1, 2, 4] if raised == "flat" else [0, 0, 1, 2, 4]))


class CellMaker:
    """Makes the widgets of one board; holds the pictures that Tk shows, which it would else forget."""

    def __init__(self, look: TkLook) -> None:
        self._look = look
        self._blank = tk.PhotoImage(width=1, height=1)
        self._kept: dict[tuple[int, int], tk.PhotoImage] = {}

    def make(
        self, parent: tk.Misc, board: Board
    ) -> tuple[tk.Widget, Callable[[int, int], tuple[int, int, int, int]]]:
        """The widget of a board, and a function from row and column to x, y, width, height on the screen."""
        if self._look.kind == "canvas":
            return self._canvas(parent, board)
        frame = tk.Frame(parent, bg=as_text(self._look.scheme.line))
        cells: dict[tuple[int, int], tk.Widget] = {}
        make = self._ttk_cell if self._look.kind == "ttk" else self._cell
        for row in range(board.rows):
            for column in range(board.columns):
                cell = make(frame, int(board.codes[row, column]))
                cell.grid(row=row, column=column, padx=(0, self._look.gap), pady=(0, self._look.gap))
                cells[row, column] = cell

        def place(row: int, column: int) -> tuple[int, int, int, int]:
            cell = cells[row, column]
            return cell.winfo_rootx(), cell.winfo_rooty(), cell.winfo_width(), cell.winfo_height()

        return frame, place

    def _picture(self, code: int) -> tk.PhotoImage | None:
        """The small picture of a mark; None if the look writes a letter."""
        if not self._look.pictures or code not in (Cell.FLAG, Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG):
            return None
        scheme = self._look.scheme
        flagged = code in (Cell.FLAG, Cell.WRONG_FLAG)
        rows = FLAG_PICTURES[self._look.designs[0]] if flagged else MINE_PICTURES[self._look.designs[1]]
        ground = scheme.ground_of(code)
        inks = {"o": contrasting(scheme.flag_ink, ground, 60), "#": contrasting(scheme.mine_ink, ground, 60)}
        times = max((min(self._look.width, self._look.height) - 2 * self._look.border - 2) // 9, 1)
        if (code, times) not in self._kept:
            picture = tk.PhotoImage(width=9, height=9)
            for y, line in enumerate(rows):
                for x, dot in enumerate(line):
                    if dot in inks:
                        picture.put(as_text(inks[dot]), (x, y))
            if code == Cell.WRONG_FLAG:
                cross = contrasting(scheme.mine_ink, inks["o"], 90)
                for x in range(9):
                    picture.put(as_text(cross), (x, x))
                    picture.put(as_text(cross), (8 - x, x))
            self._kept[code, times] = picture.zoom(times)
        return self._kept[code, times]

    def _cell(self, parent: tk.Misc, code: int) -> tk.Widget:
        look, scheme = self._look, self._look.scheme
        ground, raised, ink = (
            as_text(scheme.ground_of(code)),
            scheme.is_raised(code),
            as_text(scheme.ink_of(code)),
        )
        picture = self._picture(code)
        text = "" if picture is not None else scheme.text_of(code)
        common: dict[str, Any] = {
            "bg": ground,
            "fg": ink,
            "text": text,
            "font": look.font,
            "image": picture if picture is not None else self._blank,
            "compound": "center",
            "width": look.width - 2 * look.border,
            "height": look.height - 2 * look.border,
            "bd": look.border,
            "relief": look.raised if raised else look.lowered,
            "padx": 0,
            "pady": 0,
            "highlightthickness": 0,
        }
        if look.kind == "labels":
            return tk.Label(parent, **common)
        disabled: dict[str, Any] = (
            {"state": "disabled", "disabledforeground": ink}
            if look.disabled and not raised and not picture
            else {}
        )
        return tk.Button(parent, activebackground=ground, **common, **disabled)

    def _ttk_cell(self, parent: tk.Misc, code: int) -> tk.Widget:
        look, scheme = self._look, self._look.scheme
        style = f"Cell{code}.TButton"
        raised = scheme.is_raised(code)
        ttk.Style().configure(
            style,
            background=as_text(scheme.ground_of(code)),
            foreground=as_text(scheme.ink_of(code)),
            font=look.font,
            padding=0,
            width=1,
            anchor="center",
            borderwidth=look.border,
            relief="raised" if raised else look.lowered,
            shiftrelief=0,
        )
        ttk.Style().map(style, background=[], foreground=[], relief=[])
        holder = tk.Frame(parent, width=look.width, height=look.height)
        picture = self._picture(code)
        button = ttk.Button(holder, style=style, text=scheme.text_of(code), takefocus=False)
        if picture is not None:
            button.configure(image=picture, text="")
        button.place(x=0, y=0, relwidth=1, relheight=1)
        return holder

    def _canvas(
        self, parent: tk.Misc, board: Board
    ) -> tuple[tk.Widget, Callable[[int, int], tuple[int, int, int, int]]]:
        look = self._look
        wide, high = look.width, look.height
        canvas = tk.Canvas(
            parent,
            width=board.columns * wide + 1,
            height=board.rows * high + 1,
            bg=as_text(look.scheme.opened),
            highlightthickness=0,
            bd=0,
        )
        for row in range(board.rows):
            for column in range(board.columns):
                self._draw(canvas, column * wide, row * high, int(board.codes[row, column]))

        def place(row: int, column: int) -> tuple[int, int, int, int]:
            return canvas.winfo_rootx() + column * wide, canvas.winfo_rooty() + row * high, wide, high

        return canvas, place

    def _draw(self, canvas: tk.Canvas, x: int, y: int, code: int) -> None:
        """Draw a cell on a canvas."""
        look, scheme = self._look, self._look.scheme
        wide, high, raised = look.width, look.height, scheme.is_raised(code)
        ground, line = as_text(scheme.ground_of(code)), as_text(scheme.line)
        if raised and look.shape == "oval":
            canvas.create_rectangle(x, y, x + wide, y + high, fill=as_text(scheme.opened), outline=line)
            canvas.create_oval(x + 2, y + 2, x + wide - 2, y + high - 2, fill=ground, outline=line)
        elif raised and look.shape == "bevel":
            light, dark, edge = shifted(scheme.covered, 60), shifted(scheme.covered, -70), look.border
            canvas.create_rectangle(x, y, x + wide, y + high, fill=as_text(dark), outline="")
            canvas.create_polygon(x, y, x + wide, y, x, y + high, fill=as_text(light), outline="")
            canvas.create_rectangle(
                x + edge, y + edge, x + wide - edge, y + high - edge, fill=ground, outline=""
            )
        else:
            outlined = raised or look.opened_lines
            canvas.create_rectangle(x, y, x + wide, y + high, fill=ground, outline=line if outlined else "")
        ink = scheme.ink_of(code)
        marked = code in (Cell.FLAG, Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG)
        if marked and look.pictures:
            self._draw_mark(canvas, x + wide / 2, y + high / 2, min(wide, high) / 2, code, ink)
        else:
            canvas.create_text(
                x + wide / 2, y + high / 2, text=scheme.text_of(code), fill=as_text(ink), font=look.font
            )

    def _draw_mark(self, canvas: tk.Canvas, x: float, y: float, half: float, code: int, ink: Colour) -> None:
        """Draw a flag or a mine of polygons and ovals around (x, y)."""
        design = self._look.designs
        dark = contrasting(self._look.scheme.mine_ink, self._look.scheme.ground_of(code), 60)
        if code in (Cell.FLAG, Cell.WRONG_FLAG):
            shapes = (
                ((-0.3, -0.7), (0.6, -0.35), (-0.3, 0)),
                ((-0.3, -0.65), (0.6, -0.65), (0.6, 0), (-0.3, 0)),
                ((0.3, -0.7), (-0.6, -0.4), (0.3, 0.05)),
            )
            side = 0.3 if design[0] == 2 else -0.3
            pole = (x + side * half, y - 0.7 * half, x + side * half, y + 0.7 * half)
            canvas.create_line(*pole, fill=as_text(dark), width=max(half / 8, 1))
            points = [(x + a * half, y + b * half) for a, b in shapes[design[0]]]
            canvas.create_polygon(
                [value for point in points for value in point], fill=as_text(ink), outline=""
            )
            if code == Cell.WRONG_FLAG:
                cross, reach = as_text(contrasting(dark, ink, 90)), 0.75 * half
                canvas.create_line(x - reach, y - reach, x + reach, y + reach, fill=cross, width=2)
                canvas.create_line(x - reach, y + reach, x + reach, y - reach, fill=cross, width=2)
            return
        radius = 0.45 * half
        for spike in range((0, 4, 6)[design[1]]):
            angle = math.pi * spike / (0, 4, 6)[design[1]]
            a, b = 0.75 * half * math.cos(angle), 0.75 * half * math.sin(angle)
            canvas.create_line(x - a, y - b, x + a, y + b, fill=as_text(ink), width=max(half / 7, 1))
        canvas.create_oval(x - radius, y - radius, x + radius, y + radius, fill=as_text(ink), outline="")
