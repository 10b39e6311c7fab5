"""Where the compiled solver is kept, and what is said about it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from bot.board import Board, Rules
from bot.solver import compiled, kernel
from bot.solver.deduction import Rung, deduce

BOT = Path(compiled.__file__).parents[1]


@pytest.mark.parametrize("changed", ["board.py", "solver/kernel.py", "solver/deduction.py"])
def test_the_name_changes_with_every_source(tmp_path: Path, changed: str) -> None:
    copy = tmp_path / "bot"
    shutil.copytree(BOT, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert compiled.sources_hash(copy) == compiled.sources_hash(BOT)
    with (copy / changed).open("a") as file:
        file.write("\n")
    assert compiled.sources_hash(copy) != compiled.sources_hash(BOT)


def test_a_copy_and_a_file_written_again_have_a_cache_of_their_own(tmp_path: Path) -> None:
    names = {compiled.cache_name(BOT)}
    copy = tmp_path / "bot"
    shutil.copytree(BOT, copy, ignore=shutil.ignore_patterns("__pycache__"))
    names.add(compiled.cache_name(copy))
    os.utime(copy / "solver" / "kernel.py", (1_000_000_000, 1_000_000_000))
    names.add(compiled.cache_name(copy))
    assert len(names) == 3
    assert compiled.cache_name(copy) in names


def test_folders_of_other_sources_go_when_they_are_stale(tmp_path: Path) -> None:
    now = 2_000_000_000.0
    for name, age in (("old", compiled.STALE_AFTER + 1), ("recent", compiled.STALE_AFTER - 1)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (now - age, now - age))
    folder = compiled.prepare(tmp_path, "ours", now)
    assert folder == tmp_path / "ours"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ours", "recent"]
    assert folder.stat().st_mtime == now


def test_a_folder_that_cannot_be_made_is_none(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert compiled.prepare(file, "ours", 0.0) is None


def test_compiling_is_announced_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiled._config, "DISABLE_JIT", 0)
    monkeypatch.setattr(compiled, "_folder", tmp_path)
    monkeypatch.setattr(compiled, "_announced", set())
    compiled.announce()
    compiled.announce()
    assert capsys.readouterr().err.count("compiling the solver (once") == 1
    monkeypatch.setattr(compiled, "_announced", set())
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel" / "climb.nbi").write_text("")
    compiled.announce()
    assert capsys.readouterr().err == ""
    compiled.announce("thinker.serve", "a long time")
    assert capsys.readouterr().err == "minebot: compiling the solver (once, a long time)\n"


def test_ctrl_c_within_compiled_code_is_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def climb(*_: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as interrupt:
            raise SystemError("returned a result with an exception set") from interrupt

    monkeypatch.setattr(kernel, "climb", climb)
    with pytest.raises(KeyboardInterrupt):
        deduce(Board.covered(2, 2), Rules(2, 2), Rung.SINGLE)
    assert not compiled.interrupted(SystemError("something else"))


@compiled.part
def _one_more(number: int) -> int:
    return number + 1


@compiled.written_in
def _at_most_four(number: int) -> int:
    if number > 3:
        return 4
    return _one_more(number)


@compiled.jit
def _twice(number: int) -> int:
    return 2 * _at_most_four(number)


def test_parts_are_for_compiled_callers_only() -> None:
    for _ in range(2):
        for function in (_one_more, _at_most_four):
            with pytest.raises(TypeError, match="for compiled callers only"):
                function(1)
        assert [_twice(number) for number in (1, 9)] == [4, 8]


def test_a_function_is_compiled_once_for_whole_numbers_of_every_size() -> None:
    def calls(numbers: Any) -> int:
        return _count(2) + _count(numbers[0] - 1) + _count(len(numbers) + 4)

    # Not one of ours: where the tests were run before, the cache would have it, and nothing be compiled.
    caller: Any = numba.njit(calls)
    assert caller(np.zeros(2, np.int8)) == 10
    assert len(_counted.signatures) == 1


@compiled.part
def _count(number: int) -> int:
    return number + 1


_counted: Any = _count
