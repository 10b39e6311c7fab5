"""Ask an X display who it is, in a process of its own, so that nobody has to wait for one that hangs.

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
"""How long an X server may take to answer before it counts as one that does not."""


IMPORTABLE = Path(__file__).parents[2]
"""The folder that our package lies in. `python -m` imports from where it stands first: in a folder of the
user's that holds another `bot`, it would run that."""


@dataclass(frozen=True)
class Answer:
    """What an X display says about itself."""

    width: int
    """Pixels of the whole desktop, all monitors together."""
    height: int
    manager: str | None
    """The name of the window manager; None where there is none."""
    xwayland: bool
    """Whether it only stands in for a Wayland desktop: then windows cannot be captured."""


def ask(wait_s: float = WAIT_S) -> Answer:
    """Connect to the display that the environment names, in another process.

    Raises ScreenError, with the reason, where it cannot be opened or does not answer in time.
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
    """Connect to the display in this process, which may hang, and describe it."""
    from Xlib import X
    from Xlib.display import Display

    display = Display()
    screen = display.screen()
    root = screen.root
    manager = None
    # The standard two steps of EWMH: the window that the root names must name itself.
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
    """Whether the server is XWayland: newer ones say so, older ones call their monitors XWAYLAND0, 1, ..."""
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
    except Exception as error:  # whatever Xlib raises: the caller turns it into one line
        found = {"error": " ".join(str(error).split()) or type(error).__name__}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
