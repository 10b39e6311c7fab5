"""What a kill left is seen."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.kills.leftovers import results_faults


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A file of results with two games."""
    path = tmp_path / "results.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE games(x)")
        db.executemany("INSERT INTO games VALUES (?)", [(1,), (2,)])
        db.commit()
    return path


@pytest.mark.parametrize(
    ("told", "exact", "wrong"),
    [
        (2, True, []),
        (3, False, []),
        (3, True, ["3 games were told and 2 are kept"]),
        (4, False, ["4 games were told and 2 are kept"]),
    ],
)
def test_games_that_were_told_are_kept(results: Path, told: int, exact: bool, wrong: list[str]) -> None:
    assert results_faults(results, told, exact=exact) == wrong
    assert results_faults(results.with_name("nosuch"), told, exact=exact) != []


def test_a_journal_that_says_nothing_yet_is_used_up(results: Path) -> None:
    """SQLite leaves it to the next one who writes."""
    journal = results.with_name("results.sqlite-journal")
    journal.write_bytes(bytes(512))
    assert results_faults(results, 2, exact=True) == []
    assert not journal.exists()


def test_a_damaged_file_is_seen(results: Path) -> None:
    content = bytearray(results.read_bytes())
    content[4096:4104] = b"\xff" * 8  # the head of the page of the games
    results.write_bytes(content)
    assert "damaged" in results_faults(results, 2, exact=True)[0]
