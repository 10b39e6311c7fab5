"""TOML files that minebot writes or ships: each a table of known keys, with the number of its schema."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import tomli_w

from bot.errors import FormatError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Kind = TypeVar("Kind")


def read_table(
    path: Path, content: bytes, kind: type[Kind], schema: int | None = None, remedy: str = ""
) -> Kind:
    """The content of a file as a `kind`; `schema` is the newest that is known, where the file has one.

    Raises FormatError, which names the file and the place of what is wrong, and says the `remedy`.
    """
    remedy = f": {remedy}" if remedy else ""
    try:
        table = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FormatError(f"{path} is no TOML ({error}){remedy}") from None
    except RecursionError:
        raise FormatError(f"{path} is no TOML of ours (its brackets are nested too deep){remedy}") from None
    found = table.get("schema")
    if schema is not None and isinstance(found, int) and found > schema:
        raise FormatError(f"{path} has schema {found}, this minebot knows {schema}: update minebot")
    try:
        # Whole numbers stand for real ones too; nothing else is taken for something else.
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        raise FormatError(f"{path}: {error}{remedy}") from None


def toml_bytes(content: Any) -> bytes:
    """A table as a file has it: the value of a struct or a dict, without what is None."""
    return tomli_w.dumps(_without_none(msgspec.to_builtins(content))).encode()


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(inner) for key, inner in value.items() if inner is not None}
    return [_without_none(inner) for inner in value] if isinstance(value, list | tuple) else value
