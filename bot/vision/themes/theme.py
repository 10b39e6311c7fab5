"""Loads themes: folders with a `theme.toml` (`bot.vision.themes.schema`) and PNG pictures.

A theme describes one game: its skin, how the game looks, and its behaviour, how it acts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from bot.board import SYMBOLS, Cell
from bot.errors import FormatError, UsageError
from bot.files import is_whole_png, shipped, user_data
from bot.tables import read_table
from bot.vision.grid import Image
from bot.vision.themes.behaviour import GameBehaviour
from bot.vision.themes.palette import palette_fault
from bot.vision.themes.schema import GlyphSetSpec, ThemeSpec
from bot.vision.themes.skin import GlyphSet, Skin

SCHEMA = 1

MIN_GLYPH_DISTANCE = 0.25
"""The mean colour difference (0 to 255) that two glyphs of different meaning must exceed: what a screen shows
is not exact. The glyphs of a learned theme need only differ."""


@dataclass(frozen=True)
class KnownGame:
    """How one game looks and how it acts."""

    skin: Skin
    behaviour: GameBehaviour

    @property
    def name(self) -> str:
        """The name of its theme."""
        return self.skin.name

    @property
    def folder(self) -> Path:
        """The folder of its theme."""
        return self.skin.folder


@dataclass(frozen=True)
class Theme(KnownGame):
    """One game, as a folder describes it."""

    spec: ThemeSpec
    """The contents of `theme.toml`, for writing it again."""


def theme_folders() -> dict[str, Path]:
    """The folder of every theme by its name: the shipped ones and the user's own, which take precedence."""
    found: dict[str, Path] = {}
    for place in (shipped("templates"), user_data() / "templates"):
        if place.is_dir():
            found |= {folder.parent.name: folder.parent for folder in sorted(place.glob("*/theme.toml"))}
    return found


def load_themes(name: str | None = None, tell: Callable[[str], None] | None = None) -> list[Theme]:
    """The theme of that name, or all of them.

    Raises what `load_theme` raises. With `tell`, one of all that is not valid is reported there in a line and
    left out instead.
    """
    if name is not None:
        return [load_theme(name)]
    themes = []
    for folder in theme_folders().values():
        try:
            themes.append(load_theme(folder))
        except FormatError as error:
            if tell is None:
                raise
            tell(f"{error}; going on without it")
    return themes


def load_skins(name: str | None = None, tell: Callable[[str], None] | None = None) -> list[Skin]:
    """The skins of the themes that `load_themes` gives."""
    return [theme.skin for theme in load_themes(name, tell)]


def load_skin(name: str) -> Skin:
    """The skin of the theme of that name; raises what `load_theme` raises."""
    return load_theme(name).skin


def load_theme(name_or_folder: str | Path) -> Theme:
    """Load a theme by name or from its folder.

    Raises UsageError for an unknown name, FormatError for a folder that is no valid theme: a newer schema,
    an unknown key, a picture that is missing, unreadable or of another size, two glyphs of different meaning
    that are too much alike.
    """
    if isinstance(name_or_folder, Path):
        folder = name_or_folder
    else:
        folders = theme_folders()
        if name_or_folder not in folders:
            raise UsageError(f"there is no theme {name_or_folder!r}: there are {', '.join(sorted(folders))}")
        folder = folders[name_or_folder]
    try:
        return _loaded(folder)
    except FormatError as error:
        if folder.parent != user_data() / "templates":
            raise
        raise FormatError(f"{error} (a theme of your own: mend it, or remove {folder})") from None


def _loaded(folder: Path) -> Theme:
    path = folder / "theme.toml"
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}") from None
    spec = _parse(path, raw)
    digest = hashlib.blake2b(raw, digest_size=8)
    glyph_sets = tuple(_load_glyphs(folder, one, digest, learned=spec.learned) for one in spec.glyph_sets)
    return Theme(_skin(folder, spec, glyph_sets, digest.hexdigest()), _behaviour(spec), spec)


def _skin(folder: Path, spec: ThemeSpec, glyph_sets: tuple[GlyphSet, ...], fingerprint: str) -> Skin:
    return Skin(
        name=folder.name,
        title=spec.title,
        folder=folder,
        fingerprint=fingerprint,
        margins=spec.margins,
        border=spec.border,
        border_width=spec.border_width,
        border_gap=spec.border_gap,
        border_tolerance=spec.border_tolerance,
        levels=tuple(spec.levels),
        glyph_sets=glyph_sets,
        palette=spec.palette,
        inset=spec.inset,
        limit=spec.limit,
        face=spec.face,
        counter=spec.counter,
        text_counter=spec.text_counter,
        tiles=spec.tiles,
        shaded=spec.shaded,
        learned=spec.learned,
    )


def _behaviour(spec: ThemeSpec) -> GameBehaviour:
    return GameBehaviour(
        first_click=spec.first_click,
        spread=spec.spread,
        wins=spec.wins,
        chord=spec.chord,
        opened_at_start=spec.opened_at_start,
        timing=spec.timing,
        dialogs=tuple(spec.dialogs),
        pause=spec.pause,
        ending=spec.ending,
    )


def _parse(path: Path, raw: bytes) -> ThemeSpec:
    spec = read_table(path, raw, ThemeSpec, SCHEMA)
    if (spec.palette is None) == (not spec.glyph_sets):
        raise FormatError(f"{path}: a theme tells its cells either by cuts or by colours: give one of them")
    if spec.ending is not None and spec.palette is None:
        raise FormatError(f"{path}: an ending is known only of games whose cells are told by colours")
    if spec.palette is not None and (wrong := palette_fault(spec.palette)) is not None:
        raise FormatError(f"{path}: {wrong}")
    return spec


def _load_glyphs(folder: Path, spec: GlyphSetSpec, digest: hashlib.blake2b, *, learned: bool) -> GlyphSet:
    place = folder / spec.folder
    codes: list[int] = []
    glyphs: list[Image] = []
    hovered: list[bool] = []
    for symbol, names in spec.glyphs.items():
        for name in names:
            codes.append(Cell.from_symbol(symbol))
            hovered.append(name in spec.hovered)
            glyphs.append(_load_picture(place / name, digest, spec.cell))
    if Cell.COVERED not in codes:
        raise FormatError(f"{folder / 'theme.toml'}: cut {spec.folder} has no glyph for a covered cell (#)")
    faces = {str(mood): _load_picture(place / name, digest) for mood, name in spec.faces.items()}
    digits = {digit: _load_picture(place / name, digest) for digit, name in spec.digits.items()}
    glyph_set = GlyphSet(spec, np.array(codes, np.int8), np.stack(glyphs), faces, digits, np.array(hovered))
    distance, *pair = glyph_set.closest_pair
    if distance <= (0 if learned else MIN_GLYPH_DISTANCE):
        symbols = " and ".join(SYMBOLS[glyph_set.codes[index]] for index in pair)
        raise FormatError(f"{place}: {symbols} look the same: cut the theme again")
    return glyph_set


def _load_picture(path: Path, digest: hashlib.blake2b, size: tuple[int, int] | None = None) -> Image:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror}") from None
    digest.update(raw)
    # libpng, which decodes it, says on stderr what is wrong with a damaged file.
    picture = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR) if is_whole_png(raw) else None
    if picture is None:
        raise FormatError(f"{path} is no PNG picture, or is cut short: cut the theme again")
    if size is not None and picture.shape[:2] != (size[1], size[0]):
        height, width = picture.shape[:2]
        raise FormatError(f"{path} is {width}x{height}, its cut says {size[0]}x{size[1]}")
    return np.asarray(picture, dtype=np.uint8)
