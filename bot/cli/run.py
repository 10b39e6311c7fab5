"""`minebot run`: play a window on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from bot.cli.parts.board_search import find_board, read_otherwise, searched_games
from bot.cli.parts.options import FIRST_CLICK_HELP, STRATEGY_NAMES, Sectioned, board_options, think_option
from bot.cli.parts.recording.played_window_keeping import window_keeper
from bot.cli.parts.recording.run_record import logged, recorder_of
from bot.cli.parts.results_keeping import game_saver, keep_options, results_keeper
from bot.cli.parts.words.how_long import how_long
from bot.cli.parts.words.option_conflicts import refuse_conflicts
from bot.cli.parts.words.run_options import Role, RunOptions
from bot.cli.parts.words.run_settings import play_settings_of, player_of, settings_of

if TYPE_CHECKING:
    from bot.cli.parts.live_report import LiveReporter
    from bot.cli.parts.run_screen import RunScreen
    from bot.cli.parts.words.run_options import PlayOptions
    from bot.config import Settings
    from bot.game_line import GameLine
    from bot.recording.format import Option
    from bot.recording.log import RunLog
    from bot.recording.record import Record
    from bot.screen.mouse import Mouse
    from bot.show.live import LiveView
    from bot.strategy.base import Strategy
    from bot.targets.window.act.pointer import Takeover
    from bot.targets.window.sighting import Sighting
    from bot.targets.window.spectator import Spectator
    from bot.targets.window.window_target import WindowTarget

SECTIONS = {
    "Which window": ("target", "window", "practice", "headless", "virtual"),
    "The built-in window, with --practice": ("level", "size", "mines", "first_click", "scale", "seed"),
    "How it plays": (
        "games",
        "until_won",
        "for_time",
        "strategy",
        "think",
        "flags",
        "new",
        "resume",
        "restart",
        "clicks_per_second",
        "dry_run",
    ),
    "You play too": ("assist", "hint", "sound"),
    "A record time": ("name", "no_records"),
    "To look at": ("view", "open_it"),
    "What is kept": ("record_dir", "no_record", "keep", "verbose", "db", "no_db"),
}
"""The headings of the help, each with its options."""


@click.command(
    "run",
    cls=Sectioned,
    sections=SECTIONS,
    epilog="Example: minebot run --practice --level expert --games 3",
)
@click.option("--practice", is_flag=True, help="Open the built-in window and play that.")
@click.option("--virtual", is_flag=True, help="With --practice: draw the window in memory, with no display.")
@click.option("--headless", is_flag=True, help="With --practice: on a virtual display of our own (Xvfb).")
@click.option(
    "--target", metavar="NAME", help="Look only for windows of this theme, or for this calibrated window."
)
@click.option(
    "--window", metavar="TITLE", help="A part of its title, or its number where several were found."
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many in a row, 1 by default; with --until-won or --for at most.",
)
@click.option("--until-won", is_flag=True, help="Play until one is won.")
@click.option(
    "--for", "for_time", metavar="TIME", help="Begin games for so long: 90s, 10m, 2h; the last is played on."
)
@click.option(
    "--strategy", metavar="S", help=f"Who plays: {', '.join(STRATEGY_NAMES)}. The settings have the default."
)
@think_option
@board_options(
    mines="The number of mines; goes with --size. For another window, where it cannot be read there.",
    first_click=f"{FIRST_CLICK_HELP} By default safe; for another window, what its theme says.",
    default_first_click=None,
)
@click.option("--scale", type=float, metavar="S", help="The size of the drawing, 1 (the default) to 3.")
@click.option("--seed", type=click.IntRange(min=0), metavar="K", help="The games K, K+1, K+2, …")
@click.option("--flags", is_flag=True, help="Mark the mines too, and chord where that saves clicks.")
@click.option(
    "--restart",
    metavar="HOW",
    help="How a new game is started: a key (f2, ctrl+n), X,Y in the window, or ask, to start each yourself.",
)
@click.option("--new", is_flag=True, help="Throw a half-played game away.")
@click.option("--resume", is_flag=True, help="Play a half-played game on.")
@click.option("--dry-run", is_flag=True, help="Say what would be clicked now, and click nothing.")
@click.option("--assist", is_flag=True, help="Play what is certain, and leave every choice to you.")
@click.option("--hint", is_flag=True, help="Show what is certain while you play; never touch the mouse.")
@click.option("--sound", is_flag=True, help="Ring the terminal's bell when it is your turn.")
@click.option("--clicks-per-second", type=click.FloatRange(min=0.1), metavar="N", help="Click no faster.")
@click.option("--name", metavar="NAME", help="What to enter where the game asks for one after a record time.")
@click.option("--no-records", is_flag=True, help="Enter no name there: dismiss the dialog.")
@click.option("--record", "record_dir", metavar="DIR", help="Keep the recordings in this folder.")
@click.option("--no-record", is_flag=True, help="Record nothing.")
@click.option("--keep", is_flag=True, help="Recordings of this run never make room for later ones.")
@keep_options
@click.option(
    "--view", is_flag=True, help="Show the run on a page of this machine alone; its address is told."
)
@click.option(
    "--open", "open_it", is_flag=True, help="With --view: open the page in your browser, behind the game."
)
@click.option("--verbose", is_flag=True, help="Write what was seen, decided and clicked to a log file.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a game.")
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:
    """Find a Minesweeper window on the screen, read it, and click until it is won.

    Put the pointer into a corner of the screen, or press Ctrl-C or (on X11) F12, to stop at once; move the
    mouse to pause.
    Where a game is half played it is kept: --new throws it away, --resume plays it on.

    With --practice it opens the built-in window and plays that, with no display on a virtual one.

    With --assist the two of you play: it opens what is certain, then shows its guess and the chances, and
    waits. Click where you like in the window; it goes on when your mouse rests. --hint only looks: it shows
    what is certain in every position that you play. Neither counts in `minebot stats`.
    """
    refuse_conflicts(context.command, given)
    context.exit(carry_out(RunOptions.of(given)))


def carry_out(options: RunOptions) -> int:
    """Do what `minebot run` or `minebot watch` was asked to do; the exit status."""
    from bot.errors import Stopped

    settings = settings_of(options)
    player = player_of(options.play, settings)
    with _reporter(options) as reporter, ExitStack() as ways_out:
        try:
            log = _log(reporter, ways_out) if options.kept.verbose else None
            page = _page(reporter, ways_out) if options.shown.view else None
            status = _run(_Run(options, settings, reporter, log), player, page, ways_out)
        except Stopped as error:
            if not reporter.has_reported(str(error)):
                raise
            status = error.exit_status
        finally:
            reporter.__exit__()
            reporter.summary()
    return status


def _reporter(options: RunOptions) -> LiveReporter:
    """The reporter for these options."""
    from bot.cli.parts.assist_report import AssistReporter
    from bot.cli.parts.live_report import LiveReporter
    from bot.game_line import Mode

    games, role, as_json = options.play.games, options.play.role, options.shown.as_json
    if role is Role.WATCH:
        from bot.cli.parts.showing.watch_report import WatchReporter

        return WatchReporter(games, as_json=as_json)
    if not role.is_beside_person:
        return LiveReporter(games, as_json=as_json)
    mode = Mode.HINT if role is Role.HINT else Mode.ASSIST
    return AssistReporter(games, mode, as_json=as_json, sound=options.shown.sound)


def _log(reporter: LiveReporter, ways_out: ExitStack) -> RunLog:
    """The log of this run; what the user is told is in it too."""
    from bot.recording.log import RunLog, new_log_path

    log = RunLog(new_log_path(), reporter.tell)
    ways_out.callback(log.close)
    reporter.tell(f"the log of this run: {log.path}")
    reporter.listeners.append(lambda text: log.write(f"told     {text}"))
    return log


def _page(reporter: LiveReporter, ways_out: ExitStack) -> LiveView:
    """The page of this run, which is shown what the reporter is told."""
    from bot.cli.parts.showing.live_view import serve

    page = serve(reporter.tell, ways_out)
    reporter.viewers.append(page)
    return page


@dataclass(frozen=True)
class _Run:
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


def _run(run: _Run, player: Strategy, page: LiveView | None, ways_out: ExitStack) -> int:
    """Find the window and play it, or look on; the exit status. `page`: that of the run, if there is one.

    Raises WindowError where the last game failed.
    """
    from bot.board import Result
    from bot.cli.parts.run_screen import open_screen, refuse_no_display, warm_up
    from bot.errors import WindowError
    from bot.strategy.partial import Partial

    options, tell = run.options, run.reporter.tell
    role = options.play.role
    refuse_no_display(options)
    warm_up(player, shared=role.is_beside_person)
    searched = searched_games(options.window.target, options.window.practice is not None, tell)
    screen = ways_out.enter_context(open_screen(options, tell))
    if screen.mouse is not None and role is not Role.DRY_RUN:
        screen.mouse.release()  # a bot that was killed in the middle of a click has left its button down
    sighting = find_board(options.window, searched, screen, tell, may_begin=role is Role.PLAY)
    if page is not None and options.shown.open_it:
        from bot.cli.parts.showing.live_view import open_behind

        open_behind(page, screen.windows, sighting.window, tell)
    if sighting.skin is None:
        tell("no theme knows this game: playing by what all Minesweepers share")
    if sighting.calibration is not None or sighting.skin is None:
        player = Partial(player)
    if screen.mouse is None:
        lines = _look_on(run, player, sighting, screen)
    elif role is Role.DRY_RUN:
        from bot.cli.parts.dry_run import dry_run

        target = _target(run, sighting, screen, screen.mouse)
        dry_run(target, player, flags=options.play.flags, as_json=options.shown.as_json)
        return 0
    else:
        lines = _play(run, player, sighting, screen, screen.mouse, ways_out)
    if lines[-1].outcome is Result.FAILED:
        raise WindowError(lines[-1].reason)
    return 0


def _play(
    run: _Run, player: Strategy, sighting: Sighting, screen: RunScreen, mouse: Mouse, ways_out: ExitStack
) -> list[GameLine]:
    """Play the games of a window, alone or with the person; one that its theme misfits, without its theme."""
    from bot.errors import ThemeMisfit
    from bot.strategy.partial import Partial

    target = _target(run, sighting, screen, mouse)
    try:
        return _play_target(run, player, target, ways_out)
    except ThemeMisfit as error:
        if not run.options.window.may_be_any_game:
            raise
        sighting = read_otherwise(target, error)
    run.reporter.tell(
        f"the theme {target.name} does not know all cells of this window:"
        " playing on by what all Minesweepers share"
    )
    going_on = replace(run.options.play, new=False, resume=True)
    run = replace(run, options=replace(run.options, play=going_on))
    return _play_target(run, Partial(player), _target(run, sighting, screen, mouse), ways_out)


def _target(run: _Run, sighting: Sighting, screen: RunScreen, mouse: Mouse) -> WindowTarget:
    """The window as a target, with a pointer to play it."""
    from bot.assist import WaitReason
    from bot.cli.parts.assist_report import AssistReporter
    from bot.targets.window.act.pointer import MIN_INTERVAL_S, Pointer, wait_for_rest
    from bot.targets.window.window_target import WindowTarget

    reporter, rate = run.reporter, run.settings.clicks_per_second
    play_settings = play_settings_of(run.options, run.settings, sighting)
    takeover: Takeover = reporter.pause
    if isinstance(reporter, AssistReporter):
        takeover = wait_for_rest(mouse, lambda: reporter.waits(WaitReason.REST, ""))
    interval_s = sighting.behaviour.timing.click_interval_ms / 1000
    min_interval_s = MIN_INTERVAL_S if rate is None else 1 / rate
    pointer = Pointer(mouse, interval_s, takeover, min_interval_s=min_interval_s)
    return WindowTarget(sighting, screen.capture, screen.windows, pointer, play_settings, tell=reporter.tell)


def _play_target(run: _Run, player: Strategy, target: WindowTarget, ways_out: ExitStack) -> list[GameLine]:
    """Play the games, alone or with the person."""
    from bot.cli.parts.assist_report import AssistReporter
    from bot.session import assist_games, run_games

    play, kept, reporter = run.options.play, run.options.kept, run.reporter
    flags = play.flags or target.behaviour.wins == "flagged"
    recorded = {"flags": flags, "chords": target.chords}
    if isinstance(reporter, AssistReporter):
        # A person who asks for help is in the middle of a game, more often than not.
        how = how_long(play, flags=play.flags, new=play.new)
        recorded["assist"] = True
        return assist_games(target, player, how, lambda one: run.record(one, player, recorded), reporter)
    keeper = ways_out.enter_context(results_keeper(kept.db, kept.no_db, reporter.tell, each=True))
    how = how_long(play, flags=flags, new=begins_new(target, play, reporter))
    ended = window_keeper(target, reporter.tell, game_saver(keeper, player, play.think))
    return run_games(target, player, how, lambda one: run.record(one, player, recorded), reporter, ended)


def _look_on(run: _Run, player: Strategy, sighting: Sighting, screen: RunScreen) -> list[GameLine]:
    """Look on while the person plays."""
    from bot.cli.parts.assist_report import AssistReporter
    from bot.session import Play, hint_games
    from bot.targets.window.observe.observer import WindowObserver
    from bot.targets.window.spectator import Spectator

    play, reporter = run.options.play, run.reporter
    assert isinstance(reporter, AssistReporter)
    settings = play_settings_of(run.options, run.settings, sighting)
    observer = WindowObserver(
        sighting, screen.capture, screen.windows, mines=settings.mines, first_click=settings.first_click
    )
    recorded = {"watch" if play.role is Role.WATCH else "hint": True}
    spectator = Spectator(observer, reporter.tell)
    return hint_games(
        spectator, player, Play(play.games), lambda one: run.record(one, player, recorded), reporter
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
    reporter.__exit__()
    reporter.tell("a half-played game is open. Enter plays it on, n throws it away, q leaves it alone")
    answer = ask().lower()
    if answer.startswith("q"):
        raise Stopped("the game was left as it is")
    return answer.startswith("n")
