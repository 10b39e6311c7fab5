"""Reading what the programs of training write for one another, and ending in a line where that cannot be."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.errors import BotError, FormatError

NUMBERS = "biuf"
"""The kinds of numpy's types that are numbers: truth values, integers, and fractions."""


def read_arrays(
    path: Path, shapes: Mapping[str, tuple[int | None, ...]], written_by: str
) -> tuple[npt.NDArray[Any], ...]:
    """The arrays of these names in a file, as many rows of each, at least one.

    `shapes`: for each name the shape of a row; None is any length. Raises FormatError if the file cannot be
    read, or is not of this kind.
    """
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            arrays = tuple(file[name] for name in shapes)
    except OSError as error:
        raise FormatError(f"{path} cannot be read ({error.strerror or error})") from None
    except Exception:  # numpy and zipfile raise errors of many kinds for what is cut or damaged
        arrays = ()
    rows = {array.shape[:1] for array in arrays}
    if len(rows) != 1 or not min(rows) > (0,):
        raise FormatError(f"{path} is not what {written_by} wrote, or not all of it: make it again")
    for array, (name, shape) in zip(arrays, shapes.items(), strict=True):
        fits = len(array.shape) == len(shape) + 1 and all(
            wanted in (None, length) for wanted, length in zip(shape, array.shape[1:], strict=True)
        )
        if not fits or array.dtype.kind not in NUMBERS:
            raise FormatError(
                f"{path} is not what {written_by} writes now ({name}: {array.dtype}, {array.shape}):"
                " make it again"
            )
    return arrays


def run(main: Callable[[], None]) -> None:
    """Run a program; what goes wrong with its files is a line on stderr and the exit status 1."""
    try:
        main()
    except BotError as error:
        sys.exit(f"{Path(sys.argv[0]).stem}: {error}")
    except OSError as error:
        sys.exit(f"{Path(sys.argv[0]).stem}: {error.filename or 'a file'}: {error.strerror or error}")
    except KeyboardInterrupt:
        sys.exit(130)
