"""Games in files and folders: our recordings, RAWVF, and the video files of other programs."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bot.errors import BotError, FormatError
from bot.game.minefield import Minefield
from bot.process.extras import how_to_install
from bot.recording.format import LOG
from bot.recording.read import load
from bot.recording.store import find
from bot.review import video_child
from bot.review.buttons import WORDS, Press
from bot.review.clone_video import clone_year, read_clone
from bot.review.played_game import PlayedGame, from_story
from bot.review.rawvf import MOST_CELLS, game_of_presses, read_rawvf
from bot.review.video_child import READERS
from bot.show.story import story_of

RAWVF = (".rawvf", ".txt")

CHILD_LIMIT_S = 60.0
"""Seconds for which a video file may be read; an Expert game takes a few tenths of one."""

BROKEN = "{name}: this is no whole .{kind} file: get it again"

OLD_CLONES = (b"\x08\x08", b"\x10\x10", b"\x1e\x10")
"""What a file of Minesweeper Clone before 0.97 begins with: the columns and rows of a level."""

MOST_BYTES = 50 * 2**20
"""Bytes of a file that is read; a long Expert game takes some tens of kilobytes."""


def read_game(name: str, recordings: Path) -> PlayedGame:
    """The game of that name: a file by its suffix, else a recording as `minebot replay` finds it.

    Raises BotError, in one line, for what cannot be read.
    """
    path = Path(name)
    suffix = path.suffix.lower()
    if suffix not in RAWVF and suffix[1:] not in READERS:
        if path.is_file() and path.name != LOG:
            endings = ", ".join((*RAWVF, *(f".{kind}" for kind in READERS)))
            raise FormatError(
                f"{name}: no game is read from such a file: name one that ends in {endings}, or a recording"
            )
        folder = find(name, recordings)
        return from_story(story_of(load(folder), name))
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FormatError(f"{name}: the file has more than {MOST_BYTES >> 20} MB: name a single game")
        content = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{name}: cannot be read ({error.strerror}): name another file") from None
    if suffix in RAWVF:
        return read_rawvf(content.decode("utf-8", "replace"), name)
    if suffix == ".mvf" and clone_year(content) in ("6", "7"):
        return _clone(content, name)
    if suffix == ".mvf" and content[:2] in OLD_CLONES:
        raise FormatError(f"{name}: of Minesweeper Clone before 0.97: convert it to RAWVF, and name that")
    return _video(path, suffix[1:], name)


def _clone(content: bytes, name: str) -> PlayedGame:
    """A game of Minesweeper Clone 2006 or 2007."""
    try:
        video = read_clone(content)
    except ValueError:
        raise FormatError(BROKEN.format(name=name, kind="mvf")) from None
    _check_size(video.minefield.mines.shape, name)
    return game_of_presses(
        name,
        "mvf",
        video.minefield,
        video.presses,
        player=", ".join(part for part in (video.player, video.version) if part),
        seconds=video.seconds or None,
        created=video.created,
        marks=video.marks,
    )


def _video(path: Path, kind: str, name: str) -> PlayedGame:
    """A game of a video file, read in a child process."""
    if find_spec("ms_toollib") is None:
        raise BotError(f"{name}: .{kind} files need ms_toollib, which is missing: {how_to_install('review')}")
    broken = BROKEN.format(name=name, kind=kind)
    try:
        # A library that breaks down leaves a crash.log where it runs.
        with TemporaryDirectory(prefix="minebot-") as folder:
            child = subprocess.run(
                [sys.executable, video_child.__file__, kind, str(path.resolve())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=CHILD_LIMIT_S,
                cwd=folder,
            )
        if child.returncode != 0:
            raise FormatError(broken)
        return _game(json.loads(child.stdout), kind, name)
    except subprocess.TimeoutExpired:
        raise FormatError(f"{name}: not read within {CHILD_LIMIT_S:g} s: get the file again") from None
    except (ValueError, KeyError, TypeError, IndexError):
        raise FormatError(broken) from None


def _game(told: dict[str, Any], kind: str, name: str) -> PlayedGame:
    board = np.array(told["board"])
    _check_size(board.shape, name)
    size = max(1, int(told["cell"]))
    presses = [
        Press(float(t), word, (int(y) // size, int(x) // size), (x / size, y / size))
        for t, word, x, y in told["presses"]
        if word in WORDS
    ]
    return game_of_presses(
        name,
        kind,
        Minefield(board == -1),
        presses,
        player=", ".join(part for part in (told["player"], told["program"]) if part),
        seconds=told["seconds"] or None,
        created=_date(told["created"]),
    )


def _check_size(shape: tuple[int, ...], name: str) -> None:
    if len(shape) != 2 or not 0 < shape[0] * shape[1] <= MOST_CELLS:
        raise FormatError(f"{name}: it holds no whole board: get the file again")


def _date(text: str) -> str:
    """A time of the file as text that sorts: microseconds since 1970 where it is a number."""
    if not text.strip().isdigit():
        return text
    from datetime import datetime, timezone

    stamp = int(text) / 1e6
    return f"{datetime.fromtimestamp(stamp, timezone.utc):%Y-%m-%d %H:%M}" if 0 < stamp < 4e9 else ""
