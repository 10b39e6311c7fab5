"""How what minebot can use besides is said to be installed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from bot.process import extras
from bot.process.extras import SOURCES, how_to_install


def test_an_extra_is_installed_from_the_sources_that_run() -> None:
    assert how_to_install("report") == f"{sys.executable} -m pip install -e '{SOURCES}[report]'"


def test_without_sources_their_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "SOURCES", tmp_path)
    assert how_to_install("report").startswith("in the folder with minebot's sources, ")


@pytest.mark.parametrize("suffix", [".py", ".md"])
def test_nobody_is_told_to_install_what_has_this_name_on_the_package_index(suffix: str) -> None:
    """It is a program of somebody else's."""
    wrong = re.compile(r"pip install (-\S+ )*['\"]?minebot\b")
    folders = ("bot", "docs", "tests", "training", "theming")
    files = [
        SOURCES / "README.md",
        *(file for one in folders for file in (SOURCES / one).rglob(f"*{suffix}")),
    ]
    assert not [file for file in files if wrong.search(file.read_text())]
