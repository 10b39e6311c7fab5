"""The file of fingerprints: names and short hashes of texts, one line each, and how two of them differ."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

SCHEMA = 1

DEFAULT = Path(__file__).with_name("fingerprints.json")

NOTHING = "nothing"
"""What is said in the place of a fingerprint that there is not."""

Prints = dict[str, str]
"""Fingerprints by name; the part of a name before its first slash is its section."""


def fingerprint(text: str) -> str:
    """16 hexadecimal digits that change with the text."""
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def load(path: Path) -> Prints:
    """The fingerprints of a file; raises ValueError for one of another schema."""
    content = json.loads(path.read_text(encoding="utf-8"))
    if content.get("schema") != SCHEMA:
        raise ValueError(f"{path} has schema {content.get('schema')}, not {SCHEMA}: write it again")
    prints: Prints = content["fingerprints"]
    return prints


def save(path: Path, prints: Mapping[str, str]) -> None:
    """Write them, sorted, one line each."""
    content = {"schema": SCHEMA, "fingerprints": dict(sorted(prints.items()))}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Difference:
    """A fingerprint that is not what it was."""

    name: str
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.name}: was {self.was}, is {self.now}"


def differences(was: Mapping[str, str], now: Mapping[str, str]) -> list[Difference]:
    """What differs, by name."""
    return [
        Difference(name, was.get(name, NOTHING), now.get(name, NOTHING))
        for name in sorted(was.keys() | now.keys())
        if was.get(name) != now.get(name)
    ]
