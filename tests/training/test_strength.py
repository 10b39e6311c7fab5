"""The table of strength: the same games as the other solver's, compared game by game."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from bot.errors import FormatError
from training import strength

# A 2x1 board with one mine: the corner is safe, and the rest is known. It is always won.
BOARDS = "2 1 1 1\n" * 4


def folder_with(folder: Path, results: str, boards: str = BOARDS) -> Path:
    (folder / "beginner9_safe_00.txt.gz").write_bytes(gzip.compress(boards.encode()))
    (folder / "beginner9_safe_00.strongest_peer.gz").write_bytes(gzip.compress(results.encode()))
    return folder


def test_a_line_a_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strength.main([str(folder_with(tmp_path, "1\n0\n1\n1\n")), "--strategy", "seed", "--jobs", "1"])
    table = capsys.readouterr().out.splitlines()
    assert table[0] == "| boards | first click | games | `seed` | that solver | difference |"
    assert table[2:] == ["| Beginner | corner, safe | 4 | 100.00 % | 75.00 % | +25.00 ± 42.43 |"]


def test_only_the_first_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(folder_with(tmp_path, "0\n1\n1\n1\n")), "--strategy", "seed", "--games", "2", "--jobs", "1"]
    strength.main(words)
    assert "| 2 | 100.00 % | 50.00 % | +50.00" in capsys.readouterr().out


@pytest.mark.parametrize("results", ["1\n0\n", "", "won\n" * 4])
def test_results_of_other_games_are_refused(tmp_path: Path, results: str) -> None:
    with pytest.raises(FormatError, match="beginner9_safe_00"):
        strength.main([str(folder_with(tmp_path, results)), "--strategy", "seed", "--jobs", "1"])


def test_a_folder_without_boards_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="holds none of"):
        strength.main([str(tmp_path), "--only", "expert_safe_00"])
