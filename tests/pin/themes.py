"""What the shipped themes hold once they are loaded: the values of their tables, and their pictures."""

from __future__ import annotations

import hashlib
import json

import msgspec
import numpy as np

from bot.files import shipped
from bot.vision.grid import Image
from bot.vision.themes.skin import GlyphSet
from bot.vision.themes.theme import Theme, load_theme

SIZES = ((8, 8), (9, 9), (16, 16), (30, 16), (16, 30), (10, 8), (18, 14), (24, 20), (31, 16))


def names() -> list[str]:
    """The shipped themes."""
    return sorted(path.parent.name for path in shipped("templates").glob("*/theme.toml"))


def themes(name: str) -> dict[str, str]:
    """One shipped theme."""
    theme = load_theme(name)
    mines = {f"{columns}x{rows}": theme.skin.usual_mines(columns, rows) for columns, rows in SIZES}
    return {f"{name}/spec": _spec(theme), f"{name}/cuts": _cuts(theme), f"{name}/mines": _canonical(mines)}


def _spec(theme: Theme) -> str:
    """The values of `theme.toml`, defaults included."""
    return _canonical(msgspec.to_builtins(theme.spec))


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, indent=1, default=str)


def _cuts(theme: Theme) -> str:
    return "\n".join(
        [
            "fingerprint " + theme.skin.fingerprint,
            *(line for cut in theme.skin.glyph_sets for line in _cut(cut)),
        ]
    )


def _cut(cut: GlyphSet) -> list[str]:
    pictures = [("glyph", str(code), glyph) for code, glyph in zip(cut.codes, cut.glyphs, strict=True)]
    pictures += [("face", mood, picture) for mood, picture in sorted(cut.faces.items())]
    pictures += [("digit", digit, picture) for digit, picture in sorted(cut.digits.items())]
    head = f"cut {cut.cell[0]}x{cut.cell[1]} hovered {np.flatnonzero(cut.hovered).tolist()}"
    return [head, *(f"{kind} {name} {_picture(picture)}" for kind, name, picture in pictures)]


def _picture(picture: Image) -> str:
    digest = hashlib.blake2b(np.ascontiguousarray(picture).tobytes(), digest_size=8).hexdigest()
    return f"{picture.shape} {picture.dtype} {digest}"
