"""What playing a window needs of a machine: one small check for each need, with its finding and a remedy.

A check that imports a library that may crash, or uses a screen that may hang, runs in a process of its own
with a time limit: `python -m bot.screen.checks NAME` makes such a check and prints it as one JSON object.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.config import load_settings
from bot.errors import BotError, FormatError, ScreenError, UsageError
from bot.files import in_home, user_cache, user_data, user_settings
from bot.geometry import Point
from bot.process.dpi import claim_dpi_awareness
from bot.process.extras import how_to_install
from bot.screen.display import (
    ANOTHER_DISPLAY,
    NO_XVFB,
    UNNAMED_WAYLAND,
    Screen,
    another_x_display,
    ensure_display,
    readable_authority,
    uses_x11,
)
from bot.screen.wayland import ways
from bot.screen.wayland.sway import sway_socket
from bot.screen.white_window import white_window
from bot.screen.x11 import server_probe

LIMIT_S = 60.0
"""Time limit of a check in a process of its own, in seconds. The first import of OpenCV is slow: on a machine
with ten times as much work as cores it took 20 s under Windows' Python."""

ROOM_MB = 200
"""Minimum free space for recordings, in megabytes."""

HOME_MEND = "set {} to a folder that can be written to and has room"
"""What to do where a folder that this variable names cannot be written."""

PACKAGES = {
    "libGL.so.1": "libgl1",
    "libgthread-2.0.so.0": "libglib2.0-0 (libglib2.0-0t64 on newer ones)",
    "libglib-2.0.so.0": "libglib2.0-0 (libglib2.0-0t64 on newer ones)",
    "libxcb.so.1": "libxcb1",
    "libX11.so.6": "libx11-6",
    "libSM.so.6": "libsm6",
    "libXext.so.6": "libxext6",
}
"""The package of Debian and Ubuntu for each system library that the OpenCV wheel may miss."""


@dataclass(frozen=True)
class Check:
    """The result of one check."""

    name: str
    """The word that `minebot doctor --only` takes."""
    ok: bool
    finding: str
    """What was found, one line."""
    remedy: str = ""
    """What to do about it, one line; empty if nothing needs to be done."""


def check_python() -> Check:
    """Whether this Python is new enough."""
    ok = sys.version_info >= (3, 10)
    found = f"{platform.python_version()}, {sys.executable}"
    return Check("python", ok, found, "" if ok else "use Python 3.10 to 3.14")


def check_opencv() -> Check:
    """Whether OpenCV can be imported: its wheel needs libraries of the system."""
    try:
        import cv2
    except ImportError as error:
        return Check("opencv", False, _one_line(error), opencv_remedy(str(error)))
    return Check("opencv", True, str(cv2.__version__))


def opencv_remedy(error: str) -> str:
    """What to install for an ImportError of cv2, by the library that its text names."""
    for library, package in PACKAGES.items():
        if library in error:
            return f"apt-get install {package}, or what holds {library} on your system"
    return "pip install --force-reinstall opencv-python"


def check_tkinter() -> Check:
    """Whether tkinter can be imported: the built-in window and pyautogui need it."""
    try:
        import tkinter
    except ImportError as error:
        remedy = "apt-get install python3-tk (macOS: brew install python-tk), then make .venv anew"
        return Check("tkinter", False, _one_line(error), remedy)
    return Check("tkinter", True, f"Tk {tkinter.TkVersion}")


def check_display() -> Check:
    """Whether there is a display, or whether minebot can start its own."""
    name = os.environ.get("DISPLAY", "")
    if not uses_x11():
        return Check("display", True, f"the desktop of {platform.system()}")
    if ways.on_wayland() and not another_x_display():
        return _wayland("display")
    if not name and shutil.which("Xvfb"):
        return Check("display", True, "none; minebot starts a virtual one (Xvfb)")
    if not name:
        return Check("display", False, "DISPLAY is not set", f"log in to a desktop, or: {NO_XVFB}")
    try:
        with readable_authority():
            answer = server_probe.ask()
    except ScreenError as error:
        return Check("display", False, str(error), ANOTHER_DISPLAY)
    return Check("display", not answer.xwayland, f"{name}, {answer.width}x{answer.height}",
                 UNNAMED_WAYLAND if answer.xwayland else "")  # fmt: skip


def check_virtual_screen() -> Check:
    """Whether a virtual screen can be started."""
    if not uses_x11():
        return Check("virtual-screen", True, f"none on {platform.system()}, and none needed")
    try:
        with ensure_display(headless=True) as screen:
            return Check("virtual-screen", True, f"Xvfb, tried as {screen.name}")
    except ScreenError as error:
        return Check("virtual-screen", False, "cannot be started", str(error))


def check_wayland() -> Check:
    """Whether the desktop is Wayland, by which way it is played then, and what that way lacks."""
    if not uses_x11() or not ways.on_wayland():
        return Check("wayland", True, "no")
    return _wayland("wayland")


def _wayland(name: str) -> Check:
    """The way into this Wayland desktop, as the finding of a check."""
    try:
        way = ways.way_in()
    except ScreenError as error:
        return Check(name, False, "yes, with no way in", str(error))
    found = f"Wayland, by {way.name}"
    return Check(name, True, found if name == "display" else "; ".join([found, *way.lacks]))


def check_capture() -> Check:
    """Whether a picture of the screen shows anything. On a black screen of X or Windows a white window is
    opened: a desktop without windows may be black, and a locked one stays so. Not on a Mac, where a program
    that may not see the screen sees its own windows all the same."""
    from bot.screen.this_machine import system_capture

    capture = system_capture()
    try:
        monitor = capture.monitors()[0]
        picture = capture.grab(monitor)
        # On Wayland no window can be put in front of the others: an empty desktop may be black.
        if not picture.any() and sys.platform != "darwin" and not ways.on_wayland():
            with white_window(monitor):
                picture = capture.grab(monitor)
    finally:
        capture.close()
    size = f"{picture.shape[1]}x{picture.shape[0]} pixels"
    if picture.any():
        return Check("capture", True, size)
    if ways.on_wayland():
        return Check("capture", True, f"{size}, all black: an empty desktop, or a locked one")
    remedy = "unlock the screen and open the remote desktop; macOS: allow Screen Recording for your terminal"
    return Check("capture", False, "the picture of the screen is all black", remedy)


def check_mouse() -> Check:
    """Whether the mouse can be used; with `MINEBOT_MOVE_MOUSE` set, moves it by a pixel and back."""
    from bot.screen.this_machine import system_mouse

    mouse = system_mouse()
    before = mouse.position()
    found = f"pointer at {before.x},{before.y}"
    if ways.on_wayland():
        found = "one of our own; where yours is, no program is told"
    if not os.environ.get("MINEBOT_MOVE_MOUSE"):
        return Check("mouse", True, found)
    step = Point(before.x + (1 if before.x < 100 else -1), before.y)
    mouse.move(step)
    moved = mouse.position() == step
    mouse.move(before)
    remedy = "macOS: allow Accessibility for your terminal; Windows: run minebot elevated if the game is"
    return Check("mouse", moved, f"{found}, {'moves' if moved else 'does not move'}", "" if moved else remedy)


def check_scale() -> Check:
    """How many pixels a picture has for one point of the mouse, for each monitor."""
    from bot.screen.scale import pixels_per_point
    from bot.screen.this_machine import system_capture

    capture = system_capture()
    try:
        scales = [(rect, pixels_per_point(capture, rect)) for rect in capture.monitors()]
    finally:
        capture.close()
    return Check("scale", True, "; ".join(f"{rect}: {scale:g}" for rect, scale in scales))


def check_windows() -> Check:
    """Whether the desktop lists its windows."""
    if not uses_x11():
        return Check("windows", True, f"from {platform.system()}")
    if ways.on_wayland():
        found = "from Sway" if sway_socket() else "this desktop lists none; found by their pixels"
        return Check("windows", True, found)
    manager = server_probe.ask().manager
    return Check(
        "windows", True, f"from {manager}" if manager else "no window manager; found by their pixels"
    )


def check_fonts() -> Check:
    """Whether letters can be drawn."""
    return Check("fonts", True, "none needed: minebot draws its own letters")


def check_platform() -> Check:
    """Known reasons why pictures may be black or clicks may not arrive on this platform."""
    if sys.platform == "win32":
        from bot.screen.win32.session import cautions

        return Check("platform", True, "; ".join(cautions()) or "nothing to mind")
    if sys.platform == "darwin":
        from bot.screen.macos.permissions import missing_permissions

        if missing := missing_permissions():
            names = " and ".join(missing)
            remedy = f"allow your terminal {names} in System Settings, Privacy & Security, and start it again"
            return Check("platform", False, f"macOS does not allow {names}", remedy)
        return Check("platform", True, "macOS allows this program to see the screen and to click")
    return Check("platform", True, f"{platform.system()}: nothing to mind")


def check_settings() -> Check:
    """Whether the settings can be read: without that no command plays."""
    path = user_settings()
    try:
        load_settings(path)
    except FormatError as error:
        return Check("settings", False, str(error), f"correct {path}, or delete it to play by the defaults")
    return Check("settings", True, f"{path}" if path.exists() else f"the defaults, there is no {path}")


def check_recordings() -> Check:
    """Whether recordings can be written where the settings say, and have enough space."""
    try:
        configured = load_settings().record_dir
    except FormatError:  # `check_settings` tells it
        configured = None
    if configured is None:
        return _writable("recordings", user_data() / "recordings", ROOM_MB, HOME_MEND.format("MINEBOT_HOME"))
    mend = f"name another folder as record_dir in {user_settings()}"
    try:
        return _writable("recordings", in_home(configured), ROOM_MB, mend)
    except UsageError as error:
        return Check("recordings", False, str(error), mend)


def check_solver_cache() -> Check:
    """Whether the compiled solver can be kept; if not, it is compiled at every start."""
    named = "MINEBOT_CACHE" if os.environ.get("MINEBOT_CACHE") else "MINEBOT_HOME"
    return _writable("solver-cache", user_cache() / "solver", 20, HOME_MEND.format(named))


def _writable(name: str, folder: Path, room_mb: int, remedy: str) -> Check:
    """Whether a folder, or its nearest existing parent, can be written to and has so many megabytes free."""
    there = folder
    while not os.path.lexists(there) and there != there.parent:
        there = there.parent
    try:
        with tempfile.TemporaryFile(dir=there):
            free_mb = shutil.disk_usage(there).free // 1_000_000
    except OSError as error:
        return Check(name, False, f"{folder} cannot be written ({error.strerror})", remedy)
    ok = free_mb >= room_mb
    return Check(name, ok, f"{folder}, {free_mb:,} MB free", "" if ok else remedy)


CHECKS: dict[str, Callable[[], Check]] = {
    "python": check_python,
    "opencv": check_opencv,
    "tkinter": check_tkinter,
    "display": check_display,
    "virtual-screen": check_virtual_screen,
    "wayland": check_wayland,
    "capture": check_capture,
    "mouse": check_mouse,
    "scale": check_scale,
    "windows": check_windows,
    "fonts": check_fonts,
    "platform": check_platform,
    "settings": check_settings,
    "recordings": check_recordings,
    "solver-cache": check_solver_cache,
}
"""Every check by name, in the order in which they are reported."""

ON_A_SCREEN = frozenset({"capture", "mouse", "scale", "windows"})
"""The checks that need a display; without one they use a virtual one."""

IN_OWN_PROCESS = ON_A_SCREEN | {"opencv", "tkinter", "virtual-screen"}
"""The checks that run in a process of their own, because they may crash or hang."""


def examine(names: Collection[str], move_mouse: bool = False) -> Iterator[Check]:
    """Make the named checks in the order of `CHECKS`. Raises nothing, and each check has a time limit."""
    with ExitStack() as ways_out:
        screen: dict[str, str] | None = None
        unreachable = asks = False
        for name in CHECKS:
            if name not in names:
                continue
            if name not in ON_A_SCREEN:
                yield _in_own_process(name, {}) if name in IN_OWN_PROCESS else _here(name)
                continue
            if screen is None:
                # Started late: the checks before this one examine the user's own display.
                screen = {"MINEBOT_MOVE_MOUSE": "1"} if move_mouse else {}
                try:
                    asks = bool(ways_out.enter_context(_some_display()).notice)
                except ScreenError:
                    unreachable = True
            if unreachable:
                yield Check(name, False, "not tried: there is no display", "mend the display first")
            elif asks and name != "windows":
                yield Check(
                    name, True, "not tried: the desktop asks for your consent first, in `minebot run`"
                )
            else:
                yield _in_own_process(name, screen)


@contextmanager
def _some_display() -> Iterator[Screen]:
    """The existing display, or else a virtual one. Raises ScreenError if there is neither."""
    with ExitStack() as ways_out:
        try:
            screen = ways_out.enter_context(ensure_display())
        except ScreenError:
            if not shutil.which("Xvfb"):
                raise
            screen = ways_out.enter_context(ensure_display(headless=True))
        yield screen


def _here(name: str) -> Check:
    """Make one check in this process; an exception becomes its finding."""
    try:
        return CHECKS[name]()
    except BotError as error:
        return Check(name, False, str(error), "see the other findings")
    except Exception as error:  # a check must never end the doctor
        return Check(name, False, f"{type(error).__name__}: {_one_line(error)}", "see the other findings")


def _in_own_process(name: str, variables: dict[str, str]) -> Check:
    """Make one check in a process of its own."""
    try:
        run = subprocess.run(
            [sys.executable, "-m", "bot.screen.checks", name],
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            cwd=server_probe.IMPORTABLE,
            env={**os.environ, **variables},
        )
    except subprocess.TimeoutExpired:
        remedy = "run it again when the machine does less, and if that is no help restart the desktop session"
        return Check(name, False, f"no answer in {LIMIT_S:g} seconds", remedy)
    lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
    if lines:
        return Check(**json.loads(lines[-1]))
    last = (run.stderr.strip().splitlines() or [f"ended with status {run.returncode}"])[-1]
    return Check(name, False, last, f"install it anew ({how_to_install()}), and tell us if that is no help")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


if __name__ == "__main__":
    claim_dpi_awareness()
    sys.stdout.write(json.dumps(asdict(_here(sys.argv[1]))) + "\n")
