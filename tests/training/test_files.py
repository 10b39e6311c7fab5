"""What the programs of training say of files that are not there, or not whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bot.errors import FormatError
from training.files import read_arrays, run


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pairs.npz"
    np.savez(path, seen=np.arange(3), results=np.ones((2, 2)))
    results, seen = read_arrays(path, ("results", "seen"), "training.pairs")
    assert (results == 1).all()
    assert seen.tolist() == [0, 1, 2]


def broken(tmp_path: Path, how: str) -> Path:
    path = tmp_path / "pairs.npz"
    np.savez(path, seen=np.arange(100), results=np.ones((20, 2)))
    if how == "cut":
        path.write_bytes(path.read_bytes()[:200])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "text":
        path.write_text("seen, results\n")
    elif how == "another":
        np.savez(path, features=np.arange(3))
    elif how == "plain":
        with path.open("wb") as file:
            np.save(file, np.arange(3))
    elif how == "gone":
        path.unlink()
    return path


@pytest.mark.parametrize("how", ["cut", "empty", "text", "another", "plain", "gone"])
def test_what_is_not_whole_is_told(tmp_path: Path, how: str) -> None:
    path = broken(tmp_path, how)
    wrong = "cannot be read" if how == "gone" else "is not what training.pairs wrote"
    with pytest.raises(FormatError, match=wrong):
        read_arrays(path, ("results", "seen"), "training.pairs")


def test_a_program_ends_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def main() -> None:
        read_arrays(tmp_path / "none.npz", ("seen",), "training.pairs")

    with pytest.raises(SystemExit, match=r"none\.npz cannot be read \(No such file"):
        run(main)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("training.ceiling", "--tell", "none.npz"),
        ("training.correct", "none.npz", "--out", "out.npy"),
        ("training.fit", "none.npz", "--out", "out.npy"),
    ],
)
def test_no_program_ends_in_a_traceback(words: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, timeout=240)
    assert done.returncode == 1
    assert done.stderr.strip().count("\n") == 0
    assert "none.npz cannot be read (No such file or directory)" in done.stderr
