"""The files of the project: which make the wheel, which a case can depend on, and whether they changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

ROOT = Path(__file__).parents[2]

INSTALLED = ("bot", "calibration", "maps", "recordings", "templates", "pyproject.toml", "README.md")
"""What the wheel is made of."""

TRIED = (*INSTALLED, "executable", "tests", "training", "theming", "benchmarks", "docs")
"""What a case can depend on."""


def fingerprint(names: tuple[str, ...]) -> str:
    """A hash of these files and folders of the project, by their names and what they hold."""
    found = hashlib.sha256()
    for name in names:
        place = ROOT / name
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file() and "__pycache__" not in path.parts:
                found.update(f"{path.relative_to(ROOT)}\0{path.stat().st_size}\0".encode())
                found.update(path.read_bytes())
    return found.hexdigest()
