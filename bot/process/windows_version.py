"""Windows' version without a program: Python up to 3.11 runs `cmd /c ver` for it.

It does so once in a process, at the first `platform.machine()`, which numba calls. That takes a tenth of a
second and more, and a kill at that moment may leave `cmd` behind.
"""

from __future__ import annotations

import platform
import sys
from typing import Any


def ask_no_program() -> None:
    """From now on, `platform` takes the version that Windows tells Python itself."""
    if sys.platform == "win32":
        module: Any = platform
        module._syscmd_ver = _unknown


def _unknown(system: str = "", release: str = "", version: str = "") -> tuple[str, str, str]:
    """What `platform._syscmd_ver` says where there is no `ver`: what it was given."""
    return system, release, version
