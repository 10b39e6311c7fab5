"""A Minesweeper in a window of Tk, with buttons wherever they are wanted; nothing of minebot is in it.

`python tk_game.py --bar "New,Scores,Quit" --foot ... --side ...`: a button of which the text says so starts a
game or ends the program, any other opens a window. `--icons "new,scores,help,quit"` is a toolbar of pictures
without texts, which do what they are called. `--menu "Start,Quit"` is what is seen before the first board.
`--key` starts a game too, `--end dialog` tells the end
of a game in a window, `--title ""` gives the window no name. It prints a line for what was done.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tkinter
from functools import partial
from typing import Literal

Side = Literal["top", "bottom", "left", "right"]

CELL = 26
COLOURS = ("", "#2038d0", "#207a28", "#d02020", "#181878", "#781818", "#107878", "#202020", "#707070")


Shapes = list[tuple[str, int, int, int, int]]
ICONS: dict[str, Shapes] = {
    "new": [("#303030", 4, 2, 18, 20), ("#fdfdfd", 5, 3, 17, 19), ("#e0b020", 12, 1, 20, 9)],
    "scores": [("#3060c0", 3, 12, 8, 20), ("#c04030", 9, 3, 14, 20), ("#30a040", 15, 8, 20, 20)],
    "help": [("#2050b0", 3, 3, 19, 19), ("#ffffff", 9, 5, 13, 8), ("#ffffff", 9, 10, 13, 17)],
    "quit": [("#b02020", 3, 3, 19, 19), ("#ffffff", 10, 5, 12, 12), ("#ffffff", 6, 14, 16, 16)],
}
"""Rectangles, each a colour and its edges, of pictures of 22 pixels."""


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Game:
    def __init__(self, words: argparse.Namespace) -> None:
        self._words = words
        self._root = tkinter.Tk(className=words.program)
        self._root.title(words.title)
        self._menu = tkinter.Frame(self._root)
        if words.menu:
            self._add(self._menu, words.menu, "top", "top")
        else:
            self._lay_out()
        self._root.mainloop()

    def _lay_out(self) -> None:
        words = self._words
        self._menu.destroy()
        self._add_icons(tkinter.Frame(self._root), words.icons)
        self._add(tkinter.Frame(self._root), words.bar, "top", "left")
        self._add(tkinter.Frame(self._root), words.side, "left", "top")
        self._add(tkinter.Frame(self._root), words.foot, "bottom", "left")
        size = words.columns * CELL, words.rows * CELL
        self._canvas = tkinter.Canvas(self._root, width=size[0], height=size[1], highlightthickness=0)
        self._canvas.pack(padx=12, pady=8)
        self._canvas.bind("<ButtonRelease-1>", self._opened)
        self._canvas.bind("<ButtonRelease-3>", self._marked)
        if words.key:
            self._root.bind(f"<KeyRelease-{words.key}>", lambda _: self._begin())
        self._begin()

    def _add(self, place: tkinter.Frame, texts: str, side: Side, inside: Side) -> None:
        place.pack(side=side, padx=6, pady=6)
        for text in filter(None, texts.split(",")):
            button = tkinter.Button(place, text=text, command=partial(self._act, text))
            button.pack(side=inside, padx=4, pady=2)
            if self._words.focus == text:
                button.focus_set()

    def _add_icons(self, place: tkinter.Frame, names: str) -> None:
        place.pack(side="top", anchor="w", padx=6, pady=4)
        self._pictures = []
        for name in filter(None, names.split(",")):
            picture = tkinter.PhotoImage(width=22, height=22)
            for colour, left, top, right, bottom in ICONS[name]:
                picture.put(colour, to=(left, top, right, bottom))
            self._pictures.append(picture)
            button = tkinter.Button(place, image=picture, relief="flat", command=partial(self._act, name))
            button.pack(side="left", padx=1)

    def _act(self, text: str) -> None:
        tell(f"pressed {text}")
        if self._menu.winfo_exists() and not re.search("quit|exit", text.lower()):
            return self._lay_out()
        if re.search("new|again|restart|reset|neu", text.lower()):
            self._begin()
        elif re.search("quit|exit|close|beenden|leave|bye", text.lower()):
            self._root.destroy()
        else:
            self._tell(text)

    def _tell(self, text: str) -> None:
        window = tkinter.Toplevel(self._root)
        window.title(text)
        window.transient(self._root)
        tkinter.Label(window, text=f"{text}: nothing yet").pack(padx=40, pady=20)
        tkinter.Button(window, text="OK", command=window.destroy).pack(pady=8)
        window.bind("<Escape>", lambda _: window.destroy())
        window.bind("<Return>", lambda _: window.destroy())

    def _begin(self) -> None:
        tell("begun")
        self._mines: set[tuple[int, int]] = set()
        self._shown: set[tuple[int, int]] = set()
        self._flags: set[tuple[int, int]] = set()
        self._over = False
        self._draw()

    def _around(self, cell: tuple[int, int]) -> list[tuple[int, int]]:
        row, column = cell
        return [
            (r, c)
            for r in range(max(0, row - 1), min(self._words.rows, row + 2))
            for c in range(max(0, column - 1), min(self._words.columns, column + 2))
            if (r, c) != cell
        ]

    def _opened(self, event: tkinter.Event[tkinter.Canvas]) -> None:
        cell = event.y // CELL, event.x // CELL
        if self._over or cell in self._flags:
            return
        if not self._mines:
            cells = [(r, c) for r in range(self._words.rows) for c in range(self._words.columns)]
            self._mines = set(random.sample([one for one in cells if one != cell], self._words.mines))
        if cell in self._mines:
            self._shown |= self._mines
            self._finish("lost")
        else:
            todo = [cell]
            while todo:
                one = todo.pop()
                if one not in self._shown:
                    self._shown.add(one)
                    if not self._mines.intersection(self._around(one)):
                        todo += self._around(one)
            if len(self._shown) == self._words.rows * self._words.columns - self._words.mines:
                self._finish("won")
        self._draw()

    def _finish(self, outcome: str) -> None:
        tell(outcome)
        self._over = True
        if self._words.end == "dialog":
            self._root.after(300, lambda: self._tell(f"You have {outcome}"))

    def _marked(self, event: tkinter.Event[tkinter.Canvas]) -> None:
        cell = event.y // CELL, event.x // CELL
        if not self._over and cell not in self._shown:
            self._flags ^= {cell}
            self._draw()

    def _draw(self) -> None:
        self._canvas.delete("all")
        for row in range(self._words.rows):
            for column in range(self._words.columns):
                cell, x, y = (row, column), column * CELL, row * CELL
                shown = cell in self._shown
                ground = "#eef2f6" if shown else "#8fa9c9"
                self._canvas.create_rectangle(x, y, x + CELL, y + CELL, fill=ground, outline="#6b7a8f")
                count = len(self._mines.intersection(self._around(cell)))
                middle = x + CELL // 2, y + CELL // 2
                if shown and cell in self._mines:
                    self._canvas.create_oval(x + 7, y + 7, x + CELL - 7, y + CELL - 7, fill="black")
                elif shown and count:
                    font = ("DejaVu Sans", 13, "bold")
                    self._canvas.create_text(*middle, text=str(count), fill=COLOURS[count], font=font)
                elif cell in self._flags:
                    points = (x + 9, y + 20, x + 9, y + 6, x + 19, y + 10, x + 9, y + 14)
                    self._canvas.create_polygon(*points, fill="#c01818")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name, default in (
        ("bar", ""),
        ("menu", ""),
        ("side", ""),
        ("foot", ""),
        ("key", ""),
        ("end", ""),
        ("focus", ""),
        ("icons", ""),
    ):
        parser.add_argument(f"--{name}", default=default)
    parser.add_argument("--title", default="Sweeper")
    parser.add_argument("--program", default="sweeper")
    parser.add_argument("--columns", type=int, default=9)
    parser.add_argument("--rows", type=int, default=9)
    parser.add_argument("--mines", type=int, default=10)
    Game(parser.parse_args())


if __name__ == "__main__":
    main()
