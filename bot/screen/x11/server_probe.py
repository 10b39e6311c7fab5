"""Asks an X display for its size and its window manager, in a process of its own, so that a display that
hangs can be given up.

`python -m bot.screen.x11.server_probe` prints one JSON object for the display that `DISPLAY` names: `width`,
`height` (pixels), `manager` (the window manager's name, or null) and `xwayland`; or `error`, one line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.errors import ScreenError

WAIT_S = 8.0
"""Time limit for the answer of an X server, in seconds."""

IMPORTABLE = Path(__file__).parents[3]
"""The folder in which `python -m` must run: it imports from its working folder first, and the user's may hold
another package named `bot`."""


@dataclass(frozen=True)
class Answer:
    """The properties of an X display."""

    width: int
    """Width of the whole desktop, all monitors together, in pixels."""
    height: int
    """Height of the whole desktop, in pixels."""
    manager: str | None
    """The name of the window manager; None if there is none."""
    xwayland: bool
    """Whether it is the XWayland of a Wayland desktop, whose windows cannot be captured."""


def ask(wait_s: float = WAIT_S) -> Answer:
    """Connect to the display that `DISPLAY` names, in another process with a time limit of `wait_s` seconds.

    Raises ScreenError, with the reason, if it cannot be opened or does not answer in time.
    """
    name = os.environ.get("DISPLAY", "")
    try:
        run = subprocess.run(
            [sys.executable, "-m", "bot.screen.x11.server_probe"],
            capture_output=True,
            text=True,
            timeout=wait_s,
            cwd=IMPORTABLE,
        )
    except subprocess.TimeoutExpired:
        raise ScreenError(f"the display {name} did not answer in {wait_s:g} seconds") from None
    lines = run.stdout.splitlines()
    answer: dict[str, Any] = json.loads(lines[-1]) if lines else {}
    if "error" in answer or not answer:
        reason = answer.get("error") or (run.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise ScreenError(f"the display {name} cannot be opened ({reason})")
    return Answer(**answer)


def answer() -> dict[str, object]:
    """The fields of an `Answer`, asked in this process, which may hang."""
    from Xlib import X
    from Xlib.display import Display

    display = Display()
    screen = display.screen()
    root = screen.root
    manager = None
    # As EWMH prescribes, the window that the root window names must name itself.
    check = root.get_full_property(display.intern_atom("_NET_SUPPORTING_WM_CHECK"), X.AnyPropertyType)
    if check is not None and len(check.value):
        window = display.create_resource_object("window", check.value[0])
        name = window.get_full_property(display.intern_atom("_NET_WM_NAME"), X.AnyPropertyType)
        manager = name.value if name is not None else "unnamed"
        manager = manager.decode(errors="replace") if isinstance(manager, bytes) else str(manager)
    return {
        "width": screen.width_in_pixels,
        "height": screen.height_in_pixels,
        "manager": manager,
        "xwayland": _xwayland(display),
    }


def _xwayland(display: Any) -> bool:
    """Whether the server is XWayland: newer ones have an extension for it, older ones name their monitors
    XWAYLAND0, XWAYLAND1, ..."""
    if display.has_extension("XWAYLAND"):
        return True
    if not display.has_extension("RANDR"):
        return False
    from Xlib.ext import randr

    resources = randr.get_screen_resources(display.screen().root)
    names = (
        randr.get_output_info(display, output, resources.config_timestamp).name
        for output in resources.outputs[:1]
    )
    return any(str(name).startswith("XWAYLAND") for name in names)


def main() -> None:
    """Print the answer, or the error, as one JSON object."""
    try:
        found: dict[str, object] = answer()
    except Exception as error:  # Xlib raises many kinds of errors; the caller makes one line of it
        found = {"error": " ".join(str(error).split()) or type(error).__name__}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
