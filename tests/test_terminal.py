"""Who can be asked: somebody at a terminal, and not an empty device."""

from __future__ import annotations

import ctypes
import io
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from bot.process.terminal import somebody_answers


class Device(io.StringIO):
    """A stdin that says that it is a terminal."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 0


@pytest.mark.parametrize(("stdin", "answers"), [(None, False), (io.StringIO(), False), (Device(), True)])
def test_a_terminal_answers(stdin: Any, answers: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    monkeypatch.setattr(sys, "platform", "linux")
    assert somebody_answers() == answers


@pytest.mark.parametrize("console", [True, False])
def test_the_empty_device_of_windows_answers_nobody(console: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel32 = SimpleNamespace(GetConsoleMode=lambda handle, mode: handle.value == 77 and console)
    monkeypatch.setattr(sys, "stdin", Device())
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "WinDLL", lambda name: kernel32, raising=False)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(get_osfhandle=lambda number: 77 + number))
    assert somebody_answers() == console
