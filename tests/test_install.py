"""What `install.sh` does beside another one, in a folder where all is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

fcntl = pytest.importorskip("fcntl", reason="install.sh is for Linux")

ROOT = Path(__file__).parents[1]

READ = ("pyproject.toml", "install.sh", "executable/minebot.sh", "bot/__init__.py")
"""What an installation depends on, in its order."""

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("flock", "Xvfb"))), reason="it would install what is missing"
)


def installed(folder: Path) -> None:
    """A folder of the project that was installed, with a Python that has everything."""
    for name in READ:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\nexit 0\n")
    python.chmod(0o755)
    summed = (
        subprocess.run(
            ["cksum"],
            input=b"".join((folder / name).read_bytes() for name in READ),
            capture_output=True,
            check=True,
        )
        .stdout.decode()
        .strip()
    )
    (folder / ".venv" / "minebot.stamp").write_text(f"{summed} {folder}\nrun\n")


def test_another_installation_in_the_folder_is_waited_for(tmp_path: Path) -> None:
    installed(tmp_path)
    lock = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen(["./install.sh"], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as second:
            assert second.stdout is not None
            assert "waiting for it" in second.stdout.readline()
            assert second.poll() is None
            fcntl.flock(lock, fcntl.LOCK_UN)
            assert second.stdout.read() == ""
        assert second.returncode == 0
    finally:
        os.close(lock)


def test_what_is_installed_is_let_alone(tmp_path: Path) -> None:
    installed(tmp_path)
    done = subprocess.run(["./install.sh"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_installation_from_which_something_is_gone_is_mended(tmp_path: Path) -> None:
    installed(tmp_path)
    python = tmp_path / ".venv" / "bin" / "python"
    # Asked alone whether all is there, it says no until pip was called.
    python.write_text(
        '#!/bin/sh\ncase "$*" in\n-) [ -e "$0.mended" ] ;;\n*"pip install"*) touch "$0.mended" ;;\nesac\n'
    )
    for told in ("install: installing minebot", ""):
        done = subprocess.run(["./install.sh"], cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(told)
        assert bool(done.stdout) == bool(told)
