from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli.doctor import NAMES, command
from bot.files import user_settings
from bot.screen import checks
from bot.screen.checks import Check

WELL = frozenset(NAMES)


def doctor(monkeypatch: pytest.MonkeyPatch, well: frozenset[str], *words: str) -> tuple[int, str]:
    """Run it on a machine where just these checks are well; its exit status and stdout."""
    made = {name: (lambda name=name: Check(name, name in well, "found", "mend")) for name in NAMES}
    monkeypatch.setattr(checks, "CHECKS", made)
    monkeypatch.setattr(checks, "IN_OWN_PROCESS", frozenset())
    monkeypatch.setattr(checks, "ON_A_SCREEN", frozenset())
    run = CliRunner().invoke(command, words)
    return run.exit_code, run.stdout


@pytest.mark.parametrize(
    ("lacking", "status"),
    [
        (set(), 0),
        ({"display"}, 0),
        ({"virtual-screen"}, 0),
        ({"display", "virtual-screen"}, 1),
        ({"opencv"}, 1),
        ({"tkinter"}, 1),
        ({"mouse"}, 1),
        ({"platform"}, 1),
        ({"settings"}, 1),
        ({"wayland", "windows", "recordings", "solver-cache"}, 0),
    ],
)
def test_exit_status_says_whether_a_window_can_be_played(
    monkeypatch: pytest.MonkeyPatch, lacking: set[str], status: int
) -> None:
    assert doctor(monkeypatch, WELL - lacking)[0] == status


def test_only_looks_at_what_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    status, out = doctor(monkeypatch, WELL - {"python"}, "--only", "display", "--only", "fonts")
    assert status == 0
    assert [line.split()[1] for line in out.splitlines() if "found" in line] == ["display", "fonts"]
    assert doctor(monkeypatch, WELL - {"fonts"}, "--only", "display", "--only", "fonts")[0] == 1


def test_json_is_one_object_a_line_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    _, out = doctor(monkeypatch, WELL - {"mouse"}, "--json")
    told = [json.loads(line) for line in out.splitlines()]
    assert [check["name"] for check in told] == list(NAMES)
    assert [check["name"] for check in told if not check["ok"]] == ["mouse"]
    assert set(told[0]) == {"name", "ok", "finding", "remedy"}


def test_settings_that_cannot_be_read_are_named_with_what_to_do() -> None:
    path = user_settings()
    path.parent.mkdir(parents=True, exist_ok=True)
    assert checks.check_settings().ok
    path.write_text("stratgy = 3")
    found = checks.check_settings()
    assert not found.ok
    assert found.finding == f"{path}: there is no setting 'stratgy': did you mean 'strategy'?"
    assert found.remedy == f"correct {path}, or delete it to play by the defaults"
    assert checks.check_recordings().ok


def test_a_broken_settings_file_stops_all_play(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Nothing can be played here" in doctor(monkeypatch, WELL - {"settings"})[1]


def test_recordings_are_looked_for_where_the_settings_say(tmp_path: Path) -> None:
    path = user_settings()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"record_dir = '{tmp_path / 'games'}'")
    assert checks.check_recordings().finding.startswith(f"{tmp_path / 'games'}, ")
    path.write_text("record_dir = '~nobody-at-all/games'")
    found = checks.check_recordings()
    assert not found.ok
    assert found.remedy == f"name another folder as record_dir in {path}"
