"""The user's settings, `settings.toml`: frozen, every key known, every mistake named with its place."""

from __future__ import annotations

import difflib
import os
import re
from pathlib import Path
from typing import Annotated

import msgspec

from bot.errors import FormatError, UsageError
from bot.files import user_settings

NO_NUL = r"^[^\x00]*$"
"""What a path matches."""

NO_CONTROLS = r"^[^\x00-\x1f\x7f]*$"
"""What can be typed into a dialog matches."""

_PATTERNS_TOLD = {
    repr(NO_NUL): "no path can hold the character \\u0000: leave it out",
    repr(NO_CONTROLS): "a character of it cannot be typed: leave control characters out",
}
"""What is said instead of a pattern that does not match."""

_KINDS_TOLD = {
    "str": "a text in quotes",
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "array": "a list",
    "object": "a table",
    "datetime": "a date",
    "date": "a date",
    "time": "a time",
}
"""What the types of msgspec are called."""

_LIMITS_TOLD = {
    " of length >= 1": " that is not empty",
    " >= 0.0": " of at least 0",
    " >= ": " of at least ",
    " <= ": " of at most ",
    " > 0.0": " of more than 0",
    "1000000000.0": "1,000,000,000",
    "1000000.0": "1,000,000",
}
"""What its limits are called."""

Positive = Annotated[float, msgspec.Meta(gt=0, le=1e6)]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a user may set once for all; the options of a command win over it."""

    name: Annotated[str, msgspec.Meta(min_length=1, pattern=NO_CONTROLS)] = "minebot"
    """Entered where a game asks for one after a record time."""
    records: bool = True
    """Whether to enter a name there; otherwise such a dialog is dismissed."""
    strategy: str = "best"
    clicks_per_second: Annotated[float, msgspec.Meta(ge=0.1, le=1e6)] | None = None
    """The most clicks to send; None for as many as the window takes. With fewer it would seem to hang."""
    record: bool = True
    """Whether games are recorded."""
    record_dir: Annotated[str, msgspec.Meta(min_length=1, pattern=NO_NUL)] | None = None
    """The folder that holds the recordings; `~` is the home folder. None for the default one."""
    record_budget_mb: Annotated[float, msgspec.Meta(ge=0, le=1e9)] = 500.0
    """Megabytes of 2**20 bytes that recordings may take; the oldest go first."""
    look_limit_s: Positive = 3.0
    """Seconds for which an impossible board is looked at again before the bot stops."""

    think_limit_s: Positive = 3.0
    """Seconds after which `run` cuts short what `--think` adds to one guess."""

    @property
    def record_budget(self) -> int:
        """The budget in bytes."""
        return int(self.record_budget_mb * 2**20)

    def but(self, **said: object) -> Settings:
        """The settings with what the options of a command say instead.

        Raises UsageError, with the option, for a value that the settings would refuse too.
        """
        try:
            return msgspec.convert(msgspec.structs.asdict(self) | said, Settings)
        except msgspec.ValidationError as error:
            key, _, what = _told(error).partition(": ")
            option = "record" if key == "record_dir" else key.replace("_", "-")
            raise UsageError(f"--{option}: {what.replace(' in quotes', '')}") from None


def load_settings(path: Path | None = None) -> Settings:
    """Read the settings file, by default the user's own; a missing one gives the defaults.

    Raises FormatError, with the file and the key, for anything that is not understood.
    """
    path = user_settings() if path is None else path
    try:
        content = path.read_text(encoding="utf-8-sig")  # editors of Windows put a mark at its beginning
    except FileNotFoundError:
        return Settings()
    except UnicodeDecodeError:
        raise FormatError(f"{path}: this is no UTF-8 text: save it as UTF-8, or delete it") from None
    except NotADirectoryError:
        raise FormatError(
            f"{path}: cannot be read, for {_file_above(path)} is no folder: name another one by MINEBOT_HOME"
        ) from None
    except OSError as error:
        raise FormatError(f"{path}: cannot be read ({error.strerror}): mend it, or delete it") from None
    try:
        table = msgspec.toml.decode(content)
    except msgspec.DecodeError as error:
        raise FormatError(f"{path}: this is no TOML: {_told(error)}") from None
    except RecursionError:
        raise FormatError(f"{path}: this is no TOML of settings: its brackets are nested too deep") from None
    known = Settings.__struct_fields__
    for key in table:
        if key not in known:
            raise FormatError(f"{path}: there is no setting {key!r}: {_suggested(key, known)}")
    try:
        return msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        raise FormatError(f"{path}: {_told(error)}") from None


def _file_above(path: Path) -> Path:
    """What lies where a folder that leads to the path should be."""
    return next((one for one in path.parents if os.path.lexists(one)), path.parent)


def _suggested(key: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"use one of {', '.join(known)}"


def _told(error: Exception) -> str:
    """The error with the key first: `name: expected a text in quotes, got a whole number`."""
    what, _, place = str(error).replace("\n", " ").partition(" - at `$.")
    what = _PATTERNS_TOLD.get(what.rpartition(" matching regex ")[2], what)
    what = re.sub(r"`([a-z0-9_]+)(?: \| null)?`", lambda kind: _KINDS_TOLD.get(kind[1], kind[0]), what)
    for told, plain in _LIMITS_TOLD.items():
        what = what.replace(told, plain)
    what = what[:1].lower() + what[1:]
    return f"{place.rstrip('`')}: {what}" if place else what
