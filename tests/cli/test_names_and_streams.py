"""Names of files that are no text, and streams that are closed: written all the same, or one line."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from bot.cli.main import tree
from bot.cli.parts.outputs import OutputFile, json_text
from bot.cli.parts.position_argument import Chosen, position
from bot.errors import BotError, UsageError
from bot.files import LONE, shipped, writable

Minebot = Callable[..., Any]

bytes_in_names = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are text")


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a board, in a file whose name is no UTF-8, and a recording with such a name."""
    monkeypatch.chdir(tmp_path)
    Path(os.fsdecode(b"b\xff.txt")).write_text("1#/##".replace("/", "\n"))
    shutil.copytree(shipped("recordings") / "practice-beginner", tmp_path / os.fsdecode(b"r\xff"))
    return tmp_path


@bytes_in_names
@pytest.mark.parametrize(
    ("words", "given"), [(("solve", "--strategy", "exact"), b"b\xff.txt"), (("review",), b"r\xff")]
)
def test_a_page_of_what_has_such_a_name(
    odd: Path, words: tuple[str, ...], given: bytes, minebot: Minebot
) -> None:
    done = minebot(*words, os.fsdecode(given), "--html", "page.html")
    assert done.returncode == 0, done.stderr
    name = os.fsdecode(given)[0]
    assert f"<title>{name}\N{REPLACEMENT CHARACTER}" in (odd / "page.html").read_text(encoding="utf-8")


STRANGE = "\N{REPLACEMENT CHARACTER}"


@bytes_in_names
@pytest.mark.parametrize(
    ("words", "key", "name"),
    [
        (
            ("replay", os.fsdecode(b"r\xff"), "--boards", os.fsdecode(b"out\xff.txt")),
            "file",
            f"out{STRANGE}.txt",
        ),
        (("replay", os.fsdecode(b"r\xff"), "--gif", os.fsdecode(b"o\xff.gif")), "gif", f"o{STRANGE}.gif"),
        (("solve", "--strategy", "exact", os.fsdecode(b"b\xff.txt")), "board", f"b{STRANGE}.txt"),
        (("review", os.fsdecode(b"r\xff")), "game", f"r{STRANGE}"),
        (("read", os.fsdecode(b"b\xff.txt")), "image", f"b{STRANGE}.txt"),
    ],
)
def test_json_with_such_a_name_is_text(
    odd: Path, words: tuple[str, ...], key: str, name: str, minebot: Minebot
) -> None:
    """Strict readers take no lone surrogate, as Python writes it."""
    done = minebot(*words, "--json")
    found = json.loads(done.stdout.splitlines()[0])
    assert found[key] == name
    assert not LONE.search(json.dumps(found, ensure_ascii=False))
    if key == "file":
        assert (odd / os.fsdecode(b"out\xff.txt")).is_file()


def test_json_of_other_texts_stays_as_it_is() -> None:
    value = {"\N{GRINNING FACE}": ["\\ud83d é", 1, None, 0.5, {"a": True}]}
    assert json.loads(json_text(value)) == value
    assert json_text(value).isascii()
    assert json.loads(json_text({"a\udcff": ("b\ud83d", "c")})) == {f"a{STRANGE}": [f"b{STRANGE}", "c"]}


@bytes_in_names
def test_results_in_a_place_with_such_a_name(odd: Path, minebot: Minebot) -> None:
    place, db = os.fsdecode(b"h\xff"), os.fsdecode(b"d\xff.sqlite")
    run = ("run", "--practice", "--virtual", "--strategy", "local", "--record", place, "--db", db, "--json")
    done = minebot(*run, "--verbose")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["recording"].startswith(writable(place))
    assert len(minebot("stats", "--db", db, "--json").stdout.splitlines()) == 1
    assert minebot("stats", "--db", db, "--json", "--target", place).stdout == ""


def test_half_letters_are_written_as_unknown_ones() -> None:
    assert writable("a\udcffb\ud83d c") == "a\ufffdb\ufffd c"
    assert writable("\N{GRINNING FACE} é") == "\N{GRINNING FACE} é"


def test_a_closed_stdin_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(BotError, match="standard input is closed: give a file"):
        position("-", None, None, Chosen())


def test_a_closed_stdout_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(click.BadParameter, match="stdout is closed: name a file"):
        OutputFile().convert("-", None, None)
    with pytest.raises(UsageError, match="stdout is closed"):
        tree.main(["terminal", "comp1511"], standalone_mode=False)
