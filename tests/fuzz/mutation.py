"""Changes that make a file or a text odd: bytes, numbers and lines, chosen by a seeded generator."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

NUMBERS = (
    *("0", "-1", "1", "2", "8", "9", "255", "256", "65535", "2147483648", "9223372036854775808"),
    *("99999999999999999999", "-99999999999999999999", "0.5", "-0.0", "1e-9", "1e9", "1e308", "1e309"),
    *("nan", "inf", "-inf", "0x10", "1_0", "٣"),
)
"""Numbers at the ends of the ranges of common types, beyond them, and what only looks like a number."""

TEXTS = (
    *("", " ", "-", "--", ".", "..", "/", "~nobody/x", "~", "é雷", "a" * 300, "a/" * 200, "%s%n", "\x1b[31m"),
    *("\n", "null", "true", "[]", "{}", '"', "'", "\udcff", "*", "C:\\x"),
)
"""Words that mean something to a shell, a path, a format or a terminal; one that is no UTF-8."""

DEEP = 20_000
"""Brackets in a row: more than a parser that calls itself takes."""


def mutated(rng: Random, content: bytes) -> bytes:
    """The content after one to three changes; most often one, so that what comes after it is read too."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        content = rng.choice(CHANGES)(rng, content)
    return content


def _flipped(rng: Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.randint(1, 8) if changed else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _slice(rng: Random, content: bytes) -> tuple[int, int]:
    begin = rng.randint(0, len(content))
    return begin, min(len(content), begin + int(len(content) * rng.random() ** 3) + 1)


def _without(rng: Random, content: bytes) -> bytes:
    begin, end = _slice(rng, content)
    return content[:begin] + content[end:]


def _doubled(rng: Random, content: bytes) -> bytes:
    begin, end = _slice(rng, content)
    return content[:end] + content[begin:]


def _inserted(rng: Random, content: bytes) -> bytes:
    at = rng.randint(0, len(content))
    return content[:at] + rng.randbytes(rng.randint(1, 40)) + content[at:]


def _cut(rng: Random, content: bytes) -> bytes:
    return content[: rng.randint(0, len(content))]


def _another_number(rng: Random, content: bytes) -> bytes:
    places = list(re.finditer(rb"-?\d+(\.\d+)?", content))
    if not places:
        return content
    place = rng.choice(places)
    return content[: place.start()] + rng.choice(NUMBERS).encode() + content[place.end() :]


def _another_text(rng: Random, content: bytes) -> bytes:
    places = list(re.finditer(rb"[A-Za-z_]+", content))
    if not places:
        return content
    place = rng.choice(places)
    text = rng.choice(TEXTS).encode("utf-8", "surrogateescape")
    return content[: place.start()] + text + content[place.end() :]


def _lines_moved(rng: Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    if not lines:
        return content
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.randint(0, 2)):
        lines.insert(rng.randint(0, len(lines)), line)
    return b"".join(lines)


def _another_whole(rng: Random, content: bytes) -> bytes:
    wholes: Sequence[bytes] = (
        b"",
        b"\0" * 100,
        b"[" * DEEP,
        b'{"a":' * DEEP,
        b"a = " + b"[" * DEEP,
        b"\n" * 1000,
        b"\xef\xbb\xbf" + content,
        content.decode("latin-1").encode("utf-16"),
        content.replace(b"\n", b"\r\n"),
        content * 3,
        rng.randbytes(500),
    )
    return rng.choice(wholes)


CHANGES: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(_flipped, _without, _doubled, _inserted, _cut, _lines_moved),
    *(_another_number, _another_number, _another_text, _another_text, _another_whole),
)
"""The changes; those that keep most of a file as it is come more often."""
