"""Files that the user names to be written: options for them, and writing to them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from bot.errors import BotError, UsageError
from bot.files import is_written_through, writable, write_output

if TYPE_CHECKING:
    from bot.vision.grid import Image

STDOUT = Path("-")
"""What `-` stands for. A file of that name is `./-`, which is made absolute."""

PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff")
"""The suffixes of pictures that are drawn; without one it is a PNG."""


def complain(text: str) -> None:
    """Say a line on stderr, as minebot's."""
    click.echo(f"minebot: {text}", err=True)


def print_json(value: Any) -> None:
    """Print a value of plain types or structs as one line of JSON, as `json_text` has it."""
    import msgspec

    click.echo(json_text(msgspec.to_builtins(value), separators=(",", ":")))


def json_text(value: Any, separators: tuple[str, str] | None = None) -> str:
    """A value of plain types as one line of JSON, as all that minebot prints is: in ASCII, and with U+FFFD
    for the bytes of a file's name that are no text. Python has lone surrogates for them, which strict readers
    of JSON refuse."""
    text = json.dumps(value, separators=separators)
    return json.dumps(_writable(value), separators=separators) if "\\ud" in text else text


def _writable(value: Any) -> Any:
    """A value of plain types whose texts can be written."""
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, dict):
        return {_writable(key): _writable(inner) for key, inner in value.items()}
    return [_writable(inner) for inner in value] if isinstance(value, list | tuple) else value


class OutputFile(click.Path):
    """A file to write, or `-` for stdout. Refuses what could not be written, before there is anything to
    write: folders, files in folders that are not there, and suffixes of something else."""

    def __init__(self, suffixes: Sequence[str] = (), what: str = "picture") -> None:
        """`suffixes`: those that it may have, besides none; empty for any. `what` has such a name."""
        super().__init__(dir_okay=False, path_type=Path)
        self._suffixes = suffixes
        self._what = what

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path."""
        if isinstance(value, Path):
            return value
        if value == "-":
            if sys.stdout is None:
                self.fail("stdout is closed: name a file", param, ctx)
            return STDOUT
        if not value or "\0" in value:
            self.fail("this is no name of a file", param, ctx)
        path = Path(value)
        if path == STDOUT:
            return path.absolute()
        try:
            if path.is_dir():
                self.fail(f"{value} is a folder: name a file in it", param, ctx)
            if not path.parent.is_dir():
                self.fail(f"there is no folder {path.parent}: make it, or name another file", param, ctx)
        except OSError as error:
            self.fail(f"{value} cannot be written: {error.strerror or error}", param, ctx)
        wrong = self._suffixes and path.suffix and path.suffix.lower() not in self._suffixes
        if wrong and is_own_file(path):
            endings = ", ".join(self._suffixes)
            self.fail(f"{value} is no {self._what}'s name: let it end in {endings}", param, ctx)
        return path


def told_place(path: Path) -> str:
    """What a message calls the place of an output."""
    return "stdout" if path == STDOUT else str(path)


def is_own_file(path: Path) -> bool:
    """Whether an output becomes a file of its own: stdout, a device and a pipe are written through."""
    return path != STDOUT and not is_written_through(path)


def refuse_beside_json(path: Path | None, option: str, as_json: bool) -> None:
    """Raise UsageError if both the output of `option` and JSON lines would go to stdout."""
    if path == STDOUT and as_json:
        raise UsageError(f"{option} - and --json both write to stdout: name a file")


def refuse_same(outputs: Mapping[str, Path | None]) -> None:
    """Raise UsageError if two of these options name the same file, or both stdout: only what is written last
    would be left."""
    taken: dict[str, str] = {}
    for option, path in outputs.items():
        if path is None or (path != STDOUT and not is_own_file(path)):
            continue
        place = "-" if path == STDOUT else os.path.realpath(path)
        if place in taken and path == STDOUT:
            raise UsageError("only one file can go to stdout: name another one")
        if place in taken:
            raise UsageError(f"{taken[place]} and {option} would both write {path}: name another file")
        taken[place] = option


@contextmanager
def text_beside(path: Path | None) -> Iterator[None]:
    """While the body runs, what it prints goes to stderr where stdout takes the output of this path."""
    if path != STDOUT:
        yield
        return
    with redirect_stdout(sys.stderr):
        yield


def stdout_bytes() -> BinaryIO:
    """Stdout for bytes, after all that was printed; closing it leaves stdout open."""
    sys.stdout.flush()
    return os.fdopen(os.dup(sys.stdout.fileno()), "wb")


def write(path: Path, content: bytes) -> None:
    """Write to the path of an `OutputFile`. Raises BotError if that cannot be done, and BrokenPipeError where
    nobody reads stdout any more."""
    try:
        if path != STDOUT:
            write_output(path, content)
            return
        with stdout_bytes() as stdout:
            stdout.write(content)
    except OSError as error:
        if path == STDOUT and isinstance(error, BrokenPipeError):
            raise  # nobody reads it any more, as with `| head`
        raise BotError(f"{told_place(path)} cannot be written: {error.strerror or error}") from None


def write_picture(path: Path, image: Image) -> None:
    """Write a picture in the format that its name ends in. Raises BotError if that cannot be done."""
    import cv2

    suffix = path.suffix.lower()
    try:
        done, content = cv2.imencode(suffix if suffix in PICTURES else ".png", image)
    except cv2.error:
        done = False
    if not done:
        raise BotError(f"{path}: the picture could not be encoded: let its name end in .png")
    write(path, content.tobytes())
