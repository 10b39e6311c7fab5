"""What the programs of training say of files that are not there, or not whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bot.errors import FormatError
from bot.solver.value.weights import CORRECTION, read_correction
from training.files import read_arrays, run

SHAPES = {"results": (2,), "seen": ()}


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pairs.npz"
    np.savez(path, seen=np.arange(3), results=np.ones((3, 2)))
    results, seen = read_arrays(path, SHAPES, "training.pairs")
    assert (results == 1).all()
    assert seen.tolist() == [0, 1, 2]


def broken(tmp_path: Path, how: str) -> Path:
    path = tmp_path / "pairs.npz"
    np.savez(path, seen=np.arange(100), results=np.ones((100, 2)))
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
    elif how == "compressed and damaged":
        np.savez_compressed(path, seen=np.arange(100), results=np.ones((100, 2)))
        content = bytearray(path.read_bytes())
        content[45:60] = bytes(15)
        path.write_bytes(content)
    elif how == "fewer rows":
        np.savez(path, seen=np.arange(100), results=np.ones((99, 2)))
    elif how == "no rows":
        np.savez(path, seen=np.arange(0), results=np.ones((0, 2)))
    elif how == "wider":
        np.savez(path, seen=np.arange(100), results=np.ones((100, 3)))
    elif how == "flat":
        np.savez(path, seen=np.arange(100), results=np.ones(100))
    elif how == "words":
        np.savez(path, seen=np.full(100, "one"), results=np.ones((100, 2)))
    elif how == "no axis":
        np.savez(path, seen=np.array(1), results=np.array(2))
    elif how == "gone":
        path.unlink()
    return path


BROKEN = ("cut", "empty", "text", "another", "plain", "gone", "compressed and damaged", "fewer rows")
MISSHAPEN = ("no rows", "wider", "flat", "words", "no axis")


@pytest.mark.parametrize("how", [*BROKEN, *MISSHAPEN])
def test_what_is_not_whole_is_told(tmp_path: Path, how: str) -> None:
    path = broken(tmp_path, how)
    wrong = "cannot be read" if how == "gone" else "is not what training.pairs wr(ote|ites)"
    with pytest.raises(FormatError, match=wrong):
        read_arrays(path, SHAPES, "training.pairs")


def test_a_program_ends_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def main() -> None:
        read_arrays(tmp_path / "none.npz", {"seen": ()}, "training.pairs")

    with pytest.raises(SystemExit, match=r"none\.npz cannot be read \(No such file"):
        run(main)


@pytest.mark.parametrize("at", [0, 1, 10, 60, 130, 1000])
def test_a_correction_that_was_cut_is_told(tmp_path: Path, at: int) -> None:
    path = tmp_path / "correction.npy"
    np.save(path, np.load(CORRECTION))
    path.write_bytes(path.read_bytes()[:at])
    with pytest.raises(FormatError, match="install minebot again"):
        read_correction(path)


def test_what_is_no_correction_is_told(tmp_path: Path) -> None:
    for wrong in (
        np.array("weights"),
        np.full(9, np.nan),
        np.zeros(9),
        np.ones((3, 3)),
        np.array([1e30] * 9),
    ):
        np.save(tmp_path / "correction.npy", wrong)
        with pytest.raises(FormatError, match="holds no weights"):
            read_correction(tmp_path / "correction.npy")
    with (tmp_path / "correction.npy").open("wb") as file:
        np.savez(file, wrong=np.zeros(3))
    with pytest.raises(FormatError, match="holds no weights"):
        read_correction(tmp_path / "correction.npy")


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
