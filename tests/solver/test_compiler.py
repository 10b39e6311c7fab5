"""Where the compiled solver is kept, and what is said about it."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from bot.board import Board, Rules
from bot.solver.deduction import compiled_ladder
from bot.solver.deduction.ladder import Rung, deduce
from bot.solver.jit import cache, compiler, late_optimisation

BOT = Path(compiler.__file__).parents[2]


@pytest.mark.parametrize(
    "changed", ["board/cells.py", "solver/deduction/compiled_ladder.py", "solver/decision.py"]
)
def test_the_name_changes_with_every_source(tmp_path: Path, changed: str) -> None:
    copy = tmp_path / "bot"
    shutil.copytree(BOT, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert cache.sources_hash(copy) == cache.sources_hash(BOT)
    with (copy / changed).open("a") as file:
        file.write("\n")
    assert cache.sources_hash(copy) != cache.sources_hash(BOT)


def test_a_copy_has_the_same_name_and_other_sources_another(tmp_path: Path) -> None:
    copy = tmp_path / "bot"
    shutil.copytree(BOT, copy, ignore=shutil.ignore_patterns("__pycache__"))
    os.utime(copy / "solver" / "deduction" / "compiled_ladder.py", (1_000_000_000, 1_000_000_000))
    ours = cache.cache_name(cache.sources_hash(BOT))
    assert cache.cache_name(cache.sources_hash(copy)) == ours
    assert cache.cache_name("of others") != ours


def test_files_have_a_place_by_their_folder_in_the_project(tmp_path: Path) -> None:
    assert cache.place(tmp_path / "bot" / "solver" / "guess" / "score.py", tmp_path) == "bot_solver_guess"
    assert cache.place(tmp_path / "once.py", tmp_path) == "root"
    elsewhere = [cache.place(tmp_path / name / "here" / "score.py", tmp_path / "bot") for name in "ab"]
    assert len(set(elsewhere)) == 2
    assert all(name.startswith("here_") for name in elsewhere)


def test_folders_of_other_sources_go_when_they_are_stale(tmp_path: Path) -> None:
    now = 2_000_000_000.0
    for name, age in (("old", cache.STALE_AFTER + 1), ("recent", cache.STALE_AFTER - 1)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (now - age, now - age))
    folder = cache.prepare(tmp_path, "ours", now)
    assert folder == tmp_path / "ours"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ours", "recent"]
    assert folder.stat().st_mtime == now


def test_a_folder_that_cannot_be_made_is_none(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert cache.prepare(file, "ours", 0.0) is None


def test_compiling_is_announced_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiler._config, "DISABLE_JIT", 0)
    monkeypatch.setattr(compiler, "_folder", tmp_path)
    monkeypatch.setattr(compiler, "_announced", set())
    compiler.announce()
    compiler.announce()
    compiler.announce("best_games.decide_or_play", "a long time")  # the first line has told of both
    assert capsys.readouterr().err.count("compiling the solver (once") == 1
    monkeypatch.setattr(compiler, "_announced", set())
    (tmp_path / "compiled_ladder").mkdir()
    (tmp_path / "compiled_ladder" / "climb_ladder.nbi").write_text("")
    compiler.announce()
    assert capsys.readouterr().err == ""
    compiler.announce("best_games.decide_or_play", "a long time")
    assert capsys.readouterr().err == "minebot: compiling the solver (once, a long time)\n"


def test_what_is_told_while_it_compiles_counts_the_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal shows it again and again, a pipe each half minute (tests/test_progress.py)."""
    told: list[str] = []

    @contextmanager
    def noted(text: Callable[[], str], *, since: float) -> Iterator[None]:
        told.append(text())
        yield
        told.append(text())

    monkeypatch.setattr(late_optimisation, "told", noted)
    monkeypatch.setattr(late_optimisation, "_progress", late_optimisation._Progress())
    monkeypatch.setattr(compiler, "_folder", None)
    assert compiler.jit(_six_more)(1) == 7
    counted = [re.fullmatch("compiling the solver, ([0-9]+) functions are done", text) for text in told]
    before, after = [int(each[1]) for each in counted if each is not None]
    assert before == 0
    assert after >= 2


@compiler.part
def _three_more(number: int) -> int:
    return number + 3


def _six_more(number: int) -> int:
    return _three_more(_three_more(number))


def test_ctrl_c_within_compiled_code_is_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def climb(*_: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as interrupt:
            raise SystemError("returned a result with an exception set") from interrupt

    monkeypatch.setattr(compiled_ladder, "climb_ladder", climb)
    with pytest.raises(KeyboardInterrupt):
        deduce(Board.covered(2, 2), Rules(2, 2), Rung.SINGLE)
    assert not compiler.interrupted(SystemError("something else"))


@compiler.part
def _one_more(number: int) -> int:
    return number + 1


@compiler.written_in
def _at_most_four(number: int) -> int:
    if number > 3:
        return 4
    return _one_more(number)


@compiler.jit
def _twice(number: int) -> int:
    return 2 * _at_most_four(number)


def _thrice(number: int) -> int:
    return 3 * number


def test_a_full_disk_under_the_cache_is_told_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.load", lambda *_: None)
    monkeypatch.setattr(compiler, "_announced", set())
    monkeypatch.setattr(late_optimisation._progress, "begun", None)  # else that is told, half a minute later
    for _ in range(2):
        assert compiler.jit(_thrice)(4) == 12
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "cannot be kept (No space left on device)" in told


@pytest.mark.parametrize("folder", [None, Path(__file__) / "no folder"])
def test_without_a_place_for_the_cache_it_is_compiled_all_the_same(
    folder: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiler, "_folder", folder)
    assert compiler.jit(_thrice)(4) == 12


def test_with_a_numba_that_keeps_things_otherwise_it_is_compiled_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("numba.core.caching.FunctionCache")
    monkeypatch.setattr(compiler, "_folder", tmp_path)
    monkeypatch.setattr(compiler._config, "CACHE_DIR", str(tmp_path))
    assert compiler.jit(_thrice)(4) == 12
    assert list(tmp_path.rglob("*_thrice*.nbi"))


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


@compiler.part
def _count(number: int) -> int:
    return number + 1


_counted: Any = _count
