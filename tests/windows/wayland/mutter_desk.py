"""A headless Mutter of the tests' own: GNOME's Wayland desktop, with its portal where it is asked for."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from program_group import ProgramGroup
from wayland_desk import OTHER_DESKTOPS, WaylandDesk

SIZE = "1280x1024"

SOCKET = "wl-mutter"

START_S = 60.0

PORTAL = "/usr/libexec/xdg-desktop-portal"

PROGRAMS = {
    "mutter": "mutter",
    "pipewire": "pipewire",
    "wireplumber": "wireplumber",
    "dbus-run-session": "dbus-daemon",
    "gdbus": "libglib2.0-bin",
}
"""What the desktop is made of, each with its Debian package."""

SESSION = """
echo "$DBUS_SESSION_BUS_ADDRESS" >"$XDG_RUNTIME_DIR/bus-address"
pipewire &
while ! [ -S "$XDG_RUNTIME_DIR/pipewire-0" ]; do sleep 0.02; done
wireplumber &
exec mutter --headless --wayland --no-x11 --virtual-monitor "$1" --wayland-display="$2"
"""
"""A wireplumber that finds no PipeWire ends, and then no picture ever comes."""

SETTINGS = """
[org/gnome/mutter]
experimental-features=['scale-monitor-framebuffer']
"""
"""Monitors may be scaled by fractions, in points that programs draw more than one pixel for."""

PORTAL_SESSION = """
/usr/libexec/xdg-desktop-portal-gnome & sleep 1
exec /usr/libexec/xdg-desktop-portal -r
"""


@dataclass
class MutterDesk(WaylandDesk):
    """Mutter's desktop."""

    bus: str = ""
    way: str = "mutter"
    processes: list[ProgramGroup] = field(default_factory=list)
    """What the desktop consists of."""

    def end(self) -> None:
        """End the desktop, as at the end of a session."""
        for group in reversed(self.processes):
            group.ask_to_end()
        for group in reversed(self.processes):
            group.end()
        self.processes.clear()

    def named(self) -> dict[str, str]:
        """The variables that name this desktop, and the way into it."""
        return super().named() | {
            "XDG_CURRENT_DESKTOP": "GNOME",
            "DBUS_SESSION_BUS_ADDRESS": self.bus,
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "MINEBOT_WAYLAND": self.way,
        }


def missing() -> list[str]:
    """The Debian packages that a Mutter of our own lacks here."""
    return [package for program, package in PROGRAMS.items() if shutil.which(program) is None]


@contextmanager
def headless_mutter(size: str = SIZE, portal: bool = False) -> Iterator[MutterDesk]:
    """Run Mutter, with a monitor of `size` pixels, while the body runs; skips the test where it is missing.

    With `portal`, xdg-desktop-portal and its part for GNOME run beside it, and minebot goes through them.
    """
    lacking = missing() + (
        ["xdg-desktop-portal-gnome"] if portal and not Path(f"{PORTAL}-gnome").exists() else []
    )
    if lacking:
        pytest.skip(f"missing: apt-get install {' '.join(lacking)}")
    # A short path: the names of sockets may have 107 letters.
    runtime = Path(tempfile.mkdtemp(prefix="minebot-mutter-", dir="/tmp"))
    runtime.chmod(0o700)
    without = (*OTHER_DESKTOPS, "DBUS_SESSION_BUS_ADDRESS")
    settings = {name: value for name, value in os.environ.items() if name not in without} | {
        "XDG_RUNTIME_DIR": str(runtime),
        "XDG_CONFIG_HOME": str(runtime / "config"),
        "XDG_DATA_HOME": str(runtime / "data"),
        "XDG_CURRENT_DESKTOP": "GNOME",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "GSETTINGS_BACKEND": "keyfile",
        "NO_AT_BRIDGE": "1",
    }
    keyfile = runtime / "config" / "glib-2.0" / "settings" / "keyfile"
    keyfile.parent.mkdir(parents=True)
    keyfile.write_text(SETTINGS)
    words = ["dbus-run-session", "--", "sh", "-c", SESSION, "sh", size, SOCKET]
    desk = MutterDesk(SOCKET, "mutter", runtime=str(runtime))
    with (runtime / "log").open("wb") as log:

        def start(words: list[str], env: dict[str, str]) -> None:
            desk.processes.append(ProgramGroup(words, env=env, cwd="/", stderr=log, stdout=log))

        try:
            start(words, settings)
            until = time.monotonic() + START_S
            while not (runtime / SOCKET).exists():
                if not desk.processes[0].runs or time.monotonic() > until:
                    pytest.skip(f"Mutter does not start here: {(runtime / 'log').read_text()[-300:]}")
                time.sleep(0.05)
            desk.bus = (runtime / "bus-address").read_text().strip()
            _wait_for(desk, "org.gnome.Mutter.RemoteDesktop", until)
            if portal:
                desk.way = "portal"
                start(["sh", "-c", PORTAL_SESSION], settings | desk.named())
                _wait_for(desk, "org.freedesktop.portal.Desktop", until)
            yield desk
        finally:
            desk.end()
            shutil.rmtree(runtime, ignore_errors=True)


def _wait_for(desk: MutterDesk, name: str, until: float) -> None:
    """Wait until somebody has this name on the desktop's message bus."""
    words = ["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/"]
    words += ["--method", "org.freedesktop.DBus.NameHasOwner", name]
    while time.monotonic() < until:
        told = subprocess.run(words, env=desk.environment(), capture_output=True, text=True, check=False)
        if "true" in told.stdout:
            return
        time.sleep(0.1)
    pytest.skip(f"nobody answers as {name} here: {(Path(desk.runtime) / 'log').read_text()[-300:]}")
