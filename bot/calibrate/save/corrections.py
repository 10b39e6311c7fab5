"""A person's corrections: which glyph of a learned theme means what."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from bot.board import SYMBOLS, Cell
from bot.calibrate.infer.findings import ClusterLabel
from bot.calibrate.save.theme_writer import draw_sheet
from bot.errors import UsageError
from bot.files import user_data, write_whole
from bot.vision.grid import Image
from bot.vision.themes.skin import Skin
from bot.vision.themes.theme import Theme, load_theme

FORGET = "-"


def listed(theme_name: str) -> list[tuple[str, str]]:
    """The glyphs of a theme as (file, letter), in the order of the letters."""
    theme = load_theme(theme_name)
    return [
        (file, letter)
        for cut in theme.spec.glyph_sets
        for letter, files in sorted(cut.glyphs.items(), key=lambda item: SYMBOLS.find(item[0]))
        for file in files
    ]


def corrected(theme_name: str, labels: Sequence[str]) -> str:
    """Give glyphs other meanings; says which. `labels` are `GLYPH=LETTER`, `-` to forget a glyph.

    Raises UsageError for words that name no glyph or letter, and for a theme that is not the user's own.
    """
    theme = load_theme(theme_name)
    if theme.folder != user_data() / "templates" / theme_name:
        raise UsageError(
            f"the theme {theme_name} came with minebot: only what was learned here can be corrected"
        )
    changes: dict[str, str] = {}
    names = [file for file, _ in listed(theme_name)]
    for label in labels:
        glyph, parted, letter = label.rpartition("=")
        letter = "." if letter == "0" else letter
        if not parted or (letter != FORGET and (letter == "!" or letter not in SYMBOLS or len(letter) != 1)):
            raise UsageError(f"{label!r} is no GLYPH=LETTER: the letters are {' '.join(SYMBOLS[:-1])} and -")
        matching = [name for name in names if name == glyph or Path(name).stem == glyph]
        if not matching:
            raise UsageError(f"{theme_name} has no glyph {glyph!r}; it has {', '.join(names)}")
        changes[matching[0]] = letter
    spec = msgspec.to_builtins(theme.spec)
    for cut in spec["cuts"]:
        _relabel(cut, changes)
    _write(theme, spec)
    return ", ".join(f"{name} ({letter})" for name, letter in changes.items())


def _relabel(cut: dict[str, Any], changes: dict[str, str]) -> None:
    glyphs: dict[str, list[str]] = {}
    for letter, files in cut["glyphs"].items():
        for file in files:
            now = changes.get(file, letter)
            if now != FORGET:
                glyphs.setdefault(now, []).append(file)
    if SYMBOLS[Cell.COVERED] not in glyphs:
        raise UsageError("a theme needs a glyph for a covered cell (#): leave one")
    cut["glyphs"] = glyphs


def add_glyph(skin: Skin, code: int, picture: Image) -> Skin:
    """The same learned skin with one more picture of a cell, kept in its theme, for a number that turns up
    while playing.

    The picture is written first, the theme that names it afterwards. Raises OSError as any write does.
    """
    import cv2

    theme = load_theme(skin.folder)
    spec = msgspec.to_builtins(theme.spec)
    cut = spec["cuts"][0]
    letter = SYMBOLS[code]
    files = cut["glyphs"].setdefault(letter, [])
    taken = {file for known in cut["glyphs"].values() for file in known}
    number = 1
    while (name := f"cell_met_{number}.png") in taken:
        number += 1
    size = tuple(cut["cell"])
    if picture.shape[:2] != (size[1], size[0]):
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR).astype(picture.dtype)
    written, data = cv2.imencode(".png", picture)
    assert written, "eight-bit pictures are always encoded"
    write_whole(theme.folder / cut["folder"] / name, data.tobytes())
    files.append(name)
    _write(theme, spec)
    return load_theme(theme.folder).skin


def _write(theme: Theme, spec: dict[str, Any]) -> None:
    write_whole(theme.folder / "theme.toml", tomli_w.dumps(_plain(spec)).encode())


def _plain(data: Any) -> Any:
    """The same data as TOML has it: nothing that is None."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items() if value is not None}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data


def draw_known(theme_name: str) -> Image:
    """A picture of the glyphs of a theme with their meanings."""
    theme = load_theme(theme_name)
    cut = theme.skin.glyph_sets[0]
    rows = [
        (picture, ClusterLabel(int(code), 0, file))
        for picture, code, file in zip(
            cut.glyphs, cut.codes, [file for files in cut.spec.glyphs.values() for file in files], strict=True
        )
    ]
    return draw_sheet(rows)


def remove(theme_name: str) -> None:
    """Forget a learned theme."""
    shutil.rmtree(user_data() / "templates" / theme_name, ignore_errors=True)
