from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from bot.cli.doctor import NAMES, command
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
