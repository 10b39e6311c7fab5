"""Take Windows' Python out of a wheel of panda3d: unpack_interpreter.py FOLDER_OF_THE_WHEEL PYTHON_FOLDER."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

BESIDE_PYTHON = {"python311.dll", "vcruntime140.dll"}
"""What has to lie beside python.exe; modules and their libraries lie in DLLs."""


def unpack(wheel: Path, python: Path) -> None:
    """Write the libraries of Python in a wheel to the folder `python` and its folder DLLs."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            base = name.rsplit("/", 1)[-1]
            # Wine has the libraries of Windows itself.
            if name.startswith("deploy_libs/") and base and not base.lower().startswith("api-ms"):
                folder = python if base.lower() in BESIDE_PYTHON else python / "DLLs"
                (folder / base).write_bytes(archive.read(name))


if __name__ == "__main__":
    (found,) = Path(sys.argv[1]).glob("panda3d-*win_amd64.whl")
    unpack(found, Path(sys.argv[2]))
