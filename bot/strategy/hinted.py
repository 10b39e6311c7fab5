"""A strategy that asks for hints, where a game gives any, before it guesses."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bot.board import Action, Cell, Move, Observation
from bot.solver.deduction.ladder import deduce
from bot.solver.position.random_layouts import sample_layouts
from bot.strategy.base import Decision, Kind, StandsFor
from bot.strategy.certain import open_safe
from bot.strategy.exact import safest, solved_of
from bot.strategy.local import LOCAL_RUNGS
from bot.strategy.registry import strategy as strategy_of

SAMPLES = 1000
"""Layouts by which questions are compared."""

SIDES = (1, 3, 5)
"""The squares that come into question, by their side."""

SHORTLIST = 24
"""Questions that are compared closely: those whose answer is the least certain."""

LEAST_RISK = 0.05
"""A guess that is as safe as this is made without a hint, so that hints are left for worse ones. Of the same
2,000 games of comp1511, 1,852 were won with 0.02 and with 0.05, 1,821 with 0.1, and 1,715 with 0.15."""


@dataclass(frozen=True)
class Hinted(StandsFor):
    """Plays as another strategy until that would guess; then asks, as long as there are hints.

    It asks what leaves, on average over the answers, the safest next cell. What a hint says counts as
    one more constraint from then on. The first click, and a guess that is nearly safe, is made unasked.
    """

    def decide(self, observation: Observation, turn: int) -> Decision:
        """What the other one is certain of, else what the hints settle, a hint, or a guess.

        Raises ContradictionError where the board cannot be.
        """
        if observation.constraints or observation.cases:
            # Most rounds need no more than this, and all chances by several cases take 20 times as long.
            deduction = deduce(observation.board, observation.rules, LOCAL_RUNGS)
            if deduction.safe:
                return open_safe(deduction)
        decision = self.inner.decide(replace(observation, hints=0), turn)
        asks = observation.hints > 0 and turn > 0
        if decision.kind in (Kind.CERTAIN, Kind.FIRST) or not (asks or observation.constraints):
            return decision
        solved = solved_of(observation)
        readable = set(observation.board.where(Cell.COVERED, Cell.FLAG, Cell.QUESTION))
        safe = tuple(cell for cell in solved.safe if cell in readable)
        if safe:
            cells = "cell is" if len(safe) == 1 else "cells are"
            return Decision(
                Kind.CERTAIN,
                "hint",
                safe,
                solved.mines,
                reason=f"{len(safe)} {cells} no mine in any layout that fits the hints too",
                chances=solved.chance,
            )
        cell = safest(observation.board, {cell: solved.chance[cell] for cell in sorted(readable)})
        if cell is None:
            return decision
        risk = solved.chance[cell]
        if asks and risk > LEAST_RISK:
            question = best_question(observation)
            if question is not None:
                return Decision(
                    Kind.HINT,
                    "hint",
                    mines=solved.mines,
                    reason=f"the safest cell is a mine with {risk:.0%}: {question}",
                    ask=question,
                    chances=solved.chance,
                )
        if not observation.constraints:
            return decision
        return Decision(
            Kind.GUESS,
            "safest",
            (cell,),
            solved.mines,
            survival=1 - risk,
            reason=f"nothing is certain, hints included; the safest cell is a mine with {risk:.1%}",
            chances=solved.chance,
        )


def player_of(name: str) -> Hinted:
    """The strategy of that name, asking for hints where there are any; raises UsageError for no such name."""
    return Hinted(strategy_of(name))


def questions(rows: int, columns: int) -> list[Move]:
    """All that can be asked, as far as it comes into question."""
    asked = [Move(Action.COUNT_ROW, row, 0) for row in range(rows)]
    asked += [Move(Action.COUNT_COLUMN, 0, column) for column in range(columns)]
    asked += [
        Move(Action.COUNT_SQUARE, row, column, side)
        for side in SIDES
        for row in range(rows)
        for column in range(columns)
    ]
    return asked


def best_question(observation: Observation) -> Move | None:
    """The question after whose answer the safest cell is safest on average; None where none tells anything.

    Layouts are drawn for it, the same ones for the same observation.
    """
    board = observation.board
    told = repr([(sorted(each.cells), each.mines) for each in observation.constraints])
    rng = np.random.default_rng(zlib.crc32(board.codes.tobytes() + told.encode()))
    drawn = sample_layouts(observation, SAMPLES, rng)
    if drawn is None:
        return None
    cells, layouts = drawn
    asked, masks = _masks(board.rows, board.columns)
    # Products of whole numbers far below 2**24 are exact in these floats.
    mines = layouts.astype(np.float32)
    answers = (mines @ masks[[row * board.columns + column for row, column in cells]]).astype(np.int16)
    spread = _entropies(answers)
    best: tuple[float, float] = (0.0, 0.0)
    chosen = None
    for index in np.argsort(-spread, kind="stable")[:SHORTLIST]:
        if spread[index] <= 0:
            break
        value = (_survival(answers[:, index], mines), float(spread[index]))
        if value > best:
            best, chosen = value, asked[index]
    return chosen


@lru_cache(maxsize=8)
def _masks(rows: int, columns: int) -> tuple[list[Move], npt.NDArray[np.float32]]:
    """The questions, and 1 where one is about a cell: shape (cells of the board, questions)."""
    asked = questions(rows, columns)
    masks = np.zeros((rows * columns, len(asked)), np.float32)
    for index, question in enumerate(asked):
        for row, column in question.asked(rows, columns):
            masks[row * columns + column, index] = 1
    return asked, masks


def _entropies(answers: npt.NDArray[np.int16]) -> npt.NDArray[np.float64]:
    """How uncertain each answer is, given those in the layouts drawn: shape (layouts, questions)."""
    entropies = np.zeros(answers.shape[1])
    for answer in range(int(answers.max()) + 1):
        share = np.count_nonzero(answers == answer, axis=0) / len(answers)
        entropies -= share * np.log(np.where(share > 0, share, 1.0))
    return entropies


def _survival(answers: npt.NDArray[np.int16], mines: npt.NDArray[np.float32]) -> float:
    """How safe the safest cell is after the answer to one question, on average over the layouts drawn."""
    groups = np.arange(int(answers.max()) + 1)[:, None] == answers
    mined = groups.astype(np.float32) @ mines
    safe = groups.sum(axis=1) - mined.min(axis=1)
    return round(float(safe.sum()) / len(answers), 4)
