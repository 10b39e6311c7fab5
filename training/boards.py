"""Minefields to train and to measure on, and the words that ask for them: the same seed gives the same ones
everywhere."""

from __future__ import annotations

import argparse

import numpy as np

from bot.board import LEVELS, FirstClick
from bot.solver.constraints.workspace import Ints
from bot.solver.deduction.compiled_board import CompiledBoard
from bot.solver.jit.compiler import jit
from bot.strategy.first_click import start

BATCH = 10_000


def first_cell(field: CompiledBoard, first_click: FirstClick) -> int:
    """Where games open first, as a cell of a bordered board."""
    row, column = start(first_click)
    return (row + 1) * field.counts.stride + column + 1


def add_words(words: argparse.ArgumentParser, games: int, seed: int) -> None:
    """Add the options that say which games are played: so many, of that seed, where nothing is said."""
    words.add_argument("--level", choices=sorted(LEVELS), default="expert")
    words.add_argument("--first-click", choices=["safe", "zero"], default="safe")
    words.add_argument("--games", type=int, default=games)
    words.add_argument("--seed", type=int, default=seed)


@jit
def seed_compiled(seed: int) -> None:
    """Seed the chance of compiled games."""
    np.random.seed(seed)


def minefields(rows: int, columns: int, mines: int, first_click: FirstClick, games: int, seed: int) -> Ints:
    """Mines as `row * columns + column`, shape (games, mines); every layout of the rule is equally likely."""
    rng = np.random.default_rng(seed)
    row, column = start(first_click)
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
