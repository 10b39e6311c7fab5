"""The words of `minebot terminal`: wrong ones are one line, and say what to do."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.board import Rules
from bot.cli import terminal
from bot.cli.parts.options import RULE_SET_NAMES
from bot.cli.parts.pipe_matches import words_of
from bot.cli.terminal import command
from bot.errors import BotError
from bot.terminal.watch import LINES


def invoke(*words: str) -> Result:
    return CliRunner().invoke(command, list(words), standalone_mode=False)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["eibx", "9", "9"], "a width, a height and a number of mines"),
        (["eibx", "9", "9", "10", "11"], "takes no word '11'"),
        (["eibx", "9", "nine", "10"], "three whole numbers"),
        (["eibx", "9", "9", "81"], "0 to 80"),
        (["eibx", "3", "3", "-1"], "No such option"),
        (["eibx", "0", "3", "1"], "cannot be played"),
        (["eibx", "1000000", "3", "1"], "at most 100x100"),
        (["endoh1", "nowhere"], "there is no map 'nowhere'"),
        (["endoh1", "mine", "mine"], "takes no word 'mine'"),
        (["endoh1", "mine", "--watch"], "by hand"),
        (["endoh1", "--side", "9"], "--side goes with comp1511, not with endoh1:"),
        (
            ["endoh1", "--watch", "--without-final-rule"],
            "goes with endoh1 without --watch, not with endoh1 --watch:",
        ),
        (["comp1511", "8"], "takes no word '8'"),
        (["comp1511", "--plain"], "--plain goes with endoh1, eibx, --watch, or comp1511 --screen, not with"),
        (["comp1511", "--games", "3"], "--games goes with comp1511 --bot, not with comp1511:"),
        (
            ["comp1511", "--bot", "--screen"],
            "--screen goes with comp1511 without --bot or --watch, not with comp1511 --bot:",
        ),
        (
            ["comp1511", "--bot", "--watch"],
            "--bot goes with comp1511 without --watch, not with comp1511 --watch:",
        ),
        (["comp1511", "--bot", "--strategy", "luck"], "no strategy is called 'luck'"),
        (["comp1511", "--bot", "--program", " "], "names no program"),
        (["comp1511", "--bot", "--program", "/nowhere/game"], "cannot be started"),
        (["comp1511", "--bot", "--program", "'my game"], "no closing quotation: give a command as a shell"),
        (["comp1511", "--screen", "--side", "1"], "cannot be played"),
        (["comp1511", "--side", "1"], "--side 2 to 100"),
        (["eibx", "--watch", "--games", "1"], "--games goes with comp1511 --bot, not with eibx --watch:"),
        (["eibx", "--watch", "--strategy", "luck"], "no strategy is called 'luck'"),
        (["chess"], "chess"),
    ],
)
def test_wrong_words(words: list[str], says: str) -> None:
    done = invoke(*words)
    assert done.exception is not None
    told = (
        done.exception.format_message() if hasattr(done.exception, "format_message") else str(done.exception)
    )
    assert says in told
    assert "\n" not in told
    assert done.stdout == ""


def test_a_program_in_a_folder_of_windows_keeps_its_backslashes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert words_of(r"'my games/mines' a\ b #1") == ["my games/mines", "a b", "#1"]
    monkeypatch.setattr("sys.platform", "win32")
    assert words_of(r'"C:\my games\mines.exe" C:\a') == [r"C:\my games\mines.exe", r"C:\a"]


def test_what_was_played_before_a_program_failed_is_told(tmp_path: Path) -> None:
    """The second game ends before it has begun."""
    program = tmp_path / "once.py"
    program.write_text(
        "import pathlib, runpy, sys\n"
        "seen = pathlib.Path(__file__).with_suffix('.seen')\n"
        "if seen.exists():\n    sys.exit()\n"
        "seen.touch()\n"
        "sys.argv = ['minebot', 'terminal', 'comp1511']\n"
        "runpy.run_module('bot.cli.main', run_name='__main__')\n"
    )
    words = ["comp1511", "--bot", "--games", "9", "--seed", "1", "--json"]
    done = invoke(*words, "--program", shlex.join([sys.executable, str(program)]))
    assert isinstance(done.exception, BotError)
    assert str(done.exception).startswith("game 2 of 9: ")
    assert json.loads(done.stdout)["games"] == 1


def test_a_broken_map_is_told_before_any_terminal(tmp_path: Path) -> None:
    path = tmp_path / "map"
    path.write_text("2 2 1\n0 1 2")
    done = invoke("endoh1", str(path))
    assert isinstance(done.exception, BotError)
    assert "ends before row 1, column 1" in str(done.exception)


def test_the_games_are_rule_sets_and_each_has_a_look() -> None:
    assert set(terminal.RULES) <= set(RULE_SET_NAMES)
    assert list(LINES) == terminal.RULES


def test_a_field_of_another_side_has_as_many_mines_by_share() -> None:
    assert terminal._square(None) == terminal._square(8)
    bigger = terminal._square(16)
    assert isinstance(bigger, Rules)
    assert (bigger.columns, bigger.rows, bigger.mines) == (16, 16, 40)


def test_the_help_lists_words_in_its_first_line_only() -> None:
    told = invoke("--help").stdout
    assert told.count("[MAP | WIDTH HEIGHT") == 1
