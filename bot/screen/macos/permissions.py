"""What macOS lets this process do: see the screen, and control the mouse."""

from __future__ import annotations

from typing import Any

CAPTURE = "Screen Recording"
"""The permission to see other programs' windows, as System Settings names it."""

CONTROL = "Accessibility"
"""The permission to send clicks and keys."""


def missing_permissions() -> list[str]:
    """Those of `CAPTURE` and `CONTROL` that are not granted. Asks nobody for them.

    macOS before 10.15 has no such calls: what cannot be asked counts as granted. Raises ImportError without
    pyobjc's Quartz.
    """
    import Quartz

    quartz: Any = Quartz
    calls = {CAPTURE: "CGPreflightScreenCaptureAccess", CONTROL: "CGPreflightPostEventAccess"}
    return [name for name, call in calls.items() if not getattr(quartz, call, lambda: True)()]
