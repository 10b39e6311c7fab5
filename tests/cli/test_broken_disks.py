"""Folders that are read-only or full: what can go on without them does, and says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

MOUNT = {
    "full": "mount -t tmpfs -o size=64k none {home} && mkdir {home}/cache && "
    "{{ cat /dev/zero >{home}/fill || :; }}",
    "read-only": "mount -t tmpfs none {home} && mkdir {home}/cache && mount -o remount,ro {home}",
}
"""How a disk is made that fails, in a mount namespace of its own: it goes with its last process."""

TOLD = {
    "full": "no room is left|No space left on device",
    "read-only": "cannot be opened|Read-only file system",
}

PLAY = ("run", "--practice", "--virtual", "--size", "5x5", "--mines", "3", "--games", "2", "--seed", "1")


def minebot(disk: str, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run minebot with that disk as its home; uncompiled, since nothing can be kept there."""
    home.mkdir(exist_ok=True)
    script = f'{MOUNT[disk].format(home=home)} && exec "$@"'
    return subprocess.run(
        [*("unshare", "-rm", "sh", "-c", script, "sh"), *(sys.executable, "-m", "bot.cli.main"), *words],
        env=os.environ | {"MINEBOT_HOME": str(home), "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=240,
    )


def _can_mount() -> bool:
    try:
        words = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
        return subprocess.run(words, capture_output=True, timeout=20).returncode == 0
    except OSError:
        return False


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not _can_mount(), reason="no disk can be mounted in a namespace here (unshare -rm)"),
]


@pytest.mark.parametrize("disk", MOUNT)
def test_games_are_played_unrecorded(disk: str, tmp_path: Path) -> None:
    done = minebot(disk, tmp_path / "home", *PLAY, "--strategy", "local")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("5x5") == 2
    results, recordings = (
        line for line in done.stderr.splitlines() if "ot kept" in line or "recorded" in line
    )
    assert "these games are not kept for `minebot stats`" in results
    assert "played without being recorded" in recordings
    for line in (results, recordings):
        assert any(word in line for word in TOLD[disk].split("|")), line


@pytest.mark.parametrize("disk", MOUNT)
def test_a_board_is_solved(disk: str, tmp_path: Path) -> None:
    done = minebot(disk, tmp_path / "home", "solve", "1#/##", "--mines", "1", "--strategy", "exact")
    assert done.returncode == 0, done.stderr
    assert "33%" in done.stdout


@pytest.mark.parametrize("disk", MOUNT)
def test_a_log_that_was_asked_for_says_what_to_do(disk: str, tmp_path: Path) -> None:
    done = minebot(disk, tmp_path / "home", *PLAY, "--strategy", "local", "--verbose")
    if disk == "read-only":
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "make room there, or leave out --verbose" in done.stderr
    else:
        assert done.returncode == 0
        assert "the log ends here" in done.stderr
