"""TOML files that minebot writes or ships: each a table of known keys, with the number of its schema."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TypeVar

import msgspec

from bot.errors import FormatError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Kind = TypeVar("Kind")


def read_table(
    path: Path, content: bytes, kind: type[Kind], schema: int | None = None, mend: str = ""
) -> Kind:
    """The content of a file as a `kind`; `schema` is the newest that is known, where the file has one.

    Raises FormatError, which names the file and the place of what is wrong, and says `mend`, what to do.
    """
    mend = f": {mend}" if mend else ""
    try:
        table = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FormatError(f"{path} is no TOML ({error}){mend}") from None
    found = table.get("schema")
    if schema is not None and isinstance(found, int) and found > schema:
        raise FormatError(f"{path} has schema {found}, this minebot knows {schema}: update minebot")
    try:
        # Whole numbers stand for real ones too; nothing else is taken for something else.
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        raise FormatError(f"{path}: {error}{mend}") from None
