"""`training.measure` takes the settings of the player by name, and nothing else."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from bot.solver.guess.settings import SETTINGS, Settings
from bot.solver.jit.records import new
from training import measure


def test_each_setting_is_changed_by_its_name_and_no_other_with_it() -> None:
    for name in SETTINGS:
        settings = new(Settings)
        measure.change(settings, f"{name}=3")
        assert [other for other in SETTINGS if getattr(settings, other) == 3] == [name]
        assert [other for other in SETTINGS if getattr(settings, other) == 0] == [
            other for other in SETTINGS if other != name
        ]


def test_a_fraction_goes_with_what_is_no_whole_number_only() -> None:
    settings = new(Settings)
    measure.change(settings, "margin=0.25")
    assert settings.margin == 0.25
    with pytest.raises(ValueError, match="whole number"):
        measure.change(settings, "rolls=0.25")


@pytest.mark.parametrize(
    "word",
    ["SAFEST=1", "layer_states_=1", "MARGIN=0.2", "NO_SUCH=1", "margin", "rolls=2.5", f"rolls={10**30}"],
)
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
