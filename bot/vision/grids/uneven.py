"""Measures the lines of a grid whose columns and rows no longer have one size.

A table of a web page or of Tk makes a column as wide as the widest thing in it: when numbers come up in place
of blanks, some columns become wider or narrower, and all that lie behind them go along. What the lines looked
like when the grid was right is known from a picture of that time; where the same is seen now, the lines are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bot.vision.grid import ExactEdges, Grid, Image

STRONGEST = 64
"""A step between two pixels (0 to 255) counts as this much at most, so that a line counts by its length."""

AROUND = 0.3
"""What lies around a line is compared as far as this part of a cell on each side."""

NARROWEST, WIDEST = 0.6, 1.6
"""The smallest and the largest width of a column as a part of what it was."""

BEYOND = 1.5
"""How far the first line may lie from where it was, in cells."""

CHANGE = 0.01
"""What a column costs for each pixel by which its width has changed, and the first line for each by which it
has moved, as a part of what a line is worth that looks as it did: where nothing is seen between cells, they
keep their widths, and the edge of a title bar is no line of the board."""

STILL_SEEN = 0.5
"""How well all lines must be seen, in the mean, as a part of how well they were."""

Doubles = npt.NDArray[np.float64]


def uneven(before: Image, grid: Grid, now: Image) -> Grid | None:
    """The grid that had these lines in the picture `before`, (height, width, 3), as it lies in the picture
    `now`: each column and row with a width of its own. None where it is not seen.

    Method: the lines that are most like those of before, by dynamic programming over their places, first of
    the columns and then, within these, of the rows.
    """
    columns = _lines(before, grid.exact_columns, now, grid.exact_rows, grid.exact_rows)
    if columns is None:
        return None
    turned, turned_now = before.swapaxes(0, 1), now.swapaxes(0, 1)
    rows = _lines(turned, grid.exact_rows, turned_now, grid.exact_columns, columns)
    if rows is None:
        return None
    return replace(
        grid,
        x=float(columns[0]),
        y=float(rows[0]),
        cell_width=float(np.diff(columns).mean()),
        cell_height=float(np.diff(rows).mean()),
        wide_columns=0,
        wide_rows=0,
        column_offsets=tuple((columns - columns[0]).tolist()),
        row_offsets=tuple((rows - rows[0]).tolist()),
    )


def _lines(
    before: Image, edges: ExactEdges, now: Image, across: ExactEdges, across_now: ExactEdges
) -> ExactEdges | None:
    """Where the edges of columns lie in the picture `now`, as `edges` were in the picture `before`; `across`
    and `across_now` are the edges of the rows in both. None where they are not seen."""
    widths = np.diff(edges)
    reach = max(2, round(AROUND * float(widths.mean())))
    were, are = _steps(before, across), _steps(now, across_now)
    whole = np.floor(edges + 0.5).astype(int)
    if whole[-1] - whole[0] > len(are) or len(are) <= 2 * reach:
        return None
    looks = np.array([_around(were, line, reach) for line in whole])
    # Beside the outer lines lies something else than cells.
    kinds = [looks[:1], looks[1:-1], looks[-1:]]
    seen = np.array([_around(are, line, reach) for line in range(len(are) + 1)])
    likeness = np.array([_likeness(kind.mean(axis=0), seen) for kind in kinds])
    places = _likeliest(likeness, whole)
    if places is None:
        return None
    had = np.concatenate([_likeness(kind.mean(axis=0), kind) for kind in kinds])
    now_has = [likeness[0][places[0]], *likeness[1][places[1:-1]], likeness[2][places[-1]]]
    if not had.mean() > 0 or np.mean(now_has) < STILL_SEEN * had.mean():
        return None
    # Edges that lay inside pixels lie so again.
    return np.asarray(places + float(np.mean(edges - whole)), np.float64)


def _likeness(pattern: Doubles, seen: Doubles) -> Doubles:
    """How like a pattern each of some looks is, (looks,): 1 for one that has all of it; 0 where it has
    nothing that could be missed."""
    pattern = pattern - pattern.mean()
    worth = float(np.square(pattern).sum())
    return np.asarray(seen @ pattern / worth if worth > 0 else np.zeros(len(seen)), np.float64)


def _steps(picture: Image, rows: ExactEdges) -> Doubles:
    """How much neighbouring pixels differ between two columns of pixels, in the mean over the rows of a
    board: the step before each column of pixels, and 0 before the first."""
    top, bottom = (int(edge) for edge in np.clip(rows[[0, -1]], 0, picture.shape[0]))
    board = picture[top:bottom].astype(np.int16)
    steps = np.zeros(picture.shape[1])
    if bottom > top:
        differences = np.abs(np.diff(board, axis=1)).max(axis=2)
        steps[1:] = np.minimum(differences, STRONGEST).mean(axis=0)
    return steps


def _around(steps: Doubles, line: int, reach: int) -> Doubles:
    """The steps around a line; 0 beyond the picture."""
    padded = np.zeros(2 * reach + 1)
    first, last = max(0, line - reach), min(len(steps), line + reach + 1)
    if last > first:
        padded[first - line + reach : last - line + reach] = steps[first:last]
    return padded


def _likeliest(likeness: Doubles, were: npt.NDArray[np.int_]) -> npt.NDArray[np.int_] | None:
    """The places of lines that are most like lines, (lines,), one after the other; from how much each place
    is like the first one, an inner one and the last one, (3, places), and where the lines were. None where
    they do not fit in there."""
    count, widths = likeness.shape[1], np.diff(were)
    beyond = round(BEYOND * float(widths.mean()))
    best = np.full(count, -np.inf)
    first, last = max(0, were[0] - beyond), min(count, were[0] + beyond + 1)
    best[first:last] = likeness[0, first:last] - CHANGE * np.abs(np.arange(first, last) - were[0])
    came_from: list[npt.NDArray[np.int_]] = []
    for line, width in enumerate(widths.tolist(), 1):
        options = range(max(1, round(NARROWEST * width)), round(WIDEST * width) + 1)
        gains = np.full((len(options), count), -np.inf)
        for row, option in enumerate(options):
            if option < count:
                gains[row, option:] = best[: count - option] - CHANGE * abs(option - width)
        chosen = gains.argmax(axis=0)
        came_from.append(np.arange(count) - np.array(options)[chosen])
        best = gains.max(axis=0) + likeness[2 if line == len(widths) else 1]
    if not np.isfinite(best).any():
        return None
    places = [int(best.argmax())]
    for sources in reversed(came_from):
        places.append(int(sources[places[-1]]))
    return np.array(places[::-1])
