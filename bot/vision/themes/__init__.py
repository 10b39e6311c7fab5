"""Themes: the games that minebot knows, each a folder of `templates/` or of the user's own.

In: the name of a theme, or its folder. Out: a `Theme`: a `Skin` (how the game looks, all that reading needs)
and a `GameBehaviour` (how it acts, all that playing needs).
"""

from bot.vision.themes.behaviour import GameBehaviour, NewGameWay
from bot.vision.themes.skin import GlyphSet, Skin
from bot.vision.themes.theme import (
    KnownGame,
    Theme,
    load_skin,
    load_skins,
    load_theme,
    load_themes,
    theme_folders,
)

__all__ = [
    "GameBehaviour",
    "GlyphSet",
    "KnownGame",
    "NewGameWay",
    "Skin",
    "Theme",
    "load_skin",
    "load_skins",
    "load_theme",
    "load_themes",
    "theme_folders",
]
