"""The screen that `minebot run` plays on: that of the desktop, a virtual one, or one in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.cli.parts.words.run_options import PracticeOptions, Role, RunOptions, WindowOptions

if TYPE_CHECKING:
    from bot.board import Rules
    from bot.screen.capture import Capture
    from bot.screen.mouse import Mouse
    from bot.screen.virtual import VirtualScreen
    from bot.screen.windows import Windows
    from bot.strategy.base import Strategy


@dataclass(frozen=True)
class RunScreen:
    """What a run looks at and clicks in."""

    capture: Capture
    mouse: Mouse | None
    """None where a person alone plays, so that nothing can be clicked."""
    windows: Windows


def refuse_no_display(options: RunOptions) -> None:
    """Raise ScreenError if a display is needed and missing. Called before the solver is compiled, which takes
    a minute."""
    from bot.errors import ScreenError
    from bot.screen.display import uses_x11
    from bot.screen.wayland.ways import on_wayland

    practice, is_beside_person = options.window.practice, options.play.role.is_beside_person
    if practice is not None and (practice.virtual or practice.headless):
        return
    if not uses_x11() or os.environ.get("DISPLAY") or on_wayland():
        return
    if practice is None:
        # A person who plays too needs a screen to see.
        other = "" if is_beside_person else ", or play the built-in window with --practice"
        raise ScreenError(f"there is no display (DISPLAY is not set): run it in a desktop session{other}")
    if is_beside_person:
        raise ScreenError(
            "--assist and --hint need a screen that you see, and there is none (DISPLAY is not set):"
            " run it in a desktop session, or say --headless where you look at that screen otherwise"
        )


@contextmanager
def open_screen(options: RunOptions, tell: Callable[[str], None]) -> Iterator[RunScreen]:
    """The screen to play on while the body runs, with the built-in window open for `--practice`.

    Raises ScreenError if there is no screen and if another bot uses the mouse.
    """
    window, role = options.window, options.play.role
    if window.practice is not None and window.practice.virtual:
        screen = _screen_in_memory(window.practice, practice_rules(window.practice, window))
        tell("playing in memory: the window is drawn, read and clicked with no display")
        yield RunScreen(screen, screen, screen)
        return

    from bot.process.dpi import claim_dpi_awareness
    from bot.screen.display import ensure_display

    claim_dpi_awareness()
    is_headless = window.practice is not None and window.practice.headless
    with ensure_display(headless=is_headless) as display, ExitStack() as ways_out:
        from bot.screen.mouse_lock import only_bot
        from bot.screen.this_machine import (
            STOP_KEY,
            stop_key,
            system_capture,
            system_mouse,
            system_windows,
        )

        if display.virtual:
            tell(f"playing on a virtual display of our own (Xvfb {display.name})")
        if role in (Role.PLAY, Role.ASSIST):
            ways_out.enter_context(only_bot(display.name))
            if not display.virtual and ways_out.enter_context(stop_key()):
                tell(f"{STOP_KEY}, whichever window has the keyboard, stops it; so do Ctrl-C and a corner")
        if display.notice:
            tell(display.notice)
        mouse = None if role.looks_on else system_mouse()
        capture, windows = system_capture(), system_windows()
        try:
            with ExitStack() as opened:
                if window.practice is not None:
                    rules = practice_rules(window.practice, window)
                    opened.enter_context(_practice_window(window.practice, rules))
                yield RunScreen(capture, mouse, windows)
        finally:
            windows.close()
            capture.close()


def practice_rules(practice: PracticeOptions, window: WindowOptions) -> Rules:
    """The rules of the built-in window that the options ask for. Raises UsageError for impossible ones, and
    for a board that is too small to be found on the screen."""
    from bot.board import FirstClick
    from bot.errors import UsageError
    from bot.game.levels import rules_from
    from bot.vision.grid import MIN_BOARD_SIDE

    first_click = FirstClick(window.first_click or "safe")
    rules = rules_from(practice.level, practice.size, window.mines, first_click)
    if min(rules.columns, rules.rows) < MIN_BOARD_SIDE:
        raise UsageError(
            f"a board of {rules.size} is too small to be found on a screen: use --size"
            f" {MIN_BOARD_SIDE}x{MIN_BOARD_SIDE} or larger; `minebot simulate` plays smaller ones"
        )
    return rules


def _screen_in_memory(practice: PracticeOptions, rules: Rules) -> VirtualScreen:
    """A screen in memory with the built-in window on it."""
    from bot.geometry import Point
    from bot.practice.session import PracticeSession
    from bot.screen.virtual import VirtualScreen, VirtualWindow

    session = PracticeSession(rules, practice.scale, practice.seed)
    layout = session.layout
    screen = VirtualScreen(max(1280, layout.width + 80), max(1024, layout.height + 80))
    screen.open(VirtualWindow(session, "minebot practice", Point(40, 40)))
    return screen


@contextmanager
def _practice_window(practice: PracticeOptions, rules: Rules) -> Iterator[None]:
    """The built-in window, a program of its own, is open while the body runs."""
    from bot.screen.programs.games import Practice

    options = ["--first-click", rules.first_click.value, "--scale", str(practice.scale)]
    if practice.seed is not None:
        options += ["--seed", str(practice.seed)]
    assert rules.mines is not None  # the levels have a number, and a size goes with one
    program = Practice()
    try:
        program.start(rules.columns, rules.rows, rules.mines, *options)
        yield
    finally:
        program.stop()


def warm_up(player: Strategy, *, shared: bool) -> None:
    """Have the solver compiled before a window waits for it; where the game is shared, its chances too."""
    from bot.board import Board, Observation, Phase, Rules

    seen = Observation(Board.parse("1###\n####\n###1\n####"), Phase.PLAYING, Rules(4, 4, 3))
    player.decide(seen, 9)
    if shared:
        from bot.assist import chances_of

        chances_of(seen)
