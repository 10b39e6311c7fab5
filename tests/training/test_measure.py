"""`training.measure` takes the settings of the player by name, and nothing else."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from bot.solver.guess import settings
from bot.solver.guess.settings import SETTINGS
from training import measure


def test_every_setting_has_a_name_and_a_place_of_its_own() -> None:
    assert sorted(SETTINGS.values()) == list(range(len(SETTINGS)))
    assert all(getattr(settings, name) == place for name, place in SETTINGS.items())


@pytest.mark.parametrize("word", ["SAFEST=1", "LOST_END=1", "margin=0.2", "NO_SUCH=1", "MARGIN"])
def test_what_is_no_setting_is_refused(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results.txt"
    monkeypatch.setattr(sys, "argv", ["measure", "--games", "1", "--set", word, "--results", str(results)])
    with pytest.raises(SystemExit) as ended:
        measure.main()
    assert ended.value.code == 2
    assert re.search(f"--set {word}: ", capsys.readouterr().err)
    assert not results.exists()
