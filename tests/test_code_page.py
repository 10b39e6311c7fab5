"""What is printed to a terminal that lacks characters: plain words, and JSON that stays JSON."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.process.code_page import write_plainly


@pytest.mark.parametrize(
    ("encoding", "text", "written"),
    [
        ("cp437", "BOARD… 9×9", "BOARD... 9x9"),
        ("cp1252", "BOARD… 9×9", "BOARD… 9×9"),
        ("cp437", "é 雷", "é \\u96f7"),
        ("ascii", "é", "\\u00e9"),
        ("cp1252", "\N{GRINNING FACE}", "\\ud83d\\ude00"),
        ("utf-8", "雷 …", "雷 …"),
        ("ascii", "\udcff", "\\udcff"),  # a byte of a file name that is no UTF-8
    ],
)
def test_a_character_that_is_lacking_is_written_in_others(
    monkeypatch: pytest.MonkeyPatch, encoding: str, text: str, written: str
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    write_plainly()
    stream.write(text)
    stream.flush()
    assert stream.buffer.getvalue() == written.encode(encoding)


def test_an_escape_is_one_that_json_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    write_plainly()
    name = "é 雷 \N{GRINNING FACE}"
    stream.write(json.dumps(name, ensure_ascii=False))
    stream.flush()
    assert json.loads(stream.buffer.getvalue()) == name


@pytest.mark.parametrize(
    ("words", "told"), [(("run", "--help"), b"The games K, K+1, K+2, ..."), (("replay", "雷"), b"\\u96f7")]
)
def test_the_command_says_all_in_an_old_code_page(words: tuple[str, ...], told: bytes) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "bot.cli.main", *words],
        env=os.environ | {"PYTHONIOENCODING": "cp437"},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        timeout=240,
    )
    assert told in ran.stdout + ran.stderr
    assert b"Traceback" not in ran.stderr
