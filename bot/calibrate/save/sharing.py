"""A calibration as one file, which another machine takes: its theme's pictures and all that is known."""

from __future__ import annotations

import tempfile
import zipfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath

import msgspec

from bot.calibrate.save.theme_writer import check_name, replaced
from bot.errors import BotError, FormatError, UsageError
from bot.files import user_data, write_whole
from bot.targets.window.calibration import (
    calibration_files,
    calibration_path,
    load_calibration,
    read_calibration,
    write_calibration,
)
from bot.vision.themes.theme import load_theme

CALIBRATION, THEME = "calibration.toml", "theme"
"""The names in the file: the calibration, and the folder of its theme."""

MOST_FILES, MOST_BYTES = 500, 20_000_000
"""The largest number of files that are taken from a shared calibration, and of bytes in all of them."""


def exported(name: str) -> bytes:
    """The calibration of that name and its theme, as a ZIP archive.

    Raises UsageError where there is none, BotError where a file of it cannot be read.
    """
    calibration = load_calibration(name)
    folder = load_theme(calibration.theme).folder
    content = BytesIO()
    try:
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in (calibration_files()[name], *sorted(folder.rglob("*"))):
                if file.is_file():
                    inside = file.relative_to(folder).as_posix() if folder in file.parents else ""
                    # Without the time of the file: the same calibration gives the same bytes.
                    entry = zipfile.ZipInfo(f"{THEME}/{inside}" if inside else CALIBRATION)
                    archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    except OSError as error:
        raise BotError(f"{name} cannot be read ({error.strerror or error}): mend its permissions") from None
    return content.getvalue()


@dataclass(frozen=True)
class Taken:
    """A shared calibration that was taken."""

    name: str
    title: str
    """The title of the window that it is for."""
    width: int
    height: int
    """The size of the window's inside, in pixels."""


def take(path: Path, name: str | None = None) -> Taken:
    """Take a calibration that another machine shared, as `name` or that of the file.

    Nothing is kept unless all of it can be read. Raises FormatError for a file that is none, UsageError for a
    name that is no good or taken, BotError where it cannot be kept.
    """
    name = check_name(path.stem if name is None else name)
    theme_folder = user_data() / "templates" / name
    if calibration_path(name).exists():
        raise UsageError(
            f"there is a {name} already: name the other one with --name, or remove it with"
            f" `minebot calibrate {name} --forget`"
        )
    if theme_folder.exists():
        raise UsageError(
            f"there is a theme {name} already: name the other one with --name, or remove {theme_folder}"
        )
    with tempfile.TemporaryDirectory(prefix="minebot-") as scratch:
        place = Path(scratch)
        _unpack(path, place)
        try:
            calibration = read_calibration(place / CALIBRATION)
            theme = load_theme(place / THEME)
        except FormatError as error:
            text = str(error).replace(f"{place}/", "")
            raise FormatError(f"{path}: {text}: have it exported once more") from None
        try:
            with replaced(theme_folder) as folder:
                for file in theme.folder.rglob("*"):
                    if file.is_file():
                        write_whole(folder / file.relative_to(theme.folder), file.read_bytes())
            write_calibration(name, msgspec.structs.replace(calibration, theme=name))
        except OSError as error:
            raise BotError(
                f"{name} cannot be kept in {user_data()} ({error.strerror or error}): make room there,"
                " or name another folder with MINEBOT_HOME"
            ) from None
    window = calibration.window
    return Taken(name, window.title or window.program, window.width, window.height)


def _unpack(path: Path, place: Path) -> None:
    """Write the files of an archive into a folder: only those that a calibration has."""
    try:
        with path.open("rb") as file:  # it may be a pipe, which cannot be read to and fro
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise FormatError(f"{path}: this is larger than any calibration: name another file")
        with zipfile.ZipFile(BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > MOST_BYTES:
                raise FormatError(f"{path}: this is larger than any calibration: name another file")
            for entry in entries:
                inside = PurePosixPath(entry.filename)
                known = entry.filename == CALIBRATION or inside.parts[0] == THEME
                if not known or ".." in inside.parts or inside.suffix not in (".toml", ".png"):
                    raise FormatError(f"{path}: {entry.filename!r} is no part of a calibration")
                write_whole(place / inside, archive.read(entry))
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError, IndexError) as error:
        raise FormatError(
            f"{path} is no shared calibration ({error}): `minebot calibrate NAME --export FILE` makes one"
        ) from None
