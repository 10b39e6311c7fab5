"""`minebot simulate`: its words, its JSON, its results file, and how it stops."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from click import BadParameter
from click.testing import CliRunner, Result

import bot.lab.simulate
from bot.board import LEVELS, FirstClick
from bot.cli.parts.options import FIRST_CLICKS, LEVEL_NAMES, RULE_SET_NAMES, STRATEGY_NAMES
from bot.cli.simulate import command
from bot.errors import FormatError, UsageError
from bot.game.rule_sets import RULE_SETS
from bot.lab.games import Tally
from bot.strategy.registry import names

BOARDS = "3 3 1 8\n3 3 2 2 4\n5 1 1 4\n"
"""From 0,0, `local` wins the first and the third and gives up the second."""


def invoke(*words: str | int | Path) -> Result:
    return CliRunner().invoke(command, [str(word) for word in words], standalone_mode=False)


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    path = tmp_path / "boards.txt"
    path.write_text(BOARDS)
    return path


def test_the_help_names_what_there_is() -> None:
    assert list(LEVELS) == LEVEL_NAMES
    assert list(names()) == STRATEGY_NAMES
    assert list(RULE_SETS) == RULE_SET_NAMES
    # The rules that change a field already laid come with a rule set.
    assert [each.value for each in FirstClick if not each.lays_first] == FIRST_CLICKS


def test_the_help_has_headings_and_each_option_of_its_own_under_one() -> None:
    told = invoke("--help").stdout
    headings = [line for line in told.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["The games:", "How they are played:", "What is kept of them:", "Other:"]
    others = told.partition("\nOther:\n")[2].splitlines()
    assert [line.split()[0] for line in others if line.startswith("  -")] == ["--json", "--help"]


def test_json_is_one_line_and_nothing_else(boards: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    done = invoke("--boards", boards, "--strategy", "local", "--results", results, "--json")
    assert done.exception is None
    assert done.return_value == 0
    line = json.loads(done.stdout)
    assert list(line) == [
        *("games", "won", "rate", "low", "high", "guesses"),
        *("seconds", "games_per_second", "games_per_core_second"),
    ]
    assert (line["games"], line["won"], line["guesses"]) == (3, 2, 0)
    assert line["rate"] == pytest.approx(2 / 3)
    assert results.read_text() == "1\n0\n1\n"
    assert not results.with_name("results.partial").exists()


def test_for_people_it_is_a_sentence(boards: Path) -> None:
    done = invoke("--boards", boards, "--strategy", "local", "--games", 2)
    assert "local: 1 of 2 games won, 50.00 % (9.45 to 90.55); 0 guesses" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="pipes have names on POSIX alone")
def test_all_boards_of_a_pipe_are_played(tmp_path: Path) -> None:
    """A second look at it, for the hash of the study, took away all but what the first had read ahead."""
    results = tmp_path / "results"

    def piped(*words: str | int | Path) -> Result:
        read, write = os.pipe()

        def fill() -> None:
            with suppress(BrokenPipeError), os.fdopen(write, "w") as file:
                file.write("3 3 1 8\n" * 3000)

        writer = threading.Thread(target=fill)
        writer.start()
        try:
            return invoke("--boards", f"/dev/fd/{read}", "--strategy", "local", "--no-db", *words)
        finally:
            os.close(read)
            writer.join()

    done = piped("--results", results, "--json")
    assert json.loads(done.stdout)["games"] == 3000
    assert results.read_text() == "1\n" * 3000
    refused = piped("--results", results, "--resume")
    assert type(refused.exception) is UsageError
    assert "--boards in a file" in str(refused.exception)


def test_generated_games_follow_the_words(tmp_path: Path) -> None:
    words = ("--size", "5x4", "--mines", 3, "--games", 30, "--first-click", "zero", "--strategy", "seed")
    one = json.loads(invoke(*words, "--seed", 1, "--json").stdout)
    again = json.loads(invoke(*words, "--seed", 1, "--json").stdout)
    for key in ("games", "won", "guesses"):
        assert one[key] == again[key]
    assert one["games"] == 30
    assert json.loads(invoke("--games", 3, "--json").stdout)["games"] == 3


@pytest.mark.parametrize(
    ("words", "error", "text"),
    [
        (("--strategy", "luck"), UsageError, "best, exact, seed, local"),
        (("--level", "expert", "--size", "9x9"), UsageError, "exclude"),
        (("--start", "9,0", "--games", 1), UsageError, "not on a board of 9x9"),
        (("--boards", "{boards}", "--level", "expert"), UsageError, "--boards excludes"),
        (("--boards", "{boards}", "--start", "2,2"), FormatError, "line 1"),
        (("--boards", "{boards}", "--first-click", "zero"), FormatError, "line 2"),
        (("--games", 1, "--results", "{boards}/no/results"), BadParameter, "there is no folder"),
    ],
)
def test_wrong_words_are_one_error(
    boards: Path, words: tuple[str | int, ...], error: type[Exception], text: str
) -> None:
    done = invoke(*(str(word).replace("{boards}", str(boards)) for word in words))
    assert type(done.exception) is error
    assert text in str(done.exception)


def test_a_start_that_is_no_cell_is_refused() -> None:
    done = invoke("--start", "here")
    assert "give ROW,COLUMN" in str(done.exception)


def test_ctrl_c_prints_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, played: Callable[[Tally], None], **__: object) -> None:
        played(Tally([True, False], guesses=1, core_seconds=0.1))
        raise KeyboardInterrupt

    monkeypatch.setattr(bot.lab.simulate, "simulate", interrupted)
    results = tmp_path / "results"
    done = invoke("--games", 100, "--results", results, "--json")
    assert done.return_value == 130
    assert json.loads(done.stdout)["games"] == 2
    assert "stopped after 2 games" in done.stderr
    assert not results.exists()
    assert results.with_name("results.partial").read_text() == "1\n0\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends the signal of a terminal's Ctrl-C")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_in_a_terminal_reaches_every_process(
    tmp_path: Path, jobs: str, start_minebot: Callable[..., subprocess.Popen[str]]
) -> None:
    results = tmp_path / "results"
    words = ["--games", "1000000", "--jobs", jobs, "--results", str(results), "--json"]
    process = start_minebot("simulate", *words)
    partial = results.with_name("results.partial")
    while process.poll() is None and not (partial.exists() and partial.stat().st_size):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 130, err
    games = json.loads(out)["games"]
    assert 0 < games < 1_000_000
    assert err.splitlines()[-1] == f"minebot: stopped after {games} games: --resume plays on"
    assert "Traceback" not in err
    assert len(partial.read_text().splitlines()) == games


@pytest.mark.slow
def test_it_needs_no_display() -> None:
    script = (
        "import sys\n"
        "from bot.cli.simulate import command\n"
        "command.main(['--games', '3', '--json'], standalone_mode=False)\n"
        "bad = {'cv2', 'mss', 'tkinter', 'pyautogui', 'Xlib'} & set(sys.modules)\n"
        "assert not bad, bad\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=environment,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
