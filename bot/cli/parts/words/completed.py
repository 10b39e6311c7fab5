"""What a shell is offered where a command takes a name that it understands itself: strategies, themes,
recordings, maps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from bot.errors import BotError

FILES = CompletionItem("", type="file")
"""Stands for the files of the folder that was typed so far, and for its folders."""

FOLDERS = CompletionItem("", type="dir")
"""Stands for the folders of it alone."""

Offered = Callable[[click.Context], Iterable[str | CompletionItem]]
"""The names that can stand there, and FILES or FOLDERS where a path can."""


class Named(StringParamType):
    """A word that the command understands itself. Without this type a shell offers not even files for it."""

    def __init__(self, offered: Offered) -> None:
        self._offered = offered

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin so. Paths come first: click's script for bash forgets what came before one."""
        items: list[CompletionItem] = []
        try:
            for one in self._offered(ctx):
                if isinstance(one, CompletionItem):
                    items.insert(0, CompletionItem(incomplete, type=one.type))
                elif one.startswith(incomplete):
                    items.append(CompletionItem(one))
        except (BotError, OSError):  # the command itself says what is wrong; here nobody reads it
            pass
        return items


def commands(_context: click.Context) -> Iterable[str]:
    """The names of the commands."""
    from bot.cli.main import COMMANDS

    return COMMANDS


def strategies(_context: click.Context) -> Iterable[str]:
    """The names of the strategies."""
    from bot.cli.parts.options import STRATEGY_NAMES

    return STRATEGY_NAMES


def themes(_context: click.Context) -> Iterable[str]:
    """The names of the themes."""
    from bot.vision.themes.theme import theme_folders

    return theme_folders()


def calibrations(_context: click.Context) -> Iterable[str]:
    """The names of the windows that were learned."""
    from bot.targets.window.calibration import calibration_files

    return calibration_files()


def targets(context: click.Context) -> Iterable[str]:
    """What `--target` takes: themes and calibrations."""
    return dict.fromkeys([*themes(context), *calibrations(context)])


def recordings(_context: click.Context) -> Iterator[str | CompletionItem]:
    """The recordings that `minebot replay` lists, and folders."""
    from bot.config import load_settings
    from bot.files import shipped
    from bot.recording.store import recordings_folder, stored

    yield FOLDERS
    yield from (one.folder.name for one in stored(shipped("recordings")))
    yield from (one.folder.name for one in stored(recordings_folder(load_settings().record_dir)))


def games(context: click.Context) -> Iterator[str | CompletionItem]:
    """What `minebot review` takes: recordings, and files of other programs."""
    yield FILES
    yield from (one for one in recordings(context) if isinstance(one, str))


def files(_context: click.Context) -> Iterable[CompletionItem]:
    """Any file: board text or a picture."""
    return (FILES,)


def folders(_context: click.Context) -> Iterable[CompletionItem]:
    """Any folder."""
    return (FOLDERS,)


def maps(context: click.Context) -> Iterator[str | CompletionItem]:
    """The maps of endoh1, and files; the other games of the terminal take none."""
    from bot.game.priority_map import shipped_maps

    if context.params.get("rules") == "endoh1":
        yield FILES
        yield from shipped_maps()
