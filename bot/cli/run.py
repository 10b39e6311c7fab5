"""`minebot run`: play a window on the screen."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from bot.cli.parts.board_search import (
    DRAWN_S,
    find_all_boards,
    look_until_drawn,
    read_otherwise,
    searched_games,
    with_unknown,
)
from bot.cli.parts.options import FIRST_CLICK_HELP, STRATEGY_NAMES, Sectioned, board_options, think_option
from bot.cli.parts.recording.played_window_keeping import window_keeper
from bot.cli.parts.recording.run_record import logged, recorder_of
from bot.cli.parts.results_keeping import game_saver, keep_options, results_keeper
from bot.cli.parts.words.how_long import ENDLESS, check_restart, how_long, seconds_of
from bot.cli.parts.words.option_conflicts import refuse_conflicts
from bot.cli.parts.words.run_settings import play_settings_of, player_of, settings_of

if TYPE_CHECKING:
    from bot.cli.parts.live_report import LiveReporter
    from bot.config import Settings
    from bot.game_line import GameLine
    from bot.recording.log import RunLog
    from bot.recording.record import Record
    from bot.screen.capture import Capture
    from bot.screen.mouse import Mouse
    from bot.screen.windows import Windows
    from bot.strategy.base import Strategy
    from bot.targets.window.act.pointer import Takeover
    from bot.targets.window.play_settings import PlaySettings
    from bot.targets.window.sighting import Sighting
    from bot.targets.window.spectator import Spectator
    from bot.targets.window.window_target import WindowTarget

    Found = tuple[Sighting, Capture, Windows, PlaySettings]
    """The board to play, what it is looked at with, and how it is played."""

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
def command(context: click.Context, /, **words: Any) -> None:
    """Find a Minesweeper window on the screen, read it, and click until it is won.

    Put the pointer into a corner of the screen, or press Ctrl-C or (on X11) F12, to stop at once; move the
    mouse to pause.
    Where a game is half played it is kept: --new throws it away, --resume plays it on.

    With --practice it opens the built-in window and plays that, with no display on a virtual one.

    With --assist the two of you play: it opens what is certain, then shows its guess and the chances, and
    waits. Click where you like in the window; it goes on when your mouse rests. --hint only looks: it shows
    what is certain in every position that you play. Neither counts in `minebot stats`.
    """
    refuse_conflicts(context.command, words)
    carry_out(context, words)


def carry_out(context: click.Context, words: dict[str, Any]) -> None:
    """Do what the options of `minebot run` say, by their names; with `watch` in silence."""
    from bot.errors import Stopped

    if words.get("restart") not in (None, "ask"):
        check_restart(words["restart"])
    words["time_s"] = None if words["for_time"] is None else seconds_of(words["for_time"])
    endless = words["until_won"] or words["for_time"] is not None
    words["games"] = words["games"] or (ENDLESS if endless else 1)
    settings = settings_of(words)
    player = player_of(words, settings)
    with _reporter(words) as reporter, ExitStack() as ways_out:
        try:
            words["log"] = _log(reporter, ways_out) if words["verbose"] else None
            if words["view"]:
                from bot.cli.parts.showing.live_view import serve

                words["page"] = serve(reporter.tell, ways_out)
                reporter.viewers.append(words["page"])
            status = _run(words, settings, player, reporter, ways_out)
        except Stopped as error:
            if not reporter.has_reported(str(error)):
                raise
            status = error.exit_status
        finally:
            reporter.__exit__()
            reporter.summary()
    context.exit(status)


def _reporter(words: dict[str, Any]) -> LiveReporter:
    """The reporter for these options."""
    from bot.cli.parts.assist_report import AssistReporter
    from bot.cli.parts.live_report import LiveReporter
    from bot.game_line import Mode

    games, as_json = words["games"], words["as_json"]
    if words.get("watch"):
        from bot.cli.parts.showing.watch_report import WatchReporter

        return WatchReporter(games, as_json=as_json)
    if not (words["assist"] or words["hint"]):
        return LiveReporter(games, as_json=as_json)
    mode = Mode.HINT if words["hint"] else Mode.ASSIST
    return AssistReporter(games, mode, as_json=as_json, sound=words["sound"])


def _log(reporter: LiveReporter, ways_out: ExitStack) -> RunLog:
    """The log of this run; what the user is told is in it too."""
    from bot.recording.log import RunLog, new_log_path

    log = RunLog(new_log_path(), reporter.tell)
    ways_out.callback(log.close)
    reporter.tell(f"the log of this run: {log.path}")
    reporter.listeners.append(lambda text: log.write(f"told     {text}"))
    return log


def _run(
    words: dict[str, Any],
    settings: Settings,
    player: Strategy,
    reporter: LiveReporter,
    ways_out: ExitStack,
) -> int:
    from bot.board import Result
    from bot.cli.parts.dry_run import dry_run
    from bot.cli.parts.run_screen import refuse_no_display, run_screen, warm_up
    from bot.errors import ThemeMisfit, WindowError
    from bot.strategy.partial import Partial
    from bot.targets.window.events.pause import wake
    from bot.targets.window.events.start_menu import start_menus
    from bot.targets.window.locate.board_finder import choose
    from bot.targets.window.locate.unknown_boards import refuse_hexagons

    refuse_no_display(words)
    warm_up(player, shared=words["assist"] or words["hint"])
    themes, calibrations = searched_games(words["target"], words["practice"], reporter.tell)
    capture, mouse, windows = ways_out.enter_context(run_screen(words, reporter.tell))
    if mouse is not None and not words["dry_run"]:
        mouse.release()  # a bot that was killed in the middle of a click has left its button down
    drawn_s = DRAWN_S if words["practice"] else 0.0
    any_game = words["target"] is None and not words["practice"]
    may_begin = not (words["dry_run"] or words["assist"])

    def look() -> list[Sighting]:
        found = find_all_boards(capture, windows, themes, calibrations, limit_s=drawn_s)
        if not found and mouse is not None and wake(capture, windows, themes):
            found = find_all_boards(capture, windows, themes, calibrations)
        return with_unknown(found, capture, windows, words["window"]) if any_game else found

    sightings = look_until_drawn(capture, look)
    if any_game and not sightings and mouse is not None and may_begin:
        for told in start_menus(capture, windows, mouse, words["window"]):
            reporter.tell(told)
            sightings = look_until_drawn(capture, look)
            if sightings:
                break
    if any_game and not sightings:
        refuse_hexagons(capture)
    sighting = choose(sightings, words["window"], words["target"])
    reporter.tell(f"found {sighting}")
    if sighting.other_calibrations:
        others = ", ".join(sighting.other_calibrations)
        reporter.tell(
            f"played by the calibration {sighting.calibration_name}; --target takes another: {others}"
        )
    if words["open_it"]:
        from bot.cli.parts.showing.live_view import open_behind

        open_behind(words["page"], windows, sighting.window, reporter.tell)
    if sighting.skin is None:
        reporter.tell("no theme knows this game: playing by what all Minesweepers share")
    play_settings = play_settings_of(words, settings, sighting)
    if sighting.calibration is not None or sighting.skin is None:
        player = Partial(player)
    if mouse is None:
        lines = _hint(words, settings, player, reporter, (sighting, capture, windows, play_settings))
    else:
        target = _target(words, settings, reporter, mouse, (sighting, capture, windows, play_settings))
        if words["dry_run"]:
            return dry_run(target, player, words)
        try:
            lines = _play(words, settings, player, reporter, target, ways_out)
        except ThemeMisfit as error:
            if not any_game:
                raise
            sighting = read_otherwise(target, error)
            reporter.tell(
                f"the theme {target.name} does not know all cells of this window:"
                " playing on by what all Minesweepers share"
            )
            words |= {"new": False, "resume": True}
            play_settings = play_settings_of(words, settings, sighting)
            found = sighting, capture, windows, play_settings
            target = _target(words, settings, reporter, mouse, found)
            lines = _play(words, settings, Partial(player), reporter, target, ways_out)
    if lines[-1].outcome is Result.FAILED:
        raise WindowError(lines[-1].reason)
    return 0


def _target(
    words: dict[str, Any], settings: Settings, reporter: LiveReporter, mouse: Mouse, found: Found
) -> WindowTarget:
    """The window as a target, with a pointer to play it."""
    from bot.assist import WaitReason
    from bot.cli.parts.assist_report import AssistReporter
    from bot.targets.window.act.pointer import MIN_INTERVAL_S, Pointer, wait_for_rest
    from bot.targets.window.window_target import WindowTarget

    sighting, capture, windows, play_settings = found
    interval = sighting.behaviour.timing.click_interval_ms / 1000
    min_interval_s = MIN_INTERVAL_S if settings.clicks_per_second is None else 1 / settings.clicks_per_second
    takeover: Takeover = reporter.pause
    if isinstance(reporter, AssistReporter):
        takeover = wait_for_rest(mouse, lambda: reporter.waits(WaitReason.REST, ""))
    pointer = Pointer(mouse, interval, takeover, min_interval_s=min_interval_s)
    return WindowTarget(sighting, capture, windows, pointer, play_settings, tell=reporter.tell)


def _play(
    words: dict[str, Any],
    settings: Settings,
    player: Strategy,
    reporter: LiveReporter,
    target: WindowTarget,
    ways_out: ExitStack,
) -> list[GameLine]:
    """Play the games, alone or with the person."""
    from bot.cli.parts.assist_report import AssistReporter
    from bot.session import assist_games, run_games

    flags = words["flags"] or target.behaviour.wins == "flagged"
    options: dict[str, Any] = {"flags": flags, "chords": target.chords}

    def record(played: WindowTarget) -> Record:
        return logged(words, recorder_of(played, player, settings, options, words, reporter))

    if isinstance(reporter, AssistReporter):
        # A person who asks for help is in the middle of a game, more often than not.
        how = how_long(words, flags=words["flags"], new=words["new"])
        options["assist"] = True
        return assist_games(target, player, how, record, reporter)
    keep = ways_out.enter_context(results_keeper(words["db"], words["no_db"], reporter.tell, each=True))
    how = how_long(words, flags=flags, new=_half_played(target, words, reporter))
    ended = window_keeper(target, reporter.tell, game_saver(keep, player, words["think"]))
    return run_games(target, player, how, record, reporter, ended)


def _hint(
    words: dict[str, Any], settings: Settings, player: Strategy, reporter: LiveReporter, found: Found
) -> list[GameLine]:
    """Look on while the person plays."""
    from bot.cli.parts.assist_report import AssistReporter
    from bot.session import Play, hint_games
    from bot.targets.window.observe.observer import WindowObserver
    from bot.targets.window.spectator import Spectator

    assert isinstance(reporter, AssistReporter)
    sighting, capture, windows, play_settings = found
    observer = WindowObserver(
        sighting, capture, windows, mines=play_settings.mines, first_click=play_settings.first_click
    )

    def record(seen: Spectator) -> Record:
        return logged(
            words,
            recorder_of(
                seen, player, settings, {"watch" if words.get("watch") else "hint": True}, words, reporter
            ),
        )

    how = Play(words["games"])
    return hint_games(Spectator(observer, reporter.tell), player, how, record, reporter)


def _half_played(target: WindowTarget, words: dict[str, Any], reporter: LiveReporter) -> bool:
    """Whether to begin with a new game; a half-played one is not thrown away unasked."""
    from bot.board import Phase
    from bot.cli.parts.live_report import ask
    from bot.errors import Stopped, WindowError
    from bot.process.terminal import somebody_answers
    from bot.targets.board_changes import is_one_opening

    if words["new"] or (seen := target.observe()).phase is not Phase.PLAYING or target.fresh:
        return bool(words["new"])
    # Some games begin with an opening; of any other one as little is lost.
    if words["resume"] or (target.is_unknown and is_one_opening(seen.board)):
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
