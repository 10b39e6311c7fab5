"""Where files lie, and how they are written: whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import sys
import zlib
from pathlib import Path
from typing import BinaryIO, Literal, TextIO

from bot.errors import UsageError

Shipped = Literal["templates", "calibration", "recordings", "maps"]

LONE = re.compile("[\ud800-\udfff]")
"""Half a letter of UTF-16, which is no text by itself."""

PNG_BEGIN = b"\x89PNG\r\n\x1a\n"
"""The first bytes of every PNG file."""

PNG_END = b"\0\0\0\0IEND\xaeB`\x82"
"""The last chunk of every PNG file: without it the file was cut."""


def in_home(name: str) -> Path:
    """A path, with `~` for the home folder. Raises UsageError if there is no such user."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        user = Path(name).parts[0]
        raise UsageError(f"{name}: there is no home folder {user}: give the whole path") from None


def writable(text: str) -> str:
    """A text that people gave, as a file can hold it: bytes that are no UTF-8, as a name of a file may have,
    come as lone surrogates, which no encoding writes, and become U+FFFD."""
    return LONE.sub("\N{REPLACEMENT CHARACTER}", text)


def shipped(folder: Shipped) -> Path:
    """The folder of data that comes with minebot, in a checkout or installed."""
    package = Path(__file__).parent
    installed = package / "data" / folder
    return installed if installed.is_dir() else package.parent / folder


def _named_by(variable: str) -> Path | None:
    """The folder that a variable of the environment names; None where it names none. `~` is the home folder:
    where no shell has read the line, as in a file of variables, a folder of that name would be made."""
    name = os.environ.get(variable)
    return in_home(name) if name else None


def user_data() -> Path:
    """The user's own folder for recordings, themes and results. `MINEBOT_HOME` moves it."""
    home = _named_by("MINEBOT_HOME")
    if home is not None:
        return home
    import platformdirs

    return Path(platformdirs.user_data_dir("minebot", appauthor=False))


def user_settings() -> Path:
    """The user's settings file, `settings.toml`; it need not exist. `MINEBOT_HOME` moves it."""
    home = _named_by("MINEBOT_HOME")
    if home is not None:
        return home / "settings.toml"
    import platformdirs

    return Path(platformdirs.user_config_dir("minebot", appauthor=False)) / "settings.toml"


def user_cache() -> Path:
    """The user's folder for what can be made again. `MINEBOT_HOME` moves it, and `MINEBOT_CACHE` it alone."""
    cache = _named_by("MINEBOT_CACHE")
    if cache is not None:
        return cache
    home = _named_by("MINEBOT_HOME")
    if home is not None:
        return home / "cache"
    import platformdirs

    return Path(platformdirs.user_cache_dir("minebot", appauthor=False))


def user_runtime() -> Path:
    """The folder for what is of use only while programs run. `MINEBOT_HOME` does not move it: bots with
    different folders meet there."""
    import warnings

    import platformdirs

    with warnings.catch_warnings():  # it says where sessions do not name such a folder
        warnings.simplefilter("ignore")
        return Path(platformdirs.user_runtime_dir("minebot", appauthor=False))


def write_whole(path: Path, content: bytes) -> None:
    """Write one of our own files, whole or not at all. Makes the folders that lead to it.

    Raises OSError as any write does.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_output(path, content)


def write_output(path: Path, content: bytes) -> None:
    """Write a file that the user named: beside its place and renamed, so that nobody ever sees half of it.

    A link is followed. A device, a pipe and our own stdout and stderr are written through. Makes no folders.
    Raises OSError as any write does.
    """
    if is_written_through(path):
        with opened_through(path) as device:
            device.write(content)
        return
    path = followed(path)
    # Not tempfile: its files are for their owner alone, and these are as open as the user wants files to be.
    beside = path.parent / f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.partial"
    if _linked(path, beside, content):
        return
    try:
        with beside.open("xb") as file:
            file.write(content)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def followed(path: Path) -> Path:
    """Where a link leads, or the path itself. Raises OSError for links that lead to each other."""
    end = Path(os.path.realpath(path))
    if end.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return end


def _linked(path: Path, beside: Path, content: bytes) -> bool:
    """Write a file that is not there yet where a kill leaves nothing, and give it its name when it is whole.
    Whether that could be done: Linux and Windows can, on most file systems."""
    if path.exists():
        return False
    if sys.platform == "linux":
        return _named_when_whole(path, content)
    return sys.platform == "win32" and _kept_when_whole(path, beside, content)


if sys.platform == "linux":

    def _named_when_whole(path: Path, content: bytes) -> bool:
        """By a file without a name."""
        try:
            nameless = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
        except OSError:
            return False
        with os.fdopen(nameless, "wb") as file:
            file.write(content)
            file.flush()
            try:
                # With a folder named, which a whole path needs not, the link is followed to the file itself.
                os.link(f"/proc/self/fd/{nameless}", path, src_dir_fd=nameless)
            except OSError:  # there is no /proc, or somebody else has just written it
                return False
        return True


if sys.platform == "win32":
    FLEETING = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_BINARY | os.O_TEMPORARY
    """How a file is opened that Windows deletes once it is closed, also by a kill."""

    def _kept_when_whole(path: Path, beside: Path, content: bytes) -> bool:
        """By a file that goes when it is closed; another name of it stays."""
        try:
            fleeting = os.open(beside, FLEETING)
        except OSError:
            return False
        with os.fdopen(fleeting, "wb") as file:
            file.write(content)
            file.flush()
            try:
                os.link(beside, path)
            except OSError:  # the file system has no links, or somebody else has just written it
                return False
        return path.exists()


def is_written_through(path: Path) -> bool:
    """Whether what lies there is no file that can be replaced: a device, a pipe, our own stdout or stderr."""
    try:
        there = path.stat()
    except (OSError, ValueError):  # nothing, or no name of a file
        return False
    special = not (stat.S_ISREG(there.st_mode) or stat.S_ISDIR(there.st_mode))
    return special or _our_stream(there) is not None


def opened_through(path: Path) -> BinaryIO:
    """A device or pipe, open for writing. Waits until somebody reads a pipe, as any program does."""
    stream = _our_stream(path.stat())
    if stream is None:
        return path.open("wb")
    # Opened by its name again, a file would be written from its beginning, over what we wrote there before.
    stream.flush()
    return os.fdopen(os.dup(stream.fileno()), "wb")


def _our_stream(there: os.stat_result) -> TextIO | None:
    """Our stdout or stderr, if that is the file."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if os.path.samestat(there, os.fstat(stream.fileno())):
                return stream
        except (AttributeError, OSError, ValueError):  # there is none, or it is no file
            continue
    return None


def is_whole_png(content: bytes) -> bool:
    """Whether these are the chunks of a PNG file with their check sums, up to the end."""
    if not (content.startswith(PNG_BEGIN) and content.endswith(PNG_END)):
        return False
    at = len(PNG_BEGIN)
    while at + 12 <= len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        checked, told = content[at + 4 : at + 8 + length], content[at + 8 + length : at + 12 + length]
        if zlib.crc32(checked) != int.from_bytes(told, "big") or len(told) < 4:
            return False
        at += 12 + length
    return at == len(content)
