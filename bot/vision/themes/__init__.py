"""What the games that are known look like: folders of `templates/` and of the user's, read into values.

In: the name of a theme, or its folder. Out: a `Theme`.
"""

from bot.vision.themes.theme import Theme, load_theme, load_themes, theme_folders

__all__ = ["Theme", "load_theme", "load_themes", "theme_folders"]
