"""Whether somebody sits at a terminal and can answer."""

from __future__ import annotations

import sys
from typing import Any


def somebody_answers() -> bool:
    """Whether stdin is a terminal. Windows calls its empty device, NUL, one too: a console has a mode."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    if sys.platform != "win32":
        return True
    import ctypes
    import msvcrt

    kernel32: Any = ctypes.WinDLL("kernel32")
    handle = ctypes.c_void_p(msvcrt.get_osfhandle(sys.stdin.fileno()))
    return bool(kernel32.GetConsoleMode(handle, ctypes.byref(ctypes.c_uint32())))
