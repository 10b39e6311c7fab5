"""Pins what the bot reads and what it clicks: short hashes of it, compared before and after a change.

`python -m tests.pin` is the command. Here only the folders are named from which helpers of the tests are
imported, as pytest does it: pictures from tests/vision, windows from tests/targets and tests/calibrate.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The folder of the project."""

for _folder in ("vision", "targets", "calibrate"):
    _place = str(ROOT / "tests" / _folder)
    if _place not in sys.path:
        sys.path.insert(0, _place)
