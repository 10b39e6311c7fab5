"""`python -m tests.pin` notices what has changed, and says what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.pin import record
from tests.pin.__main__ import main
from tests.pin.solver import main as solver


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The fingerprints of the themes."""
    file = tmp_path / "fingerprints.json"
    assert pin("write", file).exit_code == 0
    return file


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool takes longer to begin than the themes take to be read."""
    monkeypatch.setattr("tests.pin.work.WORKERS", 100)


def pin(what: str, file: Path) -> Result:
    return CliRunner().invoke(main, [what, "--only", "themes", str(file)])


def test_what_is_as_it_was_is_said_to_be(written: Path) -> None:
    result = pin("check", written)
    assert result.exit_code == 0
    assert "none differ" in result.output


def test_what_is_other_new_or_gone_is_named(written: Path) -> None:
    prints = record.load(written)
    name = "themes/winmine/spec"
    new = prints.pop("themes/winmine/mines")
    record.save(written, prints | {name: "0" * 16, "themes/gone/spec": "1" * 16, "screens/one": "2" * 16})
    result = pin("check", written)
    assert result.exit_code == 1
    assert result.output.splitlines()[:3] == [
        f"themes/gone/spec: was {'1' * 16}, is nothing",
        f"themes/winmine/mines: was nothing, is {new}",
        f"{name}: was {'0' * 16}, is {prints[name]}",
    ]
    assert "3 differ" in result.output


def test_writing_one_section_leaves_the_others(written: Path) -> None:
    before = record.load(written)
    record.save(written, before | {"screens/one": "2" * 16, "themes/gone/spec": "1" * 16})
    assert pin("write", written).exit_code == 0
    assert record.load(written) == before | {"screens/one": "2" * 16}


def test_a_text_is_shown() -> None:
    result = CliRunner().invoke(main, ["show", "themes/winmine/mines"])
    assert result.exit_code == 0
    assert '"30x16": 99' in result.output


def test_what_the_solver_does_is_compared_at_every_number_that_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "solver.json"
    kind = ["--only", "drawn layouts", "--file", str(file)]
    for items in ("3", "5"):
        assert CliRunner().invoke(solver, ["write", *kind, "--items", items]).exit_code == 0
    kept = json.loads(file.read_text())
    assert set(kept["drawn layouts"]) == {"3", "5"}
    assert len(set(kept["drawn layouts"].values())) == 2
    assert CliRunner().invoke(solver, ["check", *kind]).exit_code == 0
    kept["drawn layouts"]["5"] = "0" * 16
    file.write_text(json.dumps(kept))
    few = CliRunner().invoke(solver, ["check", *kind, "--items", "4"])
    assert few.exit_code == 0, few.output
    assert CliRunner().invoke(solver, ["check", *kind]).exit_code == 1
    assert CliRunner().invoke(solver, ["check", *kind, "--items", "2"]).exit_code == 1  # nothing is compared
