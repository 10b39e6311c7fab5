"""What the tests need is compiled beforehand, and what fails there is told; sweeps have shares."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests import compiled, everything
from tests.sweeps import shares


def test_every_module_that_is_run_is_there() -> None:
    for calls in (compiled.QUICK | compiled.OTHERS).values():
        for module, *_ in calls:
            assert importlib.util.find_spec(module), module


def test_what_fails_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    calls = {"the help": [("bot.cli.main", "--help")], "nothing": [("bot.cli.main", "nosuch")]}
    assert not compiled.compile_all(calls)
    told = capsys.readouterr()
    assert told.out.endswith("the help, nothing\n")
    assert told.err.startswith("bot.cli.main nosuch: minebot: there is no command 'nosuch'")

    calls.pop("nothing")
    assert compiled.compile_all(calls)


def test_the_call_that_fails_is_named_and_none_is_made_after_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    help_, fails, never = ("bot.cli.main", "--help"), ("bot.cli.main", "nosuch"), ("bot.cli.main", "doctor")
    assert not compiled.compile_all({"all": [help_, fails, never]})
    assert capsys.readouterr().err.startswith("bot.cli.main nosuch: ")
    assert not compiled.compile_all({"a module that is not there": [("bot.nowhere",)]})
    assert "bot.nowhere: " in capsys.readouterr().err


def test_windows_are_played_from_the_files_that_have_some() -> None:
    files = {Path(word).name for word in everything.windows() if word.endswith(".py")}
    assert {"test_run_winemine.py", "test_run_gnome_mines.py"} <= files
    assert "test_board.py" not in files


def test_all_shares_but_the_first_are_left_to_make_test_all() -> None:
    first, *others = shares(3)
    assert first == 0
    assert [one.values for one in others] == [(1,), (2,)]
    assert {mark.name for one in others for mark in one.marks} == {"sweep"}
