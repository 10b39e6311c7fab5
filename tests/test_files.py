"""Where minebot's own folders lie, and how its files are written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.errors import UsageError
from bot.files import user_cache, user_data, user_settings, write_whole


def test_homes_can_share_what_can_be_made_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINEBOT_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MINEBOT_CACHE", raising=False)
    assert user_cache() == tmp_path / "home" / "cache"
    monkeypatch.setenv("MINEBOT_CACHE", str(tmp_path / "shared"))
    assert (user_data(), user_cache()) == (tmp_path / "home", tmp_path / "shared")


def test_a_home_that_no_shell_has_read_lies_in_the_home_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("MINEBOT_HOME", "~/games")
    monkeypatch.setenv("MINEBOT_CACHE", "~/cache")
    assert (user_data(), user_cache()) == (tmp_path / "games", tmp_path / "cache")
    assert user_settings() == tmp_path / "games" / "settings.toml"
    monkeypatch.setenv("MINEBOT_HOME", "~nobody-of-this-name")
    with pytest.raises(UsageError, match="there is no home folder ~nobody-of-this-name"):
        user_data()


KILLED_WHEN_WHOLE = """
import os, signal, sys
from pathlib import Path
from bot.files import write_whole
def killed(*_, **__):
    print(*os.listdir(sys.argv[1]), flush=True)
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
os.link = killed
write_whole(Path(sys.argv[1]) / "new", b"whole")
"""
"""Kills itself when the file is written and has no name yet. On Windows any signal is a kill."""


@pytest.mark.skipif(sys.platform not in ("linux", "win32"), reason="elsewhere a kill leaves a file beside it")
def test_a_kill_while_a_new_file_is_written_leaves_nothing(tmp_path: Path) -> None:
    words = [sys.executable, "-c", KILLED_WHEN_WHOLE, str(tmp_path)]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert (ran.returncode != 0, ran.stderr) == (True, "")
    assert (".partial" in ran.stdout) == (sys.platform == "win32")  # it came so far
    assert names(tmp_path) == []


@pytest.mark.skipif(sys.platform != "win32", reason="another one has names from the first")
def test_windows_keeps_what_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole(tmp_path / "new", b"whole")
    write_whole(tmp_path / "new", b"another")
    assert (tmp_path / "new").read_bytes() == b"another"

    def refused(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr(os, "link", refused)  # as a file system answers that has no links
    write_whole(tmp_path / "older", b"whole")
    assert (tmp_path / "older").read_bytes() == b"whole"
    assert names(tmp_path) == ["new", "older"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a file has a name from the first")
def test_a_new_file_has_no_name_until_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is killed while it writes leaves nothing."""
    seen: list[list[str]] = []
    link = os.link

    def linked(*words: Any, **more: Any) -> None:
        seen.append(names(tmp_path))
        link(*words, **more)

    monkeypatch.setattr(os, "link", linked)
    write_whole(tmp_path / "new", b"whole")
    assert (seen, (tmp_path / "new").read_bytes()) == ([[]], b"whole")
    write_whole(tmp_path / "new", b"another")
    assert (tmp_path / "new").read_bytes() == b"another"
    monkeypatch.setattr(os, "O_TMPFILE", os.O_DIRECTORY)  # as a file system answers that has no such files
    write_whole(tmp_path / "older", b"whole")
    assert (tmp_path / "older").read_bytes() == b"whole"
    assert names(tmp_path) == ["new", "older"]


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())
