"""What `make test-windows` keeps of a run that was cut off, and what it says of a part that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.windows_python import progress, suite
from tests.windows_python.progress import Progress
from tests.windows_python.sources import ROOT, fingerprint
from tests.windows_python.windows_python import Failed


def test_a_run_goes_on_until_a_file_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = ["one"]
    monkeypatch.setattr(progress, "fingerprint", lambda names: sources[0])
    file = tmp_path / "progress.json"
    Progress(file).note("doctor", "3 s  ok")
    again = Progress(file)
    again.note("flags", "9 s  ok")
    assert Progress(file).well == {"doctor": "3 s  ok", "flags": "9 s  ok"}
    sources[0] = "another"
    assert Progress(file).well == {}
    sources[0] = "one"
    again.begin_again()
    assert Progress(file).well == {}
    assert not file.exists()


def test_a_fingerprint_is_that_of_names_and_contents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.windows_python.sources.ROOT", tmp_path)
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "a.py").write_text("1")
    found = {fingerprint(("bot",))}
    (tmp_path / "bot" / "a.py").write_text("2")
    found.add(fingerprint(("bot",)))
    (tmp_path / "bot" / "a.py").rename(tmp_path / "bot" / "b.py")
    found.add(last := fingerprint(("bot",)))
    assert len(found) == 3
    (tmp_path / "bot" / "__pycache__").mkdir()
    (tmp_path / "bot" / "__pycache__" / "b.pyc").touch()
    assert fingerprint(("bot",)) == last


def test_every_folder_of_tests_is_a_part_or_is_left_out_by_name() -> None:
    folders = {f"tests/{file.parent.name}" for file in (ROOT / "tests").glob("*/test_*.py")}
    left_out = set(suite.NOT_FOR_WINDOWS)
    assert folders == (set(suite.parts()) - {"tests"}) | (left_out & folders)
    assert all((ROOT / name).exists() for name in left_out)
    page = (ROOT / "docs" / "windows.md").read_text(encoding="utf-8")
    assert [name for name in left_out if f"`{name}`" not in page] == []


@pytest.mark.parametrize(
    ("said", "status", "told"),
    [
        (
            "tests/lab/test_a.py::test_b FAILED [ 50%]\n"
            "FAILED tests/lab/test_a.py::test_b - assert 1 == 2\n== 1 failed in 3.21s ==",
            1,
            "FAILED tests/lab/test_a.py::test_b",
        ),
        (
            "tests\\lab\\test_a.py::test_b PASSED [ 50%]\ntests\\lab\\test_a.py::test_c \n"
            "~~~~ Stack of MainThread (1) ~~~~\n++++ Timeout ++++",
            1,
            r"ended in tests\\lab\\test_a.py::test_c",
        ),
        ("== 3 deselected in 1.00s ==", 5, "3 deselected"),
        ("", 97, "it said nothing"),
    ],
)
def test_a_part_that_fails_names_the_test(said: str, status: int, told: str, tmp_path: Path) -> None:
    file = tmp_path / "suite.txt"
    file.write_text(said, encoding="utf-8")
    with pytest.raises(Failed, match=f"status {status}: {told}"):
        suite._result(status, file)


def test_a_part_that_passes_says_how_many(tmp_path: Path) -> None:
    file = tmp_path / "suite.txt"
    file.write_text("tests/lab/test_a.py::test_b PASSED\n==== 1 passed in 3.21s ====\n", encoding="utf-8")
    assert suite._result(0, file) == "1 passed in 3.21s"
