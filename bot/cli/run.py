"""`minebot run`: play a window on the screen."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import click

from bot.cli.keep import keep_options, keeper, kept
from bot.cli.options import FIRST_CLICK_HELP, STRATEGY_NAMES, Sectioned, board_options

if TYPE_CHECKING:
    from bot.cli.live import LiveReporter
    from bot.config import Settings
    from bot.recording.record import Record
    from bot.screen.capture import Capture
    from bot.screen.mouse import Mouse
    from bot.screen.windows import Windows
    from bot.strategy.base import Strategy
    from bot.target.sighting import Sighting
    from bot.target.window import Manner, WindowTarget


SECTIONS = {
    "Which window": ("target", "window", "practice", "headless", "virtual"),
    "The built-in window, with --practice": ("level", "size", "mines", "first_click", "scale", "seed"),
    "How it plays": ("games", "strategy", "flags", "new", "resume", "clicks_per_second", "dry_run"),
    "A record time": ("name", "no_records"),
    "What is kept": ("record_dir", "no_record", "keep", "db", "no_db"),
}
"""The headings of the help, each with its options."""

NEED_PRACTICE = ("virtual", "headless", "level", "size", "scale", "seed")
"""What says how the built-in window is opened. --mines and --first-click say something of any window."""

EXCLUDE = (
    ("new", "resume"),
    ("no_record", "record_dir"),
    ("no_record", "keep"),
    ("db", "no_db"),
    ("virtual", "headless"),
    ("practice", "target"),
    ("name", "no_records"),
    ("dry_run", "record_dir"),
    ("dry_run", "keep"),
)
"""Pairs that make no sense together."""


@click.command(
    "run",
    cls=Sectioned,
    sections=SECTIONS,
    epilog="Example: minebot run --practice --level expert --games 3",
)
@click.option("--practice", is_flag=True, help="Open the built-in window and play that.")
@click.option("--virtual", is_flag=True, help="With --practice: draw the window in memory, with no display.")
@click.option("--headless", is_flag=True, help="With --practice: on a virtual display of our own (Xvfb).")
@click.option("--target", metavar="THEME", help="Look only for this theme's windows.")
@click.option(
    "--window", metavar="TITLE", help="A part of its title, or its number where several were found."
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="How many in a row.",
)
@click.option(
    "--strategy", metavar="S", help=f"Who plays: {', '.join(STRATEGY_NAMES)}. The settings have the default."
)
@board_options(
    mines="The number of mines; goes with --size. For another window, where it cannot be read there.",
    first_click=f"{FIRST_CLICK_HELP} By default safe; for another window, what its theme says.",
    default_first_click=None,
)
@click.option("--scale", type=float, metavar="S", help="The size of the drawing, 1 (the default) to 3.")
@click.option("--seed", type=click.IntRange(min=0), metavar="K", help="The games K, K+1, K+2, …")
@click.option("--flags", is_flag=True, help="Mark the mines too, and chord where that saves clicks.")
@click.option("--new", is_flag=True, help="Throw a half-played game away.")
@click.option("--resume", is_flag=True, help="Play a half-played game on.")
@click.option("--dry-run", is_flag=True, help="Say what would be clicked now, and click nothing.")
@click.option("--clicks-per-second", type=click.FloatRange(min=0.1), metavar="N", help="Click no faster.")
@click.option("--name", metavar="NAME", help="What to enter where the game asks for one after a record time.")
@click.option("--no-records", is_flag=True, help="Enter no name there: dismiss the dialog.")
@click.option("--record", "record_dir", metavar="DIR", help="Keep the recordings in this folder.")
@click.option("--no-record", is_flag=True, help="Record nothing.")
@click.option("--keep", is_flag=True, help="Recordings of this run never make room for later ones.")
@keep_options
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a game.")
@click.pass_context
def command(context: click.Context, /, **words: Any) -> None:
    """Find a Minesweeper window on the screen, read it, and click until it is won.

    Put the pointer into a corner of the screen, or press Ctrl-C, to stop at once; move the mouse to pause.
    Where a game is half played it is kept: --new throws it away, --resume plays it on.

    With --practice it opens the built-in window and plays that, with no display on a virtual one.
    """
    from bot.cli.live import LiveReporter
    from bot.errors import Stopped

    _refuse_nonsense(context.command, words)
    settings = _settings(words)
    player = _player(words, settings)
    with LiveReporter(words["games"], as_json=words["as_json"]) as reporter, ExitStack() as ways_out:
        try:
            status = _run(words, settings, player, reporter, ways_out)
        except Stopped as error:
            if not reporter.told(str(error)):
                raise
            status = error.exit_status
        finally:
            reporter.__exit__()
            reporter.summary()
    context.exit(status)


def _refuse_nonsense(command: click.Command, words: dict[str, Any]) -> None:
    """Raise UsageError for options that make no sense together."""
    from bot.errors import UsageError

    spelt = {param.name: param.opts[0] for param in command.params}
    given = {name for name, value in words.items() if value is not None and value is not False}
    for name in NEED_PRACTICE:
        if name in given and "practice" not in given:
            raise UsageError(f"{spelt[name]} goes with --practice: add it")
    for pair in EXCLUDE:
        if given.issuperset(pair):
            one, other = (spelt[name] for name in pair)
            raise UsageError(f"{one} and {other} exclude each other: leave out one of them")


def _settings(words: dict[str, Any]) -> Settings:
    """The settings file, and what the options say instead."""
    from bot.config import load_settings

    said: dict[str, Any] = {
        key: words[key] for key in ("strategy", "clicks_per_second", "name") if words[key] is not None
    }
    if words["name"] is not None or words["no_records"]:
        said["records"] = not words["no_records"]
    if words["no_record"]:
        said["record"] = False
    if words["record_dir"] is not None:
        said |= {"record": True, "record_dir": words["record_dir"]}
    return load_settings().but(**said)


def _player(words: dict[str, Any], settings: Settings) -> Strategy:
    """Who plays; the error names the settings file where the wrong name comes from there."""
    from bot.errors import FormatError, UsageError
    from bot.files import user_settings
    from bot.strategy.registry import strategy

    try:
        return strategy(settings.strategy)
    except UsageError as error:
        if words["strategy"] is not None:
            raise
        raise FormatError(f"{user_settings()}: strategy: {error}") from None


def _run(
    words: dict[str, Any],
    settings: Settings,
    player: Strategy,
    reporter: LiveReporter,
    ways_out: ExitStack,
) -> int:
    from bot.board import Result
    from bot.errors import WindowError
    from bot.session import Play, run_games
    from bot.target.hands import FASTEST_S, Hands
    from bot.target.sighting import choose, look_around
    from bot.target.window import WindowTarget
    from bot.vision.theme import load_themes

    _warm_up(player)
    themes = load_themes("practice" if words["practice"] else words["target"])
    capture, mouse, windows = ways_out.enter_context(_screen(words, reporter.tell))
    if not words["dry_run"]:
        mouse.release()  # a bot that was killed in the middle of a click has left its button down
    wanted = words["window"]
    sighting = choose(look_around(capture, windows, themes), wanted)
    reporter.tell(f"found {sighting}")
    interval = sighting.theme.spec.timing.click_interval_ms / 1000
    fastest = FASTEST_S if settings.clicks_per_second is None else 1 / settings.clicks_per_second
    hands = Hands(mouse, interval, reporter.pause, fastest_s=fastest)
    target = WindowTarget(
        sighting, capture, windows, hands, _manner(words, settings, sighting), tell=reporter.tell
    )
    if words["dry_run"]:
        return _dry_run(target, player, words)
    keep = ways_out.enter_context(keeper(words["db"], words["no_db"], reporter.tell, each=True))
    new = _half_played(target, words, reporter)
    how = Play(games=words["games"], flags=words["flags"], new=new)
    options = {"flags": how.flags, "chords": how.chords and target.chords}
    lines = run_games(
        target,
        player,
        how,
        lambda played: _recorder(played, player, settings, options, words, reporter),
        reporter,
        kept(keep, player),
    )
    if lines[-1].outcome is Result.FAILED:
        raise WindowError(lines[-1].reason)
    return 0


def _warm_up(player: Strategy) -> None:
    """Have the solver compiled before a window waits for it."""
    from bot.board import Board, Observation, Phase, Rules

    board = Board.parse("1###\n####\n###1\n####")
    player.decide(Observation(board, Phase.PLAYING, Rules(4, 4, 3)), 9)


@contextmanager
def _screen(words: dict[str, Any], tell: Callable[[str], None]) -> Iterator[tuple[Capture, Mouse, Windows]]:
    """The screen to play on, with the practice window open where that was asked for."""
    if words["virtual"]:
        from bot.geometry import Point
        from bot.practice.session import PracticeSession
        from bot.screen.virtual import VirtualScreen, VirtualWindow

        session = PracticeSession(_practice_rules(words), words["scale"] or 1.0, words["seed"])
        layout = session.layout
        screen = VirtualScreen(max(1280, layout.width + 80), max(1024, layout.height + 80))
        screen.open(VirtualWindow(session, "minebot practice", Point(40, 40)))
        tell("playing in memory: the window is drawn, read and clicked with no display")
        yield screen, screen, screen
        return

    from bot.errors import ScreenError
    from bot.screen.display import ensure_display, uses_x11
    from bot.screen.scale import claim_dpi_awareness

    if uses_x11() and not os.environ.get("DISPLAY") and not words["practice"]:
        raise ScreenError(
            "there is no display (DISPLAY is not set): run it in a desktop session,"
            " or play the built-in window with --practice"
        )
    claim_dpi_awareness()
    with ensure_display(headless=words["headless"]) as display:
        from bot.screen.capture import MssCapture
        from bot.screen.mouse import PyautoguiMouse
        from bot.screen.windows import system_windows

        if display.virtual:
            tell(f"playing on a virtual display of our own (Xvfb {display.name})")
        capture, mouse, windows = MssCapture(), PyautoguiMouse(), system_windows()
        try:
            if words["practice"]:
                with _practice_window(words):
                    yield capture, mouse, windows
            else:
                yield capture, mouse, windows
        finally:
            windows.close()
            capture.close()


def _practice_rules(words: dict[str, Any]) -> Any:
    from bot.board import FirstClick
    from bot.game.levels import rules_from

    first_click = FirstClick(words["first_click"] or "safe")
    return rules_from(words["level"], words["size"], words["mines"], first_click)


@contextmanager
def _practice_window(words: dict[str, Any]) -> Iterator[None]:
    from bot.screen.programs import Practice

    rules = _practice_rules(words)
    options = ["--first-click", rules.first_click.value, "--scale", str(words["scale"] or 1.0)]
    if words["seed"] is not None:
        options += ["--seed", str(words["seed"])]
    practice = Practice()
    try:
        practice.start(rules.columns, rules.rows, rules.mines, *options)
        yield
    finally:
        practice.stop()


def _manner(words: dict[str, Any], settings: Settings, sighting: Sighting) -> Manner:
    from bot.board import FirstClick
    from bot.game.levels import check_mines
    from bot.target.window import Manner

    mines = words["mines"]
    if words["practice"]:
        mines = _practice_rules(words).mines  # we opened it: at odd scales its counter may not be read
    elif mines is not None:
        grid = sighting.view.grid
        check_mines(grid.columns, grid.rows, mines, FirstClick.ANY)
    first_click = FirstClick(words["first_click"]) if words["first_click"] else None
    return Manner(
        name=settings.name,
        records=settings.records,
        look_limit_s=settings.look_limit_s,
        mines=mines,
        first_click=first_click,
    )


def _half_played(target: WindowTarget, words: dict[str, Any], reporter: LiveReporter) -> bool:
    """Whether to begin with a new game; a half-played one is not thrown away unasked."""
    import sys

    from bot.board import Phase
    from bot.cli.live import ask
    from bot.errors import Stopped, WindowError

    if words["new"] or target.observe().phase is not Phase.PLAYING:
        return bool(words["new"])
    if words["resume"]:
        return False
    if not sys.stdin.isatty():
        raise WindowError(
            f"a half-played game is open in {target.title!r}: --new throws it away, --resume plays it on"
        )
    reporter.__exit__()
    reporter.tell("a half-played game is open. Enter plays it on, n throws it away, q leaves it alone")
    answer = ask().lower()
    if answer.startswith("q"):
        raise Stopped("the game was left as it is")
    return answer.startswith("n")


def _recorder(
    target: WindowTarget,
    player: Strategy,
    settings: Settings,
    options: dict[str, Any],
    words: dict[str, Any],
    reporter: LiveReporter,
) -> Record:
    from bot.geometry import Point
    from bot.recording.format import Header
    from bot.recording.record import NullRecorder
    from bot.recording.store import keep, recordings_folder, start

    if not settings.record:
        return NullRecorder()
    header = Header.of(
        target=target.theme.name,
        theme=target.theme.name,
        theme_fingerprint=target.theme.fingerprint,
        grid=target.view.grid,
        rules=target.rules,
        strategy=player,
        options=options,
        origin=Point(target.view.rect.x, target.view.rect.y),
    )
    folder = recordings_folder(settings.record_dir)
    recorder = start(folder, header, budget=settings.record_budget, warn=reporter.tell)
    if words["keep"] and recorder.folder is not None:
        keep(recorder.folder)
    return recorder


def _dry_run(target: WindowTarget, player: Strategy, words: dict[str, Any]) -> int:
    """Print what would be clicked now."""
    import json

    from bot.play import moves_for

    observation = target.observe()
    if observation.phase.over:
        click.echo(f"the game is {observation.phase.value}: a new one would be started")
        return 0
    decision = player.decide(observation, 0)
    moves = moves_for(decision, observation.board, flags=words["flags"], chords=target.chords)
    places = [target.view.cell_on_screen(move.cell) for move in moves]
    if words["as_json"]:
        clicks = [
            {"action": move.action.value, "row": move.row, "column": move.column, "x": at.x, "y": at.y}
            for move, at in zip(moves, places, strict=True)
        ]
        told = {"kind": decision.kind.value, "rung": decision.rung, "survival": decision.survival}
        click.echo(json.dumps(told | {"reason": decision.reason, "clicks": clicks}))
        return 0
    click.echo(f"{decision.kind.value} ({decision.rung}): {decision.reason}")
    for move, at in zip(moves, places, strict=True):
        click.echo(f"{move.action.value} row {move.row}, column {move.column} at {at.x},{at.y}")
    return 0
