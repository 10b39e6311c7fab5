"""The recordings that ship replay: same readings, same decisions, nothing missing."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.board import Result
from bot.cli import replay as cli
from bot.files import shipped
from bot.recording.format import DecisionEvent
from bot.recording.read import load
from bot.recording.replay import replay
from bot.strategy.registry import strategy
from bot.vision.cells.glyph_reader import GlyphReader
from bot.vision.themes.theme import load_theme

FOLDERS = sorted(path.parent for path in shipped("recordings").glob("*/game.jsonl"))


def test_there_are_some_of_each_kind() -> None:
    headers = [load(folder).header for folder in FOLDERS]
    assert sum(header.theme == "winmine" for header in headers) >= 2
    assert any(header.theme == "practice" for header in headers)


def test_one_board_of_one_is_told_as_one(tmp_path: Path) -> None:
    told = CliRunner().invoke(cli.command, ["winmine-expert-won", "--boards", str(tmp_path / "boards.txt")])
    assert told.output.startswith(f"wrote 1 board to {tmp_path / 'boards.txt'}; the first click is 0,0")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_shipped_recording_replays(folder: Path) -> None:
    recording = load(folder)
    theme = load_theme(recording.header.theme)
    assert theme.skin.fingerprint == recording.header.theme_fingerprint, "record the shipped games again"
    player = strategy(recording.header.strategy)
    assert player.version == recording.header.strategy_version, "record the shipped games again"
    result = replay(recording, partial(GlyphReader, theme.skin), player)
    assert not result.differences
    assert any(isinstance(event, DecisionEvent) for event in recording.events)
    assert recording.outcome is not None
    assert recording.outcome.result in (Result.WON, Result.LOST)
