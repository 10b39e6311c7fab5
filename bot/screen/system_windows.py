"""The list of windows that fits this machine."""

from __future__ import annotations

import sys

from bot.screen.windows import NoWindows, Windows


def system_windows() -> Windows:
    """The list of windows of this machine, or one that knows nothing where it cannot be had."""
    try:
        if sys.platform == "win32":
            from bot.screen.win32.windows import Win32Windows

            return Win32Windows()
        if sys.platform == "darwin":
            from bot.screen.macos.windows import QuartzWindows

            return QuartzWindows()
        from bot.screen.x11.windows import XWindows

        return XWindows()
    except Exception:  # whatever Xlib or Quartz stumble over: the board is found without them
        return NoWindows()
