"""Output to a terminal or a pipe whose code page lacks some characters, as those of Windows do."""

from __future__ import annotations

import codecs
import io
import sys

HANDLER = "minebot.plain"
"""The name by which `codecs` knows our handler of such characters."""

PLAIN = {"…": "...", "×": "x", "·": "|", "–": "-", "—": "-", "−": "-"}
"""What is written instead of characters that minebot itself uses."""


def write_plainly() -> None:
    """From now on, a character that the encoding of stdout or stderr lacks is written in others; without
    this, Python ends with a UnicodeEncodeError."""
    codecs.register_error(HANDLER, _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


def _plain(error: UnicodeError) -> tuple[str, int]:
    """The characters that cannot be encoded in others, and where to go on; as `codecs.register_error` has it.

    Those without a plain form become escapes that JSON knows, so that a line of JSON stays one.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(PLAIN.get(letter) or _escape(letter) for letter in lacking), error.end


def _escape(letter: str) -> str:
    """A character as JSON escapes it: one or two units of UTF-16."""
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
