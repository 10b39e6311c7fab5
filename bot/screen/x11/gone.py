"""How python-xlib says that the display has gone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


def says_gone(error: Exception) -> bool:
    """Whether python-xlib says by this error that the display has gone.

    Where it cannot write it takes the reason out of the OSError in a way that Python 3 does not have, and
    raises the TypeError of that.
    """
    from Xlib.error import ConnectionClosedError

    stumbled = isinstance(error, TypeError) and isinstance(error.__context__, OSError)
    return isinstance(error, (ConnectionClosedError, OSError)) or stumbled


@contextmanager
def until_gone() -> Iterator[None]:
    """Run the body to its end, or until the display goes."""
    try:
        yield
    except Exception as error:
        if not says_gone(error):
            raise
