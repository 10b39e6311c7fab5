"""Change Windows binaries so that Wine 8 loads them: repair_binaries.py PYTHON_FOLDER.

numpy and numba import complex functions that Wine's ucrtbase.dll only has as stubs: their import of the math
DLL is changed to one of ours, which passes everything else on (its source, complex_math.c, is written here).
OpenCV and ms_toollib import python3.dll, which is not there: their import is changed to python311.dll. A file
that was changed before is left alone.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

MATH = b"api-ms-win-crt-math-l1-1-0.dll"

OURS = b"minebot-complex-math-shim0.dll"
"""As long as the name that it replaces."""

OWN = {"crealf", "cimagf", "creal", "cimag", "creall", "cimagl"}
OWN |= {"_FCbuild", "carg", "cargf", "cargl", "cabsf", "cabsl"}
"""The functions that complex_math.c.in defines."""

IMPORTS = 1
"""IMAGE_DIRECTORY_ENTRY_IMPORT: the directory of a binary that lists its imports."""

PYTHON_NAME = b"python311.dll\0"

PADDING = 16
"""Bytes at the end of the section of constants that hold the new name; they have to be empty."""


def repair(root: Path) -> None:
    """Repair the packages of the Python in `root`; writes complex_math.c and shim_name there."""
    import pefile

    packages = root / "Lib/site-packages"
    passed_on: set[str] = set()
    for pattern in ("numpy/_core/_multiarray_umath*.pyd", "numba/_helperlib*.pyd"):
        for path in packages.glob(pattern):
            passed_on |= _point_at_ours(pefile, path)
    (root / "complex_math.c").write_text(_source(sorted(passed_on - OWN)), encoding="ascii")
    (root / "shim_name").write_text(OURS.decode(), encoding="ascii")
    for pattern in ("cv2/cv2*.pyd", "ms_toollib/ms_toollib*.pyd"):
        for path in packages.glob(pattern):
            _point_at_python(pefile, path)


def _point_at_ours(pefile: Any, path: Path) -> set[str]:
    """Change one file's import of the math DLL; returns the functions that it takes from there."""
    image = pefile.PE(str(path), fast_load=True)
    image.parse_data_directories([IMPORTS])
    entries = [one for one in image.DIRECTORY_ENTRY_IMPORT if one.dll.lower() in (MATH, OURS)]
    taken = {symbol.name.decode() for entry in entries for symbol in entry.imports}
    image.close()
    path.write_bytes(path.read_bytes().replace(MATH, OURS))
    return taken


def _source(names: list[str]) -> str:
    """The C source of our DLL: `names` jump to the functions of the real one, found when it is loaded."""
    lines = ["void *LoadLibraryA(const char *);", "void *GetProcAddress(void *, const char *);"]
    lines += ['__asm__(".text\\n"']
    lines += [f'".globl {name}\\n{name}: jmp *table+{8 * at}(%rip)\\n"' for at, name in enumerate(names)]
    lines += ['".section .drectve,\\"yn\\"\\n"']
    lines += [f'".ascii \\" -export:{name}\\"\\n"' for name in [*names, *sorted(OWN)]]
    lines += [");", f"void *table[{len(names)}] = {{0}};"]
    lines += ["static const char *names[] = {" + ", ".join(f'"{name}"' for name in names) + "};"]
    return "\n".join(lines) + "\n" + (HERE / "complex_math.c.in").read_text(encoding="ascii")


def _point_at_python(pefile: Any, path: Path) -> None:
    """Change one file's import of python3.dll."""
    image = pefile.PE(str(path), fast_load=True)
    image.parse_data_directories([IMPORTS])
    entries = [one for one in image.DIRECTORY_ENTRY_IMPORT if one.dll.lower() == b"python3.dll"]
    if not entries:
        image.close()
        return
    section = next(one for one in image.sections if one.Name.startswith(b".rdata"))
    offset = section.PointerToRawData + section.SizeOfRawData - PADDING
    address = section.VirtualAddress + section.SizeOfRawData - PADDING
    data = bytearray(path.read_bytes())
    if any(data[offset : offset + PADDING]):
        sys.exit(f"{path.name}: no padding to put a name in; take another version of it")
    for entry in entries:
        at = entry.struct.get_file_offset() + 12
        data[at : at + 4] = address.to_bytes(4, "little")
    data[offset : offset + len(PYTHON_NAME)] = PYTHON_NAME
    if section.Misc_VirtualSize < section.SizeOfRawData:
        at = section.get_file_offset() + 8
        data[at : at + 4] = section.SizeOfRawData.to_bytes(4, "little")
    image.close()
    path.write_bytes(data)


if __name__ == "__main__":
    repair(Path(sys.argv[1]))
