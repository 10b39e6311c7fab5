"""Reading what the programs of training write for one another, and ending in a line where that cannot be."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from bot.errors import BotError, FormatError


def read_arrays(path: Path, names: Sequence[str], written_by: str) -> tuple[npt.NDArray[Any], ...]:
    """The arrays of these names in a file. Raises FormatError where it cannot be read, or lacks one."""
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            return tuple(file[name] for name in names)
    except OSError as error:
        raise FormatError(f"{path} cannot be read ({error.strerror or error})") from None
    except (ValueError, KeyError, EOFError, BadZipFile, TypeError, AttributeError):
        raise FormatError(f"{path} is not what {written_by} wrote, or not all of it: make it again") from None


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
