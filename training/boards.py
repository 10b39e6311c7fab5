"""Minefields to train and to measure on: the same seed gives the same ones everywhere."""

from __future__ import annotations

import numpy as np

from bot.board import FirstClick
from bot.solver.workspace import Ints

BATCH = 10_000


def start_of(first_click: FirstClick) -> tuple[int, int]:
    """Where games open first: a corner, or a place whose neighbours are all on the board."""
    return (2, 2) if first_click is FirstClick.ZERO else (0, 0)


def minefields(rows: int, columns: int, mines: int, first_click: FirstClick, games: int, seed: int) -> Ints:
    """Mines as `row * columns + column`, shape (games, mines); every layout of the rule is equally likely."""
    rng = np.random.default_rng(seed)
    row, column = start_of(first_click)
    around = {FirstClick.ANY: -1, FirstClick.SAFE: 0, FirstClick.ZERO: 1}[first_click]
    free = np.array(
        [
            r * columns + c
            for r in range(rows)
            for c in range(columns)
            if max(abs(r - row), abs(c - column)) > around
        ],
        np.int32,
    )
    found = np.empty((games, mines), np.int32)
    for at in range(0, games, BATCH):
        keys = rng.random((min(BATCH, games - at), len(free)), dtype=np.float32)
        found[at : at + BATCH] = free[np.argpartition(keys, mines, axis=1)[:, :mines]]
    return found
