"""What `minebot read --json` prints for pictures: given, painted and scaled ones, and some with no board."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from click.testing import CliRunner
from painting import scaled_window

from bot.cli.read import command
from bot.recording.pictures import encode_png
from bot.vision.grid import Image
from bot.vision.themes.theme import load_skin
from tests.pin import ROOT
from training.reader.no_boards import NOTHING
from training.reader.variety.varied import position, sample

SCREENS = ROOT.parent / "shared" / "screens"
PICTURES = ROOT / "tests" / "vision" / "pictures"

SAMPLES = 512
PART = 16
"""So many samples are one piece of work."""

PITCHES = (17.3, 18.7, 20.0, 20.5, 21.92, 24.5, 28.8, 31.5, 40.2, 44.4)
"""Widths of cells, in pixels, to which themes are scaled."""

SCALED = {
    "winmine": PITCHES,
    "classic": (*PITCHES, 0.9 * 16),
    "practice": (*PITCHES, 0.9 * 16),
    "xdemineur": (*PITCHES, 0.9 * 21),
    "windows7": PITCHES,
}


def read(paths: Iterable[tuple[str, Path]]) -> dict[str, str]:
    """The canonical text of what is printed for each picture, by its name."""
    named = {str(path): name for name, path in paths}
    result = CliRunner().invoke(command, ["--json", *named])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    texts: dict[str, str] = {}
    for line in result.output.splitlines():
        if not line.startswith("{"):  # the same error for people
            continue
        printed = json.loads(line)
        path = printed.pop("image")
        # The first board of a picture goes without its number; any other one is added to it.
        before = texts[named[path]] + "\n" if printed.pop("board", 0) else ""
        texts[named[path]] = before + json.dumps(printed, sort_keys=True, indent=1).replace(path, "PICTURE")
    return texts


def _painted(images: Iterable[tuple[str, Image]]) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, (name, image) in enumerate(images):
            path = Path(folder) / f"{number}.png"
            path.write_bytes(encode_png(image))
            paths.append((name, path))
        return read(paths)


def files_in(folder: Path) -> list[str]:
    """The pictures of a folder, by their places in it."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.png"))


def screens(name: str) -> dict[str, str]:
    """One picture of ../shared/screens."""
    return read([(name, SCREENS / name)])


def pictures(name: str) -> dict[str, str]:
    """One picture of tests/vision/pictures."""
    return read([(name, PICTURES / name)])


def sample_name(number: int) -> str:
    """The name of a painted sample, which sorts by its number."""
    return f"{number:03}"


def samples(numbers: Iterable[int]) -> dict[str, str]:
    """Painted samples, by their numbers."""
    return _painted((sample_name(number), sample(number).image) for number in numbers)


def nothing(name: str) -> dict[str, str]:
    """A picture without a board."""
    return _painted([(name, NOTHING[name](np.random.default_rng(1)))])


def scaled(theme_name: str, pitches: Iterable[float]) -> dict[str, str]:
    """A board in the pictures of a theme, scaled to cells of these widths in pixels."""

    def drawn() -> Iterator[tuple[str, Image]]:
        skin = load_skin(theme_name)
        board = position(np.random.default_rng(5), 30, 16, 99, "middle")
        for pitch in pitches:
            yield f"{theme_name}-{pitch:g}px", scaled_window(skin, board, pitch)

    return _painted(drawn())
