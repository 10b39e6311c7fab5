"""Changes learned themes: a person's corrections."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bot.board import SYMBOLS, Cell
from bot.calibrate.save.glyph_sheet import KnownLook, draw_sheet
from bot.errors import BotError, FormatError, UsageError
from bot.files import user_data, write_whole
from bot.tables import toml_bytes
from bot.targets.window.calibration import calibration_path, load_calibration, own_calibrations
from bot.vision.grid import Image
from bot.vision.themes.theme import load_theme

FORGET = "-"
"""In place of a letter: the glyph is removed."""


@dataclass(frozen=True)
class Glyph:
    """A glyph of a theme, in all sizes in which the theme has it."""

    file: str
    """The name of its picture, the same in each size."""
    letter: str
    sizes: tuple[tuple[int, int], ...]
    """Width and height of a cell, in pixels."""


def known_glyphs(theme_name: str) -> list[Glyph]:
    """The glyphs of a theme, in the order of the letters."""
    sizes: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for glyph_set in load_theme(theme_name).spec.glyph_sets:
        for letter, files in glyph_set.glyphs.items():
            for file in files:
                sizes.setdefault((letter, file), []).append(glyph_set.cell)
    found = [Glyph(file, letter, tuple(cells)) for (letter, file), cells in sizes.items()]
    return sorted(found, key=lambda glyph: SYMBOLS.find(glyph.letter))


def correct_glyphs(theme_name: str, corrections: Sequence[str]) -> str:
    """Give glyphs other meanings; says which. A correction is `GLYPH=LETTER`, `-` to forget a glyph.

    Raises UsageError for words that name no glyph or letter, and for a theme that is not the user's own.
    """
    theme = load_theme(theme_name)
    if theme.folder != user_data() / "templates" / theme_name:
        raise UsageError(
            f"the theme {theme_name} came with minebot: only what was learned here can be corrected"
        )
    letters: dict[str, str] = {}
    names = list(dict.fromkeys(glyph.file for glyph in known_glyphs(theme_name)))
    for correction in corrections:
        glyph, equals, letter = correction.rpartition("=")
        letter = "." if letter == "0" else letter
        if not equals or letter not in (*SYMBOLS.replace("!", ""), FORGET):
            known = " ".join(SYMBOLS[:-1])
            raise UsageError(f"{correction!r} is no GLYPH=LETTER: the letters are {known} and -")
        matching = [name for name in names if glyph in (name, Path(name).stem)]
        if not matching:
            close = difflib.get_close_matches(glyph, names, n=1, cutoff=0.5)
            hint = f", did you mean {close[0]}?" if close else ":"
            raise UsageError(
                f"{theme_name} has no glyph {glyph!r}{hint} `minebot calibrate NAME` lists its {len(names)}"
            )
        letters[matching[0]] = letter
    spec = msgspec.to_builtins(theme.spec)
    for glyph_set in spec["cuts"]:
        relabelled: dict[str, list[str]] = {}
        for old, files in glyph_set["glyphs"].items():
            for file in files:
                relabelled.setdefault(letters.get(file, old), []).append(file)
        relabelled.pop(FORGET, None)
        if SYMBOLS[Cell.COVERED] not in relabelled:
            raise UsageError("a theme needs a glyph for a covered cell (#): leave one")
        glyph_set["glyphs"] = relabelled
    write_whole(theme.folder / "theme.toml", toml_bytes(spec))
    return ", ".join(f"{name} ({letter})" for name, letter in letters.items())


def forget(name: str) -> list[Path]:
    """Remove a calibration of the user's, and its theme if that was learned or taken with it and no other
    calibration needs it; gives what was removed. One that cannot be read goes too.

    Raises UsageError where there is none, BotError where it cannot be removed.
    """
    try:
        theme = load_calibration(name).theme
    except FormatError:
        theme = name  # as that of a window that was learned, or taken, is called
    file, folder = calibration_path(name), user_data() / "templates" / theme
    if not file.exists():
        raise UsageError(f"the calibration {name} came with minebot: only what was learned here is forgotten")
    removed = [file]
    needed = any(
        one.theme == theme for other, one in own_calibrations(lambda _: None).items() if other != name
    )
    try:
        if folder.is_dir() and not needed and (folder.name == name or _is_learned(folder)):
            shutil.rmtree(folder)
            removed.append(folder)
        file.unlink()
    except OSError as error:
        raise BotError(
            f"{name} cannot be removed ({error.strerror or error}): remove {file} by hand"
        ) from None
    return removed


def _is_learned(folder: Path) -> bool:
    """Whether the theme there was learned; one that cannot be read does not tell."""
    try:
        return load_theme(folder).skin.learned
    except FormatError:
        return False


def draw_glyphs(theme_name: str) -> Image:
    """A picture of the glyphs of a theme with their meanings, shape (height, width, 3)."""
    glyph_set = load_theme(theme_name).skin.glyph_sets[0]
    files = [file for files in glyph_set.spec.glyphs.values() for file in files]
    glyphs = zip(glyph_set.glyphs, glyph_set.codes.tolist(), files, strict=True)
    return draw_sheet([KnownLook(*glyph) for glyph in glyphs])
