"""TOML files that minebot reads: what is wrong with one is a line."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.errors import FormatError
from bot.tables import read_table


class Kept(msgspec.Struct):
    """A table with one key."""

    size: int


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"size = ", "is no TOML"),
        (b"size = \xff", "is no TOML"),
        (b"size = 'x'", "got `str`"),
        (b"size = " + b"[" * 20_000, "its brackets are nested too deep"),
    ],
)
def test_what_is_wrong_is_told(content: bytes, told: str) -> None:
    with pytest.raises(FormatError, match=r"kept\.toml") as raised:
        read_table(Path("kept.toml"), content, Kept, remedy="write it again")
    assert told in str(raised.value)
    assert str(raised.value).endswith("write it again")
