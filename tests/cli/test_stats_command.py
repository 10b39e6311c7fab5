"""`minebot stats`, and what `run` and `simulate` keep for it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.board import FirstClick
from bot.board import Result as Outcome
from bot.cli.main import tree
from bot.errors import BotError, FormatError, UsageError
from bot.game.mbf import write_mbf
from bot.game.minefield import Minefield
from bot.lab import results
from bot.lab.results import board_id

ROOT = Path(__file__).parents[2]
SMALL = ("--size", "6x5", "--mines", 5, "--games", 40, "--start", "0,0")


def minebot(*words: str | int | Path) -> Result:
    return CliRunner().invoke(tree, [str(word) for word in words], standalone_mode=False)


def lines(*words: str | int | Path) -> list[dict[str, object]]:
    done = minebot(*words, "--json")
    assert done.exception is None
    return [json.loads(line) for line in done.stdout.splitlines()]


def rows(path: Path) -> list[sqlite3.Row]:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        return list(db.execute("SELECT * FROM games ORDER BY id"))


def wait_for_games(process: subprocess.Popen[str], path: Path) -> None:
    """Until some games are kept for good: a file that grows may still be in the middle of its first ones."""
    while process.poll() is None:
        time.sleep(0.05)
        with contextlib.suppress(sqlite3.OperationalError):
            if path.exists() and rows(path):
                return


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_simulated_games_are_kept(db: Path, jobs: int) -> None:
    (told,) = lines("simulate", *SMALL, "--seed", 3, "--strategy", "seed", "--jobs", jobs, "--db", db)
    kept = rows(db)
    assert len(kept) == told["games"] == 40
    assert sum(row["outcome"] == "won" for row in kept) == told["won"]
    assert sum(len(json.loads(row["guesses"])) for row in kept) == told["guesses"]
    first = kept[0]
    assert (first["target"], first["columns"], first["rows"], first["mines"]) == ("simulated", 6, 5, 5)
    assert (first["strategy"], first["think"], first["recording"]) == ("seed", 1, None)
    assert [row["seed"] for row in kept] == [f"3:{index}" for index in range(40)]
    won = [row for row in kept if row["outcome"] == "won"]
    assert all(row["seconds"] > 0 and row["clicks"] > 0 for row in won)
    # Without flags no fewer clicks than the 3BV can win.
    assert all(1 <= row["bbbv"] <= row["clicks"] <= 25 for row in won)


def test_stats_tells_what_simulate_told(db: Path) -> None:
    (one,) = lines("simulate", *SMALL, "--db", db)
    (group,) = lines("stats", "--db", db)
    assert {key: group[key] for key in ("games", "won", "rate", "low", "high")} == {
        key: one[key] for key in ("games", "won", "rate", "low", "high")
    }
    table = minebot("stats", "--db", db).stdout
    assert "6x5/5 safe" in table
    assert "95 % interval" in table
    assert "gave up" not in table
    lines("simulate", *SMALL, "--db", db)
    (again,) = lines("stats", "--db", db)
    assert (again["games"], again["repeats"]) == (40, 40)
    assert "40 simulated games were played more than once" in minebot("stats", "--db", db).stdout


def test_games_that_were_given_up_are_shown(db: Path) -> None:
    (told,) = lines("simulate", *SMALL, "--strategy", "local", "--db", db)
    (group,) = lines("stats", "--db", db)
    assert (group["won"], group["rate"]) == (told["won"], told["rate"])
    assert group["gave_up"] == 40 - int(str(told["won"]))
    table = minebot("stats", "--db", db).stdout
    assert "gave up" in table
    assert f"the {group['gave_up']} that the strategy gave up are not won" in table


def test_two_strategies_on_the_same_boards(db: Path, tmp_path: Path) -> None:
    kept = {}
    for strategy in ("seed", "local"):
        file = tmp_path / strategy
        lines("simulate", *SMALL, "--strategy", strategy, "--db", db, "--results", file)
        kept[strategy] = [line == "1" for line in file.read_text().splitlines()]
    (pair,) = lines("stats", "--db", db, "--compare", "seed", "local")
    only_seed = sum(a and not b for a, b in zip(kept["seed"], kept["local"], strict=True))
    only_local = sum(b and not a for a, b in zip(kept["seed"], kept["local"], strict=True))
    assert (pair["games"], pair["only_first"], pair["only_second"]) == (40, only_seed, only_local)
    assert only_seed > 0
    assert "on the same boards (McNemar)" in minebot("stats", "--db", db, "--compare", "seed", "local").stdout


def advised(words: tuple[str | int | Path, ...]) -> list[str]:
    """The words of the `minebot` command that the error of other words says to say."""
    with pytest.raises(BotError) as told:
        raise minebot(*words).exception or AssertionError("no error")
    return shlex.split(re.findall(r"`minebot ([^`]*)`", str(told.value))[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        ("--level", "intermediate", "--first-click", "zero"),
        ("--size", "7x6", "--mines", 6, "--start", "3,2"),
    ],
)
@pytest.mark.parametrize("earlier", [False, True])
def test_what_is_advised_gives_boards_in_common(db: Path, kind: tuple[str | int, ...], earlier: bool) -> None:
    """Also where the two strategies would begin elsewhere, and where the other one has games of its own."""
    lines("simulate", *kind, "--games", 5, "--seed", 8, "--strategy", "seed", "--db", db)
    if earlier:
        lines("simulate", "--games", 2, "--seed", 1, "--strategy", "local", "--db", db)
    compare = ("stats", "--db", db, "--compare", "local", "seed")
    lines(*advised(compare))
    (pair,) = lines(*compare)
    assert pair["games"] == 5


def test_games_of_a_long_seed_are_no_damage(db: Path) -> None:
    seed = 10**20
    lines("simulate", *SMALL, "--seed", seed, "--strategy", "seed", "--db", db)
    words = advised(("stats", "--db", db, "--compare", "seed", "local"))
    assert words[words.index("--seed") + 1] == str(seed)


def test_of_a_window_other_games_are_advised(db: Path) -> None:
    lines("simulate", *SMALL, "--strategy", "seed", "--db", db)
    for target, words in (
        ("gnome-mines", "run --target gnome-mines --strategy best"),
        ("practice", "run --practice --strategy best"),
        ("winmine", "run --target winmine --strategy best"),
        ("winmine rules", "simulate --rules winmine --strategy best"),
        ("endoh1", "simulate --rules endoh1 --strategy best"),
        ("comp1511, no hints", "simulate --rules comp1511 --no-hints --strategy best"),
    ):
        compare = ("stats", "--db", db, "--compare", f"{target}/best", "simulated/seed")
        assert advised(compare) == [*words.split(), "--db", str(db)]


def test_a_board_in_mbf_is_played_and_kept(db: Path, tmp_path: Path) -> None:
    field = Minefield.parse("...*\n....\n....")
    write_mbf(tmp_path / "board.mbf", field)
    (told,) = lines("simulate", "--boards", tmp_path / "board.mbf", "--start", "2,0", "--db", db)
    assert (told["games"], told["won"]) == (1, 1)
    (row,) = rows(db)
    assert (row["board"], row["seed"], row["bbbv"]) == (board_id(field, (2, 0)), None, 1)
    assert (row["columns"], row["rows"], row["mines"]) == (4, 3, 1)


def test_live_games_are_kept(db: Path) -> None:
    words = ("run", "--practice", "--virtual", "--no-record", "--games", 2, "--seed", 4, "--db", db)
    told = lines(*words)
    kept = rows(db)
    assert len(kept) == len(told) == 2
    for line, row in zip(told, kept, strict=True):
        for key in (
            "target",
            "columns",
            "rows",
            "mines",
            "first_click",
            "outcome",
            "seconds",
            "clicks",
            "bbbv",
        ):
            assert row[key] == line[key]
        chances = json.loads(row["guesses"])
        assert len(chances) == line["guesses"]
        product = 1.0
        for chance in chances:
            product *= chance
        assert product == pytest.approx(line["survival"], abs=1e-5)
        assert (row["strategy"], row["gave_up"]) == ("best", 0)


@pytest.mark.slow
def test_a_live_game_is_known_again_when_it_is_simulated(db: Path) -> None:
    """Only its pixels are known: the board is what its end shows. Seeds of a window and of games agree."""
    size = ("--size", "8x8", "--mines", 12, "--first-click", "zero", "--db", db)
    lines("run", "--practice", "--virtual", "--no-record", "--games", 6, "--seed", 2, "--flags", *size)
    lines("simulate", "--games", 8, "--seed", 0, *size)
    live, simulated = (
        [(row["board"], row["outcome"]) for row in rows(db) if (row["target"] == "simulated") == told]
        for told in (False, True)
    )
    assert live == simulated[2:]
    assert {outcome for _, outcome in live} == {"won", "lost"}
    (pair,) = lines("stats", "--db", db, "--compare", "practice/best", "simulated/best")
    assert (pair["target"], pair["games"], pair["difference"]) == ("practice, simulated", 6, 0)


@pytest.mark.slow
def test_the_boards_of_a_window_are_played_by_another_strategy(db: Path, tmp_path: Path) -> None:
    folder, boards = tmp_path / "recordings", tmp_path / "boards.txt"
    told = lines("run", "--practice", "--virtual", "--games", 4, "--seed", 3, "--record", folder, "--db", db)
    lines("run", "--practice", "--virtual", "--strategy", "local", "--seed", 1, "--record", folder, "--no-db")
    done = minebot("replay", *sorted(map(str, folder.iterdir())), "--boards", boards, "--json")
    wrote = json.loads(done.stdout)
    assert wrote["boards"] == len(told) == len(boards.read_text().splitlines()) == 4
    assert "it does not tell the first click and every mine: left out" in done.stderr
    words = ("--start", wrote["start"], "--first-click", "safe", "--strategy", "seed", "--db", db)
    lines("simulate", "--boards", boards, *words)
    (pair,) = lines("stats", "--db", db, "--compare", "practice/best", "simulated/seed")
    assert (pair["games"], pair["first_won"]) == (4, sum(line["outcome"] == "won" for line in told))


def test_the_board_of_a_game_that_was_played_on_is_not_known(db: Path) -> None:
    """What the first click was cannot be seen."""
    words = ("run", "--practice", "--virtual", "--no-record", "--db", db)
    lines(*words, "--games", 1, "--strategy", "local", "--level", "expert", "--seed", 1)
    (row,) = rows(db)
    assert (row["outcome"], row["board"]) == ("stopped", None)


def test_nothing_is_kept_with_no_db() -> None:
    lines("simulate", *SMALL, "--no-db")
    assert not results.default_path().exists()
    lines("simulate", *SMALL)
    assert len(rows(results.default_path())) == 40


@pytest.mark.parametrize("command", ["simulate", "run"])
def test_db_and_no_db_exclude_each_other(command: str, db: Path) -> None:
    done = minebot(command, "--db", db, "--no-db")
    assert isinstance(done.exception, UsageError)
    assert "exclude each other" in str(done.exception)


def newer(path: Path) -> None:
    results.Results(path).close()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA user_version = 99")


def test_a_file_that_was_named_has_to_be_good(db: Path) -> None:
    newer(db)
    for words in (("simulate", *SMALL), ("stats",)):
        done = minebot(*words, "--db", db)
        assert isinstance(done.exception, FormatError)
        assert "newer minebot" in str(done.exception)


def test_games_go_on_without_the_usual_file() -> None:
    newer(results.default_path())
    done = minebot("simulate", *SMALL, "--json")
    assert done.exception is None
    assert json.loads(done.stdout)["games"] == 40
    (said,) = done.stderr.splitlines()
    assert said.startswith("minebot: these games are not kept for `minebot stats`:")
    assert "newer minebot" in said


def test_stats_without_any_game(tmp_path: Path) -> None:
    done = minebot("stats")
    assert type(done.exception) is BotError
    assert "play with `minebot run` or `minebot simulate`" in str(done.exception)
    assert not results.default_path().exists()


@pytest.mark.parametrize("more", [("--strategy", "best"), ("--plot", "out.png")])
def test_compare_excludes(db: Path, more: tuple[str, str]) -> None:
    lines("simulate", *SMALL, "--db", db)
    done = minebot("stats", "--db", db, "--compare", "best", "seed", *more)
    assert isinstance(done.exception, UsageError)
    assert more[0] in str(done.exception)


@pytest.mark.slow
def test_plot_draws_and_the_json_stays_json(db: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    lines("simulate", *SMALL, "--strategy", "seed", "--db", db)
    out = tmp_path / "out.png"
    assert len(lines("stats", "--db", db, "--plot", out)) == 1
    assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends the signal of a terminal's Ctrl-C")
def test_ctrl_c_keeps_what_was_played(db: Path, start_minebot: Callable[..., subprocess.Popen[str]]) -> None:
    process = start_minebot("simulate", "--games", "1000000", "--db", db, "--json")
    wait_for_games(process, db)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 130, err
    assert len(rows(db)) == json.loads(out)["games"] > 0


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="kills as only Unix does")
def test_a_study_that_is_killed_keeps_whole_games(
    db: Path, start_minebot: Callable[..., subprocess.Popen[str]]
) -> None:
    process = start_minebot("simulate", "--games", "1000000", "--db", db, output=subprocess.DEVNULL)
    wait_for_games(process, db)
    process.kill()
    process.wait()
    kept = rows(db)
    assert [row["seed"] for row in kept] == [f"0:{index}" for index in range(len(kept))]
    (group,) = lines("stats", "--db", db)
    assert group["games"] == len(kept) > 0


def test_what_is_not_in_the_rate_is_said(db: Path) -> None:
    game = results.GameResult(
        "winmine", 9, 9, None, FirstClick.ANY, "best", 1, Outcome.STOPPED, played_at=results.now()
    )
    with results.Results(db) as store:
        store.add([game, replace(game, outcome=Outcome.FAILED)])
    table = minebot("stats", "--db", db).stdout
    assert "9x9/? any" in table
    assert "1 that were stopped and 1 that failed are not in the games nor the rate" in table
