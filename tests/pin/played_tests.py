"""Click traces of what the tests of the project play: each of these tests is a scenario, by a fixed clock.

The names of tests are those of the fingerprints; the folder of a test does not count.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.pin import ROOT
from tests.pin.trace import Trace, traced
from tests.test_assist import Person

# pytest calls the file by another name: it is to be the same module, or its people were others.
sys.modules.setdefault("test_assist", sys.modules[Person.__module__])

FILES = (
    "targets/test_window_target.py",
    "targets/test_trouble.py",
    "targets/test_relocate.py",
    "targets/test_other_games.py",
    "targets/test_game_end.py",
    "targets/test_wiped_away.py",
    "targets/test_board_finder.py",
    "targets/test_calibrated.py",
    "calibrate/test_lesson.py",
    "theming/test_windows7.py",
    "test_assist.py",
)
"""The tests that play virtual windows, relative to `tests`."""

BY_CHANCE = ("test_a_window_that_moves_while_its_board_is_hidden_is_found_by_its_frame",)
"""Tests with a game that no seed tells: left out."""


class _Collector:
    """A plugin of pytest that traces each test."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.name not in BY_CHANCE]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, None, None]:
        trace, end = Trace(), "passed"
        try:
            with traced() as trace:
                yield
        except BaseException as error:
            end = type(error).__name__
            raise
        finally:
            name = f"{item.path.stem}.{item.name}"
            self.texts[f"{name}/clicks"] = trace.clicks()
            self.texts[f"{name}/told"] = f"{trace.lines()}\n{end}".lstrip()

    # pytest-timeout asks these two, and the first who answers decides.
    def pytest_timeout_set_timer(self) -> bool:
        """No limits: they are for the clock of the machine."""
        return True

    def pytest_timeout_cancel_timer(self) -> bool:
        return True


def stem(file: str) -> str:
    """What the fingerprints of a file's tests begin with."""
    return Path(file).stem


def played(file: str, test: str = "") -> dict[str, str]:
    """The traces of all tests of a file, or of one of them."""
    collector = _Collector()
    chosen = f"{ROOT / 'tests' / file}" + (f"::{test}" if test else "")
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:benchmark", "-q", "-o", "addopts="]
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        pytest.main(["--rootdir", str(ROOT), *options, chosen], plugins=[collector])
    return collector.texts


def played_alone(file: str, name: str) -> dict[str, str]:
    """The traces of the one test that a fingerprint is named after."""
    test = name.removeprefix(f"{stem(file)}.").rsplit("/", 1)[0]
    return played(file, test)
