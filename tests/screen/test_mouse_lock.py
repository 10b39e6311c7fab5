"""One bot a mouse: a second one is told, and a bot that is gone, killed even, keeps nobody out."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.errors import ScreenError
from bot.screen import mouse_lock
from bot.screen.mouse_lock import only_bot

HOLDS = """
from bot.screen.mouse_lock import only_bot
with only_bot(":5"):
    print("has it", flush=True)
    input()
"""


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not the folder in which bots meet that run beside the tests."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(mouse_lock, "user_runtime", lambda: tmp_path / "minebot")


def other_bot(tmp_path: Path) -> subprocess.Popen[str]:
    """A process that has the mouse of `:5`."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "has it\n"
    return process


@pytest.mark.skipif(sys.platform != "linux", reason="the folder is named by XDG_RUNTIME_DIR only there")
def test_a_second_bot_is_told_until_the_first_is_gone_however_it_ends(tmp_path: Path) -> None:
    for end in (signal.SIGTERM, signal.SIGKILL):
        first = other_bot(tmp_path)
        try:
            for name in (":5", ":5.0", "unix:5"):
                with (
                    pytest.raises(ScreenError, match=f"another minebot \\(process {first.pid}\\)"),
                    only_bot(name),
                ):
                    pytest.fail("two bots at one mouse")
            with only_bot(":6"):
                pass
        finally:
            first.send_signal(end)
            first.communicate(timeout=20)
        with only_bot(":5"):
            pass


def test_it_is_let_go_where_the_body_fails() -> None:
    with pytest.raises(ZeroDivisionError), only_bot(":5"):
        raise ZeroDivisionError
    with only_bot(":5"), pytest.raises(ScreenError), only_bot(":5"):
        pytest.fail("two bots at one mouse")


def test_where_nothing_can_be_written_it_plays_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "minebot").write_text("a file where the folder should be")
    with only_bot(":5"):
        pass


@pytest.mark.parametrize(
    ("number", "held"), [(0, True), (errno.EACCES, True), (errno.EDEADLK, True), (errno.EINVAL, False)]
)
def test_windows_has_several_words_for_a_lock_that_is_held(
    monkeypatch: pytest.MonkeyPatch, number: int, held: bool
) -> None:
    def locking(*_: int) -> None:
        raise OSError(number, "")

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_NBLCK=2, locking=locking))
    with pytest.raises(ScreenError) if held else nullcontext(), only_bot(":5"):
        assert not held


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_keeps_nobody_from_playing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "minebot").mkdir()
    (tmp_path / "minebot" / "mouse-_5.lock").symlink_to("/dev/full")
    played = []
    with only_bot(":5"):
        played.append(True)
    assert played
