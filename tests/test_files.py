"""Where minebot's own folders lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.files import user_cache, user_data


def test_homes_can_share_what_can_be_made_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINEBOT_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MINEBOT_CACHE", raising=False)
    assert user_cache() == tmp_path / "home" / "cache"
    monkeypatch.setenv("MINEBOT_CACHE", str(tmp_path / "shared"))
    assert (user_data(), user_cache()) == (tmp_path / "home", tmp_path / "shared")
