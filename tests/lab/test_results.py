"""The results file: what goes in comes out, whoever else writes, dies or has got there first."""

from __future__ import annotations

import _thread
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.board import FirstClick, Result
from bot.errors import BotError, FormatError
from bot.game.minefield import Minefield
from bot.lab import results
from bot.lab.keeper import Keeper
from bot.lab.results import COLUMNS, Busy, GameResult, Results, board_id, default_path

ROOT = Path(__file__).parents[2]

WON = GameResult(
    target="winmine",
    columns=30,
    rows=16,
    mines=99,
    first_click=FirstClick.SAFE,
    strategy="best",
    strategy_version=3,
    outcome=Result.WON,
    guesses=(0.5, 0.875),
    seconds=1.25,
    clicks=180,
    bbbv=160,
    think=2,
    seed="7:0",
    board="00ff",
    played_at="2026-11-20T10:00:00Z",
    recording="/somewhere",
)
FAILED = replace(WON, outcome=Result.FAILED, mines=None, seconds=None, bbbv=None, seed=None, guesses=())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "results.sqlite"


def count(path: Path) -> int:
    with Results(path, create=False) as store:
        return int(next(store.query("SELECT count(*) FROM games"))[0])


def plain(path: Path) -> sqlite3.Connection:
    """The file without our code."""
    return sqlite3.connect(path, isolation_level=None, timeout=0)


def test_what_goes_in_comes_out(path: Path) -> None:
    with Results(path) as store:
        store.add([WON, FAILED])
    with Results(path) as store:
        rows = list(store.query("SELECT * FROM games ORDER BY id"))
    assert rows[0].keys() == [
        *("id", "target", "columns", "rows", "mines", "first_click", "strategy"),
        *("strategy_version", "think", "seed", "board", "outcome", "gave_up", "guesses", "seconds"),
        *("clicks", "bbbv", "played_at", "minebot", "recording", "study", "game"),
    ]
    expected = {name: getattr(WON, name) for name in COLUMNS}
    expected |= {"guesses": "[0.5, 0.875]", "first_click": "safe", "outcome": "won", "gave_up": 0}
    assert {name: rows[0][name] for name in COLUMNS} == expected
    assert (rows[1]["outcome"], rows[1]["mines"], rows[1]["guesses"]) == ("failed", None, "[]")


def test_who_only_reads_makes_nothing_of_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.touch()
    with pytest.raises(FormatError, match="is empty, there are no results in it: play with"):
        Results(path, create=False)
    assert path.read_bytes() == b""
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(BotError, match=r"there are no results in .*none: play with"):
        Results(tmp_path / "none", create=False)
    path.write_text("no database")
    with pytest.raises(FormatError, match="is no results file"):
        Results(path, create=False)
    assert path.read_text() == "no database"


def test_it_lies_in_the_users_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINEBOT_HOME", str(tmp_path))
    assert default_path() == tmp_path / "results.sqlite"


def test_board_ids_tell_boards_and_first_clicks_apart() -> None:
    field = Minefield.parse("*..\n...")
    names = {
        board_id(field, (1, 2)),
        board_id(field, (1, 1)),
        board_id(Minefield.parse("*...."), (1, 2)),
        board_id(Minefield.parse(".*.\n..."), (1, 2)),
        board_id(Minefield.parse("*.\n..\n.."), (1, 2)),
    }
    assert len(names) == 5
    # The very letters: a study of today has to pair with one of next year.
    assert board_id(field, (1, 2)) == "660c4d43a90aab572a6e"


def test_all_of_a_bundle_or_none(path: Path) -> None:
    with Results(path) as store:
        store.add([WON])
        broken = replace(WON, target=None)  # type: ignore[arg-type]
        with pytest.raises(BotError, match="target"):
            store.add([WON, WON, broken])
        store.add([FAILED])
    assert count(path) == 2


def python(code: str, *words: str | Path) -> subprocess.Popen[str]:
    """Another program that runs this code; `store` and `WON` are there."""
    head = (
        "import os, signal, sys\n"
        "from dataclasses import replace\n"
        "from pathlib import Path\n"
        "from bot.board import FirstClick, Result\n"
        "from bot.lab.results import GameResult, Results\n"
        "WON = GameResult('w', 9, 9, 10, FirstClick.SAFE, 'best', 1, Result.WON, played_at='x')\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", head + code, *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_two_programs_write_at_once(path: Path) -> None:
    code = (
        "for _ in range(25):\n"
        "    with Results(Path(sys.argv[1])) as store:\n"  # each makes the file too
        "        store.add([replace(WON, target=sys.argv[2])] * 20)\n"
    )
    writers = [python(code, path, name) for name in ("one", "other")]
    while any(writer.poll() is None for writer in writers):
        if path.exists() and path.stat().st_size:
            assert count(path) % 20 == 0
    assert [(writer.wait(), writer.communicate()[1]) for writer in writers] == [(0, ""), (0, "")]
    with Results(path) as store:
        rows = store.query("SELECT target, count(*) FROM games GROUP BY target")
        assert [tuple(row) for row in rows] == [("one", 500), ("other", 500)]


def test_a_file_that_another_program_is_making_is_no_strangers(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be made between two questions about it."""
    meddled: list[str] = []

    class Meddled(sqlite3.Connection):
        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            if "sqlite_master" in sql and not meddled:
                meddled.append(sql)
                with suppress(Busy), Results(path, wait_s=0.01) as other:
                    other.add([WON])
            return super().execute(sql, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *words, **more: connect(*words, factory=Meddled, **more))
    path.parent.mkdir(parents=True)
    with Results(path) as store:
        store.add([WON])
    assert meddled
    assert count(path) >= 1


@pytest.mark.skipif(os.name == "nt", reason="kills as only Unix does")
def test_killed_in_the_middle_of_a_write(path: Path) -> None:
    with Results(path) as store:
        store.add([WON] * 100)
    code = (
        "store = Results(Path(sys.argv[1]))\n"
        "store._db.execute('PRAGMA cache_size = 5')\n"  # so that half-done pages reach the file
        "def games():\n"
        "    for number in range(20000):\n"
        "        yield replace(WON, seed=str(number))\n"
        "with store._transaction():\n"
        "    from bot.lab import results\n"
        "    store._db.executemany(results._INSERT, (results._row(game) for game in games()))\n"
        "    print('written', flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    before = path.stat().st_size
    writer = python(code, path)
    out, err = writer.communicate(timeout=120)
    assert (writer.returncode, out, err) == (-signal.SIGKILL, "written\n", "")
    assert path.stat().st_size > 2 * before, "nothing of the write had reached the file"
    assert count(path) == 100
    with Results(path) as store:
        store.add([WON])
        assert [tuple(row) for row in store.query("PRAGMA integrity_check")] == [("ok",)]
    assert count(path) == 101
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_in_use_is_one_line(path: Path) -> None:
    with Results(path, wait_s=0.05) as store, closing(plain(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Busy, match="in use by another program"):
            store.add([WON])
        with pytest.raises(Busy):
            Results(path, wait_s=0.05)
        other.execute("ROLLBACK")
        store.add([WON])
    assert count(path) == 1


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    Results(path).close()
    with closing(plain(path)) as db:
        db.execute(f"PRAGMA user_version = {len(results.SCHEMA_STEPS) + 1}")
    before = path.read_bytes()
    with pytest.raises(FormatError, match="written by a newer minebot") as refused:
        Results(path)
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == before


def test_an_older_schema_is_brought_up_to_date(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Results(path) as store:
        store.add([WON])
    step = ("ALTER TABLE games ADD COLUMN mood TEXT", "UPDATE games SET mood = 'good'")
    monkeypatch.setattr(results, "SCHEMA_STEPS", [*results.SCHEMA_STEPS, step])
    for _ in range(2):  # the second time there is nothing to do
        with Results(path) as store:
            assert [tuple(row) for row in store.query("SELECT mood FROM games")] == [("good",)]
            assert [tuple(row) for row in store.query("PRAGMA user_version")] == [
                (len(results.SCHEMA_STEPS),)
            ]


def test_a_step_that_fails_leaves_the_old_schema(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Results(path).close()
    step = ("ALTER TABLE games ADD COLUMN mood TEXT", "UPDATE no_games SET mood = 'good'")
    with monkeypatch.context() as newer:
        newer.setattr(results, "SCHEMA_STEPS", [*results.SCHEMA_STEPS, step])
        with pytest.raises(BotError, match="no such table"):
            Results(path)
    with Results(path) as store:
        store.add([WON])
        assert "mood" not in next(store.query("SELECT * FROM games")).keys()  # noqa: SIM118


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.sqlite"
    with closing(plain(path)) as db:
        db.execute("CREATE TABLE bookmarks (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(FormatError, match="another program's database"):
        Results(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"width height mines\n" * 100, b"SQLite format 3\0" + b"\1" * 5000])
def test_no_database_at_all(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="no results file, or a damaged one"):
        Results(path)
    assert path.read_bytes() == content


def test_no_place_for_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "results.sqlite", tmp_path):
        with pytest.raises(BotError, match="give --db a file in a folder of yours"):
            Results(path)
    with pytest.raises(BotError, match="there are no results in"):
        Results(tmp_path / "none.sqlite", create=False)
    assert not (tmp_path / "none.sqlite").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs to become another user")
def test_a_folder_that_cannot_be_written_can_be_read() -> None:
    become = "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n" if os.getuid() == 0 else ""
    code = (
        "from bot.errors import BotError\n"
        f"{become}"
        "with Results(Path(sys.argv[1]), create=False) as store:\n"
        "    print(len(list(store.query('SELECT * FROM games'))))\n"
        "    try:\n"
        "        store.add([WON])\n"
        "    except BotError as error:\n"
        "        print(error)\n"
    )
    # Not pytest's folder: that one is closed to other users.
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "results.sqlite")
        with Results(path) as store:
            store.add([WON])
        path.chmod(0o444)
        path.parent.chmod(0o555)
        try:
            out, err = python(code, path).communicate(timeout=240)
        finally:
            path.parent.chmod(0o755)
    assert err == ""
    assert out.splitlines()[0] == "1"
    assert "cannot be opened for writing" in out.splitlines()[1]


def test_a_full_disk_is_told_and_nothing_is_lost(path: Path) -> None:
    with Results(path) as store:
        store.add([WON])
        (pages,) = next(store.query("PRAGMA page_count"))
        list(store.query(f"PRAGMA max_page_count = {pages + 1}"))
        with pytest.raises(BotError, match="no room is left on the disk"):
            store.add([WON] * 1000)
    assert count(path) == 1


def fill(keeper: Keeper) -> None:
    """From now on the disk is full."""
    store = keeper._results
    (pages,) = next(store.query("PRAGMA page_count"))
    list(store.query(f"PRAGMA max_page_count = {pages}"))


def test_play_goes_on_where_the_disk_is_full(path: Path) -> None:
    said: list[str] = []
    with Keeper(path, said.append, hold_s=0) as keeper:
        keeper.add([WON])
        fill(keeper)
        keeper.add([WON] * 1000)
        keeper.add([WON] * 1000)
        keeper.add([])
    assert len(said) == 1
    assert said[0].startswith("1000 games are not in the results, nor any that follow:")
    assert "no room is left on the disk" in said[0]
    assert count(path) == 1


def test_ctrl_c_ends_the_wait_for_another_program(path: Path) -> None:
    """SQLite waits in C, where none is seen: it took half a minute."""
    said: list[str] = []
    with Results(path) as store, closing(plain(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        begun = time.monotonic()
        waits: tuple[Callable[[], object], ...] = (
            lambda: store.add([WON]),
            lambda: list(store.query("SELECT count(*) FROM games")),
            lambda: Results(path),
        )
        for wait in waits:
            threading.Timer(0.5, _thread.interrupt_main).start()
            with pytest.raises(KeyboardInterrupt):
                wait()
        assert time.monotonic() - begun < 15
        other.execute("ROLLBACK")
        keeper = Keeper(path, said.append)
        keeper.add([WON])
        other.execute("BEGIN EXCLUSIVE")
        threading.Timer(0.5, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            keeper.close()
    assert count(path) == 0
    assert len(said) == 1
    assert said[0].startswith("1 game is not in the results, nor any that follow: the wait for ")


def test_games_wait_while_the_file_is_in_use(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.lab.keeper.PATIENCE_S", 0.01)
    said: list[str] = []
    with Keeper(path, said.append, hold_s=0) as keeper, closing(plain(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        keeper.add([WON])
        keeper.add([WON])
    assert (said, count(path)) == ([], 2)


def test_a_file_in_use_to_the_end_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.lab.keeper.PATIENCE_S", 0.01)
    monkeypatch.setattr("bot.lab.keeper.WAIT_S", 0.01)
    said: list[str] = []
    with Keeper(path, said.append) as keeper:
        keeper.add([WON])
        other = plain(path)
        other.execute("BEGIN EXCLUSIVE")
    other.close()
    assert len(said) == 1
    assert said[0].startswith("1 game is not in the results")
    assert "in use by another program" in said[0]


def test_games_are_held_back_for_a_moment_only(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.lab.keeper.MOST_HELD", 3)
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    with Keeper(path, print, hold_s=2.0) as keeper:
        keeper.add([WON])
        assert count(path) == 0
        clock[0] += 2.0
        keeper.add([WON])
        assert count(path) == 2
        keeper.add([WON, WON])
        assert count(path) == 2
        keeper.add([WON])
        assert count(path) == 5
        keeper.add([WON])
    keeper.close()
    assert count(path) == 6


def test_a_ctrl_c_after_the_write_does_not_write_twice(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Results.add

    def interrupted(self: Results, games: Iterable[GameResult]) -> None:
        real(self, games)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Results, "add", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        keeper = Keeper(path, lambda text: None, hold_s=0)
        with pytest.raises(KeyboardInterrupt):
            keeper.add([WON, FAILED])
        monkeypatch.setattr(Results, "add", real)
        keeper.close()
    finally:
        signal.signal(signal.SIGINT, before)
    assert count(path) == 2


def test_a_game_of_a_study_is_kept_once(path: Path) -> None:
    games = [replace(WON, study="s", game=number) for number in range(4)]
    with Results(path) as store:
        store.add([WON, WON, *games[:2], games[3]])
        assert (store.of_study("s"), store.of_study("other")) == (2, 0)
        store.add(games)
        assert store.of_study("s") == 4
    assert count(path) == 6


def test_a_file_of_the_first_schema_is_brought_up_to_date(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(results, "SCHEMA_STEPS", results.SCHEMA_STEPS[:1])
        Results(path).close()
    with Results(path) as store:
        store.add([replace(WON, study="s", game=0)])
        assert store.of_study("s") == 1


def test_simulated_games_that_had_the_name_of_a_window_get_their_own(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, simulated = replace(WON, target="winmine", seed=None), replace(WON, target="winmine", seed="0:1")
    with monkeypatch.context() as older:
        older.setattr(results, "SCHEMA_STEPS", results.SCHEMA_STEPS[:2])
        with Results(path) as store:
            store.add([live, simulated, replace(simulated, target="eibx")])
    with Results(path) as store:
        targets = [row["target"] for row in store.query("SELECT target FROM games ORDER BY id")]
    assert targets == ["winmine", "winmine rules", "eibx"]


@pytest.mark.parametrize("name", [b"columns", b"rows", b"study"])
def test_a_name_that_is_no_text_any_more_is_told(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / "games.sqlite"
    with Results(path) as store:
        store.add([WON])
    whole = path.read_bytes()
    for place in [found.start() for found in re.finditer(name, whole)]:
        path.write_bytes(whole[:place] + b"\xc0" + whole[place + 1 :])
        with suppress(BotError), Results(path) as store:
            list(store.query("SELECT * FROM games WHERE target = ?", ("x",)))
