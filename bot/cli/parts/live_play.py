"""Plays in the window that `minebot run` has found: alone, beside a person, or looking on."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.cli.parts.board_search import read_otherwise
from bot.cli.parts.recording.played_window_keeping import window_keeper
from bot.cli.parts.recording.run_record import logged, recorder_of
from bot.cli.parts.results_keeping import game_saver, results_keeper
from bot.cli.parts.words.how_long import how_long
from bot.cli.parts.words.run_options import Role
from bot.cli.parts.words.run_settings import play_settings_of

if TYPE_CHECKING:
    from bot.cli.parts.live_report import LiveReporter
    from bot.cli.parts.run_screen import RunScreen
    from bot.cli.parts.words.run_options import PlayOptions, RunOptions
    from bot.config import Settings
    from bot.game_line import GameLine
    from bot.recording.format import Option
    from bot.recording.log import RunLog
    from bot.recording.record import Record
    from bot.screen.mouse import Mouse
    from bot.strategy.base import Strategy
    from bot.targets.window.act.pointer import Takeover
    from bot.targets.window.sighting import Sighting
    from bot.targets.window.spectator import Spectator
    from bot.targets.window.window_target import WindowTarget


@dataclass(frozen=True)
class RunSetup:
    """What holds for all games of a run: what was asked for, and where it is told."""

    options: RunOptions
    settings: Settings
    """Those of the user's file, with what the options say instead."""
    reporter: LiveReporter
    log: RunLog | None
    """None where none was asked for."""

    def record(self, window: WindowTarget | Spectator, player: Strategy, how: Mapping[str, Option]) -> Record:
        """The record of the game that begins. `how`: what else changes decisions or clicks."""
        options = {**how, "think": self.options.play.think}
        is_kept = self.options.kept.keep
        recorder = recorder_of(window, player, self.settings, options, self.reporter, is_kept=is_kept)
        return logged(recorder, self.log)


def play_window(
    setup: RunSetup,
    player: Strategy,
    sighting: Sighting,
    screen: RunScreen,
    mouse: Mouse,
    ways_out: ExitStack,
) -> list[GameLine]:
    """Play the games of a window, alone or with the person.

    Where the first board shows cells that its theme does not know, it is played on without the theme, unless
    the user named the theme.
    """
    from bot.errors import ThemeMisfit
    from bot.strategy.partial import Partial

    target = window_target(setup, sighting, screen, mouse)
    try:
        return _play_games(setup, player, target, ways_out)
    except ThemeMisfit as error:
        if not setup.options.window.may_be_any_game:
            raise
        sighting = read_otherwise(target, error)
    setup.reporter.tell(
        f"the theme {target.name} does not know all cells of this window:"
        " playing on by what all Minesweepers share"
    )
    going_on = replace(setup.options.play, new=False, resume=True)
    setup = replace(setup, options=replace(setup.options, play=going_on))
    return _play_games(setup, Partial(player), window_target(setup, sighting, screen, mouse), ways_out)


def window_target(setup: RunSetup, sighting: Sighting, screen: RunScreen, mouse: Mouse) -> WindowTarget:
    """The window as a target, with a pointer to play it."""
    from bot.assist import WaitReason
    from bot.cli.parts.assist_report import AssistReporter
    from bot.targets.window.act.pointer import MIN_INTERVAL_S, Pointer, wait_for_rest
    from bot.targets.window.window_target import WindowTarget

    reporter, rate = setup.reporter, setup.settings.clicks_per_second
    play_settings = play_settings_of(setup.options, setup.settings, sighting)
    takeover: Takeover = reporter.pause
    if isinstance(reporter, AssistReporter):
        takeover = wait_for_rest(mouse, lambda: reporter.waits(WaitReason.REST, ""))
    interval_s = sighting.behaviour.timing.click_interval_ms / 1000
    min_interval_s = MIN_INTERVAL_S if rate is None else 1 / rate
    pointer = Pointer(mouse, interval_s, takeover, min_interval_s=min_interval_s)
    return WindowTarget(sighting, screen.capture, screen.windows, pointer, play_settings, tell=reporter.tell)


def _play_games(
    setup: RunSetup, player: Strategy, target: WindowTarget, ways_out: ExitStack
) -> list[GameLine]:
    """Play the games, alone or with the person."""
    from bot.cli.parts.assist_report import AssistReporter
    from bot.session import assist_games, run_games

    play, kept, reporter = setup.options.play, setup.options.kept, setup.reporter
    flags = play.flags or target.behaviour.wins == "flagged"
    recorded = {"flags": flags, "chords": target.chords}
    if isinstance(reporter, AssistReporter):
        # A person who asks for help is in the middle of a game, more often than not.
        how = how_long(play, flags=play.flags, new=play.new)
        shared = recorded | {"assist": True}
        return assist_games(target, player, how, lambda one: setup.record(one, player, shared), reporter)
    keeper = ways_out.enter_context(results_keeper(kept.db, kept.no_db, reporter.tell, each=True))
    how = how_long(play, flags=flags, new=begins_new(target, play, reporter))
    ended = window_keeper(target, reporter.tell, game_saver(keeper, player, play.think))
    return run_games(target, player, how, lambda one: setup.record(one, player, recorded), reporter, ended)


def look_on(setup: RunSetup, player: Strategy, sighting: Sighting, screen: RunScreen) -> list[GameLine]:
    """Look on while the person plays."""
    from bot.cli.parts.assist_report import AssistReporter
    from bot.session import Play, hint_games
    from bot.targets.window.observe.observer import WindowObserver
    from bot.targets.window.spectator import Spectator

    play, reporter = setup.options.play, setup.reporter
    assert isinstance(reporter, AssistReporter)
    settings = play_settings_of(setup.options, setup.settings, sighting)
    observer = WindowObserver(
        sighting, screen.capture, screen.windows, mines=settings.mines, first_click=settings.first_click
    )
    recorded = {"watch" if play.role is Role.WATCH else "hint": True}
    spectator = Spectator(observer, reporter.tell)
    return hint_games(
        spectator, player, Play(play.games), lambda one: setup.record(one, player, recorded), reporter
    )


def begins_new(target: WindowTarget, options: PlayOptions, reporter: LiveReporter) -> bool:
    """Whether to begin with a new game; a half-played one is not thrown away unasked.

    Raises WindowError where nobody can be asked, Stopped where the user leaves the game alone.
    """
    from bot.board import Phase
    from bot.cli.parts.live_report import ask
    from bot.errors import Stopped, WindowError
    from bot.process.terminal import somebody_answers
    from bot.targets.board_changes import is_one_opening

    if options.new or (seen := target.observe()).phase is not Phase.PLAYING or target.fresh:
        return options.new
    # Some games begin with an opening; of any other one as little is lost.
    if options.resume or (target.is_unknown and is_one_opening(seen.board)):
        return False
    if not somebody_answers():
        raise WindowError(
            f"a half-played game is open in {target.title!r}: --new throws it away, --resume plays it on"
        )
    reporter.end_live_line()
    reporter.tell("a half-played game is open. Enter plays it on, n throws it away, q leaves it alone")
    answer = ask().lower()
    if answer.startswith("q"):
        raise Stopped("the game was left as it is")
    return answer.startswith("n")
