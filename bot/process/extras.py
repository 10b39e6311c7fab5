"""How what minebot does not need by itself, and can use, is installed."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

SOURCES = Path(__file__).parents[2]
"""Where minebot runs from: the folder of its sources, or what its package was installed into."""


def how_to_install(extra: str = "") -> str:
    """A command that installs minebot, with an extra of `pyproject.toml` such as `report`; or words that say
    where to.

    Never by minebot's name alone: on PyPI that is a program of somebody else's.
    """
    named = f"[{extra}]" if extra else ""
    if (SOURCES / "pyproject.toml").is_file():
        return f"{shlex.quote(sys.executable)} -m pip install -e {shlex.quote(f'{SOURCES}{named}')}"
    return f"in the folder with minebot's sources, {shlex.quote(sys.executable)} -m pip install '.{named}'"
