"""The consent that a desktop's portal lets us remember: a token for the next start, in the user's folder."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from bot.files import user_data, write_whole

MAX_LENGTH = 4096
"""Maximum length of a token, in letters; portals give some dozens."""


def _file() -> Path:
    return user_data() / "desktop-consent"


def remembered() -> str | None:
    """The token of the last session; None if there is none or it cannot be read."""
    try:
        token = _file().read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
    return token if 0 < len(token) <= MAX_LENGTH and token.isprintable() else None


def remember(token: str | None) -> None:
    """Keep the token for the next start; None forgets it. A folder that cannot be written keeps none: the
    desktop then asks again."""
    with suppress(OSError, ValueError):
        if token is None:
            _file().unlink(missing_ok=True)
        else:
            write_whole(_file(), f"{token}\n".encode("ascii"))
            _file().chmod(0o600)
