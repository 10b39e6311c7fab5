"""Windows' version is found without a program."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from bot.process.windows_version import ask_no_program

WITHOUT_PROGRAMS = """
import subprocess
subprocess.Popen = subprocess.check_output = None
from bot.process.windows_version import ask_no_program
ask_no_program()
import platform
print(platform.version(), platform.machine())
"""


def test_what_python_would_run_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "_syscmd_ver", platform._syscmd_ver)  # type: ignore[attr-defined]
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "check_output", None)
    ask_no_program()
    assert platform._syscmd_ver() == ("", "", "")  # type: ignore[attr-defined]


@pytest.mark.skipif(sys.platform != "win32", reason="there is no version of Windows elsewhere")
def test_the_version_is_known_nevertheless() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_PROGRAMS], capture_output=True, text=True, timeout=120
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    version, machine = ran.stdout.split()
    assert version.count(".") == 2
    assert machine
