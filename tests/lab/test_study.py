"""Studies that are cut short, even by a kill, and played on: the results are those of one go."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec import structs

from bot.cli.simulate import command
from bot.errors import BotError, FormatError, UsageError
from bot.lab.study import Study, StudyFiles, new_id, whole_games

STUDY = Study(
    id="one",
    strategy="exact",
    version=1,
    think=1,
    first_click="safe",
    start=None,
    size="9x9",
    mines=10,
    games=9,
)


def invoke(*words: object) -> Result:
    return CliRunner().invoke(command, [str(word) for word in words], standalone_mode=False)


def kept(db: Path) -> list[tuple[str, int, str]]:
    with closing(sqlite3.connect(db)) as connection:
        return list(connection.execute("SELECT study, game, outcome FROM games ORDER BY study, game"))


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="kills with a signal")
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_and_resumed_it_is_the_same_as_in_one_go(
    tmp_path: Path, jobs: int, start_minebot: Callable[..., subprocess.Popen[str]]
) -> None:
    # As many games as take a second, so that the kill falls into the middle of them.
    words = [
        "--size",
        "8x8",
        "--mines",
        12,
        "--games",
        1200,
        "--strategy",
        "seed",
        "--seed",
        5,
        "--jobs",
        jobs,
    ]
    one, two, db = tmp_path / "one", tmp_path / "two", tmp_path / "db.sqlite"
    assert invoke(*words, "--results", one, "--no-db").exception is None
    all_words = [*words, "--results", two, "--db", db]
    process = start_minebot("simulate", *map(str, all_words), output=subprocess.DEVNULL)
    partial = tmp_path / "two.partial"
    while process.poll() is None and not (partial.exists() and partial.stat().st_size > 100):
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = partial.read_text().count("\n")
    assert 0 < before < 1200
    with partial.open("a") as file:
        file.write("1")  # as if it had been killed in the middle of a line
    done = invoke(*all_words, "--resume")
    assert done.exception is None
    assert "games were played before" in done.stderr
    assert two.read_bytes() == one.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["db.sqlite", "one", "two"]
    games = kept(db)
    assert len({study for study, _, _ in games}) == 1
    assert [game for _, game, _ in games] == list(range(1200))
    assert "".join(f"{int(outcome == 'won')}\n" for _, _, outcome in games) == two.read_text()


def test_a_study_that_is_no_longer_the_same_is_refused(tmp_path: Path) -> None:
    results = tmp_path / "results"
    with StudyFiles(results, STUDY, resume=False) as files:
        files.add([True, False], 3)
    words: list[str | int | Path] = [
        "--size",
        "9x9",
        "--mines",
        10,
        "--games",
        9,
        "--results",
        results,
        "--no-db",
        "--resume",
    ]
    for other, said in (
        (["--strategy", "seed"], "strategy: exact there, seed here"),
        (["--strategy", "exact", "--first-click", "zero"], "first_click: safe there, zero here"),
        (["--strategy", "exact", "--start", "1,2"], "start: none there"),
        (["--strategy", "exact", "--seed", "3"], "seed: none there, 3 here"),
    ):
        done = invoke(*words, *other)
        assert type(done.exception) is UsageError
        assert said in str(done.exception)
    assert (tmp_path / "results.partial").read_text() == "1\n0\n"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_what_both_files_have_whole_is_taken_up(tmp_path: Path, end: bytes) -> None:
    results = tmp_path / "results"
    with StudyFiles(results, STUDY, resume=False) as files:
        files.add([True, False], 3)
        files.add([True], 1)
        files.add([False, False], 2)
    # The last lot is not whole.
    (tmp_path / "results.partial").write_bytes(end.join([b"1", b"0", b"1", b"0", b""]))
    again = StudyFiles(results, STUDY, resume=True)
    assert (again.wins, again.guesses, again.study) == ([True, False, True], 4, STUDY)
    again.add([False, True], 5)
    again.finish()
    assert results.read_bytes() == b"1\n0\n1\n0\n1\n"
    with pytest.raises(UsageError, match="is whole: nothing is left to play"):
        StudyFiles(results, STUDY, resume=True)


def test_a_study_that_is_whole_is_no_failure_where_it_is_asked_for_once_more(tmp_path: Path) -> None:
    """Scripts say --resume until it succeeds."""
    results = tmp_path / "results"
    words = ["--size", "4x4", "--mines", 3, "--strategy", "local", "--no-db", "--results", results]
    assert invoke(*words, "--games", 20).exit_code == 0
    before = results.read_bytes()
    for more in ([], ["--json"]):
        done = invoke(*words, "--games", 20, "--resume", *more)
        assert done.exit_code == 0
        assert "is whole: nothing is left to play; of which seed" in done.stderr
        assert "20" in done.stdout
    told = json.loads(done.stdout)
    assert (told["games"], told["won"], told["guesses"]) == (20, before.count(b"1"), None)
    for games in (19, 40):
        done = invoke(*words, "--games", games, "--resume")
        assert type(done.exception) is UsageError
        assert f"holds another study, of 20 games and not of {games}" in str(done.exception)
    assert results.read_bytes() == before


@pytest.mark.parametrize("content", [b"1\n0\nhello\n", b"\xff\n"])
def test_what_is_no_study_is_not_whole(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "results").write_bytes(content)
    with pytest.raises(UsageError, match="holds something else than the results of a study"):
        whole_games(tmp_path / "results", structs.replace(STUDY, seed=0))


def test_a_file_of_boards_may_have_fewer_than_were_asked_for(tmp_path: Path) -> None:
    study = structs.replace(STUDY, boards="a hash", games=9)
    (tmp_path / "results").write_text("1\n0\n")
    assert whole_games(tmp_path / "results", study) == [True, False]
    (tmp_path / "results").write_text("1\n" * 10)
    with pytest.raises(UsageError, match="of 10 games and not of 9"):
        whole_games(tmp_path / "results", study)


def test_a_study_that_is_being_played_is_left_alone(tmp_path: Path) -> None:
    """Two that played one on wrote more games than it has."""
    results = tmp_path / "results"
    for resume in (False, True):
        with StudyFiles(results, STUDY, resume=resume) as files:
            for games in ([], [True, False]):
                files.add(games, 1)
                for other in (False, True):
                    with pytest.raises(UsageError, match="another minebot plays this study"):
                        StudyFiles(results, STUDY, resume=other)
    again = StudyFiles(results, STUDY, resume=True)
    assert (again.wins, again.guesses) == ([True, False] * 2, 4)
    again.finish()
    assert results.read_bytes() == b"1\n0\n1\n0\n"


def test_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no study of .* to resume"):
        StudyFiles(tmp_path / "results", STUDY, resume=True)
    assert type(invoke("--resume").exception) is UsageError
    (tmp_path / "results.study").write_text("half a l")
    (tmp_path / "results.partial").write_text("")
    with pytest.raises(FormatError, match="damaged"):
        StudyFiles(tmp_path / "results", STUDY, resume=True)


def test_a_study_whose_first_line_found_no_room_is_resumed_from_its_first_game(tmp_path: Path) -> None:
    for name in ("results.study", "results.partial"):
        (tmp_path / name).touch()
    with StudyFiles(tmp_path / "results", STUDY, resume=True) as files:
        files.add([True], 1)
    with StudyFiles(tmp_path / "results", STUDY, resume=True) as files:
        assert files.wins == [True]
    (tmp_path / "results.study").write_text("")
    with pytest.raises(FormatError, match="damaged"):
        StudyFiles(tmp_path / "results", STUDY, resume=True)


def test_a_study_of_a_newer_minebot_is_told_as_that(tmp_path: Path) -> None:
    (tmp_path / "results.study").write_text('{"schema":2,"wholly":"new"}\n')
    (tmp_path / "results.partial").write_text("1\n")
    with pytest.raises(FormatError, match="schema 2, this minebot knows 1: update minebot"):
        StudyFiles(tmp_path / "results", STUDY, resume=True)


def test_where_it_cannot_write_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="cannot be written"):
        StudyFiles(tmp_path / "no" / "results", STUDY, resume=False)
    assert len({new_id() for _ in range(9)}) == 9


def test_a_study_that_was_cut_short_is_not_thrown_away(tmp_path: Path) -> None:
    results = tmp_path / "results"
    with StudyFiles(results, STUDY, resume=False) as files:
        files.add([True, False], 3)
    with pytest.raises(UsageError, match=r"2 games .* --resume plays it on; to start over, delete"):
        StudyFiles(results, STUDY, resume=False)
    assert (tmp_path / "results.partial").read_text() == "1\n0\n"
    with StudyFiles(results, STUDY, resume=True) as again:
        assert again.wins == [True, False]
    (tmp_path / "results.partial").unlink()
    with StudyFiles(results, STUDY, resume=False) as anew:
        assert anew.wins == []
    # Without what says of which study the games are, neither way goes on, and both say so.
    (tmp_path / "results.study").unlink()
    (tmp_path / "results.partial").write_text("1\n0\n")
    for resume in (False, True):
        with pytest.raises(UsageError, match=r"results.study, which says of which one, is gone: .* delete"):
            StudyFiles(results, STUDY, resume=resume)
    assert (tmp_path / "results.partial").read_text() == "1\n0\n"
    (tmp_path / "results.partial").unlink()
    # Nothing was played yet: nothing is lost.
    with StudyFiles(results, STUDY, resume=False) as anew:
        assert anew.wins == []
