"""The settings of a run and who plays it: the options of `minebot run` over the settings file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.cli.parts.words.how_long import restart_way
from bot.cli.parts.words.run_options import Role

if TYPE_CHECKING:
    from bot.cli.parts.words.run_options import PlayOptions, RunOptions
    from bot.config import Settings
    from bot.strategy.base import Strategy
    from bot.targets.window.play_settings import PlaySettings
    from bot.targets.window.sighting import Sighting


def settings_of(options: RunOptions) -> Settings:
    """The settings file, overridden by the options."""
    from bot.config import load_settings

    play, kept = options.play, options.kept
    said: dict[str, object] = {}
    if play.strategy is not None:
        said["strategy"] = play.strategy
    if play.clicks_per_second is not None:
        said["clicks_per_second"] = play.clicks_per_second
    if play.name is not None:
        said["name"] = play.name
    if play.name is not None or play.no_records:
        said["records"] = not play.no_records
    if kept.no_record:
        said["record"] = False
    if kept.record_dir is not None:
        said |= {"record": True, "record_dir": kept.record_dir}
    if play.role is Role.WATCH:
        said["record"] = True
    return load_settings().but(**said)


def strategy_name(given: str | None) -> str:
    """Who plays: the strategy of `--strategy`, or of the settings where it is not given.

    Raises FormatError, with the file, for settings that cannot be read or name no strategy.
    """
    from bot.config import load_settings
    from bot.errors import FormatError, UsageError
    from bot.files import user_settings
    from bot.strategy.registry import strategy

    settings = load_settings()
    if given is not None:
        return given
    try:
        return strategy(settings.strategy).name
    except UsageError as error:
        raise FormatError(f"{user_settings()}: strategy: {error}") from None


def player_of(options: PlayOptions, settings: Settings) -> Strategy:
    """Who plays; the error names the settings file where the wrong name comes from there."""
    from bot.errors import FormatError, UsageError
    from bot.files import user_settings
    from bot.strategy.registry import strategy

    try:
        return strategy(settings.strategy, options.think, settings.think_limit_s)
    except UsageError as error:
        if options.strategy is not None or options.think != 1:
            raise
        raise FormatError(f"{user_settings()}: strategy: {error}") from None


def play_settings_of(options: RunOptions, settings: Settings, sighting: Sighting) -> PlaySettings:
    """How a window is played, by the options of `minebot run` and the settings."""
    from bot.board import FirstClick
    from bot.cli.parts.run_screen import practice_rules
    from bot.game.levels import check_mines
    from bot.targets.window.play_settings import PlaySettings

    window, way = options.window, options.play.restart
    mines = window.mines
    if window.practice is not None:
        # We opened it: at odd scales its counter may not be read.
        mines = practice_rules(window.practice, window).mines
    elif mines is not None:
        grid = sighting.view.grid
        check_mines(grid.columns, grid.rows, mines, FirstClick.ANY)
    first_click = FirstClick(window.first_click) if window.first_click else None
    return PlaySettings(
        restart=None if way in (None, "ask") else restart_way(way, sighting),
        asks_for_games=way == "ask",
        name=settings.name,
        records=settings.records,
        look_limit_s=settings.look_limit_s,
        mines=mines,
        first_click=first_click,
    )
