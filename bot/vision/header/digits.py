"""The number that the digits of a counter make."""

from __future__ import annotations

from collections.abc import Iterable


def number_of(digits: Iterable[str | None]) -> int | None:
    """The number of some digits from the left, `-` allowed; None if one was not recognised, and for what is
    no number, as `0-1` or a dash alone. Digits after an unrecognised one are not asked for."""
    text = ""
    for digit in digits:
        if digit is None:
            return None
        text += digit
    try:
        return int(text)
    except ValueError:
        return None
