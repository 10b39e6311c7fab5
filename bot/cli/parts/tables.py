"""Tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

LEFT = frozenset({"outcome", "target", "board", "size", "recording", "strategy", "whose"})
"""Titles of the columns that hold words; the others hold numbers and are aligned at the right."""


class PlainConsole(Console):
    """Prints text as it is, without marks or colours of its own."""

    def __init__(self, **given: Any) -> None:
        """`given` as rich's Console takes it."""
        super().__init__(highlight=False, **given)

    def on_broken_pipe(self) -> None:
        """Nobody reads the output any more: the error goes on, where rich would end the program."""
        raise


def print_table(
    titles: Sequence[str], rows: Sequence[Sequence[str]], *, naming: int = 1, **style: Any
) -> None:
    """Print a table on stdout. In a terminal that is too narrow it is printed as several tables, one below
    the other, each with the first `naming` columns, which say what a row is, where these are too wide with
    the first of them, or with the numbers of the rows if it is the same in several, or else a line for each
    value. A pipe or a file gets one table. `style` is passed to rich's Table.
    """
    console = PlainConsole(markup=False)
    room = console.width if console.is_terminal else 10_000

    def table(columns: Sequence[int]) -> Table:
        made = Table(**style)
        for column in columns:
            title = titles[column]
            made.add_column(title, justify="left" if title in LEFT else "right", no_wrap=True)
        for row in rows:
            made.add_row(*(row[column] for column in columns))
        return made

    def width(columns: Sequence[int]) -> int:
        return Measurement.get(console, console.options.update(max_width=10_000), table(columns)).maximum

    def blocks(names: list[int]) -> list[list[int]]:
        """The columns of each table. Each has one column at least beside the names."""
        found: list[list[int]] = []
        for column in range(len(titles)):
            if found and width([*found[-1], column]) <= room:
                found[-1].append(column)
            elif column < len(names):
                found = [[*(found[-1] if found else []), column]]
            else:
                found.append([*names, column])
        return found

    def printed(tables: Sequence[Sequence[int]]) -> bool:
        """Print these, if they are not too wide."""
        widths = [width(columns) for columns in tables]
        if max(widths, default=0) > room:
            return False
        for columns, wide in zip(tables, widths, strict=True):
            PlainConsole(markup=False, width=wide).print(table(columns))
        return True

    names = list(range(naming))
    if printed(blocks(names)):
        return
    if naming > 1 and len({row[0] for row in rows}) < len(rows):
        numbered = [(str(number), *row) for number, row in enumerate(rows, 1)]
        print_table(("#", *titles), numbered, **style)
        return
    if printed(blocks(names[:1])):
        return
    longest = max(map(len, titles))
    for row in rows:
        for title, value in zip(titles, row, strict=True):
            if value:
                console.print(f"{title:{longest}}  {value}", soft_wrap=True)
        console.print()
