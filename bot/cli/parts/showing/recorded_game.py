"""`minebot replay` with --gif, --mp4 or --html: a recorded game to look at, in a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bot.cli.parts.options import FiniteRange
from bot.cli.parts.outputs import (
    STDOUT,
    OutputFile,
    is_own_file,
    json_text,
    refuse_beside_json,
    refuse_same,
    told_place,
    write,
)
from bot.errors import UsageError

if TYPE_CHECKING:
    from bot.recording.read import Recording

Command = TypeVar("Command", bound=Callable[..., Any])

SHOWN = ("gif", "mp4", "html")
"""The options that name a file."""

HOW = ("speed", "start", "end", "scale", "overlay")
"""The options that say what is in a film."""


def show_options(command: Command) -> Command:
    """Add the options of `SHOWN` and `HOW`."""
    options = [
        click.option(
            "--gif",
            type=OutputFile((".gif",), "GIF"),
            metavar="OUT.gif",
            help="Write the game as a moving picture of at most 3 MB; - is stdout.",
        ),
        click.option(
            "--mp4",
            type=OutputFile((".mp4",), "MP4"),
            metavar="OUT.mp4",
            help="Write the game as a film (MPEG-4 Part 2: for players, browsers do not show it).",
        ),
        click.option(
            "--html",
            type=OutputFile((".html", ".htm"), "page"),
            metavar="OUT.html",
            help="Write the game as a page that plays it in any browser, with no network; - is stdout.",
        ),
        click.option(
            "--speed",
            type=FiniteRange(min=0.01, max=100),
            metavar="X",
            help="With --gif or --mp4: how many times as fast as it was played (default: 1).",
        ),
        click.option(
            "--from",
            "start",
            type=FiniteRange(min=0),
            metavar="S",
            help="With --gif or --mp4: begin at second S of the recording.",
        ),
        click.option(
            "--to",
            "end",
            type=FiniteRange(min=0),
            metavar="S",
            help="With --gif or --mp4: end at second S of the recording.",
        ),
        click.option(
            "--scale",
            type=FiniteRange(min=0.1, max=16),
            metavar="X",
            help="With --gif or --mp4: times that the window is enlarged (default: as the overlay needs).",
        ),
        click.option(
            "--overlay/--no-overlay",
            default=None,
            help="With --gif or --mp4: with (the default) or without what was read and decided.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def refuse_alone(words: dict[str, Any]) -> None:
    """Raise UsageError for an option of `HOW` without a film."""
    spelt = {"start": "from", "end": "to"}
    for name in HOW:
        if words[name] is not None:
            raise UsageError(f"--{spelt.get(name, name)} goes with --gif or --mp4: add one")


def refuse_in_recording(out: Path, option: str) -> None:
    """Raise UsageError if the file of `option` is one that a recording is made of."""
    from bot.recording.format import FRAMES, LOG, THEME

    if not is_own_file(out):
        return
    place = Path(os.path.realpath(out))
    for folder in place.parents:
        first = place.relative_to(folder).parts[0]
        if first in (LOG, FRAMES, THEME) and (folder / LOG).is_file():
            raise UsageError(f"{option} would write into the recording {folder}: name another file")


def write_shown(name: str, root: Path, words: dict[str, Any], *, as_json: bool) -> int:
    """Write the files that the options name. Raises BotError as reading a recording and writing do."""
    from bot.process.progress import told
    from bot.recording.read import load
    from bot.recording.store import find
    from bot.show.film import Cut, pictures
    from bot.show.film_file import GIF_BYTES, MP4_RATE, mp4, small_gif

    targets: dict[str, Path] = {kind: words[kind] for kind in SHOWN if words[kind] is not None}
    for kind, path in targets.items():
        refuse_beside_json(path, f"--{kind}", as_json)
        refuse_in_recording(path, f"--{kind}")
    refuse_same({f"--{kind}": path for kind, path in targets.items()})
    if targets.keys() == {"html"}:
        refuse_alone(words)
    given = {key: words[key] for key in HOW if words[key] is not None}
    recording = load(find(name, root))
    if not recording.frames:
        raise UsageError(f"{name}: the recording holds no picture: name another one")
    film = partial(pictures, recording, Cut(**given))
    lines: list[tuple[str, bool]] = []
    for kind, path in targets.items():
        notes: dict[str, Any] = {}
        with told(partial("drawing {}".format, path)):
            if kind == "gif":
                content, rate = small_gif(film)
                notes["rate"] = rate
            elif kind == "mp4":
                content = mp4(film(MP4_RATE))
            else:
                content = _page(recording, recording.folder.resolve().name)
            write(path, content)
        if as_json:
            row = {"recording": name, kind: str(path), "bytes": len(content), **notes}
            lines.append((json_text(row), False))
            continue
        size = f"{len(content) / 1e6:.2f} MB"
        if kind == "gif" and len(content) >= GIF_BYTES:
            size += ", more than it should be: try --scale, --no-overlay, or --from and --to"
        lines.append((f"{told_place(path)}: {name}, {size}", path == STDOUT))
    # All files first: whoever reads the lines may close the pipe, as `head` does.
    for line, on_stderr in lines:
        click.echo(line, err=on_stderr)
    return 0


def _page(recording: Recording, name: str) -> bytes:
    """The page of a recorded game, with the chances of every board."""
    from dataclasses import replace

    from bot.show.game_page import game_page
    from bot.show.story import story_of, with_chances

    story = story_of(recording, name)
    positions = tuple(with_chances(position) for position in story.positions)
    return game_page(replace(story, positions=positions)).encode()
