"""Records: the same numbers in Python, in compiled code, and where one is copied."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from bot.solver.deduction.compiled_board import BoardCounts, copy_board, new_board
from bot.solver.guess.player import GuessResult, copy_result
from bot.solver.jit.compiler import jit
from bot.solver.jit.records import Record, array_of, new


class Sample(Record):
    whole: int
    fraction: float


@jit
def raise_by_one(sample: Sample) -> None:
    sample.whole += 1
    sample.fraction = sample.whole / 4


def test_compiled_code_and_python_write_the_same_record() -> None:
    sample = new(Sample)
    assert (sample.whole, sample.fraction) == (0, 0.0)
    sample.whole = 6
    raise_by_one(sample)
    assert (sample.whole, sample.fraction) == (7, 1.75)
    assert type(sample.whole) is int
    assert type(sample.fraction) is float


def test_a_record_of_an_array_is_no_copy() -> None:
    samples = array_of(Sample, 3)
    raise_by_one(samples[1])
    assert [one.whole for one in samples] == [0, 1, 0]


def test_a_ctrl_c_finds_no_python_code_where_c_asks_for_the_data() -> None:
    """Numba would go on after it, and tell another error in its place."""
    sample, entered = new(Sample), []
    sys.setprofile(lambda frame, event, _: entered.append(frame.f_code) if event == "call" else None)
    try:
        _ = sample.data  # type: ignore[attr-defined]
    finally:
        sys.setprofile(None)
    assert not entered


@jit
def copies(result: GuessResult, results: Any, board: Any, other: Any) -> None:
    copy_result(result, results[1])
    copy_board(board, other)


@pytest.mark.slow
def test_every_field_is_copied() -> None:
    result, results = new(GuessResult), array_of(GuessResult, 2)
    board, other = new_board(3, 4, 5), new_board(3, 4, 6)
    for record in (result, board.counts):
        for number, name in enumerate(type(record).__annotations__, 1):
            setattr(record, name, number)
    copies(result, results, board, other)
    for name in GuessResult.__annotations__:
        assert getattr(results[1], name) == getattr(result, name) > 0
    for name in BoardCounts.__annotations__:
        assert getattr(other.counts, name) == getattr(board.counts, name) > 0
    assert np.array_equal(other.state, board.state)
