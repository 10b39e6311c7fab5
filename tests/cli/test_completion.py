from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from bot.cli.completion import command
from bot.cli.main import tree


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_prints_the_script(shell: str) -> None:
    run = CliRunner().invoke(command, [shell])
    assert run.exit_code == 0
    assert f"_MINEBOT_COMPLETE={shell}_complete" in run.stdout


@pytest.mark.parametrize(
    ("shell", "place"),
    [
        ("bash", "data/bash-completion/completions/minebot"),
        ("zsh", "data/zsh/site-functions/_minebot"),
        ("fish", "config/fish/completions/minebot.fish"),
    ],
)
def test_installs_it_where_the_shell_looks(
    shell: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    run = CliRunner().invoke(command, [shell, "--install"])
    assert run.exit_code == 0
    assert str(tmp_path / place) in run.stdout
    assert (tmp_path / place).read_text().strip() == CliRunner().invoke(command, [shell]).stdout.strip()


def test_words_are_completed() -> None:
    environment = {
        **os.environ,
        "_MINEBOT_COMPLETE": "bash_complete",
        "COMP_WORDS": "minebot doctor --on",
        "COMP_CWORD": "2",
    }
    run = subprocess.run(
        [sys.executable, "-m", "bot.cli.main"], env=environment, capture_output=True, text=True, timeout=60
    )
    assert run.stdout.split() == ["plain,--only"]


@pytest.mark.parametrize(
    ("words", "begun", "offered"),
    [
        ("run --strategy", "b", ["best"]),
        ("stats --strategy", "", ["best", "exact", "seed", "local"]),
        ("run --target", "g", ["gnome-mines", "google"]),
        ("watch --target", "practice-", ["practice-beginner"]),
        ("run --record", "", ["dir:"]),
        ("read --theme", "win", ["windows7", "winmine"]),
        ("replay", "winmine-expert", ["dir:winmine-expert", "winmine-expert-lost", "winmine-expert-won"]),
        ("review winmine-expert-won", "practice", ["file:practice", "practice-beginner"]),
        ("solve", "boa", ["file:boa"]),
        ("terminal endoh1", "s", ["file:s", "spiral"]),
        ("terminal eibx", "", []),
        ("calibrate --forget", "p", ["practice-beginner"]),
        ("help", "si", ["simulate"]),
    ],
)
def test_names_and_files_are_offered(words: str, begun: str, offered: list[str]) -> None:
    """Paths come first: click's script for bash forgets what came before one."""
    shell = ShellComplete(tree, {}, "minebot", "_MINEBOT_COMPLETE")
    found = [
        item.value if item.type == "plain" else f"{item.type}:{item.value}"
        for item in shell.get_completions(words.split(), begun)
    ]
    assert found == offered


def test_what_cannot_be_looked_up_offers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINEBOT_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text("nmae = 3")
    shell = ShellComplete(tree, {}, "minebot", "_MINEBOT_COMPLETE")
    assert "winmine-expert-won" in [item.value for item in shell.get_completions(["replay"], "")]
