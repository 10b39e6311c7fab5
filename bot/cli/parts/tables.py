"""Tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

LEFT = frozenset({"outcome", "target", "board", "size", "recording", "strategy", "whose"})
"""Titles of the columns that hold words; the others hold numbers and are aligned at the right."""


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]], **style: Any) -> None:
    """Print a table on stdout. If a terminal is too narrow, the last columns are left out, so that no cell is
    cut off; a pipe or a file gets all columns. `style` is passed to rich's Table.
    """
    console = Console(highlight=False, markup=False)
    room = console.width if console.is_terminal else 10_000
    for count in range(len(titles), 0, -1):
        table = Table(**style)
        for title in titles[:count]:
            table.add_column(title, justify="left" if title in LEFT else "right", no_wrap=True)
        for row in rows:
            table.add_row(*row[:count])
        width = Measurement.get(console, console.options.update(max_width=10_000), table).maximum
        if width <= room or count == 1:
            Console(highlight=False, markup=False, width=width).print(table)
            return
