"""The session of Windows that this process runs in: whether it is remote, and what it may click."""

from __future__ import annotations

import ctypes
from typing import Any

SM_REMOTESESSION = 0x1000
"""The argument of GetSystemMetrics that asks whether this is a remote desktop."""


def cautions() -> list[str]:
    """Reasons why a picture may be black or a click may not arrive here, one line each."""
    libraries: Any = ctypes.windll  # type: ignore[attr-defined,unused-ignore]
    found = []
    if libraries.user32.GetSystemMetrics(SM_REMOTESESSION):
        found.append("remote desktop: the picture is black while its window is closed")
    if not libraries.shell32.IsUserAnAdmin():
        found.append("clicks do not reach a game that runs as administrator")
    return found
