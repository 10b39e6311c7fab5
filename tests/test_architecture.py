"""docs/architecture.md names only what there is, and what it says of two lists that belong together is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PLACES = sorted(
    set(re.findall(r"`((?:bot|tests|theming|training|benchmarks|templates|calibration)/[^`]*)`", PAGE))
)
PATTERN = re.compile(r"\bNAME\b")
"""A place with this word stands for what a reader adds."""

MAX_LINES = 150


@pytest.mark.parametrize("place", PLACES)
def test_every_place_is_there(place: str) -> None:
    parts = Path(place).parts
    fixed = [part for part in parts if not PATTERN.search(part)]
    assert (ROOT / Path(*fixed)).exists()


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([A-Za-z_]{4,})`", PAGE))))
def test_every_name_is_in_the_code(name: str) -> None:
    word = re.compile(rf"\b{name}\b")
    files = [*ROOT.glob("bot/**/*.py"), *ROOT.glob("tests/*.py")]
    assert any(word.search(file.read_text(encoding="utf-8")) for file in files)


def test_the_page_stays_short() -> None:
    assert len(PAGE.splitlines()) <= MAX_LINES
