"""The display to play on: the Wayland desktop or X display that is there, or a virtual one (Xvfb) of ours.

On Windows and macOS there is nothing to choose.
"""

from __future__ import annotations

import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from bot.errors import ScreenError
from bot.files import user_runtime, write_whole
from bot.process import children
from bot.screen.wayland import ways
from bot.screen.wayland.wire import socket_path
from bot.screen.x11 import server_probe

SIZE = (1920, 1200)
"""Width and height of a virtual screen, in pixels: an Expert board fits at twice its usual size."""

DEPTH = 24
"""Colour depth of a virtual screen, in bits a pixel."""

ENDING_S = 10.0
"""Time in which a virtual screen may end by itself before it is killed, in seconds."""

NO_XVFB = (
    "there is no Xvfb to make a virtual screen with: install it (Debian, Ubuntu: apt-get install xvfb),"
    " or play in memory with --virtual"
)


UNNAMED_WAYLAND = (
    "this desktop is Wayland, and WAYLAND_DISPLAY does not say which: run minebot in a terminal of that"
    f" desktop, or {ways.HEADLESS}"
)

NO_WAYLAND: dict[str, str | None] = {"WAYLAND_DISPLAY": None, "XDG_SESSION_TYPE": None}
"""The environment of a session that is not Wayland."""

ANOTHER_DISPLAY = (
    "set DISPLAY to one that works, or play the built-in window on a screen of its own with"
    " `minebot run --practice --headless`"
)
"""The remedy for a display that does not answer."""


@dataclass(frozen=True)
class Screen:
    """The display that is in use."""

    name: str
    """The value of `DISPLAY`, such as `:0`, or the socket of a Wayland desktop; else empty."""
    virtual: bool
    """Whether we started it; if so, it ends with the `with` block."""
    notice: str = ""
    """What the user is to be told before it is used: that the desktop asks for consent."""


def uses_x11() -> bool:
    """Whether this platform shows its windows through X11: every platform except Windows and macOS."""
    return sys.platform not in ("win32", "cygwin", "darwin")


@contextmanager
def ensure_display(headless: bool = False, size: tuple[int, int] = SIZE) -> Iterator[Screen]:
    """Provide a display while the body runs: the session's Wayland desktop, the one that `DISPLAY` names, or
    else a virtual one. In a Wayland session an X display that is not the XWayland of that counts before it.

    `headless` asks for a virtual one of `size` (width, height in pixels) in any case. Sets `DISPLAY` and
    `XAUTHORITY` meanwhile and restores them on every way out, SIGTERM included (which then exits with status
    143).

    Raises ScreenError, with a remedy, if Xvfb is needed and missing, if the display cannot be opened, and if
    a Wayland desktop offers no way in.
    """
    if not uses_x11():
        if headless:
            raise ScreenError("virtual screens (Xvfb) are for Linux: leave out --headless, or use --virtual")
        yield Screen("", virtual=False)
        return
    with ExitStack() as ways_out:
        ways_out.enter_context(_ended_by_sigterm())
        ways_out.enter_context(readable_authority())
        if not headless and ways.on_wayland() and not another_x_display():
            way = ways.way_in()
            # Other users and nested desktops may have a display of the same name, each with its mouse.
            yield Screen(str(socket_path()), virtual=False, notice=way.notice)
        elif headless or not os.environ.get("DISPLAY"):
            yield Screen(ways_out.enter_context(_virtual(size)), virtual=True)
        else:
            name = _checked(os.environ["DISPLAY"])
            ways_out.enter_context(environment(**NO_WAYLAND))
            yield Screen(name, virtual=False)


def another_x_display() -> bool:
    """Whether `DISPLAY` names a display that answers and is not the XWayland of a Wayland desktop."""
    if not os.environ.get("DISPLAY"):
        return False
    try:
        return not server_probe.ask().xwayland
    except ScreenError:
        return False


def _checked(name: str) -> str:
    """The name of a display that answers. Raises ScreenError if it does not, or if it is the XWayland of a
    desktop that the environment does not name."""
    try:
        answer = server_probe.ask()
    except ScreenError as error:
        raise ScreenError(f"{error}: {ANOTHER_DISPLAY}") from None
    if answer.xwayland:
        raise ScreenError(UNNAMED_WAYLAND)
    return name


@contextmanager
def _virtual(size: tuple[int, int]) -> Iterator[str]:
    """Start Xvfb, name it in `DISPLAY`, and stop it at the end; yields its name."""
    if shutil.which("Xvfb") is None:
        raise ScreenError(NO_XVFB)
    from Xlib.display import Display as Connection

    server, name = _started(size)
    try:
        with environment(DISPLAY=name, **NO_WAYLAND):
            # Without this connection the server would end as soon as it had no other client.
            connection = Connection(name)
            try:
                yield name
            finally:
                with suppress(Exception):  # the server may have died before us
                    connection.close()
    finally:
        _end(server)


def _started(size: tuple[int, int]) -> tuple[subprocess.Popen[bytes], str]:
    """Xvfb, and the name of its display once it takes clients. Raises ScreenError if it ends before that."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as answer, tempfile.TemporaryFile() as told:
        # With -terminate the server ends with its last client. SIGTERM lets it remove its socket and lock.
        words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size[0]}x{size[1]}x{DEPTH}"]
        try:
            server = children.start(
                [*words, "-br", "-nolisten", "tcp", "-terminate"],
                parting=signal.SIGTERM,
                pass_fds=[writing],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=told,
            )
        except OSError as error:
            raise ScreenError(f"Xvfb cannot be started ({error.strerror}): try `Xvfb :99` by hand") from None
        finally:
            os.close(writing)
        try:
            number = answer.readline().strip()
        except BaseException:
            _end(server)
            raise
        if number:
            return server, f":{number}"
        server.wait()
        told.seek(0)
        last = (told.read().decode(errors="replace").strip().splitlines() or ["it says nothing"])[-1]
        raise ScreenError(f"Xvfb did not start ({last}): try `Xvfb :99` by hand")


def _end(server: subprocess.Popen[bytes]) -> None:
    """Stop Xvfb with SIGTERM first: killed at once, it leaves its socket and lock in /tmp."""
    server.terminate()
    try:
        server.wait(ENDING_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


@contextmanager
def environment(**changes: str | None) -> Iterator[None]:
    """Set environment variables (None removes one) while the body runs."""
    before = {name: os.environ.get(name) for name in changes}
    _set(changes)
    try:
        yield
    finally:
        _set(before)


def _set(variables: dict[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


@contextmanager
def readable_authority() -> Iterator[None]:
    """Make `XAUTHORITY` name a file with an entry in it while the body runs.

    The python3-xlib that pyautogui installs crashes at import if that file (by default `~/.Xauthority`) is
    missing, and prints a warning on stdout if it is empty.
    """
    named = os.environ.get("XAUTHORITY")
    home = os.environ.get("HOME")
    file = Path(named) if named else Path(home or "/nonexistent") / ".Xauthority"
    if (named or home) and _has_content(file):
        yield
        return
    with ExitStack() as ways_out:
        ours = user_runtime() / "Xauthority"
        try:
            _write_once(ours, _authority_entry())
        except OSError:  # that folder cannot be written
            folder = ways_out.enter_context(tempfile.TemporaryDirectory(prefix="minebot-"))
            ours = Path(folder) / "Xauthority"
            ours.write_bytes(_authority_entry())
        with environment(XAUTHORITY=str(ours)):
            yield


def _write_once(file: Path, content: bytes) -> None:
    """Write a file that is the same for every run and stays: one that is killed leaves nothing else."""
    if not file.is_file() or file.read_bytes() != content:
        write_whole(file, content)


def _has_content(file: Path) -> bool:
    try:
        return file.stat().st_size > 0 and os.access(file, os.R_OK)
    except OSError:
        return False


def _authority_entry() -> bytes:
    """An entry in the format of Xauthority files, for another host: it gives access to nothing."""
    local = 256
    fields = (b"minebot.invalid", b"0", b"MIT-MAGIC-COOKIE-1", bytes(16))
    return struct.pack(">H", local) + b"".join(struct.pack(">H", len(field)) + field for field in fields)


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Make SIGTERM raise SystemExit while the body runs, so that everything is cleaned up on the way out."""

    def leave(_signal: int, _frame: FrameType | None) -> None:
        sys.exit(128 + signal.SIGTERM)

    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield  # SIGTERM has a handler already, or this thread may not set one
        return
    signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
