"""The workflow that tests minebot on three systems is one that its runner can read."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"


def test_it_is_a_workflow() -> None:
    pytest.importorskip("check_jsonschema", reason="check-jsonschema is not installed (make test)")
    words = ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(WORKFLOW)]
    checked = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=240)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_what_it_names_is_there() -> None:
    text = WORKFLOW.read_text(encoding="utf-8").replace("\\", "/")
    places = re.findall(r"(?:^|[\s=])((?:executable|tests|\.ci)/[\w./-]+)", text)
    assert places
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_windows_python_gets_every_dependency() -> None:
    """`lay_out.sh` pins what it installs, so that its list is its own."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = project.split("\ndependencies = [")[1].split("\n]")[0]
    needed = set(re.findall(r'"([A-Za-z0-9_-]+)', listed))
    script = (ROOT / "tests" / "windows_python" / "layout" / "lay_out.sh").read_text(encoding="utf-8")
    installed = set(re.findall(r"[\w-]+", script.split('BINARY="')[1].split("$PLAIN")[0]))
    assert needed - {"opencv-python"} <= installed
    assert "opencv-python-headless" in installed
