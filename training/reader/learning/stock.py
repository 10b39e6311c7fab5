"""Examples that are kept where they are learned from, and batches of them.

To make an example takes longer than to learn from it on a graphics processor: each is in many batches, in
other colours each time. Board networks alone learn from what cell networks made of an example; that is kept
in place of its windows.
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
"""Numbers of cells that examples are kept with are multiples of this."""

ALIKE = 4
"""Of so many times as many boards as there are in a batch it has those with about as many looks."""

LOOKS_OF_A_BOARD, CELLS_OF_A_BOARD = 64, 200
"""Number of looks and of cells, for each board of a batch, that a batch of fixed size has room for: more than
they have on average."""

LEAST_OF_A_BOARD = 8
"""For so many looks that are kept, one board is."""


@dataclass(frozen=True)
class Batch:
    """Boards to learn from at a time, all their looks in a row and all their cells in another.

    In a batch of fixed size there are more of both at the end that are of no board.
    """

    shown: Any
    """What is known of each look: its window, (looks, WINDOW_SIDE, WINDOW_SIDE, 3), 0 to 255, or what cell
    networks make of it, (looks, features)."""
    board: Any
    """Which board each of them is of: (looks,)."""
    slots: Any
    """The looks of each board, filled up with the number of all looks: (boards, most looks)."""
    place: Any
    """Where in `slots`, row after row, each look is: (looks,)."""
    look: Any
    """Which look each cell has: (cells,); board after board, and of each row after row."""
    board_of_cell: Any
    """Which board each cell is of: (cells,)."""
    above_below: Any
    """Which cells are above and below each, or the number of all cells where there is none: (cells, 2)."""
    is_beside: Any
    """1 where a cell has one to its left, and to its right: (cells, 2)."""
    labels: Any
    """What each cell is, or IGNORED: (cells,)."""

    def copy_to(self, other: Batch) -> None:
        """Overwrite a batch of the same size."""
        for field in fields(self):
            getattr(other, field.name).copy_(getattr(self, field.name))


@dataclass(frozen=True)
class Chunk:
    """Some examples side by side, as they come from the processes that make them."""

    shown: Any
    """As `Batch` has it, of the looks of all."""
    counts: Any
    """How many looks each example has, its rows and its columns: (3, examples)."""
    cells: Any
    """The look and the label of each cell, row after row, filled up: (2, examples, cells)."""


def chunk_of(examples: Sequence[Example], shown: Any = None) -> Chunk:
    """Examples side by side; `shown` is what is known of their looks, if not their windows."""
    cells = np.zeros((2, len(examples), _filled(MAX_CELLS)), np.int16)
    cells[1] = IGNORED
    for index, one in enumerate(examples):
        cells[0, index, : one.looks.size] = one.looks.ravel()
        cells[1, index, : one.labels.size] = one.labels.ravel()
    counts = np.array([(len(one.windows), *one.looks.shape) for one in examples], np.int64).T
    if shown is None:
        shown = torch.from_numpy(np.concatenate([one.windows for one in examples]))
    return Chunk(shown, torch.from_numpy(np.ascontiguousarray(counts)), torch.from_numpy(cells))


def _filled(count: int) -> int:
    return -(-count // MULTIPLE) * MULTIPLE


class Stock:
    """The last examples that were made, on the device that learns from them."""

    def __init__(self, looks: int, device: str, features: int = 0) -> None:
        """With room for so many looks; for so many `features` of each, or for its window if 0."""
        self._device = device
        shape, kind = (
            ((features,), torch.float16) if features else ((WINDOW_SIDE, WINDOW_SIDE, 3), torch.uint8)
        )
        self._shown = torch.empty((looks, *shape), dtype=kind, device=device)
        boards = looks // LEAST_OF_A_BOARD
        self._cells = torch.zeros((2, boards, _filled(MAX_CELLS)), dtype=torch.int16, device=device)
        self._counts: Numbers = np.zeros((3, boards), np.int64)
        # Looks and boards are numbered on and on; each lies at its number, less the whole rounds.
        self._starts: Numbers = np.zeros(boards, np.int64)
        self._oldest, self._next, self._end = 0, 0, 0

    def __len__(self) -> int:
        """Number of examples that are kept."""
        return self._next - self._oldest

    def add(self, chunk: Chunk) -> None:
        """Keep more examples, and the oldest ones no longer if there is no room."""
        room, count = len(self._shown), len(chunk.shown)
        if self._end % room + count > room:
            self._end += room - self._end % room
        first = self._end % room
        self._shown[first : first + count] = chunk.shown.to(self._device)
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
        """So many boards, drawn at random, with about as many looks as each other; if it `is_fixed`, any, and
        always as many looks and cells in all."""
        alike = 1 if is_fixed else ALIKE
        drawn = rng.integers(self._oldest, self._next, alike * size) % len(self._starts)
        boards = drawn[np.argsort(self._counts[0, drawn])].reshape(alike, size)[rng.integers(alike)]
        looks, cells = self._counts[0, boards], self._counts[1, boards] * self._counts[2, boards]
        most, rooms = int(looks.max()), (int(looks.sum()), int(cells.sum()))
        if is_fixed:
            most, rooms = MAX_LOOKS, (size * LOOKS_OF_A_BOARD, size * CELLS_OF_A_BOARD)
            while looks.sum() >= rooms[0] or cells.sum() > rooms[1]:  # the last look is of no board
                parts = looks / rooms[0] + cells / rooms[1]
                largest, smallest = parts.argmax(), parts.argmin()
                for values in (boards, looks, cells):
                    values[largest] = values[smallest]
        first = self._starts[boards] % len(self._shown)
        told = torch.from_numpy(np.concatenate([self._counts[:, boards], [first, boards]])).to(self._device)
        return self._batch(told, *rooms, most)

    def _batch(self, told: Any, all_looks: int, all_cells: int, most_looks: int) -> Batch:
        """From what is told of each board, its looks, rows, columns, first look and place, (5, boards)."""
        counts, rows, columns, first, places = told
        board, number, is_look = _numbered(counts, all_looks)
        owner, cell, is_cell = _numbered(rows * columns, all_cells)
        begins = counts.cumsum(0) - counts
        slot = torch.arange(most_looks, device=told.device)
        kept = self._cells[:, places[owner], cell].long()
        at, across = torch.arange(all_cells, device=told.device), columns[owner]
        is_above, is_below = cell >= across, cell + across < (rows * columns)[owner]
        above = torch.where(is_cell & is_above, at - across, all_cells)
        below = torch.where(is_cell & is_below, at + across, all_cells)
        beside = torch.stack([cell % across > 0, (cell + 1) % across > 0], 1) & is_cell[:, None]
        return Batch(
            shown=self._shown[first[board] + number],
            board=board,
            slots=torch.where(slot < counts[:, None], begins[:, None] + slot, all_looks),
            place=torch.where(is_look, board * most_looks + number, 0),
            look=torch.where(is_cell, begins[owner] + kept[0], all_looks - 1),
            board_of_cell=owner,
            above_below=torch.stack([above, below], 1),
            is_beside=beside.float(),
            labels=torch.where(is_cell, kept[1], IGNORED),
        )


def _numbered(counts: Any, room: int) -> tuple[Any, Any, Any]:
    """For things of which each board has so many, (boards,), one after another: the board of each, its number
    on that board, and whether it is one, (room,); those that are left are none, of the last board."""
    ends = counts.cumsum(0)
    at = torch.arange(room, device=counts.device)
    board = torch.searchsorted(ends, at, right=True).clamp(max=len(counts) - 1)
    number = at - (ends - counts)[board]
    is_one = number < counts[board]
    return board, torch.where(is_one, number, 0), is_one
