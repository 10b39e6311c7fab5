"""`minebot calibrate`: teach minebot a window that no theme fits, by letting it play."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.parts.options import FiniteRange, Sectioned
from bot.cli.parts.outputs import (
    PICTURES,
    OutputFile,
    complain,
    json_text,
    refuse_beside_json,
    text_beside,
    write,
    write_picture,
)
from bot.cli.parts.words import completed

if TYPE_CHECKING:
    from bot.calibrate.lesson import Learned
    from bot.screen.capture import Capture
    from bot.screen.mouse import Mouse
    from bot.screen.windows import Windows

SECTIONS = {
    "To learn a window": ("window", "name", "mines", "seconds", "anew"),
    "What is known of a calibration": ("listed", "calibration", "labels", "glyphs", "forget"),
    "To share it": ("exported", "taken"),
}

OF_OTHERS = ("window", "name", "mines", "anew", "labels", "glyphs", "exported")
"""The fields that say nothing to --list and --forget."""


@dataclass(frozen=True)
class CalibrateOptions:
    """What `minebot calibrate` was asked to do, apart from NAME; the fields are click's parameters."""

    window: str | None
    """A part of the title of the window to learn; None for the only one."""
    name: str | None
    """What to call what is learned or taken; None for a name made of the title, or of the file."""
    mines: int | None
    """The number of mines; None to read or to find it."""
    seconds: float
    """The longest time to play, in seconds."""
    anew: bool
    """Whether a window is learned even where a theme or a calibration fits."""
    labels: tuple[str, ...]
    """Corrections, each as `GLYPH=LETTER`."""
    glyphs: Path | None
    """Where all glyphs are drawn."""
    listed: bool
    """Whether the calibrations are listed."""
    forget: bool
    """Whether the one that is named is removed."""
    exported: Path | None
    """Where the one that is named is written for another machine."""
    taken: Path | None
    """The file of another machine to take one from."""
    as_json: bool
    """Whether the results are printed as JSON objects, for programs."""

    def first_of(self, *names: str) -> str | None:
        """The first of these fields that was given; None if none was."""
        return next((name for name in names if getattr(self, name)), None)


@click.command(
    "calibrate",
    cls=Sectioned,
    sections=SECTIONS,
    epilog="Example: minebot calibrate --window Mines --name mines, then minebot run --target mines",
)
@click.argument("calibration", required=False, type=completed.Named(completed.calibrations), metavar="[NAME]")
@click.option("--window", metavar="TITLE", help="A part of the title of the window to learn.")
@click.option("--name", metavar="NAME", help="What to call it; by default a name made of the title.")
@click.option("--mines", type=click.IntRange(min=1), metavar="N", help="The number of mines, if you know it.")
@click.option(
    "--seconds",
    type=FiniteRange(min=20, max=1800),
    default=100.0,
    show_default=True,
    metavar="S",
    help="Play for so long at the most. Windows that play their losses slowly need more.",
)
@click.option("--anew", is_flag=True, help="Learn it even where a theme or a calibration fits.")
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="GLYPH=LETTER",
    help="Correct the calibration NAME: this glyph (a file, as NAME lists them) means this letter of"
    " the board: . 1 to 8 # F ? * X x, or - to forget it.",
)
@click.option(
    "--glyphs",
    type=OutputFile(PICTURES),
    metavar="OUT.png",
    help="Draw all glyphs with their meaning; - is stdout. By default beside the calibration.",
)
@click.option("--list", "listed", is_flag=True, help="List the windows that were learned here.")
@click.option("--forget", is_flag=True, help="Remove the calibration NAME and its glyphs.")
@click.option(
    "--export",
    "exported",
    type=OutputFile((".zip",), "calibration"),
    metavar="OUT.zip",
    help="Write the calibration NAME and its glyphs as one file, which another machine takes.",
)
@click.option(
    "--import",
    "taken",
    type=click.Path(path_type=Path),
    metavar="FILE.zip",
    help="Take a calibration that another machine exported; it is called as the file, or as --name says.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was learned as a JSON object.")
def command(calibration: str | None, **given: Any) -> None:
    """Learn a Minesweeper window that minebot cannot read: it plays some throw-away games in it.

    It plays as `minebot run` plays a game that no theme knows, sets flags in one game and loses one on
    purpose. So it finds out what each look means, how a new game is started, what wins, and what protects the
    first click. Then `minebot run` plays that window.

    The game that is open is thrown away. Ctrl-C, the pointer in a corner of the screen, or your hand on the
    mouse stop it at once, and nothing is kept.

    `minebot run` learns as well, while it plays such a window, and keeps that by itself.

    With NAME it lists what is known of a calibration; --label corrects it, --forget removes it, and --export
    writes it for another machine, which takes it with --import.
    """
    from bot.errors import UsageError

    options = CalibrateOptions(**given)
    refuse_beside_json(options.glyphs, "--glyphs", options.as_json)
    if options.listed:
        wrong = options.first_of(*OF_OTHERS, "forget", "taken")
        if calibration is not None or wrong is not None:
            rest = "NAME" if wrong is None else "the rest"
            raise UsageError(f"--list lists all that were learned: leave out {rest}, or --list")
        _list(as_json=options.as_json)
        return
    if options.forget:
        wrong = options.first_of(*OF_OTHERS, "taken", "as_json")
        if calibration is None or wrong is not None:
            raise UsageError("--forget removes one calibration: `minebot calibrate NAME --forget` alone")
        from bot.calibrate.save.corrections import forget

        click.echo(f"minebot: forgotten: {', '.join(map(str, forget(calibration)))}", err=True)
        return
    if options.taken is not None:
        _take(options.taken, calibration, options)
        return
    if calibration is None:
        if options.exported is not None:
            raise UsageError("--export writes one calibration: `minebot calibrate NAME --export OUT.zip`")
        if options.labels:
            raise UsageError(
                "--label corrects a calibration: name it first, as in `minebot calibrate NAME --label …`"
            )
        _learn(options)
        return
    wrong = options.first_of("window", "name", "mines", "anew")
    if wrong is not None:
        raise UsageError(
            f"--{wrong} goes with learning a window, NAME with one that is learned: leave out one of them"
        )
    if options.exported is not None and options.first_of("glyphs", "as_json") is not None:
        raise UsageError("--export writes a file for another machine: leave out --glyphs and --json")
    _known(calibration, options)


def _learn(options: CalibrateOptions) -> None:
    import os

    from bot.calibrate.save.theme_writer import check_name
    from bot.errors import ScreenError
    from bot.process.dpi import claim_dpi_awareness
    from bot.screen.display import ensure_display, uses_x11
    from bot.screen.mouse_lock import only_bot
    from bot.screen.wayland.ways import on_wayland

    if options.name is not None:
        check_name(options.name)
    if uses_x11() and not os.environ.get("DISPLAY") and not on_wayland():
        raise ScreenError("there is no display (DISPLAY is not set): run it in a desktop session")
    claim_dpi_awareness()
    with ensure_display() as display, only_bot(display.name):
        from bot.screen.this_machine import system_capture, system_mouse, system_windows

        if display.notice:
            complain(display.notice)
        capture, mouse, windows = system_capture(), system_mouse(), system_windows()
        try:
            mouse.release()
            _play_and_keep(capture, mouse, windows, options)
        finally:
            mouse.release()
            windows.close()
            capture.close()


def _play_and_keep(capture: Capture, mouse: Mouse, windows: Windows, options: CalibrateOptions) -> None:
    """Choose the window, play in it, and keep and tell what was learned."""
    from bot.calibrate.lesson import Lesson
    from bot.calibrate.save.played_window import PlayedWindow
    from bot.calibrate.save.theme_writer import name_from
    from bot.calibrate.window_choice import choose_window, refuse_known
    from bot.cli.parts.run_screen import warm_up
    from bot.strategy.partial import Partial
    from bot.strategy.registry import strategy
    from bot.targets.window import PlaySettings, WindowTarget
    from bot.targets.window.act.pointer import Pointer

    chosen = choose_window(capture, windows, options.window)
    if not options.anew:
        refuse_known(capture, windows, chosen, complain)
    grid = chosen.view.grid
    complain(
        f"learning {chosen.title!r}: {grid.columns}x{grid.rows} cells of {grid.cell_width:.4g} pixels. Leave"
        " the mouse alone; a corner of the screen or Ctrl-C stops it"
    )
    player = Partial(strategy("best"))
    warm_up(player, shared=False)
    pointer = Pointer(mouse, chosen.behaviour.timing.click_interval_ms / 1000)
    settings = PlaySettings(mines=options.mines, records=False, wait_s=0)
    target = WindowTarget(chosen, capture, windows, pointer, settings, tell=complain)
    name = options.name or name_from(chosen.title)
    kept = PlayedWindow(target.observer, name, "minebot calibrate", keeps_given_mines=True)
    try:
        learned = Lesson(target, player, kept, budget_s=options.seconds, tell=complain).learn()
    finally:
        pointer.let_go()
    folder, file = kept.write()
    picture = _draw(name, learned, options.glyphs or folder / "glyphs.png")
    with text_beside(picture):
        _told(name, learned, folder, file, picture, options.as_json)


def _draw(name: str, learned: Learned, path: Path) -> Path:
    from bot.calibrate.save.glyph_sheet import draw_sheet
    from bot.errors import BotError

    try:
        write_picture(path, draw_sheet(learned.looks))
    except BotError as error:
        raise BotError(f"{error}: draw it with `minebot calibrate {name} --glyphs OUT.png`") from None
    return path


def _told(name: str, learned: Learned, folder: Path, file: Path, picture: Path, as_json: bool) -> None:
    from bot.board import SYMBOLS
    from bot.calibrate.save.glyph_sheet import certainty
    from bot.targets.window.events.new_game_places import described

    way = "unknown: start each game yourself" if learned.new_game is None else described(learned.new_game)
    if as_json:
        click.echo(
            json_text(
                {
                    "name": name,
                    "columns": learned.columns,
                    "rows": learned.rows,
                    "mines": learned.mines,
                    "first_click": learned.first_click.value,
                    "first_clicks": learned.first_clicks,
                    "flags_to_win": learned.flags_to_win,
                    "new_game": None if learned.new_game is None else way,
                    "seconds": round(learned.seconds, 1),
                    "games": learned.games,
                    "clicks": learned.clicks,
                    "glyphs": learned.seen(),
                    "theme": str(folder),
                    "calibration": str(file),
                    "picture": str(picture),
                }
            )
        )
        return
    from bot.cli.parts.tables import print_table

    rows = [(SYMBOLS[look.code], certainty(look), look.why) for look in learned.looks]
    print_table(("letter", "how sure", "because"), rows)
    mines = "unknown" if learned.mines is None else str(learned.mines)
    protected = {
        "any": "not known to be protected" if not learned.first_lost else "not protected",
        "safe": "never a mine",
        "zero": "always opens a zero",
    }[learned.first_click.value]
    click.echo(f"mines: {mines}; the first click: {protected} ({learned.first_clicks} tried)")
    click.echo(f"a new game: {way}")
    for note in learned.notes:
        click.echo(note)
    click.echo(
        f"learned in {learned.seconds:.0f} s, {learned.games} games, {learned.clicks} clicks;"
        f" all glyphs: {picture}"
    )
    click.echo(f"play it: minebot run --target {name}")


def _list(*, as_json: bool) -> None:
    """List the calibrations of this user, each with its window."""
    from bot.targets.window.calibration import calibration_files, came_with_minebot, own_calibrations

    found = own_calibrations(complain)
    if as_json:
        for name, one in found.items():
            line = {
                "name": name,
                "theme": one.theme,
                "window": one.window.title,
                "columns": one.grid.columns,
                "rows": one.grid.rows,
                "mines": one.mines,
                "new_game": None if one.new_game is None else one.new_game.kind,
                "made": one.made,
            }
            click.echo(json_text(line))
        return
    if not found:
        files = calibration_files()
        came = came_with_minebot(files)
        state = "no window was learned here yet"
        if damaged := ", ".join(sorted(files.keys() - came)):
            state = f"what was learned here of {damaged} is damaged"
        also = f" ({', '.join(came)} came with minebot)" if came else ""
        complain(f"{state}{also}: `minebot run` and `minebot calibrate` learn windows")
        return
    from bot.cli.parts.tables import print_table

    rows = [
        (
            name,
            one.window.title,
            f"{one.grid.columns}x{one.grid.rows}",
            "unknown" if one.new_game is None else one.new_game.key or one.new_game.kind,
            one.made,
        )
        for name, one in found.items()
    ]
    print_table(("name", "window", "cells", "a new game", "made"), rows)


def _take(file: Path, calibration: str | None, options: CalibrateOptions) -> None:
    """Take a calibration that another machine exported as this file. `calibration` is NAME, if given."""
    from bot.calibrate.save.sharing import take
    from bot.errors import UsageError

    wrong = options.first_of("window", "mines", "anew", "labels", "glyphs", "exported")
    if calibration is not None or wrong is not None:
        raise UsageError("--import takes a file and, with --name, another name for it: leave out the rest")
    taken = take(file, options.name)
    if options.as_json:
        click.echo(json_text({"name": taken.name, "window": taken.title}))
        return
    complain(
        f"taken as {taken.name}, for a window {taken.title!r} of {taken.width}x{taken.height} pixels:"
        f" minebot run --target {taken.name}"
    )


def _known(name: str, options: CalibrateOptions) -> None:
    """List, correct or draw what is known of a calibration."""
    from bot.calibrate.save.corrections import correct_glyphs, known_glyphs
    from bot.targets.window.calibration import load_calibration

    calibration = load_calibration(name)
    if options.labels:
        changed = correct_glyphs(calibration.theme, options.labels)
        click.echo(f"minebot: {changed} of {calibration.theme} corrected", err=True)
    if options.exported is not None:
        from bot.calibrate.save.sharing import exported

        write(options.exported, exported(name))
        return
    glyphs = known_glyphs(calibration.theme)
    if options.glyphs is not None:
        from bot.calibrate.save.corrections import draw_glyphs

        write_picture(options.glyphs, draw_glyphs(calibration.theme))
    if options.as_json:
        letters = {glyph.file: glyph.letter for glyph in glyphs}
        click.echo(json_text({"name": name, "theme": calibration.theme, "glyphs": letters}))
        return
    from bot.cli.parts.tables import print_table

    with text_beside(options.glyphs):
        rows = [
            (glyph.file, glyph.letter, ", ".join(f"{width}x{height}" for width, height in glyph.sizes))
            for glyph in glyphs
        ]
        print_table(("glyph", "letter", "sizes in pixels"), rows)
