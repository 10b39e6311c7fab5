"""`minebot run`: play a window on the screen."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from bot.cli.parts.board_search import find_board, searched_games
from bot.cli.parts.live_play import RunSetup, look_on, play_window, window_target
from bot.cli.parts.options import (
    FIRST_CLICK_HELP,
    FiniteRange,
    Sectioned,
    board_options,
    record_option,
    strategy_option,
    think_option,
)
from bot.cli.parts.results_keeping import keep_options
from bot.cli.parts.words import completed
from bot.cli.parts.words.option_conflicts import refuse_conflicts
from bot.cli.parts.words.run_options import Role, RunOptions
from bot.cli.parts.words.run_settings import player_of, settings_of

if TYPE_CHECKING:
    from bot.cli.parts.live_report import LiveReporter
    from bot.recording.log import RunLog
    from bot.show.live import LiveView
    from bot.strategy.base import Strategy

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
    "--target",
    type=completed.Named(completed.targets),
    metavar="NAME",
    help="Look only for windows of this theme, or for this calibrated window.",
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
@strategy_option()
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
@click.option("--clicks-per-second", type=FiniteRange(min=0.1), metavar="N", help="Click no faster.")
@click.option("--name", metavar="NAME", help="What to enter where the game asks for one after a record time.")
@click.option("--no-records", is_flag=True, help="Enter no name there: dismiss the dialog.")
@record_option
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
            status = _find_and_play(RunSetup(options, settings, reporter, log), player, page, ways_out)
        except Stopped as error:
            if not reporter.has_reported(str(error)):
                raise
            status = error.exit_status
        finally:
            reporter.end_live_line()
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


def _find_and_play(setup: RunSetup, player: Strategy, page: LiveView | None, ways_out: ExitStack) -> int:
    """Find the window and play it, or look on; the exit status. `page`: that of the run, if there is one.

    Raises WindowError where the last game failed.
    """
    from bot.board import Result
    from bot.cli.parts.run_screen import open_screen, practice_rules, refuse_no_display, warm_up
    from bot.errors import WindowError
    from bot.strategy.partial import Partial

    options, tell = setup.options, setup.reporter.tell
    role = options.play.role
    if options.window.practice is not None:
        practice_rules(options.window.practice, options.window)  # what cannot be played is told at once
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
        lines = look_on(setup, player, sighting, screen)
    elif role is Role.DRY_RUN:
        from bot.cli.parts.dry_run import dry_run

        target = window_target(setup, sighting, screen, screen.mouse)
        dry_run(target, player, flags=options.play.flags, as_json=options.shown.as_json)
        return 0
    else:
        lines = play_window(setup, player, sighting, screen, screen.mouse, ways_out)
    if lines[-1].outcome is Result.FAILED:
        raise WindowError(lines[-1].reason)
    return 0
