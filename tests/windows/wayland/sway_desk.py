"""A headless Sway of the tests' own: a Wayland desktop that minebot can be run on."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from program_group import ProgramGroup
from wayland_desk import WaylandDesk

SIZE = "1024x768"

NOBODY = 65534
"""The user and group as which Sway runs where the tests run as root, which Sway refuses."""

CONFIG = f"""
output HEADLESS-1 resolution {SIZE} position 0 0
xwayland disable
default_border none
"""

START_S = 60.0


@dataclass
class SwayDesk(WaylandDesk):
    """Sway's desktop."""

    ipc: str = ""

    def named(self) -> dict[str, str]:
        """The variables that name this desktop, and how to tell it something."""
        return super().named() | {"SWAYSOCK": self.ipc}

    def message(self, *words: str) -> None:
        """Tell Sway to do something, as its user would by a key."""
        # Told to exit, it goes without an answer.
        expected = words != ("exit",)
        subprocess.run(
            ["swaymsg", *words], env=self.environment(), check=expected, timeout=30, capture_output=True
        )


@contextmanager
def headless_sway(config: str = "") -> Iterator[SwayDesk]:
    """Run Sway while the body runs, with lines added to its `config`; skips the test where there is none."""
    programs = ["sway", "dbus-run-session", *(["setpriv"] if os.geteuid() == 0 else [])]
    if missing := [program for program in programs if shutil.which(program) is None]:
        pytest.skip(f"there is no {' and no '.join(missing)}: apt-get install sway dbus-daemon")
    # A short path: the names of sockets may have 107 letters.
    runtime = Path(tempfile.mkdtemp(prefix="minebot-sway-", dir="/tmp"))
    runtime.chmod(0o700)
    (runtime / "config").write_text(CONFIG + config)
    words = ["dbus-run-session", "--", "sway", "-c", str(runtime / "config")]
    if os.geteuid() == 0:
        os.chown(runtime, NOBODY, NOBODY)
        words = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", *words]
    settings = {
        "PATH": os.environ["PATH"],
        "HOME": str(runtime),
        "XDG_RUNTIME_DIR": str(runtime),
        "WLR_BACKENDS": "headless",
        "WLR_RENDERER": "pixman",
        "WLR_LIBINPUT_NO_DEVICES": "1",
    }
    with (runtime / "log").open("wb") as log:
        sway = ProgramGroup(words, env=settings, cwd="/", stderr=log, stdout=log)
    try:
        until = time.monotonic() + START_S
        while not (displays := [one for one in runtime.glob("wayland-*") if one.suffix != ".lock"]):
            if not sway.runs or time.monotonic() > until:
                pytest.skip(f"Sway does not start here: {(runtime / 'log').read_text()[-300:]}")
            time.sleep(0.05)
        while not (sockets := list(runtime.glob("sway-ipc.*"))):
            time.sleep(0.05)
        yield SwayDesk(displays[0].name, "sway", runtime=str(runtime), ipc=str(sockets[0]))
    finally:
        sway.end()
        shutil.rmtree(runtime, ignore_errors=True)
