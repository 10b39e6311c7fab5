"""Examples that are kept where they are learned from, and batches of them.

To make an example takes longer than to learn from it on a graphics processor: each is in many batches, in
other colours each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from bot.vision.general.cell_windows import WINDOW_SIDE
from training.reader.learning.examples import IGNORED, MAX_CELLS, MAX_LOOKS, Example

Rng = np.random.Generator
Numbers = npt.NDArray[np.int64]

MULTIPLE = 8
"""Numbers of cells and looks that boards are filled up to are multiples of this: products are faster then."""

ALIKE = 12
"""Of so many times as many boards as there are in a batch it has those of about one size."""

LOOKS_OF_A_BOARD = 64
"""Number of looks, for each board of a batch, that a batch of fixed size has room for: more than they have on
average."""

FIXED_CELLS = (168, MAX_CELLS)
"""Numbers of cells, one of which the boards of a batch of fixed size are filled up to. Two of three boards
have at most the first."""

LEAST_OF_A_BOARD = 8
"""For so many windows that are kept, one board is."""


@dataclass(frozen=True)
class Batch:
    """Boards to learn from at a time; smaller ones are filled up with cells and looks that are none."""

    windows: Any
    """The windows of all looks: (windows, WINDOW_SIDE, WINDOW_SIDE, 3), 0 to 255."""
    board: Any
    """Which board each of them is of: (windows,)."""
    slots: Any
    """Which of the windows each look of a board has: (boards, looks)."""
    is_look: Any
    """1 where boards have looks: (boards, looks)."""
    looks: Any
    """Which look each cell has: (boards, cells); row after row, as many in a row as the board has."""
    inside: Any
    """1 where boards have cells: (boards, cells)."""
    above_below: Any
    """Which cells of all boards are above and below each: (boards * cells, 2). The number after the last one
    stands for what is beyond the board."""
    is_beside: Any
    """1 where a cell has one to its left, and to its right: (boards * cells, 2)."""
    labels: Any
    """What each cell is, or IGNORED: (boards, cells)."""

    def copy_to(self, other: Batch) -> None:
        """Overwrite a batch of the same size."""
        for field in fields(self):
            getattr(other, field.name).copy_(getattr(self, field.name))


@dataclass(frozen=True)
class Chunk:
    """Some examples side by side, as they come from the processes that make them."""

    windows: Any
    """Those of all: (windows, WINDOW_SIDE, WINDOW_SIDE, 3)."""
    counts: Any
    """How many looks each example has, its rows and its columns: (3, examples)."""
    cells: Any
    """The look and the label of each cell, row after row, filled up: (2, examples, cells)."""


def chunk_of(examples: Sequence[Example]) -> Chunk:
    """Examples side by side."""
    cells = np.zeros((2, len(examples), _filled(MAX_CELLS)), np.int16)
    cells[1] = IGNORED
    for index, one in enumerate(examples):
        cells[0, index, : one.looks.size] = one.looks.ravel()
        cells[1, index, : one.labels.size] = one.labels.ravel()
    counts = np.array([(len(one.windows), *one.looks.shape) for one in examples], np.int64).T
    windows = np.concatenate([one.windows for one in examples])
    return Chunk(*(torch.from_numpy(values) for values in (windows, np.ascontiguousarray(counts), cells)))


def _filled(count: int) -> int:
    return -(-count // MULTIPLE) * MULTIPLE


class Stock:
    """The last examples that were made, on the device that learns from them."""

    def __init__(self, windows: int, device: str) -> None:
        """With room for so many windows."""
        self._device = device
        self._windows = torch.empty((windows, WINDOW_SIDE, WINDOW_SIDE, 3), dtype=torch.uint8, device=device)
        boards = windows // LEAST_OF_A_BOARD
        self._cells = torch.zeros((2, boards, _filled(MAX_CELLS)), dtype=torch.int16, device=device)
        self._counts: Numbers = np.zeros((3, boards), np.int64)
        # Windows and boards are numbered on and on; each lies at its number, less the whole rounds.
        self._starts: Numbers = np.zeros(boards, np.int64)
        self._oldest, self._next, self._end = 0, 0, 0

    def __len__(self) -> int:
        """Number of examples that are kept."""
        return self._next - self._oldest

    def add(self, chunk: Chunk) -> None:
        """Keep more examples, and the oldest ones no longer if there is no room."""
        room, count = len(self._windows), len(chunk.windows)
        if self._end % room + count > room:
            self._end += room - self._end % room
        first = self._end % room
        self._windows[first : first + count] = chunk.windows.to(self._device)
        counts: Numbers = chunk.counts.numpy()
        boards = np.arange(self._next, self._next + counts.shape[1]) % len(self._starts)
        self._cells[:, torch.from_numpy(boards).to(self._device)] = chunk.cells.to(self._device)
        self._counts[:, boards] = counts
        self._starts[boards] = self._end + np.cumsum(counts[0]) - counts[0]
        self._end += count
        self._next += len(boards)
        self._oldest = max(self._oldest, self._next - len(self._starts))
        while self._starts[self._oldest % len(self._starts)] + room < self._end:
            self._oldest += 1

    def batch(self, rng: Rng, size: int, is_fixed: bool = False) -> Batch:
        """So many boards, drawn at random, about as large as each other; if it is to be `is_fixed`, filled up
        to one of few sizes."""
        drawn = rng.integers(self._oldest, self._next, ALIKE * size) % len(self._starts)
        cells = self._counts[1, drawn] * self._counts[2, drawn]
        # Boards of one size side by side leave least to fill up.
        boards = drawn[np.argsort(cells)].reshape(ALIKE, size)[rng.integers(ALIKE)]
        room = size * LOOKS_OF_A_BOARD
        while is_fixed and self._counts[0, boards].sum() > room:
            boards[self._counts[0, boards].argmax()] = boards[self._counts[0, boards].argmin()]
        counts = self._counts[:, boards]
        most_looks, most_cells = int(counts[0].max()), int((counts[1] * counts[2]).max())
        if is_fixed:
            most_looks, most_cells = MAX_LOOKS, min(one for one in FIXED_CELLS if one >= most_cells)
        first = self._starts[boards] % len(self._windows)
        told = torch.from_numpy(np.concatenate([counts, [first, boards]])).to(self._device)
        windows = room if is_fixed else int(counts[0].sum())
        return self._batch(told, _filled(most_cells), _filled(most_looks), windows)

    def _batch(self, told: Any, most_cells: int, most_looks: int, most_windows: int) -> Batch:
        """From what is told of each board, its looks, rows, columns, first window and place, (5, boards)."""
        counts, rows, columns, first, places = told
        ends = counts.cumsum(0)
        begins = ends - counts
        numbers = torch.arange(most_windows, device=told.device)
        # Where there are fewer windows than there is room for, those of the last board come again.
        board = torch.searchsorted(ends, numbers, right=True).clamp(max=len(counts) - 1)
        windows = self._windows[first[board] + (numbers - begins[board]) % counts[board]]
        look = torch.arange(most_looks, device=told.device)
        is_look = look < counts[:, None]
        cell = torch.arange(most_cells, device=told.device)
        inside = cell < (rows * columns)[:, None]
        kept = self._cells[:, places, :most_cells].long()
        return Batch(
            windows=windows,
            board=board,
            slots=(begins[:, None] + look) * is_look,
            is_look=is_look.float(),
            looks=kept[0],
            inside=inside.float(),
            above_below=_above_below(columns[:, None], cell, inside),
            is_beside=_is_beside(columns[:, None], cell, inside),
            labels=kept[1],
        )


def _above_below(columns: Any, cell: Any, inside: Any) -> Any:
    """`Batch.above_below` of boards of so many columns, (boards, 1), with cells of these numbers, (cells,),
    `inside` of them, (boards, cells)."""
    count = len(cell)
    above, below = cell - columns, cell + columns
    board = torch.arange(len(columns), device=cell.device)[:, None] * count
    beyond = torch.full_like(above, inside.numel())
    is_above = inside & (above >= 0)
    # The cell below is inside if there is one: boards have whole rows.
    is_below = inside & (below < inside.sum(1, keepdim=True))
    both = torch.where(is_above, board + above, beyond), torch.where(is_below, board + below, beyond)
    return torch.stack(both, 2).view(-1, 2)


def _is_beside(columns: Any, cell: Any, inside: Any) -> Any:
    """`Batch.is_beside` of the same boards."""
    column = cell % columns
    both = inside & (column > 0), inside & (column < columns - 1)
    return torch.stack(both, 2).view(-1, 2).float()
