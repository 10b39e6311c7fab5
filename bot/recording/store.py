"""Where recordings lie, what they are called, and how they keep within a budget of disk."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.errors import BotError, FormatError
from bot.files import in_home, shipped, user_data
from bot.lock import being_written
from bot.recording.format import LOG, Header
from bot.recording.read import read_header
from bot.recording.write import Recorder

KEEP = "KEEP"
"""The file that saves the recording it lies in from the budget."""

DEFAULT_BUDGET = 500 * 2**20
"""Bytes. A picture of an Expert window takes 5 to 30 KB."""


@dataclass(frozen=True)
class Stored:
    """A recording on the disk."""

    folder: Path
    created: datetime
    size: int
    """Bytes of all its files."""
    kept: bool

    @property
    def name(self) -> str:
        """Its id."""
        return self.folder.name


def recordings_folder(configured: str | None = None) -> Path:
    """The folder that holds the user's recordings: the configured one, or the default.

    Raises UsageError if that is in the home folder of nobody.
    """
    return in_home(configured) if configured else user_data() / "recordings"


def start(
    root: Path,
    header: Header,
    *,
    budget: int = DEFAULT_BUDGET,
    warn: Callable[[str], None] | None = None,
) -> Recorder:
    """Make room in `root` (budget in bytes), and record a new game in a new folder there.

    Raises BotError where that cannot be done.
    """
    folder = new_folder(root, header)
    try:
        recorder = Recorder(folder, header, warn)
    except BotError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    prune(root, budget, spare=folder)
    return recorder


def new_folder(root: Path, header: Header) -> Path:
    """Make an empty folder named by time, target and size, with a number that nobody has taken."""
    target = re.sub(r"[^a-z0-9]+", "-", header.target.lower()).strip("-")[:40] or "window"
    stem = f"{header.created:%Y%m%d-%H%M%S}-{target}-{header.rules.columns}x{header.rules.rows}"
    try:
        root.mkdir(parents=True, exist_ok=True)
        for number in range(1, 100_000):
            folder = root / f"{stem}-{number:03}"
            try:
                folder.mkdir()
            except FileExistsError:
                continue
            return folder
    except OSError as error:
        raise BotError(
            f"{root}: cannot record there ({error.strerror or error}): name another folder with --record,"
            " or use --no-record"
        ) from None
    raise BotError(f"{root}: every name that begins with {stem} is taken: name another folder with --record")


def stored(root: Path) -> list[Stored]:
    """The recordings in a folder, oldest first. What is no recording is passed over."""
    found = []
    for folder in _folders(root):
        try:
            header = read_header(folder)
            size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        except (FormatError, OSError):
            continue
        found.append(Stored(folder, header.created, size, (folder / KEEP).exists()))
    return sorted(found, key=lambda one: (one.created.timestamp(), one.name))


def unreadable(root: Path) -> list[tuple[Path, str]]:
    """The recordings in a folder that `stored` passes over, as those of a newer minebot, by their names, each
    with the reason. One that is being written has no header yet, perhaps, and is none of them."""
    found = []
    for folder in sorted(_folders(root)):
        if not (folder / LOG).is_file() or being_written(folder / LOG):
            continue
        try:
            read_header(folder)
        except FormatError as error:
            found.append((folder, str(error)))
        except OSError as error:
            found.append((folder, f"{folder / LOG}: cannot be read ({error.strerror}): mend its permissions"))
    return found


def _folders(root: Path) -> list[Path]:
    try:
        return [folder for folder in root.iterdir() if folder.is_dir() and not folder.is_symlink()]
    except OSError:
        return []


def keep(folder: Path) -> None:
    """Save a recording from the budget. Raises OSError as any write does."""
    (folder / KEEP).write_text("Kept: the budget of disk does not count or take this recording.\n")


def prune(root: Path, budget: int, *, spare: Path | None = None) -> list[Path]:
    """Delete the oldest recordings in a folder until the rest take no more than `budget` bytes.

    Recordings with a KEEP file are neither counted nor deleted. `spare`, those that are being written by
    anyone, and whatever is no recording, are never deleted. Returns what was deleted; raises nothing:
    what cannot be deleted stays.
    """
    candidates = [one for one in stored(root) if not one.kept]
    total = sum(one.size for one in candidates)
    gone = []
    for one in candidates:
        if total <= budget:
            break
        if one.folder == spare:
            continue
        deleted = not being_written(one.folder / LOG) and _deleted(one.folder)
        if deleted:
            gone.append(one.folder)
        # Another process may prune this folder at the same time: what it has deleted takes no room either.
        if deleted or not one.folder.exists():
            total -= one.size
    return gone


def find(name: str, root: Path) -> Path:
    """The folder of a recording: a path, or a name in this folder, in `root`, or among the shipped ones.

    Raises FormatError where there is none, UsageError where it is in the home folder of nobody.
    """
    path = in_home(name)
    if path.name == LOG and path.is_file():
        return path.parent
    if len(path.parts) != 1 or path.is_absolute():
        if path.is_dir():
            return path
        if path.is_file():
            raise FormatError(_no_folder(name))
        raise FormatError(f"{name}: there is no such recording: `minebot replay` lists those there are")
    places = [Path(), root, shipped("recordings")]
    for place in places:
        if (place / name / LOG).is_file():
            return place / name
    if path.is_dir():
        return path
    if path.is_file():
        raise FormatError(_no_folder(name))
    raise FormatError(
        f"{name}: there is no such recording here or in {root}: `minebot replay` lists those there are"
    )


def _no_folder(name: str) -> str:
    return f"{name}: this is a file, a recording is a folder: `minebot replay` lists those there are"


def _deleted(folder: Path) -> bool:
    """Delete a recording; whether that went well. The log goes last: what is left of a deletion that was cut
    short is still known as a recording."""
    try:
        for inner in folder.iterdir():
            if inner.is_dir() and not inner.is_symlink():
                shutil.rmtree(inner)
        for inner in sorted(folder.iterdir(), key=lambda file: file.name == LOG):
            inner.unlink()
        folder.rmdir()
    except OSError:
        return False
    return True
