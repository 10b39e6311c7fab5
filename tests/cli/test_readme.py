"""What the README tells a newcomer to type is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from bot.cli.main import COMMANDS, tree
from bot.config import Settings, load_settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CALLS = re.findall(r"(?:^ {4}\S*|`)\bminebot ([a-z][^`#\n]*)", README, re.MULTILINE)


def test_it_shows_calls() -> None:
    assert len(CALLS) > 10


@pytest.mark.parametrize("call", CALLS)
def test_every_call_has_right_words(call: str) -> None:
    name, *words = call.split()
    assert name in COMMANDS
    command = tree.get_command(click.Context(tree), name)
    assert command is not None
    if words:  # a command that is only named may need some
        command.parse_args(click.Context(command), words)


def test_every_option_is_there() -> None:
    commands = [tree.get_command(click.Context(tree), name) for name in COMMANDS]
    known = {
        opt
        for command in commands
        if command
        for param in command.params
        for opt in (*param.opts, *param.secondary_opts)
    }
    named = set(re.findall(r"`(--[a-z0-9-]+)", README))
    assert named - {"--help", "--test"} <= known


def test_the_settings_are_the_defaults(tmp_path: Path) -> None:
    block = next(
        block for block in re.findall(r"(?:^ {4}.*\n)+", README, re.MULTILINE) if "look_limit" in block
    )
    path = tmp_path / "settings.toml"
    path.write_text(block)
    assert load_settings(path) == Settings()
    assert all(key in README for key in Settings.__struct_fields__)


def test_every_link_leads_somewhere() -> None:
    for place in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / place).exists(), place


def test_every_make_target_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:`|^ {4})make ([a-z-]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
