"""minebot: reads a Minesweeper window from its pixels, works out what is safe, and clicks.

The names in `__all__` are for other programs; docs/api.md shows each at work. They are loaded when they are
first asked for, so that `import bot` stays instant.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

TYPE_CHECKING = False
"""As in `typing`, whose import takes so long that a Ctrl-C may fall into it, before anybody can handle it."""

if TYPE_CHECKING:
    from bot.api import Analysis, analyse, play, read, read_all
    from bot.board import Action, Board, Cell, FirstClick, Move, Outcome, Result, Rules
    from bot.errors import BotError
    from bot.game.game import Game
    from bot.game_loop import GameReport
    from bot.vision import PictureReading

__all__ = [
    "Action",
    "Analysis",
    "Board",
    "BotError",
    "Cell",
    "FirstClick",
    "Game",
    "GameReport",
    "Move",
    "Outcome",
    "PictureReading",
    "Result",
    "Rules",
    "analyse",
    "play",
    "read",
    "read_all",
]

_MODULES = {
    "bot.api": ("Analysis", "analyse", "play", "read", "read_all"),
    "bot.board": ("Action", "Board", "Cell", "FirstClick", "Move", "Outcome", "Result", "Rules"),
    "bot.errors": ("BotError",),
    "bot.game.game": ("Game",),
    "bot.game_loop": ("GameReport",),
    "bot.vision": ("PictureReading",),
}
"""Where each public name comes from. No module of this folder may have the name of one: once it is imported,
it would stand in its place (`tests/test_api.py`)."""


if not TYPE_CHECKING:  # a type checker would take every name for one that is there

    def __getattr__(name: str) -> object:
        for module, names in _MODULES.items():
            if name in names:
                value = getattr(import_module(module), name)
                globals()[name] = value
                return value
        raise AttributeError(f"module 'bot' has no attribute {name!r}: it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
