from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli.completion import command


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
