"""The screen that `minebot run` plays on: that of the desktop, a virtual one, or one in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.screen.capture import Capture
    from bot.screen.mouse import Mouse
    from bot.screen.windows import Windows
    from bot.strategy.base import Strategy


def refuse_no_display(words: dict[str, Any]) -> None:
    """Raise ScreenError if a display is needed and missing. Called before the solver is compiled, which takes
    a minute."""
    from bot.errors import ScreenError
    from bot.screen.display import uses_x11
    from bot.screen.wayland.ways import on_wayland

    if words["virtual"] or words["headless"] or not uses_x11() or os.environ.get("DISPLAY") or on_wayland():
        return
    if not words["practice"]:
        looks_on = words["assist"] or words["hint"]  # beside a person, who needs a screen too
        other = "" if looks_on else ", or play the built-in window with --practice"
        raise ScreenError(f"there is no display (DISPLAY is not set): run it in a desktop session{other}")
    if words["assist"] or words["hint"]:
        raise ScreenError(
            "--assist and --hint need a screen that you see, and there is none (DISPLAY is not set):"
            " run it in a desktop session, or say --headless where you look at that screen otherwise"
        )


@contextmanager
def run_screen(
    words: dict[str, Any], tell: Callable[[str], None]
) -> Iterator[tuple[Capture, Mouse | None, Windows]]:
    """The screen to play on while the body runs, with the practice window open for `--practice`.

    The mouse is None for `--hint`, so that nothing can be clicked. Raises ScreenError if there is no screen
    and if another bot uses the mouse.
    """
    if words["virtual"]:
        from bot.geometry import Point
        from bot.practice.session import PracticeSession
        from bot.screen.virtual import VirtualScreen, VirtualWindow

        session = PracticeSession(practice_rules(words), words["scale"] or 1.0, words["seed"])
        layout = session.layout
        screen = VirtualScreen(max(1280, layout.width + 80), max(1024, layout.height + 80))
        screen.open(VirtualWindow(session, "minebot practice", Point(40, 40)))
        tell("playing in memory: the window is drawn, read and clicked with no display")
        yield screen, screen, screen
        return

    from bot.process.dpi import claim_dpi_awareness
    from bot.screen.display import ensure_display

    claim_dpi_awareness()
    with ensure_display(headless=words["headless"]) as display, ExitStack() as ways_out:
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
        if not (words["hint"] or words["dry_run"]):
            ways_out.enter_context(only_bot(display.name))
            if not display.virtual and ways_out.enter_context(stop_key()):
                tell(f"{STOP_KEY}, whichever window has the keyboard, stops it; so do Ctrl-C and a corner")
        if display.notice:
            tell(display.notice)
        mouse = None if words["hint"] else system_mouse()
        capture, windows = system_capture(), system_windows()
        try:
            if words["practice"]:
                with _practice_window(words):
                    yield capture, mouse, windows
            else:
                yield capture, mouse, windows
        finally:
            windows.close()
            capture.close()


def practice_rules(words: dict[str, Any]) -> Any:
    """The rules of the built-in window that the options ask for. Raises UsageError for impossible ones."""
    from bot.board import FirstClick
    from bot.game.levels import rules_from

    first_click = FirstClick(words["first_click"] or "safe")
    return rules_from(words["level"], words["size"], words["mines"], first_click)


@contextmanager
def _practice_window(words: dict[str, Any]) -> Iterator[None]:
    from bot.screen.programs.games import Practice

    rules = practice_rules(words)
    options = ["--first-click", rules.first_click.value, "--scale", str(words["scale"] or 1.0)]
    if words["seed"] is not None:
        options += ["--seed", str(words["seed"])]
    practice = Practice()
    try:
        practice.start(rules.columns, rules.rows, rules.mines, *options)
        yield
    finally:
        practice.stop()


def warm_up(player: Strategy, *, shared: bool) -> None:
    """Have the solver compiled before a window waits for it; where the game is shared, its chances too."""
    from bot.board import Board, Observation, Phase, Rules

    seen = Observation(Board.parse("1###\n####\n###1\n####"), Phase.PLAYING, Rules(4, 4, 3))
    player.decide(seen, 9)
    if shared:
        from bot.assist import chances_of

        chances_of(seen)
